//! Bounds and proofs, through the real binary.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::Bench;

fn proofs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs/endless")
}

fn path(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn the_published_bounds_are_printed_with_their_inequalities() {
    let bench = Bench::new();
    let cases = [
        ("5D", "potential", 141, "m <= 1 + (288 - 8)/2 = 141"),
        ("5T", "boundary", 705, "m <= (288^2 + 48)/112 - 36 = 705"),
        ("4D", "parity", 48, "a + b + c <= 24 + 6 + 18 = 48"),
        ("4T", "parity", 192, "a + b + c <= 96 + 24 + 72 = 192"),
        ("6T", "closure", 12, "m <= 12"),
        ("16D", "closure", 12, "m <= 12"),
    ];
    for (game, by, bound, inequality) in cases {
        let told = bench.run(&["bound", game, "--by", by]).succeeds().out;
        assert!(told.contains(inequality), "{told}");
        let row = bench.run(&["bound", game, "--by", by, "--json"]).succeeds().json();
        assert_eq!((&row["game"], &row["by"]), (&json!(game), &json!(by)));
        assert_eq!((&row["bound"], &row["value"]), (&json!(bound), &json!(f64::from(bound))));
        assert_eq!((&row["board"], &row["certificate"]), (&Value::Null, &Value::Null));
        let bounds = bench.run(&["bound", game, "--json"]).succeeds().json()["bounds"].take();
        let formula = json!({"bound": bound, "by": by, "certified": true, "proof": null});
        assert!(bounds.as_array().is_some_and(|bounds| bounds.contains(&formula)), "{bounds}");
    }
    assert!(bench.run(&["bound", "5T"]).succeeds().out.contains("published: 704"));
}

#[test]
fn a_formula_that_does_not_apply_is_a_negative_result_and_names_another() {
    let bench = Bench::new();
    let no = bench.run(&["bound", "5T", "--by", "potential"]).ends_negative();
    assert!(no.out.contains("what applies: boundary"), "{}", no.out);
    let no = bench.run(&["bound", "3T", "--by", "parity", "--json"]).ends_negative().json();
    assert_eq!((&no["bound"], &no["by"]), (&Value::Null, &json!("parity")));
    assert!(no["reason"].as_str().is_some_and(|reason| reason.contains("3T: endless, proven")));
    bench.write("dots.txt", "0,0\n1,0\n0,1\n1,1\n");
    let no = bench.run(&["bound", "--rules", "4D", "--start", "dots.txt", "--by", "parity"]);
    assert!(no.ends_negative().out.contains("all four parities"));
    let own = ["bound", "--rules", "5D", "--start", "dots.txt", "--by", "potential", "--json"];
    assert_eq!(bench.run(&own).succeeds().json()["bound"], 13);
}

#[test]
fn the_table_has_only_games_that_are_at_hand() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("games")).expect("a folder");
    bench.find("4D", "games/short.json");
    let rows = bench.run(&["bound", "--table", "--json"]).succeeds().json();
    let rows = rows.as_array().expect("rows");
    assert_eq!(rows.len(), 16);
    for row in rows {
        let endless = row["k"].as_u64().is_some_and(|k| k <= 2);
        assert_eq!(row["bound"].is_null(), endless, "{row}");
        assert_eq!(row["endless"], endless, "{row}");
        assert_eq!(row["best"].is_null(), row["game"] != "4D", "{row}");
    }
    let told = bench.run(&["bound", "--table"]).succeeds().out;
    assert!(told.contains("705 by boundary") && told.contains("none in games"), "{told}");
    let alone = Bench::new().run(&["bound", "--table"]).succeeds();
    assert!(alone.err.contains("no such folder"), "{}", alone.err);
}

#[test]
fn the_boards_are_counted() {
    let bench = Bench::new();
    let counts = bench.run(&["bound", "5T", "--boards", "--json"]).succeeds().json();
    assert_eq!((&counts["classes"], &counts["maximal"]), (&json!(2_838_304), &json!(90_397)));
    assert_eq!(counts["published_by_modifier"], json!([96_130, 29_168, 1_614]));
    assert_eq!(counts["published"], 126_912);
    bench.run(&["bound", "4T", "--boards"]).ends_negative();
    let no = bench.run(&["bound", "4T", "--boards", "--json"]).ends_negative().json();
    assert!(no["reason"].as_str().is_some_and(|reason| reason.contains("4T")), "{no}");
}

#[test]
fn every_proof_of_this_repository_is_accepted() {
    let bench = Bench::new();
    let rows = bench.run(&["check", "--json", path(&proofs())]).succeeds().json();
    let rows = rows.as_array().expect("rows");
    assert_eq!(rows.len(), 8);
    for row in rows {
        assert_eq!(row["verdict"], "proven");
        assert!(row["claim"].as_str().is_some_and(|claim| claim.ends_with(": endless")), "{row}");
        assert_eq!(row["reason"], Value::Null);
    }
    let told = bench.run(&["check", path(&proofs().join("4D-7-dots.json"))]).succeeds().out;
    assert!(told.contains("4D from the 7 dots") && told.ends_with(": endless, proven\n"), "{told}");
}

#[test]
fn a_tampered_proof_is_refused_and_what_is_neither_game_nor_proof_is_an_error() {
    let bench = Bench::new();
    let text = std::fs::read_to_string(proofs().join("3D-cross.json")).expect("a proof");
    let mut proof: Value = serde_json::from_str(&text).expect("JSON");
    proof["translation"][0] = json!(proof["translation"][0].as_i64().expect("a number") + 1);
    bench.write("tampered.json", proof.to_string());
    let row = &bench.run(&["check", "--json", "tampered.json"]).ends_negative().json()[0];
    assert_eq!((&row["verdict"], &row["claim"]), (&json!("refused"), &Value::Null));
    assert!(row["reason"].as_str().is_some_and(|reason| reason.starts_with("round ")), "{row}");
    bench.find("5D", "game.json");
    let game = bench.run(&["check", "game.json"]).succeeds().out;
    assert!(game.starts_with("game.json: legal: 5D"), "the alias takes games, too: {game}");
    bench.write("no-proof.json", "{}");
    bench.run(&["verify", "no-proof.json"]).fails();
    std::fs::create_dir(bench.path("empty")).expect("a folder");
    bench.run(&["check", "empty"]).fails();
    bench.run(&["check", "no-such-file"]).fails();
}

#[test]
fn endless_play_is_found_proven_and_written() {
    let bench = Bench::new();
    let dots = "0,0\n0,2\n0,3\n1,2\n2,1\n3,1\n3,2\n";
    bench.write("dots.txt", dots);
    let args = ["bound", "4D", "--start", "dots.txt", "--endless", "--out", "proof.json"];
    let told = bench.run(&args).succeeds().out;
    assert!(told.contains("endless, proven"), "{told}");
    assert_eq!(
        bench.read("proof.json"),
        std::fs::read(proofs().join("4D-7-dots.json")).expect("the proof of this repository")
    );
    bench.run(&["check", "proof.json"]).succeeds();
    let none = bench.run(&["prove", "endless", "6T", "-o", "none.json"]).ends_negative().out;
    assert!(none.contains("inconclusive"), "{none}");
    assert_eq!(bench.files(), ["dots.txt", "proof.json"]);
}
