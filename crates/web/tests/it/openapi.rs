//! The description of the API: its schemas are generated from the views.

use std::collections::BTreeSet;

use serde_json::Value;

const DESCRIPTION: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/openapi.json");

/// What requests send, described by hand.
const REQUESTS: [&str; 4] = ["Game", "HuntRequest", "PlayRequest", "TrainingRequest"];

/// `UPDATE=1 cargo test -p morpion-web openapi` rewrites the schemas.
#[test]
fn the_schemas_are_those_of_the_views() {
    let text = std::fs::read_to_string(DESCRIPTION).expect("a description");
    let mut described: Value = serde_json::from_str(&text).expect("JSON");
    let schemas = described["components"]["schemas"].as_object_mut().expect("schemas");
    let mut expected = lab::view::schema::components();
    for name in REQUESTS {
        expected.insert(name.to_owned(), schemas[name].clone());
    }
    if std::env::var_os("UPDATE").is_some() {
        *schemas = expected;
        let text = serde_json::to_string_pretty(&described).expect("JSON") + "\n";
        std::fs::write(DESCRIPTION, text).expect("written");
        return;
    }
    let only = |one: &serde_json::Map<String, Value>, other: &serde_json::Map<String, Value>| {
        one.iter().filter(|(name, schema)| other.get(*name) != Some(schema)).count()
    };
    let differing = (only(schemas, &expected), only(&expected, schemas));
    assert_eq!(differing, (0, 0), "run `UPDATE=1 cargo test -p morpion-web openapi`");
}

#[test]
fn every_reference_leads_to_a_schema_and_every_schema_is_used() {
    let text = std::fs::read_to_string(DESCRIPTION).expect("a description");
    let described: Value = serde_json::from_str(&text).expect("JSON");
    let schemas = described["components"]["schemas"].as_object().expect("schemas");
    let used: BTreeSet<&str> = text
        .split("\"#/components/schemas/")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    let known: BTreeSet<&str> = schemas.keys().map(String::as_str).collect();
    assert_eq!(used, known);
}

/// The routes of `src/routes.rs`.
#[test]
fn every_route_is_described() {
    let described = std::fs::read_to_string(DESCRIPTION).expect("a description");
    let described: Value = serde_json::from_str(&described).expect("JSON");
    let paths = described["paths"].as_object().expect("paths");
    let routes: Vec<&str> = include_str!("../../src/routes.rs")
        .lines()
        .filter_map(|line| line.trim().strip_prefix(".route(\"")?.split('"').next())
        .filter(|route| *route != "/api/{*rest}")
        .collect();
    for route in &routes {
        assert!(paths.contains_key(&route.replace("{*", "{")), "{route} is not described");
    }
    assert_eq!(paths.len(), routes.len());
}
