//! Known results of every game, and verification of their proofs.

use std::sync::Arc;

use axum::extract::{Path, State};
use lab::known;
use serde::Serialize;

use crate::refusal::Refusal;
use crate::response::{self, ApiResult};
use crate::server::App;

/// All games of the table.
pub(crate) async fn table(State(app): State<Arc<App>>) -> ApiResult {
    response::json(&app.table.rows(&app.slow).await?)
}

#[derive(Serialize)]
struct Checked {
    verdict: &'static str,
    claim: Option<String>,
    reason: Option<String>,
    seconds: f64,
}

/// Verifies a proof now.
pub(crate) async fn verify(State(app): State<Arc<App>>, Path(name): Path<String>) -> ApiResult {
    if !known::proofs().any(|known| known == name) {
        return Err(Refusal::NotFound);
    }
    let checked = app.slow.run(move |_| {
        let began = std::time::Instant::now();
        let proof = known::verify(&name).expect("a name of the list");
        let seconds = began.elapsed().as_secs_f64();
        match proof {
            Ok(proof) => {
                Checked { verdict: "proven", claim: Some(proof.to_string()), reason: None, seconds }
            }
            Err(refusal) => {
                let reason = Some(refusal.to_string());
                Checked { verdict: "refused", claim: None, reason, seconds }
            }
        }
    });
    response::json(&checked.await?)
}
