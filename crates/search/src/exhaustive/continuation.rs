//! The longest continuation of given moves.
//!
//! The continuations are cut into [`Part`]s by deciding on lines, one after the other, whether they
//! are drawn. The longest game of each part is found by exhausting all of them, as sets of lines;
//! only moves that can never be wrong are made without branching. The longest over all parts is
//! optimal.

use geometry::{Game, Move, Point};
use rules::count::partition::Part;
use rules::{PlainPosition, Position};

use super::grid::Grid;
use super::open::{LongestSearch, Stop};
use super::{ExhaustiveError, ExhaustiveOptions};

/// The distances from the dots of a part up to which games are followed, tried in order.
const MARGINS: [u32; 4] = [2, 4, 7, 11];

/// Cuts all games that begin with these moves into about `wanted` parts, fewer if there are fewer
/// choices.
pub fn parts(game: &Game, played: &[Move], wanted: usize) -> Vec<Part> {
    let mut parts = vec![Part { played: played.to_vec(), excluded: Vec::new() }];
    let mut done = 0;
    while parts.len() < wanted && done < parts.len() {
        match split(game, &parts[done]) {
            Some((drawn, excluded)) => {
                parts[done] = drawn;
                parts.push(excluded);
                // In turn, so that all parts are about as deep.
                parts.rotate_left(1);
            }
            None => done += 1,
        }
    }
    parts
}

/// The number of moves of the longest game of a part.
pub fn longest(
    game: &Game,
    part: &Part,
    settings: ExhaustiveOptions<'_>,
) -> Result<usize, ExhaustiveError> {
    for margin in MARGINS {
        match longest_within(game, part, margin, settings) {
            None | Some(Err(Stop::OffGrid)) => {}
            Some(Err(Stop::Interrupted)) => return Err(ExhaustiveError::Interrupted),
            Some(Ok(more)) => return Ok(part.played.len() + more as usize),
        }
    }
    Err(ExhaustiveError::OffGrid { margin: MARGINS[MARGINS.len() - 1] })
}

/// A game of a part with `length` moves, which must be the number of its longest.
pub fn longest_game(
    game: &Game,
    part: &Part,
    length: usize,
    settings: ExhaustiveOptions<'_>,
) -> Result<Vec<Move>, ExhaustiveError> {
    let mut part = part.clone();
    while let Some((drawn, excluded)) = split(game, &part) {
        part = if longest(game, &drawn, settings)? == length { drawn } else { excluded };
    }
    Ok(part.played)
}

/// Branches on the first undecided move: with it played, and with its line excluded.
fn split(game: &Game, part: &Part) -> Option<(Part, Part)> {
    let position = position_after(game, &part.played);
    let next = *position.legal().iter().find(|mv| !part.excluded.contains(&mv.line))?;
    let (mut drawn, mut excluded) = (part.clone(), part.clone());
    drawn.played.push(next);
    excluded.excluded.push(next.line);
    Some((drawn, excluded))
}

fn position_after(game: &Game, played: &[Move]) -> PlainPosition {
    let mut position = PlainPosition::start(game.clone());
    position.play_all(played).expect("the moves of a part are legal");
    position
}

/// The most moves that can follow those of a part, on a grid up to `margin` beyond its dots; `None`
/// if there is no grid of that size.
fn longest_within(
    game: &Game,
    part: &Part,
    margin: u32,
    settings: ExhaustiveOptions<'_>,
) -> Option<Result<u32, Stop>> {
    let new = part.played.iter().map(|mv| mv.dot());
    let mut dots = game.start.dots().iter().copied().chain(new);
    let first = dots.next().unwrap_or(Point::new(0, 0));
    let (low, high) = dots.fold((first, first), |(low, high), dot| {
        (
            Point::new(low.x.min(dot.x), low.y.min(dot.y)),
            Point::new(high.x.max(dot.x), high.y.max(dot.y)),
        )
    });
    let beyond = Point::new(margin as i32, margin as i32);
    let (low, high) = (low - beyond, high + beyond);
    None.or_else(|| Some(longest_on(&Grid::<5>::new(game, low, high)?, part, settings)))
        .or_else(|| Some(longest_on(&Grid::<9>::new(game, low, high)?, part, settings)))
        .or_else(|| Some(longest_on(&Grid::<16>::new(game, low, high)?, part, settings)))
        .or_else(|| Some(longest_on(&Grid::<32>::new(game, low, high)?, part, settings)))
}

fn longest_on<const N: usize>(
    grid: &Grid<N>,
    part: &Part,
    settings: ExhaustiveOptions<'_>,
) -> Result<u32, Stop> {
    let mut open = grid.after(&part.played);
    for &line in &part.excluded {
        if let Some(index) = grid.line_index(line) {
            open.exclude((line.direction as usize, index));
        }
    }
    LongestSearch::new(grid, settings).longest(open)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_continuation_is_that_of_all_positions() {
        for name in ["5T", "5D", "4T", "4D"] {
            let game = Game::named(name).expect("a game");
            for seed in 1..4 {
                // A random game without its last moves.
                let mut position = PlainPosition::start(game.clone());
                let mut random = seed;
                while !position.legal().is_empty() {
                    random = (random * 75 + 74) % 65537;
                    position.play_nth(random % position.legal().len());
                }
                for _ in 0..3 {
                    position.undo();
                }
                let moves = position.moves();
                let counts = rules::count::count_within(&game, &moves, &[]).expect("on the grid");
                for wanted in [1, 5] {
                    let parts = parts(&game, &moves, wanted);
                    let lengths =
                        parts.iter().map(|part| longest(&game, part, ExhaustiveOptions::QUIET));
                    let lengths: Result<Vec<usize>, ExhaustiveError> = lengths.collect();
                    let lengths = lengths.expect("small");
                    let most = *lengths.iter().max().expect("a part");
                    assert_eq!(most, counts.len() - 1, "{name} {seed} in {wanted}");
                    let best = lengths.iter().position(|&length| length == most).expect("there");
                    let found = longest_game(&game, &parts[best], most, ExhaustiveOptions::QUIET);
                    assert_eq!(position_after(&game, &found.expect("small")).score(), most);
                }
            }
        }
    }
}
