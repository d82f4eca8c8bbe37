//! A search that starts from the moves of a game: for a hint, or to finish it.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Query, State};
use hunt::{HuntBudget, HuntSpec, random_seed};
use lab::view::ContinuationView;
use search::MethodSpec;
use serde::Deserialize;

use crate::body::Whole;
use crate::limits::HINT_TIME;
use crate::refusal::Refusal;
use crate::response::{self, ApiResult};
use crate::server::App;
use rules::replay;

#[derive(Deserialize)]
pub(crate) struct ContinueRequest {
    seconds: Option<f64>,
}

/// The longest continuation found.
pub(crate) async fn continue_game(
    State(app): State<Arc<App>>,
    Query(request): Query<ContinueRequest>,
    body: Whole,
) -> ApiResult {
    let (game, prefix) = api::played(&body.0)?;
    let seconds = request.seconds.unwrap_or(1.0);
    if !(seconds > 0.0 && seconds <= HINT_TIME.as_secs_f64()) {
        let (name, found) = ("seconds", seconds.to_string().into());
        return Err(Refusal::Value { name, found, expected: "choose more than 0 and at most 30" });
    }
    let continued = app.slow.run(move |stop| {
        replay(&game, &prefix)?;
        let spec = HuntSpec {
            method: MethodSpec::named("auto", &game, [])?,
            game,
            prefix,
            seed: random_seed(),
            threads: 1,
            budget: HuntBudget {
                time: Some(Duration::from_secs_f64(seconds)),
                ..HuntBudget::default()
            },
        };
        // It stops as soon as the client is gone.
        let on = |_: hunt::Event<'_>| match stop.is_requested() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let find = hunt::run(&spec, None, &on)?;
        Ok::<_, Refusal>(ContinuationView::new(&find.game))
    });
    response::json(&continued.await??)
}
