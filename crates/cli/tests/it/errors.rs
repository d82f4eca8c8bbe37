//! Bad flags, bad files and closed pipes, through the real binary.

use std::io::Write as _;
use std::process::Stdio;
use std::time::Duration;

use crate::common::{Bench, Ran, kill_after, start, terminate};
use crate::until::until;

#[test]
fn bad_flags_are_errors_before_any_work() {
    let bench = Bench::new();
    let cases: &[&[&str]] = &[
        &["search", "5D", "--for=-5s"],
        &["search", "5D", "--for", "nan"],
        &["search", "5D", "--for", "0s"],
        &["search", "5D", "--threads", "0"],
        &["search", "5D", "--playouts", "0"],
        &["search", "5D", "--playouts", "-1"],
        &["search", "5D", "--target", "0"],
        &["search", "5D", "--seed", "x"],
        &["search", "5X"],
        &["search", "5D", "--method", "no-such-method"],
        &["search", "5D", "-p", "replicas"],
        &["search", "5D", "-p", "replicas=0"],
        &["search", "5D", "-p", "coldest=nan"],
        &["search", "5D", "-p", "no-such-parameter=1"],
        &["search", "5D", "--level", "99"],
        &["search", "5D", "--method", "nmcs", "-p", "level=99"],
        &["search", "5D", "--method", "nrpa", "-p", "level=99"],
        &["search", "5D", "--method", "nrpa", "-p", "level=0"],
        &["search", "5D", "--method", "nrpa", "-p", "alpha=NaN"],
        &["search", "5D", "--method", "nrpa", "-p", "alpha=inf"],
        &["search", "5D", "--method", "nrpa", "-p", "alpha=-1"],
        &["search", "5D", "--for", "-5s"],
        &["search", "5D", "--for", "inf"],
        &["search", "5D", "--for", "5x"],
        &["search", "5D", "--threads", "99999"],
        &["search", "5D", "--resume"],
        &["search", "5D", "--save-every", "5s"],
        &["search", "5D", "--out", "best.json", "--save-every", "0s"],
        &["search", "5D", "--from", "no-such-file"],
        &["search", "5D", "--keep", "3"],
        &["search", "17T"],
        &["search"],
        &["search", "5D", "--rules", "5T", "--start", "cross:6"],
        &["verify", "--start", "cross:6", "no-such-file"],
        &["search", "5D", "--playouts", "1", "--out", "best.gif"],
        &["search", "5D", "--playouts", "1", "--out", "-"],
        &["search", "--rules", "5T", "--start", "cross:0"],
        &["search", "--rules", "5T", "--start", "no-such-file"],
        &["search", "5D", "--playouts", "1", "--out", "no/such/folder/best.json"],
        &["search", "5D", "--playouts", "1", "--out", "."],
        &["count", "5T"],
        &["count", "5T", "--moves", "-1"],
        &["count", "5T", "--moves", "1001"],
        &["count", "5T", "--moves", "3", "--threads", "0"],
        &["count", "5T", "--moves", "9", "--sequences", "--memory", "1M"],
        &["count", "5T", "--moves", "3", "--sequences", "--unreduced"],
        &["bound"],
        &["bound", "5X"],
        &["bound", "5D", "--by", "magic"],
        &["bound", "5D", "--table"],
        &["bound", "5D", "--boards", "--by", "potential"],
        &["bound", "5D", "--effort", "5"],
        &["bound", "3D", "--endless", "--effort", "-1"],
        &["bound", "3D", "--endless", "--out", "no/such/folder/proof.json"],
        &["bound", "--rules", "5T", "--start", "no-such-file"],
        &["check"],
        &["check", "no-such-file"],
        &["verify"],
        &["verify", "no-such-file"],
        &["verify", "."],
        &["order", "no-such-file"],
        &["convert", "no-such-file", "a.svg"],
        &["show", "no-such-file"],
        &["completions", "no-such-shell"],
        &["no-such-command"],
        &[],
    ];
    for args in cases {
        bench.run(args).fails();
    }
    assert_eq!(bench.files(), [""; 0], "nothing is left behind");
}

#[test]
fn a_search_from_an_illegal_game_or_one_of_another_game_is_refused() {
    let bench = Bench::new();
    bench.find("5T", "touching.json");
    bench.find("5D", "game.json");
    let text = String::from_utf8(bench.read("game.json")).expect("UTF-8");
    let mut game: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    game["moves"].as_array_mut().expect("moves").swap(0, 20);
    bench.write("illegal.json", game.to_string());
    game["moves"] = serde_json::json!([{"new": [0, 0], "line": [[0, 0], "E"]}]);
    bench.write("wrong.json", game.to_string());
    let before = bench.files();
    for (file, reason) in
        [("illegal.json", "move"), ("wrong.json", "move 1"), ("touching.json", "5T")]
    {
        for more in [&[][..], &["--keep", "1"], &["--resume"]] {
            let args = ["search", "5D", "--playouts", "9", "--out", "new.json", "--from", file];
            let ran = bench.run(&[&args[..], more].concat()).fails();
            assert!(ran.err.contains(file) && ran.err.contains(reason), "{}", ran.err);
        }
    }
    let args = ["search", "5D", "--playouts", "9", "--from", "game.json", "--keep", "999"];
    bench.run(&args).fails();
    assert_eq!(bench.files(), before, "nothing is left behind");
}

#[test]
fn bad_files_are_errors_and_say_why() {
    let bench = Bench::new();
    let cases: &[(&[u8], &str)] = &[
        (b"", "nothing"),
        (b"{", "JSON"),
        (b"{\"format\":\"morpion-game/2\"}", "morpion-game/1"),
        (b"\x00\xff\xfe", "UTF-8"),
        (b"hello", "expected"),
        (b"MS1:!!!!", "base64url"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "no game"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
    ];
    for (content, reason) in cases {
        bench.write("bad", content);
        for command in ["verify", "order", "show"] {
            let ran = bench.run(&[command, "bad"]).fails();
            assert!(ran.err.contains("bad: ") && ran.err.contains(reason), "{reason}: {}", ran.err);
        }
        bench.run(&["convert", "bad", "out.svg"]).fails();
    }
    assert_eq!(bench.files(), ["bad"]);
}

#[test]
fn an_error_with_one_file_does_not_hide_the_others() {
    let bench = Bench::new();
    bench.find("5D", "good.json");
    let args = ["verify", "--json", "no-such-file", "good.json"];
    let ran = bench.run(&args);
    assert_eq!(ran.code, Some(2));
    assert_eq!(ran.json()[0]["verdict"], "error");
    assert_eq!(ran.json()[1]["verdict"], "legal");
    assert!(ran.err.contains("no-such-file"), "{}", ran.err);
}

#[test]
fn a_better_game_and_a_foreign_file_are_not_overwritten() {
    let bench = Bench::new();
    let search = |playouts: &'static str, seed: &'static str| {
        ["search", "5D", "--playouts", playouts, "--seed", seed, "--out", "best.json"]
    };
    bench.run(&search("50000", "1")).succeeds();
    let good = bench.read("best.json");
    let worse = bench.run(&search("1", "2")).succeeds();
    assert!(worse.err.contains("best.json"), "{}", worse.err);
    assert_eq!(bench.read("best.json"), good);
    bench.write("best.json", "{\"my\": \"notes\"}");
    bench.run(&search("1", "2")).fails();
    assert_eq!(bench.read("best.json"), b"{\"my\": \"notes\"}");
    bench.find("5T", "other.json");
    let args = ["search", "5D", "--playouts", "9", "--out", "other.json"];
    bench.run(&args).fails();
}

#[test]
fn a_file_of_another_game_is_an_error() {
    let bench = Bench::new();
    bench.find("5D", "game.json");
    for file in ["game.json", "game.svg"] {
        if file != "game.json" {
            bench.run(&["convert", "game.json", file]).succeeds();
        }
        let ran = bench.run(&["verify", "--game", "5T", file]).fails();
        assert!(ran.err.contains("5D") && ran.err.contains("5T"), "{}", ran.err);
    }
}

#[test]
fn a_file_may_come_from_standard_input() {
    let bench = Bench::new();
    bench.find("5D", "game.json");
    let mut child = bench
        .command(&["verify", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(&bench.read("game.json")).expect("it reads");
    drop(input);
    Ran::of(child.wait_with_output().expect("it ends")).succeeds();
}

#[test]
fn a_closed_pipe_is_no_error() {
    let bench = Bench::new();
    bench.find("5D", "game.json");
    let commands: &[&[&str]] = &[
        &["show", "game.json"],
        &["verify", "game.json"],
        &["count", "5T", "--moves", "3", "--json"],
        &["completions", "bash"],
        &["man"],
        &["convert", "game.json", "-", "--to", "svg"],
    ];
    for args in commands {
        let mut child = bench
            .command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        drop(child.stdout.take());
        Ran::of(child.wait_with_output().expect("it ends")).succeeds();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told_and_leaves_nothing() {
    let bench = Bench::new();
    bench.find("5D", "game.json");
    let ran = bench.run(&["convert", "game.json", "/dev/full/game.svg"]).fails();
    assert!(ran.err.contains("/dev/full/game.svg"), "{}", ran.err);
    let out = std::fs::File::options().write(true).open("/dev/full").expect("the full device");
    let ran = bench.command(&["count", "5T", "--moves", "3"]).stdout(out).output();
    assert_eq!(ran.expect("it runs").status.code(), Some(2));
}

#[test]
#[cfg(unix)]
fn an_endless_file_is_refused() {
    let bench = Bench::new();
    let ran = bench.run(&["verify", "/dev/zero"]).fails();
    assert!(ran.err.contains("larger than"), "{}", ran.err);
}

/// A compact MSR file of a few hundred kilobytes that inflates to 300 MB is refused with little
/// memory.
#[test]
#[cfg(target_os = "linux")]
fn a_bomb_is_refused_using_little_memory() {
    use base64::Engine as _;
    let bench = Bench::new();
    let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..300 {
        deflate.write_all(&[b' '; 1 << 20]).expect("in memory");
    }
    let packed = deflate.finish().expect("in memory");
    let text = base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(packed);
    assert!(text.len() < 500_000);
    bench.write("bomb.msr", format!("MS1:{text}"));
    let program = env!("CARGO_BIN_EXE_morpion");
    let limited = format!("ulimit -v 150000; exec '{program}' verify bomb.msr");
    let ran = std::process::Command::new("sh")
        .args(["-c", &limited])
        .current_dir(bench.path(""))
        .output()
        .expect("a shell");
    let ran = Ran::of(ran).fails();
    assert!(ran.err.contains("inflates to more than"), "{}", ran.err);
}

#[test]
#[cfg(unix)]
fn a_signal_stops_a_search_which_keeps_its_best() {
    let bench = Bench::new();
    let args = ["search", "5T", "--for", "1h", "--seed", "1", "--out", "best.json", "--json"];
    let child = start(bench.command(&args));
    until(|| bench.path("best.json").exists());
    terminate(&child);
    let ran = Ran::of(child.wait_with_output().expect("it ends")).stops_interrupted();
    assert_eq!(ran.json()["verified"], true);
    bench.run(&["verify", "best.json"]).succeeds();
}

#[test]
#[cfg(unix)]
fn a_killed_search_leaves_a_whole_game() {
    let bench = Bench::new();
    for round in 0..5u64 {
        let args = ["search", "5D", "--for", "1h", "--seed", "1", "--out", "best.json"];
        let child = start(bench.command(&args));
        until(|| bench.path("best.json").exists());
        assert!(kill_after(child, Duration::from_millis(round * 7)).is_none(), "it runs for 1h");
        bench.run(&["verify", "best.json"]).succeeds();
        std::fs::remove_file(bench.path("best.json")).expect("it exists");
    }
}

#[test]
#[cfg(unix)]
fn links_and_pipes_are_written_through() {
    let bench = Bench::new();
    bench.find("5D", "game.json");
    bench.write("real.svg", "old");
    std::os::unix::fs::symlink("real.svg", bench.path("link.svg")).expect("a link");
    bench.run(&["convert", "game.json", "link.svg"]).succeeds();
    assert!(bench.path("link.svg").is_symlink());
    assert!(
        bench.read("real.svg").starts_with(b"<svg") || bench.read("real.svg").starts_with(b"<?xml")
    );
    let null = bench.run(&["convert", "game.json", "/dev/null", "--to", "svg"]).succeeds();
    assert_eq!(null.out, "");
    assert!(!std::fs::metadata("/dev/null").expect("it is there").is_file());
    assert_eq!(bench.files(), ["game.json", "link.svg", "real.svg"]);
}

#[test]
fn a_closed_pipe_does_not_turn_no_into_yes() {
    let bench = Bench::new();
    bench.write("stuck.txt", "5T\n10,0 14,0\n");
    for args in [["verify", "stuck.txt"], ["order", "stuck.txt"]] {
        let mut child = bench
            .command(&args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        drop(child.stdout.take());
        Ran::of(child.wait_with_output().expect("it ends")).ends_negative();
    }
}

#[test]
fn a_hunt_with_nothing_to_do_ends_at_once() {
    let bench = Bench::new();
    bench.find("6T", "game.json");
    bench.run(&["search", "6T", "--from", "game.json", "--for", "1h"]).fails();
    bench.run(&["search", "6T", "--from", "game.json", "--keep", "5", "--target", "5"]).succeeds();
    bench.write("dots.txt", "0,0\n5,5\n");
    bench.run(&["search", "5T", "--start", "dots.txt", "--target", "5"]).ends_negative();
}

#[test]
fn a_file_name_cannot_forge_a_verdict() {
    let bench = Bench::new();
    let ran = bench.run(&["verify", "a\n: legal\u{1b}[2K"]).fails();
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(!ran.err.contains('\u{1b}'), "{}", ran.err);
}

#[test]
fn pipes_and_devices_in_a_folder_are_left_out() {
    let bench = Bench::new();
    bench.find("5D", "game.json");
    let made = bench.in_folder("mkfifo").arg("pipe.json").status().expect("mkfifo runs");
    assert!(made.success());
    std::os::unix::fs::symlink("/dev/zero", bench.path("zero.json")).expect("a link");
    let rows = bench.run(&["verify", ".", "--json"]).succeeds().json();
    assert_eq!(rows.as_array().map(Vec::len), Some(1), "{rows}");
    bench.run(&["store", "import", "."]).succeeds();
}

#[test]
fn nothing_that_a_terminal_obeys_is_printed() {
    let bench = Bench::new();
    let hostile = "a\u{1b}[2Jb\u{9b}31m";
    bench.write("plan.toml", "name = \"a\\u001b[2Jb\\u009b31m\"\n");
    let game = r#"{"format":"morpion-game/1","rules":"5T","start":"cross","moves":[],
        "provenance":{"author":"a\u001b[2Jb\u009b31m"}}"#;
    bench.write(&format!("{hostile}.json"), game);
    let file = format!("{hostile}.json");
    for args in [
        vec!["verify", &file],
        vec!["verify", &file, "--json"],
        vec!["verify", hostile],
        vec!["search", hostile],
        vec![hostile],
        vec!["search", "5T", "--method", hostile],
        vec!["bound", "5T", "--by", "lp", "--board", hostile],
        vec!["run", "plan.toml", "--workers", "0"],
        vec!["show", &file, "--colour", "never"],
        vec!["store", "import", &file],
        vec!["store", "list"],
        vec!["store", "list", "--json"],
    ] {
        let ran = bench.run(&args);
        let is_obeyed = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
        assert!(!ran.out.chars().any(is_obeyed), "{args:?}: {:?}", ran.out);
        assert!(!ran.err.chars().any(is_obeyed), "{args:?}: {:?}", ran.err);
    }
}

#[test]
fn help_that_cannot_be_printed_is_an_error() {
    let bench = Bench::new();
    for args in [&["--help"][..], &["--version"], &["search", "--help"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
        let output = bench.command(args).stdout(full).output().expect("the program runs");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        bench.run(args).succeeds();
    }
}

#[test]
fn open_ended_work_ends_in_time() {
    let bench = Bench::new();
    bench.find("5T", "game.json");
    let endgame = ["endgame", "game.json", "--keep", "0", "--journal", "parts", "--for", "1s"];
    let ran = bench.run(&endgame).ends_negative();
    assert!(ran.err.contains("resumes from parts"), "{}", ran.err);
    let ran = bench.run(&["count", "5T", "--moves", "30", "--for", "500ms"]).ends_negative();
    assert!(ran.err.contains("the time is over"), "{}", ran.err);
    bench.run(&["store", "import", "game.json"]).succeeds();
    bench.run(&["worker", "--for", "200ms"]).succeeds();
    for command in ["endgame", "count", "bound", "run", "search", "worker"] {
        assert!(bench.run(&[command, "--help"]).succeeds().out.contains("--for <TIME>"));
    }
    for proof in ["cover", "caps", "tree", "boxes", "extents", "endless"] {
        assert!(bench.run(&["prove", proof, "--help"]).succeeds().out.contains("--for <TIME>"));
    }
}
