//! Runs of the archive: progress, claimed tasks, failures.

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use store::{Archive, StoreError};

use crate::response::{self, ApiResult};
use crate::server::App;

/// The most runs, and the most failures, of one response.
const MOST: u32 = 20;

#[derive(Default, Serialize)]
struct Status {
    runs: Vec<Row>,
    running: Vec<Held>,
    mishaps: Vec<Mishap>,
}

#[derive(Serialize)]
struct Row {
    id: String,
    name: String,
    /// `running`, `stopped` or `over`, as the archive has it.
    state: &'static str,
    done: usize,
    failed: usize,
    open: usize,
    /// The game and the score of the longest game found.
    best: Option<(String, u32)>,
    /// When it was begun, in milliseconds since 1970.
    begun: i64,
}

/// A task in the hands of a worker.
#[derive(Serialize)]
struct Held {
    task: String,
    worker: String,
    /// Since when, in milliseconds since 1970.
    since: i64,
    progress: String,
}

#[derive(Serialize)]
struct Mishap {
    task: String,
    time: i64,
    worker: String,
    what: &'static str,
    reason: String,
}

/// The state of the runs of the archive.
pub(crate) async fn status(State(app): State<Arc<App>>) -> ApiResult {
    let archive = Arc::clone(&app.archive);
    let status = app.quick.run(move |_| match archive.exists() {
        true => archive.look(read),
        false => Ok(Status::default()),
    });
    response::json(&status.await??)
}

fn read(archive: &Archive) -> Result<Status, StoreError> {
    let mut runs = Vec::new();
    for run in archive.runs()?.into_iter().take(MOST as usize) {
        let counts = archive.counts(&run.id)?;
        runs.push(Row {
            best: archive.best_of_run(&run.id)?,
            state: run.state.name(),
            done: counts.done,
            failed: counts.failed,
            open: counts.open,
            begun: run.started,
            id: run.id,
            name: run.name,
        });
    }
    let held = archive.running_tasks()?.into_iter().map(|held| Held {
        task: held.task,
        worker: held.worker,
        since: held.since,
        progress: held.progress,
    });
    let mishaps = archive.failures(None, MOST)?.into_iter().map(|event| Mishap {
        task: event.task,
        time: event.time,
        worker: event.worker,
        what: event.failure.name(),
        reason: event.reason,
    });
    Ok(Status { runs, running: held.collect(), mishaps: mishaps.collect() })
}
