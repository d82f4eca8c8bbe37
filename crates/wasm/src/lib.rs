//! The answers of the pages as WebAssembly, for pages without a server and for moves that wait for
//! none.
//!
//! Four exports and no imports: the page asks for room with [`input`], writes the question there
//! (its route, its query as JSON, its body), calls [`ask`], and reads the answer from [`output`]
//! on. `crates/web/assets/js/wasm.js` is the other side. `scripts/wasm` builds two modules:
//! a small one that plays (without the feature `lab`) and one that answers everything.

// The names of the exports; there is no unsafe block.
#![allow(unsafe_code)]

use std::cell::RefCell;

use api::PlayError;
use api::view::ErrorView;
use serde_json::Value;

/// The question, and the answer.
#[derive(Default)]
struct Buffers {
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// Makes room for a question of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn input(bytes: usize) -> *mut u8 {
    BUFFERS.with_borrow_mut(|buffers| {
        buffers.input.clear();
        buffers.input.resize(bytes, 0);
        buffers.input.as_mut_ptr()
    })
}

/// Answers the question in the input: its route takes the first `path` bytes, its query the next
/// `query`, its body the rest. Returns the length of the answer in bytes, raised by 2^31 if it is
/// an error.
///
/// The answer is a JSON document. If it describes a file, with `kind` and `name`, the bytes of the
/// file follow after a line feed.
#[unsafe(no_mangle)]
pub extern "C" fn ask(path: usize, query: usize) -> u32 {
    BUFFERS.with_borrow_mut(|Buffers { input, output }| {
        let (bytes, failed) = match answer(input, path, query) {
            Ok(bytes) => (bytes, 0),
            Err(error) => (serde_json::to_vec(&error).unwrap_or_default(), 1 << 31),
        };
        *output = bytes;
        output.len() as u32 | failed
    })
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    BUFFERS.with_borrow(|buffers| buffers.output.as_ptr())
}

fn answer(input: &[u8], path: usize, query: usize) -> Result<Vec<u8>, ErrorView> {
    let unknown = || PlayError::NotFound.view();
    let (path, rest) = input.split_at_checked(path).ok_or_else(unknown)?;
    let (query, body) = rest.split_at_checked(query).ok_or_else(unknown)?;
    let path = str::from_utf8(path).map_err(|_| unknown())?;
    let query: Value = match query {
        [] => Value::Null,
        query => serde_json::from_slice(query).map_err(|error| PlayError::from(error).view())?,
    };
    respond(path, &query, body)
}

#[cfg(not(feature = "lab"))]
fn respond(path: &str, query: &Value, body: &[u8]) -> Result<Vec<u8>, ErrorView> {
    api::answer_play(path, query, body).map_err(|error| error.view())
}

#[cfg(feature = "lab")]
fn respond(path: &str, query: &Value, body: &[u8]) -> Result<Vec<u8>, ErrorView> {
    match api::answer(path, query, body).map_err(|error| error.view())? {
        api::Answer::Json(bytes) => Ok(bytes),
        api::Answer::File(file) => {
            let head = serde_json::json!({"kind": file.kind, "name": file.name});
            Ok([head.to_string().as_bytes(), b"\n", &file.bytes].concat())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(path: &str, query: &str, body: &str) -> (bool, String) {
        let question = format!("{path}{query}{body}");
        input(question.len());
        BUFFERS.with_borrow_mut(|buffers| buffers.input.copy_from_slice(question.as_bytes()));
        let length = ask(path.len(), query.len());
        let answer = BUFFERS.with_borrow(|buffers| buffers.output.clone());
        assert_eq!(answer.len(), (length & !(1 << 31)) as usize);
        (length >> 31 == 0, String::from_utf8_lossy(&answer).into_owned())
    }

    const GAME: &str = r#"{"format":"morpion-game/1","rules":"5T","start":"cross","moves":[]}"#;

    #[test]
    fn a_question_is_written_asked_and_answered() {
        let (fine, answer) = asked("position", "", GAME);
        assert!(fine && answer.contains(r#""counts":[28]"#), "{answer}");
        let (fine, answer) = asked("position", "", "{");
        assert!(!fine && answer.contains("\"json\""), "{answer}");
    }

    #[cfg(feature = "lab")]
    #[test]
    fn a_file_follows_its_description() {
        let (fine, answer) = asked("convert/text", r#"{"theme":"light"}"#, GAME);
        assert!(fine && answer.starts_with(r#"{"kind":"text/plain"#), "{answer}");
        assert!(answer.contains("\n5T"), "{answer}");
    }

    #[test]
    fn a_question_cut_off_is_refused() {
        input(3);
        assert!(ask(2, 7) >> 31 == 1 && ask(usize::MAX, 1) >> 31 == 1);
    }
}
