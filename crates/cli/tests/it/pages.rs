//! The README and the documentation: their commands run, their links lead somewhere, and what is
//! generated is up to date (`UPDATE=1` writes it).
//!
//! A comment before a block, which readers do not see, says how it is tested:
//! `<!-- test: help -->` looks up its flags only, `skip` ignores it, `exit 1` expects that status,
//! and anything else is run in its place. A `text` block after commands is part of their output.

use std::fs;
use std::path::{Path, PathBuf};

use regex_lite::Regex;

use crate::common::{Bench, Ran};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All pages by their paths from the root; results of experiments are written by the program.
fn pages() -> Vec<(String, String)> {
    let mut open = vec!["docs".to_owned()];
    let mut pages: Vec<String> = ["README", "CHANGELOG"].map(|name| format!("{name}.md")).to_vec();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(root().join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            match entry.file_type().expect("a type").is_dir() {
                true if path != "docs/experiments" => open.push(path),
                false if path.ends_with(".md") => pages.push(path),
                _ => {}
            }
        }
    }
    let text = |path: &String| fs::read_to_string(root().join(path)).expect("UTF-8");
    let mut all: Vec<(String, String)> =
        pages.into_iter().map(|path| (path.clone(), text(&path))).collect();
    all.sort();
    all
}

/// Commands of a page, and what the page says of them.
#[derive(Debug, Default, Clone)]
struct Block {
    /// The comment before it.
    marker: Option<String>,
    script: String,
    /// Lines that the output has, in this order.
    output: Vec<String>,
}

/// The commands of a page: blocks of `sh`, and `morpion ...` in backquotes.
fn blocks(page: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut marker = None;
    let mut fence: Option<&str> = None;
    for line in page.lines() {
        if let Some(kind) = line.strip_prefix("```") {
            match fence.take() {
                Some(_) => marker = None,
                None if kind == "sh" => {
                    found.push(Block { marker: marker.clone(), ..Block::default() });
                    fence = Some("sh");
                }
                None => fence = Some(kind),
            }
        } else if let Some(kind) = fence {
            let Some(last) = found.last_mut() else { continue };
            match kind {
                "sh" => last.script += &format!("{line}\n"),
                "text" => last.output.push(line.to_owned()),
                _ => {}
            }
        } else if let Some(comment) = line.strip_prefix("<!-- test: ") {
            marker = Some(comment.trim_end_matches(" -->").to_owned());
        } else if line.is_empty() {
            marker = None;
        } else {
            let code = line.split('`').skip(1).step_by(2);
            let code = code.filter(|code| code.starts_with("morpion "));
            found.extend(code.map(|code| Block {
                marker: Some(marker.clone().unwrap_or("help".to_owned())),
                script: format!("{code}\n"),
                output: Vec::new(),
            }));
        }
    }
    found
}

/// The words of every `morpion` command of a script, continued lines joined.
fn commands(script: &str) -> Vec<Vec<String>> {
    let joined = script.replace("\\\n", " ");
    let line = |line: &str| {
        let line = line.split(" #").next().unwrap_or_default();
        let is_command = |before: &str| {
            ["", "| ", "exec "]
                .iter()
                .any(|end| before.is_empty() == end.is_empty() && before.ends_with(end))
        };
        let at = line.find("morpion ").filter(|&at| is_command(&line[..at]))?;
        let words = line[at..].split('|').next().unwrap_or_default().split_whitespace().skip(1);
        Some(words.map(|word| word.trim_matches('"').to_owned()).collect())
    };
    joined.lines().filter(|line| !line.starts_with("cargo ")).filter_map(line).collect()
}

/// Every flag of a command is one that its help, or that of its subcommand, knows.
fn look_up(bench: &Bench, words: &[String], page: &str) {
    let is_name =
        |word: &&String| word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    let names: Vec<&str> = words.iter().take(2).take_while(is_name).map(String::as_str).collect();
    let help = bench.run(&[&names[..names.len().min(1)], &["--help"]].concat()).succeeds().out;
    let nested = bench.run(&[&names[..], &["--help"]].concat()).out;
    for flag in words.iter().filter(|word| word.starts_with('-') && word.len() > 1) {
        let flag = flag.split('=').next().unwrap_or_default();
        let is_known = [&help, &nested]
            .iter()
            .any(|help| help.split_whitespace().any(|word| word.trim_end_matches(',') == flag));
        assert!(is_known, "{page}: {flag} of `morpion {}` is not in its help", words.join(" "));
    }
}

/// Runs the blocks of a page one after the other in one folder.
fn run(page: &str, text: &str) {
    let bench = Bench::new();
    for folder in ["games", "proofs", "models"] {
        std::os::unix::fs::symlink(root().join(folder), bench.path(folder)).expect("a link");
    }
    // Where `scripts/solver` installs the solver.
    fs::create_dir(bench.path("data")).expect("a folder");
    let solver = root().join("solver");
    std::os::unix::fs::symlink(solver, bench.path("data/morpion")).expect("a link");
    let program = Path::new(env!("CARGO_BIN_EXE_morpion"));
    let folder = program.parent().expect("a folder").display();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
    for block in blocks(text) {
        let marker = block.marker.as_deref().unwrap_or_default();
        commands(&block.script).iter().for_each(|words| look_up(&bench, words, page));
        let (script, code) = match marker.strip_prefix("exit ") {
            Some(code) => (block.script.as_str(), code.parse().expect("a status")),
            None if ["help", "skip"].contains(&marker) => continue,
            None if marker.is_empty() => (block.script.as_str(), 0),
            None => (marker, 0),
        };
        let mut shell = bench.in_folder("sh");
        shell.env("PATH", &path).env("XDG_DATA_HOME", bench.path("data"));
        let ran = Ran::of(shell.args(["-ec", script]).output().expect("sh"));
        assert_eq!(ran.code, Some(code), "{page}: {script}\n{}{}", ran.out, ran.err);
        let output = format!("{}{}", ran.out, ran.err);
        let mut lines = output.lines().map(str::trim_end);
        for expected in &block.output {
            let is_there = lines.any(|line| line == expected.trim_end());
            assert!(is_there, "{page}: no line `{expected}` in the output of\n{script}\n{output}");
        }
    }
}

fn run_page(name: &str) {
    let text = fs::read_to_string(root().join(name)).expect("a page");
    assert!(!blocks(&text).is_empty(), "{name} has commands");
    run(name, &text);
}

#[test]
fn every_command_of_the_readme_runs() {
    run_page("README.md");
}

#[test]
fn the_first_grid_comes_out_as_told() {
    run_page("docs/tutorial/first-grid.md");
}

#[test]
fn a_hunt_goes_as_told() {
    run_page("docs/tutorial/hunt.md");
}

#[test]
fn a_proof_is_checked_as_told() {
    run_page("docs/tutorial/check-a-proof.md");
}

#[test]
fn play_and_own_method_show_real_commands() {
    run_page("docs/tutorial/play.md");
    run_page("docs/tutorial/own-method.md");
}

#[test]
fn the_code_of_the_tutorial_is_that_of_the_example() {
    let page = fs::read_to_string(root().join("docs/tutorial/own-method.md")).expect("a page");
    let example = root().join("crates/morpion/examples/own_method.rs");
    let example = fs::read_to_string(example).expect("an example");
    let code: Vec<&str> = page.split("```rust\n").skip(1).collect();
    let code = code.iter().map(|code| code.split("```").next().expect("an end"));
    let shown = code.filter(|code| !code.contains("record::Record")).collect::<Vec<_>>();
    assert!(shown.len() > 2);
    for code in shown {
        assert!(example.contains(code), "not in the example:\n{code}");
    }
}

#[test]
fn every_command_of_the_documentation_has_its_flags() {
    let bench = Bench::new();
    for (path, text) in pages() {
        if path == "CHANGELOG.md" || path.starts_with("docs/notes/") {
            continue;
        }
        for block in blocks(&text).iter().filter(|block| block.marker.as_deref() != Some("skip")) {
            for words in commands(&block.script) {
                look_up(&bench, &words, &path);
            }
        }
    }
}

#[test]
fn every_link_leads_somewhere() {
    let link = Regex::new(r#"\]\(([^)\s]+)\)|src="([^"]+)""#).expect("a pattern");
    let heading = Regex::new(r"[^\w\- ]").expect("a pattern");
    let anchors = |text: &str| -> Vec<String> {
        let heads = text.lines().filter(|line| line.starts_with('#'));
        let anchor = |line: &str| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            heading.replace_all(&title, "").replace(' ', "-")
        };
        heads.map(anchor).collect()
    };
    let fenced = Regex::new(r"(?s)```.*?```").expect("a pattern");
    for (path, text) in pages() {
        for found in link.captures_iter(&fenced.replace_all(&text, "")) {
            let target = found.get(1).or(found.get(2)).expect("a link").as_str();
            if target.starts_with("http") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let folder = Path::new(&path).parent().expect("a folder");
            let to = match file {
                "" => root().join(&path),
                file => root().join(folder).join(file),
            };
            assert!(to.exists(), "{path}: {target} leads nowhere");
            let is_page = to.extension().is_some_and(|ending| ending == "md");
            if is_page && !anchor.is_empty() {
                let text = fs::read_to_string(&to).expect("a page");
                assert!(anchors(&text).contains(&anchor.to_owned()), "{path}: no heading {target}");
            }
        }
    }
}

#[test]
fn pages_are_narrow_and_the_map_names_them_all() {
    let map = fs::read_to_string(root().join("docs/README.md")).expect("the map");
    for (path, text) in pages() {
        for (number, line) in text.lines().enumerate() {
            let columns = line.chars().count();
            assert!(columns <= 120, "{path}:{}: {columns} columns", number + 1);
        }
        let name = path.trim_start_matches("docs/");
        let is_named = map.contains(&format!("({name})"));
        assert!(!path.starts_with("docs/") || name == "README.md" || is_named, "{name}");
    }
    let readme = fs::read_to_string(root().join("README.md")).expect("the README");
    assert!(readme.lines().count() < 120);
}

/// The part of a page between the comment `generated by NAME` and `end` is this text.
fn check_generated(page: &str, name: &str, text: &str) {
    let file = root().join(page);
    let old = fs::read_to_string(&file).expect("a page");
    let begin = old.find(&format!("<!-- generated by {name}")).expect("a mark");
    let begin = begin + old[begin..].find("-->\n").expect("an end of the mark") + 4;
    let end = begin + old[begin..].find("<!-- end -->").expect("an end");
    let new = format!("{}{}{}", &old[..begin], text, &old[end..]);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&file, new).expect("written");
    } else {
        assert!(old == new, "{page} is out of date: UPDATE=1 cargo test -p morpion-cli pages");
    }
}

#[test]
fn the_lines_to_trust_are_counted() {
    let script = root().join("scripts/trust");
    let counted = Ran::of(std::process::Command::new(script).output().expect("it runs"));
    check_generated("docs/explanation/trust.md", "scripts/trust", &counted.succeeds().out);
}

/// What verifying each proof takes, and how much of its budget that is.
#[test]
fn the_steps_of_the_proofs_are_counted() {
    let mut files: Vec<PathBuf> = fs::read_dir(root().join("proofs"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    let mut table =
        "| proof | bytes | steps | share of its budget |\n|---|---:|---:|---:|\n".to_owned();
    for file in files {
        let text = verify::read(fs::File::open(&file).expect("a file")).expect("a text");
        let steps = verify::verify_proof(&text).expect("a proof").stats().steps;
        let share = 100.0 * steps as f64 / verify::allowed_steps(text.len()) as f64;
        let name = file.file_name().expect("a name").to_string_lossy();
        let name = name.trim_end_matches(".gz");
        let [bytes, steps] = [text.len() as u64, steps].map(with_commas);
        table += &format!("| {name} | {bytes} | {steps} | {share:.1} % |\n");
    }
    check_generated("docs/reference/limits.md", "verifying the proofs", &table);
}

/// A number with a comma after every three digits.
fn with_commas(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().map(ascii).collect();
    groups.join(",")
}

fn ascii(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("ASCII")
}

/// The help of every command and subcommand, in the order of the list.
fn helps(bench: &Bench, names: &[&str]) -> String {
    let help = bench.run(&[names, &["--help"]].concat()).succeeds().out;
    let title = ["morpion"].iter().chain(names).copied().collect::<Vec<_>>().join(" ");
    let help: Vec<&str> = help.lines().map(str::trim_end).collect();
    let mut page = format!("## `{title}`\n\n```text\n{}\n```\n\n", help.join("\n"));
    let list = help.iter().skip_while(|line| !line.starts_with("Usage:"));
    for line in list.take_while(|line| **line != "Options:") {
        let name = line.strip_prefix("  ").unwrap_or_default().split(' ').next();
        let is_name = |name: &&str| name.starts_with(|c: char| c.is_ascii_lowercase());
        let name = name.filter(|name| is_name(name) && *name != "help");
        page += &name.map(|name| helps(bench, &[names, &[name]].concat())).unwrap_or_default();
    }
    page
}

#[test]
fn the_reference_of_commands_is_the_help() {
    let text = helps(&Bench::new(), &[]);
    check_generated("docs/reference/commands.md", "morpion --help", &text);
}

#[test]
fn the_reference_of_methods_is_their_list() {
    let methods = Bench::new().run(&["methods", "--json"]).succeeds().json();
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let mut page = String::new();
    for method in methods.as_array().expect("a list") {
        page += &format!("## `{}`\n\n", text(&method["name"]));
        page += &format!("- {}\n", text(&method["summary"]));
        page += &format!("- source: {}\n", text(&method["source"]));
        page += &format!("- `--playouts` counts {}\n", text(&method["playout"]));
        for parameter in method["parameters"].as_array().expect("parameters") {
            let [default, min, max] =
                ["default", "min", "max"].map(|field| number(&parameter[field]));
            let name = text(&parameter["name"]);
            page += &format!("- `{name}={default}`, from {min} to {max}:\n");
            page += &format!("  {}\n", text(&parameter["meaning"]));
        }
        page += "\n";
    }
    check_generated("docs/reference/methods.md", "morpion methods", &page);
}

/// The table of results of the README, from the same view as `morpion records`.
#[test]
fn the_results_of_the_readme_are_the_records() {
    let rows = Bench::new().run(&["records", "--json"]).succeeds().json();
    let row = |game: &str| {
        let rows = rows.as_array().expect("a list");
        rows.iter().find(|row| row["game"] == game).expect("a row").clone()
    };
    let mut table =
        "| game | longest known | found here | upper bound in print | certified here | \
                     show it |\n|---|---|---|---|---|---|\n"
            .to_owned();
    for game in ["5T", "5D", "4T", "4D"] {
        let row = row(game);
        let (record, printed, certified) = (&row["record"], &row["printed"], &row["certified"]);
        let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
        let known = format!("{} ({} {})", record["moves"], text(&record["by"]), record["year"]);
        let bold = if row["found"] == record["moves"] { "**" } else { "" };
        let unsure = match printed["evidence"] == "no certificate" {
            true => ", no certificate",
            false => "",
        };
        let optimal = if row["optimal"] == true { ", optimal" } else { "" };
        let show = format!("`morpion verify {}`", text(&certified["proof"]));
        table += &format!(
            "| {game} | {known} | {bold}{found}{bold} | {bound} ({year}){unsure} | \
             **{least}**{optimal} | {show} |\n",
            found = row["found"],
            bound = printed["bound"],
            year = printed["year"],
            least = certified["bound"],
        );
    }
    for game in ["6T", "6D"] {
        assert_eq!(
            (&row(game)["found"], &row(game)["certified"]["bound"]),
            (&12.into(), &12.into())
        );
    }
    assert!(["3T", "3D", "2T", "2D"].iter().all(|game| row(game)["endless"] == true));
    table +=
        "| 6T, 6D, longer | 12 | **12** | 12 (2006) | **12**, optimal | `morpion bound 6D` |\n";
    table += "| 3T, 3D, 2T, 2D | endless | **endless** | endless (2006) | proven | \
              `morpion verify proofs/endless` |\n";
    check_generated("README.md", "morpion records", &table);
}
