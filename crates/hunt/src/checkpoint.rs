//! A hunt that can be resumed later, as bytes.
//!
//! The bytes are one JSON object, compressed by gzip; `docs/reference/state-files.md` describes it.
//! They may come from anywhere: reading has limits, the verifier replays the best game, and the
//! states of the searches are checked.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::time::Duration;

use evidence::VerifiedRecord;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use geometry::Move;
use rand::SeedableRng;
use record::{Record, StartJson};
use search::{MoveList, Rng, Search, SearchState};
use serde::{Deserialize, Serialize};

use crate::spec::game_and_method;
use crate::{HuntBudget, HuntError, HuntSpec, HuntSpecError, PROGRAM};

/// The format of the bytes.
const FORMAT: &str = "morpion-search/1";

/// A hunt at some moment.
///
/// The budget is not saved: whoever resumes the hunt gives a new one.
#[derive(Debug, Clone)]
pub struct Checkpoint {
    /// What is searched for, and how.
    pub spec: HuntSpec,
    /// The longest game so far.
    pub(crate) best: Vec<Move>,
    /// The CPU time and the wall-clock time so far.
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
    /// The search of each thread; one without a state has not begun.
    pub(crate) states: Vec<Option<Box<SearchState>>>,
}

impl Checkpoint {
    /// The most bytes that are inflated or written.
    pub const MAX_BYTES: usize = 128 << 20;

    /// A hunt that has not begun.
    pub(crate) fn new(spec: HuntSpec) -> Self {
        let best = spec.prefix.clone();
        let states = vec![None; spec.threads.max(1) as usize];
        Self { spec, best, cpu: Duration::ZERO, wall: Duration::ZERO, states }
    }

    /// The number of playouts made.
    pub fn playouts(&self) -> u64 {
        self.states.iter().flatten().map(|state| state.playouts()).sum()
    }

    /// The longest game so far.
    pub fn best(&self) -> &[Move] {
        &self.best
    }

    /// The longest game so far, with its provenance.
    pub fn record(&self) -> Record {
        self.spec.record(self.best.clone(), self.playouts())
    }

    /// The wall-clock time that the hunt has taken.
    pub fn wall(&self) -> Duration {
        self.wall
    }

    /// Checks that this is a checkpoint of the same hunt; budgets may differ.
    pub fn check_compatible(&self, spec: &HuntSpec) -> Result<(), CheckpointError> {
        let saved = &self.spec;
        let same = [
            ("game", saved.game == spec.game),
            ("method", saved.method.info().name == spec.method.info().name),
            ("parameters", saved.method.values() == spec.method.values()),
            ("seed", saved.seed == spec.seed),
            ("number of threads", saved.threads == spec.threads),
            ("first moves", saved.prefix == spec.prefix),
        ];
        match same.into_iter().find(|(_, is_same)| !is_same) {
            Some((what, _)) => Err(CheckpointError::Incompatible(what)),
            None => Ok(()),
        }
    }

    /// The searches of all threads, started or resumed.
    pub(crate) fn searches(&self) -> Result<Vec<Search>, HuntError> {
        let HuntSpec { game, prefix, method, seed, .. } = &self.spec;
        let mut stream = Rng::seed_from_u64(*seed);
        let search = |(thread, state): (usize, &Option<Box<SearchState>>)| {
            let rng = stream.clone();
            stream.jump();
            match state {
                None => Ok(method.start(game, prefix, rng)),
                Some(state) => method
                    .resume(game, prefix, state)
                    .map_err(|source| HuntError::State { thread, source }),
            }
        };
        (1..).zip(&self.states).map(search).collect()
    }

    /// The checkpoint as bytes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, CheckpointTooLarge> {
        let HuntSpec { game, prefix, method, seed, threads, .. } = &self.spec;
        let file = CheckpointJson {
            format: FORMAT.into(),
            program: PROGRAM.into(),
            rules: game.rules.to_string(),
            start: StartJson::from(&game.start),
            from: prefix.len(),
            method: method.info().name.into(),
            parameters: self.spec.parameters(),
            seed: *seed,
            threads: *threads,
            cpu_seconds: self.cpu.as_secs_f64(),
            wall_seconds: self.wall.as_secs_f64(),
            best: MoveList(self.best.clone()),
            states: Cow::Borrowed(&self.states),
        };
        let mut text = LimitedBuffer(Vec::new());
        serde_json::to_writer(&mut text, &file).map_err(|_| CheckpointTooLarge)?;
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&text.0).and_then(|()| packed.finish()).map_err(|_| CheckpointTooLarge)
    }

    /// The checkpoint of such bytes, with all its states checked.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let mut text = Vec::new();
        let mut inflated = GzDecoder::new(bytes).take(Self::MAX_BYTES as u64 + 1);
        inflated.read_to_end(&mut text).map_err(CheckpointError::Damaged)?;
        if text.len() > Self::MAX_BYTES {
            return Err(CheckpointTooLarge.into());
        }
        let version: Version<'_> = serde_json::from_slice(&text).map_err(malformed)?;
        if version.format != FORMAT {
            return Err(CheckpointError::Format(excerpt(&version.format)));
        }
        if version.program != PROGRAM {
            return Err(CheckpointError::Program(excerpt(&version.program)));
        }
        let file: CheckpointJson<'_> = serde_json::from_slice(&text).map_err(malformed)?;
        drop(text);
        file.into_checkpoint()
    }
}

/// A checkpoint of more than [`Checkpoint::MAX_BYTES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a saved search of more than {} MiB, uncompressed", Checkpoint::MAX_BYTES >> 20)]
pub struct CheckpointTooLarge;

/// Why a hunt cannot be resumed from bytes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// Not compressed, or damaged.
    #[error("not a saved search, or a damaged one")]
    Damaged(#[source] std::io::Error),
    /// Too large.
    #[error(transparent)]
    TooLarge(#[from] CheckpointTooLarge),
    /// Not the JSON expected.
    #[error("not a saved search: {0}")]
    Malformed(Box<str>),
    /// Another version of the format.
    #[error("its format is `{0}`; this program reads `{FORMAT}`")]
    Format(Box<str>),
    /// Another version of the program.
    #[error("it was saved by `{0}`; this is `{PROGRAM}`, which may search differently")]
    Program(Box<str>),
    /// Not a hunt.
    #[error(transparent)]
    Spec(#[from] HuntSpecError),
    /// A number out of range.
    #[error("the {0} is out of range")]
    Range(&'static str),
    /// The verifier refused the longest game.
    #[error("the verifier refuses its longest game")]
    Refused(#[source] evidence::Refusal),
    /// A search cannot be resumed.
    #[error(transparent)]
    State(HuntError),
    /// The checkpoint of another hunt.
    #[error("it is of another search: the {0} differs")]
    Incompatible(&'static str),
}

/// What every version of the format has.
#[derive(Deserialize)]
struct Version<'a> {
    format: Cow<'a, str>,
    program: Cow<'a, str>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckpointJson<'a> {
    format: Cow<'a, str>,
    program: Cow<'a, str>,
    rules: String,
    start: StartJson,
    /// The number of moves of the longest game that were given.
    from: usize,
    method: Cow<'a, str>,
    parameters: BTreeMap<String, String>,
    seed: u64,
    threads: u32,
    cpu_seconds: f64,
    wall_seconds: f64,
    best: MoveList,
    #[serde(rename = "islands")]
    states: Cow<'a, [Option<Box<SearchState>>]>,
}

impl CheckpointJson<'_> {
    fn into_checkpoint(self) -> Result<Checkpoint, CheckpointError> {
        let (game, method) =
            game_and_method(&self.rules, self.start, &self.method, &self.parameters)?;
        let threads = self.threads;
        let states = self.states.into_owned();
        if !(1..=HuntSpec::MAX_THREADS).contains(&threads) || states.len() != threads as usize {
            return Err(CheckpointError::Range("number of threads"));
        }
        // So that they can be added up.
        if states.iter().flatten().any(|state| state.playouts() > SearchState::MAX_PLAYOUTS) {
            return Err(CheckpointError::Range("number of playouts"));
        }
        let best = self.best.0;
        let prefix =
            best.get(..self.from).ok_or(CheckpointError::Range("number of first moves"))?;
        let (prefix, budget) = (prefix.to_vec(), HuntBudget::default());
        let spec = HuntSpec { game, prefix, method, seed: self.seed, threads, budget };
        let checkpoint = Checkpoint {
            cpu: seconds(self.cpu_seconds).ok_or(CheckpointError::Range("CPU time"))?,
            wall: seconds(self.wall_seconds).ok_or(CheckpointError::Range("time"))?,
            spec,
            best,
            states,
        };
        // Before the searches, which begin with moves of this game.
        VerifiedRecord::new(checkpoint.record()).map_err(CheckpointError::Refused)?;
        checkpoint.searches().map_err(CheckpointError::State)?;
        Ok(checkpoint)
    }
}

/// A duration of up to some ten thousand years.
fn seconds(number: f64) -> Option<Duration> {
    (0.0..1e12).contains(&number).then(|| Duration::from_secs_f64(number))
}

fn malformed(error: serde_json::Error) -> CheckpointError {
    CheckpointError::Malformed(excerpt(&error.to_string()))
}

/// The beginning of a text, safe to print.
fn excerpt(text: &str) -> Box<str> {
    text.chars().take(160).flat_map(char::escape_debug).collect::<String>().into()
}

/// A buffer that holds no more bytes than are read again.
struct LimitedBuffer(Vec<u8>);

impl Write for LimitedBuffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > Checkpoint::MAX_BYTES {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
