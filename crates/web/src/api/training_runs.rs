//! Training runs: curves, best games, parameters.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use evidence::VerifiedRecord;
use serde::Serialize;

use super::native::{self, Dot, PlayedMove};
use crate::response::{self, ApiResult};
use crate::server::App;
use crate::training_runs::{Curve, TrainingRun};

#[derive(Serialize)]
struct Row {
    name: String,
    /// When the curve last changed, in seconds since 1970.
    changed: u64,
    curve: Curve,
    best: Option<Best>,
}

/// The longest game, and the parameters of the network that played it.
#[derive(Serialize)]
struct Best {
    game: String,
    score: u32,
    length: usize,
    start: Vec<Dot>,
    moves: Vec<PlayedMove>,
    seed: Option<u64>,
    parameters: BTreeMap<String, String>,
}

impl From<VerifiedRecord> for Best {
    fn from(best: VerifiedRecord) -> Self {
        let (game, provenance) = (best.game(), best.provenance());
        Self {
            game: game.to_string(),
            score: best.score(),
            length: game.rules.length(),
            start: game.start.dots().iter().map(|&dot| native::dot(dot)).collect(),
            moves: native::moves(best.moves().iter().copied()),
            seed: provenance.seed,
            parameters: provenance.parameters.clone().into_iter().collect(),
        }
    }
}

impl From<TrainingRun> for Row {
    fn from(TrainingRun { name, changed, curve, best }: TrainingRun) -> Self {
        Self { name, changed, curve, best: best.map(Best::from) }
    }
}

/// All training runs.
pub(crate) async fn list(State(app): State<Arc<App>>) -> ApiResult {
    let training_runs = Arc::clone(&app.training_runs);
    let rows =
        app.quick.run(move |_| training_runs.list().into_iter().map(Row::from).collect::<Vec<_>>());
    response::json(&rows.await?)
}
