//! What to search for, and how: the one shape of a hunt, in memory and in JSON.

use std::collections::BTreeMap;
use std::time::Duration;

use geometry::{Game, Move, RulesError, StartError};
use record::{Provenance, Record, StartJson};
use search::{MethodError, MethodSpec, MoveList};
use serde::{Deserialize, Serialize};

use crate::PROGRAM;

/// What to search for, how, and for how long.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(into = "HuntSpecJson", try_from = "HuntSpecJson")]
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

    fn is_unlimited(&self) -> bool {
        *self == Self::default()
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
    /// A number out of range.
    #[error("the {0} is out of range")]
    Range(&'static str),
}

/// A hunt in JSON. Part of `morpion-task/1`, whose bytes are hashed: frozen.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HuntSpecJson {
    rules: String,
    start: StartJson,
    method: String,
    parameters: BTreeMap<String, String>,
    seed: u64,
    threads: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    playouts: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<MoveList>,
}

impl From<HuntSpec> for HuntSpecJson {
    fn from(spec: HuntSpec) -> Self {
        let HuntBudget { playouts, time, target } = spec.budget;
        Self {
            rules: spec.game.rules.to_string(),
            start: StartJson::from(&spec.game.start),
            method: spec.method.info().name.to_owned(),
            parameters: spec.parameters(),
            seed: spec.seed,
            threads: spec.threads,
            playouts,
            seconds: time.map(|time| time.as_secs_f64()),
            target,
            from: (!spec.prefix.is_empty()).then_some(MoveList(spec.prefix)),
        }
    }
}

impl TryFrom<HuntSpecJson> for HuntSpec {
    type Error = HuntSpecError;

    fn try_from(json: HuntSpecJson) -> Result<Self, HuntSpecError> {
        let HuntSpecJson { rules, start, method, parameters, seed, threads, .. } = json;
        let (game, method) = game_and_method(&rules, start, &method, &parameters)?;
        if !(1..=Self::MAX_THREADS).contains(&threads) {
            return Err(HuntSpecError::Range("number of threads"));
        }
        let time = match json.seconds {
            Some(seconds) if !(seconds > 0.0 && seconds < 1e9) => {
                return Err(HuntSpecError::Range("number of seconds"));
            }
            seconds => seconds.map(Duration::from_secs_f64),
        };
        let budget = HuntBudget { playouts: json.playouts, time, target: json.target };
        if budget.is_unlimited() {
            return Err(HuntSpecError::Range("budget"));
        }
        let prefix = json.from.unwrap_or_default().0;
        Ok(Self { game, prefix, method, seed, threads, budget })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_specification_reads_back() {
        let method = r#""method":"nmcs","parameters":{"games":"0","level":"2"}"#;
        let rest = r#""seed":7,"threads":2,"playouts":1000,"seconds":1.5,"target":82"#;
        let text = format!(r#"{{"rules":"5D","start":{{"cross":4}},{method},{rest}}}"#);
        let spec: HuntSpec = serde_json::from_str(&text).expect("a hunt");
        assert_eq!(spec.budget.time, Some(Duration::from_millis(1500)));
        assert_eq!(serde_json::to_string(&spec).expect("plain data"), text);
        for (from, to) in [
            ("\"threads\":2", "\"threads\":0"),
            ("\"seconds\":1.5", "\"seconds\":-1"),
            ("nmcs", "nmsc"),
            ("\"target\"", "\"traget\""),
            ("5D", "5X"),
        ] {
            let bad = text.replace(from, to);
            assert!(serde_json::from_str::<HuntSpec>(&bad).is_err(), "{bad}");
        }
    }
}
