//! A formula as a dot pattern, and a model of it as a game.

use std::sync::Arc;

use axum::extract::{Query, State};
use evidence::VerifiedRecord;
use geometry::Game;
use record::Record;
use reduce::{Formula, Literal, Model, Pattern};
use render::reduction::of_pattern;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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

#[derive(Serialize)]
struct Reduced {
    variables: u32,
    clauses: Vec<Vec<i32>>,
    dots: usize,
    threshold: usize,
    ceiling: usize,
    statement: String,
    picture: String,
    /// The dots as a game without moves.
    record: Value,
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
        let formula = pattern.formula();
        let numbers = |clause: &Vec<Literal>| clause.iter().map(|l| l.number()).collect();
        Ok::<_, Refusal>(Reduced {
            variables: formula.variables(),
            clauses: formula.clauses().iter().map(numbers).collect(),
            dots: pattern.start().dots().len(),
            threshold: pattern.threshold(),
            ceiling: pattern.certificate().ceiling(),
            statement: pattern.statement(),
            picture: of_pattern(&pattern, theme),
            record: value(&game_of(&pattern, Vec::new())),
        })
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

#[derive(Serialize)]
struct Played {
    moves: usize,
    threshold: usize,
    reaches: bool,
    /// The clauses that the model leaves false, counted from 1.
    unsatisfied: Vec<usize>,
    record: Value,
}

/// Plays and verifies the game of a model.
pub(crate) async fn play(State(app): State<Arc<App>>, body: Whole) -> ApiResult {
    let request: PlayRequest = body.json()?;
    let played = app.slow.run(move |_| {
        let pattern = compiled(request.formula.as_bytes())?;
        let mut model = Model::unknown(pattern.formula().variables());
        for number in request.model {
            let literal =
                Literal::new(number).filter(|l| l.variable() <= pattern.formula().variables());
            let (name, found) = ("model", number.to_string().into());
            let expected = "choose literals of the formula";
            model.set(literal.ok_or(Refusal::Value { name, found, expected })?);
        }
        let record = game_of(&pattern, pattern.play(&model));
        let verified = VerifiedRecord::new(record.clone()).map_err(Refusal::Judge)?;
        let (moves, threshold) = (verified.score() as usize, pattern.threshold());
        Ok::<_, Refusal>(Played {
            moves,
            threshold,
            reaches: moves >= threshold,
            unsatisfied: model.unsatisfied(pattern.formula()),
            record: value(&record),
        })
    });
    response::json(&played.await??)
}

fn compiled(bytes: &[u8]) -> Result<Pattern, Refusal> {
    let formula = Formula::read(bytes)?;
    within("variables", formula.variables() as usize, limits::FORMULA)?;
    within("clauses", formula.clauses().len(), limits::FORMULA)?;
    Ok(Pattern::compile(formula, 5, 1.0, &mut |_| ())?)
}

fn game_of(pattern: &Pattern, moves: Vec<geometry::Move>) -> Record {
    Record::from_moves(Game { rules: pattern.rules(false), start: pattern.start().clone() }, moves)
}

fn value(record: &Record) -> Value {
    serde_json::from_str(&record.to_json()).expect("a record is written as JSON")
}
