//! Moves as a file writes them, for the verifier.
//!
//! A [`Record`](crate::Record) has only moves that could be played somewhere. A file of another
//! format whose dots lie off their lines or beyond the limit has none; written as a native file it
//! is refused for the same reason as a native one.

use std::fmt::{self, Write};

use geometry::{Direction, Game, Rules};

use crate::Format;
use crate::format::{as_text, recognise};

/// A point as it is written, perhaps far away.
pub(crate) type WrittenPoint = (i64, i64);

/// What a file writes, before anything of it is known to fit on the grid.
pub(crate) struct WrittenGame {
    pub(crate) game: Game,
    pub(crate) play: WrittenPlay,
}

pub(crate) enum WrittenPlay {
    /// New dot, first dot of the line, direction.
    Moves(Vec<(WrittenPoint, WrittenPoint, Direction)>),
    /// The two ends of each line.
    Lines(Vec<(WrittenPoint, WrittenPoint)>),
}

/// The native text of a file of another format, its moves as they are written; `None` if there is
/// none, or if the file is native. `game` is what the caller knows about it.
#[must_use]
pub fn written_text(bytes: &[u8], game: Option<&Game>) -> Option<String> {
    let text = as_text(bytes)?;
    let written = match recognise(bytes) {
        Format::Exchange => crate::exchange::written(text)?,
        Format::Msr => crate::msr::written(text)?,
        Format::Pentasol => crate::pentasol::written(text, game?)?,
        Format::Text => crate::text::written(text, game)?,
        Format::Native | Format::Svg | Format::Png => return None,
    };
    Some(written.to_json())
}

impl WrittenGame {
    /// A game from the usual cross.
    pub(crate) fn from_cross(rules: Rules, play: WrittenPlay) -> WrittenGame {
        WrittenGame { game: Game::from_cross(rules), play }
    }

    fn to_json(&self) -> String {
        let mut text = String::new();
        self.write(&mut text).expect("a string takes any text");
        text
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let empty = crate::Record::from_moves(self.game.clone(), Vec::new()).to_json();
        let list = "\"moves\": []";
        let (head, tail) = empty.split_once(list).expect("a record without moves");
        out.write_str(head)?;
        let comma = |index| if index == 0 { "" } else { "," };
        match &self.play {
            WrittenPlay::Moves(moves) => {
                out.write_str("\"moves\": [")?;
                for (index, (new, first, direction)) in moves.iter().enumerate() {
                    let (new, first) = (near(*new), near(*first));
                    write!(out, "{}\n{{\"new\": {new:?}, ", comma(index))?;
                    write!(out, "\"line\": [{first:?}, \"{direction}\"]}}")?;
                }
            }
            WrittenPlay::Lines(lines) => {
                out.write_str("\"lines\": [")?;
                for (index, (one, other)) in lines.iter().enumerate() {
                    let (one, other) = (near(*one), near(*other));
                    write!(out, "{}\n[{one:?}, {other:?}]", comma(index))?;
                }
            }
        }
        out.write_char(']')?;
        out.write_str(tail)
    }
}

/// A point, or one just as far beyond the limit as the verifier needs to see it.
fn near((x, y): WrittenPoint) -> [i64; 2] {
    const FAR: i64 = 1 << 30;
    [x.clamp(-FAR, FAR), y.clamp(-FAR, FAR)]
}

/// The point that lies `steps` before another in a direction.
pub(crate) fn before((x, y): WrittenPoint, direction: Direction, steps: i64) -> WrittenPoint {
    let step = direction.step();
    let back = |from: i64, by: i32| from.saturating_sub(steps.saturating_mul(i64::from(by)));
    (back(x, step.x), back(y, step.y))
}
