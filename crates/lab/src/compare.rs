//! Two games side by side: what they have in common, up to the symmetries of their start.

use std::collections::HashSet;

use geometry::{Game, Line, Move, Point};
use serde::Serialize;

/// How two games of the same rules and start compare.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameComparisonView {
    /// The rules, like `5T`.
    pub game: String,
    /// The number of moves of the one and of the other.
    pub moves: [usize; 2],
    /// Lines that both have, after the symmetry that gives the most.
    pub lines: usize,
    /// Dots that both have placed.
    pub dots: usize,
    /// The symmetry, numbered from 0 (as they are) as `Start::symmetries` lists them.
    pub symmetry: usize,
    /// The first move, counted from 1, at which they differ in the order of play; none if one game
    /// starts with all moves of the other.
    pub differs_at: Option<usize>,
    /// Whether both have the same lines: the same game, perhaps in another order.
    pub same: bool,
}

/// Compares two games; also gives the moves of the other one under the symmetry chosen.
#[must_use]
pub fn compare(game: &Game, one: &[Move], other: &[Move]) -> (GameComparisonView, Vec<Move>) {
    let lines = |moves: &[Move]| moves.iter().map(|mv| mv.line).collect::<HashSet<Line>>();
    let dots = |moves: &[Move]| moves.iter().map(|mv| mv.dot()).collect::<HashSet<Point>>();
    let (own_lines, own_dots) = (lines(one), dots(one));
    let images =
        game.start.symmetries().into_iter().map(|symmetry| {
            other.iter().map(|&mv| symmetry.mv(mv, game.rules)).collect::<Vec<Move>>()
        });
    let score = |image: &[Move]| {
        let common = own_lines.intersection(&lines(image)).count();
        (common, own_dots.intersection(&dots(image)).count())
    };
    let scored = images.enumerate().map(|(number, image)| (score(&image), number, image));
    // The first of the best, so that games that fit as they are stay as they are.
    let best = scored.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let ((lines, dots), symmetry, image) = best.unwrap_or_default();
    let differs_at = one.iter().zip(&image).position(|(one, other)| one != other);
    let view = GameComparisonView {
        game: game.to_string(),
        moves: [one.len(), other.len()],
        lines,
        dots,
        symmetry,
        differs_at: differs_at.map(|index| index + 1),
        same: lines == one.len() && lines == other.len(),
    };
    (view, image)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{PlainPosition, Position};

    #[test]
    fn a_turned_game_is_the_same_and_a_shorter_one_is_not() {
        let game = Game::named("4D").expect("known");
        let mut position = PlainPosition::start(game.clone());
        while let Some(&first) = position.legal().first() {
            position.play(first).expect("legal");
        }
        let moves = position.moves();
        for symmetry in game.start.symmetries() {
            let turned: Vec<Move> = moves.iter().map(|&mv| symmetry.mv(mv, game.rules)).collect();
            let (view, image) = compare(&game, &moves, &turned);
            assert!(view.same && view.differs_at.is_none());
            assert_eq!((view.lines, view.dots, image), (moves.len(), moves.len(), moves.clone()));
        }
        let (view, _) = compare(&game, &moves, &moves[..3]);
        assert_eq!((view.lines, view.same, view.differs_at), (3, false, None));
        let (view, _) = compare(&game, &moves, &[]);
        assert_eq!((view.lines, view.dots), (0, 0));
    }
}
