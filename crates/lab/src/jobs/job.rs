//! One task, and its message `morpion-task/1` (`docs/formats.md`).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

use bound::{BoardProblem, Formulation};
use geometry::{BadRules, BadStart, Game};
use search::{Method, UnknownMethod};
use serde::{Deserialize, Serialize};

use hunt::Hunt;
use hunt::dots::Dots;

/// The format of tasks.
const FORMAT: &str = "morpion-task/1";

/// Something to do, with its message. Its id depends on nothing but what is to be done.
#[derive(Debug, Clone)]
pub struct Task {
    id: String,
    body: String,
    work: Work,
}

/// What is to be done.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Work {
    /// Look for a long game.
    Hunt {
        /// How.
        hunt: Box<Hunt>,
        /// The group of hunts that tell each other their bests.
        share: Option<String>,
    },
    /// Bound the games on a board.
    Board(Box<BoardProblem>),
    /// Nothing: to measure a queue.
    Nothing(u64),
}

impl Task {
    /// The most bytes of a message.
    pub const MOST_BYTES: usize = 1 << 20;
    /// How many digits an id has.
    const DIGITS: usize = 32;

    /// The task of a hunt by itself.
    pub fn hunt(hunt: Hunt) -> Self {
        Self::new(Work::Hunt { hunt: Box::new(hunt), share: None })
    }

    /// The task of this work.
    pub fn new(work: Work) -> Self {
        let message = match &work {
            Work::Hunt { hunt, share } => Message::of_hunt(hunt, share.clone()),
            Work::Board(task) => Message::of_board(task),
            Work::Nothing(number) => Message::Nothing { format: FORMAT.into(), number: *number },
        };
        let body = serde_json::to_string(&message).expect("a message is made of JSON values");
        Self { id: id_of(&body), body, work }
    }

    /// Reads a task from its message.
    pub fn read(body: &str) -> Result<Self, BadTask> {
        if body.len() > Self::MOST_BYTES {
            return Err(BadTask::TooLarge);
        }
        let message: Message<'_> = serde_json::from_str(body)
            .map_err(|error| BadTask::Malformed(error.to_string().chars().take(200).collect()))?;
        let format = match &message {
            Message::Hunt { format, .. }
            | Message::Board { format, .. }
            | Message::Nothing { format, .. } => format,
        };
        if format != FORMAT {
            return Err(BadTask::Format(format.chars().take(40).collect()));
        }
        let work = message.into_work()?;
        Ok(Self { id: id_of(body), body: body.to_owned(), work })
    }

    /// What it is called: 32 hexadecimal digits.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its message.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// What is to be done.
    pub fn work(&self) -> &Work {
        &self.work
    }

    /// The task in a few words.
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

fn id_of(body: &str) -> String {
    let mut digits = evidence::Id::of_text(body).to_string();
    digits.truncate(Task::DIGITS);
    digits
}

/// Why a text is no task.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BadTask {
    /// Larger than any task.
    #[error("a task of more than {} bytes", Task::MOST_BYTES)]
    TooLarge,
    /// Not the JSON expected.
    #[error("not a task: {0}")]
    Malformed(String),
    /// Another version.
    #[error("its format is `{0}`; this program reads `{FORMAT}`")]
    Format(String),
    /// No rules that there are.
    #[error(transparent)]
    Rules(#[from] BadRules),
    /// No start that there is.
    #[error(transparent)]
    Start(#[from] BadStart),
    /// No method that there is, or not its parameters.
    #[error(transparent)]
    Method(#[from] UnknownMethod),
    /// No board that there is.
    #[error(transparent)]
    Board(#[from] bound::BoardError),
    /// No such model.
    #[error("no such model: `{0}`")]
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
        start: Dots,
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
        share: Option<String>,
    },
    Board {
        format: Cow<'a, str>,
        rules: String,
        start: Dots,
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
    fn of_hunt(hunt: &Hunt, share: Option<String>) -> Self {
        let values = hunt.method.values().iter();
        Self::Hunt {
            format: FORMAT.into(),
            rules: hunt.game.rules.to_string(),
            start: Dots::of(&hunt.game.start),
            method: hunt.method.info().name.to_owned(),
            parameters: values.map(|(name, value)| (name.to_owned(), value.to_string())).collect(),
            seed: hunt.seed,
            threads: hunt.threads,
            playouts: hunt.playouts,
            seconds: hunt.time.map(|time| time.as_secs_f64()),
            target: hunt.target,
            share,
        }
    }

    fn of_board(task: &BoardProblem) -> Self {
        Self::Board {
            format: FORMAT.into(),
            rules: task.game.rules.to_string(),
            start: Dots::of(&task.game.start),
            board: task.board.to_string(),
            model: task.formulation.name().to_owned(),
            exact: task.exact,
        }
    }

    fn into_work(self) -> Result<Work, BadTask> {
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
                share,
                ..
            } => {
                let game = Game { rules: rules.parse()?, start: start.into_start()? };
                let given = parameters.iter().map(|(name, value)| (name.as_str(), value.as_str()));
                let method = Method::named(&method, &game, given)?;
                if !(1..=1024).contains(&threads) {
                    return Err(BadTask::Range("number of threads"));
                }
                let time = match seconds {
                    Some(seconds) if !(seconds > 0.0 && seconds < 1e9) => {
                        return Err(BadTask::Range("number of seconds"));
                    }
                    seconds => seconds.map(Duration::from_secs_f64),
                };
                if playouts.is_none() && time.is_none() && target.is_none() {
                    return Err(BadTask::Range("budget"));
                }
                let from = Vec::new();
                let hunt = Hunt { game, from, method, seed, threads, playouts, time, target };
                Ok(Work::Hunt { hunt: Box::new(hunt), share })
            }
            Self::Board { rules, start, board, model, exact, .. } => {
                let game = Game { rules: rules.parse()?, start: start.into_start()? };
                let kind = [Formulation::Lines, Formulation::Births]
                    .into_iter()
                    .find(|kind| kind.name() == model);
                let kind = kind.ok_or_else(|| BadTask::Model(model.chars().take(40).collect()))?;
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

    fn hunt() -> Hunt {
        let game = Game::named("5D").expect("a game");
        let method = Method::named("temper", &game, [("replicas", "3")]).expect("a method");
        let (playouts, time) = (Some(1000), Some(Duration::from_millis(1500)));
        Hunt { game, from: vec![], method, seed: 7, threads: 2, playouts, time, target: Some(82) }
    }

    #[test]
    fn a_task_reads_back_and_keeps_its_id() {
        let game = Game::named("5T").expect("a game");
        let board =
            BoardProblem::new(game, "square:12".parse().expect("a board"), Formulation::Lines);
        for work in [
            Work::Hunt { hunt: Box::new(hunt()), share: None },
            Work::Hunt { hunt: Box::new(hunt()), share: Some("evening".to_owned()) },
            Work::Board(Box::new(BoardProblem { exact: true, ..board })),
            Work::Nothing(5),
        ] {
            let task = Task::new(work);
            let again = Task::read(task.body()).expect("a task");
            assert_eq!((again.id(), again.body()), (task.id(), task.body()));
            assert_eq!(Task::new(again.work().clone()).id(), task.id(), "{}", task.summary());
            assert_eq!(task.id().len(), 32);
        }
    }

    #[test]
    fn what_is_to_be_done_otherwise_is_another_task() {
        let one = Task::hunt(hunt());
        for other in [
            Hunt { seed: 8, ..hunt() },
            Hunt { playouts: None, ..hunt() },
            Hunt { target: None, ..hunt() },
            Hunt { threads: 1, ..hunt() },
        ] {
            assert_ne!(Task::hunt(other).id(), one.id());
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let body = Task::hunt(hunt()).body().to_owned();
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
            assert!(Task::read(&body.replace(from, to)).is_err(), "{to}");
        }
        assert!(Task::read("{}").is_err());
        assert_eq!(Task::read(&" ".repeat(Task::MOST_BYTES + 1)).err(), Some(BadTask::TooLarge));
    }
}
