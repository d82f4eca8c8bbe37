//! Faults of a text that cannot be read as a game or proof.

use crate::proof::MAX_BOARD_DOTS;
use crate::read::{MAX_BYTES, MAX_DOTS, MAX_MOVES};
use crate::rules::{LIMIT, Point};

super::faults! {
    /// Why a text is not a game or proof.
    pub enum FormatFault {
        /// The file has more than [`MAX_BYTES`] bytes.
        #[error("the file is larger than {MAX_BYTES} bytes")]
        TooLarge = "too-large",
        /// The file is not text in UTF-8.
        #[error("not text: byte {at} is not UTF-8")]
        NotUtf8 {
            /// The place of the first wrong byte, counting from 0.
            at: usize,
        } = "not-utf-8",
        /// The text is not JSON, or it ends too early.
        #[error("not JSON: {message}")]
        NotJson {
            /// What the JSON reader says, with line and column.
            message: String,
        } = "not-json",
        /// The text is JSON, but something else is expected somewhere in it.
        #[error("{message}")]
        WrongShape {
            /// What is there and what is expected, with line and column.
            message: String,
        } = "wrong-shape",
        /// A field that the format does not have.
        #[error("unknown field {name:?}")]
        UnknownField {
            /// The name in the file.
            name: String,
        } = "unknown-field",
        /// A field is given twice.
        #[error("the field {name:?} is given twice")]
        DuplicateField {
            /// The name in the file.
            name: &'static str,
        } = "duplicate-field",
        /// A required field is missing.
        #[error("the field {name:?} is missing")]
        MissingField {
            /// The name of the field.
            name: &'static str,
        } = "missing-field",
        /// The format is another one, or unknown.
        #[error("the format is {text:?}; {wanted}")]
        UnknownFormat {
            /// The format in the file.
            text: String,
            /// The formats that are verified here, in words.
            wanted: String,
        } = "unknown-format",
        /// The rules are not a line length with `T` or `D`.
        #[error(
            "unknown rules {text:?}; rules are a line length from 2 to 16 and T or D, like \"5T\""
        )]
        BadRules {
            /// The rules in the file.
            text: String,
        } = "bad-rules",
        /// The start is a text that does not name a cross.
        #[error(
            "unknown start {text:?}; a start is \"cross\", \"cross:N\" with N from 1 to 1024, \
            or a list of dots"
        )]
        BadStart {
            /// The start in the file.
            text: String,
        } = "bad-start",
        /// A start dot is listed twice.
        #[error("the start lists the dot {dot} twice")]
        DuplicateDot {
            /// The dot.
            dot: Point,
        } = "duplicate-dot",
        /// A start dot has a coordinate beyond [`LIMIT`].
        #[error("start dot {number} has a coordinate beyond -{LIMIT} to {LIMIT}")]
        DotBeyondLimit {
            /// The number of the dot in the list, counting from 1.
            number: usize,
        } = "dot-beyond-limit",
        /// The start lists more than [`MAX_DOTS`] dots.
        #[error("the start has more than {MAX_DOTS} dots")]
        TooManyDots = "too-many-dots",
        /// There are more than [`MAX_MOVES`] moves or lines.
        #[error("there are more than {MAX_MOVES} moves or lines")]
        TooManyMoves = "too-many-moves",
        /// A file is a game or a drawing; this one claims to be both.
        #[error("both \"moves\" and \"lines\"; a game has moves, a drawing has lines")]
        MovesAndLines = "moves-and-lines",
        /// A file is a game or a drawing; this one is neither.
        #[error("neither \"moves\" nor \"lines\"; a game has moves, a drawing has lines")]
        NoMovesNorLines = "no-moves-nor-lines",
        /// A compressed file that is damaged.
        #[error("compressed with gzip, but damaged: {message}")]
        NotGzip {
            /// What is wrong.
            message: String,
        } = "not-gzip",
        /// A line of a proof that does not say what it should.
        #[error("line {line} of the file: expected {wanted}")]
        BadLine {
            /// The number of the line, counting from 1.
            line: usize,
            /// What should be there.
            wanted: &'static str,
        } = "bad-line",
        /// A board with more than [`MAX_BOARD_DOTS`] dots.
        #[error("the board has more than {MAX_BOARD_DOTS} dots")]
        BoardTooLarge = "board-too-large",
    }
}
