//! Models and trainings as bytes.
//!
//! A line that names the format, the length of a header, the header (JSON), numbers (32-bit floats), and a
//! checksum of all that; `docs/formats.md` describes it. A model has the weights alone, a training all
//! that it needs to go on. Bytes may come from anywhere: nothing in them is believed before it is
//! checked.

use std::collections::BTreeMap;

use flate2::Crc;
use geometry::{BadRules, BadStart, Game, Move, Point, Start};
use rules::{Engine, EngineVisitor, Position, with_engine};
use search::{MoveList, ParameterError};
use serde::{Deserialize, Serialize};

use crate::adam::Adam;
use crate::chance::{Use, generator};
use crate::curve::Entry;
use crate::frame::{BadFrame, Frame};
use crate::network::{Network, Shape};
use crate::reward::Rewards;
use crate::settings::Settings;
use crate::training::{Episode, Training};

/// The first line of these bytes.
const FORMAT: &[u8] = b"morpion-model/1\n";
const PROGRAM: &str = concat!("morpion ", env!("CARGO_PKG_VERSION"));

/// A network with what it was trained for.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// The board it plays on.
    pub frame: Frame,
    /// The parameters it was trained with.
    pub settings: Settings,
    /// The seed it was trained with.
    pub seed: u64,
    /// How many iterations it was trained.
    pub iterations: u64,
    /// The network.
    pub network: Network,
}

impl Model {
    /// The most bytes of a model or training.
    pub const MOST_BYTES: usize = 1 << 30;

    /// The network as it was before the first iteration.
    pub fn untrained(&self) -> Network {
        Network::new(*self.network.shape(), &mut generator(self.seed, 0, Use::Weights, 0))
    }

    /// The model as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let header = header(&self.frame, &self.settings, self.seed, self.iterations, None);
        written(&header, [self.network.weights.as_slice()])
    }

    /// The model of such bytes, or of those of a training.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BadModel> {
        let (header, mut numbers) = read(bytes)?;
        let model = header.model(&mut numbers)?;
        if header.training.is_none() {
            numbers.end()?;
        }
        Ok(model)
    }
}

impl Training {
    /// The network as it is.
    pub fn model(&self) -> Model {
        Model {
            frame: self.frame.clone(),
            settings: self.settings.clone(),
            seed: self.seed,
            iterations: self.iterations(),
            network: self.network.clone(),
        }
    }

    /// The training as bytes, if they are not more than are read again.
    pub fn to_bytes(&self) -> Result<Vec<u8>, BadModel> {
        let moves = |games: &[Vec<Move>]| games.iter().map(|game| MoveList(game.clone())).collect();
        let episode = |episode: &Episode| WrittenEpisode {
            moves: MoveList(episode.moves.clone()),
            choices: episode.policies.iter().map(Vec::len).collect(),
            ranked: episode.ranked,
        };
        let rest = Rest {
            steps: self.adam.steps,
            rewards: self.rewards.recent().collect(),
            history: self.history.iter().map(|games| games.iter().map(episode).collect()).collect(),
            elite: moves(&self.elite),
            teachers: moves(&self.teachers),
            best: MoveList(self.best.clone()),
            curve: self.curve.clone(),
        };
        let header = header(&self.frame, &self.settings, self.seed, self.iterations(), Some(rest));
        let policies = self.history.iter().flatten().flat_map(|episode| &episode.policies);
        let parts = [&self.network.weights, &self.adam.first, &self.adam.second].into_iter();
        let bytes = written(&header, parts.chain(policies).map(Vec::as_slice));
        if bytes.len() > Model::MOST_BYTES { Err(BadModel::TooLarge) } else { Ok(bytes) }
    }

    /// The training of such bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BadModel> {
        let (header, mut numbers) = read(bytes)?;
        let Model { frame, settings, seed, iterations, network } = header.model(&mut numbers)?;
        let rest = header.training.ok_or(BadModel::NotTraining)?;
        let count = network.size();
        let (first, second) = (numbers.take(count)?, numbers.take(count)?);
        in_range(second.iter().all(|&number| number >= 0.0), "mean of squares")?;
        let adam = Adam { steps: rest.steps, first, second };
        let length = settings.count("rewards");
        in_range(rest.rewards.len() <= length, "number of rewards")?;
        in_range(rest.curve.len() as u64 == iterations, "number of iterations")?;
        in_range(rest.history.len() <= settings.count("history"), "number of iterations kept")?;
        in_range(rest.elite.len() <= settings.count("elite"), "number of best games")?;
        let game = frame.game().clone();
        let check = |moves: &MoveList| {
            let played = with_engine(&game, Replay { frame: &frame, moves: &moves.0 });
            played.map(|choices| (moves.0.clone(), choices))
        };
        let games = |written: &[MoveList]| -> Result<Vec<Vec<Move>>, BadModel> {
            written.iter().map(|moves| check(moves).map(|(moves, _)| moves)).collect()
        };
        let mut episode = |written: &WrittenEpisode| -> Result<Episode, BadModel> {
            let (moves, choices) = check(&written.moves)?;
            in_range(choices == written.choices, "number of moves to choose from")?;
            in_range(written.ranked.abs() == 1, "ranked reward")?;
            let policies: Vec<Vec<f32>> =
                choices.iter().map(|&count| numbers.take(count)).collect::<Result<_, _>>()?;
            let is_share = |number: &f32| (0.0..=1.001).contains(number);
            in_range(policies.iter().flatten().all(is_share), "probability of a move")?;
            Ok(Episode { moves, policies, ranked: written.ranked })
        };
        let mut history = std::collections::VecDeque::new();
        for iteration in &rest.history {
            history.push_back(iteration.iter().map(&mut episode).collect::<Result<_, _>>()?);
        }
        numbers.end()?;
        Ok(Self {
            rewards: Rewards::of(length, rest.rewards),
            elite: games(&rest.elite)?,
            teachers: games(&rest.teachers)?,
            best: check(&rest.best)?.0,
            curve: rest.curve,
            frame,
            settings,
            seed,
            network,
            adam,
            history,
        })
    }
}

/// Why bytes are no model, or no training.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadModel {
    /// Something else.
    #[error("not a model of this program")]
    Foreign,
    /// Another version of the format.
    #[error("a model of another version; this program reads morpion-model/1")]
    Version,
    /// Bytes are missing or changed.
    #[error("damaged: {0}")]
    Damaged(&'static str),
    /// Too large.
    #[error("larger than {} MiB", Model::MOST_BYTES >> 20)]
    TooLarge,
    /// Not the JSON expected.
    #[error("its header cannot be read: {0}")]
    Header(Box<str>),
    /// No rules that there are.
    #[error(transparent)]
    Rules(#[from] BadRules),
    /// No start that there is.
    #[error(transparent)]
    Start(#[from] BadStart),
    /// No parameters that there are.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
    /// No board that there is.
    #[error(transparent)]
    Frame(#[from] BadFrame),
    /// A network of too many weights.
    #[error("its network has more than {} weights", Shape::MOST_WEIGHTS)]
    TooManyWeights,
    /// A number out of range.
    #[error("the {0} in it is out of range")]
    Range(&'static str),
    /// A game is not legal on its board.
    #[error("move {0} of a game in it is not legal on its board")]
    Illegal(usize),
    /// A model alone.
    #[error("a model alone, without what a training needs to go on")]
    NotTraining,
}

fn in_range(is: bool, what: &'static str) -> Result<(), BadModel> {
    if is { Ok(()) } else { Err(BadModel::Range(what)) }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    program: String,
    rules: String,
    start: Dots,
    parameters: BTreeMap<String, String>,
    seed: u64,
    iterations: u64,
    training: Option<Rest>,
}

/// What only a training has.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Rest {
    /// Of Adam.
    steps: u64,
    rewards: Vec<u32>,
    history: Vec<Vec<WrittenEpisode>>,
    elite: Vec<MoveList>,
    teachers: Vec<MoveList>,
    best: MoveList,
    curve: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEpisode {
    moves: MoveList,
    /// How many moves there were to choose from, before each move.
    choices: Vec<usize>,
    ranked: i8,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Dots {
    Cross(usize),
    Dots(Vec<(i32, i32)>),
}

fn header(
    frame: &Frame,
    settings: &Settings,
    seed: u64,
    iterations: u64,
    training: Option<Rest>,
) -> Header {
    let Game { rules, start } = frame.game();
    Header {
        program: PROGRAM.to_owned(),
        rules: rules.to_string(),
        start: match start.cross_side() {
            Some(side) => Dots::Cross(side),
            None => Dots::Dots(start.dots().iter().map(|dot| (dot.x, dot.y)).collect()),
        },
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
    fn model(&self, numbers: &mut Numbers<'_>) -> Result<Model, BadModel> {
        let start = match &self.start {
            Dots::Cross(side) => Start::cross(*side)?,
            Dots::Dots(dots) => Start::from_dots(dots.iter().map(|&(x, y)| Point::new(x, y)))?,
        };
        let game = Game { rules: self.rules.parse()?, start };
        let given = self.parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let settings = Settings::read(&game, given)?;
        let frame = Frame::new(&game, settings.count("board"), settings.is("merge"))?;
        let shape = settings.shape(&frame);
        let count = shape.weights().filter(|&count| count <= Shape::MOST_WEIGHTS);
        let weights = numbers.take(count.ok_or(BadModel::TooManyWeights)?)?;
        let network = Network::with_weights(shape, weights);
        Ok(Model { frame, settings, seed: self.seed, iterations: self.iterations, network })
    }
}

/// How many moves on the board there are before each move of a game, if it is legal there.
struct Replay<'a> {
    frame: &'a Frame,
    moves: &'a [Move],
}

impl EngineVisitor for Replay<'_> {
    type Output = Result<Vec<usize>, BadModel>;

    fn visit<E: Engine>(self, engine: &E) -> Self::Output {
        let mut board = engine.position();
        let mut choices = Vec::with_capacity(self.moves.len());
        for (number, &mv) in (1..).zip(self.moves) {
            choices.push(self.frame.see(&board).choices());
            if !self.frame.holds(mv) || board.play(mv).is_err() {
                return Err(BadModel::Illegal(number));
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
fn read(bytes: &[u8]) -> Result<(Header, Numbers<'_>), BadModel> {
    if bytes.len() > Model::MOST_BYTES {
        return Err(BadModel::TooLarge);
    }
    let name = b"morpion-model/";
    let Some(rest) = bytes.strip_prefix(FORMAT) else {
        let is_other = bytes.starts_with(name) && !FORMAT.starts_with(bytes);
        return Err(if is_other { BadModel::Version } else { BadModel::Foreign });
    };
    let short = BadModel::Damaged("it ends too early");
    let Some((_, sum)) = rest.split_last_chunk::<4>() else { return Err(short) };
    if checksum(&bytes[..bytes.len() - 4]) != u32::from_le_bytes(*sum) {
        return Err(BadModel::Damaged("its checksum is another"));
    }
    let body = &rest[..rest.len() - 4];
    let Some((length, body)) = body.split_first_chunk::<8>() else { return Err(short) };
    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
    let Some((header, numbers)) = body.split_at_checked(length) else { return Err(short) };
    let header = serde_json::from_slice(header).map_err(|error| {
        let text = error.to_string();
        BadModel::Header(
            text.chars().take(160).flat_map(char::escape_debug).collect::<String>().into(),
        )
    })?;
    Ok((header, Numbers(numbers)))
}

/// Numbers still to be read.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    /// The next numbers, which must be finite.
    fn take(&mut self, count: usize) -> Result<Vec<f32>, BadModel> {
        let length = count.saturating_mul(4);
        let Some((these, rest)) = self.0.split_at_checked(length) else {
            return Err(BadModel::Damaged("it has too few numbers"));
        };
        self.0 = rest;
        let (words, _) = these.as_chunks::<4>();
        let numbers: Vec<f32> = words.iter().map(|&word| f32::from_le_bytes(word)).collect();
        in_range(numbers.iter().all(|number| number.is_finite()), "size of a number")?;
        Ok(numbers)
    }

    fn end(&self) -> Result<(), BadModel> {
        if self.0.is_empty() { Ok(()) } else { Err(BadModel::Damaged("it has too many numbers")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::{News, Watcher};
    use proptest::prelude::*;
    use std::sync::OnceLock;

    struct Quiet;

    impl Watcher for Quiet {
        fn stands(&self, _iteration: u64, _news: News) {}

        fn wants_stop(&self) -> bool {
            false
        }
    }

    /// A training of two iterations.
    fn training() -> &'static Training {
        static TRAINING: OnceLock<Training> = OnceLock::new();
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
            let settings = Settings::read(&game, given).expect("good values");
            let mut training = Training::new(&game, settings, 3, vec![vec![]]).expect("good");
            for _ in 0..2 {
                training.iterate(1, &Quiet).expect("finished");
            }
            training
        })
    }

    #[test]
    fn a_training_reads_back_and_goes_on_as_if_it_had_never_stopped() {
        let bytes = training().to_bytes().expect("small");
        let mut again = Training::from_bytes(&bytes).expect("as written");
        assert_eq!(again, *training());
        let mut whole = training().clone();
        whole.iterate(1, &Quiet).expect("finished");
        again.iterate(2, &Quiet).expect("finished");
        assert_eq!(again.network, whole.network);
        assert_eq!(again.adam, whole.adam);
    }

    #[test]
    fn a_model_reads_back_and_remembers_how_it_began() {
        let model = training().model();
        assert_eq!(Model::from_bytes(&model.to_bytes()).expect("as written"), model);
        assert_eq!(
            Model::from_bytes(&training().to_bytes().expect("small")).expect("as written"),
            model
        );
        let refused = Training::from_bytes(&model.to_bytes()).expect_err("no training");
        assert!(matches!(refused, BadModel::NotTraining));
        let fresh = Training::new(model.frame.game(), model.settings.clone(), model.seed, vec![]);
        assert_eq!(model.untrained(), *fresh.expect("good settings").network());
        assert_ne!(model.untrained(), model.network);
    }

    #[test]
    fn what_is_no_model_is_refused_with_words() {
        let refused = |bytes: &[u8]| Model::from_bytes(bytes).expect_err("refused").to_string();
        for foreign in [b"".as_slice(), b"morpion", b"{\"format\":\"morpion-game/1\"}", &[0; 99]] {
            assert_eq!(refused(foreign), "not a model of this program");
        }
        assert!(refused(b"morpion-model/2\nand more").contains("another version"));
        assert_eq!(refused(FORMAT), "damaged: it ends too early");
        let model = training().model();
        let header = |change: fn(&mut Header)| {
            let mut header =
                header(&model.frame, &model.settings, model.seed, model.iterations, None);
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
        let refused = |change: fn(&mut Training)| {
            let mut training = training().clone();
            change(&mut training);
            Training::from_bytes(&training.to_bytes().expect("small"))
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
            prop_assert!(Training::from_bytes(&bytes).is_err());
            prop_assert!(Model::from_bytes(&bytes).is_err());
        }

        #[test]
        fn bytes_that_are_cut_short_are_refused(length in any::<prop::sample::Index>()) {
            let bytes = training().to_bytes().expect("small");
            let short = &bytes[..length.index(bytes.len())];
            prop_assert!(Training::from_bytes(short).is_err());
        }
    }
}
