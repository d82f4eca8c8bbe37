//! `morpion reduce`, through the real binary.

use serde_json::{Value, json};

use crate::common::Bench;

const XOR: &str = "c exactly one of two\np cnf 2 2\n1 2 0\n-1 -2 0\n";

/// A bench with the pattern of a formula in the folder `d`, and what was said about it.
fn reduced(formula: &str) -> (Bench, Value) {
    let bench = Bench::new();
    bench.write("f.cnf", formula);
    let said = bench.run(&["reduce", "f.cnf", "--out", "d", "--json"]).succeeds().json();
    (bench, said)
}

fn files_in(bench: &Bench, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(bench.path(folder)).expect("the folder");
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<String> =
        entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_formula_becomes_dots_and_a_model_a_game_and_a_game_a_model() {
    let (bench, said) = reduced(XOR);
    assert_eq!((&said["variables"], &said["clauses"]), (&json!(2), &json!(2)));
    assert_eq!(said["certified"], true);
    let (threshold, dots) = (said["threshold"].as_u64(), said["dots"].as_u64());
    assert!(said["statement"].as_str().is_some_and(|s| s.contains("touching or disjoint, iff")));
    assert_eq!(files_in(&bench, "d"), ["pattern.svg", "reduction.json", "start.json"]);
    let start: Value = serde_json::from_slice(&bench.read("d/start.json")).expect("JSON");
    assert_eq!(start["start"].as_array().map(|dots| dots.len() as u64), dots);

    bench.write("m", "s SATISFIABLE\nv 1 -2 0\n");
    let game = bench.run(&["reduce", "--model", "m", "d", "--json"]).succeeds().json();
    assert_eq!(game["reaches"], true);
    assert!(game["moves"].as_u64() >= threshold);
    let file = game["out"].as_str().expect("a file");
    let row = bench.run(&["verify", file, "--json"]).succeeds().json();
    assert_eq!((&row[0]["game"], &row[0]["moves"]), (&json!("5D"), &game["moves"]));

    let model = bench.run(&["reduce", "--play", file, "d", "--json"]).succeeds().json();
    assert_eq!(model["model"], json!([1, -2]));
    assert_eq!((&model["reaches"], &model["satisfied"]), (&json!(true), &json!(true)));
    let words = bench.run(&["reduce", "--play", file, "d"]).succeeds().out;
    assert!(words.ends_with("v 1 -2\nv 0\n"), "{words}");
}

#[test]
fn the_same_game_counts_in_the_touching_game_and_as_a_drawing() {
    let (bench, _) = reduced(XOR);
    bench.write("m", "v -1 2 0\n");
    bench.run(&["reduce", "--model", "m", "d", "--out", "g.json"]).succeeds();
    let text = String::from_utf8(bench.read("g.json")).expect("text");
    bench.write("t.json", text.replace("\"5D\"", "\"5T\""));
    let read = bench.run(&["reduce", "--play", "t.json", "d", "--json"]).succeeds().json();
    assert_eq!(read["model"], json!([-1, 2]));
    bench.run(&["convert", "g.json", "g.txt"]).succeeds();
    let read = bench.run(&["reduce", "--play", "g.txt", "d", "--json"]).succeeds().json();
    assert_eq!(read["model"], json!([-1, 2]));
}

#[test]
fn a_model_that_does_not_satisfy_stops_short_and_says_where() {
    let (bench, said) = reduced(XOR);
    bench.write("m", "v 1 2 0\n");
    let game = bench.run(&["reduce", "--model", "m", "d", "--json"]).ends_negative().json();
    assert_eq!(game["reaches"], false);
    assert_eq!(game["unsatisfied"], json!([2]));
    assert!(game["moves"].as_u64() < said["threshold"].as_u64());
    let words = bench.run(&["reduce", "--play", "d/game.json", "d"]).ends_negative().out;
    assert!(words.contains("do not satisfy clause 2"), "{words}");
    assert!(words.contains("no dot reaches its checker from clause 2"), "{words}");
    assert!(words.contains("untriggered: the checker of clause 2"), "{words}");
}

#[test]
fn a_failure_never_overwrites_a_game() {
    let (bench, _) = reduced(XOR);
    bench.write("good", "v 1 -2 0\n");
    bench.run(&["reduce", "--model", "good", "d"]).succeeds();
    let game = bench.read("d/game.json");
    bench.write("wrong", "v 1 2 0\n");
    let words = bench.run(&["reduce", "--model", "wrong", "d"]).ends_negative().out;
    assert!(words.contains("is unchanged"), "{words}");
    assert_eq!(bench.read("d/game.json"), game);
    bench.run(&["reduce", "--play", "d/game.json", "d"]).succeeds();
    for model in ["v 1 0\n", "v 1 -1 0\n", "v 1 9 0\n", "s UNSATISFIABLE\n", "", "\u{0}"] {
        bench.write("bad", model);
        bench.run(&["reduce", "--model", "bad", "d"]).fails();
        assert_eq!(bench.read("d/game.json"), game, "{model}");
    }
    let text = String::from_utf8(bench.read("d/reduction.json")).expect("text");
    bench.write("d/reduction.json", text.replace("\"gap\": 1.0", "\"gap\": 2.0"));
    bench.run(&["reduce", "--model", "good", "d"]).fails();
    bench.run(&["reduce", "--play", "d/game.json", "d"]).fails();
    assert_eq!(bench.read("d/game.json"), game);
    bench.write("d/reduction.json", text);
    bench.run(&["reduce", "--model", "d/game.json", "d"]).fails();
    bench.write("m.json", "v 1 -2 0\n");
    let err = bench.run(&["reduce", "--model", "m.json", "d", "--out", "m.json"]).fails().err;
    assert!(err.contains("m.json is the model; name another file"), "{err}");
    assert_eq!(bench.read("m.json"), b"v 1 -2 0\n");
}

#[test]
fn a_game_that_is_too_short_says_what_is_missing() {
    let (bench, said) = reduced(XOR);
    bench.write("m", "v 1 -2 0\n");
    bench.run(&["reduce", "--model", "m", "d"]).succeeds();
    let mut game: Value = serde_json::from_slice(&bench.read("d/game.json")).expect("JSON");
    let enough = said["threshold"].as_u64().expect("a number") as usize;
    game["moves"].as_array_mut().expect("moves").truncate(enough - 2);
    bench.write("short.json", game.to_string());
    let words = bench.run(&["reduce", "--play", "short.json", "d"]).ends_negative().out;
    assert!(words.contains("satisfy every clause, but 2 moves are missing"), "{words}");
    assert!(words.contains("\ntreasure stops before "), "{words}");
    assert!(words.contains(": its line can still be drawn"), "{words}");
    game["moves"].as_array_mut().expect("moves").truncate(1);
    bench.write("one.json", game.to_string());
    let said = bench.run(&["reduce", "--play", "one.json", "d", "--json"]).ends_negative().json();
    assert_eq!((&said["satisfied"], &said["undecided"]), (&json!(false), &json!([2])));
    assert_eq!(said["unsatisfied"], json!([2]));
    let shortfall = &said["shortfall"];
    assert_eq!(shortfall["untriggered_clauses"], json!([1, 2]));
    assert_eq!(shortfall["untriggered_checkers"], json!([1, 2]));
    assert_eq!(shortfall["first_stops"][0]["part"], "rail of 1");
    game["moves"] = json!([]);
    bench.write("none.json", game.to_string());
    let words = bench.run(&["reduce", "--play", "none.json", "d"]).ends_negative().out;
    assert!(words.contains("clauses 1, 2\nno line decides variable 1, 2"), "{words}");
}

#[test]
fn an_illegal_game_and_a_game_from_elsewhere_say_nothing() {
    let (bench, _) = reduced(XOR);
    bench.write("m", "v 1 -2 0\n");
    bench.run(&["reduce", "--model", "m", "d"]).succeeds();
    let mut game: Value = serde_json::from_slice(&bench.read("d/game.json")).expect("JSON");
    game["moves"].as_array_mut().expect("moves").remove(0);
    bench.write("bad.json", game.to_string());
    let said = bench.run(&["reduce", "--play", "bad.json", "d", "--json"]).ends_negative().json();
    assert_eq!((&said["verdict"], &said["model"]), (&json!("refused"), &json!([])));
    bench.find("5D", "other.json");
    let err = bench.run(&["reduce", "--play", "other.json", "d"]).fails().err;
    assert!(err.contains("the dots of this"), "{err}");
}

#[test]
fn strange_formulas_are_reduced_without_a_crash() {
    for (formula, model, reaches) in [
        ("p cnf 0 0\n", "v 0\n", true),
        ("p cnf 3 0\n", "v 0\n", true),
        ("p cnf 1 1\n0\n", "v 1 0\n", false),
        ("p cnf 2 1\n1 -1 2 0\n", "v 0\n", true),
        ("p cnf 2 2\n2 2 2 0\n1 -1 0\n", "v 2 0\n", true),
    ] {
        let (bench, _) = reduced(formula);
        bench.write("m", model);
        let args = ["reduce", "--model", "m", "d", "--json"];
        let ran = bench.run(&args);
        let ran = if reaches { ran.succeeds() } else { ran.ends_negative() };
        assert_eq!(ran.json()["reaches"], reaches, "{formula}");
        let ran = bench.run(&["reduce", "--play", "d/game.json", "d", "--json"]);
        let ran = if reaches { ran.succeeds() } else { ran.ends_negative() };
        assert_eq!(ran.json()["satisfied"], reaches, "{formula}");
    }
}

#[test]
fn broken_formulas_are_refused_with_their_line_and_nothing_is_written() {
    let cases = include_str!("../../../reduce/tests/broken.txt").split("\n---\n");
    let bench = Bench::new();
    let mut seen = 0;
    for case in cases {
        let (message, file) = case.split_once('\n').unwrap_or((case, ""));
        bench.write("f.cnf", file.replace("\\x00", "\0"));
        let err = bench.run(&["reduce", "f.cnf", "--out", "d"]).fails().err;
        assert_eq!(err, format!("morpion: f.cnf: {message}\n"));
        assert_eq!(bench.files(), ["f.cnf"]);
        seen += 1;
    }
    assert!(seen > 10, "{seen}");
    let bytes: Vec<u8> = (0..=255).cycle().take(5000).collect();
    bench.write("f.cnf", bytes);
    let err = bench.run(&["reduce", "f.cnf", "--out", "d"]).fails().err;
    assert!(err.contains("line 1: not text"), "{err}");
}

#[test]
fn bad_flags_and_changed_folders_are_errors() {
    let (bench, _) = reduced(XOR);
    bench.write("m", "v 1 -2 0\n");
    bench.write("half", "v 1 0\n");
    for (args, message) in [
        (&["reduce", "f.cnf"][..], "--out"),
        (&["reduce", "none.cnf", "--out", "e"], "none.cnf"),
        (&["reduce", "f.cnf", "--out", "m"], "m"),
        (&["reduce", "f.cnf", "--out", "e", "--gap", "0.5"], "the gap must be a number from 1"),
        (&["reduce", "f.cnf", "--out", "e", "--gap", "nan"], "the gap must be a number from 1"),
        (&["reduce", "f.cnf", "--out", "e", "--gap", "1e6"], "take a smaller formula or gap"),
        (&["reduce", "f.cnf", "--out", "e", "--length", "3"], "lines of 4 to 16 dots, not of 3"),
        (&["reduce", "f.cnf", "--out", "e", "--length", "17"], "lines of 4 to 16 dots, not of 17"),
        (&["reduce", "f.cnf", "--out", "e", "--length", "four"], "not a number of dots"),
        (&["reduce", "gadgets", "--length", "99"], "lines of 4 to 16 dots, not of 99"),
        (&["reduce", "gadgets", "join", "--length", "4"], "unknown gadget `join`"),
        (&["reduce", "--model", "half", "d"], "no value to variable 2; add 2 or -2"),
        (&["reduce", "--model", "f.cnf", "d"], "line 2"),
        (&["reduce", "--model", "m", "nowhere"], "no such file; make the folder with"),
        (&["reduce", "--play", "m", "d"], "m"),
        (&["reduce", "gadgets", "wheel"], "unknown gadget `wheel`; the gadgets are: wire; turn"),
    ] {
        let err = bench.run(args).fails().err;
        assert!(err.contains(message), "{args:?}: {err}");
    }
    let start = String::from_utf8(bench.read("d/start.json")).expect("text");
    bench.write("d/start.json", start.replacen("[1, 1]", "[1, 2]", 1));
    let err = bench.run(&["reduce", "--model", "m", "d"]).fails().err;
    assert!(err.contains("the dots differ from the sidecar"), "{err}");
    bench.write("d/reduction.json", "{}");
    let err = bench.run(&["reduce", "--model", "m", "d"]).fails().err;
    assert!(err.contains("damaged, or not of a reduction"), "{err}");
}

#[test]
fn a_gap_lengthens_the_treasure() {
    let (bench, plain) = reduced(XOR);
    let args = ["reduce", "f.cnf", "--out", "e", "--gap", "3", "--json"];
    let wide = bench.run(&args).succeeds().json();
    assert_eq!(wide["ceiling"], plain["ceiling"]);
    let ceiling = plain["ceiling"].as_u64().expect("a number");
    assert_eq!(wide["threshold"], 3 * (ceiling + 1));
    assert!(wide["treasure"].as_u64() > plain["treasure"].as_u64());
    bench.write("m", "v 1 -2 0\n");
    bench.run(&["reduce", "--model", "m", "e"]).succeeds();
}

#[test]
fn lines_of_other_lengths_work_as_well() {
    let (bench, _) = reduced(XOR);
    bench.write("m", "v 1 -2 0\n");
    for length in ["4", "6", "16"] {
        let args = ["reduce", "f.cnf", "--out", length, "--length", length, "--json"];
        let said = bench.run(&args).succeeds().json();
        assert_eq!((&said["certified"], said["length"].to_string()), (&json!(true), length.into()));
        let game = bench.run(&["reduce", "--model", "m", length, "--json"]).succeeds().json();
        assert_eq!(game["reaches"], true);
        let file = format!("{length}/game.json");
        let row = bench.run(&["verify", &file, "--json"]).succeeds().json();
        assert_eq!(row[0]["game"], format!("{length}D"));
        let read = bench.run(&["reduce", "--play", &file, length, "--json"]).succeeds().json();
        assert_eq!((&read["model"], &read["shortfall"]), (&json!([1, -2]), &Value::Null));
        let err = bench.run(&["reduce", "--play", &file, "d"]).fails().err;
        assert!(err.contains("the dots of this"), "{err}");
    }
}

#[test]
fn gadgets_are_listed_drawn_and_verified() {
    let bench = Bench::new();
    let names = ["wire", "variable", "one-way", "crossover", "tap"];
    let args = [&["reduce", "gadgets"], &names[..], &["--out", "g", "--json"]].concat();
    let rows = bench.run(&args).succeeds().json();
    let verdicts: Vec<&Value> =
        rows.as_array().expect("a list").iter().map(|r| &r["verdict"]).collect();
    assert_eq!(verdicts, vec!["verified"; names.len()]);
    assert_eq!(rows[3]["positions"], json!([3481, 3481]));
    assert_eq!(files_in(&bench, "g").len(), names.len());
    let picture = String::from_utf8(bench.read("g/tap.svg")).expect("text");
    roxmltree::Document::parse(&picture).expect("well-formed");
    let words = bench.run(&["reduce", "gadgets", "and"]).succeeds().out;
    assert!(words.contains("A B -> C, A C -> B, B C -> A"), "{words}");
    assert!(words.contains("AoCoB"), "{words}");
    let args = ["reduce", "gadgets", "split", "clause", "--length", "4", "--json"];
    let rows = bench.run(&args).succeeds().json();
    assert_eq!((&rows[0]["by"], &rows[0]["positions"]), (&json!("play"), &json!([5410, 4410])));
    assert_eq!((&rows[1]["by"], &rows[1]["positions"]), (&json!("closure"), &json!([])));
    assert_eq!(rows[1]["verdict"], "verified");
}

/// The pictures of docs/explanation/reduction.md are what the program draws today.
#[test]
fn the_pictures_of_the_docs_are_drawn_by_the_program() {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pictures/reduction");
    let bench = Bench::new();
    bench.write("f.cnf", "p cnf 2 2\n1 2 0\n-1 -2 0\n");
    for (length, folder) in [("4", format!("{docs}/4")), ("5", docs.to_owned())] {
        bench.run(&["reduce", "f.cnf", "--out", length, "--length", length]).succeeds();
        bench.run(&["reduce", "gadgets", "--length", length, "--out", length]).succeeds();
        let drawn = files_in(&bench, length);
        let mut seen = 0;
        for name in drawn.iter().filter(|name| name.ends_with(".svg")) {
            // The docs need not show every gadget.
            let Ok(shown) = std::fs::read(format!("{folder}/{name}")) else { continue };
            assert!(shown == bench.read(&format!("{length}/{name}")), "{folder}/{name}");
            seen += 1;
        }
        assert!(seen > 10, "{folder}: {seen}");
    }
}

#[test]
fn the_picture_names_its_parts() {
    let (bench, said) = reduced(XOR);
    let picture = String::from_utf8(bench.read("d/pattern.svg")).expect("text");
    let document = roxmltree::Document::parse(&picture).expect("well-formed");
    let words: Vec<&str> = document
        .descendants()
        .filter(|n| n.has_tag_name("text"))
        .filter_map(|n| n.text())
        .collect();
    for name in ["tap from -2 to clause 2", "column of clause 1", "treasure", "1", "2"] {
        assert!(words.contains(&name), "{name}: {words:?}");
    }
    assert!(words.iter().any(|word| Some(*word) == said["statement"].as_str()), "{words:?}");
}

#[test]
fn files_of_a_pattern_are_not_written_over_and_no_empty_folder_stays() {
    let bench = Bench::new();
    bench.write("f.cnf", "\u{feff}p cnf 1 1\r\n1 0\r\n");
    bench.run(&["reduce", "f.cnf", "--out", "made"]).succeeds();
    bench.write("model", "\u{feff}v 1 0\n");
    let before = bench.read("made/reduction.json");
    for own in ["made/reduction.json", "made/start.json", "made/pattern.svg"] {
        let refused = bench.run(&["reduce", "--model", "model", "made", "--out", own]);
        let refused = refused.fails();
        assert!(refused.err.contains("belongs to the pattern"), "{}", refused.err);
    }
    assert_eq!(bench.read("made/reduction.json"), before);
    bench.run(&["reduce", "made/start.json", "--out", "made"]).fails();
    bench.run(&["reduce", "--model", "model", "made"]).succeeds();
    for gap in ["0", "nan", "1e9"] {
        bench.run(&["reduce", "f.cnf", "--out", "none", "--gap", gap]).fails();
        assert!(!bench.path("none").exists(), "--gap {gap}");
    }
}
