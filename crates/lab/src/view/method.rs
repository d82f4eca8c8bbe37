//! The list of methods as data, for machines and pages.

use geometry::Game;
use search::{METHODS, MethodInfo, Parameter, ParameterRange};
use serde::Serialize;

/// A method of search.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MethodRow {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Who published it.
    pub source: &'static str,
    /// What is counted as its playouts.
    pub playout: &'static str,
    /// Its parameters.
    pub parameters: Vec<ParameterRow>,
}

/// A parameter of a method.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ParameterRow {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a few words.
    pub meaning: &'static str,
    /// `integer` or `real`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The least value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// The value when none is given.
    pub default: f64,
}

/// All methods, with the defaults for this game.
pub fn methods(game: &Game) -> Vec<MethodRow> {
    METHODS.iter().map(|info| method(info, game)).collect()
}

/// One method, with the defaults for this game.
pub fn method(info: &MethodInfo, game: &Game) -> MethodRow {
    MethodRow {
        name: info.name,
        summary: info.summary,
        source: info.source,
        playout: info.playout,
        parameters: info.parameters.iter().map(|p| parameter(p, game)).collect(),
    }
}

fn parameter(parameter: &Parameter, game: &Game) -> ParameterRow {
    let (kind, min, max) = match parameter.range {
        ParameterRange::Integer { min, max } => ("integer", min as f64, max as f64),
        ParameterRange::Real { min, max } => ("real", min, max),
    };
    let default = parameter.default.for_game(game);
    let Parameter { name, meaning, .. } = *parameter;
    ParameterRow { name, meaning, kind, min, max, default }
}
