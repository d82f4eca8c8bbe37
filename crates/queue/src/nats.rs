//! The queue on NATS JetStream, behind calls that block.
//!
//! Four streams for each plan P, made by its coordinator:
//!
//! | stream | subjects | |
//! |---|---|---|
//! | `morpion-P-tasks` | `morpion.P.task.TASK` | work queue: a task leaves it when its worker acknowledges |
//! | `morpion-P-answers` | `morpion.P.answer.WORKER` | work queue: an answer leaves it when it is settled |
//! | `morpion-P-parts` | `morpion.P.part.WORKER.UPLOAD.N` | what is too large for one message, for a day |
//! | `morpion-P-bests` | `morpion.P.best.KEY` | the last value of each key |
//!
//! A subject of its own for each task, of which the stream takes one message only, makes putting
//! harmless however often and late it is repeated; the server's window for message ids forgets. A
//! worker acknowledges a task after its answer lies in the stream of answers. The worker's name is
//! part of the subject, so that a server that wants to can hold each user to one name.

mod bests;
mod coordinator;
mod link;
mod wire;
mod worker;

use coordinator::NatsCoordinator;
use worker::NatsWorker;

use crate::{Coordinator, Credentials, Name, Patience, QueueError, Terms, Worker};

/// The coordinator's side of a plan.
pub(crate) fn coordinate(
    url: &str,
    credentials: Option<&Credentials>,
    plan: &Name,
    terms: &Terms,
    patience: &Patience,
) -> Result<Box<dyn Coordinator>, QueueError> {
    Ok(Box::new(NatsCoordinator::open(url, credentials, plan, terms, patience)?))
}

/// A worker's side.
pub(crate) fn work(
    url: &str,
    credentials: Option<&Credentials>,
    worker: &Name,
    patience: &Patience,
) -> Result<Box<dyn Worker>, QueueError> {
    Ok(Box::new(NatsWorker::open(url, credentials, worker, patience)?))
}

/// The consumer that all workers draw tasks from.
const WORKERS: &str = "workers";

/// The consumer that the coordinator draws answers from.
const COORDINATOR: &str = "coordinator";

/// A stream of a plan.
#[derive(Debug, Clone, Copy)]
enum Part {
    Tasks,
    Answers,
    Parts,
    Bests,
}

impl Part {
    const ALL: [Self; 4] = [Self::Tasks, Self::Answers, Self::Parts, Self::Bests];

    /// Its end of the stream's name, and its word in subjects.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Tasks => ("-tasks", "task"),
            Self::Answers => ("-answers", "answer"),
            Self::Parts => ("-parts", "part"),
            Self::Bests => ("-bests", "best"),
        }
    }

    fn stream(self, plan: &Name) -> String {
        format!("morpion-{plan}{}", self.words().0)
    }

    fn subject(self, plan: &Name, last: impl std::fmt::Display) -> String {
        format!("morpion.{plan}.{}.{last}", self.words().1)
    }

    /// The plan whose stream has this name.
    fn plan(self, stream: &str) -> Option<Name> {
        stream.strip_prefix("morpion-")?.strip_suffix(self.words().0)?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_stream_names_its_plan() {
        let plan: Name = "a-tasks".parse().expect("a name");
        for part in Part::ALL {
            assert_eq!(part.plan(&part.stream(&plan)), Some(plan.clone()));
        }
        assert_eq!(Part::Tasks.plan(&Part::Bests.stream(&plan)), None);
        assert_eq!(Part::Tasks.plan("orders"), None);
    }
}
