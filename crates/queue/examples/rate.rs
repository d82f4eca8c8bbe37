//! How many empty tasks a second go through a queue: put, claimed, answered and settled.
//!
//! `cargo run --release -p morpion-queue --example rate -- nats://127.0.0.1:4222 [TASKS [WORKERS [BATCH]]]`

#![allow(clippy::print_stdout, reason = "an example prints")]

extern crate morpion_queue as queue;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use queue::{Address, Outcome, Patience, Task, Terms};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let address: Address = args.next().ok_or("the address of a queue")?.parse()?;
    let mut number = |otherwise: usize| args.next().map_or(Ok(otherwise), |text| text.parse());
    let (count, workers, batch) = (number(20_000)?, number(2)?, number(256)?);
    let patience = Patience::of(Duration::from_secs(30));
    let plan = format!("rate-{}", std::process::id()).parse()?;
    let coordinator = queue::coordinate(&address, None, &plan, &Terms::default(), &patience)?;
    let tasks = (0..count)
        .map(|number| Ok(Task { id: format!("task-{number}").parse()?, body: Vec::new() }))
        .collect::<Result<Vec<_>, queue::BadName>>()?;
    let start = Instant::now();
    coordinator.put(&tasks)?;
    let put = start.elapsed();
    println!("put        {:8.0} tasks/s", count as f64 / put.as_secs_f64());
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _ends_workers = scope_end(&over);
        for number in 0..workers {
            let (address, patience, over) = (&address, &patience, &over);
            let work = move || -> Result<(), queue::QueueError> {
                let name = format!("w{number}").parse().expect("letters and digits");
                let worker = queue::work(address, None, &name, patience)?;
                while !over.load(Ordering::Relaxed) {
                    let claims = worker.claim(batch, Duration::from_millis(200))?;
                    let empty = |claim| (claim, Outcome::Done(Vec::new()));
                    worker.hand_in(claims.into_iter().map(empty).collect())?;
                }
                Ok(())
            };
            scope.spawn(move || work().expect("the queue is there"));
        }
        let working = Instant::now();
        let mut done = HashSet::new();
        while done.len() < count {
            let answers = coordinator.answers(batch, Duration::from_secs(1))?;
            let mut receipts = Vec::with_capacity(answers.len());
            for answer in answers {
                done.insert(answer.task);
                receipts.push(answer.receipt);
            }
            coordinator.settle(receipts)?;
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
