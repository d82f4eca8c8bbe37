//! What a new user meets: interruptions, records, misspelt names, other coordinates, two games side
//! by side, agents.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::{Bench, Ran, kill_after, start, terminate};
use crate::until::until;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Starts a command, asks it to stop once `begun` holds, and waits for its end.
fn stopped(bench: &Bench, args: &[&str], begun: impl Fn() -> bool) -> Ran {
    let child = start(bench.command(args));
    until(begun);
    terminate(&child);
    // A command that ignores the signal would run for hours.
    kill_after(child, Duration::from_secs(120)).expect("it stops when it is asked to")
}

#[test]
#[cfg(unix)]
fn every_long_command_stops_when_asked_and_exits_with_130() {
    let bench = Bench::new();
    let search =
        ["search", "5T", "--for", "1h", "--threads", "1", "--seed", "1", "-o", "best.json"];
    let ran = stopped(&bench, &search, || bench.path("best.json").exists());
    ran.stops_interrupted();
    bench.run(&["verify", "best.json"]).succeeds();

    let count = ["prove", "enumeration", "4T", "-o", "counted", "--threads", "1"];
    let ran = stopped(&bench, &count, || bench.path("counted/4T.parts").exists());
    let ran = ran.stops_interrupted();
    assert!(ran.err.contains("the same command resumes from counted"), "{}", ran.err);

    let quick = ["experiment", "anytime", "--game", "5D", "--method", "random", "--for", "1h"];
    let quick = [&quick[..], &["--seeds", "1", "--out", "curve"]].concat();
    let ran = stopped(&bench, &quick, || bench.path("curve/anytime.csv").exists());
    ran.stops_interrupted();
}

#[test]
fn games_with_too_many_positions_are_not_counted() {
    let bench = Bench::new();
    for game in ["5D", "5T"] {
        for args in [
            &["prove", "enumeration", game, "-o", "x"][..],
            &["solve", game, "--by", "enumeration", "--out", "x"],
            &["count", game, "--all", "-o", "x"],
        ] {
            let ran = bench.run(args).fails();
            assert!(ran.err.contains("far too many positions"), "{}", ran.err);
        }
    }
    let ran = bench.run(&["count", "4D", "--all"]).fails();
    assert!(ran.err.contains("-o DIR"), "{}", ran.err);
    let all = bench.run(&["count", "6D", "--all", "-o", "x", "--json"]).succeeds().json();
    assert_eq!(all["longest"], 12);
}

#[test]
fn the_proofs_of_the_repository_are_archived_conditional_ones_too() {
    let bench = Bench::new();
    let [games, proofs] = ["games", "proofs"].map(|name| root().join(name));
    let [games, proofs] = [&games, &proofs].map(|path| path.to_str().expect("UTF-8"));
    bench.run(&["store", "import", games, proofs]).succeeds();
    let best = bench.run(&["store", "best"]).succeeds().out;
    assert!(best.contains("5D: 82 moves (record 82, Rosin 2010)"), "{best}");
}

#[test]
fn the_least_certified_bound_comes_first() {
    let bench = Bench::new();
    let row = bench.run(&["bound", "4T", "--json"]).succeeds().json();
    assert_eq!((&row["bound"], &row["by"]), (&json!(62), &json!("tree")));
    assert_eq!(row["proof"], "proofs/4T-62.tree.gz");
    assert_eq!(row["record"], json!({"moves": 62, "by": "Hyyrö and Poranen", "year": 2007}));
    for game in ["5T", "5D", "4D", "6T"] {
        let row = bench.run(&["bound", game, "--json"]).succeeds().json();
        let bounds = row["bounds"].as_array().expect("bounds");
        let certified = bounds.iter().filter(|bound| bound["certified"] == true);
        let least = certified.filter_map(|bound| bound["bound"].as_u64()).min();
        assert_eq!(row["bound"].as_u64(), least, "{game}");
        let printed = bounds.iter().find(|bound| bound["certified"] == false);
        assert!(printed.is_some(), "{game}");
    }
    let text = bench.run(&["bound", "5T"]).succeeds().out;
    let first = text.lines().next().expect("a line");
    assert!(first.starts_with("5T <= ") && first.contains("certified"), "{text}");
    assert!(text.contains("485 moves, Michalewski et al. 2015 (no certificate)"), "{text}");
}

#[test]
#[cfg(unix)]
fn a_second_search_with_the_same_file_is_refused() {
    let bench = Bench::new();
    let search = ["search", "5D", "--for", "1h", "--threads", "1", "--out", "best.json"];
    let child = start(bench.command(&search));
    until(|| bench.path("best.json").exists());
    let other = bench.run(&["search", "5D", "--playouts", "100", "--out", "best.json"]).fails();
    assert!(other.err.contains("another search writes to best.json; stop it"), "{}", other.err);
    terminate(&child);
    kill_after(child, Duration::from_secs(120)).expect("it stops");
    bench.run(&["search", "5D", "--playouts", "100", "--out", "best.json"]).succeeds();
    assert!(!bench.path("best.json.lock").exists());
}

#[test]
#[cfg(all(unix, feature = "serve"))]
fn a_server_opens_its_page_and_leaves_nothing_behind() {
    use std::os::unix::fs::PermissionsExt as _;
    let bench = Bench::new();
    let browser = bench.write("browser", "#!/bin/sh\necho \"$1\" > opened\n");
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let mut command = bench.command(&["serve", "--open", "--port", "0"]);
    command.env("BROWSER", &browser).stdin(Stdio::null());
    let child = start(command);
    until(|| bench.path("opened").exists() && !bench.read("opened").is_empty());
    terminate(&child);
    let ran = kill_after(child, Duration::from_secs(120)).expect("it stops").succeeds();
    assert_eq!(String::from_utf8_lossy(&bench.read("opened")), ran.out);
    assert!(!bench.path("archive").exists(), "nothing was kept: {}", ran.err);
}

#[test]
fn several_runs_are_summed_up() {
    let bench = Bench::new();
    let search = ["search", "4D", "--playouts", "20000", "--seed", "1", "--threads", "1"];
    let runs = [&search[..], &["--runs", "3", "--target", "30", "-o", "best.json"]].concat();
    let ran = bench.run(&runs).succeeds();
    assert!(ran.out.contains("(record 35, Hyyrö and Poranen 2007), mean "), "{}", ran.out);
    assert!(ran.out.contains("of 3 runs reached 30"), "{}", ran.out);
    let json = bench.run(&[&runs[..], &["--json"]].concat()).succeeds().json();
    let scores: Vec<u64> = json["runs"]
        .as_array()
        .expect("runs")
        .iter()
        .map(|run| run["score"].as_u64().expect("a score"))
        .collect();
    assert_eq!(scores.len(), 3);
    assert_eq!(json["best"].as_u64(), scores.iter().copied().max());
    let alone =
        ["--playouts", "20000", "--seed", "2", "--threads", "1", "--target", "30", "--json"];
    let alone = [&search[..2], &alone[..]];
    let alone = bench.run(&alone.concat()).succeeds().json();
    assert_eq!(alone["score"].as_u64(), Some(scores[1]), "the second run has the next seed");
    let missed = [&search[..], &["--runs", "2", "--target", "99"]].concat();
    bench.run(&missed).ends_negative();
}

#[test]
fn the_best_game_may_be_written_in_any_readable_format() {
    let bench = Bench::new();
    let search = ["search", "5D", "--playouts", "300", "--seed", "1", "--threads", "1", "-o"];
    for file in ["best.psol", "best.msr", "best.svg", "best.png", "best.json"] {
        let ran = bench.run(&[&search[..], &[file]].concat()).succeeds();
        assert!(!ran.err.contains("not replaced"), "{}", ran.err);
        let rows = bench.run(&["verify", "--game", "5D", "--json", file]).succeeds().json();
        assert_eq!(rows[0]["record"]["moves"], 82, "{file}");
    }
    assert!(bench.read("best.psol").starts_with(b"(28,28)"));
    let ran = bench.run(&[&search[..], &["best.gif"]].concat()).fails();
    assert!(ran.err.contains("choose .json, .psol"), "{}", ran.err);
    let four = ["search", "4D", "--playouts", "10", "-o", "four.psol"];
    assert!(bench.run(&four).fails().err.contains("only 5T and 5D"));
}

#[test]
fn errors_say_what_and_where_and_what_to_do() {
    let bench = Bench::new();
    bench.find("5T", "best.json");
    let cases: [(&[&str], &str); 8] = [
        (&["search", "5D", "--method", "nrap"], "unknown method `nrap`; did you mean `nrpa`?"),
        (&["search", "5D", "--method", "nrpa:levl=3"], "no parameter `levl`"),
        (&["search", "5D", "-o", "best.json"], "; choose another --out"),
        (&["serch", "5D"], "search"),
        (&["search", "5D", "--method", "NRPA"], "did you mean `nrpa`?"),
        (&["search", "5D", "--symmetric", "half-turn"], "write --symmetric=half-turn"),
        (&["train", "5D"], "`morpion learn train GAME` does that"),
        (&["show", "17T"], "from 2 to 16"),
    ];
    for (args, expected) in cases {
        let ran = bench.run(args).fails();
        assert!(ran.err.contains(expected), "{args:?}: {}", ran.err);
        assert!(!ran.err.starts_with("morpion: choose"), "{}", ran.err);
    }
    for (args, hidden) in [(["train", "5D"], "'tail'"), (["tran", "5D"], "'play'")] {
        let ran = bench.run(&args).fails();
        assert!(!ran.err.contains(hidden), "{}", ran.err);
    }
    let with = ["search", "5D", "--method", "nrpa:level=2", "--playouts", "50", "--json"];
    assert_eq!(bench.run(&with).succeeds().json()["parameters"]["level"], 2.0);
}

#[test]
fn a_grid_in_other_coordinates_is_understood() {
    let bench = Bench::new();
    // The lines 3,0 7,0 and 3,-1 3,3 and 0,3 4,3, one step to the right and down.
    bench.write("grid.txt", "5T\n4,1 8,1\n4,0 4,4\n1,4 5,4\n");
    let ran = bench.run(&["order", "grid.txt", "-o", "game.json"]).succeeds();
    assert!(ran.err.contains("moved by (-1,-1), all 3 lines fit"), "{}", ran.err);
    bench.run(&["verify", "game.json"]).succeeds();
    let refused = bench.run(&["verify", "grid.txt"]).ends_negative();
    assert!(refused.out.contains("moved by (-1,-1), all 3 lines fit"), "{}", refused.out);
    // Where something fits as written, the rest is a mistake of its own.
    bench.write("wrong.txt", "5T\n3,0 7,0\n90,90 94,94\n");
    bench.run(&["order", "wrong.txt"]).ends_negative();
    bench.write("one.txt", "5T\n90,90 94,94\n");
    bench.run(&["order", "one.txt"]).ends_negative();
}

#[test]
fn two_games_are_compared_up_to_symmetry() {
    let bench = Bench::new();
    let games = root().join("games");
    let [one, other] = ["5T-168.json", "5T-169.json"].map(|name| games.join(name));
    let [one, other] = [&one, &other].map(|path| path.to_str().expect("UTF-8"));
    let view = bench.run(&["compare", one, other, "--json"]).succeeds().json();
    assert_eq!(view["moves"], json!([168, 169]));
    assert_eq!(view["same"], false);
    let same = bench.run(&["compare", one, one]).succeeds().out;
    assert!(same.contains("the same game") && same.contains('●'), "{same}");
    let disjoint = games.join("5D-82.json");
    let ran = bench.run(&["compare", one, disjoint.to_str().expect("UTF-8")]).fails();
    assert!(ran.err.contains("only games of the same rules"), "{}", ran.err);
}

#[test]
fn an_agent_plays_by_lines_of_json() {
    let bench = Bench::new();
    let input = "{\"play\": 0}\n\n{\"play\": 99}\n{\"undo\": 1}\n{\"game\": null}\n";
    let out = bench.run_with(&["env", "5T"], input).succeeds().out;
    let replies: Vec<Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let scores: Vec<&Value> = replies.iter().map(|reply| &reply["score"]).collect();
    assert_eq!(scores[..3], [&json!(0), &json!(1), &Value::Null]);
    assert!(replies[2]["error"].as_str().is_some_and(|error| error.contains("there are 27")));
    assert_eq!((&replies[3]["score"], replies.len()), (&json!(0), 5));
    assert!(replies[4]["file"].as_str().is_some_and(|file| file.contains("morpion-game/1")));
}

#[test]
#[cfg(unix)]
fn an_agent_is_compared_with_the_methods() {
    let bench = Bench::new();
    let again = r#"*'"over":true'*) echo '{"new": "4D"}';;"#;
    let play = r#"*) echo '{"play": 0}';;"#;
    let agent = format!("while read -r state; do case $state in {again} {play} esac; done");
    bench.write("agent.sh", agent);
    let anytime = ["experiment", "anytime", "--game", "4D", "--for", "50ms", "--seeds", "2"];
    let with = |method| [&anytime[..], &["--method", method, "--method", "random"]].concat();
    let view = bench.run(&[&with("external:sh agent.sh")[..], &["--json"]].concat());
    let view = view.succeeds().json();
    assert_eq!(view["comparisons"][0]["what"], "4D external:sh agent.sh", "{view}");
    // It plays the same game over and over.
    let row = &view["comparisons"][0];
    assert!(row["least"] == row["longest"] && row["least"].as_u64() > Some(10), "{view}");
    for (method, expected) in [
        ("external:./nowhere", "cannot start the agent `./nowhere`"),
        ("external:sh a,b", "external:COMMAND"),
        ("nrap", "did you mean `nrpa`?"),
    ] {
        let refused = bench.run(&with(method)).fails().err;
        assert!(refused.contains(expected), "{refused}");
    }
}

#[test]
fn every_experiment_says_what_it_is() {
    let bench = Bench::new();
    let help = bench.run(&["experiment", "--help"]).succeeds().out;
    for row in bench.run(&["experiment", "--json"]).succeeds().json().as_array().expect("a list") {
        let [name, what] = ["name", "what"].map(|field| row[field].as_str().expect("a text"));
        let first = what.split(' ').next().expect("a word");
        let line = help.lines().find(|line| line.trim_start().starts_with(&format!("{name} ")));
        assert!(line.is_some_and(|line| line.contains(first)), "{name}: {help}");
    }
}

#[test]
fn few_runs_cannot_tell() {
    let bench = Bench::new();
    let nmcs = ["experiment", "nmcs", "--levels", "1", "--repeats", "3"];
    let ran = bench.run(&nmcs).succeeds().out;
    assert!(ran.contains("2 cannot tell: too few runs"), "{ran}");
    let nrpa = ["experiment", "nrpa", "--levels", "1", "--repeats", "3", "--json"];
    let view = bench.run(&nrpa).succeeds().json();
    assert_eq!((&view["runs"], view["claims"].as_array().map(Vec::len)), (&json!(6), Some(4)));
    let page = String::from_utf8(bench.read("out/nrpa/nrpa.md")).expect("UTF-8");
    assert!(page.contains("| 5D, longest game | 82: Rosin 2011"), "{page}");
}

#[test]
fn a_start_and_a_single_method_are_shown() {
    let bench = Bench::new();
    let start = bench.run(&["show", "5T"]).succeeds().out;
    assert_eq!(start.matches('●').count(), 36, "{start}");
    let one = bench.run(&["methods", "nrpa"]).succeeds().out;
    assert!(one.starts_with("nrpa: ") && !one.contains("nmcs: "), "{one}");
    assert!(bench.run(&["methods", "nrap"]).fails().err.contains("did you mean `nrpa`?"));
    let missing = bench.run(&["show", "nowhere.json"]).fails().err;
    assert!(missing.contains("nowhere.json: no such file") && !missing.contains("os error"));
}

#[test]
fn the_records_name_their_commands() {
    let rows = Bench::new().run(&["records", "--json"]).succeeds().json();
    for row in rows.as_array().expect("a list") {
        let command = row["command"].as_str().expect("a command");
        for file in command.split(' ').skip(2).filter(|word| word.contains('/')) {
            assert!(root().join(file).exists(), "{file}");
        }
        assert!(row["record"].is_object() != row["endless"].as_bool().expect("a flag"), "{row}");
    }
    let text = Bench::new().run(&["records"]).succeeds().out;
    assert!(text.contains("178, Rosin 2011"), "{text}");
    let one = Bench::new().run(&["records", "6D", "--json"]).succeeds().json();
    assert_eq!(one.as_array().map(Vec::len), Some(1), "{one}");
}
