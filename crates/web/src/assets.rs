//! The files of the pages, embedded in the program: requests never reach the file system.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
    VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::{EmbeddedFile, RustEmbed};

use crate::refusal::{Reason, Refusal};
use crate::response::{self, ApiResult};

#[derive(RustEmbed)]
#[folder = "assets"]
struct Assets;

/// The file of this path; `/` is the page itself.
pub(crate) async fn asset(method: Method, uri: Uri, headers: HeaderMap) -> ApiResult {
    let path = match uri.path() {
        "/" => "index.html",
        path => path.trim_start_matches('/'),
    };
    let Some(file) = Assets::get(path) else {
        // Modules are there if `scripts/wasm` made them; without them the pages ask the server.
        let modules = ["wasm/play.wasm", "wasm/lab.wasm"];
        return match modules.contains(&path) {
            true => Ok(StatusCode::NO_CONTENT.into_response()),
            false if wants_page(&headers) => Ok(no_such_page()),
            false => Err(Refusal::NotFound),
        };
    };
    if method != Method::GET && method != Method::HEAD {
        return Err(Refusal::Method);
    }
    Ok(serve(path, file, &headers))
}

/// Whether somebody looks at the answer in a browser.
fn wants_page(asked: &HeaderMap) -> bool {
    let accepted = asked.get(ACCEPT).and_then(|value| value.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
}

/// A page that leads back to the pages, with the reason for the log.
fn no_such_page() -> Response {
    let page = "<!doctype html><meta charset=utf-8><title>Morpion</title><p>There is no such page. \
        <span lang=fr>Cette page n’existe pas.</span> <a href='/'>Morpion Solitaire</a>\n";
    let mut response = response::typed(StatusCode::NOT_FOUND, kind(".html"), page);
    response.extensions_mut().insert(Reason(Refusal::NotFound.to_string()));
    response
}

/// The files as they are sent, made once: scripts without the comments that are half of them.
static COMPRESSED: LazyLock<BTreeMap<String, Bytes>> = LazyLock::new(|| {
    let compressed = |path: std::borrow::Cow<'static, str>| {
        let file = Assets::get(&path).expect("a file of the list");
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let data = match str::from_utf8(&file.data) {
            Ok(script) if path.ends_with(".js") => without_comments(script).into_bytes(),
            _ => file.data.into_owned(),
        };
        encoder.write_all(&data).expect("a vector takes all");
        (path.into_owned(), Bytes::from(encoder.finish().expect("a vector takes all")))
    };
    Assets::iter().map(compressed).collect()
});

fn serve(path: &str, file: EmbeddedFile, asked: &HeaderMap) -> Response {
    let accepted = asked.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let compressed = accepted.is_some_and(takes_gzip).then(|| COMPRESSED.get(path)).flatten();
    let hash = file.metadata.sha256_hash();
    let tag: String = hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let ending = if compressed.is_some() { "-gz" } else { "" };
    let tag = HeaderValue::try_from(format!("\"{tag}{ending}\"")).expect("hexadecimal digits");
    let headers: [(HeaderName, HeaderValue); 4] = [
        (CONTENT_TYPE, HeaderValue::from_static(kind(path))),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (VARY, HeaderValue::from_static("accept-encoding")),
        (ETAG, tag.clone()),
    ];
    if asked.get(IF_NONE_MATCH) == Some(&tag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    if let Some(bytes) = compressed {
        let encoding = [(CONTENT_ENCODING, HeaderValue::from_static("gzip"))];
        return (headers, encoding, bytes.clone()).into_response();
    }
    let bytes = match file.data {
        std::borrow::Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        std::borrow::Cow::Owned(bytes) => Bytes::from(bytes),
    };
    (headers, bytes).into_response()
}

/// A script without its `/** ... */`, as `scripts/pages` writes it, too; no string of ours has one.
fn without_comments(script: &str) -> String {
    let mut pieces = script.split("/**");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| {
        let rest = piece.split_once("*/").map_or("", |(_, rest)| rest);
        text + rest.strip_prefix(' ').unwrap_or(rest)
    })
}

/// Whether a client takes gzip, by its header.
fn takes_gzip(accepted: &str) -> bool {
    accepted.split(',').any(|one| {
        let (name, quality) = one.split_once(';').unwrap_or((one, ""));
        name.trim() == "gzip" && !matches!(quality.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")
    })
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn text(path: &str) -> String {
        let file = Assets::get(path).unwrap_or_else(|| panic!("no {path}"));
        String::from_utf8(file.data.into_owned()).expect("text")
    }

    /// The pieces of a text between two marks.
    fn between<'a>(text: &'a str, open: &'a str, close: &'a str) -> impl Iterator<Item = &'a str> {
        text.split(open).skip(1).filter_map(move |rest| rest.split(close).next())
    }

    /// A script and all that it imports before it runs.
    fn with_imports(path: &str, found: &mut BTreeSet<String>) {
        if !found.insert(path.to_owned()) {
            return;
        }
        let script = text(path);
        let folder = path.rsplit_once('/').expect("a folder").0;
        for import in between(&script, "from './", "'") {
            with_imports(&format!("{folder}/{import}"), found);
        }
        for import in between(&script, "from '../", "'") {
            let above = folder.rsplit_once('/').expect("a folder above").0;
            with_imports(&format!("{above}/{import}"), found);
        }
    }

    #[test]
    fn the_first_page_is_small() {
        let page = text("index.html");
        let mut files = BTreeSet::from(["index.html".to_owned()]);
        files.extend(between(&page, "href=\"", "\"").map(str::to_owned));
        with_imports("js/main.js", &mut files);
        assert!(files.len() > 10 && files.contains("js/texts.js"), "{files:?}");
        // And one language, whichever, and the module that plays, where it was made.
        let sent = |path: &str| COMPRESSED.get(path).map_or(0, Bytes::len);
        let texts = ["en", "fr"].map(|language| sent(&format!("js/texts/{language}.js")));
        let pages: usize = files.iter().map(|path| sent(path)).sum();
        let pages = pages + texts.iter().max().expect("two");
        assert!(pages < 47_500, "{pages} bytes");
        let all = pages + sent("wasm/play.wasm");
        assert!(all < 120_000, "{all} bytes with the module");
        for path in Assets::iter() {
            assert_ne!(kind(&path), "application/octet-stream", "{path}");
        }
    }

    #[test]
    fn scripts_lose_their_comments_and_nothing_else() {
        let script =
            "/** Why. */\nlet a = /** @type {any} */ (b);\n/**\n * @param c\n */\nf('/');\n";
        assert_eq!(without_comments(script), "\nlet a = (b);\n\nf('/');\n");
        for path in texts().filter(|path| path.ends_with(".js")) {
            let script = text(&path);
            assert_eq!(script.matches("/*").count(), script.matches("*/").count(), "{path}");
            assert!(!without_comments(&script).contains("/**"), "{path}");
        }
    }

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        for accepted in ["gzip", "br, gzip;q=0.5", "gzip, deflate, br, zstd"] {
            assert!(takes_gzip(accepted), "{accepted}");
        }
        for accepted in ["", "br", "gzip;q=0", "identity", "gzipped"] {
            assert!(!takes_gzip(accepted), "{accepted}");
        }
    }

    /// The files that are text: all but the modules, if they were made.
    fn texts() -> impl Iterator<Item = String> {
        Assets::iter().map(|path| path.to_string()).filter(|path| !path.ends_with(".wasm"))
    }

    #[test]
    fn no_file_asks_for_anything_outside() {
        for path in texts() {
            let text = text(&path);
            for (place, _) in text.match_indices("://") {
                let around = &text[place.saturating_sub(5)..(place + 20).min(text.len())];
                assert!(around.contains("www.w3.org"), "{path}: {around}");
            }
        }
    }

    /// The names of the texts of a language.
    fn names(language: &str) -> BTreeSet<String> {
        let file = text(&format!("js/texts/{language}.js"));
        let body = file.split_once("= {\n  '").expect("a list of texts").1.to_owned();
        let body = format!("  '{}", body.split_once("\n};").expect("an end").0);
        let is_plain = |name: &str| {
            !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        // `name: ` or `'name': ` at the beginning of a line or after a comma.
        let pieces = body.split(", ").flat_map(|piece| piece.split('\n'));
        let name = |piece: &str| {
            let (name, rest) = piece.trim().split_once(": ")?;
            let begins = rest.starts_with(['\'', '(', '`'])
                || ["moves", "coups"].contains(&rest.trim_end_matches(','));
            let name = name.trim_matches('\'');
            (begins && is_plain(name)).then(|| name.to_owned())
        };
        pieces.filter_map(name).collect()
    }

    #[test]
    fn every_text_is_there_in_both_languages() {
        let (english, french) = (names("en"), names("fr"));
        assert!(english.len() > 150, "{}", english.len());
        let only =
            |one: &BTreeSet<String>, other| one.difference(other).cloned().collect::<Vec<_>>();
        assert_eq!((only(&english, &french), only(&french, &english)), (vec![], vec![]));
        for path in texts().filter(|path| path.ends_with(".js")) {
            for used in between(&text(&path), " t('", "'").chain(between(&text(&path), "(t('", "'"))
            {
                assert!(english.contains(used), "{path}: {used}");
            }
        }
    }

    #[test]
    fn what_is_said_of_methods_and_bounds_is_there_in_french() {
        let french = text("js/texts/fr-said.js");
        let game = geometry::Game::named("5T").expect("known");
        let mut said: Vec<String> = Vec::new();
        for method in lab::view::methods(&game) {
            said.extend([method.summary, method.playout].map(str::to_owned));
            // Of a source that names only people and a year there is nothing to translate.
            let names = method.source.split(' ').all(|word| !word.starts_with(char::is_lowercase));
            said.extend((!names).then(|| method.source.to_owned()));
            said.extend(method.parameters.iter().map(|parameter| parameter.meaning.to_owned()));
        }
        for name in ["potential", "boundary", "parity", "closure"] {
            said.push(name.to_owned());
        }
        // The steps of the derivations; those that are formulas alone need no words.
        for name in ["5T", "5D", "4T", "4D", "6T", "6D"] {
            let game = geometry::Game::named(name).expect("known");
            let bound = bound::formula::best(&game).expect("a formula for these");
            let steps = bound.argument.iter().filter(|step| !step.starts_with("m <= "));
            said.extend(steps.map(|step| without_numbers(step)));
        }
        let there = |text: &str| {
            let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
            french.contains(&format!("'{text}': '"))
                || plain && french.contains(&format!(" {text}: '"))
        };
        let missing: Vec<&String> = said.iter().filter(|text| !there(text)).collect();
        assert!(missing.is_empty(), "{missing:#?}");
    }

    /// A text with `#` for its numbers, as the pages look for it.
    fn without_numbers(text: &str) -> String {
        let mut plain = String::new();
        for c in text.chars() {
            match c.is_ascii_digit() {
                true if plain.ends_with('#') => {}
                true => plain.push('#'),
                false => plain.push(c),
            }
        }
        plain
    }

    /// How bright a colour is, from 0 to 1 (WCAG 2).
    fn luminance(hex: &str) -> f64 {
        let part =
            |at: usize| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).expect("hex")) / 255.0;
        let linear =
            |c: f64| if c <= 0.03928 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        0.2126 * linear(part(0)) + 0.7152 * linear(part(2)) + 0.0722 * linear(part(4))
    }

    #[test]
    fn everything_written_can_be_read_in_bright_and_in_dark() {
        let sheet = text("css/base.css");
        let themes: Vec<&str> = between(&sheet, "--paper:", "color-scheme").collect();
        assert_eq!(themes.len(), 3, "bright, dark by the system, dark by choice");
        assert_eq!(themes[1].trim(), themes[2].trim());
        for theme in themes {
            let theme = format!("--paper:{theme}");
            let colour = |name: &str| {
                let mark = format!("--{name}: #");
                let found = between(&theme, &mark, ";").next().map(luminance);
                found.unwrap_or_else(|| panic!("no {name}"))
            };
            let contrast = |one: &str, other: &str| {
                let (one, other) = (colour(one), colour(other));
                (one.max(other) + 0.05) / (one.min(other) + 0.05)
            };
            for (ink, ground) in [
                ("ink", "paper"),
                ("ink", "raised"),
                ("quiet", "paper"),
                ("quiet", "raised"),
                ("quiet", "sunk"),
                ("accent", "raised"),
                ("accent", "soft"),
                ("on-accent", "accent"),
                ("ink", "soft"),
                ("warn", "soft-warn"),
                ("good", "soft-good"),
                ("paper", "warn"),
                ("paper", "good"),
            ] {
                assert!(contrast(ink, ground) >= 4.5, "{ink} on {ground}");
            }
            // What can be pressed has an edge, and squared paper its squares.
            for (edge, ground, least) in [
                ("control", "raised", 3.0),
                ("control", "paper", 3.0),
                ("legal", "paper", 3.0),
                ("hot", "paper", 3.0),
                ("grid", "paper", 1.2),
                ("grid5", "paper", 1.5),
            ] {
                assert!(contrast(edge, ground) >= least, "{edge} on {ground}");
            }
        }
    }
}
