//! How much a server bears: many event streams and many requests at once, for a while.
//!
//! `morpion serve --port 8080 --no-archive`, then
//! `cargo run --release -p morpion-web --example load -- 127.0.0.1:8080 PID`: 200 streams and 1,000
//! requests a second for a minute. PID is the server's process, whose memory use is printed, as is
//! the rate of a hunt that runs meanwhile. One client reads nothing all the time.

#[path = "../tests/it/common/client.rs"]
mod client;

use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use client::{Client, Events};
use serde_json::json;

const STREAMS: usize = 200;
const CLIENTS: u32 = 8;
const RATE: u32 = 1000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, pid, rest @ ..] = arguments.as_slice() else {
        panic!("name the server's address, its process and, if not 60, the number of seconds");
    };
    let address: SocketAddr = address.parse().expect("an address like 127.0.0.1:8080");
    let seconds = rest.first().map_or(60, |text| text.parse().expect("a number of seconds"));
    let (over, messages, errors) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let times = Mutex::new(Vec::new());
    let game = json!({"format": "morpion-game/1", "rules": "5T", "start": "cross", "moves": [
        {"new": [7, 0], "line": [[3, 0], "E"]}, {"new": [3, 4], "line": [[3, 0], "S"]}]});
    let empty = json!({"format": "morpion-game/1", "rules": "5D", "start": "cross", "moves": []});
    let hunt = json!({"game": empty, "method": "random"});
    let begun = Client::new(address).ask("POST", "/api/hunts", hunt.to_string().as_bytes()).is(201);
    let id = begun.json()["id"].clone();
    let view = || Client::new(address).ask("GET", &format!("/api/hunts/{id}"), b"").is(200).json();
    let mut lazy = Client::new(address);
    lazy.send(format!("GET /api/events HTTP/1.1\r\nhost: {address}\r\n\r\n").as_bytes())
        .expect("the server reads");
    say(&format!("memory before: {} kB", memory(pid)));
    std::thread::scope(|scope| {
        for _ in 0..STREAMS - 1 {
            scope.spawn(|| {
                let mut events = Events::new(address);
                while !over.load(Ordering::Relaxed) && events.next().is_some() {
                    messages.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let began = Instant::now();
        for _ in 0..CLIENTS {
            let (game, errors, times) = (game.to_string(), &errors, &times);
            scope.spawn(move || {
                let mut client = Client::new(address);
                let mut own = Vec::new();
                for turn in 1..=seconds * RATE / CLIENTS {
                    let asked = Instant::now();
                    let answer = client.ask("POST", "/api/position", game.as_bytes());
                    own.push(asked.elapsed());
                    errors.fetch_add(u64::from(answer.status != 200), Ordering::Relaxed);
                    let next = began + Duration::from_secs(1) * CLIENTS * turn / RATE;
                    std::thread::sleep(next.saturating_duration_since(Instant::now()));
                }
                times.lock().expect("no panic").extend(own);
            });
        }
        let (first, middle) = (view(), seconds / 2);
        std::thread::sleep(Duration::from_secs(middle.into()));
        say(&format!("memory halfway: {} kB", memory(pid)));
        std::thread::sleep(Duration::from_secs((seconds - middle).into()));
        let last = view();
        let made = |view: &serde_json::Value| view["playouts"].as_f64().unwrap_or(0.0);
        say(&format!(
            "the hunt: {:.0} playouts a second",
            (made(&last) - made(&first)) / f64::from(seconds)
        ));
        // The last message of the hunt lets the streams see that all is over.
        over.store(true, Ordering::Relaxed);
        Client::new(address).ask("POST", &format!("/api/hunts/{id}/stop"), b"").is(200);
    });
    drop(lazy);
    let mut times = times.into_inner().expect("no panic");
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    say(&format!("memory after: {} kB", memory(pid)));
    say(&format!(
        "{} requests, {} errors; median {:?}, 99th percentile {:?}, slowest {:?}; {} messages",
        times.len(),
        errors.into_inner(),
        at(0.5),
        at(0.99),
        at(1.0),
        messages.into_inner()
    ));
}

/// The memory that a process holds, in kB.
fn memory(pid: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

#[expect(clippy::print_stdout, reason = "an example tells what it sees")]
fn say(text: &str) {
    println!("{text}");
}
