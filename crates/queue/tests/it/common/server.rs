//! A real NATS server for tests.

#![allow(dead_code, reason = "each crate uses a part of this")]

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than anything takes on a busy machine.
pub(crate) const LONG: Duration = Duration::from_secs(120);

/// A NATS server that ends with the test.
pub(crate) struct Server {
    pub(crate) port: u16,
    args: Vec<String>,
    folder: tempfile::TempDir,
    child: Child,
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::with("", &[])
    }

    /// A server with more lines of configuration, and files in its folder.
    pub(crate) fn with(lines: &str, files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, content) in files {
            std::fs::write(folder.path().join(name), content).expect("a file");
        }
        let lines = lines.replace("FOLDER", folder.path().to_str().expect("UTF-8"));
        let port = free_port();
        let store = folder.path().join("store");
        let config = format!(
            "listen: \"127.0.0.1:{port}\"\njetstream: {{ store_dir: {store:?} }}\n{lines}\n"
        );
        let path = folder.path().join("server.conf");
        std::fs::write(&path, config).expect("a file");
        let args = vec!["-c".to_owned(), path.to_str().expect("UTF-8").to_owned()];
        let child = start(&args, port);
        Self { port, args, folder, child }
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills it.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it has ended");
    }

    /// Starts it again on the same port and data.
    pub(crate) fn restart(&mut self) {
        self.child = start(&self.args, self.port);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn start(args: &[String], port: u16) -> Child {
    let child = Command::new("nats-server")
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("nats-server, which scripts/nats installs");
    until(|| TcpStream::connect(("127.0.0.1", port)).is_ok());
    child
}

pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// Polls until it is so.
#[track_caller]
pub(crate) fn until(is_so: impl FnMut() -> bool) {
    until_within(LONG, is_so);
}

/// Polls until it is so, for at most this long.
#[track_caller]
pub(crate) fn until_within(limit: Duration, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < limit, "it never happened");
        std::thread::sleep(Duration::from_millis(20));
    }
}
