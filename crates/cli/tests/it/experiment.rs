//! Experiments through the real binary: files, resuming, refusals.

use std::path::Path;

use serde_json::Value;

use crate::common::{Bench, Ran, start};
use crate::until::until;

/// A small experiment, over in seconds.
const SMALL: [&str; 6] = ["experiment", "table2", "--sizes", "1000,10000", "--repeats", "3"];

/// What of a file of results does not depend on the clock.
fn scores(bench: &Bench, file: &str) -> Vec<String> {
    let text = String::from_utf8(bench.read(file)).expect("text");
    let timeless = |line: &str| line.rsplit_once(',').map_or(line, |(rest, _)| rest).to_owned();
    text.lines().map(timeless).collect()
}

fn rows(path: &Path) -> usize {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().filter(|line| line.starts_with(['4', '5'])).count()
}

#[test]
fn the_list_tells_every_experiment_and_its_cost() {
    let bench = Bench::new();
    let text = bench.run(&["experiment"]).succeeds().out;
    let list = bench.run(&["experiment", "--json"]).succeeds().json();
    let names = [
        "table1", "readings", "table2", "table3", "fig4", "fig5", "long", "prefix", "nmcs", "nrpa",
        "r2", "anytime", "chance", "starts", "boards", "scale", "all",
    ];
    for (number, name) in names.into_iter().enumerate() {
        assert!(text.contains(name), "{text}");
        assert_eq!(list[number]["name"], name);
        assert!(list[number]["cpu_seconds"].as_f64() > list[number]["quick_cpu_seconds"].as_f64());
        let help = bench.run(&["experiment", name, "--help"]).succeeds().out;
        assert!(help.contains("--quick"), "{help}");
    }
    assert_eq!(bench.files(), [""; 0]);
}

#[test]
fn an_experiment_writes_its_runs_a_comparison_and_a_picture() {
    let bench = Bench::new();
    let told = bench.run(&[&SMALL[..], &["--json", "--threads", "2"]].concat()).succeeds().json();
    assert_eq!(told["experiment"], "table2");
    assert_eq!(told["runs"], 4 * 2 * 3);
    assert_eq!(told["comparisons"].as_array().map(Vec::len), Some(8));
    let published = &told["comparisons"][1];
    assert_eq!(published["what"], "4D 1.8 10^4");
    assert_eq!(published["published"], 32.1);
    assert_eq!(published["verdict"], "cannot tell", "three runs are too few");
    assert_eq!(told["comparisons"][0]["verdict"], Value::Null, "1000 steps were not published");
    assert_eq!(rows(&bench.path("out/table2/table2.csv")), 24);
    let markdown = String::from_utf8(bench.read("out/table2/table2.md")).expect("text");
    assert!(markdown.contains("## The test") && markdown.contains("| 4D | 1.8 | 10^4 |"));
    let picture = String::from_utf8(bench.read("out/table2/table2.svg")).expect("text");
    roxmltree::Document::parse(&picture).expect("well-formed");
    assert_eq!(std::fs::read_dir(bench.path("out/table2")).expect("a folder").count(), 3);

    // One thread finds the same, and so does the command that the page gives.
    bench.run(&[&SMALL[..], &["--threads", "1", "--out", "one"]].concat()).succeeds();
    assert_eq!(scores(&bench, "out/table2/table2.csv"), scores(&bench, "one/table2.csv"));
    let line = markdown.lines().find(|line| line.starts_with("morpion search 5T"));
    let (command, comment) = line.and_then(|line| line.split_once("  # ")).expect("a command");
    let args: Vec<&str> = command.split(' ').skip(1).chain(["--json"]).collect();
    let found = bench.run(&args).succeeds().json();
    assert_eq!(format!("{} moves", found["score"]), comment);
}

#[test]
fn nested_search_is_compared_level_by_level() {
    let bench = Bench::new();
    let args = ["experiment", "nmcs", "--levels", "1", "--repeats", "10", "--json"];
    let told = bench.run(&args).succeeds().json();
    assert_eq!(told["runs"], 2 * 10);
    assert_eq!(told["comparisons"][0]["what"], "5D level 1");
    assert_eq!(told["comparisons"][0]["published"], 61.0);
    assert!(told["comparisons"][1]["verdict"].is_string());
    let markdown = String::from_utf8(bench.read("out/nmcs/nmcs.md")).expect("text");
    assert!(markdown.contains("| 5T | 1 |"), "{markdown}");
    // The command that the page gives finds the game again.
    let line = markdown.lines().find(|line| line.starts_with("morpion search 5D"));
    let (command, comment) = line.and_then(|line| line.split_once("  # ")).expect("a command");
    let args: Vec<&str> = command.split(' ').skip(1).chain(["--json"]).collect();
    let found = bench.run(&args).succeeds().json();
    assert_eq!(format!("{} moves", found["score"]), comment);
    bench.run(&["experiment", "nmcs", "--levels", "10"]).fails();
}

#[test]
fn other_settings_and_damage_are_refused() {
    let bench = Bench::new();
    bench.run(&[&SMALL[..], &["--out", "here"]].concat()).succeeds();
    let whole = bench.read("here/table2.csv");
    let cases: [(&[&str], &str); 4] = [
        (
            &["experiment", "table2", "--sizes", "1000,10000", "--repeats", "3", "--seed", "2"],
            "seed",
        ),
        (&["experiment", "table2", "--sizes", "1000", "--repeats", "3"], "steps"),
        (&["experiment", "table2", "--sizes", "1000,10000", "--repeats", "2"], "line"),
        (&["experiment", "table2", "--quick"], "steps"),
    ];
    for (args, reason) in cases {
        let ran = bench.run(&[args, &["--out", "here"]].concat()).fails();
        assert!(ran.err.contains("here/table2.csv") && ran.err.contains(reason), "{}", ran.err);
        assert_eq!(bench.read("here/table2.csv"), whole);
    }
    let text = String::from_utf8(whole).expect("text");
    bench.write("here/table2.csv", text.replacen("4D,1.8,1000,1,", "4D,1.8,1000,one,", 1));
    let ran = bench.run(&[&SMALL[..], &["--out", "here"]].concat()).fails();
    assert!(ran.err.contains("here/table2.csv, line 8"), "{}", ran.err);
    // More repeats go on, and a cut last line is made again.
    bench.write("here/table2.csv", &text[..text.len() - 9]);
    let more = ["experiment", "table2", "--sizes", "1000,10000", "--repeats", "4", "--out", "here"];
    bench.run(&more).succeeds();
    bench.run(&[&more[..7], &["fresh"]].concat()).succeeds();
    assert_eq!(scores(&bench, "here/table2.csv"), scores(&bench, "fresh/table2.csv"));
}

/// Runs in the background until the file has this many rows.
fn begun(bench: &Bench, args: &[&str], file: &str, least: usize) -> std::process::Child {
    let child = start(bench.command(args));
    until(|| rows(&bench.path(file)) >= least);
    child
}

#[test]
#[cfg(unix)]
fn a_killed_experiment_goes_on_where_it_was() {
    let bench = Bench::new();
    let args = ["experiment", "fig4", "--sizes", "3000", "--repeats", "10", "--out"];
    let killed = [&args[..], &["killed", "--threads", "2"]].concat();
    for least in [20, 200, 500] {
        let mut child = begun(&bench, &killed, "killed/fig4.csv", least);
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        assert!(!bench.path("killed/fig4.md").exists(), "it was not over yet");
    }
    let kept = rows(&bench.path("killed/fig4.csv"));
    assert!((500..1000).contains(&kept), "{kept}");
    bench.run(&killed).succeeds();
    bench.run(&[&args[..], &["whole", "--threads", "3"]].concat()).succeeds();
    assert_eq!(scores(&bench, "killed/fig4.csv"), scores(&bench, "whole/fig4.csv"));
    assert_eq!(rows(&bench.path("killed/fig4.csv")), 1000);
}

#[test]
#[cfg(unix)]
fn a_signal_stops_an_experiment_which_keeps_its_runs() {
    let bench = Bench::new();
    let args = ["experiment", "fig4", "--sizes", "20000", "--out", "here", "--threads", "1"];
    let child = begun(&bench, &args, "here/fig4.csv", 5);
    let pid = child.id().to_string();
    let busy = bench.run(&args).fails();
    assert!(busy.err.contains("another run"), "{}", busy.err);
    let told = std::process::Command::new("sh").args(["-c", &format!("kill -TERM {pid}")]).status();
    assert!(told.expect("a shell").success());
    let ran = Ran::of(child.wait_with_output().expect("it ends")).stops_interrupted();
    assert!(ran.err.contains("the same command resumes"), "{}", ran.err);
    assert!(rows(&bench.path("here/fig4.csv")) >= 5);
}

#[test]
fn table_3_makes_what_is_missing_and_takes_the_best() {
    let bench = Bench::new();
    let args =
        ["experiment", "table3", "--quick", "--repeats", "1", "--out", "all/table3", "--json"];
    let told = bench.run(&args).succeeds().json();
    assert_eq!(told["experiment"], "table3");
    assert_eq!(told["claims"].as_array().map(Vec::len), Some(12));
    let best = String::from_utf8(bench.read("all/table3/table3.csv")).expect("text");
    assert_eq!(best.lines().count(), 13);
    for name in ["table1", "table2", "fig4", "fig5", "table3"] {
        for ending in ["csv", "md", "svg"] {
            assert!(bench.path(&format!("all/{name}/{name}.{ending}")).exists(), "{name}.{ending}");
        }
    }
    // All runs are there: `all` only tells them again.
    let args = ["experiment", "all", "--quick", "--repeats", "1", "--out", "all", "--json"];
    let all = bench.run(&args).succeeds().json();
    assert_eq!(all.as_array().map(Vec::len), Some(5));
    assert_eq!(bench.read("all/table3/table3.csv"), best.as_bytes());
}

#[test]
fn annealing_goes_on_from_the_first_moves_of_a_game() {
    let bench = Bench::new();
    bench.find("4T", "game.json");
    let args = ["experiment", "prefix", "--from", "game.json", "--quick", "--steps", "2000"];
    let told = bench.run(&[&args[..], &["--keep", "20,30", "--json"]].concat()).succeeds().json();
    assert_eq!(told["runs"], 10);
    let markdown = String::from_utf8(bench.read("out/prefix/prefix.md")).expect("text");
    assert!(markdown.contains("| 20 |") && markdown.contains("| 30 |"), "{markdown}");
    let line = markdown.lines().find(|line| line.starts_with("morpion search 4T"));
    let (command, comment) = line.and_then(|line| line.split_once("  # ")).expect("a command");
    let command = command.replace("FILE", "game.json");
    let args: Vec<&str> = command.split(' ').skip(1).chain(["--json"]).collect();
    let found = bench.run(&args).succeeds().json();
    assert_eq!(format!("{} moves", found["score"]), comment);
}

#[test]
fn methods_are_compared_by_processor_time() {
    let bench = Bench::new();
    let args = ["experiment", "anytime", "--for", "60ms", "--seeds", "3", "--game", "4D"];
    let more = ["--method", "random", "--method", "sa:t0=2,t1=2", "--target", "4D=20", "--json"];
    let told = bench.run(&[&args[..], &more].concat()).succeeds().json();
    assert_eq!(told["runs"], 6);
    assert_eq!(told["comparisons"][1]["what"], "4D sa t0=2 t1=2");
    let text = String::from_utf8(bench.read("out/anytime/anytime.csv")).expect("text");
    for line in text.lines().filter(|line| line.starts_with("4D,")) {
        let values: Vec<&str> = line.split(',').collect();
        let last = values[7].rsplit_once(':').map(|(_, score)| score);
        assert_eq!(last, Some(values[4]), "{line}");
        let seconds: f64 = values[6].parse().expect("a number");
        assert!((0.06..1.0).contains(&seconds), "{line}");
    }
    let markdown = String::from_utf8(bench.read("out/anytime/anytime.md")).expect("text");
    assert!(markdown.contains("| share of 20 |") && markdown.contains("until 20"), "{markdown}");
}

#[cfg(unix)]
#[test]
fn an_agent_without_a_result_is_refused_and_named() {
    let bench = Bench::new();
    bench.write("crash.sh", "read state; echo '{\"play\": 0}'; read state; echo oops; exit 7");
    bench.write("sleep.sh", "read state; echo '{\"play\": 0}'; exec sleep 100");
    let run = |command: &str, time: &str| {
        let method = format!("external:{command}");
        let args = ["experiment", "anytime", "--game", "5D", "--for", time, "--seeds", "1"];
        bench.run(&[&args[..], &["--method", &method, "--out", "runs", "--json"]].concat())
    };
    for (command, time, reason) in [
        ("sh nofile.sh", "60s", "the agent `sh nofile.sh` failed with exit code"),
        ("true", "60s", "ended with exit code 0 before it had played a move; it sent nothing"),
        ("echo hello", "60s", "its last reply was `hello`"),
        ("sh crash.sh", "60s", "failed with exit code 7; its last reply was `oops`"),
        ("yes", "60s", "sent 100 bad requests in a row"),
        ("sleep 100", "100ms", "had not played a move when its time was over"),
    ] {
        let no = run(command, time).fails();
        assert!(no.err.contains(reason), "{command}: {}", no.err);
        let text = String::from_utf8(bench.read("runs/anytime.csv")).expect("text");
        assert!(!text.lines().any(|line| line.starts_with("5D,")), "{command}: {text}");
        std::fs::remove_dir_all(bench.path("runs")).expect("a folder");
    }
    // It has a score, of one move, once it has had the time to play it.
    let scored = (0..6).map(|doubled| run("sh sleep.sh", &format!("{}ms", 100 << doubled)));
    let scored = scored.into_iter().find(|ran| ran.code == Some(0)).expect("it plays a move");
    assert_eq!(scored.json()["runs"], 1);
}

#[test]
fn bad_flags_are_errors_before_any_work() {
    let bench = Bench::new();
    bench.find("4D", "game.json");
    bench.write("dots.txt", "4D\n10,0 13,0\n");
    let cases: &[&[&str]] = &[
        &["no-such-experiment"],
        &["table1", "--repeats", "0"],
        &["table1", "--repeats", "-1"],
        &["table1", "--threads", "0"],
        &["table1", "--seed", "x"],
        &["table1", "--sizes", "0"],
        &["table1", "--sizes", "10,,100"],
        &["table1", "--sizes", "ten"],
        &["table1", "--method", "sa"],
        &["table3", "--sizes", "10"],
        &["table1", "--out", "game.json"],
        &["--json", "table1"],
        &["prefix"],
        &["prefix", "--from", "no-such-file"],
        &["prefix", "--from", "dots.txt"],
        &["prefix", "--from", "game.json", "--game", "5T"],
        &["prefix", "--from", "game.json", "--keep", "999"],
        &["prefix", "--from", "game.json", "--keep", "x"],
        &["prefix", "--from", "game.json", "--steps", "0"],
        &["prefix", "--from", "game.json", "--temperature", "nan"],
        &["prefix", "--from", "game.json", "--temperature", "-1"],
        &["anytime", "--for", "0s"],
        &["anytime", "--for=-5s"],
        &["anytime", "--seeds", "0"],
        &["anytime", "--game", "5X"],
        &["anytime", "--method", "no-such-method"],
        &["anytime", "--method", "sa:t0"],
        &["anytime", "--method", "sa:t0=nan"],
        &["anytime", "--method", "sa:no=1"],
        &["anytime", "--method", "sa", "--method", "sa"],
        &["anytime", "--target", "x"],
        &["anytime", "--target", "5X=3"],
        &["all", "--from", "no-such-file"],
        &["scale", "--cores", "0"],
        &["scale", "--rate", "0"],
        &["scale", "--rate", "nan"],
        &["scale", "--slow", "101"],
        &["scale", "--boards", "no-such-file"],
        &["scale", "--boards", "dots.txt"],
        &["scale", "--hunt", "dots.txt:82"],
        &["scale", "--hunt", "game.json"],
    ];
    for args in cases {
        bench.run(&[&["experiment"], *args].concat()).fails();
    }
    assert_eq!(bench.files(), ["dots.txt", "game.json"], "nothing is left behind");
}

#[test]
fn a_simulated_cluster_is_the_same_every_time_and_faster_with_more_cores() {
    let bench = Bench::new();
    let run = |out: &str, seed: &str| {
        let args = ["experiment", "scale", "--cores", "10,1000", "--repeats", "2", "--json"];
        bench.run(&[&args[..], &["--seed", seed, "--out", out]].concat()).succeeds().json()
    };
    let (first, again) = (run("a", "1"), run("b", "1"));
    assert_eq!(first["rows"], again["rows"]);
    for file in ["scale.csv", "scale.md", "scale.svg"] {
        let [a, b] = ["a", "b"].map(|out| bench.read(&format!("{out}/{file}")));
        assert_eq!(a, b, "{file}");
    }
    assert_ne!(first["rows"], run("c", "2")["rows"]);
    let rows = first["rows"].as_array().expect("rows");
    let wall = |row: &Value| row["wall_seconds"].as_f64().expect("seconds");
    for pair in rows.chunks(2) {
        assert_eq!(pair[0]["job"], pair[1]["job"]);
        // A hunt may be over with ten cores as soon as it can be: then more have to be handed
        // tasks, too.
        assert!(wall(&pair[0]) > 0.99 * wall(&pair[1]), "{pair:?}");
    }
    assert!(rows.chunks(2).any(|pair| wall(&pair[0]) > 10.0 * wall(&pair[1])), "{rows:?}");
    let svg = String::from_utf8(bench.read("a/scale.svg")).expect("text");
    assert!(roxmltree::Document::parse(&svg).is_ok());
}
