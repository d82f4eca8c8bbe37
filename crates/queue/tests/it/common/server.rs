//! A real NATS server for tests.

#![allow(dead_code, reason = "each crate uses a part of this")]

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};

use crate::until::until_or;

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

    /// Ends it as an administrator would: what it knows is on the disk.
    pub(crate) fn stop(&mut self) {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args(["-TERM", &id]).status();
        assert!(status.expect("kill").success());
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
    let log = PathBuf::from(&args[1]).with_extension("log");
    let file = std::fs::File::create(&log).expect("a file");
    let child = Command::new("nats-server")
        .args(args)
        .stdout(Stdio::null())
        .stderr(file)
        .spawn()
        .expect("nats-server, which scripts/nats installs");
    until_or(
        || TcpStream::connect(("127.0.0.1", port)).is_ok(),
        || std::fs::read_to_string(&log).unwrap_or_default(),
    );
    child
}

/// A port that no outgoing connection is given: while the server is down, its clients try to
/// connect to it all the time, and one of them could take its port.
pub(crate) fn free_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let start = (std::process::id() % 20_000) as u16;
    let ports = (0..20_000).map(|_| NEXT.fetch_add(1, Ordering::Relaxed));
    ports
        .map(|number| 12_000 + (start + number % 20_000) % 20_000)
        .find(|&port| TcpListener::bind(("127.0.0.1", port)).is_ok())
        .expect("a free port")
}
