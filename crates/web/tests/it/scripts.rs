//! The scripts of the pages without a browser: their pure parts in Node, and their types.
//!
//! Node is no part of what this project needs; where it is missing, these tests say so and pass.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::path::Path;
use std::process::{Command, Output};

/// Runs a command in the folder of this crate; `None` if there is no such program.
fn run(program: &str, args: &[&str]) -> Option<Output> {
    Command::new(program).args(args).current_dir(env!("CARGO_MANIFEST_DIR")).output().ok()
}

#[track_caller]
fn assert_success(output: &Output) {
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_pure_parts_do_what_their_tests_say() {
    match run("node", &["--test", "tests/js"]) {
        Some(output) => {
            assert_success(&output);
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(text.contains("# fail 0") && !text.contains("# pass 0"), "{text}");
        }
        None => eprintln!("no Node here: the scripts were not tested"),
    }
}

/// TypeScript is fetched once into the build folder; without a registry the types are not checked.
#[test]
fn the_types_of_the_scripts_fit() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("typescript");
    let compiler = folder.join("node_modules/typescript/bin/tsc");
    if !compiler.exists() {
        let folder = folder.to_string_lossy();
        let args = ["install", "--silent", "--no-save", "--prefix", &folder, "typescript@5"];
        let fetched = run("npm", &args);
        if !fetched.is_some_and(|output| output.status.success()) || !compiler.exists() {
            eprintln!("no TypeScript here: the types of the scripts were not checked");
            return;
        }
    }
    let output = run("node", &[&compiler.to_string_lossy(), "-p", "."]).expect("Node ran npm");
    assert_success(&output);
}
