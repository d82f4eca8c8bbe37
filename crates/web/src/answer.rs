//! Answers as JSON and as files.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, Response as HttpResponse, StatusCode};
use axum::response::Response;
use serde::Serialize;

use crate::refusal::Refusal;

/// What every question of the API comes to.
pub(crate) type Answer = Result<Response, Refusal>;

/// A JSON document.
pub(crate) fn json(value: &impl Serialize) -> Answer {
    Ok(json_with(StatusCode::OK, value))
}

pub(crate) fn json_with(status: StatusCode, value: &impl Serialize) -> Response {
    let bytes = serde_json::to_vec(value).expect("our own data has string keys and whole numbers");
    typed(status, "application/json", bytes)
}

/// A file to be kept under this name, which must be plain.
pub(crate) fn file(kind: &'static str, name: &str, bytes: impl Into<Body>) -> Response {
    let mut response = typed(StatusCode::OK, kind, bytes);
    let disposition = format!("attachment; filename=\"{name}\"");
    let disposition = HeaderValue::try_from(disposition).expect("the name is plain");
    response.headers_mut().insert(CONTENT_DISPOSITION, disposition);
    response
}

/// Bytes of some type, not to be cached.
pub(crate) fn typed(status: StatusCode, kind: &'static str, bytes: impl Into<Body>) -> Response {
    HttpResponse::builder()
        .status(status)
        .header(CONTENT_TYPE, kind)
        .header(CACHE_CONTROL, "no-store")
        .body(bytes.into())
        .expect("plain headers")
}
