//! What is refused, at once and with a reason that says what to do.

use crate::common::Bench;

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
            "--archive game.json: a file, and a folder is needed",
        ),
        (
            &["show", &proof],
            "a proof (an optimum by branch and bound), not a game; `morpion verify`",
        ),
        (&["convert", &proof, "x.svg"], "not a game; `morpion verify` takes it"),
        (&["convert", "game.gif", "x.json"], "a GIF, which shows a game but does not carry it"),
        (&["order", "game.gif"], "a GIF, which shows a game"),
        (&["show", "game.json.state"], "no such file"),
        (&["show", "9X"], "9X: neither a file nor a game; games are named"),
        (&["order", "prose.md"], "neither a game nor a proof"),
        (&["convert", "link.txt", "x.json"], "a link of the Play page; open it there"),
        (&["bound", "5T", "--by", "lp", "--threads", "1"], "--threads is for `morpion prove`"),
        (&["run", "plan.toml", "--workers", "-1"], "invalid value '-1' for '--workers"),
        (&["prove", "caps", "5D", "-o", "game.json"], "game.json: a file, and a folder is needed"),
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
