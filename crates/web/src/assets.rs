//! The files of the pages, which are part of the program. No path from outside meets a file system.

use axum::body::Bytes;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::answer::Answer;
use crate::refusal::Refusal;

#[derive(RustEmbed)]
#[folder = "assets"]
struct Assets;

/// The file of this path; `/` is the page itself.
pub(crate) async fn asset(method: Method, uri: Uri, headers: HeaderMap) -> Answer {
    let path = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let file = Assets::get(path).ok_or(Refusal::NotFound)?;
    if method != Method::GET && method != Method::HEAD {
        return Err(Refusal::Method);
    }
    Ok(serve(path, file, headers.get(IF_NONE_MATCH)))
}

fn serve(path: &str, file: EmbeddedFile, known: Option<&HeaderValue>) -> Response {
    let hash = file.metadata.sha256_hash();
    let tag: String = hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = HeaderValue::try_from(format!("\"{tag}\"")).expect("hexadecimal digits");
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind(path))),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (ETAG, tag.clone()),
    ];
    if known == Some(&tag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let bytes = match file.data {
        std::borrow::Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        std::borrow::Cow::Owned(bytes) => Bytes::from(bytes),
    };
    (headers, bytes).into_response()
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the browser needs before it can draw the first page.
    const FIRST: usize = 100_000;

    #[test]
    fn the_pages_are_part_of_the_program_and_small() {
        assert!(Assets::get("index.html").is_some());
        let sizes = Assets::iter().map(|path| Assets::get(&path).expect("listed").data.len());
        assert!(sizes.sum::<usize>() < 3 * FIRST, "all pages together");
        for path in Assets::iter() {
            assert_ne!(kind(&path), "application/octet-stream", "{path}");
        }
    }

    #[test]
    fn no_file_asks_for_anything_outside() {
        for path in Assets::iter() {
            let file = Assets::get(&path).expect("listed");
            let text = std::str::from_utf8(&file.data).expect("text");
            for (place, _) in text.match_indices("://") {
                let around = &text[place.saturating_sub(5)..(place + 20).min(text.len())];
                assert!(around.contains("www.w3.org"), "{path}: {around}");
            }
        }
    }
}
