//! A formula as a dot pattern, and a model of it as a game.

use std::sync::Arc;

use axum::extract::{Query, State};
use lab::figure::pattern_figure;
use lab::reduction;
use lab::view::{ModelGameView, PatternView};
use reduce::{Assignment, Formula, Literal, Pattern};
use serde::Deserialize;

use super::convert::theme;
use super::native::within;
use crate::body::Whole;
use crate::limits;
use crate::refusal::Refusal;
use crate::response::{self, ApiResult};
use crate::server::App;

#[derive(Deserialize)]
pub(crate) struct ReduceRequest {
    theme: Option<String>,
}

/// Turns a formula in DIMACS into a certified pattern.
pub(crate) async fn reduce(
    State(app): State<Arc<App>>,
    Query(request): Query<ReduceRequest>,
    body: Whole,
) -> ApiResult {
    let theme = theme(request.theme.as_deref())?;
    let reduced = app.slow.run(move |_| {
        let pattern = compiled(&body.0)?;
        let picture = pattern_figure(&pattern, theme);
        Ok::<_, Refusal>(PatternView::new(&pattern, picture))
    });
    response::json(&reduced.await??)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayRequest {
    formula: String,
    /// A literal for each variable, like `[1, -2, 3]`.
    model: Vec<i32>,
}

/// Plays and verifies the game of a model.
pub(crate) async fn play(State(app): State<Arc<App>>, body: Whole) -> ApiResult {
    let request: PlayRequest = body.json()?;
    let played = app.slow.run(move |_| {
        let pattern = compiled(request.formula.as_bytes())?;
        let mut model = Assignment::unknown(pattern.formula().variables());
        for number in request.model {
            let literal =
                Literal::new(number).filter(|l| l.variable() <= pattern.formula().variables());
            let (name, found) = ("model", number.to_string().into());
            let expected = "choose literals of the formula";
            model.set(literal.ok_or(Refusal::Value { name, found, expected })?);
        }
        let game = reduction::play(&pattern, &model)?;
        Ok::<_, Refusal>(ModelGameView::new(&game, None))
    });
    response::json(&played.await??)
}

fn compiled(bytes: &[u8]) -> Result<Pattern, Refusal> {
    let formula = Formula::read(bytes)?;
    within("variables", formula.variables() as usize, limits::FORMULA)?;
    within("clauses", formula.clauses().len(), limits::FORMULA)?;
    Ok(Pattern::compile(formula, 5, 1.0, &mut |_| ())?)
}
