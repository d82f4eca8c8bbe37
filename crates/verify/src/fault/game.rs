//! Faults of a game: illegal moves and false claims.

use crate::refusal::Place;
use crate::rules::{LIMIT, Point};

super::faults! {
    /// Why a game is refused.
    pub enum GameFault {
        /// A dot of the move has a coordinate beyond [`LIMIT`].
        #[error("a coordinate lies beyond -{LIMIT} to {LIMIT}")]
        BeyondLimit = "beyond-limit",
        /// The two ends are not those of a line under these rules.
        #[error("{one} and {other} are not the ends of a line of {length} dots")]
        WrongLength {
            /// The end named first.
            one: Point,
            /// The end named last.
            other: Point,
            /// How many dots a line has under these rules.
            length: u8,
        } = "wrong-length",
        /// The new dot is not on the line.
        #[error("the new dot {new} is not on its line")]
        NotOnLine {
            /// The new dot.
            new: Point,
        } = "not-on-line",
        /// The new dot is not new.
        #[error("there is already a dot at {new}")]
        Occupied {
            /// The new dot.
            new: Point,
        } = "occupied",
        /// Another dot of the line is missing.
        #[error("the dot {dot} of the line is missing")]
        MissingDot {
            /// The first such dot.
            dot: Point,
        } = "missing-dot",
        /// The line overlaps another in the same direction.
        #[error("the line overlaps that of {with} at {at}")]
        Overlap {
            /// The other line, which comes first in the file.
            with: Place,
            /// The first dot they share, or the first dot of the segment they share.
            at: Point,
        } = "overlap",
        /// A drawing that cannot be played to the end in any order.
        #[error("no order draws all lines: {playable} can be drawn, {} cannot", .stuck.len())]
        Stuck {
            /// How many lines can be drawn.
            playable: u32,
            /// The lines that remain, by their place in the list, counting from 0.
            stuck: Vec<u32>,
        } = "stuck",
        /// The score is not the number of moves.
        #[error("the score is claimed to be {claimed}; it is {score}")]
        FalseScore {
            /// The score in the file.
            claimed: u64,
            /// The number of moves or lines.
            score: u32,
        } = "false-score",
        /// The claim about the end of the game is false.
        #[error("terminal is claimed to be {claimed}; legal moves remaining: {remaining}")]
        FalseTerminal {
            /// The claim in the file.
            claimed: bool,
            /// How many legal moves remain.
            remaining: u64,
        } = "false-terminal",
    }
}
