//! Experiments and their cost.

use serde::Serialize;

/// An experiment of the registry.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExperimentView {
    /// Its name.
    pub name: &'static str,
    /// What it reproduces.
    pub what: &'static str,
    /// The number of runs.
    pub runs: usize,
    /// The estimated CPU time.
    pub cpu_seconds: f64,
    /// The estimated CPU time with `--quick`.
    pub quick_cpu_seconds: f64,
}
