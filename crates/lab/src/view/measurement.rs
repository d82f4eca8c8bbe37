//! Measured speeds.

use serde::Serialize;

/// A speed, as a ratio to a plain reference where there is one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeasurementView {
    /// What was measured.
    pub what: String,
    /// The value.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// The ratio to the reference, if there is one.
    pub ratio: Option<f64>,
    /// The reference.
    pub reference: Option<&'static str>,
    /// Shares of the time, where measured.
    pub parts: Vec<ShareView>,
}

/// A share of the time.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShareView {
    /// Of what.
    pub what: &'static str,
    /// Between 0 and 1.
    pub share: f64,
}
