//! A small HTTP client that sends whatever it is told, byte for byte.

#![allow(dead_code, reason = "the example uses a part of this")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// Fails unless the status is this one.
    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.text());
        self
    }
}

/// One connection, which may be used again.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    address: SocketAddr,
}

impl Client {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket has time limits");
        stream.set_nodelay(true).expect("a socket can hurry");
        Self { stream: BufReader::new(stream), address }
    }

    /// Sends these bytes and nothing else.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    /// Asks as a program would that knows what it does.
    pub(crate) fn ask(&mut self, method: &str, path: &str, body: &[u8]) -> Answer {
        let host = self.address;
        self.ask_with(method, path, &[("host", &host.to_string())], body)
    }

    pub(crate) fn ask_with(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\ncontent-length: {}\r\n", body.len());
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        // A server that refuses need not read it all.
        let _ = self.send(&[head.as_bytes(), b"\r\n", body].concat());
        self.answer()
    }

    /// Reads an answer to its end.
    pub(crate) fn answer(&mut self) -> Answer {
        let (status, headers) = self.head();
        let mut answer = Answer { status, headers, body: Vec::new() };
        let length = answer.header("content-length").and_then(|text| text.parse().ok());
        if let Some(length) = length {
            answer.body.resize(length, 0);
            self.stream.read_exact(&mut answer.body).expect("the whole body");
        }
        answer
    }

    /// Reads the status and the headers.
    pub(crate) fn head(&mut self) -> (u16, Vec<(String, String)>) {
        let first = self.line();
        let status = first.split(' ').nth(1).and_then(|text| text.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no status: {first:?}"));
        let mut headers = Vec::new();
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(':') else { return (status, headers) };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
    }

    /// The next line, without its end; empty at the end of all.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        // A connection that is cut is at its end.
        let _ = self.stream.read_line(&mut line);
        line.trim_end().to_owned()
    }

    /// Whether the other side has closed.
    pub(crate) fn is_closed(&mut self) -> bool {
        matches!(self.stream.fill_buf(), Ok([]) | Err(_))
    }
}

/// The events of a stream, as they come.
pub(crate) struct Events(Client);

impl Events {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let mut client = Client::new(address);
        let host = address.to_string();
        client
            .send(format!("GET /api/events HTTP/1.1\r\nhost: {host}\r\n\r\n").as_bytes())
            .expect("the server reads");
        let (status, _) = client.head();
        assert_eq!(status, 200);
        Self(client)
    }

    /// The next event: its name and its data; `None` at the end of the stream.
    pub(crate) fn next(&mut self) -> Option<(String, Value)> {
        let mut name = String::new();
        loop {
            if self.0.is_closed() {
                return None;
            }
            let line = self.0.line();
            if line == "0" {
                return None;
            }
            if let Some(event) = line.strip_prefix("event: ") {
                event.clone_into(&mut name);
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(data).expect("JSON")));
            }
        }
    }

    /// Waits for an event of which this holds.
    pub(crate) fn until(&mut self, wanted: impl Fn(&str, &Value) -> bool) -> Value {
        loop {
            let (name, data) = self.next().expect("the stream goes on");
            if wanted(&name, &data) {
                return data;
            }
        }
    }
}
