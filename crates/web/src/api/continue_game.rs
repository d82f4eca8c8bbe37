//! A search that starts from the moves of a game: for a hint, or to finish it.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Query, State};
use hunt::{Hunt, Watcher};
use record::Record;
use search::Method;
use serde::{Deserialize, Serialize};

use super::native::{self, PlayedMove};
use crate::body::Whole;
use crate::hunts::random_seed;
use crate::limits::HINT_TIME;
use crate::refusal::Refusal;
use crate::response::{self, ApiResult};
use crate::server::App;
use crate::work::Stop;
use rules::replay;

#[derive(Deserialize)]
pub(crate) struct ContinueRequest {
    seconds: Option<f64>,
}

#[derive(Serialize)]
struct Finished {
    score: u32,
    left: u64,
    moves: Vec<PlayedMove>,
}

/// The longest continuation found.
pub(crate) async fn continue_game(
    State(app): State<Arc<App>>,
    Query(request): Query<ContinueRequest>,
    body: Whole,
) -> ApiResult {
    let (game, from) = native::played(&body.0)?;
    let seconds = request.seconds.unwrap_or(1.0);
    if !(seconds > 0.0 && seconds <= HINT_TIME.as_secs_f64()) {
        let (name, found) = ("seconds", seconds.to_string().into());
        return Err(Refusal::Value { name, found, expected: "choose more than 0 and at most 30" });
    }
    let continued = app.slow.run(move |stop| {
        replay(&game, &from)?;
        let hunt = Hunt {
            method: Method::named("auto", &game, [])?,
            game,
            from,
            seed: random_seed()?,
            threads: 1,
            playouts: None,
            time: Some(Duration::from_secs_f64(seconds)),
            target: None,
        };
        let find = hunt::hunt(&hunt, &Impatient(stop))?;
        Ok::<_, Refusal>(Finished {
            score: find.game.score(),
            left: find.game.remaining_moves(),
            moves: native::moves(find.game.moves().iter().copied()),
        })
    });
    response::json(&continued.await??)
}

/// Stops as soon as the client is gone.
struct Impatient(Stop);

impl Watcher for Impatient {
    fn improved(&self, _record: &Record) {}

    fn stands(&self, _best: usize, _playouts: u64) {}

    fn wants_stop(&self) -> bool {
        self.0.is_requested()
    }
}
