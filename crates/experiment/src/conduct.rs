//! Runs what is missing of a plan, on several threads, and keeps each result at once.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::journal::{Journal, JournalError, Row};
use super::plan::{Plan, RunId};
use super::single::{Onlooker, single};
use hunt::HuntError;

/// Is told how an experiment goes, from whichever thread has news.
pub trait Audience: Sync {
    /// How it stands.
    fn stands(&self, standing: &Standing);

    /// Whether to stop now and keep what is done.
    fn wants_stop(&self) -> bool;
}

/// How far an experiment is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Standing {
    /// How many runs are done.
    pub done: usize,
    /// How many there are.
    pub total: usize,
    /// About how long the rest takes, once that can be told.
    pub left: Option<Duration>,
}

/// How an experiment ended.
#[derive(Debug)]
pub enum Ending {
    /// All runs are done: their rows in the order of the plan.
    Done(Vec<Row>),
    /// It was stopped; the runs that were done are kept.
    Stopped {
        /// How many are done.
        done: usize,
        /// Of how many.
        total: usize,
    },
}

/// Why an experiment cannot go on. What was done is kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConductError {
    /// The file of results made trouble.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A run made trouble.
    #[error(transparent)]
    Hunt(#[from] HuntError),
    /// The system refused to start another thread.
    #[error("cannot start {0} threads; ask for fewer")]
    Threads(u32, #[source] std::io::Error),
}

/// Makes all runs of a plan that the file of results does not have yet.
///
/// Every run has its own seed, so neither the number of threads nor an interruption changes a
/// score.
pub fn conduct(
    plan: &Plan,
    path: &Path,
    threads: u32,
    audience: &dyn Audience,
) -> Result<Ending, ConductError> {
    let journal = Journal::open(plan, path)?;
    let missing: VecDeque<RunId> =
        plan.runs().filter(|run| !journal.rows().contains_key(run)).collect();
    let cost =
        |runs: &VecDeque<RunId>| -> f64 { runs.iter().map(|run| plan.cells[run.cell].cost).sum() };
    let workers = (threads.max(1) as usize).min(missing.len());
    let hall = Hall {
        plan,
        audience,
        began: Instant::now(),
        total_cost: cost(&missing),
        missing: Mutex::new(missing),
        journal: Mutex::new(Books { journal, done_cost: 0.0, trouble: None }),
        stop: AtomicBool::new(false),
        parts: (0..workers).map(|_| AtomicU64::new(0)).collect(),
    };
    std::thread::scope(|scope| {
        for number in 0..workers {
            let hall = &hall;
            let started =
                std::thread::Builder::new().spawn_scoped(scope, move || hall.work(number));
            if let Err(error) = started {
                hall.give_up(ConductError::Threads(threads, error));
                break;
            }
        }
    });
    let Books { journal, trouble, .. } =
        hall.journal.into_inner().expect("no thread panics holding the results");
    if let Some(trouble) = trouble {
        return Err(trouble);
    }
    let (done, total) = (journal.rows().len(), plan.total());
    if done < total {
        return Ok(Ending::Stopped { done, total });
    }
    Ok(Ending::Done(journal.finish()?))
}

/// What the workers have in common.
struct Hall<'a> {
    plan: &'a Plan,
    audience: &'a dyn Audience,
    began: Instant,
    total_cost: f64,
    missing: Mutex<VecDeque<RunId>>,
    journal: Mutex<Books<'a>>,
    stop: AtomicBool,
    /// By worker: the cost of what is done of the run under way, as the bits of a float.
    parts: Vec<AtomicU64>,
}

struct Books<'a> {
    journal: Journal<'a>,
    /// The cost of all runs made here and now.
    done_cost: f64,
    trouble: Option<ConductError>,
}

impl Hall<'_> {
    fn work(&self, worker: usize) {
        while !self.is_over() {
            let next = self.missing.lock().expect("no thread panics holding the list").pop_front();
            let Some(run) = next else { return };
            let cost = self.plan.cells[run.cell].cost;
            let seat = Seat { hall: self, worker, cost };
            let outcome = single(self.plan, run, &seat);
            self.parts[worker].store(0, Ordering::Relaxed);
            match outcome {
                Ok(None) => return,
                Ok(Some(row)) => {
                    let mut books = self.journal.lock().expect("no thread panics holding them");
                    if let Err(error) = books.journal.add(row) {
                        drop(books);
                        return self.give_up(error.into());
                    }
                    books.done_cost += cost;
                }
                Err(error) => return self.give_up(error.into()),
            }
            self.tell();
        }
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.audience.wants_stop()
    }

    /// Stops all for the first trouble.
    fn give_up(&self, trouble: ConductError) {
        self.stop.store(true, Ordering::Relaxed);
        let mut books = self.journal.lock().expect("no thread panics holding the results");
        books.trouble.get_or_insert(trouble);
    }

    fn tell(&self) {
        // Whoever comes while another tells need not tell the same.
        let Ok(books) = self.journal.try_lock() else { return };
        let under_way: f64 =
            self.parts.iter().map(|part| f64::from_bits(part.load(Ordering::Relaxed))).sum();
        let (done, made) = (books.journal.rows().len(), books.done_cost + under_way);
        drop(books);
        let left = (made > 0.0).then(|| {
            let share = (self.total_cost - made).max(0.0) / made;
            Duration::from_secs_f64((self.began.elapsed().as_secs_f64() * share).min(1e9))
        });
        self.audience.stands(&Standing { done, total: self.plan.total(), left });
    }
}

/// The place of one worker in the hall.
struct Seat<'h, 'a> {
    hall: &'h Hall<'a>,
    worker: usize,
    cost: f64,
}

impl Onlooker for Seat<'_, '_> {
    fn part(&self, part: f64) {
        let done = self.cost * part.clamp(0.0, 1.0);
        self.hall.parts[self.worker].store(done.to_bits(), Ordering::Relaxed);
        self.hall.tell();
    }

    fn wants_stop(&self) -> bool {
        self.hall.is_over()
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::testing::random_games;
    use super::*;
    use std::sync::atomic::AtomicUsize;

    /// Stops after so many looks.
    struct Patience(AtomicUsize);

    impl Audience for Patience {
        fn stands(&self, _standing: &Standing) {}

        fn wants_stop(&self) -> bool {
            let left = self.0.load(Ordering::Relaxed);
            self.0.store(left.saturating_sub(1), Ordering::Relaxed);
            left == 0
        }
    }

    fn patience(looks: usize) -> Patience {
        Patience(AtomicUsize::new(looks))
    }

    /// What of a file of results does not depend on the clock.
    fn scores(path: &Path) -> Vec<String> {
        let text = std::fs::read_to_string(path).expect("a file");
        let timeless = |line: &str| line.rsplit_once(',').map_or(line, |(rest, _)| rest).to_owned();
        text.lines().map(timeless).collect()
    }

    #[test]
    fn neither_threads_nor_interruptions_change_the_results() {
        let dir = tempfile::tempdir().expect("a folder");
        let plan = random_games(20);
        let one = dir.path().join("one.csv");
        let ending = conduct(&plan, &one, 1, &patience(usize::MAX)).expect("no trouble");
        let Ending::Done(rows) = ending else { panic!("{ending:?}") };
        assert_eq!(rows.len(), 40);
        assert!(rows.iter().all(|row| row.score >= 12 && row.playouts > 0));
        let other = dir.path().join("other.csv");
        let (mut stops, mut before) = (0, 0);
        loop {
            match conduct(&plan, &other, 3, &patience(25)).expect("no trouble") {
                Ending::Done(_) => break,
                Ending::Stopped { done, total } => {
                    assert!(done >= before && done < total, "{done} of {total}");
                    (before, stops) = (done, stops + 1);
                }
            }
        }
        assert!(stops > 1, "{stops}");
        assert_eq!(scores(&one), scores(&other));
        // All done: nothing is run, nothing changes.
        let before = std::fs::read(&one).expect("a file");
        let again = conduct(&plan, &one, 2, &patience(usize::MAX)).expect("no trouble");
        assert!(matches!(again, Ending::Done(_)));
        assert_eq!(std::fs::read(&one).expect("a file"), before);
    }

    #[test]
    fn more_repeats_go_on_where_fewer_ended() {
        let dir = tempfile::tempdir().expect("a folder");
        let (one, other) = (dir.path().join("one.csv"), dir.path().join("other.csv"));
        for repeats in [2, 5] {
            conduct(&random_games(repeats), &one, 2, &patience(usize::MAX)).expect("no trouble");
        }
        conduct(&random_games(5), &other, 2, &patience(usize::MAX)).expect("no trouble");
        assert_eq!(scores(&one), scores(&other));
    }

    #[test]
    fn a_run_of_some_time_ends_and_tells_its_improvements() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut plan = random_games(1);
        plan.traced = true;
        for cell in &mut plan.cells {
            cell.length = super::super::plan::Length::Time(Duration::from_millis(30));
        }
        let path = dir.path().join("test.csv");
        let ending = conduct(&plan, &path, 2, &patience(usize::MAX)).expect("no trouble");
        let Ending::Done(rows) = ending else { panic!("{ending:?}") };
        for row in rows {
            assert!(row.cpu >= Duration::from_millis(30), "{row:?}");
            assert_eq!(row.improvements.last().map(|last| last.score), Some(row.score));
        }
    }
}
