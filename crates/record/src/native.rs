//! Our own format, `morpion-game/1`: JSON as `docs/reference/game-files.md` specifies it, read
//! strictly.

use std::fmt::{self, Write};
use std::marker::PhantomData;

use geometry::{Direction, Game, Line, Move, Point, Rules, RulesError, Start};
use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};

use crate::error::Snippet;
use crate::json::{self, Count, Dot, Item, Items, List, Object, Pair, Word};
use crate::start::parse_start_name;
use crate::{
    Claims, Format, MoveFault, Play, Provenance, ReadError, Record, StartFault, fit, limits,
};

/// What every native file says first.
pub(crate) const FORMAT: &str = "morpion-game/1";

/// Reads a native file.
pub(crate) fn read(text: &str) -> Result<Record, ReadError> {
    // A file of another version fails for this reason first, whatever else it holds.
    if let Ok(Version { format: Word(found) }) = json::read(text)
        && found != FORMAT
    {
        return Err(ReadError::Version { format: Format::Native, found: Snippet::of(&found) });
    }
    let file: File<'_> = json::read(text)?;
    let rules = parse_rules(&file.rules.0)?;
    if rules.to_string() != file.rules.0 {
        let (found, reason) = (Snippet::of(&file.rules.0), RulesError::Name);
        return Err(ReadError::Rules { found, reason });
    }
    let start = match file.start {
        Dots::Named(name) => parse_start_name(&name, rules)?,
        Dots::Listed(dots) => start_of(dots)?,
    };
    let play = match (file.moves, file.lines) {
        (Some(List(moves)), None) => Play::Moves(
            numbered(moves, |mv| mv.0.to_move(rules))
                .map_err(|(number, fault)| ReadError::Move { number, fault })?,
        ),
        (None, Some(List(lines))) => Play::Drawing(
            numbered(lines, |drawn| drawn.to_line(rules))
                .map_err(|(number, fault)| ReadError::Drawn { number, fault })?,
        ),
        _ => return Err(ReadError::MovesOrLines),
    };
    Ok(Record {
        game: Game { rules, start },
        play,
        claims: Claims { score: file.score.map(|count| count.0), terminal: file.terminal },
        provenance: file.provenance.unwrap_or_default(),
    })
}

/// The rules of this name.
pub(crate) fn parse_rules(name: &str) -> Result<Rules, ReadError> {
    name.parse().map_err(|reason| ReadError::Rules { found: Snippet::of(name), reason })
}

/// Turns every item of a list, or says at which number that failed.
pub(crate) fn numbered<T, U>(
    items: Vec<T>,
    turn: impl Fn(T) -> Result<U, MoveFault>,
) -> Result<Vec<U>, (usize, MoveFault)> {
    (1..).zip(items).map(|(number, item)| turn(item).map_err(|fault| (number, fault))).collect()
}

/// The start with these dots, each given once.
fn start_of(mut dots: Vec<Point>) -> Result<Start, StartFault> {
    dots.sort_unstable();
    if let Some(pair) = dots.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(StartFault::Repeated(pair[0]));
    }
    Ok(Start::from_dots(dots)?)
}

impl Record {
    /// The record as a native file: one move per line, the fields always in the same order.
    ///
    /// Reading the file gives the same record again.
    pub fn to_json(&self) -> String {
        let mut text = String::new();
        self.write_json(&mut text).expect("a string takes any text");
        text
    }

    fn write_json(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "{{\n  \"format\": \"{FORMAT}\",\n  \"rules\": \"{}\",", self.game.rules)?;
        write_start(out, &self.game)?;
        match &self.play {
            Play::Moves(moves) => write_list(out, "moves", moves, write_move)?,
            Play::Drawing(lines) => write_list(out, "lines", lines, write_line)?,
        }
        if let Some(score) = self.claims.score {
            write!(out, ",\n  \"score\": {score}")?;
        }
        if let Some(terminal) = self.claims.terminal {
            write!(out, ",\n  \"terminal\": {terminal}")?;
        }
        let fields = self.provenance.fields();
        if !fields.is_empty() {
            out.write_str(",\n  \"provenance\": {")?;
            for (index, (name, value)) in fields.into_iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                write!(out, "{comma}\n    {}: {value}", serde_json::Value::from(name))?;
            }
            out.write_str("\n  }")?;
        }
        out.write_str("\n}\n")
    }
}

/// The start by its name, or its dots row by row.
fn write_start(out: &mut String, game: &Game) -> fmt::Result {
    if game.start.cross_side().is_some() {
        return writeln!(out, "  \"start\": \"{}\",", game.start_name());
    }
    let mut dots = game.start.dots().to_vec();
    dots.sort_unstable_by_key(|dot| (dot.y, dot.x));
    out.write_str("  \"start\": [")?;
    let mut row = None;
    for dot in dots {
        let comma = if row.is_some() { "," } else { "" };
        let space = if row == Some(dot.y) { " " } else { "\n    " };
        write!(out, "{comma}{space}[{}, {}]", dot.x, dot.y)?;
        row = Some(dot.y);
    }
    out.write_str(if row.is_some() { "\n  ],\n" } else { "],\n" })
}

fn write_list<T: Copy>(
    out: &mut String,
    name: &str,
    items: &[T],
    write_item: impl Fn(&mut String, T) -> fmt::Result,
) -> fmt::Result {
    write!(out, "  \"{name}\": [")?;
    for (index, &item) in items.iter().enumerate() {
        out.write_str(if index == 0 { "\n    " } else { ",\n    " })?;
        write_item(out, item)?;
    }
    out.write_str(if items.is_empty() { "]" } else { "\n  ]" })
}

fn write_move(out: &mut String, mv: Move) -> fmt::Result {
    let dot = mv.dot();
    write!(out, "{{\"new\": [{}, {}], \"line\": ", dot.x, dot.y)?;
    write_line(out, mv.line)?;
    out.write_str("}")
}

fn write_line(out: &mut String, line: Line) -> fmt::Result {
    write!(out, "[[{}, {}], \"{}\"]", line.start.x, line.start.y, line.direction)
}

/// The one field that any version has.
#[derive(Deserialize)]
struct Version<'a> {
    #[serde(borrow)]
    format: Word<'a>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File<'a> {
    #[serde(borrow, rename = "format")]
    _format: Word<'a>,
    #[serde(borrow)]
    rules: Word<'a>,
    start: Dots,
    #[serde(default, deserialize_with = "json::given")]
    moves: Option<List<Object<NativeMove>>>,
    #[serde(default, deserialize_with = "json::given")]
    lines: Option<List<Drawn>>,
    #[serde(default, deserialize_with = "json::given")]
    score: Option<Count>,
    #[serde(default, deserialize_with = "json::given")]
    terminal: Option<bool>,
    #[serde(default, deserialize_with = "json::given")]
    provenance: Option<Provenance>,
}

/// A start: `"cross"`, `"cross:N"` or `[[x,y],...]`.
enum Dots {
    Named(String),
    Listed(Vec<Point>),
}

impl<'de> Deserialize<'de> for Dots {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrDots;

        impl<'de> Visitor<'de> for NameOrDots {
            type Value = Dots;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`cross`, `cross:N` or a list of dots")
            }

            fn visit_str<E>(self, name: &str) -> Result<Dots, E> {
                Ok(Dots::Named(name.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Dots, A::Error> {
                let dots = Items::<Dot>(PhantomData).visit_seq(seq)?;
                Ok(Dots::Listed(dots.into_iter().map(|dot| dot.0).collect()))
            }
        }

        deserializer.deserialize_any(NameOrDots)
    }
}

/// A move `{"new": [x,y], "line": ...}`; what its line is depends on the rules.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NativeMove {
    new: Dot,
    line: Drawn,
}

impl Item for Object<NativeMove> {
    const NAME: &'static str = "move";
    const LIMIT: usize = limits::MOVES;
}

impl NativeMove {
    fn to_move(&self, rules: Rules) -> Result<Move, MoveFault> {
        fit::move_with(self.new.0, self.line.to_line(rules)?, rules)
    }
}

/// A line `[first, direction]` or `[one end, other end]`.
enum Drawn {
    From(Point, Direction),
    Between(Point, Point),
}

impl Item for Drawn {
    const NAME: &'static str = "drawn line";
    const LIMIT: usize = limits::MOVES;
}

impl Drawn {
    fn to_line(&self, rules: Rules) -> Result<Line, MoveFault> {
        match *self {
            Self::From(start, direction) => fit::line_from(start, direction, rules),
            Self::Between(one, other) => fit::line_between(one, other, rules),
        }
    }
}

impl<'de> Deserialize<'de> for Drawn {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TwoEnds;

        impl<'de> Visitor<'de> for TwoEnds {
            type Value = Drawn;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a line [dot, direction] or [dot, dot]")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Drawn, A::Error> {
                let missing = |length| de::Error::invalid_length(length, &self);
                let Dot(one) = seq.next_element()?.ok_or_else(|| missing(0))?;
                let other = seq.next_element()?.ok_or_else(|| missing(1))?;
                json::nothing_more(&mut seq, 2, &self)?;
                Ok(match other {
                    Other::Direction(direction) => Drawn::From(one, direction),
                    Other::End(other) => Drawn::Between(one, other),
                })
            }
        }

        deserializer.deserialize_seq(TwoEnds)
    }
}

/// The second half of a line.
enum Other {
    Direction(Direction),
    End(Point),
}

impl<'de> Deserialize<'de> for Other {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DirectionOrEnd;

        impl<'de> Visitor<'de> for DirectionOrEnd {
            type Value = Other;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a direction E, S, SE or NE, or a dot [x, y]")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Other, E> {
                let unknown = || E::invalid_value(de::Unexpected::Str(name), &self);
                Direction::named(name).map(Other::Direction).ok_or_else(unknown)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Other, A::Error> {
                Pair.visit_seq(seq).map(Other::End)
            }
        }

        deserializer.deserialize_any(DirectionOrEnd)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = r#"{
  "format": "morpion-game/1",
  "rules": "5T",
  "start": "cross",
  "moves": [
    {"new": [7, 0], "line": [[3, 0], "E"]},
    {"new": [3, 4], "line": [[3, 0], "S"]}
  ],
  "score": 2,
  "terminal": false,
  "provenance": {
    "program": "morpion 0.1.0",
    "method": "random",
    "seed": 7
  }
}
"#;

    fn error(text: &str) -> String {
        read(text).expect_err(text).to_string()
    }

    #[test]
    fn the_example_reads_and_writes_back_byte_for_byte() {
        let record = read(EXAMPLE).expect("readable");
        assert_eq!(record.game, Game::named("5T").expect("known"));
        let down = Line::new(Point::new(3, 0), Direction::South);
        assert_eq!(record.lines().nth(1), Some(down));
        assert_eq!(record.claims, Claims { score: Some(2), terminal: Some(false) });
        assert_eq!(record.provenance.seed, Some(7));
        assert_eq!(record.to_json(), EXAMPLE);
    }

    #[test]
    fn a_line_may_be_given_by_its_ends_in_either_order() {
        let plain = read(EXAMPLE).expect("readable");
        for ends in ["[[3, 0], [3, 4]]", "[[3, 4], [3, 0]]"] {
            let text = EXAMPLE.replace(r#"[[3, 0], "S"]"#, ends);
            assert_eq!(read(&text).expect("readable"), plain);
        }
    }

    #[test]
    fn starts_are_written_by_name_or_row_by_row() {
        let game = |start| Game { rules: "4D".parse().expect("known"), start };
        let written = |start| Record::from_lines(game(start), vec![]).to_json();
        let crossed = written(Start::cross(6).expect("in range"));
        assert!(crossed.contains("\"start\": \"cross:6\",\n  \"lines\": []\n}"), "{crossed}");
        let dots = [(5, 0), (1, 0), (0, 1)].map(|(x, y)| Point::new(x, y));
        let listed = written(Start::from_dots(dots).expect("few dots"));
        assert!(listed.contains("[\n    [1, 0], [5, 0],\n    [0, 1]\n  ],"), "{listed}");
        let none = written(Start::from_dots([]).expect("no dots"));
        assert!(none.contains("\"start\": [],"), "{none}");
        for text in [crossed, listed, none] {
            assert_eq!(read(&text).expect("readable").to_json(), text);
        }
    }

    #[test]
    fn anything_unusual_is_refused_with_its_place() {
        let cases = include_str!("../tests/native.refused").lines().skip(1);
        for case in cases {
            let [old, new, message] = case.split(" | ").collect::<Vec<_>>()[..] else {
                panic!("{case}");
            };
            assert!(EXAMPLE.contains(old), "{old}");
            let found = error(&EXAMPLE.replace(old, new));
            assert!(found.contains(message), "{new}: {found}");
        }
        assert!(error("[]").contains("expected an object"));
        assert!(error(&format!("{EXAMPLE}x")).contains("trailing characters"));
        assert!(error(&EXAMPLE[..200]).contains("EOF while parsing"));
    }

    #[test]
    fn a_fault_in_a_move_is_placed_by_line_and_column() {
        let text = EXAMPLE.replace("[[3, 0], \"S\"]", "[[3, 0], \"N\"]");
        let Err(ReadError::Json { line, .. }) = read(&text) else {
            panic!("{}", error(&text));
        };
        assert_eq!(line, 7);
    }

    #[test]
    fn messages_quote_little_of_the_file() {
        let long = "\u{1b}y".repeat(100_000);
        for text in [
            EXAMPLE.replace("score", &long),
            EXAMPLE.replace("morpion-game/1", &long),
            EXAMPLE.replace("cross", &long),
            EXAMPLE.replace("5T", &long),
            EXAMPLE.replace("\"E\"", &format!("\"{long}\"")),
            EXAMPLE.replace("\"E\"", &format!("\"{}\"", "z".repeat(100_000))),
        ] {
            let found = error(&text);
            assert!(found.len() < 400, "{found}");
            assert!(!found.contains('\u{1b}'), "{found}");
        }
    }
}
