//! Responses as JSON and as files.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, Response as HttpResponse, StatusCode};
use axum::response::Response;
use lab::view::View;

use crate::refusal::Refusal;

/// The result of every API handler.
pub(crate) type ApiResult = Result<Response, Refusal>;

/// A JSON document.
pub(crate) fn json(value: &impl View) -> ApiResult {
    Ok(json_with(StatusCode::OK, value))
}

pub(crate) fn json_with(status: StatusCode, value: &impl View) -> Response {
    let bytes = serde_json::to_vec(value).expect("views have string keys");
    typed(status, "application/json", bytes)
}

/// A file download under this name, which must be ASCII without quotes.
pub(crate) fn file(kind: &'static str, name: &str, bytes: impl Into<Body>) -> Response {
    let mut response = typed(StatusCode::OK, kind, bytes);
    let disposition = format!("attachment; filename=\"{name}\"");
    let disposition = HeaderValue::try_from(disposition).expect("the name is plain");
    response.headers_mut().insert(CONTENT_DISPOSITION, disposition);
    response
}

/// Bytes of a content type, not to be cached.
pub(crate) fn typed(status: StatusCode, kind: &'static str, bytes: impl Into<Body>) -> Response {
    HttpResponse::builder()
        .status(status)
        .header(CONTENT_TYPE, kind)
        .header(CACHE_CONTROL, "no-store")
        .body(bytes.into())
        .expect("plain headers")
}
