//! A formula as a dot pattern, and a model of it as a game.

use ::reduce::{Assignment, Formula, Pattern};
use serde::Deserialize;

use crate::figure::pattern_figure;
use crate::view::{ModelGameView, PatternView};
use crate::{ApiError, find_model, limits, reduction, theme, within};

/// How a pattern is drawn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct ReduceRequest {
    /// `light` or `dark`.
    pub theme: Option<String>,
    /// Dots per line [default: 5]; which lengths have gadgets, `reduce` knows.
    pub length: Option<usize>,
}

/// A formula and a model of it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelRequest {
    /// The formula, in DIMACS.
    pub formula: String,
    /// A literal for each variable, like `[1, -2, 3]`.
    pub model: Vec<i32>,
    /// Dots per line [default: 5]; which lengths have gadgets, `reduce` knows.
    pub length: Option<usize>,
}

/// Turns a formula in DIMACS into a certified pattern.
pub fn reduce(bytes: &[u8], request: &ReduceRequest) -> Result<PatternView, ApiError> {
    let theme = theme(request.theme.as_deref())?;
    let pattern = compiled(bytes, request.length)?;
    let picture = pattern_figure(&pattern, theme);
    Ok(PatternView { model: find_model(pattern.formula()), ..PatternView::new(&pattern, picture) })
}

/// Plays and verifies the game of a model.
pub fn play_model(request: &ModelRequest) -> Result<ModelGameView, ApiError> {
    let pattern = compiled(request.formula.as_bytes(), request.length)?;
    let model = Assignment::from_numbers(&request.model, pattern.formula().variables())?;
    Ok(ModelGameView::new(&reduction::play(&pattern, &model)?, None))
}

fn compiled(bytes: &[u8], length: Option<usize>) -> Result<Pattern, ApiError> {
    let formula = Formula::read(bytes)?;
    let length = length.unwrap_or(5);
    // Other lines take more dots for the same formula.
    let most = if length < 5 { limits::FORMULA / 2 } else { limits::FORMULA * 5 / length };
    within("variables", formula.variables() as usize, most)?;
    within("clauses", formula.clauses().len(), most)?;
    Ok(Pattern::compile(formula, length, 1.0, &mut |_| ())?)
}
