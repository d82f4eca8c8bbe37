//! What outlasts a page or a server: games that are being played, hunts, trainings.

use std::fs;

use serde_json::{Value, json};

use crate::common::client::Events;
use crate::common::{Lab, game};

/// The body of a game with the first of these moves.
fn body(count: usize) -> String {
    let file: Value =
        serde_json::from_str(include_str!("../../../../games/5D-82.json")).expect("JSON");
    game("5D", &json!(file["moves"].as_array().expect("moves")[..count])).to_string()
}

#[test]
fn a_game_is_saved_as_it_goes_on_and_lies_beside_the_archive() {
    let lab = Lab::new();
    for count in [1, 2, 7] {
        let saved = lab.client().ask("PUT", "/api/drafts/12345", body(count).as_bytes()).is(200);
        assert_eq!(saved.json(), json!({"id": 12345, "kept": true}));
    }
    lab.client().ask("PUT", "/api/drafts/6", body(3).as_bytes()).is(200);
    assert_eq!(lab.get("/api/archive").json()["games"], json!([]), "drafts are not of the archive");

    let lab = lab.again();
    let drafts = lab.get("/api/drafts").is(200).json();
    let scores: Vec<_> = drafts.as_array().expect("a list").iter().map(|d| &d["score"]).collect();
    assert_eq!(scores, [3, 7]);
    let record = lab.get("/api/drafts/12345").is(200).json();
    assert_eq!((&record["rules"], &record["start"]), (&json!("5D"), &json!("cross")));
    assert_eq!(record["moves"].as_array().map(Vec::len), Some(7));
    lab.client().ask("DELETE", "/api/drafts/12345", b"").is(200);
    lab.get("/api/drafts/12345").is(404);
    assert_eq!(lab.get("/api/drafts").json().as_array().map(Vec::len), Some(1));
}

#[test]
fn an_illegal_game_is_not_saved_and_changes_nothing() {
    let lab = Lab::new();
    lab.client().ask("PUT", "/api/drafts/5", body(4).as_bytes()).is(200);
    let mut twice: Value = serde_json::from_str(&body(4)).expect("JSON");
    let first = twice["moves"][0].clone();
    twice["moves"].as_array_mut().expect("moves").push(first);
    let refused = lab.client().ask("PUT", "/api/drafts/5", twice.to_string().as_bytes()).is(422);
    assert!(refused.text().contains("move 5"), "{}", refused.text());
    assert_eq!(lab.get("/api/drafts").json()[0]["score"], 4);
}

#[test]
fn a_hunt_goes_on_after_the_server_was_stopped() {
    let lab = Lab::new();
    let mut events = Events::new(lab.address);
    let wish = json!({"game": game("5D", &json!([])), "method": "random", "seed": 7});
    let id = lab.post("/api/hunts", wish.to_string()).is(201).json()["id"].clone();
    events.until(|name, hunt| name == "hunt" && hunt["best"].as_u64() > Some(40));

    let lab = lab.again();
    let stopped = lab.get(&format!("/api/hunts/{id}")).is(200).json();
    assert_eq!((&stopped["status"], &stopped["lasts"]), (&json!("stopped"), &json!(true)));
    let (best, played) = (stopped["best"].as_u64(), stopped["playouts"].as_u64());
    assert!(best > Some(40) && played > Some(0), "{stopped}");
    let kept = lab.get("/api/archive").is(200).json();
    assert_eq!(
        (&kept["games"][0]["score"], &kept["games"][0]["finds"]),
        (&stopped["best"], &json!(1))
    );

    let mut events = Events::new(lab.address);
    lab.post(&format!("/api/hunts/{id}/resume?seconds=0.3"), "").is(200);
    let done = events.until(|_, hunt| hunt["status"] == "done");
    assert!(done["playouts"].as_u64() > played && done["best"].as_u64() >= best, "{done}");

    // The next one has another number, and what is forgotten stays so.
    let next = lab.post("/api/hunts", wish.to_string()).is(201).json()["id"].clone();
    assert!(next.as_u64() > id.as_u64());
    lab.client().ask("DELETE", &format!("/api/hunts/{id}"), b"").is(200);
    let lab = lab.again();
    let hunts = lab.get("/api/hunts").is(200).json();
    let ids: Vec<_> = hunts.as_array().expect("a list").iter().map(|hunt| &hunt["id"]).collect();
    assert_eq!(ids, [&next]);
}

#[test]
fn a_hunt_that_is_done_looks_the_same_after_a_restart() {
    let lab = Lab::new();
    let mut events = Events::new(lab.address);
    let mut before = Value::Null;
    // However busy the machine is: as long as it takes to find a second game.
    for doubled in 0..8 {
        let seconds = 0.5 * f64::from(1 << doubled);
        let wish = json!({"game": game("5D", &json!([])), "method": "random", "seconds": seconds});
        let id = lab.post("/api/hunts", wish.to_string()).is(201).json()["id"].clone();
        events.until(|_, hunt| hunt["id"] == id && hunt["status"] == "done");
        before = lab.get(&format!("/api/hunts/{id}")).is(200).json();
        if before["history"].as_array().map(Vec::len) > Some(1) {
            break;
        }
    }
    let id = &before["id"];

    let lab = lab.again();
    let after = lab.get(&format!("/api/hunts/{id}")).is(200).json();
    for field in ["status", "time", "best"] {
        assert_eq!(after[field], before[field], "{field}");
    }
    let course = |hunt: &Value| hunt["history"].as_array().map(Vec::len);
    assert_eq!(course(&after), course(&before));
    // Without its course, or with a damaged one, it can be resumed all the same.
    fs::write(lab.folder.path().join(format!("archive/hunts/{id}course.state")), "[").expect("ok");
    let lab = lab.again();
    let plain = lab.get(&format!("/api/hunts/{id}")).is(200).json();
    assert_eq!((&plain["status"], &plain["best"]), (&json!("stopped"), &before["best"]));
}

#[test]
fn a_saved_hunt_that_is_damaged_is_told_of_and_harms_nobody() {
    let lab = Lab::new();
    let hunts = lab.folder.path().join("archive/hunts");
    fs::write(hunts.join("3.state"), b"\x1f\x8b\x08rubbish").expect("written");
    fs::write(hunts.join("notes.state"), b"").expect("written");
    let lab = lab.again();
    assert_eq!(lab.get("/api/hunts").is(200).json(), json!([]));
    assert!(lab.lines().iter().any(|line| line.starts_with("hunt 3 of ")), "{:?}", lab.lines());
    let wish = json!({"game": game("5D", &json!([])), "method": "random", "playouts": 10});
    assert_eq!(lab.post("/api/hunts", wish.to_string()).is(201).json()["id"], 4);
}

#[test]
fn trainings_are_shown_as_they_go_on() {
    let lab = Lab::new();
    assert_eq!(lab.get("/api/training-runs").is(200).json(), json!([]));
    let folder = lab.folder.path().join("trainings/first");
    fs::create_dir_all(&folder).expect("a folder");
    let mut curve = vec![learn_entry(40.0)];
    let write = |curve: &[learn::CurvePoint]| {
        fs::write(folder.join("curve.csv"), learn::curve_csv(curve)).expect("written");
    };
    write(&curve);
    fs::write(folder.join("best.json"), body(30)).expect("written");
    let trainings = lab.get("/api/training-runs").is(200).json();
    assert_eq!(
        (&trainings[0]["name"], &trainings[0]["best"]["score"]),
        (&json!("first"), &json!(30))
    );
    assert_eq!(trainings[0]["curve"]["mean"], json!([40.0]));
    curve.push(learn_entry(43.5));
    write(&curve);
    let trainings = lab.get("/api/training-runs").is(200).json();
    assert_eq!(trainings[0]["curve"]["mean"], json!([40.0, 43.5]));
    assert_eq!(trainings[0]["curve"]["iteration"], json!([1.0, 2.0]));
}

fn learn_entry(mean: f64) -> learn::CurvePoint {
    learn::CurvePoint { games: 256, mean, ..learn::CurvePoint::default() }
}

#[test]
fn a_training_run_is_started_stopped_and_resumed_by_another_server() {
    let lab = Lab::new();
    lab.post("/api/training-runs", r#"{"game": "7"}"#).is(400);
    lab.post("/api/training-runs", r#"{"game": "5D", "folder": "/tmp"}"#).is(400);
    let name = lab.post("/api/training-runs", r#"{"game": "5D"}"#).is(201).json()["name"].clone();
    assert_eq!(name, "5D-1");
    let listed = |lab: &Lab| lab.get("/api/training-runs").is(200).json()[0].clone();
    assert_eq!((&listed(&lab)["name"], &listed(&lab)["running"]), (&name, &json!(true)));
    let busy = lab.post("/api/training-runs", r#"{"game": "5T"}"#).is(409).json();
    assert_eq!(busy["code"], "training-is");
    lab.post("/api/training-runs/5T-9/stop", "").is(409);
    lab.post("/api/training-runs/5D-1/stop", "").is(200);
    assert_eq!(listed(&lab)["running"], false);

    let lab = lab.again();
    for unknown in ["5D-2", "..", "%2e%2e%2farchive"] {
        lab.post(&format!("/api/training-runs/{unknown}/resume"), "").is(404);
    }
    lab.post("/api/training-runs/5D-1/resume", "").is(200);
    assert_eq!(listed(&lab)["running"], true);
    lab.post("/api/training-runs/5D-1/resume", "").is(409);
    let lab = lab.again();
    assert_eq!(listed(&lab)["running"], false, "a server that ends stops its training");
}
