//! Search, verify, order, convert and show, through the real binary.

use serde_json::{Value, json};

use crate::common::Bench;

#[test]
fn a_found_game_is_verified_and_saved() {
    let bench = Bench::new();
    let args = ["search", "5D", "--playouts", "500", "--seed", "7", "--threads", "2", "--json"];
    let more = ["--method", "temper", "-p", "replicas=5", "--out", "best.json"];
    let ran = bench.run(&[args.as_slice(), &more].concat()).succeeds();
    let found = ran.json();
    assert_eq!(found["game"], "5D");
    assert_eq!(found["seed"], 7);
    assert_eq!(found["threads"], 2);
    assert_eq!(found["playouts"], 500);
    assert_eq!(found["verified"], true);
    assert_eq!(found["method"], "temper");
    assert_eq!(found["parameters"]["replicas"], 5.0);
    assert_eq!(found["out"], "best.json");
    let saved: Value = serde_json::from_slice(&bench.read("best.json")).expect("JSON");
    assert_eq!(saved["terminal"], true);
    assert_eq!(saved["provenance"]["playouts"], 500);
    let rows = bench.run(&["verify", "best.json", "--json"]).succeeds().json();
    assert_eq!(rows[0]["verdict"], "legal");
    assert_eq!(rows[0]["moves"], found["score"]);
    assert_eq!(rows[0]["left"], 0);
}

#[test]
fn the_same_seed_writes_the_same_bytes() {
    let bench = Bench::new();
    for threads in ["1", "3"] {
        let saved = ["one.json", "other.json"].map(|out| {
            let args = ["search", "4T", "--playouts", "200", "--seed", "3", "--threads", threads];
            bench.run(&[&args[..], &["--out", out]].concat()).succeeds();
            bench.read(out)
        });
        assert_eq!(saved[0], saved[1]);
    }
}

#[test]
fn every_format_leads_back_to_the_same_game() {
    let bench = Bench::new();
    bench.find("5T", "game.json");
    let moves = |file: &str| -> Value {
        let args = ["convert", "--game", "5T", file, "-", "--to", "json"];
        bench.run(&args).succeeds().json()["moves"].clone()
    };
    let original = moves("game.json");
    assert!(original.as_array().is_some_and(|moves| moves.len() > 30));
    for ending in ["psol", "msr", "svg", "png"] {
        let file = format!("game.{ending}");
        bench.run(&["convert", "game.json", &file]).succeeds();
        assert_eq!(moves(&file), original, "{ending}");
        bench.run(&["verify", "--game", "5T", &file]).succeeds();
    }
    bench.run(&["convert", "game.json", "game.txt"]).succeeds();
    let lines = original.as_array().map(Vec::len);
    let row = bench.run(&["verify", "--json", "game.txt"]).succeeds().json();
    assert_eq!(row[0]["moves"].as_u64().map(|moves| moves as usize), lines);
    for ending in ["gif", "tex"] {
        bench.run(&["convert", "game.json", &format!("game.{ending}")]).succeeds();
    }
    assert!(bench.read("game.gif").starts_with(b"GIF89a"));
    assert!(String::from_utf8_lossy(&bench.read("game.tex")).contains("tikzpicture"));
}

#[test]
fn a_custom_start_survives_every_format_that_can_say_it() {
    let bench = Bench::new();
    bench.write("dots.txt", "0,0\n1,0\n2,0\n3,0\n0,1\n1,2\n0,3\n5,3\n6,2\n");
    let custom = ["--rules", "4D", "--start", "dots.txt"];
    let args = ["search", "--playouts", "50", "--seed", "1", "--out", "game.json", "--json"];
    let found = bench.run(&[&args[..], &custom[..]].concat()).succeeds().json();
    assert_eq!(found["start"], "9 dots");
    let same = ["search", "4D", "--start", "dots.txt", "--playouts", "50", "--seed", "1", "--json"];
    let same = bench.run(&same).succeeds().json();
    assert_eq!(same["start"], "9 dots");
    assert_eq!(same["native"]["start"].as_array().map(Vec::len), Some(9));
    for ending in ["svg", "png", "txt"] {
        let file = format!("game.{ending}");
        bench.run(&["convert", "game.json", &file]).succeeds();
        let row = bench.run(&["verify", "--json", &file]).succeeds().json();
        assert_eq!(row[0]["start"], "9 dots", "{ending}");
        assert_eq!(row[0]["moves"], found["score"], "{ending}");
    }
    for ending in ["psol", "msr"] {
        let refused = bench.run(&["convert", "game.json", &format!("no.{ending}")]).fails();
        assert!(refused.err.contains("holds only"), "{}", refused.err);
    }
    assert!(!bench.files().iter().any(|name| name.starts_with("no.")));
}

#[test]
fn pentasol_cannot_say_4t() {
    let bench = Bench::new();
    bench.find("4T", "game.json");
    let refused = bench.run(&["convert", "game.json", "game.psol"]).fails();
    assert!(refused.err.contains("5T and 5D"), "{}", refused.err);
    assert_eq!(bench.files(), ["game.json"]);
}

#[test]
fn an_illegal_game_is_named_and_not_converted() {
    let bench = Bench::new();
    bench.find("5T", "game.json");
    let mut game: Value = serde_json::from_slice(&bench.read("game.json")).expect("JSON");
    game["moves"][5]["new"] = json!([99, 99]);
    game["moves"][5]["line"] = json!([[99, 97], "S"]);
    bench.write("bad.json", game.to_string());
    let rows = bench.run(&["verify", "--json", "bad.json", "game.json"]).ends_negative().json();
    assert_eq!(rows[0]["verdict"], "refused");
    assert_eq!(rows[0]["move"], 6);
    assert_eq!(rows[0]["fault"], "missing-dot");
    assert_eq!(rows[1]["verdict"], "legal");
    let refused = bench.run(&["convert", "bad.json", "bad.svg"]).ends_negative();
    assert!(refused.err.contains("--unchecked"), "{}", refused.err);
    assert_eq!(bench.files(), ["bad.json", "game.json"]);
    bench.run(&["convert", "--unchecked", "bad.json", "bad.svg"]).succeeds();
    bench.run(&["verify", "bad.svg"]).ends_negative();
    bench.run(&["show", "bad.json"]).ends_negative();
}

#[test]
fn a_grid_typed_in_from_paper_is_ordered() {
    let bench = Bench::new();
    bench.write(
        "grid.txt",
        "# from paper\n5T\n4,0 8,0  # needs 7,0 and 8,0\n3,0 7,0\n(3,0) - (3,4)\n",
    );
    // The first line lacks two dots, and shares a segment with the second.
    bench.run(&["order", "grid.txt"]).ends_negative();
    bench.write("grid.txt", "5T\n7,0 11,0\n(3,-1)-(3,3)\n3,0 7,0\n");
    let stuck = bench.run(&["order", "grid.txt", "--json"]).ends_negative().json();
    assert_eq!(stuck["verdict"], "stuck");
    assert_eq!(stuck["playable"], 2);
    let missing = [[8, 0], [9, 0], [10, 0], [11, 0]];
    assert_eq!(stuck["stuck"], json!([{"line": 1, "missing": missing, "waits": false}]));
    let told = bench.run(&["order", "grid.txt"]).ends_negative().out;
    assert!(told.contains("line 1, 7,0 11,0: (8,0) (9,0) (10,0) (11,0) are missing"), "{told}");
    bench.write("grid.txt", "5T\n3,-1 3,3\n3,0 7,0\n");
    let ordered =
        bench.run(&["order", "grid.txt", "--json", "--out", "game.json"]).succeeds().json();
    assert_eq!(ordered["verdict"], "ordered");
    assert_eq!(ordered["lines"], 2);
    bench.run(&["verify", "game.json"]).succeeds();
    bench.run(&["convert", "grid.txt", "grid.gif"]).succeeds();
}

/// The text of a game as it is typed in from paper, its lines changed.
fn typed(found: &Value, change: impl Fn(usize, [i64; 2]) -> [i64; 2]) -> String {
    let rules = found["rules"].as_str().expect("rules");
    let length = i64::from(rules.as_bytes()[0] - b'0');
    let mut text = format!("{rules}\n");
    for (number, mv) in found["moves"].as_array().expect("moves").iter().enumerate() {
        let number_of = |value: &Value| value.as_i64().expect("a number");
        let (x, y) = (number_of(&mv["line"][0][0]), number_of(&mv["line"][0][1]));
        let (dx, dy) = match mv["line"][1].as_str().expect("a direction") {
            "E" => (1, 0),
            "S" => (0, 1),
            "SE" => (1, 1),
            _ => (1, -1),
        };
        let [a, b] = change(number, [x, y]);
        let [c, d] = change(number, [x + dx * (length - 1), y + dy * (length - 1)]);
        text += &format!("{a},{b} {c},{d}\n");
    }
    text
}

#[test]
fn a_grid_counted_from_1_turned_or_with_y_upward_is_ordered() {
    let bench = Bench::new();
    let search = ["search", "5T", "--playouts", "200", "--method", "random", "--threads", "1"];
    for seed in ["1", "2", "3", "4"] {
        bench.run(&[&search[..], &["--seed", seed, "-o", seed]].concat()).succeeds();
        let found: Value = serde_json::from_slice(&bench.read(seed)).expect("JSON");
        for (way, change) in [
            ("shifted", (|[x, y]| [x + 1, y + 1]) as fn([i64; 2]) -> [i64; 2]),
            ("turned", |[x, y]| [12 - y, x]),
            ("mirrored", |[x, y]| [4 - x, y]),
            ("upward", |[x, y]| [x, 10 - y]),
        ] {
            bench.write("grid.txt", typed(&found, |_, point| change(point)));
            let told = bench.run(&["order", "grid.txt", "-o", "game.json"]).succeeds();
            assert!(told.out.contains("ordered"), "{way} {seed}: {}", told.err);
            let game = bench.run(&["verify", "game.json", "grid.txt", "--json"]).out;
            assert!(game.contains("\"legal\""), "{way} {seed}: {game}");
        }
    }
}

#[test]
fn the_mistyped_line_comes_before_those_that_wait_for_it() {
    let bench = Bench::new();
    let search = ["search", "5D", "--playouts", "3000", "--seed", "4", "--threads", "1"];
    bench.run(&[&search[..], &["-o", "g.json"]].concat()).succeeds();
    let found: Value = serde_json::from_slice(&bench.read("g.json")).expect("JSON");
    let slip = |number, [x, y]: [i64; 2]| if number == 20 { [x + 9, y] } else { [x, y] };
    for shift in [0, 1] {
        let shifted = |number, point| slip(number, point).map(|at| at + shift);
        bench.write("grid.txt", typed(&found, shifted));
        let told = bench.run(&["order", "grid.txt"]).ends_negative();
        let mut rows = told.out.lines().filter(|row| row.contains(": line "));
        assert!(rows.next().is_some_and(|row| row.starts_with("stuck: line 21, ")), "{}", told.out);
        let later: Vec<&str> = rows.collect();
        assert!(later.iter().any(|row| row.starts_with("waits: line ")), "{}", told.out);
        let is_moved = told.err.contains("moved by (-1,-1)");
        assert_eq!(is_moved, shift == 1, "{}", told.err);
    }
}

#[test]
fn a_shuffled_game_finds_an_order_again() {
    let bench = Bench::new();
    for game in ["5T", "5D", "4T", "4D", "6D"] {
        let file = format!("{game}.json");
        bench.find(game, &file);
        let mut found: Value = serde_json::from_slice(&bench.read(&file)).expect("JSON");
        let moves = found["moves"].as_array_mut().expect("moves");
        let lines: Vec<Value> = moves.iter().rev().map(|mv| mv["line"].clone()).collect();
        let drawing = json!({
            "format": "morpion-game/1", "rules": game, "start": "cross", "lines": lines,
        });
        bench.write("drawing.json", drawing.to_string());
        let args = ["order", "drawing.json", "--json", "--out", "ordered.json"];
        let ordered = bench.run(&args).succeeds().json();
        assert_eq!(ordered["playable"], lines.len());
        bench.run(&["verify", "ordered.json"]).succeeds();
    }
}

#[test]
fn show_draws_in_the_terminal() {
    let bench = Bench::new();
    bench.find("5D", "game.json");
    let shown = bench.run(&["show", "game.json"]).succeeds();
    assert!(shown.out.contains('─') && shown.out.contains('╲'), "{}", shown.out);
    let plain = bench.run(&["show", "--ascii", "game.json"]).succeeds();
    assert!(plain.out.is_ascii(), "{}", plain.out);
}

#[test]
fn a_target_is_reached_or_missed() {
    let bench = Bench::new();
    bench
        .run(&["search", "4D", "--playouts", "10", "--seed", "1", "--target", "99"])
        .ends_negative();
    bench.run(&["search", "6T", "--target", "12"]).succeeds();
    let few = ["search", "4D", "--playouts", "10", "--seed", "1", "--target"];
    let missed = bench.run(&[&few[..], &["35"]].concat()).ends_negative();
    assert!(missed.out.contains("the target of 35 moves is missed"), "{}", missed.out);
    assert!(missed.err.starts_with("the game will not be saved"), "{}", missed.err);
    let json = bench.run(&[&few[..], &["35", "--json"]].concat()).ends_negative().json();
    assert_eq!((&json["target"], &json["reached"]), (&json!(35), &json!(false)));
    let never = bench.run(&[&few[..], &["36"]].concat()).ends_negative();
    let reason = "--target 36: impossible, since 4D = 35, by proofs/4D-35.tree.gz";
    assert!(never.err.contains(reason), "{}", never.err);
}

#[test]
fn games_without_end_do_not_outlast_the_time_given() {
    let bench = Bench::new();
    for method in ["random", "auto", "rs1", "rs2", "sa", "nmcs", "nrpa", "temper"] {
        let args =
            ["search", "2T", "--for", "200ms", "--threads", "1", "--method", method, "--json"];
        let found = bench.run(&args).succeeds().json();
        assert!(
            found["wall_seconds"].as_f64().is_some_and(|wall| wall < 30.0),
            "{method}: {found}"
        );
    }
}
