//! `morpion serve` from the outside.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::Bench;

/// A server that ends with the test.
struct Served {
    process: Child,
    address: String,
}

impl Served {
    /// Starts a server and reads the address that it prints.
    fn new(bench: &Bench, args: &[&str]) -> Self {
        let mut command = bench.command(&[&["serve"], args].concat());
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
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
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
    assert!(notes.contains("404"), "refusals are told: {notes}");
    assert!(bench.files().contains(&"archive".to_owned()));
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
    let served = Served::new(&bench, &["--port", "0", "--token-file", "token", "--no-archive"]);
    assert!(served.address.ends_with("/?token=a-token-of-my-own-choice"), "{}", served.address);
}

#[test]
fn a_hunt_goes_on_after_its_server_was_killed() {
    let bench = Bench::new();
    let mut served = Served::new(&bench, &["--port", "0"]);
    let game = r#"{"format": "morpion-game/1", "rules": "5D", "start": "cross", "moves": []}"#;
    let wish = format!(r#"{{"game": {game}, "method": "random"}}"#);
    assert!(served.ask("POST", "/api/hunts", &wish).starts_with("HTTP/1.1 201"));
    let began = Instant::now();
    while !served.get("/api/hunts/1").contains("\"lasts\":true") {
        assert!(began.elapsed() < Duration::from_secs(120), "it is saved every few seconds");
        std::thread::sleep(Duration::from_millis(200));
    }
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
    let answer = served.get("/api/trainings");
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
    bench.run(&["serve", "--port", "0", "--token-file", "short"]).fails();
    bench.write("file", "not a folder");
    bench.run(&["serve", "--port", "0", "--archive", "file"]).fails();
    bench.run(&["serve", "--listen", "lab.example"]).fails();
    bench.run(&["serve", "--port", "70000"]).fails();
}
