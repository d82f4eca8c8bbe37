//! The JSON Schema of the format and the verifier agree, as far as a schema can tell.

use regex_lite::Regex;
use serde_json::{Map, Value};
use verify::{verify_game, verify_proof};

use crate::common::files::{folder, text_of};

const SCHEMA: &str = include_str!("../../../../docs/reference/game.schema.json");
const ENDLESS: &str = include_str!("../../../../docs/reference/endless.schema.json");

/// Faults that are gone once the text is a JSON value.
const OF_THE_TEXT: [&str; 3] = ["not-json", "not-utf-8", "duplicate-field"];

#[test]
fn schema_and_verifier_agree_on_every_test_file() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let mut compared = 0;
    for expected in folder("accepted").into_iter().chain(folder("refused")) {
        let file = expected.file;
        let Ok(text) = text_of(&file) else { continue };
        let Ok(value) = serde_json::from_str::<Value>(&text) else { continue };
        let valid = is_valid(&value, &schema, &schema);
        match verify_game(&text) {
            Ok(_) => assert!(valid, "{file}: the verifier accepts it"),
            Err(refusal) if OF_THE_TEXT.contains(&refusal.fault.name()) => continue,
            // A fraction is a matter of spelling: to a schema, 7.0 is an integer.
            Err(refusal) if refusal.is_malformed() && !file.ends_with("fraction.json") => {
                assert!(!valid, "{file}: the verifier finds it malformed");
            }
            // What a game means is beyond a schema.
            Err(_) => {}
        }
        compared += 1;
    }
    assert!(compared > 40);
}

#[test]
fn schema_and_verifier_agree_on_endless_play() {
    let schema: Value = serde_json::from_str(ENDLESS).expect("the schema is JSON");
    for expected in folder("endless") {
        let text = text_of(&expected.file).expect("a text");
        let value = serde_json::from_str::<Value>(&text).expect("JSON");
        let malformed = verify_proof(&text).is_err_and(|refusal| refusal.is_malformed());
        let beyond = expected.words[0] == "beyond-limit";
        assert_eq!(is_valid(&value, &schema, &schema), !malformed && !beyond, "{}", expected.file);
    }
}

#[test]
fn a_schema_keyword_that_this_test_does_not_know_is_noticed() {
    let schema = serde_json::json!({"not": {}});
    let outcome = std::panic::catch_unwind(|| is_valid(&Value::Null, &schema, &schema));
    assert!(outcome.is_err());
}

/// Whether a value is valid under a schema, for the keywords that ours uses.
fn is_valid(value: &Value, schema: &Value, root: &Value) -> bool {
    let keywords: &Map<String, Value> = match schema {
        Value::Bool(anything) => return *anything,
        schema => schema.as_object().expect("a schema is an object or a boolean"),
    };
    keywords.iter().all(|(keyword, rule)| match &**keyword {
        "$schema" | "$id" | "$defs" | "title" | "description" => true,
        "$ref" => {
            let path = rule.as_str().and_then(|path| path.strip_prefix('#')).expect("a path");
            is_valid(value, root.pointer(path).expect("a definition"), root)
        }
        "const" => value == rule,
        "enum" => list(rule).contains(value),
        "type" => match rule.as_str().expect("a type") {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            other => panic!("a type this test does not know: {other}"),
        },
        "oneOf" => list(rule).iter().filter(|option| is_valid(value, option, root)).count() == 1,
        "pattern" => value.as_str().is_none_or(|text| {
            Regex::new(rule.as_str().expect("a pattern")).expect("a pattern").is_match(text)
        }),
        "minimum" => number(value).is_none_or(|it| it >= number(rule).expect("a number")),
        "maximum" => number(value).is_none_or(|it| it <= number(rule).expect("a number")),
        "minItems" => value.as_array().is_none_or(|items| items.len() >= size(rule)),
        "maxItems" => value.as_array().is_none_or(|items| items.len() <= size(rule)),
        "uniqueItems" => value.as_array().is_none_or(|items| {
            (1..items.len()).all(|index| !items[..index].contains(&items[index]))
        }),
        "prefixItems" => value.as_array().is_none_or(|items| {
            items.iter().zip(list(rule)).all(|(item, schema)| is_valid(item, schema, root))
        }),
        "items" => value.as_array().is_none_or(|items| {
            let before = keywords.get("prefixItems").map_or(0, |prefix| list(prefix).len());
            items.iter().skip(before).all(|item| is_valid(item, rule, root))
        }),
        "required" => value.as_object().is_none_or(|fields| {
            list(rule).iter().all(|name| fields.contains_key(name.as_str().expect("a name")))
        }),
        "properties" => value.as_object().is_none_or(|fields| {
            let schemas = rule.as_object().expect("schemas");
            fields.iter().all(|(name, field)| {
                schemas.get(name).is_none_or(|schema| is_valid(field, schema, root))
            })
        }),
        "additionalProperties" => value.as_object().is_none_or(|fields| {
            let known = keywords["properties"].as_object().expect("schemas");
            let others = fields.iter().filter(|(name, _)| !known.contains_key(*name));
            others.into_iter().all(|(_, field)| is_valid(field, rule, root))
        }),
        other => panic!("a keyword this test does not know: {other}"),
    })
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

fn size(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a size")).expect("a size")
}

/// An integer of any size that JSON can hold here.
fn number(value: &Value) -> Option<i128> {
    value.as_i64().map(i128::from).or(value.as_u64().map(i128::from))
}
