//! Networks and training runs as bytes.
//!
//! A line that names the format, the length of a header, the header (JSON), numbers (32-bit
//! floats), and a checksum of all that; `docs/reference/state-files.md` describes it. A model holds
//! only the weights, a training run everything it needs to resume. Input is untrusted: everything
//! in it is validated.

use std::collections::BTreeMap;

use flate2::Crc;
use geometry::{Game, Move, RulesError, StartError};
use record::{CompactMoves, StartJson};
use rules::{Engine, EngineVisitor, Position, with_engine};
use search::ParameterError;
use serde::{Deserialize, Serialize};

use crate::adam::Adam;
use crate::curve::CurvePoint;
use crate::encoder::{Encoder, EncoderError};
use crate::network::{Network, Shape};
use crate::random::{Purpose, generator};
use crate::reward::Rewards;
use crate::settings::TrainingSettings;
use crate::training::{RankedEpisode, TrainingRun};

/// The first line of these bytes.
const FORMAT: &[u8] = b"morpion-model/1\n";
const PROGRAM: &str = concat!("morpion ", env!("CARGO_PKG_VERSION"));

/// A network with what it was trained for.
#[derive(Debug, Clone, PartialEq)]
pub struct NetworkFile {
    /// The board it plays on.
    pub encoder: Encoder,
    /// The parameters it was trained with.
    pub settings: TrainingSettings,
    /// The seed it was trained with.
    pub seed: u64,
    /// How many iterations it was trained.
    pub iterations: u64,
    /// The network.
    pub network: Network,
}

impl NetworkFile {
    /// The maximum size of a model or training run in bytes.
    pub const MAX_BYTES: usize = 1 << 30;

    /// The network as it was before the first iteration.
    pub fn untrained(&self) -> Network {
        Network::new(*self.network.shape(), &mut generator(self.seed, 0, Purpose::Weights, 0))
    }

    /// The model as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let header = header(&self.encoder, &self.settings, self.seed, self.iterations, None);
        written(&header, [self.network.weights.as_slice()])
    }

    /// Reads a model, or the model of a training run.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkFileError> {
        let (header, mut numbers) = read(bytes)?;
        let model = header.model(&mut numbers)?;
        if header.training.is_none() {
            numbers.end()?;
        }
        Ok(model)
    }
}

impl TrainingRun {
    /// The network as it is.
    pub fn model(&self) -> NetworkFile {
        NetworkFile {
            encoder: self.encoder.clone(),
            settings: self.settings.clone(),
            seed: self.seed,
            iterations: self.iterations(),
            network: self.network.clone(),
        }
    }

    /// The training run as bytes, unless it is larger than what can be read back.
    pub fn to_bytes(&self) -> Result<Vec<u8>, NetworkFileError> {
        let moves =
            |games: &[Vec<Move>]| games.iter().map(|game| CompactMoves(game.clone())).collect();
        let episode = |episode: &RankedEpisode| EpisodeJson {
            moves: CompactMoves(episode.moves.clone()),
            choices: episode.policies.iter().map(Vec::len).collect(),
            ranked: episode.ranked,
        };
        let rest = Rest {
            steps: self.adam.steps,
            rewards: self.rewards.recent().collect(),
            history: self.history.iter().map(|games| games.iter().map(episode).collect()).collect(),
            elite: moves(&self.elite),
            teachers: moves(&self.teachers),
            best: CompactMoves(self.best.clone()),
            curve: self.curve.clone(),
        };
        let header =
            header(&self.encoder, &self.settings, self.seed, self.iterations(), Some(rest));
        let policies = self.history.iter().flatten().flat_map(|episode| &episode.policies);
        let parts = [&self.network.weights, &self.adam.first, &self.adam.second].into_iter();
        let bytes = written(&header, parts.chain(policies).map(Vec::as_slice));
        if bytes.len() > NetworkFile::MAX_BYTES {
            Err(NetworkFileError::TooLarge)
        } else {
            Ok(bytes)
        }
    }

    /// Reads a training run.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkFileError> {
        let (header, mut numbers) = read(bytes)?;
        let NetworkFile { encoder, settings, seed, iterations, network } =
            header.model(&mut numbers)?;
        let rest = header.training.ok_or(NetworkFileError::NotTraining)?;
        let count = network.size();
        let (first, second) = (numbers.take(count)?, numbers.take(count)?);
        in_range(second.iter().all(|&number| number >= 0.0), "mean of squares")?;
        let adam = Adam { steps: rest.steps, first, second };
        let length = settings.count("rewards");
        in_range(rest.rewards.len() <= length, "number of rewards")?;
        in_range(rest.curve.len() as u64 == iterations, "number of iterations")?;
        in_range(rest.history.len() <= settings.count("history"), "number of iterations kept")?;
        in_range(rest.elite.len() <= settings.count("elite"), "number of best games")?;
        let game = encoder.game().clone();
        let check = |moves: &CompactMoves| {
            let played = with_engine(&game, Replay { encoder: &encoder, moves: &moves.0 });
            played.map(|choices| (moves.0.clone(), choices))
        };
        let games = |written: &[CompactMoves]| -> Result<Vec<Vec<Move>>, NetworkFileError> {
            written.iter().map(|moves| check(moves).map(|(moves, _)| moves)).collect()
        };
        let mut episode = |written: &EpisodeJson| -> Result<RankedEpisode, NetworkFileError> {
            let (moves, choices) = check(&written.moves)?;
            in_range(choices == written.choices, "number of moves to choose from")?;
            in_range(written.ranked.abs() == 1, "ranked reward")?;
            let policies: Vec<Vec<f32>> =
                choices.iter().map(|&count| numbers.take(count)).collect::<Result<_, _>>()?;
            let is_share = |number: &f32| (0.0..=1.001).contains(number);
            in_range(policies.iter().flatten().all(is_share), "probability of a move")?;
            Ok(RankedEpisode { moves, policies, ranked: written.ranked })
        };
        let mut history = std::collections::VecDeque::new();
        for iteration in &rest.history {
            history.push_back(iteration.iter().map(&mut episode).collect::<Result<_, _>>()?);
        }
        numbers.end()?;
        Ok(Self {
            rewards: Rewards::from_recent(length, rest.rewards),
            elite: games(&rest.elite)?,
            teachers: games(&rest.teachers)?,
            best: check(&rest.best)?.0,
            curve: rest.curve,
            encoder,
            settings,
            seed,
            network,
            adam,
            history,
        })
    }
}

/// Why bytes are not a model or a training run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkFileError {
    /// Something else.
    #[error("not a model of this program")]
    Foreign,
    /// Another version of the format.
    #[error("a model of another version; this program reads morpion-model/1")]
    Version,
    /// Bytes are missing or changed.
    #[error("damaged: {0}; restore a copy, or train again")]
    Damaged(&'static str),
    /// Too large.
    #[error("larger than {} MiB", NetworkFile::MAX_BYTES >> 20)]
    TooLarge,
    /// Not the JSON expected.
    #[error("its header cannot be read: {0}")]
    Header(Box<str>),
    /// No rules that there are.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// No start that there is.
    #[error(transparent)]
    Start(#[from] StartError),
    /// No parameters that there are.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// No board that there is.
    #[error(transparent)]
    Encoder(#[from] EncoderError),
    /// A network of too many weights.
    #[error("its network has more than {} weights", Shape::MAX_WEIGHTS)]
    TooManyWeights,
    /// A number out of range.
    #[error("the {0} in it is out of range")]
    Range(&'static str),
    /// A game is not legal on its board.
    #[error("move {0} of a game in it is not legal on its board")]
    Illegal(usize),
    /// A model alone.
    #[error("a model only, without the state that a training run needs to resume")]
    NotTraining,
}

fn in_range(is: bool, what: &'static str) -> Result<(), NetworkFileError> {
    if is { Ok(()) } else { Err(NetworkFileError::Range(what)) }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    program: String,
    rules: String,
    start: StartJson,
    parameters: BTreeMap<String, String>,
    seed: u64,
    iterations: u64,
    training: Option<Rest>,
}

/// What only a training run has.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rest {
    /// Of Adam.
    steps: u64,
    rewards: Vec<u32>,
    history: Vec<Vec<EpisodeJson>>,
    elite: Vec<CompactMoves>,
    teachers: Vec<CompactMoves>,
    best: CompactMoves,
    curve: Vec<CurvePoint>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EpisodeJson {
    moves: CompactMoves,
    /// How many moves there were to choose from, before each move.
    choices: Vec<usize>,
    ranked: i8,
}

fn header(
    encoder: &Encoder,
    settings: &TrainingSettings,
    seed: u64,
    iterations: u64,
    training: Option<Rest>,
) -> Header {
    let Game { rules, start } = encoder.game();
    Header {
        program: PROGRAM.to_owned(),
        rules: rules.to_string(),
        start: start.into(),
        parameters: settings
            .values()
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_string()))
            .collect(),
        seed,
        iterations,
        training,
    }
}

impl Header {
    fn model(&self, numbers: &mut Numbers<'_>) -> Result<NetworkFile, NetworkFileError> {
        let game = Game { rules: self.rules.parse()?, start: self.start.clone().try_into()? };
        let given = self.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let settings = TrainingSettings::read(&game, given)?;
        let encoder = Encoder::new(&game, settings.count("board"), settings.is("merge"))?;
        let shape = settings.shape(&encoder);
        let count = shape.weights().filter(|&count| count <= Shape::MAX_WEIGHTS);
        let weights = numbers.take(count.ok_or(NetworkFileError::TooManyWeights)?)?;
        let network = Network::with_weights(shape, weights);
        Ok(NetworkFile { encoder, settings, seed: self.seed, iterations: self.iterations, network })
    }
}

/// How many moves on the board there are before each move of a game, if it is legal there.
struct Replay<'a> {
    encoder: &'a Encoder,
    moves: &'a [Move],
}

impl EngineVisitor for Replay<'_> {
    type Output = Result<Vec<usize>, NetworkFileError>;

    fn visit<E: Engine>(self, engine: &E) -> Self::Output {
        let mut board = engine.position();
        let mut choices = Vec::with_capacity(self.moves.len());
        for (number, &mv) in (1..).zip(self.moves) {
            choices.push(self.encoder.encode(&board).choices());
            if !self.encoder.contains(mv) || board.play(mv).is_err() {
                return Err(NetworkFileError::Illegal(number));
            }
        }
        Ok(choices)
    }
}

fn written<'a>(header: &Header, numbers: impl IntoIterator<Item = &'a [f32]>) -> Vec<u8> {
    let header = serde_json::to_vec(header).expect("plain data becomes JSON");
    let mut bytes = FORMAT.to_vec();
    bytes.extend((header.len() as u64).to_le_bytes());
    bytes.extend(header);
    for number in numbers.into_iter().flatten() {
        bytes.extend(number.to_le_bytes());
    }
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// Takes bytes apart, if they are whole.
fn read(bytes: &[u8]) -> Result<(Header, Numbers<'_>), NetworkFileError> {
    if bytes.len() > NetworkFile::MAX_BYTES {
        return Err(NetworkFileError::TooLarge);
    }
    let name = b"morpion-model/";
    let Some(rest) = bytes.strip_prefix(FORMAT) else {
        let is_other = bytes.starts_with(name) && !FORMAT.starts_with(bytes);
        return Err(if is_other { NetworkFileError::Version } else { NetworkFileError::Foreign });
    };
    let short = NetworkFileError::Damaged("it ends too early");
    let Some((_, sum)) = rest.split_last_chunk::<4>() else { return Err(short) };
    if checksum(&bytes[..bytes.len() - 4]) != u32::from_le_bytes(*sum) {
        return Err(NetworkFileError::Damaged("its checksum does not match"));
    }
    let body = &rest[..rest.len() - 4];
    let Some((length, body)) = body.split_first_chunk::<8>() else { return Err(short) };
    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
    let Some((header, numbers)) = body.split_at_checked(length) else { return Err(short) };
    let header = serde_json::from_slice(header).map_err(|error| {
        let text = error.to_string();
        NetworkFileError::Header(
            text.chars().take(160).flat_map(char::escape_debug).collect::<String>().into(),
        )
    })?;
    Ok((header, Numbers(numbers)))
}

/// Numbers still to be read.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    /// The next numbers, which must be finite.
    fn take(&mut self, count: usize) -> Result<Vec<f32>, NetworkFileError> {
        let length = count.saturating_mul(4);
        let Some((these, rest)) = self.0.split_at_checked(length) else {
            return Err(NetworkFileError::Damaged("it has too few numbers"));
        };
        self.0 = rest;
        let (words, _) = these.as_chunks::<4>();
        let numbers: Vec<f32> = words.iter().map(|&word| f32::from_le_bytes(word)).collect();
        in_range(numbers.iter().all(|number| number.is_finite()), "size of a number")?;
        Ok(numbers)
    }

    fn end(&self) -> Result<(), NetworkFileError> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(NetworkFileError::Damaged("it has too many numbers"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::ops::ControlFlow;
    use std::sync::OnceLock;

    /// A training run of two iterations.
    fn training() -> &'static TrainingRun {
        static TRAINING: OnceLock<TrainingRun> = OnceLock::new();
        TRAINING.get_or_init(|| {
            let game = Game::named("5D").expect("known");
            let given = [
                ("board", "16"),
                ("blocks", "1"),
                ("channels", "3"),
                ("dense", "4"),
                ("episodes", "3"),
                ("epochs", "1"),
                ("elite", "2"),
                ("final-simulations", "0"),
            ];
            let settings = TrainingSettings::read(&game, given).expect("good values");
            let mut training = TrainingRun::new(&game, settings, 3, vec![vec![]]).expect("good");
            for _ in 0..2 {
                training.iterate(1, &|_| ControlFlow::Continue(())).expect("finished");
            }
            training
        })
    }

    #[test]
    fn a_training_reads_back_and_goes_on_as_if_it_had_never_stopped() {
        let bytes = training().to_bytes().expect("small");
        let mut again = TrainingRun::from_bytes(&bytes).expect("as written");
        assert_eq!(again, *training());
        let mut whole = training().clone();
        whole.iterate(1, &|_| ControlFlow::Continue(())).expect("finished");
        again.iterate(2, &|_| ControlFlow::Continue(())).expect("finished");
        assert_eq!(again.network, whole.network);
        assert_eq!(again.adam, whole.adam);
    }

    #[test]
    fn a_model_reads_back_and_remembers_how_it_began() {
        let model = training().model();
        assert_eq!(NetworkFile::from_bytes(&model.to_bytes()).expect("as written"), model);
        assert_eq!(
            NetworkFile::from_bytes(&training().to_bytes().expect("small")).expect("as written"),
            model
        );
        let refused = TrainingRun::from_bytes(&model.to_bytes()).expect_err("no training");
        assert!(matches!(refused, NetworkFileError::NotTraining));
        let fresh =
            TrainingRun::new(model.encoder.game(), model.settings.clone(), model.seed, vec![]);
        assert_eq!(model.untrained(), *fresh.expect("good settings").network());
        assert_ne!(model.untrained(), model.network);
    }

    #[test]
    fn what_is_no_model_is_refused_with_words() {
        let refused =
            |bytes: &[u8]| NetworkFile::from_bytes(bytes).expect_err("refused").to_string();
        for foreign in [b"".as_slice(), b"morpion", b"{\"format\":\"morpion-game/1\"}", &[0; 99]] {
            assert_eq!(refused(foreign), "not a model of this program");
        }
        assert!(refused(b"morpion-model/2\nand more").contains("another version"));
        assert!(refused(FORMAT).starts_with("damaged: it ends too early; "));
        let model = training().model();
        let header = |change: fn(&mut Header)| {
            let mut header =
                header(&model.encoder, &model.settings, model.seed, model.iterations, None);
            change(&mut header);
            refused(&written(&header, [model.network.weights.as_slice()]))
        };
        assert!(header(|h| h.rules = "5X".to_owned()).contains("like 5T"));
        fn set(h: &mut Header, name: &str, value: &str) {
            h.parameters.insert(name.to_owned(), value.to_owned());
        }
        assert!(header(|h| set(h, "chanels", "3")).contains("no parameter"));
        assert!(header(|h| set(h, "channels", "4")).contains("too few numbers"));
        assert!(header(|h| set(h, "channels", "2")).contains("too many numbers"));
        assert!(header(|h| set(h, "board", "5")).contains("the start needs 10"));
        assert!(header(|h| set(h, "blocks", "0")).contains("too few numbers"));
        let mut damaged = model.clone();
        damaged.network.weights[7] = f32::INFINITY;
        assert!(refused(&damaged.to_bytes()).contains("size of a number"));
    }

    #[test]
    fn a_training_that_cannot_be_is_refused_with_words() {
        let refused = |change: fn(&mut TrainingRun)| {
            let mut training = training().clone();
            change(&mut training);
            TrainingRun::from_bytes(&training.to_bytes().expect("small"))
                .expect_err("refused")
                .to_string()
        };
        assert!(refused(|t| t.best.swap(0, 30)).contains("not legal"));
        assert!(refused(|t| t.history[0][0].moves.truncate(3)).contains("to choose from"));
        assert!(refused(|t| t.history[0][0].ranked = 0).contains("ranked reward"));
        assert!(refused(|t| t.history[1][0].policies[0][0] = 7.0).contains("probability"));
        assert!(refused(|t| t.adam.second[0] = -1.0).contains("mean of squares"));
        assert!(refused(|t| t.elite.push(vec![])).contains("best games"));
    }

    proptest! {
        #[test]
        fn a_changed_byte_is_noticed(place in any::<prop::sample::Index>(), bit in 0u8..8) {
            let mut bytes = training().to_bytes().expect("small");
            let place = place.index(bytes.len());
            bytes[place] ^= 1 << bit;
            prop_assert!(TrainingRun::from_bytes(&bytes).is_err());
            prop_assert!(NetworkFile::from_bytes(&bytes).is_err());
        }

        #[test]
        fn bytes_that_are_cut_short_are_refused(length in any::<prop::sample::Index>()) {
            let bytes = training().to_bytes().expect("small");
            let short = &bytes[..length.index(bytes.len())];
            prop_assert!(TrainingRun::from_bytes(short).is_err());
        }
    }
}
