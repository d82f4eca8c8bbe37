//! A hunt that can go on later, as bytes.
//!
//! The bytes are one JSON object, compressed (gzip); `docs/formats.md` describes it. They may come
//! from anywhere: reading has limits, the judge replays the best game, and the states of the
//! searches are checked by `search` when the hunt goes on.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::time::Duration;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use geometry::{BadRules, BadStart, Game, Move};
use record::Record;
use search::{Method, Moves, State, UnknownMethod};
use serde::{Deserialize, Serialize};

use crate::dots::Dots;
use crate::{Hunt, PROGRAM};

/// The format of these bytes.
const FORMAT: &str = "morpion-search/1";

/// A hunt as it stood at some moment.
///
/// What is still to be spent (`playouts`, `time`, `target` of the hunt) is not saved: whoever goes
/// on says it anew.
#[derive(Debug, Clone)]
pub struct SavedHunt {
    /// What is looked for, and how.
    pub hunt: Hunt,
    /// The best game so far.
    pub(crate) best: Vec<Move>,
    /// How long the hunt has taken so far: of processors, and by the clock.
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
    /// The search of each thread; one without a state has not begun.
    pub(crate) islands: Vec<Option<Box<State>>>,
}

impl SavedHunt {
    /// The most bytes that are inflated or written.
    pub const MOST_BYTES: usize = 128 << 20;
    /// The most threads.
    const MOST_THREADS: u32 = 1024;

    /// A hunt that has not begun.
    pub(crate) fn new(hunt: Hunt) -> Self {
        let best = hunt.from.clone();
        let islands = vec![None; hunt.threads.max(1) as usize];
        Self { hunt, best, cpu: Duration::ZERO, wall: Duration::ZERO, islands }
    }

    /// How many playouts were made.
    pub fn playouts(&self) -> u64 {
        self.islands.iter().flatten().map(|state| state.playouts()).sum()
    }

    /// The best game so far.
    pub fn best(&self) -> &[Move] {
        &self.best
    }

    /// The best game so far, with where it comes from.
    pub fn record(&self) -> Record {
        self.hunt.record(self.best.clone(), self.playouts())
    }

    /// How long the hunt has taken by the clock.
    pub fn wall(&self) -> Duration {
        self.wall
    }

    /// The hunt as bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, TooLarge> {
        let Hunt { game, from, method, seed, threads, .. } = &self.hunt;
        let file = File {
            format: FORMAT.into(),
            program: PROGRAM.into(),
            rules: game.rules.to_string(),
            start: Dots::of(&game.start),
            from: from.len(),
            method: method.info().name.into(),
            parameters: method
                .values()
                .iter()
                .map(|(name, value)| (name.to_owned(), value.to_string()))
                .collect(),
            seed: *seed,
            threads: *threads,
            cpu_seconds: self.cpu.as_secs_f64(),
            wall_seconds: self.wall.as_secs_f64(),
            best: Moves(self.best.clone()),
            islands: Cow::Borrowed(&self.islands),
        };
        let mut text = Limited(Vec::new());
        serde_json::to_writer(&mut text, &file).map_err(|_| TooLarge)?;
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&text.0).and_then(|()| packed.finish()).map_err(|_| TooLarge)
    }

    /// The hunt of such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BadSave> {
        let mut text = Vec::new();
        let mut inflated = GzDecoder::new(bytes).take(Self::MOST_BYTES as u64 + 1);
        inflated.read_to_end(&mut text).map_err(BadSave::Packed)?;
        if text.len() > Self::MOST_BYTES {
            return Err(BadSave::TooLarge(TooLarge));
        }
        let version: Version<'_> = serde_json::from_slice(&text).map_err(malformed)?;
        if version.format != FORMAT {
            return Err(BadSave::Format(short(&version.format)));
        }
        if version.program != PROGRAM {
            return Err(BadSave::Program(short(&version.program)));
        }
        let file: File<'_> = serde_json::from_slice(&text).map_err(malformed)?;
        drop(text);
        file.into_saved()
    }
}

/// A hunt whose bytes would be, or are, more than are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a saved search of more than {} MiB, uncompressed", SavedHunt::MOST_BYTES >> 20)]
pub struct TooLarge;

/// Why bytes are no hunt to go on with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadSave {
    /// Not compressed as it should be, or damaged.
    #[error("not a saved search, or a damaged one")]
    Packed(#[source] std::io::Error),
    /// Too large.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// Not the JSON expected.
    #[error("not a saved search: {0}")]
    Malformed(Box<str>),
    /// Another version of the format.
    #[error("its format is `{0}`; this program reads `{FORMAT}`")]
    Format(Box<str>),
    /// Another version of the program.
    #[error("it was saved by `{0}`; this is `{PROGRAM}`, which may search in another way")]
    Program(Box<str>),
    /// No rules that there are.
    #[error(transparent)]
    Rules(#[from] BadRules),
    /// No start that there is.
    #[error(transparent)]
    Start(#[from] BadStart),
    /// No method that there is, or not its parameters.
    #[error(transparent)]
    Method(#[from] UnknownMethod),
    /// A number out of range.
    #[error("the {0} is out of range")]
    Range(&'static str),
    /// The verifier refused the best game.
    #[error("the verifier refuses its best game")]
    Refused(#[source] evidence::Refusal),
}

/// What any version has.
#[derive(Deserialize)]
struct Version<'a> {
    format: Cow<'a, str>,
    program: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File<'a> {
    format: Cow<'a, str>,
    program: Cow<'a, str>,
    rules: String,
    start: Dots,
    /// How many of the best game's moves were given.
    from: usize,
    method: Cow<'a, str>,
    parameters: BTreeMap<String, String>,
    seed: u64,
    threads: u32,
    cpu_seconds: f64,
    wall_seconds: f64,
    best: Moves,
    islands: Cow<'a, [Option<Box<State>>]>,
}

impl File<'_> {
    fn into_saved(self) -> Result<SavedHunt, BadSave> {
        let start = self.start.into_start()?;
        let game = Game { rules: self.rules.parse()?, start };
        let given = self.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let method = Method::named(&self.method, &game, given)?;
        let threads = self.threads;
        let islands = self.islands.into_owned();
        if !(1..=SavedHunt::MOST_THREADS).contains(&threads) || islands.len() != threads as usize {
            return Err(BadSave::Range("number of threads"));
        }
        // Each is checked when its search goes on; here only that they can be added up.
        if islands.iter().flatten().any(|state| state.playouts() > State::MOST_PLAYOUTS) {
            return Err(BadSave::Range("number of playouts"));
        }
        let best = self.best.0;
        let from = best.get(..self.from).ok_or(BadSave::Range("number of first moves"))?.to_vec();
        let (playouts, time, target) = (None, None, None);
        let hunt = Hunt { game, from, method, seed: self.seed, threads, playouts, time, target };
        let saved = SavedHunt {
            cpu: seconds(self.cpu_seconds).ok_or(BadSave::Range("processor time"))?,
            wall: seconds(self.wall_seconds).ok_or(BadSave::Range("time"))?,
            hunt,
            best,
            islands,
        };
        evidence::VerifiedRecord::new(saved.record()).map_err(BadSave::Refused)?;
        Ok(saved)
    }
}

/// A length of time up to some ten thousand years.
fn seconds(number: f64) -> Option<Duration> {
    (0.0..1e12).contains(&number).then(|| Duration::from_secs_f64(number))
}

fn malformed(error: serde_json::Error) -> BadSave {
    BadSave::Malformed(short(&error.to_string()))
}

/// Enough of a text to recognise it.
fn short(text: &str) -> Box<str> {
    text.chars().take(160).flat_map(char::escape_debug).collect::<String>().into()
}

/// Takes only so many bytes as are read again.
struct Limited(Vec<u8>);

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > SavedHunt::MOST_BYTES {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
