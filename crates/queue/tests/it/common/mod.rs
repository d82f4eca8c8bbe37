//! What the tests share: a real NATS server, and short words.

mod server;

use std::time::Duration;

use queue::{Address, Coordinator, Credentials, Name, Patience, QueueError, Task, Terms, Worker};

pub(crate) use server::{LONG, Server, free_port, until};

/// Where a server is.
pub(crate) fn address(server: &Server) -> Address {
    server.url().parse().expect("an address")
}

pub(crate) fn name(text: &str) -> Name {
    text.parse().expect("a name")
}

pub(crate) fn terms(lease: Duration) -> Terms {
    Terms { lease, deliveries: 3, largest_answer: 8 << 20, replicas: 1 }
}

pub(crate) fn tasks(count: usize) -> Vec<Task> {
    let task = |number| Task { id: name(&format!("t{number}")), body: vec![number as u8; 10] };
    (0..count).map(task).collect()
}

/// The coordinator of the plan `plan`.
pub(crate) fn coordinator(address: &Address, terms: &Terms) -> Box<dyn Coordinator> {
    queue::coordinate(address, None, &name("plan"), terms, &Patience::of(LONG)).expect("a queue")
}

pub(crate) fn worker(address: &Address, called: &str) -> Box<dyn Worker> {
    queue::work(address, None, &name(called), &Patience::of(LONG)).expect("a queue")
}

/// Tries to get in.
pub(crate) fn enter(
    address: &Address,
    credentials: Option<&Credentials>,
) -> Result<Box<dyn Worker>, QueueError> {
    queue::work(address, credentials, &name("w"), &Patience::of(Duration::from_secs(20)))
}
