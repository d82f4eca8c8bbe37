//! Searches that are killed, stopped and resumed, through the real binary.

use std::io::{Read as _, Write as _};
use std::time::Duration;

use serde_json::Value;

use crate::common::{Bench, Ran, Random, kill_after, start, terminate};
use crate::until::until;

/// The length of the game in a file, which must be legal.
fn length(bench: &Bench, file: &str) -> u64 {
    let rows = bench.run(&["verify", "--json", file]).succeeds().json();
    rows[0]["moves"].as_u64().expect("a number")
}

#[test]
#[cfg(unix)]
fn a_search_that_is_killed_again_and_again_ends_like_one_that_is_not() {
    for (game, method, playouts) in [("5D", "temper", "1500000"), ("6T", "nrpa", "6000")] {
        let bench = Bench::new();
        let search = ["search", game, "--method", method, "--playouts", playouts, "--seed", "4"];
        let search = [&search[..], &["--threads", "2", "--out"]].concat();
        bench.run(&[&search[..], &["whole.json"]].concat()).succeeds();
        let resumed = [&search[..], &["best.json", "--resume", "--save-every", "10ms"]].concat();
        let (mut best, mut random, mut killed) = (0, Random(12345), 0);
        // Longer and longer, so that it comes to its end on any machine.
        for round in 1_u32.. {
            let child = start(bench.command(&resumed));
            let time = Duration::from_millis(random.below(60 << round.min(10)) as u64);
            if let Some(ran) = kill_after(child, time) {
                let ran = ran.succeeds();
                assert!(ran.err.contains("resuming best.json.state"), "{}", ran.err);
                break;
            }
            killed += 1;
            if bench.path("best.json").exists() {
                let now = length(&bench, "best.json");
                assert!(now >= best, "{now} after {best}");
                best = now;
            }
        }
        assert!(killed > 0, "{killed}");
        assert_eq!(bench.read("best.json"), bench.read("whole.json"), "{game}");
        let known = ["best.json", "best.json.state", "whole.json", "whole.json.state"];
        let part = |name: &&String| name.starts_with('.') && name.ends_with(".part");
        let left: Vec<String> = bench.files().iter().filter(|name| !part(name)).cloned().collect();
        assert_eq!(left, known);
        // Once more: it is over already, and nothing changes.
        bench.run(&resumed).succeeds();
        assert_eq!(bench.read("best.json"), bench.read("whole.json"));
    }
}

#[test]
#[cfg(unix)]
fn a_search_that_was_asked_to_stop_goes_on() {
    let bench = Bench::new();
    let search = ["search", "5D", "--seed", "9", "--threads", "2", "--json", "--out"];
    let begun = [&search[..], &["best.json", "--for", "1h"]].concat();
    let child = start(bench.command(&begun));
    until(|| bench.path("best.json").exists());
    terminate(&child);
    let ran = Ran::of(child.wait_with_output().expect("it ends")).stops_interrupted();
    let first = ran.json();
    assert_eq!(first["resumed"], false);
    assert_eq!(first["state"], "best.json.state");
    let made = first["playouts"].as_u64().expect("a number");
    // With a budget in playouts the end is that of a search in one go. Each thread gets half of it,
    // which must be more than either has made, however unevenly they ran.
    let playouts = (2 * made + 20_000).to_string();
    let budget = ["--playouts", playouts.as_str()];
    let resumed = [&["search", "5D", "--json", "--resume", "--out", "best.json"], &budget[..]];
    let ran = bench.run(&resumed.concat()).succeeds();
    assert!(ran.err.contains("resuming best.json.state"), "{}", ran.err);
    let second = ran.json();
    assert_eq!(second["resumed"], true);
    assert_eq!(second["playouts"].to_string(), playouts);
    assert_eq!(second["seed"], 9);
    assert_eq!(second["threads"], 2);
    let seconds = |found: &Value| found["cpu_seconds"].as_f64().expect("a number");
    assert!(seconds(&second) > seconds(&first));
    bench.run(&[&search[..], &["whole.json"], &budget[..]].concat()).succeeds();
    assert_eq!(bench.read("best.json"), bench.read("whole.json"));
    // And on, by the clock.
    let args = ["search", "5D", "--json", "--resume", "--out", "best.json", "--for", "200ms"];
    let third = bench.run(&args).succeeds().json();
    assert!(third["playouts"].as_u64() > second["playouts"].as_u64());
    assert!(third["score"].as_u64() >= second["score"].as_u64());
}

/// A search of 100 proposals from the first 5 moves of a game, kept in `best.json`.
fn small() -> Bench {
    let bench = Bench::new();
    bench.find("5D", "game.json");
    let args = ["search", "5D", "--method", "temper", "-p", "replicas=3", "--playouts", "100"];
    let more = ["--seed", "7", "--threads", "1", "--from", "game.json", "--keep", "5"];
    bench.run(&[&args[..], &more, &["--out", "best.json"]].concat()).succeeds();
    bench
}

#[test]
fn what_contradicts_the_saved_search_is_refused_and_what_agrees_is_not() {
    let bench = small();
    let resume = ["search", "5D", "--out", "best.json", "--resume", "--playouts", "200"];
    let before = [bench.read("best.json"), bench.read("best.json.state")];
    for (flags, asked, kept) in [
        (&["--seed", "8"][..], "--seed 8", "has 7"),
        (&["--threads", "2"], "--threads 2", "has 1"),
        (&["--method", "sa"], "--method sa", "has temper"),
        (&["-p", "replicas=4"], "replicas=4", "replicas=3"),
        (&["-p", "near=0.25"], "near=0.25", "near=0"),
        (&["--from", "game.json", "--keep", "6"], "6 moves", "5 moves"),
        (&["--from", "game.json", "--keep", "0"], "0 moves", "5 moves"),
        (&["-p", "level=3"], "level", "replicas"),
    ] {
        let ran = bench.run(&[&resume[..], flags].concat()).fails();
        assert!(ran.err.contains(asked) && ran.err.contains(kept), "{}", ran.err);
    }
    bench.find("5T", "touching.json");
    std::fs::copy(bench.path("best.json.state"), bench.path("touching.json.state"))
        .expect("a copy");
    let other = ["search", "5T", "--out", "touching.json", "--resume", "--playouts", "200"];
    let ran = bench.run(&other).fails();
    assert!(ran.err.contains("5T") && ran.err.contains("5D"), "{}", ran.err);
    assert_eq!([bench.read("best.json"), bench.read("best.json.state")], before);
    let agrees = ["--seed", "7", "--threads", "1", "--method", "temper", "-p", "replicas=3"];
    let more = ["-p", "near=0", "--from", "game.json", "--keep", "5", "--target", "6"];
    let found = bench.run(&[&resume[..], &agrees, &more, &["--json"]].concat()).succeeds().json();
    assert_eq!(found["resumed"], true);
    assert_eq!(found["parameters"]["replicas"], 3.0);
}

#[test]
fn without_a_saved_search_a_new_one_begins_and_says_so() {
    let bench = Bench::new();
    let search = |out: &'static str, seed: &'static str| {
        ["search", "5D", "--playouts", "100", "--threads", "1", "--seed", seed, "--out", out]
    };
    let ran = bench.run(&[&search("best.json", "1")[..], &["--resume"]].concat()).succeeds();
    assert!(ran.err.contains("no best.json.state yet"), "{}", ran.err);
    bench.run(&search("same.json", "1")).succeeds();
    assert_eq!(bench.read("best.json"), bench.read("same.json"));
    // A new search without --resume does not throw an old one away.
    let old = bench.read("best.json.state");
    let ran = bench.run(&search("best.json", "2")).succeeds();
    assert!(ran.err.contains("best.json.state.old"), "{}", ran.err);
    assert_eq!(bench.read("best.json.state.old"), old);
    let second = bench.read("best.json.state");
    assert_ne!(second, old);
    let ran = bench.run(&search("best.json", "3")).succeeds();
    assert!(ran.err.contains("best.json.state.old.2"), "{}", ran.err);
    assert_eq!(bench.read("best.json.state.old"), old);
    assert_eq!(bench.read("best.json.state.old.2"), second);
    // The best game may be lost; the search has it too.
    std::fs::remove_file(bench.path("same.json")).expect("it is there");
    bench.run(&[&search("same.json", "1")[..], &["--resume"]].concat()).succeeds();
    length(&bench, "same.json");
}

/// As searches were saved before games were launched from elites.
#[test]
fn a_search_without_later_fields_resumes() {
    let bench = small();
    let mut text = String::new();
    let state = bench.read("best.json.state");
    flate2::read::GzDecoder::new(&state[..]).read_to_string(&mut text).expect("packed JSON");
    let mut state: Value = serde_json::from_str(&text).expect("JSON");
    for island in state["islands"].as_array_mut().expect("a list") {
        let temper = island["search"]["temper"].as_object_mut().expect("a search by temper");
        for field in ["elites", "waiting", "launches"] {
            assert!(temper.remove(field).is_some(), "{field}");
        }
    }
    let parameters = state["parameters"].as_object_mut().expect("parameters");
    for field in ["remake", "free", "price-hot", "price-cold", "launch", "launches"] {
        assert!(parameters.remove(field).is_some(), "{field}");
    }
    let mut pack = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    pack.write_all(state.to_string().as_bytes()).expect("in memory");
    bench.write("best.json.state", pack.finish().expect("in memory"));
    let args = ["search", "5D", "--out", "best.json", "--resume", "--playouts", "20000"];
    let ran = bench.run(&args).succeeds();
    assert!(ran.err.contains("resuming best.json.state"), "{}", ran.err);
}

#[test]
fn what_cannot_be_resumed_is_an_error_and_stays_as_it_is() {
    let bench = small();
    let mut text = String::new();
    let state = bench.read("best.json.state");
    flate2::read::GzDecoder::new(&state[..]).read_to_string(&mut text).expect("packed JSON");
    let packed = |text: &str| {
        let mut pack = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        pack.write_all(text.as_bytes()).expect("in memory");
        pack.finish().expect("in memory")
    };
    let program = concat!("morpion ", env!("CARGO_PKG_VERSION"));
    assert!(text.contains(program), "{text}");
    let cases = [
        (b"hello".to_vec(), "not a saved search"),
        (Vec::new(), "not a saved search"),
        (state[..state.len() / 2].to_vec(), "damaged"),
        (packed("{}"), "format"),
        (packed(&text.replace(program, "morpion 0.0.1")), "morpion 0.0.1"),
        (packed(&text.replace("morpion-search/1", "morpion-search/9")), "morpion-search/9"),
        (packed(&text.replace("\"replica\":", "\"replica\":9")), "out of range"),
        (packed(&text.replacen("\"SE\"", "\"NE\"", 1)), "best.json.state"),
    ];
    let game = bench.read("best.json");
    for (bytes, reason) in cases {
        bench.write("best.json.state", &bytes);
        let args = ["search", "5D", "--out", "best.json", "--resume", "--playouts", "200"];
        let ran = bench.run(&args).fails();
        assert!(ran.err.contains("best.json.state") && ran.err.contains(reason), "{}", ran.err);
        assert_eq!(bench.read("best.json.state"), bytes);
    }
    assert_eq!(bench.read("best.json"), game);
}

#[test]
#[cfg(target_os = "linux")]
fn where_no_state_can_be_kept_is_found_out_before_the_search() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("best.json.state")).expect("a folder");
    let args = ["search", "5D", "--playouts", "100", "--seed", "1", "--out", "best.json"];
    let ran = bench.run(&args).fails();
    assert!(ran.err.contains("choose another --out"), "{}", ran.err);
    // Beside a device there is nothing to keep.
    let found = bench.run(&["search", "5D", "--playouts", "9", "--out", "/dev/null", "--json"]);
    assert_eq!(found.succeeds().json()["state"], Value::Null);
}
