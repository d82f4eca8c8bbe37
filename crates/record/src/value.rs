//! Dots, lines, moves and starts as JSON values, for every document that is not a game file.
//!
//! Pages and APIs use the shapes of the native format, [`MoveJson`] and [`LineJson`]. Checkpoints
//! and training runs, which hold many games, use the compact ones: a line is `[x, y, direction]`,
//! and a move is `[x, y, direction, offset]`, where the offset counts the dots from the line's
//! start to the new one. A start is `{"cross": 4}` or `{"dots": [[0, 0], [1, 0]]}`.

use geometry::{COORDINATE_LIMIT, Direction, Line, Move, Point, Rules, Start, StartError};
use serde::{Deserialize, Serialize};

use crate::{MoveFault, fit};

/// A dot: `[x, y]`.
pub type DotJson = [i32; 2];

/// A move as in native files: `{"new": [x, y], "line": [[x, y], "E"]}`.
///
/// ```
/// use geometry::{Direction, Line, Move, Point};
/// use morpion_record::MoveJson;
///
/// let mv = Move::new(Line::new(Point::new(3, 0), Direction::East), 4);
/// let json = serde_json::to_string(&MoveJson::from(mv))?;
/// assert_eq!(json, r#"{"new":[7,0],"line":[[3,0],"E"]}"#);
/// let read: MoveJson = serde_json::from_str(&json)?;
/// assert_eq!(read.to_move("5T".parse()?)?, mv);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveJson {
    /// The new dot.
    pub new: DotJson,
    /// The line.
    pub line: LineJson,
}

/// A line as in native files, its first dot and its direction: `[[x, y], "E"]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineJson(pub DotJson, pub DirectionJson);

/// A direction by its short name: `"E"`, `"S"`, `"SE"` or `"NE"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum DirectionJson {
    /// To the right.
    #[serde(rename = "E")]
    East,
    /// Down.
    #[serde(rename = "S")]
    South,
    /// Right and down.
    #[serde(rename = "SE")]
    SouthEast,
    /// Right and up.
    #[serde(rename = "NE")]
    NorthEast,
}

/// A start: `{"cross": 4}`, or `{"dots": [[x, y], ...]}` for any other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StartJson {
    /// The cross of this side.
    Cross(usize),
    /// These dots.
    Dots(Vec<(i32, i32)>),
}

/// Moves in order, in compact form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<CompactMove>", try_from = "Vec<CompactMove>")]
pub struct CompactMoves(pub Vec<Move>);

/// Lines in order, in compact form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<CompactLine>", try_from = "Vec<CompactLine>")]
pub struct CompactLines(pub Vec<Line>);

/// A dot beyond the coordinate limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the dot {0} is beyond the coordinate limit of {limit}", limit = COORDINATE_LIMIT)]
pub struct CoordinateError(pub Point);

#[derive(Serialize, Deserialize)]
struct CompactMove(i32, i32, DirectionJson, u8);

#[derive(Serialize, Deserialize)]
struct CompactLine(i32, i32, DirectionJson);

impl MoveJson {
    /// The move, whose line is as long as the rules say.
    pub fn to_move(self, rules: Rules) -> Result<Move, MoveFault> {
        let [x, y] = self.new;
        fit::move_with(Point::new(x, y), self.line.to_line(rules)?, rules)
    }
}

impl LineJson {
    /// The line, as long as the rules say.
    pub fn to_line(self, rules: Rules) -> Result<Line, MoveFault> {
        let Self([x, y], direction) = self;
        fit::line_from(Point::new(x, y), direction.into(), rules)
    }
}

impl From<Move> for MoveJson {
    fn from(mv: Move) -> Self {
        let Point { x, y } = mv.dot();
        Self { new: [x, y], line: mv.line.into() }
    }
}

impl From<Line> for LineJson {
    fn from(Line { start, direction }: Line) -> Self {
        Self([start.x, start.y], direction.into())
    }
}

impl From<Direction> for DirectionJson {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::East => Self::East,
            Direction::South => Self::South,
            Direction::SouthEast => Self::SouthEast,
            Direction::NorthEast => Self::NorthEast,
        }
    }
}

impl From<DirectionJson> for Direction {
    fn from(direction: DirectionJson) -> Self {
        match direction {
            DirectionJson::East => Self::East,
            DirectionJson::South => Self::South,
            DirectionJson::SouthEast => Self::SouthEast,
            DirectionJson::NorthEast => Self::NorthEast,
        }
    }
}

impl From<&Start> for StartJson {
    fn from(start: &Start) -> Self {
        match start.cross_side() {
            Some(side) => Self::Cross(side),
            None => Self::Dots(start.dots().iter().map(|dot| (dot.x, dot.y)).collect()),
        }
    }
}

impl TryFrom<StartJson> for Start {
    type Error = StartError;

    fn try_from(start: StartJson) -> Result<Self, StartError> {
        match start {
            StartJson::Cross(side) => Self::cross(side),
            StartJson::Dots(dots) => {
                Self::from_dots(dots.into_iter().map(|(x, y)| Point::new(x, y)))
            }
        }
    }
}

impl From<Line> for CompactLine {
    fn from(Line { start, direction }: Line) -> Self {
        Self(start.x, start.y, direction.into())
    }
}

impl TryFrom<CompactLine> for Line {
    type Error = CoordinateError;

    fn try_from(CompactLine(x, y, direction): CompactLine) -> Result<Self, CoordinateError> {
        let start = Point::new(x, y);
        if !start.within_limit() {
            return Err(CoordinateError(start));
        }
        Ok(Self::new(start, direction.into()))
    }
}

impl From<CompactLines> for Vec<CompactLine> {
    fn from(lines: CompactLines) -> Self {
        lines.0.into_iter().map(CompactLine::from).collect()
    }
}

impl TryFrom<Vec<CompactLine>> for CompactLines {
    type Error = CoordinateError;

    fn try_from(lines: Vec<CompactLine>) -> Result<Self, CoordinateError> {
        lines.into_iter().map(Line::try_from).collect::<Result<_, _>>().map(Self)
    }
}

impl From<CompactMoves> for Vec<CompactMove> {
    fn from(moves: CompactMoves) -> Self {
        let compact = |mv: Move| {
            let CompactLine(x, y, direction) = mv.line.into();
            CompactMove(x, y, direction, mv.offset)
        };
        moves.0.into_iter().map(compact).collect()
    }
}

impl TryFrom<Vec<CompactMove>> for CompactMoves {
    type Error = CoordinateError;

    fn try_from(moves: Vec<CompactMove>) -> Result<Self, CoordinateError> {
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
    fn compact_moves_read_back_and_far_ones_are_refused() {
        let line = Line::new(Point::new(-3, 7), Direction::NorthEast);
        let moves = CompactMoves(vec![Move::new(line, 4)]);
        let text = serde_json::to_string(&moves).expect("plain data");
        assert_eq!(text, r#"[[-3,7,"NE",4]]"#);
        assert_eq!(serde_json::from_str::<CompactMoves>(&text).expect("as written"), moves);
        for bad in [
            r#"[[2147483647,0,"E",0]]"#,
            r#"[[0,0,"N",0]]"#,
            r#"[[0,0,"E",256]]"#,
            r#"[[0,0,"E"]]"#,
            r#"[[0.5,0,"E",0]]"#,
        ] {
            assert!(serde_json::from_str::<CompactMoves>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn starts_read_back() {
        let dots = Start::from_dots([Point::new(5, -2)]).expect("one dot");
        let cross = Start::cross(4).expect("in range");
        for (start, text) in [(cross, r#"{"cross":4}"#), (dots, r#"{"dots":[[5,-2]]}"#)] {
            assert_eq!(serde_json::to_string(&StartJson::from(&start)).expect("plain"), text);
            let read: StartJson = serde_json::from_str(text).expect("as written");
            assert_eq!(Start::try_from(read), Ok(start));
        }
        assert!(Start::try_from(StartJson::Cross(0)).is_err());
    }
}
