//! `morpion bench`.

use std::hint::black_box;
use std::time::Duration;

use anyhow::Result;
use cpu_time::ThreadTime;
use geometry::{Game, Line, Point, Start};
use rand::SeedableRng;
use record::Record;
use rules::count::{Kind, Settings, count};
use rules::{Board, Kit, Plain, PlainBoard, Task, with_kit};
use search::{Budget, Method, Rng, Searcher, Unwatched};
use serde::Serialize;

use crate::output::{Answer, note, print, print_json};

/// Measures the speeds that matter, as ratios to a plain reference in the same run
///
/// Times are processor time of one thread; each pair is measured in turns and the best of the
/// rounds is taken, so that a busy machine disturbs the ratios little.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many rounds to measure
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,

    /// Print one JSON list
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Figure {
    what: String,
    value: f64,
    unit: &'static str,
    /// How many times the reference, if there is one.
    ratio: Option<f64>,
    reference: Option<&'static str>,
}

pub(crate) fn run(args: Args) -> Result<Answer> {
    let mut figures = Vec::new();
    for wish in &METHODS {
        for name in ["5T", "5D", "4T", "4D"] {
            note(format_args!("measuring {} of {name}", wish.what));
            figures.push(method(name, args.rounds, wish));
        }
    }
    for (name, moves) in [("5T", 9), ("5D", 10), ("4T", 6), ("4D", 6)] {
        note(format_args!("measuring the count of positions of {name}"));
        figures.push(positions(name, moves, args.rounds));
    }
    note("measuring the ordering of drawings");
    figures.extend(ordering(args.rounds));
    if args.json {
        print_json(&figures)?;
        return Ok(Answer::Yes);
    }
    for figure in figures {
        let Figure { what, value, unit, ratio, reference } = figure;
        let ratio = match (ratio, reference) {
            (Some(ratio), Some(reference)) => format!("   {ratio:8.2} x {reference}"),
            _ => String::new(),
        };
        print(format_args!("{what:<44} {value:>12.1} {unit:<14}{ratio}"))?;
    }
    Ok(Answer::Yes)
}

/// The shortest of some rounds.
fn shortest(rounds: u32, mut work: impl FnMut()) -> Duration {
    let time = |_| {
        let began = ThreadTime::now();
        work();
        began.elapsed()
    };
    (0..rounds).map(time).min().unwrap_or_default()
}

/// How fast a method searches on the fastest kit and on the plain one, in turns.
fn method(name: &str, rounds: u32, wish: &Measured) -> Figure {
    let game = Game::named(name).expect("a known game");
    let method = Method::named(wish.method, &game, []).expect("a known method");
    let work = |playouts| Search { method: &method, playouts };
    let (mut fast, mut plain) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..rounds {
        fast = fast.min(with_kit(&game, work(wish.playouts)).as_secs_f64());
        plain = plain.min(work(wish.plainly).run(&Plain::new(game.clone())).as_secs_f64());
    }
    let (fast, plain) = (wish.playouts as f64 / fast, wish.plainly as f64 / plain);
    Figure {
        what: format!("{name}: {}", wish.what),
        value: fast / wish.scale,
        unit: wish.unit,
        ratio: Some(fast / plain),
        reference: Some("the plain kit"),
    }
}

/// What is measured of a method.
struct Measured {
    method: &'static str,
    what: &'static str,
    /// How many playouts on the fastest kit, and on the plain one.
    playouts: u64,
    plainly: u64,
    unit: &'static str,
    scale: f64,
}

const METHODS: [Measured; 4] = [
    Measured {
        method: "random",
        what: "uniform random games",
        playouts: 50_000,
        plainly: 300,
        unit: "k games/s",
        scale: 1e3,
    },
    Measured {
        method: "sa",
        what: "simulated annealing",
        playouts: 2_000_000,
        plainly: 20_000,
        unit: "M steps/s",
        scale: 1e6,
    },
    // A search of level 3 takes 40,000 games: long enough for games to be as long as they will be.
    Measured {
        method: "nrpa",
        what: "rollouts with adaptation",
        playouts: 60_000,
        plainly: 300,
        unit: "k games/s",
        scale: 1e3,
    },
    Measured {
        method: "temper",
        what: "parallel tempering",
        playouts: 500_000,
        plainly: 3_000,
        unit: "k proposals/s",
        scale: 1e3,
    },
];

/// Makes so many playouts by a method and says how long it took.
struct Search<'a> {
    method: &'a Method,
    playouts: u64,
}

impl Task for Search<'_> {
    type Output = Duration;

    fn run<K: Kit>(self, kit: &K) -> Duration {
        let mut rng = Rng::seed_from_u64(1);
        let budget = Budget { playouts: Some(self.playouts), deadline: None };
        let began = ThreadTime::now();
        black_box(self.method.search(kit, &[], budget, &mut rng, &mut Unwatched));
        began.elapsed()
    }
}

/// Evenly drawn numbers below a bound, from a fixed seed: Marsaglia's xorshift.
fn generator() -> impl FnMut(usize) -> usize {
    let mut state: u64 = 0x2545_f491_4f6c_dd1d;
    move |bound| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((u128::from(state) * bound as u128) >> 64) as usize
    }
}

fn positions(name: &str, moves: usize, rounds: u32) -> Figure {
    let game = Game::named(name).expect("a known game");
    let total = |moves| {
        let counts = count(&game, Kind::Positions, moves, Settings::QUIET).expect("small");
        counts.iter().sum::<u128>()
    };
    let mut all = 0;
    let best = shortest(rounds, || all = total(moves));
    let plain = plain_positions(&game, 3, rounds);
    let rate = all as f64 / best.as_secs_f64();
    Figure {
        what: format!("{name}: positions up to {moves} moves, one thread"),
        value: rate / 1e6,
        unit: "M positions/s",
        ratio: Some(rate / plain),
        reference: Some("a table of positions"),
    }
}

/// Positions per second when every position is kept to recognise it again.
fn plain_positions(game: &Game, moves: usize, rounds: u32) -> f64 {
    let mut size = 0;
    let time = shortest(rounds.min(2), || {
        let mut seen = std::collections::HashSet::new();
        let mut level = vec![PlainBoard::start(game.clone())];
        for _ in 0..moves {
            let mut next = Vec::new();
            for board in &level {
                for index in 0..board.legal().len() {
                    let mut child = board.clone();
                    child.play_nth(index);
                    if seen.insert(child.hash()) {
                        next.push(child);
                    }
                }
            }
            level = next;
        }
        size = seen.len() + 1;
    });
    size as f64 / time.as_secs_f64()
}

/// Time per line of drawings of 10^4, 10^5 and 10^6 lines, in shuffled order.
fn ordering(rounds: u32) -> Vec<Figure> {
    let mut smallest = None;
    [10_000, 100_000, 1_000_000]
        .map(|lines| {
            let text = drawing(lines);
            let time = shortest(rounds.min(3), || {
                let ordering = verify::order(&text).expect("the drawing is legal");
                assert!(matches!(ordering, verify::Ordering::Ordered { .. }));
            });
            let per_line = time.as_secs_f64() / lines as f64;
            let ratio = per_line / *smallest.get_or_insert(per_line);
            Figure {
                what: format!("order a drawing of {lines} lines"),
                value: per_line * 1e9,
                unit: "ns per line",
                ratio: Some(ratio),
                reference: Some("10000 lines"),
            }
        })
        .into()
}

/// A drawing of so many lines: crosses far apart, each with a random 5D game, all shuffled.
fn drawing(lines: usize) -> String {
    let game = Game::named("5D").expect("a known game");
    let mut draw = generator();
    let mut board = PlainBoard::start(game.clone());
    let (mut dots, mut drawn) = (Vec::new(), Vec::<Line>::new());
    for tile in 0.. {
        if drawn.len() == lines {
            break;
        }
        let shift = Point::new(tile % 200, tile / 200) * 60;
        while board.undo().is_some() {}
        while !board.legal().is_empty() && drawn.len() < lines {
            let index = draw(board.legal().len());
            let line = board.legal()[index].line;
            board.play_nth(index);
            drawn.push(Line::new(line.start + shift, line.direction));
        }
        dots.extend(game.start.dots().iter().map(|&dot| dot + shift));
    }
    for last in (1..drawn.len()).rev() {
        drawn.swap(last, draw(last + 1));
    }
    let start = Start::from_dots(dots).expect("within the limits");
    Record::of_drawing(Game { rules: game.rules, start }, drawn).to_json()
}
