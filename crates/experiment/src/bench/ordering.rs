//! How fast drawings are put in order.

use geometry::{Game, Line, Point, Start};
use record::Record;
use rules::{PlainPosition, Position};

use super::{MeasurementView, shortest};

/// Time per line of drawings of 10^4, 10^5 and 10^6 lines, in shuffled order.
pub(super) fn measure(rounds: u32) -> Vec<MeasurementView> {
    let mut smallest = None;
    [10_000, 100_000, 1_000_000]
        .map(|lines| {
            let text = drawing(lines);
            let time = shortest(rounds.min(3), || {
                let ordering = verify::order(&text).expect("the drawing is legal");
                assert!(matches!(ordering, verify::OrderResult::Ordered { .. }));
            });
            let per_line = time.as_secs_f64() / lines as f64;
            let ratio = per_line / *smallest.get_or_insert(per_line);
            MeasurementView {
                what: format!("order a drawing of {lines} lines"),
                value: per_line * 1e9,
                unit: "ns per line",
                ratio: Some(ratio),
                reference: Some("10000 lines"),
                parts: Vec::new(),
            }
        })
        .into()
}

/// A drawing of `lines` lines: crosses far apart, each with a random 5D game, all shuffled.
fn drawing(lines: usize) -> String {
    let game = Game::named("5D").expect("a known game");
    let mut draw = generator();
    let mut board = PlainPosition::start(game.clone());
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
    Record::from_lines(Game { rules: game.rules, start }, drawn).to_json()
}

/// Uniformly random numbers below a bound, from a fixed seed: Marsaglia's xorshift.
fn generator() -> impl FnMut(usize) -> usize {
    let mut state: u64 = 0x2545_f491_4f6c_dd1d;
    move |bound| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        ((u128::from(state) * bound as u128) >> 64) as usize
    }
}
