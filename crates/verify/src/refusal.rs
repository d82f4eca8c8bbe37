//! Why the judge says no, and where.
//!
//! Two kinds of no: the text is no game file at all ([`Refusal::is_malformed`]), or it is one and
//! what it claims is not so.

use std::fmt;

use thiserror::Error;

use crate::bound::MAX_BOARD_DOTS;
use crate::read::{MAX_BYTES, MAX_DOTS, MAX_MOVES};
use crate::rules::{LIMIT, Point};

/// Why a file was refused. Prints as `move 6: there is already a dot at (4,0)`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}{fault}", self.prefix())]
#[non_exhaustive]
pub struct Refusal {
    /// Where the fault lies.
    pub place: Place,
    /// What is wrong there.
    pub fault: Fault,
}

impl Refusal {
    pub(crate) fn new(place: Place, fault: Fault) -> Refusal {
        Refusal { place, fault }
    }

    /// Whether the text could not be read as a game file; otherwise it was, and judged.
    pub fn is_malformed(&self) -> bool {
        match self.fault {
            Fault::TooLarge
            | Fault::NotUtf8 { .. }
            | Fault::NotJson { .. }
            | Fault::WrongShape { .. }
            | Fault::UnknownField { .. }
            | Fault::DuplicateField { .. }
            | Fault::MissingField { .. }
            | Fault::UnknownFormat { .. }
            | Fault::BadRules { .. }
            | Fault::BadStart { .. }
            | Fault::DuplicateDot { .. }
            | Fault::DotBeyondLimit { .. }
            | Fault::TooManyDots
            | Fault::TooManyMoves
            | Fault::MovesAndLines
            | Fault::NoMovesNorLines
            | Fault::NotGzip { .. }
            | Fault::BadLine { .. }
            | Fault::BoardTooLarge => true,
            Fault::BeyondLimit
            | Fault::WrongLength { .. }
            | Fault::NotOnLine { .. }
            | Fault::Occupied { .. }
            | Fault::MissingDot { .. }
            | Fault::Overlap { .. }
            | Fault::Stuck { .. }
            | Fault::FalseScore { .. }
            | Fault::FalseTerminal { .. }
            | Fault::EmptyPeriod
            | Fault::NoTranslation
            | Fault::TooManyRounds { .. }
            | Fault::NoModel { .. }
            | Fault::BadCut
            | Fault::WrongCount { .. }
            | Fault::WrongSign
            | Fault::FalseBound { .. }
            | Fault::FalseWords { .. }
            | Fault::Uncovered { .. }
            | Fault::FalseCap { .. }
            | Fault::MissingCase { .. }
            | Fault::OpenLeaf { .. }
            | Fault::TooManyCaps
            | Fault::CapsFit { .. } => false,
        }
    }

    /// The same fault in a part of the file, unless the fault says by itself where it lies.
    pub(crate) fn at(self, place: Place) -> Refusal {
        match self.place {
            Place::File if !self.is_malformed() => Refusal::new(place, self.fault),
            _ => self,
        }
    }

    /// The number of the faulty move or line, counting from 1, if the fault lies in one.
    pub fn number(&self) -> Option<u32> {
        self.place.number()
    }

    fn prefix(&self) -> String {
        self.place.number().map_or(String::new(), |_| format!("{}: ", self.place))
    }
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Refusal {
        Refusal::new(Place::File, fault)
    }
}

/// A place in a game file. Prints as `move 6`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// Not in one move or line.
    File,
    /// In the move of this number, counting from 1.
    Move(u32),
    /// In the line of this number of a drawing, counting from 1.
    Line(u32),
    /// In the move of this number before endless play repeats itself, counting from 1.
    Prefix(u32),
    /// In a move of endless play that repeats itself.
    Round {
        /// How often the period is played by then, counting from 1.
        round: u32,
        /// The number of the move in its period, counting from 1.
        number: u32,
    },
    /// In the dual of the row of this number, counting from 1.
    Row(u32),
    /// In the cut of this number, counting from 1.
    Cut(u32),
    /// In the board of this number, counting from 1.
    Board(u32),
    /// In the hull of this number, counting from 1.
    Hull(u32),
}

impl Place {
    /// The number of the move or line.
    pub fn number(self) -> Option<u32> {
        match self {
            Place::File => None,
            Place::Move(number) | Place::Line(number) | Place::Prefix(number) => Some(number),
            Place::Round { number, .. }
            | Place::Row(number)
            | Place::Cut(number)
            | Place::Board(number)
            | Place::Hull(number) => Some(number),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File => write!(f, "the file"),
            Place::Move(number) => write!(f, "move {number}"),
            Place::Line(number) => write!(f, "line {number}"),
            Place::Prefix(number) => write!(f, "prefix move {number}"),
            Place::Round { round, number } => write!(f, "round {round}, move {number}"),
            Place::Row(number) => write!(f, "row {number}"),
            Place::Cut(number) => write!(f, "cut {number}"),
            Place::Board(number) => write!(f, "board {number}"),
            Place::Hull(number) => write!(f, "hull {number}"),
        }
    }
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file has more than [`MAX_BYTES`] bytes.
    #[error("the file is larger than {MAX_BYTES} bytes")]
    TooLarge,
    /// The file is not text in UTF-8.
    #[error("not a text: byte {at} is not UTF-8")]
    NotUtf8 {
        /// The place of the first wrong byte, counting from 0.
        at: usize,
    },
    /// The text is not JSON, or it ends too early.
    #[error("not JSON: {message}")]
    NotJson {
        /// What the JSON reader says, with line and column.
        message: String,
    },
    /// The text is JSON, but something else is expected somewhere in it.
    #[error("{message}")]
    WrongShape {
        /// What is there and what is expected, with line and column.
        message: String,
    },
    /// A field that the format does not have.
    #[error("unknown field {name:?}")]
    UnknownField {
        /// The name in the file.
        name: String,
    },
    /// A field is there twice.
    #[error("the field {name:?} is there twice")]
    DuplicateField {
        /// The name in the file.
        name: &'static str,
    },
    /// A needed field is not there.
    #[error("the field {name:?} is missing")]
    MissingField {
        /// The name of the field.
        name: &'static str,
    },
    /// The format is another one, or unknown.
    #[error("the format is {text:?}; {wanted}")]
    UnknownFormat {
        /// The format in the file.
        text: String,
        /// The format that is judged here, in words.
        wanted: &'static str,
    },
    /// The rules are not a line length with `T` or `D`.
    #[error("unknown rules {text:?}; rules are a line length from 2 to 16 and T or D, like \"5T\"")]
    BadRules {
        /// The rules in the file.
        text: String,
    },
    /// The start is a text that names no cross.
    #[error(
        "unknown start {text:?}; a start is \"cross\", \"cross:N\" with N from 1 to 1024, \
        or a list of dots"
    )]
    BadStart {
        /// The start in the file.
        text: String,
    },
    /// A start dot is listed twice.
    #[error("the start lists the dot {dot} twice")]
    DuplicateDot {
        /// The dot.
        dot: Point,
    },
    /// A start dot has a coordinate beyond [`LIMIT`].
    #[error("start dot {number} has a coordinate beyond -{LIMIT} to {LIMIT}")]
    DotBeyondLimit {
        /// The number of the dot in the list, counting from 1.
        number: usize,
    },
    /// The start lists more than [`MAX_DOTS`] dots.
    #[error("the start has more than {MAX_DOTS} dots")]
    TooManyDots,
    /// There are more than [`MAX_MOVES`] moves or lines.
    #[error("there are more than {MAX_MOVES} moves or lines")]
    TooManyMoves,
    /// A file is a game or a drawing; this one claims to be both.
    #[error("both \"moves\" and \"lines\"; a game has moves, a drawing has lines")]
    MovesAndLines,
    /// A file is a game or a drawing; this one is neither.
    #[error("neither \"moves\" nor \"lines\"; a game has moves, a drawing has lines")]
    NoMovesNorLines,
    /// A dot of the move has a coordinate beyond [`LIMIT`].
    #[error("a coordinate lies beyond -{LIMIT} to {LIMIT}")]
    BeyondLimit,
    /// The two ends are not those of a line under these rules.
    #[error("{one} and {other} are not the ends of a line of {length} dots")]
    WrongLength {
        /// The end named first.
        one: Point,
        /// The end named last.
        other: Point,
        /// How many dots a line has under these rules.
        length: u8,
    },
    /// The new dot is not one of the line's.
    #[error("the new dot {new} is not on its line")]
    NotOnLine {
        /// The new dot.
        new: Point,
    },
    /// The new dot is not new.
    #[error("there is already a dot at {new}")]
    Occupied {
        /// The new dot.
        new: Point,
    },
    /// Another dot of the line is not there.
    #[error("the dot {dot} of the line is not there")]
    MissingDot {
        /// The first such dot.
        dot: Point,
    },
    /// The line overlaps another in the same direction.
    #[error("the line overlaps that of {with} at {at}")]
    Overlap {
        /// The other line, which comes first in the file.
        with: Place,
        /// The first dot they share, or the first dot of the segment they share.
        at: Point,
    },
    /// A drawing that cannot be played to the end in any order.
    #[error("in no order can all lines be drawn: {playable} can, {} cannot", .stuck.len())]
    Stuck {
        /// How many lines can be drawn.
        playable: u32,
        /// The lines that are left then, by their place in the list, counting from 0.
        stuck: Vec<u32>,
    },
    /// The score is not the number of moves.
    #[error("the score is claimed to be {claimed}; it is {score}")]
    FalseScore {
        /// The score in the file.
        claimed: u64,
        /// The number of moves or lines.
        score: u32,
    },
    /// The claim about the end of the game is false.
    #[error("terminal is claimed to be {claimed}; moves left: {left}")]
    FalseTerminal {
        /// The claim in the file.
        claimed: bool,
        /// How many moves are left.
        left: u64,
    },
    /// Endless play without a move to repeat.
    #[error("the period has no move")]
    EmptyPeriod,
    /// Endless play that repeats its moves where they are.
    #[error("the translation is (0,0), so that play stays where it is")]
    NoTranslation,
    /// Endless play that takes too long to check.
    #[error(
        "it takes {rounds} rounds of the period to know that all are legal, which is beyond the \
        limits on moves and coordinates"
    )]
    TooManyRounds {
        /// How many rounds would have to be replayed.
        rounds: i64,
    },
    /// A compressed file that is damaged.
    #[error("compressed with gzip, but damaged: {message}")]
    NotGzip {
        /// What is wrong.
        message: String,
    },
    /// A line of a certificate that does not say what it should.
    #[error("line {line} of the file: expected {wanted}")]
    BadLine {
        /// The number of the line, counting from 1.
        line: usize,
        /// What should be there.
        wanted: &'static str,
    },
    /// A board with more than [`MAX_BOARD_DOTS`] dots.
    #[error("the board has more than {MAX_BOARD_DOTS} dots")]
    BoardTooLarge,
    /// A certificate of a model that does not exist.
    #[error("there is no such model: {reason}")]
    NoModel {
        /// Why not.
        reason: &'static str,
    },
    /// A cut that is no set of dots off the start with one of them marked.
    #[error(
        "its dots are not different ones of the board, off the start, the marked one among them"
    )]
    BadCut,
    /// A certificate with too few duals or too many.
    #[error("the model has {rows} rows, the certificate {duals} duals")]
    WrongCount {
        /// How many rows there are.
        rows: usize,
        /// How many duals there are.
        duals: usize,
    },
    /// A dual that would turn its row around.
    #[error("the dual has the wrong sign for its row")]
    WrongSign,
    /// A bound that the duals do not show.
    #[error("the bound is claimed to be {claimed}; the duals show {bound}")]
    FalseBound {
        /// The bound in the file.
        claimed: i128,
        /// The bound by the duals.
        bound: i128,
    },
    /// Words that do not say what is claimed.
    #[error("the second line must be: {wanted}")]
    FalseWords {
        /// What it should say.
        wanted: String,
    },
    /// A hull of positions that no board holds.
    #[error("no board holds {board}, which has too many dots to be left out")]
    Uncovered {
        /// The hull.
        board: String,
    },
    /// A cap that may be smaller than claimed.
    #[error("a cap with waste {waste} may have {dots} dots; the claim is at least {least}")]
    FalseCap {
        /// The waste in its rows.
        waste: usize,
        /// How few dots it may have.
        dots: u32,
        /// How many are claimed.
        least: u32,
    },
    /// Trees that are not about all positions.
    #[error("there is no tree for the positions {case}")]
    MissingCase {
        /// Those that are missing.
        case: String,
    },
    /// A leaf that leaves room for a longer game.
    #[error("leaf {number} of the tree {case} leaves room for more moves")]
    OpenLeaf {
        /// Its number, counting from 1.
        number: usize,
        /// The positions that the tree is about.
        case: String,
    },
    /// Claims of caps that leave too much to look at.
    #[error("so many caps may be smaller than claimed that they are not looked at")]
    TooManyCaps,
    /// Two caps that a long game has room for.
    #[error("caps with waste {one} and {other} may have {dots} dots; a game has room for {room}")]
    CapsFit {
        /// The waste of one cap.
        one: usize,
        /// The waste of the other.
        other: usize,
        /// The fewest dots of both together.
        dots: u32,
        /// The dots of a game with so much waste.
        room: u32,
    },
}

impl Fault {
    /// All names that [`Fault::name`] gives.
    pub const NAMES: &'static [&'static str] = &[
        "too-large",
        "not-utf-8",
        "not-json",
        "wrong-shape",
        "unknown-field",
        "duplicate-field",
        "missing-field",
        "unknown-format",
        "bad-rules",
        "bad-start",
        "duplicate-dot",
        "dot-beyond-limit",
        "too-many-dots",
        "too-many-moves",
        "moves-and-lines",
        "no-moves-nor-lines",
        "beyond-limit",
        "wrong-length",
        "not-on-line",
        "occupied",
        "missing-dot",
        "overlap",
        "stuck",
        "false-score",
        "false-terminal",
        "empty-period",
        "no-translation",
        "too-many-rounds",
        "not-gzip",
        "bad-line",
        "board-too-large",
        "no-model",
        "bad-cut",
        "wrong-count",
        "wrong-sign",
        "false-bound",
        "false-words",
        "uncovered",
        "false-cap",
        "missing-case",
        "open-leaf",
        "too-many-caps",
        "caps-fit",
    ];

    /// The reason as one word for machines. It stays the same when the message changes.
    pub fn name(&self) -> &'static str {
        match self {
            Fault::TooLarge => "too-large",
            Fault::NotUtf8 { .. } => "not-utf-8",
            Fault::NotJson { .. } => "not-json",
            Fault::WrongShape { .. } => "wrong-shape",
            Fault::UnknownField { .. } => "unknown-field",
            Fault::DuplicateField { .. } => "duplicate-field",
            Fault::MissingField { .. } => "missing-field",
            Fault::UnknownFormat { .. } => "unknown-format",
            Fault::BadRules { .. } => "bad-rules",
            Fault::BadStart { .. } => "bad-start",
            Fault::DuplicateDot { .. } => "duplicate-dot",
            Fault::DotBeyondLimit { .. } => "dot-beyond-limit",
            Fault::TooManyDots => "too-many-dots",
            Fault::TooManyMoves => "too-many-moves",
            Fault::MovesAndLines => "moves-and-lines",
            Fault::NoMovesNorLines => "no-moves-nor-lines",
            Fault::BeyondLimit => "beyond-limit",
            Fault::WrongLength { .. } => "wrong-length",
            Fault::NotOnLine { .. } => "not-on-line",
            Fault::Occupied { .. } => "occupied",
            Fault::MissingDot { .. } => "missing-dot",
            Fault::Overlap { .. } => "overlap",
            Fault::Stuck { .. } => "stuck",
            Fault::FalseScore { .. } => "false-score",
            Fault::FalseTerminal { .. } => "false-terminal",
            Fault::EmptyPeriod => "empty-period",
            Fault::NoTranslation => "no-translation",
            Fault::TooManyRounds { .. } => "too-many-rounds",
            Fault::NotGzip { .. } => "not-gzip",
            Fault::BadLine { .. } => "bad-line",
            Fault::BoardTooLarge => "board-too-large",
            Fault::NoModel { .. } => "no-model",
            Fault::BadCut => "bad-cut",
            Fault::WrongCount { .. } => "wrong-count",
            Fault::WrongSign => "wrong-sign",
            Fault::FalseBound { .. } => "false-bound",
            Fault::FalseWords { .. } => "false-words",
            Fault::Uncovered { .. } => "uncovered",
            Fault::FalseCap { .. } => "false-cap",
            Fault::MissingCase { .. } => "missing-case",
            Fault::OpenLeaf { .. } => "open-leaf",
            Fault::TooManyCaps => "too-many-caps",
            Fault::CapsFit { .. } => "caps-fit",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_says_where_if_it_can() {
        let fault = Fault::Occupied { new: Point { x: 4, y: 0 } };
        let refusal = Refusal::new(Place::Move(6), fault);
        assert_eq!(refusal.to_string(), "move 6: there is already a dot at (4,0)");
        assert_eq!(
            Refusal::from(Fault::TooLarge).to_string(),
            "the file is larger than 134217728 bytes"
        );
    }

    #[test]
    fn every_fault_has_a_name_in_the_list() {
        let source = include_str!("refusal.rs");
        let faults = source.split("pub enum Fault").nth(1).expect("the enum is here");
        let count =
            faults.split("#[cfg(test)]").next().map_or(0, |text| text.matches("#[error(").count());
        assert_eq!(count, Fault::NAMES.len());
    }

    #[test]
    fn a_false_claim_is_told_with_the_truth() {
        let fault = Fault::FalseTerminal { claimed: true, left: 3 };
        assert_eq!(fault.to_string(), "terminal is claimed to be true; moves left: 3");
    }
}
