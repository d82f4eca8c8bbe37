//! One search on several threads.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use evidence::VerifiedRecord;
use geometry::{Game, Move};
use rand::SeedableRng;
use record::{Provenance, Record};
use rules::{Engine, EngineVisitor, PlainEngine, Position, with_engine};
use search::{BadState, Budget, Ended, Method, Observer, Rng, Searcher, State, Unwatched};

use crate::exchange::{Meetings, Presence};
use crate::{PROGRAM, SavedHunt};

/// What to look for, and for how long.
#[derive(Debug, Clone)]
pub struct Hunt {
    /// Which game.
    pub game: Game,
    /// The moves that the game begins with; they must be legal.
    pub from: Vec<Move>,
    /// How to search.
    pub method: Method,
    /// Where every random choice comes from; thread i draws from the i-th stream of this seed.
    pub seed: u64,
    /// How many threads search.
    pub threads: u32,
    /// How many playouts all threads together may make.
    pub playouts: Option<u64>,
    /// How long they may search.
    pub time: Option<Duration>,
    /// The number of moves at which the hunt is over.
    pub target: Option<usize>,
}

/// What a hunt has found.
#[derive(Debug)]
pub struct Find {
    /// The best game, with its provenance, verified.
    pub game: VerifiedRecord,
    /// How many playouts were made, in all sessions of the hunt.
    pub playouts: u64,
    /// How much processor time they took.
    pub cpu: Duration,
    /// How long they took.
    pub wall: Duration,
}

/// Is told how a hunt goes, from whichever thread has news.
pub trait Watcher: Sync {
    /// A game better than all before it.
    fn improved(&self, record: &Record);

    /// How it stands.
    fn stands(&self, best: usize, playouts: u64);

    /// Whether to stop now and keep the best.
    fn wants_stop(&self) -> bool;

    /// How often the hunt is to be saved; `None` if never.
    fn save_every(&self) -> Option<Duration> {
        None
    }

    /// The hunt as it stands, to be saved; told about as often as wanted, and at the end.
    fn save(&self, _saved: &SavedHunt) {}
}

/// Why a hunt has no result.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HuntError {
    /// The verifier refused what the search found: a bug in this program.
    #[error("the verifier refused the game that was found, which is a bug in this program")]
    Refused(#[source] evidence::Refusal),
    /// A saved search cannot go on.
    #[error("search {island} of the saved ones cannot go on")]
    State {
        /// Which, counted from 1.
        island: usize,
        /// Why.
        source: BadState,
    },
    /// The system refused to start another thread.
    #[error("cannot start {0} threads; ask for fewer")]
    Threads(u32, #[source] std::io::Error),
}

/// Searches until the budget is spent, the target is reached or the watcher wants to stop.
///
/// With a budget in playouts only, the same hunt finds the same game and writes the same record;
/// a record that depends on the clock also says how much processor time was used.
pub fn hunt(hunt: &Hunt, watcher: &dyn Watcher) -> Result<Find, HuntError> {
    resume(SavedHunt::new(hunt.clone()), watcher)
}

/// Goes on with a hunt, as if it had never stopped.
///
/// `playouts` of the hunt counts those made before, `time` does not.
pub fn resume(saved: SavedHunt, watcher: &dyn Watcher) -> Result<Find, HuntError> {
    let hunt = saved.hunt.clone();
    let clock =
        Clock { began: Instant::now(), cpu: ProcessTime::now(), before: (saved.cpu, saved.wall) };
    let islands = Islands { hunt: &hunt, saved, watcher, clock };
    let (moves, playouts) = if with_engine(&hunt.game, HasRoom(&hunt.from)) {
        with_engine(&hunt.game, islands)?
    } else {
        islands.visit(&PlainEngine::new(hunt.game.clone()))?
    };
    let (cpu, _) = clock.spent();
    let mut record = hunt.record(moves, playouts);
    record.provenance.cpu_seconds = hunt.time.map(|_| (cpu.as_secs_f64() * 100.0).round() / 100.0);
    let game = VerifiedRecord::new(record).map_err(HuntError::Refused)?;
    Ok(Find { game, playouts, cpu, wall: clock.spent().1 })
}

/// Measures the time of all sessions of a hunt.
#[derive(Clone, Copy)]
struct Clock {
    began: Instant,
    cpu: ProcessTime,
    before: (Duration, Duration),
}

impl Clock {
    /// Of processors, and by the clock.
    fn spent(&self) -> (Duration, Duration) {
        (self.before.0 + self.cpu.elapsed(), self.before.1 + self.began.elapsed())
    }
}

impl Hunt {
    /// A game of this hunt, with where it comes from.
    pub fn record(&self, moves: Vec<Move>, playouts: u64) -> Record {
        let score = moves.len() as u64;
        let mut record = Record::of_moves(self.game.clone(), moves);
        record.claims.score = Some(score);
        record.provenance = Provenance {
            program: Some(PROGRAM.to_owned()),
            method: Some(self.method.info().name.to_owned()),
            parameters: self
                .method
                .values()
                .iter()
                .map(|(name, value)| (name.to_owned(), value.to_string()))
                .collect(),
            seed: Some(self.seed),
            threads: Some(self.threads),
            playouts: Some(playouts),
            ..Provenance::default()
        };
        if !self.from.is_empty() {
            record.provenance.other.insert("given_moves".to_owned(), self.from.len().into());
        }
        record
    }
}

/// Whether a engine has room for these moves: a fast one may have not.
struct HasRoom<'a>(&'a [Move]);

impl EngineVisitor for HasRoom<'_> {
    type Output = bool;

    fn visit<E: Engine>(self, engine: &E) -> bool {
        let mut board = engine.position();
        self.0.iter().all(|&mv| board.play(mv).is_ok())
    }
}

struct Islands<'a> {
    hunt: &'a Hunt,
    saved: SavedHunt,
    watcher: &'a dyn Watcher,
    clock: Clock,
}

impl EngineVisitor for Islands<'_> {
    type Output = Result<(Vec<Move>, u64), HuntError>;

    fn visit<E: Engine>(self, engine: &E) -> Self::Output {
        let Self { hunt, saved, watcher, clock } = self;
        check(hunt, engine, &saved)?;
        let (best, playouts) = (saved.best.clone(), saved.playouts());
        if best.len() > hunt.from.len() {
            watcher.improved(&hunt.record(best.clone(), playouts));
        }
        let reached = hunt.target.is_some_and(|target| best.len() >= target);
        if reached || is_over(engine, &hunt.from) {
            return Ok((best, playouts));
        }
        let states = saved.islands.clone();
        let told = states.iter().map(|state| state.as_ref().map_or(vec![], |s| s.told().to_vec()));
        let told: Vec<_> = told.collect();
        let shared = Shared {
            hunt,
            watcher,
            clock,
            best: Mutex::new(best.clone()),
            playouts: AtomicU64::new(playouts),
            stop: AtomicBool::new(false),
            every: watcher.save_every(),
            saving: Mutex::new(Saving::new(saved)),
            meetings: Meetings::new(told),
        };
        let games = shared.run_islands(engine, states)?;
        shared.save_last();
        // The first of the longest, so that chance between threads does not decide; an earlier
        // session counts only if it did better, as one may that was cut on the way.
        let found = games.into_iter().rev().max_by_key(Vec::len).unwrap_or_default();
        let longest = if best.len() > found.len() { best } else { found };
        Ok((longest, shared.playouts.into_inner()))
    }
}

/// Whether all searches can go on, found out before any does: one that has nothing to spend only
/// looks at its state.
fn check<E: Engine>(hunt: &Hunt, engine: &E, saved: &SavedHunt) -> Result<(), HuntError> {
    let nothing = Budget { playouts: Some(0), deadline: None };
    for (island, state) in (1..).zip(&saved.islands) {
        if let Some(state) = state {
            let checked = hunt.method.resume(engine, &hunt.from, state, nothing, &mut Unwatched);
            checked.map_err(|source| HuntError::State { island, source })?;
        }
    }
    Ok(())
}

/// Whether no move can follow these.
fn is_over<E: Engine>(engine: &E, from: &[Move]) -> bool {
    let mut board = engine.position();
    for &mv in from {
        board.play(mv).expect("the first moves are legal");
    }
    board.legal().is_empty() && !board.is_truncated()
}

/// What the threads of a hunt have in common.
struct Shared<'a> {
    hunt: &'a Hunt,
    watcher: &'a dyn Watcher,
    clock: Clock,
    best: Mutex<Vec<Move>>,
    playouts: AtomicU64,
    stop: AtomicBool,
    /// How often to save.
    every: Option<Duration>,
    saving: Mutex<Saving>,
    meetings: Meetings,
}

/// The hunt as it will be saved next.
struct Saving {
    saved: SavedHunt,
    /// Which islands have handed in a state since it was saved last.
    fresh: Vec<bool>,
    last: Instant,
}

impl Saving {
    fn new(saved: SavedHunt) -> Self {
        Self { fresh: vec![false; saved.islands.len()], saved, last: Instant::now() }
    }
}

impl Shared<'_> {
    /// Lets all islands search, and gives back the best game of each.
    fn run_islands<E: Engine>(
        &self,
        engine: &E,
        states: Vec<Option<Box<State>>>,
    ) -> Result<Vec<Vec<Move>>, HuntError> {
        let Self { hunt, clock, .. } = self;
        let threads = states.len() as u64;
        let deadline = hunt.time.map(|time| clock.began + time);
        std::thread::scope(|scope| {
            let mut stream = Rng::seed_from_u64(hunt.seed);
            let mut islands = Vec::new();
            for (number, state) in states.into_iter().enumerate() {
                let mut rng = stream.clone();
                stream.jump();
                let share = |all: u64| all / threads + u64::from((number as u64) < all % threads);
                let budget = Budget { playouts: hunt.playouts.map(share), deadline };
                let mut island = Island {
                    shared: self,
                    number,
                    told: state.as_ref().map_or(0, |state| state.playouts()),
                    met: state.as_ref().map_or(0, |state| state.told().len()),
                    handed: Instant::now(),
                };
                let (method, from) = (&hunt.method, hunt.from.as_slice());
                let search = move || {
                    let game = match state {
                        None => method.search(engine, from, budget, &mut rng, &mut island),
                        Some(state) => method
                            .resume(engine, from, &state, budget, &mut island)
                            .expect("the state has been checked"),
                    };
                    let done = budget.playouts.is_some_and(|all| island.told >= all);
                    let presence = if done { Presence::Done } else { Presence::Gone };
                    self.meetings.leave(number, presence);
                    game
                };
                match std::thread::Builder::new().spawn_scoped(scope, search) {
                    Ok(island) => islands.push(island),
                    Err(error) => {
                        self.stop.store(true, Ordering::Relaxed);
                        return Err(HuntError::Threads(hunt.threads, error));
                    }
                }
            }
            let join =
                |island: ScopedJoinHandle<'_, _>| island.join().expect("searches do not panic");
            Ok(islands.into_iter().map(join).collect())
        })
    }

    /// Takes the state of an island and saves the hunt when all have handed in theirs, or one is
    /// long in coming.
    fn take(&self, number: usize, state: State, every: Duration) {
        let mut saving = self.saving.lock().expect("no thread panics while it saves");
        saving.saved.islands[number] = Some(Box::new(state));
        saving.fresh[number] = true;
        let (all, elapsed) = (saving.fresh.iter().all(|&fresh| fresh), saving.last.elapsed());
        if all && elapsed >= every / 2 || elapsed >= every * 2 {
            self.save(&mut saving);
        }
    }

    fn save_last(&self) {
        if self.every.is_some() {
            self.save(&mut self.saving.lock().expect("no thread panics while it saves"));
        }
    }

    fn save(&self, saving: &mut Saving) {
        let Saving { saved, fresh, last } = saving;
        (saved.cpu, saved.wall) = self.clock.spent();
        saved.best.clone_from(&self.best.lock().expect("no thread panics holding the best"));
        self.watcher.save(saved);
        fresh.fill(false);
        *last = Instant::now();
    }
}

struct Island<'a> {
    shared: &'a Shared<'a>,
    number: usize,
    /// How many playouts of this thread are in the common count.
    told: u64,
    /// How many meetings it has been to.
    met: usize,
    /// When it last handed in its state.
    handed: Instant,
}

impl Observer for Island<'_> {
    fn improved(&mut self, game: &[Move]) -> ControlFlow<()> {
        let mut best = self.shared.best.lock().expect("no thread panics holding the best");
        if game.len() > best.len() {
            *best = game.to_vec();
            let playouts = self.shared.playouts.load(Ordering::Relaxed);
            self.shared.watcher.improved(&self.shared.hunt.record(game.to_vec(), playouts));
        }
        if self.shared.hunt.target.is_some_and(|target| best.len() >= target) {
            self.shared.stop.store(true, Ordering::Relaxed);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn spent(&mut self, playouts: u64) -> ControlFlow<()> {
        let new = playouts - self.told;
        let all = self.shared.playouts.fetch_add(new, Ordering::Relaxed) + new;
        self.told = playouts;
        let best = self.shared.best.lock().expect("no thread panics holding the best").len();
        self.shared.watcher.stands(best, all);
        if self.shared.stop.load(Ordering::Relaxed) || self.shared.watcher.wants_stop() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn wants_state(&mut self, last: bool) -> bool {
        self.shared.every.is_some_and(|every| last || self.handed.elapsed() >= every)
    }

    fn state(&mut self, state: State) {
        if let Some(every) = self.shared.every {
            self.shared.take(self.number, state, every);
        }
        self.handed = Instant::now();
    }

    fn meet(&mut self, ended: Option<Ended>) -> ControlFlow<(), Vec<Ended>> {
        let Shared { hunt, watcher, clock, stop, meetings, .. } = self.shared;
        let is_late = || hunt.time.is_some_and(|time| clock.began.elapsed() >= time);
        let wants_stop = || stop.load(Ordering::Relaxed) || watcher.wants_stop() || is_late();
        let heard = meetings.meet(self.number, self.met, ended, wants_stop)?;
        self.met += 1;
        ControlFlow::Continue(heard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Quiet;

    impl Watcher for Quiet {
        fn improved(&self, _record: &Record) {}
        fn stands(&self, _best: usize, _playouts: u64) {}
        fn wants_stop(&self) -> bool {
            false
        }
    }

    fn small(game: &str) -> Hunt {
        let game = Game::named(game).expect("a known game");
        let method = Method::named("random", &game, []).expect("a method");
        let (threads, playouts) = (2, Some(501));
        Hunt { game, from: vec![], method, seed: 7, threads, playouts, time: None, target: None }
    }

    #[test]
    fn the_same_hunt_writes_the_same_record() {
        let one = hunt(&small("5D"), &Quiet).expect("a find");
        let other = hunt(&small("5D"), &Quiet).expect("a find");
        assert_eq!(one.playouts, 501);
        assert_eq!(one.game.to_json(), other.game.to_json());
        let third = hunt(&Hunt { seed: 8, ..small("5D") }, &Quiet).expect("a find");
        assert_ne!(one.game.to_json(), third.game.to_json());
    }

    #[test]
    fn every_method_hunts_every_game_and_the_seed_decides() {
        for info in search::METHODS {
            for name in ["4D", "4T", "5D", "5T", "6T", "9D"] {
                let game = Game::named(name).expect("known");
                let method = Method::named(info.name, &game, []).expect("a method");
                let wish = Hunt { method, ..small(name) };
                let find = hunt(&wish, &Quiet).expect("a find");
                assert!(find.game.moves().len() >= 12, "{} {name}", info.name);
                let again = hunt(&wish, &Quiet).expect("a find");
                assert_eq!(find.game.to_json(), again.game.to_json(), "{} {name}", info.name);
            }
        }
    }

    #[test]
    fn a_hunt_from_a_position_keeps_its_first_moves() {
        for info in search::METHODS {
            let whole = hunt(&small("5D"), &Quiet).expect("a find").game.into_record();
            let record::Play::Moves(mut from) = whole.play else { panic!("a game has moves") };
            from.truncate(20);
            let method = Method::named(info.name, &whole.game, []).expect("a method");
            let wish = Hunt { from: from.clone(), method, ..small("5D") };
            let find = hunt(&wish, &Quiet).expect("a find").game.into_record();
            let record::Play::Moves(moves) = find.play else { panic!("a game has moves") };
            assert_eq!(moves[..20], from);
            assert!(moves.len() > 20);
        }
    }

    #[test]
    fn a_target_ends_the_hunt() {
        let wish = Hunt { target: Some(50), playouts: None, ..small("5D") };
        let find = hunt(&wish, &Quiet).expect("a find");
        assert!(find.game.moves().len() >= 50);
    }
}
