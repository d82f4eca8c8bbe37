//! The longest game that begins with given moves.
//!
//! What can follow is cut into [`Part`]s by deciding on lines, one after the other, whether they are drawn. The
//! longest game of each part is found by going through all of them, as sets of lines; only moves that can never
//! be wrong are made without asking. The longest of all parts is the longest there is.

use geometry::{Game, Move};
use rules::{PlainPosition, Position};

use crate::exhaustive::{NoResult, Part, Settings};

/// Cuts all games that begin with these moves into about so many parts, fewer if there are not so many choices.
pub fn parts(game: &Game, played: &[Move], wanted: usize) -> Vec<Part> {
    let mut parts = vec![Part { played: played.to_vec(), given_up: Vec::new() }];
    let mut done = 0;
    while parts.len() < wanted && done < parts.len() {
        match decide(game, &parts[done]) {
            Some((drawn, given_up)) => {
                parts[done] = drawn;
                parts.push(given_up);
                // Turn by turn, so that all parts are about as deep.
                parts.rotate_left(1);
            }
            None => done += 1,
        }
    }
    parts
}

/// The first move that is neither played nor given up, played and given up.
fn decide(game: &Game, part: &Part) -> Option<(Part, Part)> {
    let board = after(game, &part.played);
    let next = *board.legal().iter().find(|mv| !part.given_up.contains(&mv.line))?;
    let (mut drawn, mut given_up) = (part.clone(), part.clone());
    drawn.played.push(next);
    given_up.given_up.push(next.line);
    Some((drawn, given_up))
}

fn after(game: &Game, played: &[Move]) -> PlainPosition {
    let mut board = PlainPosition::start(game.clone());
    for &mv in played {
        board.play(mv).expect("the moves of a part are legal");
    }
    board
}

/// How many moves the longest game of a part has.
pub fn longest(game: &Game, part: &Part, settings: Settings<'_>) -> Result<usize, NoResult> {
    Ok(part.played.len() + part.longest(game, settings)? as usize)
}

/// A game of a part that has `length` moves, which must be how many its longest has.
pub fn game(
    game: &Game,
    part: &Part,
    length: usize,
    settings: Settings<'_>,
) -> Result<Vec<Move>, NoResult> {
    let mut part = part.clone();
    while let Some((drawn, given_up)) = decide(game, &part) {
        part = if longest(game, &drawn, settings)? == length { drawn } else { given_up };
    }
    Ok(part.played)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_tail_is_that_of_all_positions() {
        for name in ["5T", "5D", "4T", "4D"] {
            let game = Game::named(name).expect("a game");
            for seed in 1..4 {
                // A random game without its last moves.
                let mut board = PlainPosition::start(game.clone());
                let mut draw = seed;
                while !board.legal().is_empty() {
                    draw = (draw * 75 + 74) % 65537;
                    board.play_nth(draw % board.legal().len());
                }
                for _ in 0..3 {
                    board.undo();
                }
                let moves = board.moves();
                let counts = rules::count::count_within(&game, &moves, &[]).expect("on the board");
                for wanted in [1, 5] {
                    let parts = parts(&game, &moves, wanted);
                    let lengths = parts.iter().map(|part| longest(&game, part, Settings::QUIET));
                    let lengths: Result<Vec<usize>, NoResult> = lengths.collect();
                    let lengths = lengths.expect("small");
                    let most = *lengths.iter().max().expect("a part");
                    assert_eq!(most, counts.len() - 1, "{name} {seed} in {wanted}");
                    let best = lengths.iter().position(|&length| length == most).expect("there");
                    let found = super::game(&game, &parts[best], most, Settings::QUIET);
                    assert_eq!(after(&game, &found.expect("small")).score(), most);
                }
            }
        }
    }
}
