//! `morpion serve` from the outside.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::common::Bench;
use crate::until::until;

/// A server that ends with the test.
struct Served {
    process: Child,
    address: String,
}

impl Served {
    /// Starts a server and reads the address that it prints.
    fn new(bench: &Bench, args: &[&str]) -> Self {
        Self::of(bench.command(&[&["serve"], args].concat()))
    }

    fn of(mut command: Command) -> Self {
        let mut process = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut address = String::new();
        let out = process.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut address).expect("a line");
        Self { process, address: address.trim().to_owned() }
    }

    /// Asks for a path and gives back the whole answer.
    fn get(&self, path: &str) -> String {
        self.ask("GET", path, "")
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> String {
        let host = self.address.trim_start_matches("http://").split('/').next().expect("a host");
        let mut stream = TcpStream::connect(host).expect("the server listens");
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\
             content-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).expect("the server reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    /// Asks the server to stop as Ctrl-C does, and gives back its exit code and what it noted.
    fn stop(mut self) -> (Option<i32>, String) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
        let code = self.process.wait().expect("it ends").code();
        let mut notes = String::new();
        let mut stderr = self.process.stderr.take().expect("its notes");
        stderr.read_to_string(&mut notes).expect("text");
        (code, notes)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_laboratory_opens_on_a_free_port_and_stops_cleanly() {
    let bench = Bench::new();
    let served = Served::new(&bench, &["--port", "0"]);
    assert!(served.address.starts_with("http://127.0.0.1:"), "{}", served.address);
    assert!(served.get("/").contains("<title>Morpion</title>"));
    assert!(served.get("/api/games/5T").contains("\"in_print\""));
    assert!(served.get("/../../etc/passwd").starts_with("HTTP/1.1 404"));
    let (code, notes) = served.stop();
    assert_eq!(code, Some(0), "{notes}");
    assert!(notes.contains("404"), "refusals are logged: {notes}");
    assert!(!bench.files().contains(&"archive".to_owned()), "nothing was kept");
    let served = Served::new(&bench, &["6D", "--port", "0"]);
    assert!(served.address.ends_with("#g/6D/"), "{}", served.address);
}

/// The JSON of an answer.
fn json(answer: &str) -> Value {
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

#[test]
fn the_page_and_the_command_agree_on_records_and_on_what_is_exact() {
    let bench = Bench::new();
    std::fs::create_dir(bench.path("games")).expect("a folder");
    let printed = bench.run(&["bound", "--table", "--json"]).succeeds().json();
    let served = Served::new(&bench, &["--port", "0", "--no-archive"]);
    let shown = json(&served.get("/api/bounds"));
    assert_eq!(printed, shown);
    let row = |name: &str| {
        let rows = printed.as_array().expect("rows");
        rows.iter().find(|row| row["game"] == name).expect("a row").clone()
    };
    assert_eq!((&row("4D")["exact"], &row("5T")["exact"]), (&true.into(), &false.into()));
    for name in ["4D", "4T", "5D", "5T"] {
        let game = json(&served.get(&format!("/api/games/{name}")));
        assert_eq!(game["in_print"], row(name)["in_print"]);
        assert_eq!(game["proven"], row(name)["proven"]);
    }
}

#[test]
fn the_page_and_the_command_agree_on_what_is_interrupted() {
    let bench = Bench::new();
    let archive = store::Archive::open_or_create(&bench.path("archive"));
    let tasks = [("ab12", "{}")];
    archive.expect("an archive").begin_run("cd34", "a plan", "", tasks).expect("begun");
    let printed = bench.run(&["status", "--json"]).succeeds().json();
    assert_eq!(printed["runs"][0]["state"], "interrupted");
    let served = Served::new(&bench, &["--port", "0"]);
    assert_eq!(json(&served.get("/api/runs")), printed);
}

#[test]
fn the_page_and_the_command_count_lines_alike() {
    let bench = Bench::new();
    let drawing = "5T\n3,0 7,0\n20,20 24,20\n";
    let printed = bench.run_with(&["order", "-", "--json"], drawing).ends_negative().json();
    let verified = bench.run_with(&["verify", "-", "--json"], drawing).ends_negative().json();
    let served = Served::new(&bench, &["--port", "0", "--no-archive"]);
    let shown = json(&served.ask("POST", "/api/verify", drawing));
    assert_eq!(shown["stuck"], printed["stuck"]);
    assert_eq!((&shown["stuck"][0]["line"], &verified[0]["move"]), (&2.into(), &2.into()));
}

#[test]
fn other_addresses_need_a_token() {
    let bench = Bench::new();
    let served = Served::new(&bench, &["--listen", "0.0.0.0:0", "--no-archive"]);
    let (_, token) = served.address.split_once("/?token=").expect("a token");
    assert_eq!(token.len(), 32);
    assert!(served.get("/").starts_with("HTTP/1.1 401"));
    assert!(served.get(&format!("/?token={token}")).starts_with("HTTP/1.1 303"));
    assert_eq!(served.stop().0, Some(0));
    assert_eq!(bench.files(), Vec::<String>::new());

    bench.write("token", "a-token-of-my-own-choice\n");
    let exposed = ["serve", "--port", "0", "--token-file", "token", "--no-archive"];
    let no = bench.run(&exposed).fails();
    assert!(no.err.contains("chmod 600 token"), "{}", no.err);
    own(&bench, "token");
    let served = Served::new(&bench, &["--port", "0", "--token-file", "token", "--no-archive"]);
    assert!(served.address.ends_with("/?token=a-token-of-my-own-choice"), "{}", served.address);
}

/// Makes a file readable by its owner only.
fn own(bench: &Bench, name: &str) {
    use std::os::unix::fs::PermissionsExt;
    let only_owner = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(bench.path(name), only_owner).expect("changed");
}

#[test]
fn whatever_a_proxy_may_pass_on_needs_the_token() {
    let bench = Bench::new();
    for args in [&["--name", "lab.example", "--port", "0"][..], &["--listen", "127.0.0.1:0"]] {
        let served = Served::new(&bench, &[args, &["--no-archive"]].concat());
        let (_, token) = served.address.split_once("/?token=").expect("a token");
        assert!(served.get("/api/games/5T").starts_with("HTTP/1.1 401"), "{args:?}");
        assert!(served.get(&format!("/?token={token}")).starts_with("HTTP/1.1 303"));
    }
}

/// Limits the size of files that a process may write: as if the disk were full.
fn fill_disk(process: &Child, full: bool) {
    let size = if full { "--fsize=0:" } else { "--fsize=unlimited:" };
    let mut command = Command::new("prlimit");
    let command = command.args(["--pid", &process.id().to_string(), size]);
    assert!(command.status().expect("prlimit runs").success());
}

#[test]
fn a_game_that_the_full_disk_does_not_take_is_kept_and_printed_at_last() {
    for is_full_at_last in [true, false] {
        let bench = Bench::new();
        // Writing too much is then an error and no signal.
        let program = env!("CARGO_BIN_EXE_morpion");
        let command = format!("trap '' XFSZ; exec {program} serve --port 0");
        let mut shell = bench.in_folder("sh");
        shell.args(["-c", &command]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let served = Served::of(shell);
        fill_disk(&served.process, true);
        let game = r#"{"format": "morpion-game/1", "rules": "5D", "start": "cross", "moves": []}"#;
        let wish = format!(r#"{{"game": {game}, "method": "random", "playouts": 5, "seed": 1}}"#);
        assert!(served.ask("POST", "/api/hunts", &wish).starts_with("HTTP/1.1 201"));
        until(|| served.get("/api/hunts/1").contains("\"status\":\"done\""));
        if !is_full_at_last {
            fill_disk(&served.process, false);
        }
        let (code, notes) = served.stop();
        assert_eq!(code, Some(0), "{notes}");
        assert_eq!(notes.contains("\"format\": \"morpion-game/1\""), is_full_at_last, "{notes}");
        let list = bench.run(&["store", "list", "--json"]).succeeds().json();
        let games = list.as_array().map_or(0, Vec::len);
        assert_eq!(games, usize::from(!is_full_at_last));
    }
}

#[test]
fn a_hunt_goes_on_after_its_server_was_killed() {
    let bench = Bench::new();
    let mut served = Served::new(&bench, &["--port", "0"]);
    let game = r#"{"format": "morpion-game/1", "rules": "5D", "start": "cross", "moves": []}"#;
    let wish = format!(r#"{{"game": {game}, "method": "random"}}"#);
    assert!(served.ask("POST", "/api/hunts", &wish).starts_with("HTTP/1.1 201"));
    // It is saved every few seconds.
    until(|| served.get("/api/hunts/1").contains("\"lasts\":true"));
    served.process.kill().expect("killed");
    served.process.wait().expect("dead");

    let served = Served::new(&bench, &["--port", "0"]);
    assert!(served.get("/api/hunts/1").contains("\"status\":\"stopped\""));
    assert!(served.get("/api/archive").contains("\"method\":\"random\""));
    assert!(served.ask("POST", "/api/hunts/1/resume?seconds=0.1", "").starts_with("HTTP/1.1 200"));
    // Another server on the same archive leaves its hunts alone.
    let other = Served::new(&bench, &["--port", "0"]);
    assert!(other.get("/api/hunts").ends_with("[]"));
}

#[test]
fn trainings_are_shown_as_they_are_found() {
    let bench = Bench::new();
    let learn = ["learn", "train", "5D", "--preset", "small", "-p", "iterations=1", "--seed", "1"];
    let small = ["-p", "episodes=4", "-p", "channels=2", "-p", "blocks=1", "-p", "simulations=0"];
    bench.run(&[&learn[..], &small, &["--out", "all/first"]].concat()).succeeds();
    let served = Served::new(&bench, &["--port", "0", "--no-archive", "--training", "all"]);
    let answer = served.get("/api/training-runs");
    assert!(
        answer.contains("\"name\":\"first\"") && answer.contains("\"iteration\":[1.0]"),
        "{answer}"
    );
    assert!(answer.contains("\"parameters\":{") && answer.contains("\"moves\":[{"), "{answer}");
    let no = bench.run(&["serve", "--port", "0", "--training", "nowhere"]).fails();
    assert!(no.err.contains("nowhere"), "{}", no.err);
}

#[test]
fn errors_are_reported_before_anything_is_served() {
    let bench = Bench::new();
    let served = Served::new(&bench, &["--port", "0", "--no-archive"]);
    let port = served.address.trim_end_matches('/').rsplit(':').next().expect("a port").to_owned();
    let taken = bench.run(&["serve", "--port", &port, "--no-archive"]).fails();
    assert!(taken.err.contains("--port 0"), "{}", taken.err);
    bench.write("short", "abc\n");
    own(&bench, "short");
    bench.run(&["serve", "--port", "0", "--token-file", "short"]).fails();
    bench.write("file", "not a folder");
    bench.run(&["serve", "--port", "0", "--archive", "file"]).fails();
    bench.run(&["serve", "--listen", "lab.example"]).fails();
    bench.run(&["serve", "--port", "70000"]).fails();
}
