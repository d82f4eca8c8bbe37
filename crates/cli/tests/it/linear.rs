//! Bounds by linear programs, through the real binary and the real solver.

use serde_json::{Value, json};

use crate::common::{Bench, Ran, solver};
use crate::until::until;

fn lp<'a>(game: &'a str, board: &'a str, solver: &'a str) -> Vec<&'a str> {
    vec!["bound", game, "--by", "lp", "--board", board, "--solver", solver]
}

#[test]
fn published_values_come_with_certificates_that_the_verifier_accepts() {
    let (bench, solver) = (Bench::new(), solver());
    let cases = [
        ("5T", "square:10", 64.0, 64, "5T-square-10-lines.cert.gz"),
        ("5T", "square:20", 278.5026, 278, "5T-square-20-lines.cert.gz"),
        ("5D", "box:3,2,2,2", 102.7754, 102, "5D-box-3-2-2-2-births.cert.gz"),
    ];
    for (game, board, value, bound, file) in cases {
        let args = [&lp(game, board, &solver)[..], &["--out", "made/here", "--json"]].concat();
        let row = bench.run(&args).succeeds().json();
        assert_eq!(
            (&row["game"], &row["by"], &row["board"]),
            (&json!(game), &json!("lp"), &json!(board))
        );
        assert!((row["value"].as_f64().expect("a number") - value).abs() < 1e-4, "{row}");
        let file = format!("made/here/{file}");
        assert_eq!((&row["bound"], &row["certificate"]), (&json!(bound), &json!(file)));
        let checked = bench.run(&["check", "--json", &file]).succeeds().json();
        assert_eq!(
            (&checked[0]["verdict"], &checked[0]["claim"]),
            (&json!("proven"), &row["claim"])
        );
    }
    let all = bench.run(&["check", "made"]).succeeds().out;
    assert_eq!(all.lines().count(), 3);
    let end = "5T: no game whose dots all lie on square:10 (moved, turned or mirrored) has more \
        than 64 moves, proven";
    assert!(all.lines().any(|line| line.ends_with(end)), "{all}");
}

#[test]
fn without_a_folder_the_bound_is_verified_too() {
    let (bench, solver) = (Bench::new(), solver());
    for how in ["interior-point", "dual-simplex", "first-order"] {
        let args = [&lp("4D", "box:1,0,0,1", &solver)[..], &["--solve", how, "--exact"]].concat();
        let told = bench.run(&args).succeeds().out;
        assert!(told.starts_with("4D: no game whose bounding box is box:1,0,0,1 around"), "{told}");
    }
    let row = bench.run(&[&lp("5T", "square:5", &solver)[..], &["--json"]].concat());
    let row = row.succeeds().json();
    assert_eq!((&row["bound"], &row["value"]), (&json!(-1), &Value::Null));
    assert!(row["claim"].as_str().is_some_and(|claim| claim.contains("there is no game")), "{row}");
    assert_eq!(bench.files(), Vec::<String>::new());
}

#[test]
fn a_model_is_written_for_other_solvers_without_one_at_hand() {
    let bench = Bench::new();
    for (file, word) in [("a.mps", "ENDATA"), ("a.lp", "subject to")] {
        let args = ["bound", "5D", "--by", "lp", "--board", "box:0,0,0,0", "--write", file];
        assert!(bench.run(&args).succeeds().out.contains("columns"));
        let text = String::from_utf8(bench.read(file)).expect("a text");
        assert!(text.contains(word) && text.contains("birth_NE_0_4_2"), "{file}");
    }
}

#[test]
fn the_integer_program_of_a_shape_is_written_and_a_solution_becomes_a_game() {
    let bench = Bench::new();
    bench.write("grid.txt", "5T\n3,-1 3,3\n3,0 7,0\n");
    bench.run(&["order", "grid.txt", "--out", "game.json"]).succeeds();
    let write = |more: &[&str]| {
        let shape = ["bound", "5T", "--by", "lp", "--shape", "game.json", "--write", "a.lp"];
        bench.run(&[&shape[..], more].concat())
    };
    write(&["--model", "ordered", "--integer", "--rim", "1"]).succeeds();
    let text = String::from_utf8(bench.read("a.lp")).expect("a text");
    for word in ["birth_S_3_m1_0", "turn_3_m1", "after_", "\ngeneral\n dot_", "dot_m1_2"] {
        assert!(text.contains(word), "{word}");
    }
    let refused = write(&["--symmetric", "quarter-turn"]).fails().err;
    assert!(refused.contains("does not have this symmetry"), "{refused}");
    let board = ["bound", "5D", "--by", "lp", "--board", "box:1,1,1,1"];
    let symmetric = [&board[..], &["--symmetric", "half-turn", "--write", "b.mps"]].concat();
    bench.run(&symmetric).succeeds();
    assert!(String::from_utf8_lossy(&bench.read("b.mps")).contains("symmetric_0"));
    let unwritten = bench.run(&[&board[..], &["--model", "ordered"]].concat()).fails().err;
    assert!(unwritten.contains("--write"), "{unwritten}");

    bench.write("a.sol", "# Columns 3\nbirth_E_3_0_4 1\nbirth_S_3_m1_0 1\nturn_3_m1 0\n");
    bench.run(&["order", "--game", "5T", "a.sol", "--out", "solved.json"]).succeeds();
    bench.run(&["verify", "solved.json"]).succeeds();
    bench.write("b.sol", "birth_E_3_0_4 0.5\n");
    let fraction = bench.run(&["order", "--game", "5T", "b.sol"]).fails().err;
    assert!(fraction.contains("neither 0 nor 1"), "{fraction}");
}

#[test]
fn errors_say_what_to_do() {
    let (bench, solver) = (Bench::new(), solver());
    bench.write("file", "a file");
    bench.write("text.so", "no library");
    let lp = |board| lp("5T", board, &solver);
    let cases: Vec<(Vec<&str>, &str)> = vec![
        (vec!["bound", "5T", "--by", "lp"], "needs a --board"),
        (vec!["bound", "5T", "--board", "square:10"], "--by lp"),
        (vec!["bound", "5T", "--by", "boundary", "--out", "x"], "--out is for"),
        (vec!["bound", "5T", "--by", "lp", "--model", "lines"], "--board"),
        (lp("square:0"), "1 to 1000 dots"),
        (lp("circle:4"), "square:N"),
        (lp("octagon:1,2,3"), "eight sides"),
        (lp("octagon:3,0,2,0,2,0,2,0"), "do not close"),
        (lp("square:1000"), "more than 40000 dots"),
        ([&lp("square:10")[..], &["--model", "births"]].concat(), "use a board like box:3,2,2,2"),
        ([&lp("square:10")[..], &["--out", "file/folder"]].concat(), "file/folder"),
        ([&lp("square:10")[..], &["--out", "/dev/null"]].concat(), "/dev/null"),
        (
            vec!["bound", "5T", "--by", "lp", "--board", "square:10", "--write", "a.txt"],
            ".mps or .lp",
        ),
        (
            vec!["bound", "5T", "--by", "lp", "--board", "square:10", "--solver", "none.so"],
            "none.so",
        ),
        (
            vec!["bound", "5T", "--by", "lp", "--board", "square:10", "--solver", "text.so"],
            "text.so",
        ),
    ];
    for (args, words) in cases {
        let told = bench.run(&args).fails().err;
        assert!(told.contains(words), "{args:?}: {told}");
    }
    assert_eq!(bench.files(), ["file", "text.so"]);
}

#[test]
fn the_solver_is_found_beside_the_program_or_in_the_data_folder_and_never_in_the_current_one() {
    let bench = Bench::new();
    // A copy of the program, and a home, far from any solver that was fetched for this repository.
    for folder in ["bin", "data/morpion", "here/solver"] {
        std::fs::create_dir_all(bench.path(folder)).expect("a folder");
    }
    let program = bench.path("bin/morpion");
    std::fs::copy(env!("CARGO_BIN_EXE_morpion"), &program).expect("a copy");
    let run = || {
        let mut command = std::process::Command::new(&program);
        command.args(["bound", "5T", "--by", "lp", "--board", "square:10"]);
        command.env("XDG_DATA_HOME", bench.path("data")).current_dir(bench.path("here"));
        Ran::of(command.output().expect("the program runs"))
    };
    // What somebody has put into the current folder is not even looked at.
    bench.write("here/libhighs.so.1", "no library");
    bench.write("here/solver/libhighs.so.1", "no library");
    let alone = run();
    assert!(!alone.err.contains("here"), "{}", alone.err);
    if alone.code != Some(0) {
        // A system with HiGHS has one all the same.
        assert!(alone.fails().err.contains("run scripts/solver"));
    }
    for place in ["data/morpion/libhighs.so.1", "bin/libhighs.so.1"] {
        let file = bench.path(place);
        std::fs::copy(solver(), &file).expect("a copy");
        let ran = run().succeeds();
        assert!(ran.out.contains("more than 64 moves, proven"), "{}", ran.out);
        let from = format!("from {}", file.display());
        assert!(ran.err.contains("HiGHS 1.") && ran.err.contains(&from), "{}", ran.err);
    }
}

#[test]
fn damaged_certificates_are_refused_or_errors() {
    let (bench, solver) = (Bench::new(), solver());
    bench.run(&[&lp("5D", "box:0,0,0,0", &solver)[..], &["--out", "."]].concat()).succeeds();
    let file = "5D-box-0-0-0-0-births.cert.gz";
    let bytes = bench.read(file);
    let text = verify::read(&bytes[..]).expect("a text");
    bench.write("plain.cert", &text);
    bench.run(&["check", "plain.cert"]).succeeds();
    bench.write("cut.cert.gz", &bytes[..bytes.len() / 2]);
    let told = bench.run(&["check", "cut.cert.gz"]).fails().err;
    assert!(told.contains("damaged"), "{told}");
    let refused = [
        (text.replace("64", "63"), "claimed to be 63; the duals show 64"),
        (text.replace("bound 64", "bound 63"), "the second line must be"),
        (text.replace("box:0,0,0,0", "box:1,0,0,0"), "rows"),
        (text.replace("rules 5D", "rules 5T").replace("5D: no", "5T: no"), "rows"),
    ];
    for (text, words) in refused {
        bench.write("tampered.cert", text);
        let row = &bench.run(&["check", "--json", "tampered.cert"]).ends_negative().json()[0];
        assert_eq!((&row["verdict"], &row["claim"]), (&json!("refused"), &Value::Null));
        assert!(row["reason"].as_str().is_some_and(|reason| reason.contains(words)), "{row}");
    }
    bench.write("short.cert", &text[..text.len() / 3]);
    bench.run(&["check", "short.cert"]).fails();
}

#[test]
fn solutions_and_hulls_have_pictures() {
    let (bench, solver) = (Bench::new(), solver());
    let args =
        [&lp("5T", "square:9", &solver)[..], &["--picture", "shades.svg", "--json"]].concat();
    assert_eq!(bench.run(&args).succeeds().json()["picture"], "shades.svg");
    let drawn = String::from_utf8(bench.read("shades.svg")).expect("UTF-8");
    assert_eq!(drawn.matches("<circle").count(), 81);
    bench.find("5T", "game.json");
    let told = bench.run(&["bound", "--hull", "game.json", "--picture", "hull.svg", "--json"]);
    let told = told.succeeds().json();
    let number = |name: &str| told[name].as_i64().expect("a number");
    assert_eq!(number("external") + number("internal"), 288);
    assert_eq!(number("potential"), number("external") + 2 * number("gaps"));
    assert_eq!(number("dots"), number("moves") + 36);
    assert!(bench.read("hull.svg").starts_with(b"<svg"));
    for (args, words) in [
        (&["bound", "5T", "--picture", "a.svg"][..], "--picture is for"),
        (&["bound", "--hull", "game.json", "--picture", "a.png"][..], ".svg files"),
        (&["bound", "--hull", "none.json"][..], "none.json"),
    ] {
        let refused = bench.run(args).fails();
        assert!(refused.err.contains(words), "{}", refused.err);
    }
}

#[test]
fn a_cover_that_was_killed_resumes() {
    let (bench, solver) = (Bench::new(), solver());
    let args = ["bound", "5T", "--by", "cover", "--target", "702", "--out", "cover", "--json"];
    let args = [&args[..], &["--threads", "1", "--solver", &solver]].concat();
    let kept = || {
        let cells = std::fs::read_to_string(bench.path("cover/5T.cells")).unwrap_or_default();
        cells.matches('\n').count().saturating_sub(1)
    };
    let mut child = bench.command(&args).spawn().expect("the program runs");
    until(|| kept() > 0);
    child.kill().expect("it runs");
    child.wait().expect("it has ended");
    let before = kept();
    let found = bench.run(&args).succeeds();
    assert!(found.err.contains("resuming from"), "{}", found.err);
    assert_eq!(found.json()["claim"], "5T <= 702");
    assert!(kept() >= before, "{before} of {} cells were kept before", kept());
    let cells = String::from_utf8(bench.read("cover/5T.cells")).expect("text");
    let names: Vec<_> = cells.lines().skip(1).map(|line| line.split(' ').nth(1)).collect();
    let distinct: std::collections::HashSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), names.len(), "no cell is solved twice");
}

#[test]
fn a_cover_on_a_full_disk_is_an_error_and_resumes_when_there_is_room() {
    let (bench, solver) = (Bench::new(), solver());
    let args = ["bound", "5T", "--by", "cover", "--target", "704", "--out", "cover"];
    let args = [&args[..], &["--solver", &solver]].concat();
    // No file may grow beyond 512 bytes; the signal that comes with it is not to end the program.
    let program = bench.command(&args);
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]);
    shell.arg(program.get_program()).args(program.get_args()).current_dir(bench.path("."));
    let full = Ran::of(shell.output().expect("a shell")).fails();
    assert!(full.err.contains("cover/5T.cells: "), "{}", full.err);
    assert_eq!(std::fs::read_dir(bench.path("cover")).expect("the folder").count(), 1);
    bench.run(&args).succeeds();
}

#[test]
fn a_sample_of_boards_is_told_and_not_looked_at_again() {
    let (bench, solver) = (Bench::new(), solver());
    let args = ["experiment", "boards", "--target", "700", "--maximal", "2", "--hulls", "2"];
    let args = [&args[..], &["--out", "seen", "--solver", &solver]].concat();
    let told = bench.run(&[&args[..], &["--json"]].concat()).succeeds().json();
    assert_eq!(told["boards"], 4);
    let table = bench.read("seen/boards.csv");
    bench.run(&args).succeeds();
    assert_eq!(bench.read("seen/boards.csv"), table, "times would differ");
    // A board less is looked at again; other settings are not mixed.
    let text = String::from_utf8(table).expect("text");
    let (less, _) = text.trim_end().rsplit_once('\n').expect("rows");
    bench.write("seen/boards.csv", format!("{less}\n"));
    bench.run(&args).succeeds();
    let again = String::from_utf8(bench.read("seen/boards.csv")).expect("text");
    let boards = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.split(',').take(3).collect::<Vec<_>>().join(",")).collect()
    };
    assert_eq!(boards(&again), boards(&text));
    let other = bench.run(&[&args[..], &["--seed", "2"]].concat()).fails();
    assert!(other.err.contains("line 1 should be"), "{}", other.err);
}

#[test]
fn a_cover_is_found_stored_verified_and_resumed() {
    let (bench, solver) = (Bench::new(), solver());
    let args = ["prove", "cover", "5T", "--target", "704", "-o", "cover", "--json"];
    let ask = || bench.run(&[&args[..], &["--threads", "1", "--solver", &solver]].concat());
    let found = ask().succeeds().json();
    assert_eq!((&found["claim"], &found["ranges"]), (&json!("5T <= 704"), &json!(1)));
    let proof = bench.path("cover/5T-704.cover.gz");
    let checked =
        bench.run(&["verify", "--json", proof.to_str().expect("UTF-8")]).succeeds().json();
    assert_eq!(checked[0]["claim"], "5T <= 704");
    // All is there: nothing is solved again.
    let cells = bench.read("cover/5T.cells");
    let again = ask().succeeds();
    assert!(again.err.contains("resuming from 1 range in cover: 1 of 1 "), "{}", again.err);
    assert_eq!((again.json(), bench.read("cover/5T.cells")), (found, cells.clone()));
    // What was changed proves nothing and is found again.
    let cells = String::from_utf8(cells).expect("text");
    let (before, leaf) = cells.split_once(" leaf ").expect("a leaf");
    let (head, rest) = leaf.split_once(';').expect("lists");
    bench.write("cover/5T.cells", format!("{before} leaf {head}9;{rest}"));
    let found = ask().succeeds();
    assert!(found.err.contains("resuming from 0 ranges in cover: 0 of 1 "), "{}", found.err);
    assert_eq!(found.json()["claim"], "5T <= 704");
    // What was cut off, too; what is no cell is an error.
    bench.write("cover/5T.cells", before);
    assert_eq!(ask().succeeds().json()["claim"], "5T <= 704");
    bench.write("cover/5T.cells", format!("{before}\n"));
    let refused = ask().fails();
    assert!(refused.err.contains("line 2 is not the number of a part"), "{}", refused.err);
}

#[test]
fn the_lines_of_5d_bound_it_and_no_other_game() {
    let (bench, solver) = (Bench::new(), solver());
    let ask = ["bound", "5D", "--by", "lines", "--out", "found", "--json", "--solver", &solver];
    let found = bench.run(&ask).succeeds().json();
    assert_eq!((&found["claim"], &found["bound"]), (&json!("5D <= 133"), &json!(133)));
    let proof = bench.path("found/5D-133.caps.gz");
    let checked = bench.run(&["check", "--json", proof.to_str().expect("UTF-8")]).succeeds().json();
    assert_eq!(checked[0]["claim"], "5D <= 133");
    let told = bench.run(&["prove", "caps", "5D", "--solver", &solver]).succeeds();
    assert!(told.out.starts_with("5D <= 133, proven\n"), "{}", told.out);
    let no = bench.run(&["bound", "5T", "--by", "lines"]).fails();
    assert!(no.err.contains("for 5D from the cross only"), "{}", no.err);
    let no = bench.run(&["prove", "cover", "4D", "--target", "40", "-o", "cover"]).fails();
    assert!(no.err.starts_with("morpion: no list of hulls is known for 4D"), "{}", no.err);
}
