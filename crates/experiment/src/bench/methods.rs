//! How fast the methods search, and where their time goes.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::Duration;

use cpu_time::ThreadTime;
use geometry::Game;
use rand::SeedableRng;
use rules::{Engine, EngineVisitor, Playout, with_engine};
use search::{Budget, MethodSpec, Nrpa, NrpaPhase, Rng, Search};

use super::{MeasurementView, ShareView, time};

/// What is measured of a method.
pub(super) struct MethodBench {
    method: &'static str,
    pub(super) what: &'static str,
    /// How many playouts on the fastest engine, and on the plain one.
    playouts: u64,
    plainly: u64,
    unit: &'static str,
    scale: f64,
}

pub(super) const METHODS: [MethodBench; 4] = [
    MethodBench {
        method: "random",
        what: "uniform random games",
        playouts: 50_000,
        plainly: 300,
        unit: "k games/s",
        scale: 1e3,
    },
    MethodBench {
        method: "sa",
        what: "simulated annealing",
        playouts: 2_000_000,
        plainly: 20_000,
        unit: "M steps/s",
        scale: 1e6,
    },
    // A search of level 3 takes 40,000 games: long enough for games to be as long as they will be.
    MethodBench {
        method: "nrpa",
        what: "rollouts with adaptation",
        playouts: 60_000,
        plainly: 300,
        unit: "k games/s",
        scale: 1e3,
    },
    MethodBench {
        method: "temper",
        what: "parallel tempering",
        playouts: 500_000,
        plainly: 3_000,
        unit: "k proposals/s",
        scale: 1e3,
    },
];

impl MethodBench {
    /// How fast it is on the fastest engine and on the plain one, in turns.
    pub(super) fn measure(&self, name: &str, rounds: u32) -> MeasurementView {
        let game = Game::named(name).expect("a known game");
        let method = MethodSpec::named(self.method, &game, []).expect("a known method");
        let rng = || Rng::seed_from_u64(1);
        let (mut fast, mut plain) = (Duration::MAX, Duration::MAX);
        for _ in 0..rounds {
            let search = method.start(&game, &[], rng());
            fast = fast.min(time_of(search, self.playouts));
            let search = Search::start_plain(method.method(), &game, &[], rng());
            plain = plain.min(time_of(search, self.plainly));
        }
        let rate = |playouts: u64, time: Duration| playouts as f64 / time.as_secs_f64();
        let (whole, fast, plain) = (fast, rate(self.playouts, fast), rate(self.plainly, plain));
        MeasurementView {
            what: format!("{name}: {}", self.what),
            value: fast / self.scale,
            unit: self.unit,
            ratio: Some(fast / plain),
            reference: Some("the plain engine"),
            parts: match self.method {
                "random" => self.parts_of_random_games(&game, rounds, whole),
                "nrpa" => self.parts_of_nrpa(&game, &method, rounds),
                _ => Vec::new(),
            },
        }
    }

    /// Getting ready for as many games, each given up at its first random choice, and the rest.
    fn parts_of_random_games(&self, game: &Game, rounds: u32, whole: Duration) -> Vec<ShareView> {
        let ready = (0..rounds).map(|_| with_engine(game, Ready { games: self.playouts })).min();
        let share = ready.unwrap_or_default().as_secs_f64() / whole.as_secs_f64();
        vec![
            ShareView { what: "getting ready for a game", share },
            ShareView { what: "choosing and making moves", share: 1.0 - share },
        ]
    }

    /// The same search once more, with a look at the clock after each part.
    fn parts_of_nrpa(&self, game: &Game, method: &MethodSpec, rounds: u32) -> Vec<ShareView> {
        let nrpa = Nrpa::from(method.values());
        let mut shortest = [Duration::MAX; 3];
        for _ in 0..rounds {
            let times = times_by_phase(&nrpa, game, self.playouts);
            for (shortest, time) in shortest.iter_mut().zip(times) {
                *shortest = time.min(*shortest);
            }
        }
        let whole: Duration = shortest.iter().sum();
        let names = ["playing games", "finding when lines were legal", "adapting policies"];
        let part = |(what, time): (_, Duration)| ShareView {
            what,
            share: time.as_secs_f64() / whole.as_secs_f64(),
        };
        names.into_iter().zip(shortest).map(part).collect()
    }
}

/// The time that a search of some playouts takes.
fn time_of(search: Search, playouts: u64) -> Duration {
    time(|| {
        black_box(search.run(Budget::playouts(playouts), |_| ControlFlow::Continue(())));
    })
}

/// Starts games, gives each up at its first random choice, and returns how long it took.
struct Ready {
    games: u64,
}

impl EngineVisitor for Ready {
    type Output = Duration;

    fn visit<E: Engine>(self, engine: &E) -> Duration {
        let (board, mut playout) = (engine.position(), engine.playout());
        time(|| {
            for _ in 0..self.games {
                black_box(playout.play(&board, usize::MAX, |_| black_box(None)));
            }
        })
    }
}

/// The time that each phase of an NRPA search takes, without the time of reading the clock.
fn times_by_phase(nrpa: &Nrpa, game: &Game, playouts: u64) -> [Duration; 3] {
    let began = ThreadTime::now();
    let look = time(|| (0..10_000).for_each(|_| _ = black_box(began.elapsed()))) / 10_000;
    let mut times = [Duration::ZERO; 3];
    let mut last = began.elapsed();
    let done = |phase| {
        let now = began.elapsed();
        let of = match phase {
            NrpaPhase::Play => 0,
            NrpaPhase::Analyse => 1,
            NrpaPhase::Adapt => 2,
        };
        times[of] += (now - last).saturating_sub(look);
        last = now;
    };
    let budget = Budget::playouts(playouts);
    black_box(nrpa.search_by_phases(game, budget, &mut Rng::seed_from_u64(1), done));
    times
}
