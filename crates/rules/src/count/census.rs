//! All positions below one, to the end of every game.

use std::ops::ControlFlow;

use geometry::{Game, Line, Move};

use super::CountError;
use crate::bits::Census;
use crate::{BitPosition, PlainPosition, Position};

/// The number of positions with 0, 1, 2, ... moves that contain the moves `played` and none of the
/// lines `excluded`, which must be legal after `played` or never. All games must end.
///
/// # Panics
/// If the moves are not legal.
pub fn count_within(
    game: &Game,
    played: &[Move],
    excluded: &[Line],
) -> Result<Vec<u128>, CountError> {
    if game.is_usual() {
        match (game.rules.length(), game.rules.touching()) {
            (5, true) => return in_bits::<5, true>(played, excluded),
            (5, false) => return in_bits::<5, false>(played, excluded),
            (4, true) => return in_bits::<4, true>(played, excluded),
            (4, false) => return in_bits::<4, false>(played, excluded),
            _ => {}
        }
    }
    let mut position = PlainPosition::start(game.clone());
    position.play_all(played).expect("the caller's moves are legal");
    Ok(plainly(&mut position, excluded, u128::MAX).expect("no game has as many positions"))
}

/// The same on the plain position; `None` if there are more positions than `most`.
fn plainly(position: &mut PlainPosition, excluded: &[Line], most: u128) -> Option<Vec<u128>> {
    let left = position.legal().iter().map(|mv| mv.line).filter(|line| !excluded.contains(line));
    let left = left.collect();
    let (mut counts, mut total) = (Vec::new(), 0);
    let mut visit = |score: usize| {
        counts.resize(counts.len().max(score + 1), 0);
        counts[score] += 1;
        total += 1;
        if total > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    descend(position, left, &mut visit).is_continue().then_some(counts)
}

fn in_bits<const LENGTH: usize, const TOUCHING: bool>(
    played: &[Move],
    excluded: &[Line],
) -> Result<Vec<u128>, CountError> {
    let mut position = BitPosition::<LENGTH, TOUCHING>::start();
    position.play_all(played).expect("the caller's moves are legal");
    let left =
        position.legal().iter().filter(|&&code| !excluded.contains(&position.decode(code).line));
    let counts = Census::new(&position).count(left.map(|code| (code.line(), code.dot())));
    let counts = counts.ok_or(CountError::OffGrid { moves: played.len() })?;
    let counts = counts.into_iter().map(u128::from);
    Ok(std::iter::repeat_n(0, played.len()).chain(counts).collect())
}

/// Visits the positions below this one; `left` are the lines that may be drawn next.
fn descend(
    position: &mut PlainPosition,
    left: Vec<Line>,
    visit: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> ControlFlow<()> {
    visit(position.score())?;
    for (index, &line) in left.iter().enumerate() {
        let before: Vec<Line> = position.legal().iter().map(|mv| mv.line).collect();
        let place = before.iter().position(|&legal| legal == line);
        position.play_nth(place.expect("what is left is legal"));
        let after = position.legal().iter().map(|mv| mv.line);
        let after = after.filter(|line| left[index + 1..].contains(line) || !before.contains(line));
        let after = after.collect();
        let flow = descend(position, after, visit);
        position.undo();
        flow?;
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{CountKind, CountOptions, count};

    #[test]
    fn all_of_a_short_game_is_counted_as_by_moves() {
        let game = Game::named("6D").expect("a game");
        let all = count(&game, CountKind::Positions, 12, CountOptions::QUIET).expect("small");
        assert_eq!(count_within(&game, &[], &[]).expect("small"), all);
    }

    #[test]
    fn the_bit_census_is_the_plain_one() {
        for name in ["5T", "5D", "4T", "4D"] {
            let game = Game::named(name).expect("a game");
            let mut sample = crate::bits::testing::generator(7);
            let mut compared = 0;
            for _ in 0..40 {
                // A random game without its last moves, and one excluded line.
                let mut position = PlainPosition::start(game.clone());
                while !position.legal().is_empty() {
                    let index = sample(position.legal().len());
                    position.play_nth(index);
                }
                for _ in 0..4 {
                    position.undo();
                }
                let excluded: Vec<Line> =
                    position.legal().iter().map(|mv| mv.line).take(1).collect();
                let moves = position.moves();
                let Some(plain) = plainly(&mut position, &excluded, 1000) else { continue };
                assert_eq!(
                    count_within(&game, &moves, &excluded).expect("on the grid"),
                    plain,
                    "{name}"
                );
                compared += 1;
            }
            assert!(compared > 3, "{name}: {compared}");
        }
    }
}
