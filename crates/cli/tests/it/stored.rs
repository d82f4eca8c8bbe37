//! The games kept in this repository: found by this program, legal, finished.

use std::path::Path;

use serde_json::Value;

use crate::common::Bench;

#[test]
fn every_stored_game_is_legal_finished_and_says_how_it_was_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut games = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder of games") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
        let (game, score) = name.split_once('-').expect("named like 5D-82");
        let row = Bench::new().run(&["verify", "--json", path.to_str().expect("UTF-8")]);
        let row = &row.succeeds().json()[0];
        assert_eq!(row["game"], game, "{name}");
        assert_eq!(row["moves"].to_string(), score, "{name}");
        assert_eq!(row["left"], 0, "{name}");
        let text = std::fs::read_to_string(&path).expect("a file");
        let record: Value = serde_json::from_str(&text).expect("JSON");
        let provenance = &record["provenance"];
        assert!(
            provenance["program"].as_str().is_some_and(|p| p.starts_with("morpion ")),
            "{name}"
        );
        for field in ["method", "seed", "threads", "playouts"] {
            assert!(!provenance[field].is_null(), "{name}: {field}");
        }
        games += 1;
    }
    assert!(games > 0);
}

#[test]
fn every_stored_proof_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs");
    let told =
        Bench::new().run(&["verify", "--verbose", folder.to_str().expect("UTF-8")]).succeeds().out;
    for claim in ["4D = 35", "4T = 62", "5D <= 105", "5D <= 121", "5T <= 502", "3D: endless"] {
        assert!(told.contains(&format!(": {claim}, proven")), "{claim}: {told}");
    }
}

#[test]
fn the_stored_model_plays_as_its_curve_says() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let model = models.join("5D.net");
    assert!(std::fs::metadata(&model).expect("it comes along").len() < 5_000_000);
    let model = model.to_str().expect("UTF-8");
    let play = ["learn", "play", "--model", model, "--games", "100", "--seed", "1", "--json"];
    let contest = Bench::new().run(&play).succeeds().json();
    let mean = contest["trained"]["mean"].as_f64().expect("a number");
    let curve = std::fs::read_to_string(models.join("5D-curve.csv")).expect("it comes along");
    let last: Vec<&str> = curve.lines().last().expect("iterations").split(',').collect();
    let learnt: f64 = last[2].parse().expect("the mean");
    assert!((mean - learnt).abs() < 2.0, "{mean} and {learnt}");
    let best = models.join(format!("5D-{}.json", last[5]));
    let row = Bench::new().run(&["verify", "--json", best.to_str().expect("UTF-8")]).succeeds();
    assert_eq!(row.json()[0]["moves"].to_string(), last[5]);
    assert!(std::fs::read_to_string(best).expect("a file").contains("\"learned\""));
}

#[test]
fn the_game_on_the_front_page_is_found_again() {
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/5D-82.json");
    let bench = Bench::new();
    bench
        .run(&[
            "search",
            "5D",
            "--seed",
            "6",
            "--threads",
            "1",
            "--target",
            "82",
            "--out",
            "82.json",
        ])
        .succeeds();
    assert_eq!(bench.read("82.json"), std::fs::read(stored).expect("a file"));
}
