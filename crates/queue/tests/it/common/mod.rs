//! What the tests share: a real NATS server, and shorthands.

mod server;

use std::time::Duration;

use queue::{
    Address, Coordinator, Credentials, Name, QueueError, QueueOptions, RetryPolicy, Worker,
};

pub(crate) use server::{Server, free_port};

use crate::until::LONG;

/// Where a server is.
pub(crate) fn address(server: &Server) -> Address {
    server.url().parse().expect("an address")
}

pub(crate) fn name(text: &str) -> Name {
    text.parse().expect("a name")
}

/// The coordinator of the plan `plan`.
pub(crate) fn coordinator(address: &Address, options: &QueueOptions) -> Box<dyn Coordinator> {
    let retry = RetryPolicy::new(LONG);
    queue::connect_coordinator(address, None, &name("plan"), options, &retry).expect("a queue")
}

pub(crate) fn worker(address: &Address, worker: &str) -> Box<dyn Worker> {
    let retry = RetryPolicy::new(LONG);
    queue::connect_worker(address, None, &name(worker), &retry).expect("a queue")
}

/// Tries to connect.
pub(crate) fn connect(
    address: &Address,
    credentials: Option<&Credentials>,
) -> Result<Box<dyn Worker>, QueueError> {
    let retry = RetryPolicy::new(Duration::from_secs(20));
    queue::connect_worker(address, credentials, &name("w"), &retry)
}
