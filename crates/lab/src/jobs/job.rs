//! One job, and its message `morpion-task/1` (`docs/reference/state-files.md`).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use bound::{BoardProblem, Formulation};
use geometry::{Game, RulesError, StartError};
use hunt::{HuntBudget, HuntSpec};
use queue::Name;
use record::StartJson;
use search::{MethodError, MethodSpec, MoveList};
use serde::{Deserialize, Serialize};

/// The format of jobs.
const FORMAT: &str = "morpion-task/1";

/// Something to do, with its message. Its id is a hash of the message, so it depends on nothing but
/// what is to be done.
#[derive(Debug, Clone)]
pub struct Job {
    id: Name,
    body: String,
    work: Work,
}

/// What is to be done.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Work {
    /// Search for a long game.
    Hunt {
        /// How.
        hunt: Box<HuntSpec>,
        /// The group of hunts that share their bests.
        share: Option<String>,
    },
    /// Bound the games on a board.
    Board(Box<BoardProblem>),
    /// Nothing, to measure a queue.
    Nothing(u64),
}

impl Job {
    /// The most bytes of a message.
    pub const MOST_BYTES: usize = 1 << 20;

    /// The job of a hunt that is in no group.
    pub fn hunt(hunt: HuntSpec) -> Self {
        Self::new(Work::Hunt { hunt: Box::new(hunt), share: None })
    }

    /// The job of this work.
    pub fn new(work: Work) -> Self {
        let message = match &work {
            Work::Hunt { hunt, share } => Message::from_hunt(hunt, share.clone()),
            Work::Board(task) => Message::from_board(task),
            Work::Nothing(number) => Message::Nothing { format: FORMAT.into(), number: *number },
        };
        let body = serde_json::to_string(&message).expect("a message is made of JSON values");
        Self { id: id_of(&body), body, work }
    }

    /// Reads a job from its message.
    pub fn parse(body: &str) -> Result<Self, ParseJobError> {
        if body.len() > Self::MOST_BYTES {
            return Err(ParseJobError::TooLarge);
        }
        let message: Message<'_> = serde_json::from_str(body).map_err(|error| {
            ParseJobError::Malformed(error.to_string().chars().take(200).collect())
        })?;
        let format = match &message {
            Message::Hunt { format, .. }
            | Message::Board { format, .. }
            | Message::Nothing { format, .. } => format,
        };
        if format != FORMAT {
            return Err(ParseJobError::Format(format.chars().take(40).collect()));
        }
        let work = message.into_work()?;
        Ok(Self { id: id_of(body), body: body.to_owned(), work })
    }

    /// 32 hexadecimal digits.
    pub fn id(&self) -> &Name {
        &self.id
    }

    /// The job as a task for a queue.
    pub fn task(&self) -> queue::Task {
        queue::Task { id: self.id.clone(), body: self.body.as_bytes().to_vec() }
    }

    /// Its message.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// What is to be done.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// The job in a few words.
    pub fn summary(&self) -> String {
        match &self.work {
            Work::Hunt { hunt, .. } => {
                format!("hunt of {} by {}, seed {}", hunt.game, hunt.method.info().name, hunt.seed)
            }
            Work::Board(task) => format!("bound of {} on {}", task.game, task.board),
            Work::Nothing(number) => format!("nothing, number {number}"),
        }
    }
}

fn id_of(body: &str) -> Name {
    evidence::Id::from_text(body).as_str()[..32].parse().expect("digits are a name")
}

/// Why a text is not a job.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseJobError {
    /// Larger than any job.
    #[error("a task of more than {} bytes", Job::MOST_BYTES)]
    TooLarge,
    /// Not the JSON expected.
    #[error("not a task: {0}")]
    Malformed(String),
    /// Another version.
    #[error("its format is `{0}`; this program reads `{FORMAT}`")]
    Format(String),
    /// Invalid rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// Invalid start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Unknown method or parameter.
    #[error(transparent)]
    Method(#[from] MethodError),
    /// Invalid board.
    #[error(transparent)]
    Board(#[from] bound::BoardError),
    /// Unknown formulation.
    #[error("unknown model `{0}`")]
    Model(String),
    /// A number out of range.
    #[error("the {0} is out of range")]
    Range(&'static str),
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
enum Message<'a> {
    Hunt {
        format: Cow<'a, str>,
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
        #[serde(default, skip_serializing_if = "Option::is_none")]
        share: Option<String>,
    },
    Board {
        format: Cow<'a, str>,
        rules: String,
        start: StartJson,
        board: String,
        model: String,
        exact: bool,
    },
    Nothing {
        format: Cow<'a, str>,
        number: u64,
    },
}

impl Message<'_> {
    fn from_hunt(hunt: &HuntSpec, share: Option<String>) -> Self {
        let values = hunt.method.values().iter();
        Self::Hunt {
            format: FORMAT.into(),
            rules: hunt.game.rules.to_string(),
            start: StartJson::from(&hunt.game.start),
            method: hunt.method.info().name.to_owned(),
            parameters: values.map(|(name, value)| (name.to_owned(), value.to_string())).collect(),
            seed: hunt.seed,
            threads: hunt.threads,
            playouts: hunt.budget.playouts,
            seconds: hunt.budget.time.map(|time| time.as_secs_f64()),
            target: hunt.budget.target,
            from: (!hunt.prefix.is_empty()).then(|| MoveList(hunt.prefix.clone())),
            share,
        }
    }

    fn from_board(task: &BoardProblem) -> Self {
        Self::Board {
            format: FORMAT.into(),
            rules: task.game.rules.to_string(),
            start: StartJson::from(&task.game.start),
            board: task.board.to_string(),
            model: task.formulation.name().to_owned(),
            exact: task.exact,
        }
    }

    fn into_work(self) -> Result<Work, ParseJobError> {
        match self {
            Self::Hunt {
                rules,
                start,
                method,
                parameters,
                seed,
                threads,
                playouts,
                seconds,
                target,
                from,
                share,
                ..
            } => {
                let game = Game { rules: rules.parse()?, start: start.try_into()? };
                let given = parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
                let method = MethodSpec::named(&method, &game, given)?;
                if !(1..=HuntSpec::MAX_THREADS).contains(&threads) {
                    return Err(ParseJobError::Range("number of threads"));
                }
                let time = match seconds {
                    Some(seconds) if !(seconds > 0.0 && seconds < 1e9) => {
                        return Err(ParseJobError::Range("number of seconds"));
                    }
                    seconds => seconds.map(Duration::from_secs_f64),
                };
                if playouts.is_none() && time.is_none() && target.is_none() {
                    return Err(ParseJobError::Range("budget"));
                }
                let budget = HuntBudget { playouts, time, target };
                let prefix = from.unwrap_or_default().0;
                let hunt = HuntSpec { game, prefix, method, seed, threads, budget };
                Ok(Work::Hunt { hunt: Box::new(hunt), share })
            }
            Self::Board { rules, start, board, model, exact, .. } => {
                let game = Game { rules: rules.parse()?, start: start.try_into()? };
                let kind = [Formulation::Lines, Formulation::Births]
                    .into_iter()
                    .find(|kind| kind.name() == model);
                let kind =
                    kind.ok_or_else(|| ParseJobError::Model(model.chars().take(40).collect()))?;
                let task = BoardProblem { exact, ..BoardProblem::new(game, board.parse()?, kind) };
                Ok(Work::Board(Box::new(task)))
            }
            Self::Nothing { number, .. } => Ok(Work::Nothing(number)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hunt() -> HuntSpec {
        let game = Game::named("5D").expect("a game");
        let method = MethodSpec::named("temper", &game, [("replicas", "3")]).expect("a method");
        let (playouts, time) = (Some(1000), Some(Duration::from_millis(1500)));
        let budget = HuntBudget { playouts, time, target: Some(82) };
        HuntSpec { game, prefix: vec![], method, seed: 7, threads: 2, budget }
    }

    #[test]
    fn a_job_reads_back_with_the_same_id() {
        let game = Game::named("5T").expect("a game");
        let board =
            BoardProblem::new(game, "square:12".parse().expect("a board"), Formulation::Lines);
        for work in [
            Work::Hunt { hunt: Box::new(hunt()), share: None },
            Work::Hunt { hunt: Box::new(hunt()), share: Some("evening".to_owned()) },
            Work::Board(Box::new(BoardProblem { exact: true, ..board })),
            Work::Nothing(5),
        ] {
            let job = Job::new(work);
            let again = Job::parse(job.body()).expect("a job");
            assert_eq!((again.id(), again.body()), (job.id(), job.body()));
            assert_eq!(Job::new(again.work().clone()).id(), job.id(), "{}", job.summary());
            assert_eq!(job.id().as_str().len(), 32);
        }
    }

    #[test]
    fn every_setting_of_a_hunt_is_part_of_the_id() {
        let one = Job::hunt(hunt());
        let mv = rules::Position::legal(&rules::PlainPosition::start(hunt().game))[0];
        for other in [
            HuntSpec { seed: 8, ..hunt() },
            HuntSpec { budget: HuntBudget { playouts: None, ..hunt().budget }, ..hunt() },
            HuntSpec { budget: HuntBudget { target: None, ..hunt().budget }, ..hunt() },
            HuntSpec { threads: 1, ..hunt() },
            HuntSpec { prefix: vec![mv], ..hunt() },
        ] {
            assert_ne!(Job::hunt(other).id(), one.id());
        }
    }

    #[test]
    fn other_texts_are_not_jobs() {
        let body = Job::hunt(hunt()).body().to_owned();
        for (from, to) in [
            ("morpion-task/1", "morpion-task/2"),
            ("\"hunt\"", "\"hint\""),
            ("\"5D\"", "\"5X\""),
            ("temper", "temperr"),
            ("\"threads\":2", "\"threads\":0"),
            ("\"seconds\":1.5", "\"seconds\":-1.5"),
            ("\"seed\":7", "\"seed\":7,\"sead\":7"),
        ] {
            assert!(body.contains(from), "{body}");
            assert!(Job::parse(&body.replace(from, to)).is_err(), "{to}");
        }
        assert!(Job::parse("{}").is_err());
        let long = " ".repeat(Job::MOST_BYTES + 1);
        assert_eq!(Job::parse(&long).err(), Some(ParseJobError::TooLarge));
    }
}
