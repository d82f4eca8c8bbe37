//! A question by the name of its route, as `docs/reference/openapi.json` describes them: for doors
//! without routes of their own.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::view::bound_rows;
use crate::{ApiError, ConvertedFile, PlayError, answer_play, named};

/// What a question is answered with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A JSON document.
    Json(Vec<u8>),
    /// A file to be saved.
    File(ConvertedFile),
}

/// Answers a question: its route below `/api/`, its query as a JSON object, its body.
pub fn answer(path: &str, query: &Value, body: &[u8]) -> Result<Answer, ApiError> {
    let game = || {
        let name = query["game"].as_str().filter(|name| !name.is_empty());
        Ok::<_, ApiError>(name.map(named).transpose()?)
    };
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    match (first, rest) {
        ("verify", "") => json(&crate::verify(body, game()?.as_ref())?),
        ("order", "") => json(&crate::order(body, game()?.as_ref())?),
        ("convert", format) => {
            Ok(Answer::File(crate::convert(body, format, &request(query.clone())?)?))
        }
        ("continue", "") => json(&crate::continue_game(body, &request(query.clone())?)?),
        ("records", "") => json(&crate::records()?),
        ("reduce", "") => json(&crate::reduce(body, &request(query.clone())?)?),
        ("reduce", "play") => {
            json(&crate::play_model(&serde_json::from_slice(body).map_err(PlayError::from)?)?)
        }
        ("games", name) => match name.split_once('/') {
            Some((name, "methods")) => json(&crate::methods(name)?),
            Some(_) => Err(PlayError::NotFound.into()),
            None => {
                // Without a verified proof nothing is said to be proven.
                json(&crate::game(name, None)?)
            }
        },
        ("bounds", "") => json(&bound_rows()),
        ("proofs", "") => json(&crate::verify_proof_file(body)?),
        ("proofs", name) => json(&crate::verify_proof(name)?),
        _ => Ok(Answer::Json(answer_play(path, query, body)?)),
    }
}

fn json(view: &impl Serialize) -> Result<Answer, ApiError> {
    Ok(Answer::Json(serde_json::to_vec(view).map_err(PlayError::from)?))
}

fn request<T: DeserializeOwned>(value: Value) -> Result<T, ApiError> {
    Ok(serde_json::from_value(value).map_err(PlayError::from)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const GAME: &[u8] = br#"{"format":"morpion-game/1","rules":"5D","start":"cross","moves":[]}"#;

    fn value(path: &str, query: &Value, body: &[u8]) -> Value {
        match answer(path, query, body).expect("an answer") {
            Answer::Json(bytes) => serde_json::from_slice(&bytes).expect("JSON"),
            Answer::File(file) => json!(file.name),
        }
    }

    #[test]
    fn questions_are_answered_by_their_routes() {
        let none = json!({});
        assert_eq!(value("position", &none, GAME)["counts"], json!([28]));
        assert_eq!(value("obstacle", &json!({"at": [3, 0]}), GAME)["kind"], "dot");
        assert_eq!(value("verify", &json!({"game": "5D"}), GAME)["left"], 28);
        assert_eq!(value("order", &none, GAME)["verdict"], "ordered");
        assert_eq!(value("convert/svg", &json!({"theme": "dark"}), GAME), "morpion-5D-0.svg");
        assert_eq!(value("open", &none, b"5D/")["position"]["score"], 0);
        let budget = json!({"playouts": 20, "seed": 1});
        assert!(value("continue", &budget, GAME)["score"].as_u64() > Some(20));
        assert_eq!(value("link", &none, GAME)["link"], "5D/");
        assert_eq!(value("games/5D", &none, b"")["in_print"]["moves"], 82);
        assert!(value("games/5D/methods", &none, b"").as_array().expect("a list").len() > 3);
        assert!(value("records", &none, b"").as_array().expect("a list").len() > 5);
        let proof = crate::known::proof("4D-35.tree.gz").expect("a proof");
        assert_eq!(value("proofs", &none, proof)["claim"], "4D = 35");
        assert_eq!(value("proofs", &none, b"4D = 34")["verdict"], "refused");
        let pattern = value("reduce", &json!({"length": 5}), b"p cnf 1 1\n1 0\n");
        assert_eq!(pattern["model"], json!([1]));
    }

    #[test]
    fn unknown_routes_and_queries_are_refused() {
        for (path, query) in [
            ("", json!({})),
            ("archive", json!({})),
            ("games/5T/else", json!({})),
            ("obstacle", json!({"at": "here"})),
            ("obstacle", json!({})),
            ("verify", json!({"game": "7"})),
        ] {
            assert!(answer(path, &query, GAME).is_err(), "{path}");
        }
    }
}
