//! Lines and moves that fit on the grid, made from whatever a file says of them.

use geometry::{Direction, Line, Move, Point, Rules};

use crate::MoveFault;

/// The line from `start` on, if every dot of it is within the coordinate limit.
pub(crate) fn line_from(
    start: Point,
    direction: Direction,
    rules: Rules,
) -> Result<Line, MoveFault> {
    let line = Line::new(start, direction);
    let fits = start.within_limit() && line.end(rules).within_limit();
    if fits { Ok(line) } else { Err(MoveFault::TooFar) }
}

/// The line with these ends, in either order.
pub(crate) fn line_between(one: Point, other: Point, rules: Rules) -> Result<Line, MoveFault> {
    if !(one.within_limit() && other.within_limit()) {
        return Err(MoveFault::TooFar);
    }
    let length = rules.length();
    Line::between(one, other, rules).ok_or(MoveFault::NotEnds { one, other, length })
}

/// The move that adds `dot` and draws `line`.
pub(crate) fn move_with(dot: Point, line: Line, rules: Rules) -> Result<Move, MoveFault> {
    let offset = line.offset_of(dot, rules).ok_or(MoveFault::OffLine(dot))?;
    Ok(Move::new(line, offset as u8))
}

/// The move that adds `dot` as number `place` of its line, counted from 0 at the line's start.
pub(crate) fn move_at(
    dot: Point,
    direction: Direction,
    place: usize,
    rules: Rules,
) -> Result<Move, MoveFault> {
    let length = rules.length();
    if place >= length {
        return Err(MoveFault::Place { length });
    }
    if !dot.within_limit() {
        return Err(MoveFault::TooFar);
    }
    let start = dot - direction.step() * place as i32;
    Ok(Move::new(line_from(start, direction, rules)?, place as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::COORDINATE_LIMIT;

    #[test]
    fn every_dot_of_a_line_is_within_the_limit() {
        let rules = "5T".parse().expect("known");
        let east = Direction::East;
        let last = Point::new(COORDINATE_LIMIT - 4, 0);
        assert!(line_from(last, east, rules).is_ok());
        let beyond = last + Point::new(1, 0);
        assert_eq!(line_from(beyond, east, rules), Err(MoveFault::TooFar));
        assert_eq!(move_at(beyond, east, 0, rules), Err(MoveFault::TooFar));
        assert!(move_at(beyond, east, 1, rules).is_ok());
        assert_eq!(move_at(beyond, east, 5, rules), Err(MoveFault::Place { length: 5 }));
        let far = Point::new(i32::MIN, i32::MAX);
        assert_eq!(line_between(far, last, rules), Err(MoveFault::TooFar));
        assert_eq!(move_at(far, east, 4, rules), Err(MoveFault::TooFar));
    }
}
