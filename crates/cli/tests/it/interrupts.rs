//! Ctrl-C and SIGTERM: one rule for all commands. Exit code 130, and what is known is printed.

use std::io::{BufRead as _, BufReader};
use std::time::Duration;

use crate::common::{Bench, Ran, interrupt_after, start, terminate};
use crate::until::until;

/// Interrupts a command that takes long, later and later until what it printed is enough, however
/// busy the machine is.
#[track_caller]
fn interrupted(bench: &Bench, args: &[&str], is_enough: impl Fn(&Ran) -> bool) -> Ran {
    let delays = (0..9).map(|doubled| Duration::from_millis((1 << (2 * doubled)) - 1));
    let mut runs = delays.map(|delay| interrupt_after(start(bench.command(args)), delay));
    let ran = runs.find(|ran| is_enough(ran));
    ran.unwrap_or_else(|| panic!("{args:?} printed too little in a minute")).stops_interrupted()
}

#[test]
fn every_long_command_ends_with_130() {
    let bench = Bench::new();
    let proofs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../proofs");
    for args in [
        &["count", "5T", "--moves", "15"][..],
        &["count", "5T", "--moves", "15", "--sequences"],
        &["verify", proofs],
        &["bench", "--queue", "--rounds", "1000"],
        &["bench"],
        &["prove", "endless", "5D", "--start", "cross:6", "--effort", "100000000"],
    ] {
        let ran = interrupted(&bench, args, |_| true);
        assert!(ran.err.contains("interrupted"), "{args:?}: {}", ran.err);
    }
    assert_eq!(bench.files(), [""; 0]);
}

/// Supervisors signal a program and its group.
#[test]
fn a_signal_that_arrives_twice_is_one() {
    let bench = Bench::new();
    for out in ["1.json", "2.json", "3.json"] {
        let args = ["search", "5D", "--for", "10m", "--save-every", "50ms", "-o", out];
        let search = start(bench.command(&args));
        until(|| bench.path(&format!("{out}.state")).exists());
        terminate(&search);
        terminate(&search);
        let ended = Ran::of(search.wait_with_output().expect("it ends")).stops_interrupted();
        assert!(ended.out.contains("moves"), "{} {}", ended.out, ended.err);
    }
}

#[test]
fn counts_and_verdicts_that_are_known_are_printed() {
    let bench = Bench::new();
    let all = ["count", "5T", "--moves", "15", "--all"];
    interrupted(&bench, &all, |ran| ran.out.starts_with("1\n4\n"));
    let json = ["count", "5T", "--moves", "15", "--json"];
    let json = interrupted(&bench, &json, |ran| ran.out.contains("4")).json();
    assert_eq!(json["counts"][1], 4);
    let mut limited = (0..10).map(|doubled| {
        let time = format!("{}s", 1 << doubled);
        bench.run(&[&all[..], &["--for", &time]].concat()).ends_negative()
    });
    let limited = limited.find(|ran| ran.out.starts_with("1\n4\n")).expect("counts");
    assert!(limited.err.contains("the time is over"), "{}", limited.err);
    let proofs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../proofs");
    let verdicts = ["verify", proofs, "--json"];
    let verdicts = interrupted(&bench, &verdicts, |ran| !ran.out.is_empty()).json();
    assert!(verdicts.is_array());
}

#[test]
fn a_benchmark_prints_its_results_as_they_are_measured() {
    let bench = Bench::new();
    let mut child = start(bench.command(&["bench", "--rounds", "1"]));
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    out.read_line(&mut line).expect("a result");
    assert!(line.contains("/s"), "{line}");
    terminate(&child);
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}
