//! Moves and lines in saved searches: compact, in the coordinates of the game.
//!
//! A line is `[x, y, direction]`, its first dot and `"E"`, `"S"`, `"SE"` or `"NE"`; a move is
//! `[x, y, direction, offset]` with the offset of its new dot, counted from 0.

use geometry::{Direction, Line, Move, Point};
use serde::{Deserialize, Serialize};

/// A list of moves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<CompactMove>", try_from = "Vec<CompactMove>")]
pub struct MoveList(pub Vec<Move>);

/// A list of lines.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<CompactLine>", try_from = "Vec<CompactLine>")]
pub(crate) struct LineList(pub(crate) Vec<Line>);

/// A point beyond the coordinate limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the dot ({0},{1}) is beyond the coordinate limit of {limit}", limit = geometry::COORDINATE_LIMIT)]
pub struct NotationError(i32, i32);

#[derive(Serialize, Deserialize)]
struct CompactMove(i32, i32, CompactDirection, u8);

#[derive(Serialize, Deserialize)]
struct CompactLine(i32, i32, CompactDirection);

#[derive(Serialize, Deserialize)]
enum CompactDirection {
    #[serde(rename = "E")]
    East,
    #[serde(rename = "S")]
    South,
    #[serde(rename = "SE")]
    SouthEast,
    #[serde(rename = "NE")]
    NorthEast,
}

impl From<Direction> for CompactDirection {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::East => Self::East,
            Direction::South => Self::South,
            Direction::SouthEast => Self::SouthEast,
            Direction::NorthEast => Self::NorthEast,
        }
    }
}

impl From<CompactDirection> for Direction {
    fn from(direction: CompactDirection) -> Self {
        match direction {
            CompactDirection::East => Self::East,
            CompactDirection::South => Self::South,
            CompactDirection::SouthEast => Self::SouthEast,
            CompactDirection::NorthEast => Self::NorthEast,
        }
    }
}

impl From<Line> for CompactLine {
    fn from(line: Line) -> Self {
        Self(line.start.x, line.start.y, line.direction.into())
    }
}

impl TryFrom<CompactLine> for Line {
    type Error = NotationError;

    fn try_from(CompactLine(x, y, direction): CompactLine) -> Result<Self, NotationError> {
        let start = Point::new(x, y);
        if start.within_limit() {
            Ok(Self::new(start, direction.into()))
        } else {
            Err(NotationError(x, y))
        }
    }
}

impl From<LineList> for Vec<CompactLine> {
    fn from(lines: LineList) -> Self {
        lines.0.into_iter().map(CompactLine::from).collect()
    }
}

impl TryFrom<Vec<CompactLine>> for LineList {
    type Error = NotationError;

    fn try_from(lines: Vec<CompactLine>) -> Result<Self, NotationError> {
        lines.into_iter().map(Line::try_from).collect::<Result<_, _>>().map(Self)
    }
}

impl From<MoveList> for Vec<CompactMove> {
    fn from(moves: MoveList) -> Self {
        let write = |mv: Move| {
            let CompactLine(x, y, direction) = mv.line.into();
            CompactMove(x, y, direction, mv.offset)
        };
        moves.0.into_iter().map(write).collect()
    }
}

impl TryFrom<Vec<CompactMove>> for MoveList {
    type Error = NotationError;

    fn try_from(moves: Vec<CompactMove>) -> Result<Self, NotationError> {
        let read = |CompactMove(x, y, direction, offset)| {
            Line::try_from(CompactLine(x, y, direction)).map(|line| Move::new(line, offset))
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
        let moves = MoveList(vec![Move::new(line, 4)]);
        let text = serde_json::to_string(&moves).expect("plain data");
        assert_eq!(text, r#"[[-3,7,"NE",4]]"#);
        assert_eq!(serde_json::from_str::<MoveList>(&text).expect("as written"), moves);
        for bad in [
            r#"[[2147483647,0,"E",0]]"#,
            r#"[[0,0,"N",0]]"#,
            r#"[[0,0,"E",256]]"#,
            r#"[[0,0,"E"]]"#,
            r#"[[0.5,0,"E",0]]"#,
        ] {
            assert!(serde_json::from_str::<MoveList>(bad).is_err(), "{bad}");
        }
    }
}
