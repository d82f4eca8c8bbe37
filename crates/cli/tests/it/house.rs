//! The map of the workspace: what ARCHITECTURE.md and CONTRIBUTING.md promise about the source.
//!
//! Each test reads the checked-in files and lists every violation at once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use regex_lite::Regex;
use serde_json::Value;

/// Public type names that more than one crate may use.
const SHARED_NAMES: [&str; 5] = ["Args", "Error", "Event", "OnEvent", "Row"];

/// Words that the glossary of CONTRIBUTING.md replaces.
const WORDS: &str = concat!(
    r"(?i)\b(signs? of life|clean no|told apart|processor time|whole numbers?|",
    r"graphics cards?|in vain)\b"
);

/// Lines that may keep such a word: keys and sentences of file formats.
const FROZEN: &str = include_str!("frozen-words.txt");

/// The files that may replace another file.
const RENAMES: [&str; 2] = ["crates/queue/src/spool.rs", "crates/store/src/files.rs"];

/// The files that may start threads of their own: the pools, and what measures or tests several
/// workers at once.
const POOLS: [&str; 7] = [
    "crates/experiment/src/bench/queue.rs",
    "crates/hunt/src/workers.rs",
    "crates/lab/src/jobs/worker.rs",
    "crates/lab/src/parts.rs",
    "crates/learn/src/parallel.rs",
    "crates/queue/src/laws.rs",
    "crates/rules/src/count/positions.rs",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below a folder whose names end like this, by their paths from the root.
fn files(folder: &str, ending: &str) -> BTreeMap<String, String> {
    let (root, mut open, mut found) = (root(), vec![PathBuf::from(folder)], BTreeMap::new());
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(root.join(&folder)).expect("a folder");
        for entry in entries.map(|entry| entry.expect("an entry")) {
            let path = folder.join(entry.file_name());
            let name = path.to_string_lossy().into_owned();
            if entry.file_type().expect("a type").is_dir() {
                open.push(path);
            } else if name.ends_with(ending) {
                found.insert(name, fs::read_to_string(entry.path()).expect("UTF-8"));
            }
        }
    }
    found
}

/// The Rust files of all crates: `crates/NAME/src/...`.
fn sources() -> BTreeMap<String, String> {
    let mut all = files("crates", ".rs");
    all.retain(|path, _| path.split('/').nth(2) == Some("src"));
    assert!(all.len() > 100, "the sources are where they are looked for");
    all
}

#[track_caller]
fn assert_none(violations: &[String], rule: &str) {
    assert!(
        violations.is_empty(),
        "{rule}; {} found:\n{}",
        violations.len(),
        violations.join("\n")
    );
}

/// The crates of the workspace and those of ours that each depends on, tests aside.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let short = |name: &Value| text(name).trim_start_matches("morpion-").to_owned();
    let packages = metadata["packages"].as_array().expect("packages");
    let ours: BTreeSet<String> = packages.iter().map(|package| text(&package["name"])).collect();
    let of = |package: &Value| {
        let all = package["dependencies"].as_array().expect("dependencies").iter();
        all.filter(|it| it["kind"] != "dev" && ours.contains(&text(&it["name"])))
            .map(|it| short(&it["name"]))
            .collect()
    };
    packages.iter().map(|package| (short(&package["name"]), of(package))).collect()
}

/// The table has every crate, with the crates of ours it uses, all of them above it. `UPDATE=1`
/// writes the last column.
#[test]
fn the_table_of_crates_is_what_cargo_builds() {
    let file = root().join("ARCHITECTURE.md");
    let page = fs::read_to_string(&file).expect("a page");
    let row = Regex::new(r"^(\| \[`([\w-]+)`\]\(crates/[\w-]+\) \|[^|]*\| )([^|]+) \|$");
    let row = row.expect("a pattern");
    let (built, mut above) = (dependencies(), Vec::new());
    let (mut wrong, mut updated) = (Vec::new(), String::new());
    for line in page.lines() {
        let Some(cells) = row.captures(line) else {
            updated.push_str(&format!("{line}\n"));
            continue;
        };
        let name = &cells[2];
        let Some(uses) = built.get(name) else {
            wrong.push(format!("{name} is no crate"));
            continue;
        };
        let below = uses.iter().filter(|name| !above.contains(*name));
        wrong.extend(below.map(|other| format!("{name} uses {other}, which is not above it")));
        let listed: Vec<&str> =
            above.iter().filter(|it| uses.contains(*it)).map(String::as_str).collect();
        let listed = if listed.is_empty() { "-".to_owned() } else { listed.join(", ") };
        if cells[3] != listed {
            wrong.push(format!("{name} uses {listed}, not {}", &cells[3]));
        }
        updated.push_str(&format!("{}{listed} |\n", &cells[1]));
        above.push(name.to_owned());
    }
    let missing = built.keys().filter(|name| !above.contains(name));
    wrong.extend(missing.map(|name| format!("{name} is missing")));
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, updated).expect("written");
        return;
    }
    assert_none(&wrong, "ARCHITECTURE.md lists every crate with the crates it uses");
}

#[test]
fn the_verifier_uses_no_crate_of_ours() {
    assert_eq!(dependencies()["verify"], BTreeSet::new());
}

/// A violation of a rule: the rule, what identifies it in `house-debt.txt`, and where it is.
type Violation = (&'static str, String, String);

/// The first part of every line that a pattern matches, with its place.
fn lines(rule: &'static str, sources: &BTreeMap<String, String>, pattern: &str) -> Vec<Violation> {
    let pattern = Regex::new(pattern).expect("a pattern");
    let mut found = Vec::new();
    for (path, text) in sources {
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| pattern.is_match(line)) {
            found.push((rule, line.trim().to_owned(), format!("{path}:{number}")));
        }
    }
    found
}

/// The matches outside the files where they belong.
fn elsewhere(mut found: Vec<Violation>, homes: &[&str]) -> Vec<Violation> {
    found.retain(|(_, _, place)| !homes.iter().any(|home| place.starts_with(home)));
    found
}

/// Public type names with several homes, the verifier aside.
fn repeated_names(sources: &BTreeMap<String, String>) -> Vec<Violation> {
    let pattern = Regex::new(r"^\s*pub (?:struct|enum|union|trait|type) (\w+)").expect("a pattern");
    let mut homes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, text) in sources.iter().filter(|(path, _)| !path.starts_with("crates/verify/")) {
        for found in text.lines().filter_map(|line| pattern.captures(line)) {
            homes.entry(found.get(1).expect("a name").as_str()).or_default().push(path);
        }
    }
    homes.retain(|name, homes| homes.len() > 1 && !SHARED_NAMES.contains(name));
    homes.iter().map(|(name, at)| ("unique name", (*name).to_owned(), at.join(", "))).collect()
}

/// Crates with lines of more than 100 columns.
fn long_lines() -> Vec<Violation> {
    let is_long = |line: &&str| line.chars().count() > 100;
    let mut long = Vec::new();
    for (path, text) in files("crates", ".rs") {
        let name = path.split('/').nth(1).expect("a crate").to_owned();
        let count = text.lines().filter(is_long).count();
        long.extend((count > 0).then(|| ("100 columns", name, format!("{path}: {count} lines"))));
    }
    long
}

/// Words that the glossary replaces, in sources and pages; lines of `frozen-words.txt` aside.
fn old_words(sources: &BTreeMap<String, String>) -> Vec<Violation> {
    let mut texts = sources.clone();
    texts.extend(files("docs", ".md"));
    texts.extend(files("crates/store/src/schema", ".sql"));
    for page in ["README.md", "ARCHITECTURE.md"] {
        texts.insert(page.to_owned(), fs::read_to_string(root().join(page)).expect("a page"));
    }
    let mut found = lines("a word of the glossary", &texts, WORDS);
    found.retain(|(_, line, _)| !FROZEN.lines().any(|frozen| frozen == line));
    found
}

/// Every rule holds, except where `house-debt.txt` says; `UPDATE=1` drops what has been mended.
#[test]
fn no_rule_of_the_house_is_newly_broken() {
    let sources = sources();
    let participle = concat!(
        r"\b(struct|enum|type) (Told|Kept|Grown|Held|Seen|Found|Played|Checked|Printed|Published|",
        r"Asked|Begun|Listed|Opened|Understood|Weighed|Solved|Folded|Measured|Refused|Supposed|",
        r"Claimed|Judged)\b"
    );
    let negation = r"\bpub (struct|enum) (Bad|No|Not|Unknown)[A-Z]";
    let watcher = r"\btrait \w*(Watcher|Observer|Audience|Onlooker)\b";
    let outside = r#"include_(bytes|str)!\("(\.\./){3,}"#;
    let mut all = repeated_names(&sources);
    all.extend(long_lines());
    all.extend(old_words(&sources));
    all.extend(lines("a type is a noun", &sources, participle));
    all.extend(lines("an error is a SomethingError", &sources, negation));
    all.extend(lines("events go to a callback", &sources, watcher));
    all.extend(lines("a crate embeds its own files", &sources, outside));
    let renames = lines("store::files replaces files", &sources, r"fs::rename|\.persist\(");
    all.extend(elsewhere(renames, &RENAMES));
    let pools = lines("few thread pools", &sources, r"\bthread::scope\b");
    all.extend(elsewhere(pools, &POOLS));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/house-debt.txt");
    let text = fs::read_to_string(&file).expect("a list");
    let (comments, debt): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| line.starts_with('#'));
    let line = |(rule, key, _): &Violation| format!("{rule}: {key}");
    let is_new = |violation: &&Violation| !debt.contains(&line(violation).as_str());
    let show = |violation: &Violation| format!("{} ({})", line(violation), violation.2);
    let new: Vec<String> = all.iter().filter(is_new).map(show).collect();
    assert_none(&new, "the rules of CONTRIBUTING.md hold");
    if std::env::var_os("UPDATE").is_some() {
        let left: BTreeSet<String> = all.iter().map(line).collect();
        let kept = comments.into_iter().map(str::to_owned).chain(left);
        fs::write(&file, kept.map(|line| line + "\n").collect::<String>()).expect("written");
    }
}
