//! How fast positions are counted.

use geometry::Game;
use rules::count::{CountKind, CountOptions, count};
use rules::{PlainPosition, Position};

use super::{MeasurementView, shortest};

/// Positions per second up to this many moves.
pub(super) fn measure(name: &str, moves: usize, rounds: u32) -> MeasurementView {
    let game = Game::named(name).expect("a known game");
    let total = |moves| {
        let counts = count(&game, CountKind::Positions, moves, CountOptions::QUIET).expect("small");
        counts.iter().sum::<u128>()
    };
    let mut all = 0;
    let best = shortest(rounds, || all = total(moves));
    let plain = plain_positions(&game, 3, rounds);
    let rate = all as f64 / best.as_secs_f64();
    MeasurementView {
        what: format!("{name}: positions up to {moves} moves, one thread"),
        value: rate / 1e6,
        unit: "M positions/s",
        ratio: Some(rate / plain),
        reference: Some("a table of positions"),
        parts: Vec::new(),
    }
}

/// Positions per second when every position is kept to recognise it again.
fn plain_positions(game: &Game, moves: usize, rounds: u32) -> f64 {
    let mut size = 0;
    let time = shortest(rounds.min(2), || {
        let mut seen = std::collections::HashSet::new();
        let mut level = vec![PlainPosition::start(game.clone())];
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
