//! What the embedded queue costs.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{io, thread};

use geometry::Game;
use hunt::{HuntBudget, HuntError, HuntSpec};
use lab::jobs::{
    CoordinatorError, CoordinatorEvent, Job, JobPlan, OpenSolverError, RunEnd, Work, WorkerContext,
    coordinate, work,
};
use queue::QueueError;
use search::MethodSpec;
use store::{Archive, EmbeddedCoordinator, EmbeddedWorker, StoreError};

use super::MeasurementView;

/// How many workers there are.
const WORKERS: usize = 2;
/// How many tasks in which nothing is to be done.
const EMPTY: u64 = 5000;
/// How many hunts, and of how many playouts.
const HUNTS: u64 = 4;
const PLAYOUTS: u64 = 6_000_000;

/// Why the queue cannot be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// There is no temporary folder.
    #[error("cannot create a temporary folder")]
    Folder(#[from] io::Error),
    /// The archive failed.
    #[error(transparent)]
    Archive(#[from] StoreError),
    /// The coordinator failed.
    #[error(transparent)]
    Coordinator(#[from] CoordinatorError),
    /// A worker failed.
    #[error(transparent)]
    Worker(#[from] QueueError),
    /// A hunt failed.
    #[error(transparent)]
    Hunt(#[from] HuntError),
    /// Tasks were left.
    #[error("{done} of {total} tasks were done")]
    Unfinished {
        /// How many were done.
        done: usize,
        /// How many there were.
        total: usize,
    },
}

/// Empty tasks per second, and the throughput of hunts as a share of that without a queue. In
/// wall time, since waiting counts.
pub fn measure(rounds: u32) -> Result<Vec<MeasurementView>, BenchError> {
    let empty: Vec<Job> = (0..EMPTY).map(|number| Job::new(Work::Nothing(number))).collect();
    let hunts: Vec<HuntSpec> = (0..HUNTS).map(small_hunt).collect();
    let jobs: Vec<Job> = hunts.iter().map(|hunt| Job::hunt(hunt.clone())).collect();
    let [mut nothing, mut queued, mut bare] = [Duration::MAX; 3];
    for _ in 0..rounds.min(3) {
        nothing = nothing.min(through_the_queue(&empty)?);
        queued = queued.min(through_the_queue(&jobs)?);
        bare = bare.min(without_a_queue(&hunts)?);
    }
    let rate = HUNTS as f64 / queued.as_secs_f64();
    Ok(vec![
        MeasurementView {
            what: format!("empty tasks through the queue, {WORKERS} workers"),
            value: EMPTY as f64 / nothing.as_secs_f64(),
            unit: "tasks/s",
            ratio: None,
            reference: None,
            parts: Vec::new(),
        },
        MeasurementView {
            what: format!("hunts of 5D through the queue, {WORKERS} workers"),
            value: rate * PLAYOUTS as f64 / 1000.0,
            unit: "k proposals/s",
            ratio: Some(bare.as_secs_f64() / queued.as_secs_f64()),
            reference: Some("two bare searches"),
            parts: Vec::new(),
        },
    ])
}

fn small_hunt(seed: u64) -> HuntSpec {
    let game = Game::named("5D").expect("a known game");
    let method = MethodSpec::named("temper", &game, []).expect("a known method");
    let budget = HuntBudget { playouts: Some(PLAYOUTS), ..HuntBudget::default() };
    HuntSpec { game, prefix: Vec::new(), method, seed, threads: 1, budget }
}

/// How long jobs take from an empty archive to a full one.
fn through_the_queue(jobs: &[Job]) -> Result<Duration, BenchError> {
    let folder = tempfile::tempdir()?;
    let mut archive = Archive::open_or_create(folder.path())?;
    let plan = JobPlan::new("bench", "", jobs.to_vec());
    let options = plan.queue_options(Duration::from_secs(60), 1);
    let queue = EmbeddedCoordinator::new(Archive::open(folder.path())?, &options);
    let over = AtomicBool::new(false);
    let began = Instant::now();
    let (end, done, took) = thread::scope(|scope| {
        let (over, folder) = (&over, folder.path());
        let workers: Vec<_> =
            (0..WORKERS).map(|number| scope.spawn(move || serve(folder, number, over))).collect();
        let mut done = 0;
        let end = coordinate(&mut archive, &queue, &plan, &mut |event| {
            if let CoordinatorEvent::Progress(progress) = event {
                done = progress.done;
            }
            ControlFlow::Continue(())
        });
        // That the workers must find out that all is over is not part of it.
        let took = began.elapsed();
        over.store(true, Ordering::Relaxed);
        for worker in workers {
            worker.join().expect("workers do not panic")?;
        }
        Ok::<_, BenchError>((end?, done, took))
    })?;
    if end != RunEnd::Complete || done != jobs.len() {
        return Err(BenchError::Unfinished { done, total: jobs.len() });
    }
    Ok(took)
}

/// One worker, until all is over.
fn serve(folder: &Path, number: usize, over: &AtomicBool) -> Result<(), BenchError> {
    let archive = Archive::open(folder)?;
    let context = WorkerContext {
        open_solver: Box::new(|| Err(OpenSolverError("no solver is needed".into()))),
        checkpoints: Some(archive.checkpoints()),
        save_every: Duration::from_secs(15),
        poll: Duration::from_millis(200),
    };
    let queue = EmbeddedWorker::new(archive, format!("bench-{number}"));
    Ok(work(&queue, &context, &mut |_| match over.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    })?)
}

/// How long hunts take on this many threads without a queue.
fn without_a_queue(hunts: &[HuntSpec]) -> Result<Duration, BenchError> {
    let began = Instant::now();
    let search = |_, spec| hunt::run(spec, None, &|_| ControlFlow::Continue(()));
    lab::parts::run(hunts, WORKERS as u32, search, |_| Ok(ControlFlow::Continue(())))?;
    Ok(began.elapsed())
}
