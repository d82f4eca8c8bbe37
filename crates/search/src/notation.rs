//! Moves and lines as a saved search writes them: short, and in the coordinates of the game.
//!
//! A line is `[x, y, direction]`, its first dot and `"E"`, `"S"`, `"SE"` or `"NE"`; a move is
//! `[x, y, direction, number]`, the number that of its new dot, counted from 0 at the first.

use geometry::{Direction, Line, Move, Point};
use serde::{Deserialize, Serialize};

/// Moves in an order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<WrittenMove>", try_from = "Vec<WrittenMove>")]
pub struct Moves(pub Vec<Move>);

/// Lines in an order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<WrittenLine>", try_from = "Vec<WrittenLine>")]
pub(crate) struct Lines(pub(crate) Vec<Line>);

/// A point that lies too far out to count with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the dot ({0},{1}) is beyond the coordinate limit of {limit}", limit = geometry::COORDINATE_LIMIT)]
pub struct TooFar(i32, i32);

#[derive(Serialize, Deserialize)]
struct WrittenMove(i32, i32, Way, u8);

#[derive(Serialize, Deserialize)]
struct WrittenLine(i32, i32, Way);

#[derive(Serialize, Deserialize)]
enum Way {
    #[serde(rename = "E")]
    East,
    #[serde(rename = "S")]
    South,
    #[serde(rename = "SE")]
    SouthEast,
    #[serde(rename = "NE")]
    NorthEast,
}

impl From<Direction> for Way {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::East => Self::East,
            Direction::South => Self::South,
            Direction::SouthEast => Self::SouthEast,
            Direction::NorthEast => Self::NorthEast,
        }
    }
}

impl From<Way> for Direction {
    fn from(way: Way) -> Self {
        match way {
            Way::East => Self::East,
            Way::South => Self::South,
            Way::SouthEast => Self::SouthEast,
            Way::NorthEast => Self::NorthEast,
        }
    }
}

impl From<Line> for WrittenLine {
    fn from(line: Line) -> Self {
        Self(line.start.x, line.start.y, line.direction.into())
    }
}

impl TryFrom<WrittenLine> for Line {
    type Error = TooFar;

    fn try_from(WrittenLine(x, y, way): WrittenLine) -> Result<Self, TooFar> {
        let start = Point::new(x, y);
        if start.within_limit() { Ok(Self::new(start, way.into())) } else { Err(TooFar(x, y)) }
    }
}

impl From<Lines> for Vec<WrittenLine> {
    fn from(lines: Lines) -> Self {
        lines.0.into_iter().map(WrittenLine::from).collect()
    }
}

impl TryFrom<Vec<WrittenLine>> for Lines {
    type Error = TooFar;

    fn try_from(lines: Vec<WrittenLine>) -> Result<Self, TooFar> {
        lines.into_iter().map(Line::try_from).collect::<Result<_, _>>().map(Self)
    }
}

impl From<Moves> for Vec<WrittenMove> {
    fn from(moves: Moves) -> Self {
        let write = |mv: Move| {
            let WrittenLine(x, y, way) = mv.line.into();
            WrittenMove(x, y, way, mv.offset)
        };
        moves.0.into_iter().map(write).collect()
    }
}

impl TryFrom<Vec<WrittenMove>> for Moves {
    type Error = TooFar;

    fn try_from(moves: Vec<WrittenMove>) -> Result<Self, TooFar> {
        let read = |WrittenMove(x, y, way, offset)| {
            Line::try_from(WrittenLine(x, y, way)).map(|line| Move::new(line, offset))
        };
        moves.into_iter().map(read).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_read_back_and_far_ones_are_refused() {
        let line = Line::new(Point::new(-3, 7), Direction::NorthEast);
        let moves = Moves(vec![Move::new(line, 4)]);
        let text = serde_json::to_string(&moves).expect("plain data");
        assert_eq!(text, r#"[[-3,7,"NE",4]]"#);
        assert_eq!(serde_json::from_str::<Moves>(&text).expect("as written"), moves);
        for bad in [
            r#"[[2147483647,0,"E",0]]"#,
            r#"[[0,0,"N",0]]"#,
            r#"[[0,0,"E",256]]"#,
            r#"[[0,0,"E"]]"#,
            r#"[[0.5,0,"E",0]]"#,
        ] {
            assert!(serde_json::from_str::<Moves>(bad).is_err(), "{bad}");
        }
    }
}
