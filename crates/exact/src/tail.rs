//! The longest game that begins with given moves.
//!
//! What can follow is cut into [`Part`]s by deciding on lines, one after the other, whether they are drawn. The
//! longest game of each part is found by going through all of them, as sets of lines; only moves that can never
//! be wrong are made without asking. The longest of all parts is the longest there is.

use geometry::{Game, Move};
use rules::{Board, PlainBoard};

use crate::value::Longest;
use crate::{NoResult, Part, Settings};

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
    let legal = board.legal().iter().map(|&code| board.decode(code));
    let next = legal.filter(|mv| !part.given_up.contains(&mv.line)).next()?;
    let (mut drawn, mut given_up) = (part.clone(), part.clone());
    drawn.played.push(next);
    given_up.given_up.push(next.line);
    Some((drawn, given_up))
}

fn after(game: &Game, played: &[Move]) -> PlainBoard {
    let mut board = PlainBoard::start(game.clone());
    for &mv in played {
        board.play(mv).expect("the moves of a part are legal");
    }
    board
}

/// How many moves the longest game of a part has.
pub fn longest(game: &Game, part: &Part, settings: Settings<'_>) -> Result<usize, NoResult> {
    let Longest(more) = part.value(game, settings)?;
    Ok(part.played.len() + more as usize)
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
    use geometry::{Point, Start};

    use super::*;

    /// The longest game by playing all sequences.
    fn by_play(board: &mut PlainBoard) -> usize {
        let mut most = board.score();
        for index in 0..board.legal().len() {
            board.play_nth(index);
            most = most.max(by_play(board));
            board.undo();
        }
        most
    }

    fn small(rules: &str, dots: &[(i32, i32)]) -> Game {
        let dots = dots.iter().map(|&(x, y)| Point::new(x, y));
        Game { rules: rules.parse().expect("rules"), start: Start::from_dots(dots).expect("dots") }
    }

    #[test]
    fn the_longest_tail_is_that_of_all_sequences() {
        let dots = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 2), (2, 2), (3, 1), (3, 3)];
        for rules in ["4T", "4D"] {
            let game = small(rules, &dots);
            let most = by_play(&mut PlainBoard::start(game.clone()));
            assert!(most >= 4, "{rules}: {most}");
            for wanted in [1, 5, 20] {
                let parts = parts(&game, &[], wanted);
                let lengths = parts.iter().map(|part| longest(&game, part, Settings::QUIET));
                let lengths: Result<Vec<usize>, NoResult> = lengths.collect();
                let lengths = lengths.expect("small");
                assert_eq!(lengths.iter().max(), Some(&most), "{rules} in {wanted}");
                let best = lengths.iter().position(|&length| length == most).expect("it is there");
                let moves = super::game(&game, &parts[best], most, Settings::QUIET).expect("small");
                assert_eq!(after(&game, &moves).score(), most);
            }
        }
    }
}
