//! One search on several threads, with checkpoints, to a verified game.
//!
//! A [`HuntSpec`] says what to search for and how; [`run`] searches until its budget is spent, its
//! target is reached or the callback stops it, and has the verifier replay the game. A
//! [`Checkpoint`] is the hunt as data, from which [`resume`] continues as if it had never stopped.
//! Where checkpoints and games are stored is up to the caller.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use geometry::Game;
//! use morpion_hunt::{HuntBudget, HuntSpec, run};
//! use search::MethodSpec;
//!
//! let game = Game::named("5D")?;
//! let spec = HuntSpec {
//!     method: MethodSpec::named("random", &game, [])?,
//!     game,
//!     prefix: Vec::new(),
//!     seed: 1,
//!     threads: 2,
//!     budget: HuntBudget { playouts: Some(1_000), ..HuntBudget::default() },
//! };
//! let found = run(&spec, None, &|_| ControlFlow::Continue(()))?;
//! assert!(found.game.score() > 40);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checkpoint;
mod exchange;
mod spec;
mod workers;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use evidence::VerifiedRecord;
use geometry::Move;
use record::Record;
use rules::{IllegalSequence, replay};
use search::StateError;

pub use record::PROGRAM;

pub use checkpoint::{Checkpoint, CheckpointError, CheckpointTooLarge};
pub use spec::{HuntBudget, HuntSpec, HuntSpecError};

/// The result of a hunt.
#[derive(Debug)]
#[must_use]
pub struct HuntResult {
    /// The longest game, with its provenance, verified.
    pub game: VerifiedRecord,
    /// The number of playouts, in all sessions of the hunt.
    pub playouts: u64,
    /// The CPU time they took.
    pub cpu: Duration,
    /// The wall-clock time they took.
    pub wall: Duration,
}

/// What a hunt reports, from any of its threads. A callback that returns `Break` stops the hunt,
/// which keeps its longest game.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A game longer than all before it.
    Improved(&'a Record),
    /// The progress of the hunt, every few milliseconds.
    Progress {
        /// The number of moves of the longest game.
        best: usize,
        /// The number of playouts of all threads, in all sessions.
        playouts: u64,
    },
    /// A checkpoint to be saved: about as often as asked for, and at the end.
    Checkpoint(&'a Checkpoint),
}

/// The callback of a hunt.
pub type OnEvent<'a> = &'a (dyn Fn(Event<'_>) -> ControlFlow<()> + Sync);

/// Why a hunt has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HuntError {
    /// The first moves are not legal.
    #[error("the first moves are not legal")]
    Prefix(#[from] IllegalSequence),
    /// The verifier refused the game found: a bug in this program.
    #[error("the verifier refused the game that was found, which is a bug in this program")]
    Refused(#[source] evidence::Refusal),
    /// A saved search cannot be resumed.
    #[error("search {thread} of the checkpoint cannot be resumed")]
    State {
        /// Which, counted from 1.
        thread: usize,
        /// Why.
        source: StateError,
    },
    /// The system refused to start another thread.
    #[error("cannot start {0} threads; use fewer")]
    Threads(u32, #[source] std::io::Error),
}

/// Searches until the budget is spent, the target is reached or the callback stops it. Reports a
/// checkpoint about as often as `checkpoint_every`, never if `None`.
///
/// With a budget in playouts only, the same specification finds the same game and writes the same
/// record; a record that depends on the clock also states the CPU time used.
pub fn run(
    spec: &HuntSpec,
    checkpoint_every: Option<Duration>,
    on: OnEvent<'_>,
) -> Result<HuntResult, HuntError> {
    resume(Checkpoint::new(spec.clone()), spec.budget, checkpoint_every, on)
}

/// Resumes a hunt, which continues as if it had never stopped.
///
/// The playouts of the budget include those made before, its time does not.
pub fn resume(
    mut checkpoint: Checkpoint,
    budget: HuntBudget,
    checkpoint_every: Option<Duration>,
    on: OnEvent<'_>,
) -> Result<HuntResult, HuntError> {
    checkpoint.spec.budget = budget;
    let spec = checkpoint.spec.clone();
    let clock = Clock::resumed(checkpoint.cpu, checkpoint.wall);
    let is_over = replay(&spec.game, &spec.prefix)?.legal.is_empty();
    let searches = checkpoint.searches()?;
    let (best, playouts) = (checkpoint.best.clone(), checkpoint.playouts());
    let mut stopped = false;
    if best.len() > spec.prefix.len() {
        stopped = on(Event::Improved(&spec.record(best.clone(), playouts))).is_break();
    }
    let (moves, playouts) = if stopped || is_over || spec.budget.is_reached(best.len()) {
        (best, playouts)
    } else {
        workers::run(checkpoint, searches, checkpoint_every, clock, on)?
    };
    verified(&spec, moves, playouts, clock)
}

fn verified(
    spec: &HuntSpec,
    moves: Vec<Move>,
    playouts: u64,
    clock: Clock,
) -> Result<HuntResult, HuntError> {
    let (cpu, _) = clock.elapsed();
    let mut record = spec.record(moves, playouts);
    let is_timed = spec.budget.time.is_some();
    record.provenance.cpu_seconds = is_timed.then(|| (cpu.as_secs_f64() * 100.0).round() / 100.0);
    let game = VerifiedRecord::new(record).map_err(HuntError::Refused)?;
    Ok(HuntResult { game, playouts, cpu, wall: clock.elapsed().1 })
}

/// A random seed, small enough to be exact in every JSON reader.
pub fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 11
}

/// Measures the time of all sessions of a hunt.
#[derive(Clone, Copy)]
struct Clock {
    started: Instant,
    cpu: ProcessTime,
    before: (Duration, Duration),
}

impl Clock {
    fn resumed(cpu: Duration, wall: Duration) -> Self {
        Self { started: Instant::now(), cpu: ProcessTime::now(), before: (cpu, wall) }
    }

    /// The CPU time and the wall-clock time of all sessions.
    fn elapsed(&self) -> (Duration, Duration) {
        (self.before.0 + self.cpu.elapsed(), self.before.1 + self.started.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Game;
    use search::MethodSpec;

    fn quiet(_event: Event<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn found(spec: &HuntSpec) -> HuntResult {
        run(spec, None, &quiet).expect("a game")
    }

    fn small(name: &str, method: &str) -> HuntSpec {
        let game = Game::named(name).expect("a known game");
        let method = MethodSpec::named(method, &game, []).expect("a method");
        let budget = HuntBudget { playouts: Some(501), ..HuntBudget::default() };
        HuntSpec { game, prefix: vec![], method, seed: 7, threads: 2, budget }
    }

    #[test]
    fn the_same_hunt_writes_the_same_record() {
        let one = found(&small("5D", "random"));
        let other = found(&small("5D", "random"));
        assert_eq!(one.playouts, 501);
        assert_eq!(one.game.to_json(), other.game.to_json());
        let third = found(&HuntSpec { seed: 8, ..small("5D", "random") });
        assert_ne!(one.game.to_json(), third.game.to_json());
    }

    #[test]
    fn every_method_hunts_every_game_and_the_seed_decides() {
        for info in search::METHODS {
            for name in ["4D", "4T", "5D", "5T", "6T", "9D"] {
                let spec = small(name, info.name);
                let found_once = found(&spec);
                assert!(found_once.game.moves().len() >= 12, "{} {name}", info.name);
                let again = found(&spec).game.to_json();
                assert_eq!(found_once.game.to_json(), again, "{} {name}", info.name);
            }
        }
    }

    #[test]
    fn a_hunt_from_a_position_keeps_its_first_moves() {
        for info in search::METHODS {
            let mut prefix = found(&small("5D", "random")).game.moves().to_vec();
            prefix.truncate(20);
            let spec = HuntSpec { prefix: prefix.clone(), ..small("5D", info.name) };
            let moves = found(&spec).game.moves().to_vec();
            assert_eq!(moves[..20], prefix);
            assert!(moves.len() > 20);
        }
    }

    #[test]
    fn a_target_ends_the_hunt() {
        let budget = HuntBudget { target: Some(50), ..HuntBudget::default() };
        let spec = HuntSpec { budget, ..small("5D", "random") };
        assert!(found(&spec).game.moves().len() >= 50);
    }

    #[test]
    fn illegal_first_moves_are_an_error() {
        let mut spec = small("5D", "random");
        let first = replay(&spec.game, &[]).expect("legal").legal[0];
        spec.prefix = vec![first, first];
        assert!(matches!(run(&spec, None, &quiet), Err(HuntError::Prefix(_))));
    }
}
