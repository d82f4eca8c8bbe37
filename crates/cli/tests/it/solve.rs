//! `prove tree`, `boxes`, `enumeration` and `endgame`, with their former spellings, through the
//! real binary.

use std::io::Read as _;
use std::path::Path;

use crate::common::{Bench, solver};

fn games(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    folder.join(name).to_str().expect("a name").to_owned()
}

#[test]
fn the_longest_games_of_6d_by_proof() {
    let bench = Bench::new();
    let solver = &solver();
    let game = bench.path("6D.json");
    let game = game.to_str().expect("a name");
    bench.run(&["search", "6D", "--playouts", "2", "--out", game]).succeeds();
    let args = ["solve", "6D", "--by", "proof", "--from", game, "--solver", solver, "--out", "d"];
    let ran = bench.run(&args).succeeds();
    assert!(ran.out.starts_with("6D = 12, proven"), "{}", ran.out);
    let checked = bench.run(&["check", "d"]).succeeds();
    assert!(checked.out.contains("6D = 12"), "{}", checked.out);
}

#[test]
fn the_boxes_that_a_long_game_reaches() {
    let bench = Bench::new();
    let solver = &solver();
    let solve = |target: &str, steps: &str, out: &str| {
        let by = ["solve", "6D", "--by", "boxes", "--target", target, "--steps", steps];
        bench.run(&[&by[..], &["--solver", solver, "--out", out]].concat())
    };
    // No game of 6D reaches two steps beyond the cross.
    let all = solve("12", "6", "all").succeeds();
    assert!(all.out.starts_with("6D: no game has more than 12 moves, proven\n"), "{}", all.out);
    let few = solve("12", "1", "few").succeeds();
    let claim = "6D: every game of more than 12 moves comes, turned or mirrored, to one of 5 \
        boxes, conditional\n";
    assert!(few.out.starts_with(claim), "{}", few.out);
    assert!(few.out.contains("  left: 5 boxes (`morpion verify --verbose "), "{}", few.out);
    let left = "  left: 0,0,0,2 0,0,1,1 0,0,1,2 0,1,0,1 0,1,1,1\n";
    let checked = bench.run(&["verify", "--verbose", "all", "few"]).succeeds();
    assert!(checked.out.contains("all/6D-12.boxes.gz: 6D: no game has more than 12 moves, proven"));
    assert!(checked.out.ends_with(left), "{}", checked.out);
    let row = &bench.run(&["check", "--json", "few"]).succeeds().json()[0];
    assert_eq!(row["verdict"], "conditional", "{row}");
    assert_eq!(row["boxes_left"].as_array().map(Vec::len), Some(5), "{row}");
    // What leaves more does not take the place of what leaves less.
    let kept = solve("12", "1", "all").succeeds();
    assert!(kept.err.contains("is unchanged"), "{}", kept.err);
    let whole = bench.run(&["check", "all"]).succeeds();
    assert!(whole.out.contains("6D: no game has more than 12 moves"), "{}", whole.out);
    // There are games of 12 moves.
    let refuted = solve("11", "6", "none").fails();
    assert!(refuted.err.contains("there is a game of 12 moves"), "{}", refuted.err);
    let unsaid = bench.run(&["solve", "6D", "--by", "boxes", "--solver", solver, "--out", "none"]);
    assert!(unsaid.fails().err.contains("--target"));
    let idle = bench.run(&["solve", "6D", "--by", "proof", "--target", "12", "--out", "idle"]);
    assert!(idle.fails().err.contains("--target goes with --by boxes"));
    assert!(!bench.path("idle").exists());
    // The archive has a place for both, and takes only the first as a bound for the game.
    bench.run(&["store", "import", "few", "--archive", "a"]).succeeds();
    let none = bench.run(&["store", "best", "--archive", "a", "--json"]).succeeds();
    assert!(
        !none.out.contains("\"bound\": 12") && !none.out.contains("\"bound\":12"),
        "{}",
        none.out
    );
}

#[test]
fn counting_positions_resumes_after_a_kill() {
    let bench = Bench::new();
    let args = ["prove", "enumeration", "6D", "-o", "d"];
    let whole = bench.run(&args).succeeds();
    assert!(whole.out.contains("\n12 4096 "), "{}", whole.out);
    assert!(whole.out.ends_with("6D: the longest games have 12 moves; 531441 positions\n"));
    let journal = bench.read("d/6D.parts");
    // What a kill in the middle of a line leaves.
    bench.write("d/6D.parts", &journal[..journal.len() / 2]);
    let again = bench.run(&args).succeeds();
    assert_eq!(again.out, whole.out);
    bench.write("d/6D.parts", "morpion-parts/1 positions 5D in 3 parts\n");
    let refused = bench.run(&args).fails();
    assert!(refused.err.contains("is of other work"), "{}", refused.err);
    bench.write("d/6D.parts", [&journal[..journal.len() / 2], b"\n999999 1\n"].concat());
    bench.run(&args).fails();
}

#[test]
fn the_stored_counts_of_4d_add_up_and_are_found_again() {
    let bench = Bench::new();
    let stored = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/experiments/4D-positions/4D.parts.gz");
    let mut text = String::new();
    let stored = std::fs::File::open(stored).expect("it comes with the program");
    flate2::read::GzDecoder::new(stored).read_to_string(&mut text).expect("a text");
    // Some parts here and there are counted again.
    let gap = 997;
    let kept = text.lines().enumerate().filter(|(number, _)| number % gap != gap - 1);
    let kept: String = kept.map(|(_, line)| format!("{line}\n")).collect();
    assert!(kept.len() < text.len());
    std::fs::create_dir(bench.path("d")).expect("a folder");
    bench.write("d/4D.parts", &kept);
    let ran = bench.run(&["solve", "4D", "--by", "enumeration", "--out", "d"]).succeeds();
    assert!(ran.out.contains("\n7 15935336 1991917\n"), "{}", ran.out);
    assert!(ran.out.contains("\n35 32 4\n"), "{}", ran.out);
    let last = "4D: the longest games have 35 moves; 379433660459 positions\n";
    assert!(ran.out.ends_with(last), "{}", ran.out);
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let again = String::from_utf8(bench.read("d/4D.parts")).expect("a text");
    assert_eq!(sorted(&again), sorted(&text));
}

#[test]
fn games_that_may_never_end_are_not_started() {
    let bench = Bench::new();
    for by in ["enumeration", "proof"] {
        let refused = bench.run(&["solve", "3D", "--by", by, "--out", "d"]).fails();
        assert!(refused.err.contains("3D: endless, proven by "), "{}", refused.err);
    }
    assert!(bench.files().is_empty());
}

#[test]
fn the_rest_of_the_82_cannot_be_longer() {
    let bench = Bench::new();
    let said = "5D: 82 moves, and no longer game begins with these 60 moves\n";
    // The second time from the journal.
    for _ in 0..2 {
        let ran = bench.run(&["tail", &games("5D-82.json"), "--keep", "60", "--journal", "j"]);
        assert_eq!(ran.succeeds().out, said);
    }
    bench.run(&["endgame", &games("5D-82.json"), "--keep", "83"]).fails();
}

#[test]
fn the_rest_of_a_game_that_stopped_early_is_found() {
    let bench = Bench::new();
    let text = std::fs::read_to_string(games("5D-82.json")).expect("a game");
    let mut game: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let moves = game["moves"].as_array_mut().expect("moves");
    moves.truncate(62);
    let short = serde_json::json!({
        "format": "morpion-game/1", "rules": "5D", "start": "cross", "moves": moves
    });
    let file = bench.write("short.json", short.to_string());
    let file = file.to_str().expect("a name");
    let ran = bench.run(&["tail", file, "--keep", "62", "--out", "longer.json", "--json"]);
    let said = ran.succeeds().json();
    assert_eq!((&said["moves"], &said["longest"]), (&62.into(), &82.into()));
    let verified = bench.run(&["verify", "longer.json"]).succeeds();
    assert!(verified.out.contains("82 moves"), "{}", verified.out);
}
