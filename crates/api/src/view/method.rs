//! The search methods.

use geometry::Game;
use search::{METHODS, MethodInfo, Parameter, ParameterRange};
use serde::Serialize;

/// A search method.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MethodView {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// The publication.
    pub source: &'static str,
    /// What `playouts` counts.
    pub playout: &'static str,
    /// Its parameters.
    pub parameters: Vec<ParameterView>,
}

/// A parameter of a method.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParameterView {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a few words.
    pub meaning: &'static str,
    /// `integer` or `real`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The minimum.
    pub min: f64,
    /// The maximum.
    pub max: f64,
    /// The default for the game.
    pub default: f64,
}

/// All methods, with the defaults for this game.
#[must_use]
pub fn methods(game: &Game) -> Vec<MethodView> {
    METHODS.iter().map(|info| MethodView::new(info, game)).collect()
}

impl MethodView {
    /// One method, with the defaults for this game.
    #[must_use]
    pub fn new(info: &MethodInfo, game: &Game) -> Self {
        Self {
            name: info.name,
            summary: info.summary,
            source: info.source,
            playout: info.playout,
            parameters: info.parameters.iter().map(|p| ParameterView::new(p, game)).collect(),
        }
    }
}

impl ParameterView {
    fn new(parameter: &Parameter, game: &Game) -> Self {
        let (kind, min, max) = match parameter.range {
            ParameterRange::Integer { min, max } => ("integer", min as f64, max as f64),
            ParameterRange::Real { min, max } => ("real", min, max),
        };
        let default = parameter.default.for_game(game);
        let Parameter { name, meaning, .. } = *parameter;
        Self { name, meaning, kind, min, max, default }
    }
}
