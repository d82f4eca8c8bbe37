//! Ctrl-C and SIGTERM: one rule for all commands. Exit code 130, and what is known is printed.

use std::io::{BufRead as _, BufReader};

use crate::common::{Bench, Ran, start, terminate};
use crate::until::until;

/// Stops a command as soon as it has taken over SIGTERM, and returns how it ended.
fn stopped(bench: &Bench, args: &[&str]) -> Ran {
    let child = start(bench.command(args));
    let status = format!("/proc/{}/status", child.id());
    until(|| {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap_or("0").trim(), 16).expect("a mask");
        // SIGTERM is 15, the first bit is 1.
        caught >> 14 & 1 == 1
    });
    terminate(&child);
    Ran::of(child.wait_with_output().expect("it ends")).stops_interrupted()
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
        &["reduce", "gadgets", "--length", "16"],
        &["bound", "5T", "--boards"],
        &["prove", "endless", "5D", "--effort", "100000000"],
    ] {
        let ran = stopped(&bench, args);
        assert!(ran.err.contains("interrupted"), "{args:?}: {}", ran.err);
    }
    assert_eq!(bench.files(), [""; 0]);
}

/// Stops a command that takes much longer than this moment.
fn stopped_at_work(bench: &Bench, args: &[&str]) -> Ran {
    let child = start(bench.command(args));
    let began = std::time::Instant::now();
    until(|| began.elapsed().as_millis() >= 1500);
    terminate(&child);
    Ran::of(child.wait_with_output().expect("it ends")).stops_interrupted()
}

#[test]
fn counts_and_verdicts_that_are_known_are_printed() {
    let bench = Bench::new();
    let all = ["count", "5T", "--moves", "15", "--all"];
    let rows = stopped_at_work(&bench, &all).out;
    assert!(rows.starts_with("1\n4\n"), "{rows}");
    let json = stopped_at_work(&bench, &["count", "5T", "--moves", "15", "--json"]).json();
    assert_eq!(json["counts"][1], 4);
    let limited = bench.run(&[&all[..], &["--for", "1s"]].concat()).ends_negative();
    assert!(limited.out.starts_with("1\n4\n") && limited.err.contains("the time is over"));
    let proofs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../proofs");
    let verdicts = stopped(&bench, &["verify", proofs, "--json"]).json();
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
