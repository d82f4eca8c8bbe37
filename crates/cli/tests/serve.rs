//! `morpion serve` from the outside.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use common::Bench;

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
        let host = self.address.trim_start_matches("http://").split('/').next().expect("a host");
        let mut stream = TcpStream::connect(host).expect("the server listens");
        let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
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
fn trouble_is_told_before_anything_is_served() {
    let bench = Bench::new();
    let served = Served::new(&bench, &["--port", "0", "--no-archive"]);
    let port = served.address.trim_end_matches('/').rsplit(':').next().expect("a port").to_owned();
    let taken = bench.run(&["serve", "--port", &port, "--no-archive"]).meets_trouble();
    assert!(taken.err.contains("--port 0"), "{}", taken.err);
    bench.write("short", "abc\n");
    bench.run(&["serve", "--port", "0", "--token-file", "short"]).meets_trouble();
    bench.write("file", "not a folder");
    bench.run(&["serve", "--port", "0", "--archive", "file"]).meets_trouble();
    bench.run(&["serve", "--listen", "lab.example"]).meets_trouble();
    bench.run(&["serve", "--port", "70000"]).meets_trouble();
}
