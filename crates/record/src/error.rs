//! Why a file could not be read, or a record not be written.

use std::fmt;

use geometry::{COORDINATE_LIMIT, Game, Point, RulesError, Start, StartError};

use crate::{Format, limits};

/// Why a file could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// More bytes than [`limits::BYTES`].
    #[error("larger than {} MiB", limits::BYTES >> 20)]
    TooLarge,
    /// Nothing but white space and comments.
    #[error("nothing in the file")]
    Empty,
    /// Neither a picture nor UTF-8.
    #[error("neither text in UTF-8 nor a PNG picture; of pictures only SVG and PNG carry a game")]
    NotText,
    /// The file does not say which game it is of, and the caller did not either.
    #[error(
        "this {format} file does not say which game it is of; name the game, like 5T{}",
        place_of_game(*format)
    )]
    NeedsGame {
        /// The format of the file.
        format: Format,
    },
    /// The file says another game than the caller.
    #[error("the file is of {file}, not of {asked}{}", other_dots(file, asked))]
    OtherGame {
        /// What the file says.
        file: Game,
        /// What the caller asked for.
        asked: Game,
    },
    /// The format cannot hold the game that the caller asked for.
    #[error("{format} holds only {}, not {game}", format.games())]
    GameNotInFormat {
        /// The format of the file.
        format: Format,
        /// What the caller asked for.
        game: Game,
    },
    /// Another version of a format than the one that is read.
    #[error("unknown version `{found}` of {format}; only `{}` is read", format.version())]
    Version {
        /// The format of the file.
        format: Format,
        /// The version it says.
        found: Snippet,
    },
    /// Not the JSON that the format asks for.
    #[error("line {line}, column {column}: {problem}")]
    Json {
        /// Counted from 1.
        line: usize,
        /// Counted from 1, in bytes.
        column: usize,
        /// What is wrong there.
        problem: Snippet,
    },
    /// The rules are none.
    #[error("rules `{found}`: {reason}")]
    Rules {
        /// What the file says.
        found: Snippet,
        /// What is wrong with it.
        reason: RulesError,
    },
    /// The start is none.
    #[error("start: {0}")]
    Start(#[from] StartFault),
    /// Both moves and lines, or neither.
    #[error("a game has either `moves` or, as a drawing, `lines`")]
    MovesOrLines,
    /// A move that is no move, wherever it is played.
    #[error("move {number}: {fault}")]
    Move {
        /// Which move, counted from 1.
        number: usize,
        /// What is wrong with it.
        fault: MoveFault,
    },
    /// A line of a drawing that is no line, wherever it is drawn.
    #[error("line {number} of the drawing: {fault}")]
    Drawn {
        /// Which line, counted from 1.
        number: usize,
        /// What is wrong with it.
        fault: MoveFault,
    },
    /// A line of a text file that cannot be understood.
    #[error("line {line}: {fault}")]
    Line {
        /// Which line of the file, counted from 1.
        line: usize,
        /// What is wrong with it.
        fault: LineFault,
    },
    /// The compact form of MSR cannot be unpacked.
    #[error("compact MSR: {0}")]
    Compact(CompactFault),
    /// Not the XML of an SVG picture.
    #[error("SVG, line {line}: {problem}")]
    Svg {
        /// Which line of the file, counted from 1.
        line: usize,
        /// What is wrong there.
        problem: Snippet,
    },
    /// Not a whole PNG picture.
    #[error("PNG: {0}")]
    Png(PngFault),
    /// A picture that carries no game.
    #[error("no game inside this {format} picture; only pictures made by morpion carry one")]
    NoGame {
        /// The format of the file.
        format: Format,
    },
    /// A picture that carries several games.
    #[error("more than one game inside this {format} picture")]
    SeveralGames {
        /// The format of the file.
        format: Format,
    },
    /// The game that a picture or a compact file carries cannot be read.
    #[error("the game inside: {error}")]
    Inside {
        /// What is wrong with it; lines and columns are those of the game, not of the file.
        error: Box<ReadError>,
    },
}

/// Why some words or dots are no start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartFault {
    /// Not the name of a start.
    #[error(
        "`{found}` names no start; write `cross` or `cross:N`, N from 1 to {}",
        Start::MAX_SIDE
    )]
    Name {
        /// What stands in place of the name.
        found: Snippet,
    },
    /// A dot given more than once.
    #[error("the dot {0} is given twice")]
    Repeated(Point),
    /// Out of some limit.
    #[error(transparent)]
    Bad(#[from] StartError),
}

/// Why a move is no move, or a line no line, wherever it is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveFault {
    /// A dot of the line is beyond the coordinate limit.
    #[error("beyond the coordinate limit of {COORDINATE_LIMIT}")]
    TooFar,
    /// The new dot does not lie on the line.
    #[error("the new dot {0} is not on the line")]
    OffLine(Point),
    /// The two points are not the ends of a line.
    #[error("{one} and {other} are not the ends of a line of {length} dots")]
    NotEnds {
        /// The point named first.
        one: Point,
        /// The point named second.
        other: Point,
        /// How many dots a line has.
        length: usize,
    },
    /// The place of the new dot on the line is out of range.
    #[error("`pos` must be from 0 to {}", .length - 1)]
    Place {
        /// How many dots a line has.
        length: usize,
    },
}

/// Why a line of a text file cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LineFault {
    /// Not one of the things a line can be.
    #[error(
        "expected a game like 5T, a dot like 3,4 or a line's ends like 3,0 7,0; found `{found}`"
    )]
    Unknown {
        /// What stands there.
        found: Snippet,
    },
    /// A game after something else.
    #[error("the game must stand in the first line")]
    LateGame,
    /// A single dot after a line.
    #[error(
        "a single dot after a line: the dots of a start come before all lines; or is an end \
         missing?"
    )]
    LateDot,
    /// More than one of: the name of a start, and dots.
    #[error("the start is already given, by its name or by its dots")]
    StartTwice,
    /// A dot given more than once.
    #[error("the dot {0} is given twice")]
    Repeated(Point),
    /// A line where only dots of a start are read.
    #[error("a start without a game has only dots, one in each line, but here is a line")]
    LineInStart,
    /// A character that is neither a dot nor empty.
    #[error(
        "expected `.` or a space for nothing and one of `o O x X * # ● • ■` for a dot; found \
         `{found}`"
    )]
    Picture {
        /// The character.
        found: Snippet,
    },
    /// Pentasol: no point.
    #[error("expected a point like (28,28); found `{found}`")]
    Point {
        /// What stands there.
        found: Snippet,
    },
    /// Pentasol: no direction.
    #[error("expected one of the directions - | \\ /; found `{found}`")]
    Direction {
        /// What stands there.
        found: Snippet,
    },
    /// Pentasol: no centre.
    #[error("expected how far off the line's centre is, from -2 to 2; found `{found}`")]
    Centre {
        /// What stands there.
        found: Snippet,
    },
    /// More moves, lines or dots than the limit.
    #[error("more than {limit} moves, lines or dots")]
    TooMany {
        /// The limit.
        limit: usize,
    },
    /// The line is understood, but the move is none.
    #[error(transparent)]
    Move(#[from] MoveFault),
}

/// Why the compact form of MSR cannot be unpacked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompactFault {
    /// A character that is not of base64url, or some are missing.
    #[error("not base64url")]
    Base64,
    /// Damaged, or cut short, or followed by something.
    #[error("not deflated data")]
    Deflate,
    /// More than [`limits::INFLATED_BYTES`].
    #[error("inflates to more than {} MiB", limits::INFLATED_BYTES >> 20)]
    TooLarge,
}

/// Why bytes are not a whole PNG picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PngFault {
    /// Damaged in its first eight bytes.
    #[error("damaged in its first bytes")]
    Signature,
    /// It ends inside a chunk, or without its last one.
    #[error("cut short, or a chunk with a false length")]
    CutShort,
    /// The checksum of the chunk with the game is wrong.
    #[error("the checksum of the game is wrong")]
    Checksum,
    /// The chunk with the game is not plain text.
    #[error("the game is not stored as plain text in UTF-8")]
    NotPlain,
}

/// Why a record cannot be written in a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The format holds moves in order, but the record is a drawing.
    #[error("{format} holds moves in their order and this is a drawing: order it first")]
    Unordered {
        /// The format.
        format: Format,
    },
    /// The format cannot hold this game.
    #[error("{format} holds only {}, not {game}", format.games())]
    GameNotInFormat {
        /// The format.
        format: Format,
        /// The game of the record.
        game: Game,
    },
}

/// A short text for an error message: escaped, and cut when a file made it long.
#[derive(Clone, PartialEq, Eq)]
pub struct Snippet(Box<str>);

impl Snippet {
    const LENGTH: usize = 40;

    /// A piece of a file.
    pub(crate) fn of(text: &str) -> Self {
        Self(shorten(text, Self::LENGTH).into())
    }

    /// A library's message, which may quote a piece of the file between its first quotation mark
    /// and `, expected`; only that piece is cut.
    pub(crate) fn of_message(message: &str) -> Self {
        let from = message.find(['`', '"', '\'']).map_or(message.len(), |mark| mark + 1);
        let to = message.rfind(", expected").map_or(message.len(), |found| found.max(from));
        let (before, quoted, after) = (&message[..from], &message[from..to], &message[to..]);
        let quoted = shorten(quoted, Self::LENGTH);
        Self(format!("{}{quoted}{}", shorten(before, 200), shorten(after, 200)).into())
    }
}

impl fmt::Display for Snippet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Snippet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Snippet({:?})", self.0)
    }
}

/// The first `length` characters, with whatever a terminal would not print as it is escaped.
fn shorten(text: &str, length: usize) -> String {
    let mut short = String::new();
    for c in text.chars().take(length) {
        match c {
            '"' | '\'' | '\\' => short.push(c),
            _ => short.extend(c.escape_debug()),
        }
    }
    if text.chars().nth(length).is_some() {
        short.push('…');
    }
    short
}

/// Where the game can be named.
fn place_of_game(format: Format) -> &'static str {
    if format == Format::Text { ", in the first line" } else { "" }
}

/// What to add when two different games print alike.
fn other_dots(file: &Game, asked: &Game) -> &'static str {
    if file.to_string() == asked.to_string() { " with other dots" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_is_short_and_printable() {
        assert_eq!(Snippet::of("abc").to_string(), "abc");
        assert_eq!(Snippet::of("a\u{1b}[31m\n").to_string(), "a\\u{1b}[31m\\n");
        let long = "x".repeat(1_000_000);
        assert_eq!(Snippet::of(&long).to_string(), format!("{}…", "x".repeat(40)));
    }

    #[test]
    fn a_message_keeps_its_own_words_and_loses_the_files() {
        let message = format!("unknown field `{}`, expected `new` or `line`", "x".repeat(1000));
        let short = format!("unknown field `{}…, expected `new` or `line`", "x".repeat(40));
        assert_eq!(Snippet::of_message(&message).to_string(), short);
        let plain = "invalid type: null, expected a dot [x, y]";
        assert_eq!(Snippet::of_message(plain).to_string(), plain);
        let hostile = format!(", expected {} `", "x".repeat(1000));
        assert!(Snippet::of_message(&hostile).to_string().len() < 500);
    }

    #[test]
    fn games_that_print_alike_are_told_apart() {
        let game = |x| {
            let start = Start::from_dots([Point::new(x, 5)]).expect("one dot");
            Game { rules: "5T".parse().expect("known"), start }
        };
        let error = ReadError::OtherGame { file: game(1), asked: game(2) };
        let message = "the file is of 5T from 1 dots, not of 5T from 1 dots with other dots";
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn errors_stay_small() {
        assert!(size_of::<ReadError>() <= 96, "{}", size_of::<ReadError>());
    }
}
