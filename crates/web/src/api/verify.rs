//! Verification of a file of any format: a game, or a drawing without an order.

use std::sync::Arc;

use axum::extract::{Query, State};
use evidence::{FileCheck, NativeFile};
use geometry::Game;
use record::{Play, Record};
use serde::Serialize;
use serde_json::Value;
use verify::OrderResult;

use super::native::{self, Dot, GameQuery, PlayedMove, within};
use crate::body::Whole;
use crate::limits;
use crate::refusal::Refusal;
use crate::response::{self, ApiResult};
use crate::server::App;

/// What the judge says of a file.
#[derive(Default, Serialize)]
struct Checked {
    /// `legal`, `refused`, `ordered` or `stuck`.
    verdict: &'static str,
    format: String,
    game: Option<String>,
    /// Whether the game was guessed.
    guessed: bool,
    length: Option<usize>,
    start: Vec<Dot>,
    /// The moves as the file has them, or as the order found has them.
    moves: Vec<PlayedMove>,
    /// The lines of a drawing that has no order.
    lines: Vec<native::DrawnLine>,
    /// How many moves are legal at the end.
    left: Option<u64>,
    reason: Option<String>,
    /// The faulty move or line, counted from 1.
    #[serde(rename = "move")]
    number: Option<u32>,
    /// The lines that no order reaches, with the dots that they lack.
    stuck: Vec<Stuck>,
    /// Of a refused game: whether its lines can be played in another order.
    other_order: Option<bool>,
    /// The game in the native format.
    record: Option<Value>,
}

#[derive(Serialize)]
struct Stuck {
    /// Counted from 0.
    line: u32,
    missing: Vec<Dot>,
}

/// Verifies the body, in any format.
pub(crate) async fn verify(
    State(app): State<Arc<App>>,
    Query(query): Query<GameQuery>,
    body: Whole,
) -> ApiResult {
    let game = query.game()?;
    let checked = app.quick.run(move |_| judge(&body.0, game.as_ref()));
    response::json(&checked.await??)
}

fn judge(bytes: &[u8], game: Option<&Game>) -> Result<Checked, Refusal> {
    let format = record::recognise(bytes).to_string();
    let file = NativeFile::read(bytes, game)?;
    if let Ok(record) = &file.record {
        within("moves", record.lines().len(), limits::VERIFIED_MOVES)?;
        within("dots", record.game.start.dots().len(), limits::DOTS)?;
    }
    let FileCheck { text, record, verdict, guessed, .. } = file.verify();
    let record = match (&verdict, record) {
        (Err(refusal), _) if refusal.is_malformed() => {
            return Err(Refusal::Judge(refusal.clone()));
        }
        // Moves that are not even well formed cannot be drawn.
        (Err(refusal), Err(_)) => {
            let (reason, number) = (Some(refusal.to_string()), refusal.number());
            return Ok(Checked {
                verdict: "refused",
                format,
                reason,
                number,
                ..Checked::default()
            });
        }
        (_, record) => record?,
    };
    let checked = Checked {
        format,
        game: Some(record.game.to_string()),
        guessed: guessed.is_some(),
        length: Some(record.game.rules.length()),
        start: record.game.start.dots().iter().map(|&point| native::dot(point)).collect(),
        ..Checked::default()
    };
    Ok(match (verdict, &record.play) {
        (Ok(game), play) => {
            let verdict = if matches!(play, Play::Moves(_)) { "legal" } else { "ordered" };
            let moves = game.moves().to_vec();
            Checked {
                verdict,
                left: Some(game.remaining_moves()),
                moves: native::moves(moves.iter().copied()),
                record: value(&Record { play: Play::Moves(moves), ..record }),
                ..checked
            }
        }
        (Err(refusal), Play::Moves(moves)) => Checked {
            verdict: "refused",
            reason: Some(refusal.to_string()),
            number: refusal.number(),
            moves: native::moves(moves.iter().copied()),
            other_order: Some(matches!(verify::order(&text), Ok(OrderResult::Ordered { .. }))),
            record: value(&record),
            ..checked
        },
        (Err(refusal), Play::Drawing(lines)) => {
            let stuck = match verify::order(&text) {
                Ok(OrderResult::Stuck { stuck, .. }) => stuck_lines(&record, &stuck),
                _ => Vec::new(),
            };
            Checked {
                verdict: if stuck.is_empty() { "refused" } else { "stuck" },
                reason: Some(refusal.to_string()),
                number: refusal.number(),
                lines: lines.iter().map(|&line| native::line(line)).collect(),
                stuck,
                record: value(&record),
                ..checked
            }
        }
    })
}

/// What each stuck line lacks when all others are drawn.
fn stuck_lines(record: &Record, stuck: &[u32]) -> Vec<Stuck> {
    let dots = evidence::missing_dots(record, stuck).into_iter();
    let missing = dots.map(|dots| dots.into_iter().map(native::dot).collect());
    stuck.iter().zip(missing).map(|(&line, missing)| Stuck { line, missing }).collect()
}

fn value(record: &Record) -> Option<Value> {
    serde_json::from_str(&record.to_json()).ok()
}
