//! What to search for, and how.

use std::collections::BTreeMap;
use std::time::Duration;

use geometry::{Game, Move, RulesError, StartError};
use record::{Provenance, Record, StartJson};
use search::{MethodError, MethodSpec};

use crate::PROGRAM;

/// What to search for, how, and for how long.
#[derive(Debug, Clone)]
pub struct HuntSpec {
    /// The game.
    pub game: Game,
    /// The moves with which games begin; they must be legal.
    pub prefix: Vec<Move>,
    /// The method and its parameters.
    pub method: MethodSpec,
    /// The random seed; thread i uses the i-th stream of it.
    pub seed: u64,
    /// The number of threads.
    pub threads: u32,
    /// How long to search.
    pub budget: HuntBudget,
}

/// How long to search: until the first of these limits.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct HuntBudget {
    /// The number of playouts of all threads together.
    pub playouts: Option<u64>,
    /// The wall-clock time.
    pub time: Option<Duration>,
    /// The number of moves to reach.
    pub target: Option<usize>,
}

impl HuntBudget {
    /// Whether a game of this many moves reaches the target.
    pub fn is_reached(&self, moves: usize) -> bool {
        self.target.is_some_and(|target| moves >= target)
    }
}

impl HuntSpec {
    /// The most threads of a hunt that is read.
    pub const MAX_THREADS: u32 = 1024;

    /// A game of this hunt, with its provenance.
    pub fn record(&self, moves: Vec<Move>, playouts: u64) -> Record {
        let score = moves.len() as u64;
        let mut record = Record::from_moves(self.game.clone(), moves);
        record.claims.score = Some(score);
        record.provenance = Provenance {
            program: Some(PROGRAM.to_owned()),
            method: Some(self.method.info().name.to_owned()),
            parameters: self.parameters(),
            seed: Some(self.seed),
            threads: Some(self.threads),
            playouts: Some(playouts),
            ..Provenance::default()
        };
        if !self.prefix.is_empty() {
            record.provenance.other.insert("given_moves".to_owned(), self.prefix.len().into());
        }
        record
    }

    /// The values of the method's parameters, as text.
    pub(crate) fn parameters(&self) -> BTreeMap<String, String> {
        let values = self.method.values().iter();
        values.map(|(name, value)| (name.to_owned(), value.to_string())).collect()
    }
}

/// The game and the method of a hunt from their texts.
pub(crate) fn game_and_method(
    rules: &str,
    start: StartJson,
    method: &str,
    parameters: &BTreeMap<String, String>,
) -> Result<(Game, MethodSpec), HuntSpecError> {
    let game = Game { rules: rules.parse()?, start: start.try_into()? };
    let given = parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let method = MethodSpec::named(method, &game, given)?;
    Ok((game, method))
}

/// Why a text does not specify a hunt.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HuntSpecError {
    /// Unknown rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Not a start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// An unknown method, or a bad parameter.
    #[error(transparent)]
    Method(#[from] MethodError),
}
