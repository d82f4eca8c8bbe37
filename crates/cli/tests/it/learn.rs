//! Trainings through the real binary: begun, killed, resumed, played with, refused.

use std::time::Duration;

use crate::common::{Bench, Ran, Random, interrupt_after, kill_after, start};

/// Parameters of a training of 5D that takes a few seconds.
const SMALL: [&str; 9] = [
    "board=16",
    "blocks=1",
    "channels=6",
    "dense=8",
    "iterations=6",
    "episodes=12",
    "group=4",
    "epochs=1",
    "final-simulations=3",
];

/// The arguments of such a training, with other values for some parameters.
fn training(folder: &str, others: &[&str], more: &[&str]) -> Vec<String> {
    let name = |parameter: &str| parameter.split('=').next().map(str::to_owned);
    let kept = SMALL.iter().filter(|p| others.iter().all(|other| name(other) != name(p)));
    let parameters = kept.chain(others).flat_map(|&parameter| ["-p", parameter]);
    let begin = ["learn", "train", "5D", "--seed", "4", "--out", folder];
    begin.into_iter().chain(parameters).chain(more.iter().copied()).map(str::to_owned).collect()
}

fn train(bench: &Bench, folder: &str, others: &[&str], more: &[&str]) -> Ran {
    let args = training(folder, others, more);
    bench.run(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_training_that_is_killed_again_and_again_ends_with_the_same_weights() {
    let bench = Bench::new();
    let whole = train(&bench, "whole", &[], &["--threads", "2", "--json"]).succeeds().json();
    assert_eq!((&whole["iterations"], &whole["over"]), (&6.into(), &true.into()));
    let begin = training("cut", &[], &["--threads", "2"]);
    let begin: Vec<&str> = begin.iter().map(String::as_str).collect();
    let resume = ["learn", "resume", "cut", "--threads", "1"];
    let (mut random, mut killed) = (Random(777), 0);
    // Longer and longer, so that it comes to its end on any machine.
    for round in 1_u32.. {
        let begun = bench.path("cut/training.state").exists();
        let child = start(bench.command(if begun { &resume[..] } else { &begin }));
        let time = Duration::from_millis(random.below(80 << round.min(10)) as u64);
        if let Some(ran) = kill_after(child, time) {
            ran.succeeds();
            break;
        }
        killed += 1;
    }
    assert!(killed > 2, "{killed}");
    assert!(bench.read("cut/model.net") == bench.read("whole/model.net"), "other weights");
    let report = |folder: &str| bench.run(&["learn", "report", folder, "--json"]).succeeds().json();
    let (cut, whole) = (report("cut"), report("whole"));
    for (cut, whole) in cut["curve"]
        .as_array()
        .expect("a list")
        .iter()
        .zip(whole["curve"].as_array().expect("a list"))
    {
        for field in ["mean", "error", "longest", "best", "threshold", "policy_loss", "samples"] {
            assert_eq!(cut[field], whole[field], "{field}");
        }
    }
    let best = bench.run(&["verify", "--json", "cut/best.json"]).succeeds().json();
    assert_eq!(best[0]["moves"], cut["best"]);
    assert!(String::from_utf8(bench.read("cut/curve.svg")).expect("text").contains("<svg"));
    assert_eq!(bench.read("cut/curve.csv").iter().filter(|&&b| b == b'\n').count(), 7);
    // More iterations can be asked for.
    let more = ["learn", "resume", "cut", "--iterations", "7", "--json"];
    assert_eq!(bench.run(&more).succeeds().json()["iterations"], 7);
}

#[test]
fn a_network_plays_and_searches() {
    let bench = Bench::new();
    train(&bench, "t", &["iterations=1"], &[]).succeeds();
    let play =
        ["learn", "play", "--model", "t/model.net", "--games", "20", "--seed", "3", "--json"];
    let ran = bench.run(&[&play[..], &["--out", "game.json"]].concat());
    let contest = ran.json();
    let better = contest["better"].as_bool().expect("yes or no");
    assert_eq!(ran.code, Some(if better { 0 } else { 1 }));
    assert!(contest["trained"]["mean"].as_f64().expect("a number") > 20.0);
    let saved = bench.run(&["verify", "--json", "game.json"]).succeeds().json();
    assert_eq!(saved[0]["moves"], contest["trained"]["best"]);
    let again = bench.run(&[&play[..], &["--threads", "1"]].concat()).json();
    assert_eq!(again["trained"]["mean"], contest["trained"]["mean"]);
    let long = ["learn", "play", "--model", "t/model.net", "--games", "1000000", "--json"];
    // However busy the machine is: as long as it takes until some games are over.
    let limited = (0..10)
        .map(|doubled| bench.run(&[&long[..], &["--for", &format!("{}s", 1 << doubled)]].concat()))
        .find(|ran| !ran.out.is_empty())
        .expect("some games are over after 512 s");
    assert!(matches!(limited.code, Some(0 | 1)), "{}", limited.err);
    let games = limited.json()["games"].as_u64().expect("games");
    assert!((32..1_000_000).contains(&games), "{games}");
    assert!(limited.err.contains("stopped after"), "{}", limited.err);
    // At any moment: before the first turn is over or after it.
    let short = bench.run(&[&long[..], &["--for", "1ms"]].concat());
    let is_told = short.err.contains("the time is over") || short.err.contains("stopped after");
    assert!(is_told && matches!(short.code, Some(0 | 1)), "{}", short.err);
    let delay = std::time::Duration::from_secs(2);
    let stopped = interrupt_after(start(bench.command(&long)), delay).stops_interrupted();
    let has_result = !stopped.out.is_empty() && stopped.json()["games"].as_u64() > Some(0);
    assert!(has_result || stopped.err.contains("the best so far has"), "{}", stopped.err);

    let search = ["search", "5D", "--model", "t/model.net", "--seed", "1", "--json", "--playouts"];
    let learned = ["40", "--method", "learned", "-p", "group=8"];
    let found = bench.run(&[&search[..], &learned].concat()).succeeds().json();
    assert_eq!((&found["method"], &found["verified"]), (&"learned".into(), &true.into()));
    assert!(found["score"].as_u64().expect("a number") > 40);
    let tree = ["2", "--method", "learned", "-p", "simulations=4", "--threads", "1"];
    bench.run(&[&search[..], &tree].concat()).succeeds();
    let from = [&search[..], &["1", "--method", "learned", "--from", "game.json", "--keep", "9"]];
    bench.run(&from.concat()).succeeds();
    let nrpa = ["2000", "--method", "nrpa", "-p", "level=2", "--threads", "1"];
    let found = bench.run(&[&search[..], &nrpa].concat()).succeeds().json();
    assert_eq!(found["method"], "nrpa-informed");
    bench.run(&["methods"]).succeeds().out.find("learned").expect("it is listed");
}

#[test]
fn a_training_goes_on_with_other_values_and_its_best_game_is_kept() {
    let bench = Bench::new();
    let whole = ["iterations=1", "imitate=1", "whole=1", "elite=3"];
    train(&bench, "t", &whole, &["--archive", "a"]).succeeds();
    let changed = ["-p", "rate=0.0001", "-p", "elite=2", "--iterations", "2"];
    bench.run(&[&["learn", "resume", "t", "--archive", "a"], &changed[..]].concat()).succeeds();
    let report = bench.run(&["learn", "report", "t", "--json"]).succeeds().json();
    let parameters = &report["parameters"];
    assert_eq!((&parameters["rate"], &parameters["elite"]), (&0.0001.into(), &2.0.into()));
    let kept = bench.run(&["store", "best", "--archive", "a", "--json"]).succeeds().json();
    assert_eq!(kept[0]["best"]["score"], report["best"], "{kept}");
    assert_eq!(kept[0]["best"]["finds"], 1, "{kept}");
    let fixed = bench.run(&["learn", "resume", "t", "-p", "channels=8"]).fails();
    assert!(fixed.err.contains("channels is part of the network"), "{}", fixed.err);
}

#[test]
fn games_of_others_teach() {
    let bench = Bench::new();
    bench.find("5D", "good.json");
    let taught = ["iterations=1", "board=22"];
    train(&bench, "t", &taught, &["--teacher", "good.json"]).succeeds();
    bench.find("5T", "other.json");
    let told = train(&bench, "u", &[], &["--teacher", "other.json"]).fails();
    assert!(told.err.contains("other.json"), "{}", told.err);
    assert!(!bench.path("u").exists());
}

#[test]
fn damaged_and_foreign_models_are_refused_with_words() {
    let bench = Bench::new();
    train(&bench, "t", &["iterations=1"], &[]).succeeds();
    let refused = |file: &str| {
        let ran = bench.run(&["learn", "play", "--model", file]).fails();
        assert!(ran.err.contains(file), "{}", ran.err);
        ran.err
    };
    let good = bench.read("t/model.net");
    let mut damaged = good.clone();
    damaged[good.len() / 2] ^= 4;
    bench.write("damaged.net", &damaged);
    assert!(refused("damaged.net").contains("damaged"));
    bench.write("short.net", &good[..good.len() / 2]);
    assert!(refused("short.net").contains("damaged"));
    bench.write("foreign.net", b"PK\x03\x04 something else");
    assert!(refused("foreign.net").contains("not a model"));
    refused("missing.net");
    bench.write("t/training.state", &damaged);
    assert!(bench.run(&["learn", "resume", "t"]).fails().err.contains("damaged"));
    bench.write("t/training.state", &good);
    assert!(bench.run(&["learn", "resume", "t"]).fails().err.contains("a model only"));
    bench.write("model.net", &good);
    for (args, expected) in [
        (&["5T", "--method", "learned", "--model", "model.net"][..], "trained for 5D"),
        (&["5D", "--method", "learned"], "needs --model"),
        (&["5D", "--method", "sa", "--model", "model.net"], "does not use --model"),
        (&["5D", "--model", "model.net"], "--method learned or --method nrpa"),
        (&["5D", "--method", "learned", "--model", "model.net", "-p", "x=1"], "no parameter"),
        (
            &["5D", "--method", "nrpa", "--model", "model.net", "--out", "o.json", "--resume"],
            "cannot be resumed",
        ),
    ] {
        let ran = bench.run(&[&["search"], args].concat()).fails();
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
}

#[test]
fn learning_that_goes_out_of_bounds_stops_and_keeps_the_last_good_state() {
    let bench = Bench::new();
    // Steps so long that numbers leave their range.
    let wild = ["rate=10", "epochs=50", "dense=64", "blocks=20"];
    let ran = train(&bench, "w", &wild, &[]).fails();
    assert!(ran.err.contains("is not finite"), "{}", ran.err);
    assert!(ran.err.contains("holds the training run as of"), "{}", ran.err);
    bench.run(&["learn", "report", "w"]).succeeds();
}

#[test]
fn bad_wishes_are_refused_before_any_work() {
    let bench = Bench::new();
    for (more, expected) in [
        (&["-p", "bord=3"][..], "no parameter `bord`"),
        (&["-p", "rate=x"], "rate"),
        (&["--preset", "huge"], "unknown preset `huge`"),
        (&["-p", "rewards"], "NAME=VALUE"),
    ] {
        let args = [&["learn", "train", "5D", "--out", "t"], more].concat();
        let ran = bench.run(&args).fails();
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
    let args = ["learn", "train", "5D", "--out", "t", "-p", "board=8"];
    assert!(bench.run(&args).fails().err.contains("the start needs 10"));
    assert!(!bench.path("t").exists());
    assert!(bench.run(&["learn", "resume", "t"]).fails().err.contains("no training run"));
    train(&bench, "t", &["iterations=1"], &[]).succeeds();
    assert!(train(&bench, "t", &[], &[]).fails().err.contains("already holds a training run"));
    assert!(bench.run(&["learn", "parameters", "--json"]).succeeds().json().is_array());
}
