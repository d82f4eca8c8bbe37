//! How many empty tasks a second go through a queue.
//!
//! `cargo run --release -p morpion-queue --example rate -- ADDRESS [TASKS [WORKERS [BATCH]]]`, with
//! an address like `nats://127.0.0.1:4222`.

#![allow(clippy::print_stdout, reason = "an example prints")]

extern crate morpion_queue as queue;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use queue::{Address, Outcome, QueueOptions, RetryPolicy, Task};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let address: Address = args.next().ok_or("the address of a queue")?.parse()?;
    let mut number = |otherwise: usize| args.next().map_or(Ok(otherwise), |text| text.parse());
    let (count, workers, batch) = (number(20_000)?, number(2)?, number(256)?);
    let retry = RetryPolicy::new(Duration::from_secs(30));
    let plan = format!("rate-{}", std::process::id()).parse()?;
    let coordinator =
        queue::connect_coordinator(&address, None, &plan, &QueueOptions::default(), &retry)?;
    let tasks = (0..count)
        .map(|number| Ok(Task { id: format!("task-{number}").parse()?, body: Vec::new() }))
        .collect::<Result<Vec<_>, queue::ParseNameError>>()?;
    let start = Instant::now();
    coordinator.enqueue(&tasks)?;
    let enqueued = start.elapsed();
    println!("enqueue    {:8.0} tasks/s", count as f64 / enqueued.as_secs_f64());
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _ends_workers = scope_end(&over);
        for number in 0..workers {
            let (address, retry, over) = (&address, &retry, &over);
            let work = move || -> Result<(), queue::QueueError> {
                let name = format!("w{number}").parse().expect("letters and digits");
                let worker = queue::connect_worker(address, None, &name, retry)?;
                while !over.load(Ordering::Relaxed) {
                    let claims = worker.claim(batch, Duration::from_millis(200))?;
                    let empty = |claim| (claim, Outcome::Done(Vec::new()));
                    worker.submit(claims.into_iter().map(empty).collect())?;
                }
                Ok(())
            };
            scope.spawn(move || work().expect("the queue is there"));
        }
        let working = Instant::now();
        let mut done = HashSet::new();
        while done.len() < count {
            let replies = coordinator.replies(batch, Duration::from_secs(1))?;
            let mut receipts = Vec::with_capacity(replies.len());
            for reply in replies {
                done.insert(reply.task);
                receipts.push(reply.receipt);
            }
            coordinator.acknowledge(receipts)?;
        }
        println!("drain      {:8.0} tasks/s", count as f64 / working.elapsed().as_secs_f64());
        println!("all of it  {:8.0} tasks/s", count as f64 / start.elapsed().as_secs_f64());
        Ok::<_, queue::QueueError>(())
    })?;
    Ok(coordinator.close()?)
}

/// Ends the workers however the scope is left.
fn scope_end(over: &AtomicBool) -> impl Drop + '_ {
    struct End<'a>(&'a AtomicBool);
    impl Drop for End<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::Relaxed);
        }
    }
    End(over)
}
