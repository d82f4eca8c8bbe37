//! All positions that go on from one, to the end of every game.

use geometry::{Game, Line, Move};

use super::CountError;
use crate::fast::Census;
use crate::{Board, FastBoard, PlainBoard};

/// How many positions there are with 0, 1, 2, ... moves that begin with `played` and have none of the lines `given_up`,
/// which must be playable at the start or never. Games must end for this to end.
///
/// # Panics
/// If the moves are not legal.
pub fn below(game: &Game, played: &[Move], given_up: &[Line]) -> Result<Vec<u128>, CountError> {
    if game.is_usual() {
        match (game.rules.length(), game.rules.touching()) {
            (5, true) => return fast::<5, true>(played, given_up),
            (5, false) => return fast::<5, false>(played, given_up),
            (4, true) => return fast::<4, true>(played, given_up),
            (4, false) => return fast::<4, false>(played, given_up),
            _ => {}
        }
    }
    let mut board = PlainBoard::start(game.clone());
    play(&mut board, played);
    let mut counts = Vec::new();
    let left: Vec<Line> = board.legal().iter().map(|mv| mv.line).collect();
    let left = left.into_iter().filter(|line| !given_up.contains(line)).collect();
    descend(&mut board, left, &mut counts);
    Ok(counts)
}

fn play<B: Board>(board: &mut B, moves: &[Move]) {
    for &mv in moves {
        board.play(mv).expect("the caller's moves are legal");
    }
}

fn fast<const LENGTH: usize, const TOUCHING: bool>(
    played: &[Move],
    given_up: &[Line],
) -> Result<Vec<u128>, CountError> {
    let mut board = FastBoard::<LENGTH, TOUCHING>::start();
    play(&mut board, played);
    let left = board.legal().iter().filter(|&&code| !given_up.contains(&board.decode(code).line));
    let counts = Census::new(&board).count(left.map(|code| (code.line(), code.dot())));
    let counts = counts.ok_or(CountError::OffBoard { moves: played.len() })?;
    let counts = counts.into_iter().map(u128::from);
    Ok(std::iter::repeat_n(0, played.len()).chain(counts).collect())
}

/// The same on the plain board: `left` are the lines that may be drawn next.
fn descend(board: &mut PlainBoard, left: Vec<Line>, counts: &mut Vec<u128>) {
    let score = board.score();
    counts.resize(counts.len().max(score + 1), 0);
    counts[score] += 1;
    for (index, &line) in left.iter().enumerate() {
        let before: Vec<Line> = board.legal().iter().map(|mv| mv.line).collect();
        let place = before.iter().position(|&legal| legal == line);
        board.play_nth(place.expect("what is left is legal"));
        let after = board.legal().iter().map(|mv| mv.line);
        let after = after.filter(|line| left[index + 1..].contains(line) || !before.contains(line));
        let after = after.collect();
        descend(board, after, counts);
        board.undo();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{Kind, Settings, count};

    #[test]
    fn all_of_a_short_game_is_counted_as_by_moves() {
        let game = Game::named("6D").expect("a game");
        let all = count(&game, Kind::Positions, 12, Settings::QUIET).expect("small");
        assert_eq!(below(&game, &[], &[]).expect("small"), all);
    }

    #[test]
    fn the_fast_census_is_the_plain_one() {
        for name in ["5T", "5D", "4T", "4D"] {
            let game = Game::named(name).expect("a game");
            let mut draw = crate::fast::testing::generator(7);
            for _ in 0..10 {
                // A random game without its last moves, and one line given up.
                let mut board = PlainBoard::start(game.clone());
                while !board.legal().is_empty() {
                    let index = draw(board.legal().len());
                    board.play_nth(index);
                }
                for _ in 0..4 {
                    board.undo();
                }
                let given_up: Vec<Line> = board.legal().iter().map(|mv| mv.line).take(1).collect();
                let left = board.legal().iter().map(|mv| mv.line).skip(1).collect();
                let moves = board.moves();
                let mut plain = Vec::new();
                descend(&mut board, left, &mut plain);
                assert_eq!(below(&game, &moves, &given_up).expect("on the board"), plain, "{name}");
            }
        }
    }
}
