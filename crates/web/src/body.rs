//! Request bodies, limited in size and time.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_LENGTH;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;

use crate::refusal::Refusal;
use crate::server::App;

/// The whole body of a request.
pub(crate) struct Whole(pub(crate) Bytes);

impl FromRequest<Arc<App>> for Whole {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Refusal> {
        Self::within(app.limits.body_bytes, request, app).await
    }
}

/// The whole body of a request with a proof, which may be larger.
pub(crate) struct WholeProof(pub(crate) Bytes);

impl FromRequest<Arc<App>> for WholeProof {
    type Rejection = Refusal;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Refusal> {
        Ok(Self(Whole::within(app.limits.proof_bytes, request, app).await?.0))
    }
}

impl Whole {
    async fn within(most: usize, request: Request, app: &App) -> Result<Self, Refusal> {
        let time = app.limits.body_time;
        let announced = request.headers().get(CONTENT_LENGTH);
        let announced = announced.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        if announced.is_some_and(|length| length > most as u64) {
            return Err(Refusal::TooLarge(most));
        }
        let body = Limited::new(request.into_body(), most).collect();
        match tokio::time::timeout(time, body).await {
            Err(_) => Err(Refusal::TooSlow),
            Ok(Ok(body)) => Ok(Self(body.to_bytes())),
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(Refusal::TooLarge(most)),
            Ok(Err(_)) => Err(Refusal::Broken),
        }
    }

    /// Parses the body as JSON.
    pub(crate) fn json<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        Ok(serde_json::from_slice(&self.0)?)
    }
}
