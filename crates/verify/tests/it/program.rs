//! The program: its words, its JSON, its exit codes.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_morpion-verify"));
    command.args(arguments).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"));
    command
}

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    result(program(arguments).output().expect("the program runs"))
}

fn result(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

const GOOD: &str = "accepted/no-move.json";
const REFUSED: &str = "refused/missing-dot.json";
const MALFORMED: &str = "refused/not-json.json";

#[test]
fn a_line_is_printed_for_each_file() {
    let (code, out, err) = run(&[GOOD, REFUSED]);
    let lines = "accepted/no-move.json: legal: 5T, 0 moves, 28 legal moves remain\n\
        refused/missing-dot.json: refused: move 3: the dot (41,41) of the line is missing\n";
    assert_eq!((code, &*out, &*err), (Some(1), lines, ""));
}

#[test]
fn the_exit_code_is_that_of_the_worst_file() {
    assert_eq!(run(&[GOOD]).0, Some(0));
    assert_eq!(run(&[REFUSED, GOOD]).0, Some(1));
    assert_eq!(run(&[MALFORMED, REFUSED, GOOD]).0, Some(2));
}

#[test]
fn what_cannot_be_read_is_an_error_and_the_rest_is_verified() {
    let (code, out, err) = run(&["no/such.json", "accepted", GOOD]);
    assert_eq!(code, Some(2));
    assert_eq!(out.lines().count(), 1);
    assert!(err.contains("no/such.json: cannot be read") && err.contains("accepted: cannot be"));
}

#[test]
fn json_is_one_list() {
    let (code, out, _) = run(&["--json", GOOD, REFUSED, "no/such.json"]);
    assert_eq!(code, Some(2));
    let list: Value = serde_json::from_str(&out).expect("one JSON document");
    assert_eq!(list[0]["verdict"], "legal");
    assert_eq!((&list[0]["game"], &list[0]["moves"]), (&"5T".into(), &0.into()));
    assert_eq!((&list[0]["left"], &list[0]["move"]), (&28.into(), &Value::Null));
    assert_eq!(list[1]["verdict"], "refused");
    assert_eq!((&list[1]["fault"], &list[1]["move"]), (&"missing-dot".into(), &3.into()));
    assert_eq!(
        (&list[2]["file"], &list[2]["fault"]),
        (&"no/such.json".into(), &"unreadable".into())
    );
}

#[test]
fn the_order_of_a_drawing_is_reported() {
    let (code, out, _) = run(&["--order", "accepted/drawing-out-of-order.json"]);
    assert_eq!(code, Some(0));
    assert!(
        out.ends_with(": ordered: 3D from 3 dots, 2 lines, 3 legal moves remain; order: 2 1\n"),
        "{out}"
    );
    let (code, out, _) = run(&["--order", "--json", "refused/stuck.json"]);
    let list: Value = serde_json::from_str(&out).expect("one JSON document");
    assert_eq!(code, Some(1));
    assert_eq!((&list[0]["verdict"], &list[0]["playable"]), (&"stuck".into(), &1.into()));
    assert_eq!(list[0]["lines"], 2);
}

#[test]
fn proofs_are_verified_beside_games() {
    let (code, out, _) = run(&["endless/stairs.json", GOOD]);
    assert_eq!(code, Some(0));
    assert!(out.starts_with("endless/stairs.json: 2D from 1 dot: endless, proven\n"), "{out}");
    let (code, out, _) = run(&["bound/compressed.cert.gz", "bound/cover.cert"]);
    assert_eq!(code, Some(0));
    assert!(
        out.contains("has more than 92 moves, proven\n") && out.ends_with("5T <= 705, proven\n"),
        "{out}"
    );
    let (code, out, _) = run(&["--json", "endless/occupied-far-off.json", "endless/stairs.json"]);
    assert_eq!(code, Some(1));
    let list: Value = serde_json::from_str(&out).expect("one JSON document");
    assert_eq!((&list[0]["verdict"], &list[0]["fault"]), (&"refused".into(), &"occupied".into()));
    assert_eq!((&list[1]["verdict"], &list[1]["reason"]), (&"proven".into(), &Value::Null));
    assert_eq!(list[1]["claim"], "2D from 1 dot: endless");
}

#[test]
fn a_dash_is_the_standard_input() {
    let mut child = program(&["-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let text = r#"{"format":"morpion-game/1","rules":"4D","start":"cross","moves":[]}"#;
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("a listener");
    let (code, out, _) = result(child.wait_with_output().expect("an end"));
    assert_eq!((code, &*out), (Some(0), "-: legal: 4D, 0 moves, 40 legal moves remain\n"));
}

#[test]
fn a_bad_command_line_is_an_error() {
    for arguments in [&[][..], &["--jsn", GOOD], &["--json"]] {
        let (code, out, err) = run(arguments);
        assert_eq!((code, &*out), (Some(2), ""));
        assert!(err.contains("--help"));
    }
}

#[test]
fn help_and_version_are_results() {
    let (code, out, err) = run(&["--help"]);
    assert_eq!((code, &*err), (Some(0), ""));
    assert!(out.contains("Usage: morpion-verify"));
    assert_eq!(run(&["--version"]).1, format!("morpion-verify {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let mut child = program(&[REFUSED; 50])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let (code, _, err) = result(child.wait_with_output().expect("an end"));
    assert_eq!((code, &*err), (Some(1), ""));
}

#[test]
fn every_proof_format_is_documented() {
    let docs = include_str!("../../../../docs/reference/certificates.md");
    for format in verify::FORMATS {
        for version in format.versions {
            assert!(docs.contains(&format!("`{version}`")), "{version}");
        }
        assert!(docs.contains(&format.file_suffix()), "{}", format.file_suffix());
    }
}
