//! Starts by name, and from files of their own.

use geometry::{Game, Rules, Start};

use crate::error::Snippet;
use crate::format::as_text;
use crate::{Format, ReadError, StartFault, limits, pentasol, recognise, text};

/// The start of this name: `cross` is the usual one of the rules, `cross:N` the cross of side N.
pub fn parse_start_name(name: &str, rules: Rules) -> Result<Start, StartFault> {
    if name == "cross" {
        return Ok(Game::from_cross(rules).start);
    }
    parse_cross_of_side(name).unwrap_or_else(|| Err(StartFault::Name { found: Snippet::of(name) }))
}

/// The start `cross:N`, which needs no rules; `None` if this is no such name.
pub(crate) fn parse_cross_of_side(name: &str) -> Option<Result<Start, StartFault>> {
    let digits = name.strip_prefix("cross:")?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    let side = digits.parse::<usize>().ok().filter(|_| plain)?;
    Some(Start::cross(side).map_err(StartFault::from))
}

/// Reads a file for its start: the start of any game that can be read, or dots in a text
/// without a game, or a plain picture of dots.
///
/// In a picture `.`, `·` and the space are empty, `o O x X * # ● • ■` are dots, and the first
/// character of the first row is the point (0,0).
pub fn read_start(bytes: &[u8]) -> Result<Start, ReadError> {
    if bytes.len() > limits::BYTES {
        return Err(ReadError::TooLarge);
    }
    match (recognise(bytes), as_text(bytes)) {
        (Format::Text, Some(text)) => text::read_start(text),
        // A lone point is a start of one dot rather than a game without moves.
        (Format::Pentasol, Some(text)) => text::read_start(text).or_else(|_| {
            let game = Game::named("5T").expect("a known game");
            pentasol::read(text, Some(&game)).map(|record| record.game.start)
        }),
        _ => crate::read(bytes, None).map(|record| record.game.start),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Record;
    use geometry::Point;

    fn dots(list: &[(i32, i32)]) -> Start {
        Start::from_dots(list.iter().map(|&(x, y)| Point::new(x, y))).expect("few dots")
    }

    #[test]
    fn crosses_are_known_by_name() {
        let rules = "5T".parse().expect("known");
        let side = |name| parse_start_name(name, rules).map(|start| start.cross_side());
        assert_eq!(side("cross"), Ok(Some(4)));
        assert_eq!(side("cross:1"), Ok(Some(1)));
        assert_eq!(side("cross:1024"), Ok(Some(1024)));
        let other_names =
            ["", "Cross", "cross:", "cross:04", "cross:+4", "cross:-1", "cross: 4", "crosses"];
        for name in other_names {
            assert!(matches!(side(name), Err(StartFault::Name { .. })), "{name}");
        }
        for name in ["cross:1025", "cross:9999999"] {
            assert!(matches!(side(name), Err(StartFault::Bad(_))), "{name}");
        }
        assert!(side(&format!("cross:{}", "9".repeat(100))).is_err());
    }

    #[test]
    fn a_start_is_read_from_dots_from_a_picture_and_from_any_game() {
        let start = dots(&[(1, 0), (0, 1), (2, 1)]);
        assert_eq!(read_start(b"1,0\n(0, 1)\n2,1 # last\n"), Ok(start.clone()));
        assert_eq!(read_start(b".o\no.x\n"), Ok(start.clone()));
        assert_eq!(read_start(b"4D\n.#\n#.#\n"), Ok(start.clone()));
        let game = Game { rules: "4D".parse().expect("known"), start: start.clone() };
        let record = Record::from_moves(game, vec![]);
        assert_eq!(read_start(record.to_json().as_bytes()), Ok(start.clone()));
        assert_eq!(read_start(record.to_text().as_bytes()), Ok(start));
        let cross = Start::cross(4).expect("in range");
        assert_eq!(read_start(b"(28,28)\n(27,27) / 0\n"), Ok(cross.clone()));
        assert_eq!(read_start(b"5T\n"), Ok(cross));
        assert_eq!(read_start(b"cross:6\n"), Ok(Start::cross(6).expect("in range")));
        assert_eq!(read_start(b"(28,28)\n"), Ok(dots(&[(28, 28)])));
        assert_eq!(read_start(b"empty\n"), Ok(dots(&[])));
    }

    #[test]
    fn a_start_that_is_none_says_why() {
        for bytes in [&b""[..], b"\n \n", b"# nothing\n"] {
            assert_eq!(read_start(bytes), Err(ReadError::Empty));
        }
        assert_eq!(read_start(b"\xff"), Err(ReadError::NotText));
        assert_eq!(read_start(b"cross\n"), Err(ReadError::NeedsGame { format: Format::Text }));
        let line = read_start(b"0,0 4,0\n").expect_err("a line").to_string();
        assert!(line.starts_with("line 1: a start without a game has only dots"), "{line}");
    }
}
