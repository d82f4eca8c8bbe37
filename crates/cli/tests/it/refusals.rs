//! What is refused, at once and with a reason that says what to do.

use std::io::{BufRead as _, BufReader};

use crate::common::{Bench, start, terminate};

/// A file of the repository.
fn here(path: &str) -> String {
    format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_start_is_shown_however_it_is_named() {
    let bench = Bench::new();
    bench.write("dots.txt", "0,0\n1,0\n2,0\n3,0\n");
    let shown = bench.run(&["show", "5T", "--start", "dots.txt"]).succeeds().out;
    for args in [
        &["show", "--rules", "5T", "--start", "dots.txt"][..],
        &["show", "--game", "5T", "--start", "dots.txt"],
        &["show", "5T", "--rules", "5T", "--start", "dots.txt"],
        &["show", "dots.txt", "--game", "5T"],
    ] {
        assert_eq!(bench.run(args).succeeds().out, shown, "{args:?}");
    }
    bench.run(&["show", "5T", "--start", "cross:6"]).succeeds();
    bench.run(&["show", "--rules", "5T"]).succeeds();
    let no = bench.run(&["show", "5T", "--rules", "5D", "--start", "dots.txt"]).fails();
    assert!(no.err.contains("5T contradicts 5D"), "{}", no.err);
    let no = bench.run(&["show", "5X"]).fails();
    assert!(no.err.contains("neither a file nor a game; did you mean"), "{}", no.err);
}

#[test]
fn folders_are_verified_by_the_rule_by_which_they_are_imported() {
    let bench = Bench::new();
    std::fs::create_dir_all(bench.path("games")).expect("a folder");
    bench.write("games/grid.txt", "5T\n3,0 7,0\n");
    bench.write("games/notes.txt", "call the dentist\n");
    bench.write("games/curve.svg", "<svg><text>a chart of morpion</text></svg>\n");
    bench.write("games/other.json", "{\"format\": \"morpion-reduction/1\"}\n");
    let verdicts = bench.run(&["verify", "games", "--json"]).succeeds().json();
    assert_eq!(verdicts.as_array().map(Vec::len), Some(1), "{verdicts}");
    assert_eq!(verdicts[0]["verdict"], "legal");
    let rows = bench.run(&["store", "import", "games", "--json"]).succeeds().json();
    assert_eq!(rows.as_array().map(Vec::len), Some(1), "{rows}");
    // A name that promises a game is not passed over.
    bench.write("games/cut.json", "{\"format\": \"morpion-ga");
    bench.run(&["verify", "games"]).ends_with_error();
    std::fs::create_dir_all(bench.path("empty")).expect("a folder");
    bench.write("empty/notes.txt", "call the dentist\n");
    let no = bench.run(&["verify", "empty"]).fails();
    assert!(no.err.contains("no game or proof in this folder"), "{}", no.err);
}

#[test]
fn games_without_end_are_neither_counted_nor_proven() {
    let bench = Bench::new();
    for args in [
        &["count", "3T", "--all", "-o", "x"][..],
        &["prove", "tree", "3D", "-o", "x"],
        &["prove", "enumeration", "3D", "-o", "x"],
        &["prove", "boxes", "3D", "--target", "9", "-o", "x"],
    ] {
        let no = bench.run(args).fails();
        assert!(no.err.contains("proven by proofs/endless/3"), "{args:?}: {}", no.err);
    }
    assert_eq!(bench.files(), [""; 0]);
}

#[test]
fn bounds_below_a_game_that_is_known_are_refused_at_once() {
    let bench = Bench::new();
    for args in [
        &["prove", "cover", "5T", "--target", "172", "-o", "x"][..],
        &["prove", "cover", "5T", "--target", "0", "-o", "x"],
        &["bound", "5T", "--by", "cover", "--target", "100", "-o", "x"],
        &["prove", "extents", "5D", "--target", "81", "-o", "x"],
        &["prove", "boxes", "5D", "--target", "50", "-o", "x"],
    ] {
        let no = bench.run(args).fails();
        assert!(no.err.contains("impossible, since games/5"), "{args:?}: {}", no.err);
    }
    let from = |file: &str| {
        let args = ["prove", "extents", "5D", "--target", "121", "-o", "x"];
        bench.run(&[&args[..], &["--from", &here(file)]].concat()).fails().err
    };
    let no = from("games/5D-82.json");
    assert!(no.contains("not a bound by extents"), "{no}");
    let no = from("proofs/5D-133.caps.gz");
    assert!(no.contains("a bound by caps, not a bound by extents"), "{no}");
    assert_eq!(bench.files(), [""; 0]);
}

#[test]
fn a_training_run_that_is_refused_leaves_nothing_behind() {
    let bench = Bench::new();
    std::fs::create_dir_all(bench.path("games")).expect("a folder");
    bench.write("games/grid.txt", "5T\n3,0 7,0\n");
    let train = ["learn", "train", "5D", "--preset", "small", "-o", "tr", "--for", "1s"];
    bench.run(&[&train[..], &["--archive", "games"]].concat()).fails();
    assert_eq!(bench.files(), ["games"]);
}

#[test]
fn a_refusal_says_what_is_expected() {
    let bench = Bench::new();
    bench.find("5D", "game.json");
    bench.run(&["convert", "game.json", "game.gif"]).succeeds();
    bench.write("journal", "something else\n");
    bench.run(&["store", "import", "game.json"]).succeeds();
    bench.write("prose.md", "# Notes\n\nA laboratory for Morpion Solitaire, with pictures.\n");
    bench.write("link.txt", "http://127.0.0.1:8000/#g/5T/0a1b\n");
    let proof = here("proofs/4D-35.tree.gz");
    let no_folder = "there is no folder nodir; create it first";
    for (args, expected) in [
        (&["search", "5T", "--seed", "abc"][..], "expected an integer, like 12"),
        (&["count", "5T", "--moves", "1e3"], "expected an integer, like 12"),
        (&["serve", "--listen", "0.0.0.0"], "expected ADDRESS:PORT"),
        (&["convert", "game.json", "nodir/x.svg"], no_folder),
        (&["store", "get", "", "-o", "nodir/x.json"], no_folder),
        (
            &["bound", "5T", "--by", "lp", "--board", "box:1,1,1,1", "--write", "nodir/x.lp"],
            no_folder,
        ),
        (&["endgame", "game.json", "--keep", "30", "--journal", "nodir/x"], no_folder),
        (
            &["endgame", "game.json", "--keep", "30", "--journal", "journal"],
            "not of this game and --keep 30",
        ),
        (
            &["learn", "train", "5D", "-o", "game.json"],
            "game.json is a file, and a folder is needed",
        ),
        (&["status", "--archive", "game.json"], "no archive in game.json"),
        (
            &["serve", "--archive", "game.json"],
            "--archive: game.json is a file, and a folder is needed",
        ),
        (
            &["show", &proof],
            "a proof (an optimum by branch and bound), not a game; `morpion verify`",
        ),
        (&["convert", &proof, "x.svg"], "not a game; `morpion verify` takes it"),
        (&["verify", "--game", "5T", &proof], "the proof is about 4D, not about 5T"),
        (&["convert", "game.gif", "x.json"], "a GIF, which shows a game but does not carry it"),
        (&["order", "game.gif"], "a GIF, which shows a game"),
        (&["show", "game.json.state"], "no such file"),
        (&["show", "9X"], "9X: neither a file nor a game; games are named"),
        (&["order", "prose.md"], "neither a game nor a proof"),
        (&["convert", "link.txt", "x.json"], "a link of the Play page; open it there"),
        (&["bound", "5T", "--by", "lp", "--threads", "1"], "--threads is for `morpion prove`"),
        (&["run", "plan.toml", "--workers", "-1"], "invalid value '-1' for '--workers"),
        (&["prove", "caps", "5D", "-o", "game.json"], "game.json is a file, and a folder is"),
        (&["man", "-o", "game.json"], "game.json is a file, and a folder is needed"),
    ] {
        let no = bench.run(args).fails();
        assert!(no.err.contains(expected), "{args:?}: {}", no.err);
    }
    let answers = bench.run_with(&["env", "5T"], "{\"play\": {\"new\": [0, 0]}}\n").succeeds().out;
    let last = answers.lines().last().unwrap_or_default();
    assert!(last.contains("with the fields new and line"), "{last}");
}

#[test]
fn a_limit_of_nothing_is_refused() {
    let bench = Bench::new();
    let no = bench.run(&["status", "--limit", "0"]).fails();
    assert!(no.err.contains("--limit"), "{}", no.err);
}

#[test]
fn what_would_have_no_effect_or_no_end_is_refused_before_any_work() {
    let bench = Bench::new();
    bench.find("5D", "game.json");
    bench.write("grid.txt", "4T\n3,0 7,0\n3,-1 3,3\n");
    bench.write("wide.cnf", "p cnf 2 2\n1 2\n-1 -2 0\n");
    bench.write("dots.txt", "..o?\n");
    bench.write("runs.csv", "a,b\n");
    bench.write("plan.toml", "attempts = 0\n[[hunt]]\ngame = \"5D\"\ntime = \"1s\"\n");
    bench.write("seed.toml", "[[hunt]]\ngame = \"5D\"\nseed = -1\ntime = \"1s\"\n");
    bench.write("time.toml", "[[hunt]]\ngame = \"5D\"\ntime = 10\n");
    bench.write("method.toml", "[[hunt]]\ngame = \"5D\"\nmethod = \"nrp\"\ntime = \"1s\"\n");
    let game = here("games/5D-82.json");
    let model = here("models/5D.net");
    for (args, expected) in [
        (&["search", "5D", "--from", &game, "--for", "1s"][..], "this game is over; give --keep N"),
        (
            &["search", "5D", "--method", "temper", "--model", &model],
            "temper does not use --model; nrpa and learned do",
        ),
        (&["search", "5T", "--playouts", "1e99"], "at most 18446744073709551615"),
        (&["endgame", "game.json", "--keep", "-1"], "expected an integer, at least 0"),
        (&["prove", "endless", "4D"], "there is no endless play of 4D"),
        (&["order", "grid.txt", "--game", "5T"], "leave --game out, or change the game"),
        (&["verify", "grid.txt", "--game", "5T"], "leave --game out, or change the game"),
        (&["methods", "9Z"], "unknown method or game `9Z`; games are named like 5T or 5D"),
        (&["reduce", "wide.cnf", "-o", "x"], "a 0 missing at the end of line 2?"),
        (&["show", "5D", "--start", "dots.txt"], "■` for a dot; found `?`"),
        (&["experiment", "chance", "-o", "x", "--hunt", "runs.csv:70"], "runs.csv: no column"),
        (&["run", "plan.toml"], "expected an integer, at least 1"),
        (&["run", "seed.toml"], "expected an integer, at least 0"),
        (&["run", "time.toml"], "expected a text in quotes, like \"5T\" or \"10s\""),
        (&["run", "method.toml"], "method `nrp`: no such method; there is auto, "),
    ] {
        let no = bench.run(args).fails();
        assert!(no.err.contains(expected), "{args:?}: {}", no.err);
    }
    let no = bench.run(&["order", "grid.txt"]).ends_negative();
    assert!(no.out.contains("; as 5T, all 2 lines fit"), "{}", no.out);
}

#[test]
fn an_empty_list_says_that_it_is_empty() {
    let bench = Bench::new();
    bench.find("5D", "game.json");
    bench.run(&["store", "import", "game.json"]).succeeds();
    let none = bench.run(&["store", "list", "--least", "500"]).succeeds();
    assert_eq!((&*none.out, &*none.err), ("", "no such games\n"));
    let none = bench.run(&["store", "list", "--method", "nrp"]).succeeds();
    assert!(none.err.contains("no method is called `nrp`; did you mean `nrpa`?"), "{}", none.err);
    let no = bench.run(&["store", "get", ""]).fails();
    assert!(no.err.contains("no id given"), "{}", no.err);
}

#[test]
fn a_changed_count_of_a_part_is_refused_with_its_line() {
    let bench = Bench::new();
    let count = ["prove", "enumeration", "6D", "-o", "parts", "--threads", "2"];
    bench.run(&count).succeeds();
    let parts = String::from_utf8(bench.read("parts/6D.parts")).expect("text");
    for (line, changed) in [(2, "0 999"), (5, "7 x y")] {
        let mut lines: Vec<&str> = parts.lines().collect();
        lines[line - 1] = changed;
        bench.write("parts/6D.parts", lines.join("\n") + "\n");
        let no = bench.run(&count).fails();
        let expected = format!("6D.parts: line {line} is not the number of a part and its result");
        assert!(no.err.contains(&expected) && no.err.contains("delete the line"), "{}", no.err);
    }
}

#[test]
fn who_waits_says_for_what() {
    let bench = Bench::new();
    bench.write("plan.toml", "[[hunt]]\ngame = \"5D\"\nplayouts = 9\n");
    let run = bench.run(&["run", "plan.toml", "--workers", "0", "--for", "1s"]).ends_negative();
    let advice = "no worker is started here; `morpion worker --archive archive` does the tasks";
    assert!(run.err.contains(advice), "{}", run.err);
    let mut worker = start(bench.command(&["worker"]));
    let err = BufReader::new(worker.stderr.take().expect("a pipe"));
    let waits = "waiting for tasks of a `morpion run` in archive";
    assert!(err.lines().any(|line| line.is_ok_and(|line| line.contains(waits))));
    terminate(&worker);
    worker.wait().expect("it ends");
}

#[test]
fn the_same_game_turned_differs_in_nothing_but_its_order() {
    let bench = Bench::new();
    let game = here("games/5D-82.json");
    bench.run(&["order", &game, "-o", "ordered.json"]).succeeds();
    let ran = bench.run(&["compare", &game, "ordered.json", "--no-picture"]).succeeds().out;
    assert!(ran.contains("the same game") && !ran.contains("first difference"), "{ran}");
}

#[test]
fn flags_without_effect_are_named() {
    let bench = Bench::new();
    let game = here("games/4D-35.json");
    let narrow = bench.run(&["convert", &game, "x.svg", "--width", "500"]).succeeds();
    assert!(narrow.err.contains("--width is for a PNG or GIF and has no effect"), "{}", narrow.err);
    let dark = bench.run(&["convert", &game, "x.json", "--theme", "dark"]).succeeds();
    assert!(dark.err.contains("--theme is for a picture and has no effect"), "{}", dark.err);
}
