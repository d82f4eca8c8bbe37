//! The verifier's types as those of `geometry`.

use geometry::{Direction, Game, Line, Move, Point, Rules, Start};
use verify::VerifiedGame;

/// The game of these rules from these dots.
pub(crate) fn game(rules: verify::Rules, start: &verify::Start) -> Game {
    const SAME: &str = "the verifier has the same limits";
    let dots = start.dots(rules).iter().map(|&dot| point(dot)).collect::<Vec<_>>();
    let rules = Rules::new(rules.length().into(), rules.touching()).expect(SAME);
    Game { rules, start: Start::from_dots(dots).expect(SAME) }
}

/// The moves of a verified game.
pub(crate) fn moves(game: &VerifiedGame) -> Vec<Move> {
    game.moves().iter().map(|&mv| self::mv(mv)).collect()
}

fn mv(mv: verify::Move) -> Move {
    let direction = match mv.line.direction {
        verify::Direction::East => Direction::East,
        verify::Direction::South => Direction::South,
        verify::Direction::SouthEast => Direction::SouthEast,
        verify::Direction::NorthEast => Direction::NorthEast,
    };
    let line = Line::new(point(mv.line.first), direction);
    let along = point(mv.new) - line.start;
    let offset = u8::try_from(along.x.abs().max(along.y.abs()));
    Move::new(line, offset.expect("a verified move has its new dot on its line"))
}

fn point(point: verify::Point) -> Point {
    Point::new(point.x, point.y)
}
