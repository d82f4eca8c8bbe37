//! Help, completions, manual pages, counts: what people read first.

use std::collections::BTreeSet;

use crate::common::Bench;

/// The commands that `morpion --help` lists.
fn commands(bench: &Bench) -> Vec<String> {
    let help = bench.run(&["--help"]).succeeds().out;
    let list = help.split("Usage: ").nth(1).expect("a list of commands");
    let list = list.split("Options:\n").next().expect("a list of commands");
    let first = |line: &str| line.strip_prefix("  ")?.split(' ').next().map(str::to_owned);
    let commands: Vec<String> =
        list.lines().filter_map(first).filter(|name| !name.is_empty() && name != "help").collect();
    assert!(commands.len() > 15, "{commands:?}");
    commands
}

#[test]
fn every_command_has_help() {
    let bench = Bench::new();
    for command in commands(&bench) {
        let help = bench.run(&[&command, "--help"]).succeeds().out;
        assert!(help.contains("Usage: morpion"), "{help}");
        if !["bench", "completions"].contains(&command.as_str()) {
            assert!(help.contains("Examples:"), "{help}");
        }
        // Sentences are wrapped at the end of a line, not in the middle of it.
        let text = help.split("Usage: ").next().expect("a text");
        for pair in text.lines().collect::<Vec<_>>().windows(2) {
            let next = pair[1].split(' ').next().unwrap_or_default();
            let is_broken = !pair[0].is_empty() && !next.is_empty() && !pair[1].starts_with(' ');
            let fits = pair[0].chars().count() + 1 + next.chars().count() <= 100;
            assert!(!(is_broken && fits), "{command}: broken after `{}`", pair[0]);
        }
        // A noun phrase or an imperative, wrapped by clap.
        let summary = help.lines().next().unwrap_or_default();
        let first = summary.split(' ').next().unwrap_or_default();
        assert!(!first.ends_with('s') || first.ends_with("ss"), "{summary}");
    }
}

#[test]
fn completions_and_manual_pages_are_made() {
    let bench = Bench::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(bench.run(&["completions", shell]).succeeds().out.contains("morpion"));
    }
    assert!(bench.run(&["man"]).succeeds().out.contains(".TH morpion"));
    bench.run(&["man", "--dir", "man1"]).succeeds();
    for command in commands(&bench) {
        assert!(bench.path(&format!("man1/morpion-{command}.1")).exists(), "{command}");
    }
}

#[test]
fn counts_are_printed_for_people_and_for_machines() {
    let bench = Bench::new();
    assert_eq!(bench.run(&["count", "5T", "--moves", "4"]).succeeds().out, "2741\n");
    let all = bench.run(&["count", "4D", "--moves", "3", "--unreduced", "--all"]).succeeds();
    assert_eq!(all.out, "1\n40\n764\n9392\n");
    let json =
        bench.run(&["count", "5D", "--moves", "3", "--sequences", "--json"]).succeeds().json();
    assert_eq!(json["counts"], serde_json::json!([1, 28, 740, 18416]));
    assert_eq!(json["kind"], "sequences");
    assert_eq!(json["game"], "5D");
}

/// The licences that the program may be built from.
const LICENCES: [&str; 10] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
    "CC0-1.0",
];

#[test]
fn every_dependency_has_a_licence_we_accept() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = std::process::Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let built_from = built_from(&metadata);
    assert!(built_from.len() > 10);
    for package in packages.iter().filter(|package| built_from.contains(&id_of(&package["id"]))) {
        let expression = package["license"].as_str().unwrap_or_default();
        // Good enough for the expressions in use: one alternative whose every part is accepted.
        let accepted = expression.replace('/', " OR ").split(" OR ").any(|alternative| {
            let parts = alternative.trim_matches(['(', ')', ' ']).split(" AND ");
            parts
                .map(|part| part.trim_matches(['(', ')', ' ']))
                .all(|part| LICENCES.contains(&part))
        });
        assert!(accepted, "{}: {expression}", package["name"]);
    }
}

/// The packages that the program and the judge are built from; those of tests only are left out.
fn built_from(metadata: &serde_json::Value) -> BTreeSet<String> {
    let nodes = metadata["resolve"]["nodes"].as_array().expect("packages with what they need");
    let mut open: Vec<String> =
        metadata["workspace_members"].as_array().expect("members").iter().map(id_of).collect();
    let mut found = BTreeSet::new();
    while let Some(id) = open.pop() {
        if !found.insert(id.clone()) {
            continue;
        }
        let node =
            nodes.iter().find(|node| id_of(&node["id"]) == id).expect("a package of the list");
        let needed = node["deps"].as_array().expect("needs").iter().filter(|dep| {
            dep["dep_kinds"].as_array().expect("kinds").iter().any(|kind| kind["kind"] != "dev")
        });
        open.extend(needed.map(|dep| id_of(&dep["pkg"])));
    }
    found
}

fn id_of(id: &serde_json::Value) -> String {
    id.as_str().expect("an id").to_owned()
}
