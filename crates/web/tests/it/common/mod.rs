//! A server of our own for each test, on any free port.

pub(crate) mod browser;
pub(crate) mod client;

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use client::{Answer, Client};
use serde_json::{Value, json};
use web::{Limits, Server, ServerSettings, Stopper, Token};

/// Where `scripts/solver` puts the solver.
const SOLVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../solver/libhighs.so.1");

/// A server that stops with the test.
pub(crate) struct Lab {
    pub(crate) address: SocketAddr,
    pub(crate) folder: tempfile::TempDir,
    lines: Arc<Mutex<Vec<String>>>,
    stopper: Stopper,
    thread: Option<JoinHandle<()>>,
}

impl Lab {
    pub(crate) fn new() -> Self {
        Self::with(limits(), None)
    }

    pub(crate) fn with(limits: Limits, token: Option<Token>) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self::within(folder, 0, limits, token)
    }

    /// Another server after this one, with the same archive.
    pub(crate) fn again(mut self) -> Self {
        self.stop();
        let other = tempfile::tempdir().expect("a temporary folder");
        Self::within(std::mem::replace(&mut self.folder, other), 0, limits(), None)
    }

    /// The server that was stopped, back at its address.
    pub(crate) fn back(mut self) -> Self {
        let other = tempfile::tempdir().expect("a temporary folder");
        let (folder, port) = (std::mem::replace(&mut self.folder, other), self.address.port());
        Self::within(folder, port, limits(), None)
    }

    fn within(folder: tempfile::TempDir, port: u16, limits: Limits, token: Option<Token>) -> Self {
        let archive = store::Archive::open_or_create(&folder.path().join("archive"));
        let lines = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&lines);
        let settings = ServerSettings {
            token,
            names: Vec::new(),
            limits,
            archive: Some(archive.expect("an archive")),
            solver: solver::Solver::open(SOLVER).ok(),
            training_runs: vec![folder.path().join("trainings")],
            log: Box::new(move |line| kept.lock().expect("no panic").push(line.to_owned())),
        };
        let address = (Ipv4Addr::LOCALHOST, port).into();
        let server = Server::bind(address, settings).expect("a free port");
        let (address, stopper) = (server.address().expect("an address"), server.stopper());
        let thread = Some(std::thread::spawn(move || server.run()));
        Self { address, folder, lines, stopper, thread }
    }

    pub(crate) fn client(&self) -> Client {
        Client::new(self.address)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.client().ask("GET", path, b"")
    }

    pub(crate) fn post(&self, path: &str, body: impl AsRef<[u8]>) -> Answer {
        self.client().ask("POST", path, body.as_ref())
    }

    /// The lines of the log.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.lock().expect("no panic").clone()
    }

    /// Stops the server and waits until it is gone.
    pub(crate) fn stop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server does not panic");
        }
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Limits that a test can wait for.
pub(crate) fn limits() -> Limits {
    Limits {
        head_time: Duration::from_secs(2),
        body_time: Duration::from_millis(500),
        running: 2,
        remembered: 4,
        ..Limits::default()
    }
}

/// A game in the native format.
pub(crate) fn game(rules: &str, moves: &Value) -> Value {
    json!({"format": "morpion-game/1", "rules": rules, "start": "cross", "moves": moves})
}
