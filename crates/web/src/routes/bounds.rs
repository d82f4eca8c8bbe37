//! Known results of every game, and verification of their proofs.

use std::sync::Arc;

use axum::extract::{Path, State};
use lab::known;
use lab::view::ProofView;

use crate::body::WholeProof;
use crate::refusal::Refusal;
use crate::response::{self, ApiResult};
use crate::server::App;

/// All games of the table.
pub(crate) async fn table(State(app): State<Arc<App>>) -> ApiResult {
    response::json(&app.table.rows(&app.slow).await?)
}

/// The file of a proof.
pub(crate) async fn proof(Path(name): Path<String>) -> ApiResult {
    let bytes = known::proof(&name).ok_or(Refusal::NotFound)?;
    let file = name.rsplit('/').next().unwrap_or(&name);
    Ok(response::file("application/octet-stream", file, bytes))
}

/// Verifies a proof now.
pub(crate) async fn verify(State(app): State<Arc<App>>, Path(name): Path<String>) -> ApiResult {
    if !known::proofs().any(|known| known == name) {
        return Err(Refusal::NotFound);
    }
    let view = app.slow.run(move |_| {
        let began = std::time::Instant::now();
        let proof = known::verify(&name).expect("a name of the list");
        ProofView { seconds: Some(began.elapsed().as_secs_f64()), ..ProofView::new(&proof) }
    });
    response::json(&view.await?)
}

/// Verifies a proof from elsewhere, as it is or compressed by gzip. One at a time: its work is
/// limited by its size only.
pub(crate) async fn verify_own(State(app): State<Arc<App>>, body: WholeProof) -> ApiResult {
    let view = app.proofs.run(move |_| {
        let began = std::time::Instant::now();
        let view = api::verify_proof_file(&body.0)?;
        Ok::<_, Refusal>(ProofView { seconds: Some(began.elapsed().as_secs_f64()), ..view })
    });
    response::json(&view.await??)
}
