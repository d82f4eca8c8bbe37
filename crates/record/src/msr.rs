//! MSR 0.1: JSON, or the same JSON deflated and in base64url after `MS1:`.
//!
//! The format is not ours, so fields that we do not know are left aside.

use std::fmt::{self, Write};
use std::io::Read;

use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use flate2::bufread::DeflateDecoder;
use geometry::{Game, Move, Point, Rules};
use serde::Deserialize;

use crate::error::Snippet;
use crate::json::{self, Coordinate, Count, Item, List, Object, Way, Word};
use crate::native::{numbered, parse_rules};
use crate::written::{WrittenGame, WrittenPlay, before};
use crate::{CompactFault, Format, MoveFault, Play, ReadError, Record, WriteError, fit, limits};

/// The only version there is.
pub(crate) const VERSION: &str = "0.1";

/// How a compact file begins.
pub(crate) const COMPACT: &str = "MS1:";

/// Reads an MSR file of either form.
pub(crate) fn read(text: &str) -> Result<Record, ReadError> {
    let Some(packed) = text.trim().strip_prefix(COMPACT) else {
        return read_json(text);
    };
    let bytes = unpack(packed).map_err(ReadError::Compact)?;
    let text = str::from_utf8(&bytes).map_err(|_| ReadError::NotText);
    text.and_then(read_json).map_err(|error| ReadError::Inside { error: Box::new(error) })
}

fn read_json(text: &str) -> Result<Record, ReadError> {
    // A file of another version fails for this reason first, whatever else it holds.
    if let Ok(Version { version: Word(found) }) = json::read(text)
        && found != VERSION
    {
        return Err(ReadError::Version { format: Format::Msr, found: Snippet::of(&found) });
    }
    let file: File<'_> = json::read(text)?;
    let rules = parse_rules(&file.variant.0)?;
    let moves = numbered(file.moves.0, |played| played.0.to_move(rules))
        .map_err(|(number, fault)| ReadError::Move { number, fault })?;
    let mut record = Record::from_moves(Game::from_cross(rules), moves);
    record.claims.score = file.score.map(|count| count.0);
    record.provenance.author = file.author.map(|author| author.0.into_owned());
    Ok(record)
}

/// The moves verbatim, even off the grid.
pub(crate) fn written(text: &str) -> Option<WrittenGame> {
    #[derive(Deserialize)]
    struct Written {
        x: i64,
        y: i64,
        dir: Way,
        pos: Count,
    }
    impl Item for Object<Written> {
        const NAME: &'static str = "move";
        const LIMIT: usize = limits::MOVES;
    }
    #[derive(Deserialize)]
    struct Game<'a> {
        #[serde(borrow)]
        version: Word<'a>,
        #[serde(borrow)]
        variant: Word<'a>,
        moves: List<Object<Written>>,
    }
    let unpacked;
    let text = match text.trim().strip_prefix(COMPACT) {
        Some(packed) => {
            unpacked = unpack(packed).ok()?;
            str::from_utf8(&unpacked).ok()?
        }
        None => text,
    };
    let file: Game<'_> = json::read(text).ok()?;
    let moves = file.moves.0.into_iter().map(|Object(Written { x, y, dir, pos })| {
        let steps = i64::try_from(pos.0).unwrap_or(i64::MAX);
        ((x, y), before((x, y), dir.0, steps), dir.0)
    });
    let play = WrittenPlay::Moves(moves.collect());
    let rules = parse_rules(&file.variant.0).ok()?;
    (file.version.0 == VERSION).then(|| WrittenGame::from_cross(rules, play))
}

/// The bytes of the JSON in a compact file; line breaks in it are allowed.
fn unpack(packed: &str) -> Result<Vec<u8>, CompactFault> {
    const BASE64: GeneralPurpose = GeneralPurpose::new(
        &alphabet::URL_SAFE,
        GeneralPurposeConfig::new()
            .with_decode_padding_mode(DecodePaddingMode::Indifferent)
            .with_decode_allow_trailing_bits(true),
    );
    let joined: Vec<u8> = packed.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let deflated = BASE64.decode(joined).map_err(|_| CompactFault::Base64)?;
    inflate(&deflated, limits::INFLATED_BYTES)
}

/// Inflates, and stops as soon as there is more than the limit.
fn inflate(deflated: &[u8], limit: usize) -> Result<Vec<u8>, CompactFault> {
    let mut decoder = DeflateDecoder::new(deflated);
    let mut bytes = Vec::new();
    let mut part = [0; 1 << 14];
    loop {
        let length = decoder.read(&mut part).map_err(|_| CompactFault::Deflate)?;
        if length == 0 {
            break;
        }
        if bytes.len() + length > limit {
            return Err(CompactFault::TooLarge);
        }
        bytes.extend_from_slice(&part[..length]);
    }
    if decoder.into_inner().is_empty() { Ok(bytes) } else { Err(CompactFault::Deflate) }
}

impl Record {
    /// The record as an MSR 0.1 file: moves from the usual cross, the score, and the author if
    /// one is known.
    pub fn to_msr(&self) -> Result<String, WriteError> {
        let format = Format::Msr;
        if !self.game.is_usual() {
            return Err(WriteError::GameNotInFormat { format, game: self.game.clone() });
        }
        let Play::Moves(moves) = &self.play else {
            return Err(WriteError::Unordered { format });
        };
        let mut text = String::new();
        self.write_msr(&mut text, moves).expect("a string takes any text");
        Ok(text)
    }

    fn write_msr(&self, out: &mut String, moves: &[Move]) -> fmt::Result {
        let rules = self.game.rules;
        write!(
            out,
            "{{\n  \"version\": \"{VERSION}\",\n  \"variant\": \"{rules}\",\n  \"moves\": ["
        )?;
        for (index, mv) in moves.iter().enumerate() {
            out.write_str(if index == 0 { "\n    " } else { ",\n    " })?;
            let (Point { x, y }, way) = (mv.dot(), Way::name(mv.line.direction));
            write!(out, r#"{{"x": {x}, "y": {y}, "dir": "{way}", "pos": {}}}"#, mv.offset)?;
        }
        let end = if moves.is_empty() { "]" } else { "\n  ]" };
        let score = self.claims.score.unwrap_or(moves.len() as u64);
        write!(out, "{end},\n  \"score\": {score}")?;
        if let Some(author) = &self.provenance.author {
            write!(out, ",\n  \"author\": {}", serde_json::Value::from(author.as_str()))?;
        }
        out.write_str("\n}\n")
    }
}

/// The one field that any version has.
#[derive(Deserialize)]
struct Version<'a> {
    #[serde(borrow)]
    version: Word<'a>,
}

#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow, rename = "version")]
    _version: Word<'a>,
    #[serde(borrow)]
    variant: Word<'a>,
    moves: List<Object<MsrMove>>,
    #[serde(default)]
    score: Option<Count>,
    #[serde(borrow, default)]
    author: Option<Word<'a>>,
}

/// A move: the new dot, the direction of its line, and its place on the line.
#[derive(Deserialize)]
struct MsrMove {
    x: Coordinate,
    y: Coordinate,
    dir: Way,
    pos: Count,
}

impl Item for Object<MsrMove> {
    const NAME: &'static str = "move";
    const LIMIT: usize = limits::MOVES;
}

impl MsrMove {
    fn to_move(&self, rules: Rules) -> Result<Move, MoveFault> {
        let place = usize::try_from(self.pos.0).unwrap_or(usize::MAX);
        fit::move_at(Point::new(self.x.0, self.y.0), self.dir.0, place, rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::DeflateEncoder;
    use geometry::{Direction, Line};
    use std::io::Write as _;

    const EXAMPLE: &str = r#"{
  "version": "0.1",
  "variant": "5T",
  "moves": [
    {"x": 7, "y": 0, "dir": "H", "pos": 4},
    {"x": 2, "y": 2, "dir": "DP", "pos": 2}
  ],
  "score": 2,
  "author": "me"
}
"#;

    fn error(text: &str) -> String {
        read(text).expect_err(text).to_string()
    }

    fn deflated(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).expect("memory takes any bytes");
        encoder.finish().expect("memory takes any bytes")
    }

    fn packed(bytes: &[u8]) -> String {
        format!("{COMPACT}{}", base64::prelude::BASE64_URL_SAFE_NO_PAD.encode(deflated(bytes)))
    }

    #[test]
    fn the_example_reads_and_writes_back() {
        let record = read(EXAMPLE).expect("readable");
        let mv =
            |x, y, direction, offset| Move::new(Line::new(Point::new(x, y), direction), offset);
        let moves = vec![mv(3, 0, Direction::East, 4), mv(0, 4, Direction::NorthEast, 2)];
        assert_eq!(record.game, Game::named("5T").expect("known"));
        assert_eq!(record.play, Play::Moves(moves));
        assert_eq!(record.claims.score, Some(2));
        assert_eq!(record.provenance.author.as_deref(), Some("me"));
        assert_eq!(record.to_msr().as_deref(), Ok(EXAMPLE));
    }

    #[test]
    fn unknown_fields_are_left_aside() {
        let text = EXAMPLE
            .replace("\"score\": 2", "\"score\": null, \"date\": {\"a\": [[]]}, \"hash\": 1e5")
            .replace("\"pos\": 4", "\"pos\": 4, \"time\": 0.5");
        let record = read(&text).expect("readable");
        assert_eq!(record.claims.score, None);
        assert_eq!(record.lines().len(), 2);
        let deep = format!("{}{}{}", "[".repeat(200_000), "7", "]".repeat(200_000));
        let nested = EXAMPLE.replace("\"me\"", &format!("\"me\", \"deep\": {deep}"));
        assert!(read(&nested).is_ok());
    }

    #[test]
    fn the_compact_form_holds_the_same() {
        for author in ["", "a", "ab", "abc"] {
            let text = EXAMPLE.replace("\"me\"", &format!("\"{author}\""));
            let plain = read(&text).expect("readable");
            let bytes = deflated(text.as_bytes());
            let padded = base64::prelude::BASE64_URL_SAFE.encode(&bytes);
            let bare = base64::prelude::BASE64_URL_SAFE_NO_PAD.encode(&bytes);
            let broken: String = bare.chars().flat_map(|c| [c, '\n']).collect();
            for packed in [padded, bare, broken] {
                assert_eq!(read(&format!(" {COMPACT}{packed} ")).as_ref(), Ok(&plain));
            }
        }
    }

    #[test]
    fn a_damaged_compact_form_is_refused() {
        let compact = packed(EXAMPLE.as_bytes());
        assert_eq!(error("MS1:%%%%"), "compact MSR: not base64url");
        assert_eq!(error("MS1:"), "compact MSR: not deflated data");
        assert_eq!(error(&compact[..compact.len() / 2]), "compact MSR: not deflated data");
        let mut longer = deflated(EXAMPLE.as_bytes());
        longer.push(0);
        let longer = base64::prelude::BASE64_URL_SAFE.encode(longer);
        assert_eq!(error(&format!("MS1:{longer}")), "compact MSR: not deflated data");
        assert!(error(&packed(b"{}")).starts_with("the game inside: line 1, column 2: missing"));
        assert!(error(&packed(b"\xff")).starts_with("the game inside: neither text"));
        assert!(error(&packed(b"MS1:")).starts_with("the game inside: line 1"));
    }

    #[test]
    fn inflating_stops_at_the_limit() {
        let bytes = deflated(&vec![b' '; 1_000_000]);
        assert_eq!(inflate(&bytes, 1_000_000).map(|bytes| bytes.len()), Ok(1_000_000));
        assert_eq!(inflate(&bytes, 999_999), Err(CompactFault::TooLarge));
    }

    #[test]
    fn faults_say_where_they_are() {
        let cases = [
            ("0.1", "0.2", "unknown version `0.2` of MSR; only `0.1` is read"),
            (
                "\"0.1\"",
                "0.1",
                "line 2, column 16: invalid type: floating point `0.1`, expected a string",
            ),
            ("5T", "5T#", "rules `5T#`: rules are a line length"),
            ("\"pos\": 2", "\"pos\": 5", "move 2: `pos` must be from 0 to 4"),
            ("\"pos\": 2", "\"pos\": -1", "move 2: invalid type: integer `-1`"),
            (
                "\"DP\"",
                "\"NE\"",
                "move 2: unknown variant `NE`, expected one of `H`, `V`, `DN`, `DP`",
            ),
            ("\"x\": 2", "\"x\": 1048577", "move 2: invalid value: integer `1048577`"),
            ("\"x\": 2", "\"x\": -1048576", "move 2: beyond the coordinate limit of 1048576"),
            ("\"x\": 2", "\"x\": 2, \"x\": 2", "move 2: duplicate field `x`"),
        ];
        for (old, new, message) in cases {
            let found = error(&EXAMPLE.replace(old, new));
            assert!(found.contains(message), "{new}: {found}");
        }
    }

    #[test]
    fn only_moves_from_the_usual_cross_have_this_format() {
        let record = |game| Record::from_moves(game, vec![]);
        for name in ["4T", "4D", "5T", "5D", "16T"] {
            assert!(record(Game::named(name).expect("known")).to_msr().is_ok());
        }
        let five = Game::named("5T").expect("known");
        let other = Game { start: geometry::Start::cross(6).expect("in range"), ..five.clone() };
        let refused = record(other).to_msr().expect_err("another start").to_string();
        assert_eq!(refused, "MSR holds only games from the usual cross, not 5T from cross:6");
        let refused = record(five).to_drawing().to_msr().expect_err("no order").to_string();
        assert!(refused.ends_with("this is a drawing: order it first"), "{refused}");
    }
}
