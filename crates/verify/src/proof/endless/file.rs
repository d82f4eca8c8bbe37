//! What a file of endless play says, before its moves are known to be legal.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};

use crate::fault::{FormatFault, GameFault};
use crate::game::WrittenMove;
use crate::game::json::{
    Dot, Field, MoveItem, Moves, Notes, Provenance, StartField, known_format, known_rules,
    read_with,
};
use crate::proof::FORMATS;
use crate::refusal::{Place, Refusal};
use crate::rules::{Point, Rules};
use crate::start::Start;

/// The content of a file of endless play. Its moves may still mean anything.
#[derive(Debug)]
pub(crate) struct EndlessFile {
    pub(crate) rules: Rules,
    pub(crate) start: Start,
    pub(crate) prefix: Vec<WrittenMove>,
    pub(crate) period: Vec<WrittenMove>,
    pub(crate) translation: Point,
}

/// Reads the text of a file of endless play.
pub(crate) fn parse(text: &str) -> Result<EndlessFile, Refusal> {
    let notes = Notes::default();
    read_with(text, &notes, WholeFile(&notes))
}

struct WholeFile<'n>(&'n Notes);

impl<'de> DeserializeSeed<'de> for WholeFile<'_> {
    type Value = EndlessFile;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<EndlessFile, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for WholeFile<'_> {
    type Value = EndlessFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a proof, which is an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<EndlessFile, A::Error> {
        let notes = self.0;
        let known = &["format", "rules", "start", "prefix", "period", "translation", "provenance"];
        let (mut format, mut rules, mut start) = (None, None, None);
        let (mut prefix, mut period, mut translation) = (None, None, None);
        let mut seen = 0;
        while let Some(name) = map.next_key_seed(Field { notes, known, seen: &mut seen })? {
            match name {
                "format" => {
                    let text = map.next_value::<String>()?;
                    format = Some(known_format(&text, versions(), wanted, notes)?);
                }
                "rules" => rules = Some(known_rules(&map.next_value::<String>()?, notes)?),
                "start" => start = Some(map.next_value_seed(StartField(notes))?),
                "prefix" => {
                    let list = Moves { notes, place: Place::Prefix, item: MoveItem(notes) };
                    prefix = Some(map.next_value_seed(list)?);
                }
                "period" => {
                    let place = |number| Place::Round { round: 1, number };
                    let list = Moves { notes, place, item: MoveItem(notes) };
                    period = Some(map.next_value_seed(list)?);
                }
                "translation" => translation = Some(map.next_value::<Dot>()?.0),
                _ => map.next_value::<Provenance>().map(|_| ())?,
            }
        }
        let missing = |name| notes.fail(FormatFault::MissingField { name });
        let () = format.ok_or_else(|| missing("format"))?;
        let translation = translation.ok_or_else(|| missing("translation"))?;
        if !translation.within_limit() {
            return Err(notes.fail(GameFault::BeyondLimit));
        }
        Ok(EndlessFile {
            rules: rules.ok_or_else(|| missing("rules"))?,
            start: start.ok_or_else(|| missing("start"))?,
            prefix: prefix.ok_or_else(|| missing("prefix"))?,
            period: period.ok_or_else(|| missing("period"))?,
            translation,
        })
    }
}

/// The versions of this format.
fn versions() -> &'static [&'static str] {
    let format = FORMATS.iter().find(|format| format.name == "morpion-endless");
    format.expect("a row of the table").versions
}

/// The formats of all proofs, for a file that is in none of them.
fn wanted() -> String {
    let versions = FORMATS.iter().flat_map(|format| format.versions);
    let versions: Vec<String> = versions.map(|version| format!("{version:?}")).collect();
    let (last, others) = versions.split_last().expect("there are formats");
    format!("a proof is {} or {last}", others.join(", "))
}
