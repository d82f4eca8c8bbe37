//! The queue on NATS JetStream, behind blocking calls.
//!
//! Four streams for each plan P, made by its coordinator:
//!
//! | stream | subjects | |
//! |---|---|---|
//! | `morpion-P-tasks` | `morpion.P.task.TASK` | work queue: workers acknowledge what they did |
//! | `morpion-P-answers` | `morpion.P.answer.WORKER` | work queue: the coordinator acknowledges |
//! | `morpion-P-parts` | `morpion.P.part.WORKER.UPLOAD.N` | parts of large replies, for a day |
//! | `morpion-P-bests` | `morpion.P.best.KEY` | the last value of each key |
//!
//! Each task has its own subject, of which the stream accepts one message only, so enqueueing is
//! idempotent however often and late it is repeated; the server's window for message ids forgets. A
//! worker acknowledges a task after its reply is stored. The worker's name is part of the subject,
//! so that a server can be configured to hold each user to one name.

mod coordinator;
mod link;
mod shared_best;
mod wire;
mod worker;

use coordinator::NatsCoordinator;
use worker::NatsWorker;

use crate::{Coordinator, Credentials, Name, QueueError, QueueOptions, RetryPolicy, Worker};

/// The coordinator's side of a plan.
pub(crate) fn coordinator(
    url: &str,
    credentials: Option<&Credentials>,
    plan: &Name,
    options: &QueueOptions,
    retry: &RetryPolicy,
) -> Result<Box<dyn Coordinator>, QueueError> {
    Ok(Box::new(NatsCoordinator::open(url, credentials, plan, options, retry)?))
}

/// A worker's side.
pub(crate) fn worker(
    url: &str,
    credentials: Option<&Credentials>,
    worker: &Name,
    retry: &RetryPolicy,
) -> Result<Box<dyn Worker>, QueueError> {
    Ok(Box::new(NatsWorker::open(url, credentials, worker, retry)?))
}

/// The consumer that all workers pull tasks from.
const WORKERS: &str = "workers";

/// The consumer that the coordinator pulls replies from.
const COORDINATOR: &str = "coordinator";

/// A stream of a plan.
#[derive(Debug, Clone, Copy)]
enum Stream {
    Tasks,
    Replies,
    Parts,
    Bests,
}

impl Stream {
    const ALL: [Self; 4] = [Self::Tasks, Self::Replies, Self::Parts, Self::Bests];

    /// The suffix of the stream's name, and its word in subjects.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Tasks => ("-tasks", "task"),
            Self::Replies => ("-answers", "answer"),
            Self::Parts => ("-parts", "part"),
            Self::Bests => ("-bests", "best"),
        }
    }

    fn name(self, plan: &Name) -> String {
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
    fn a_stream_name_identifies_its_plan() {
        let plan: Name = "a-tasks".parse().expect("a name");
        for stream in Stream::ALL {
            assert_eq!(stream.plan(&stream.name(&plan)), Some(plan.clone()));
        }
        assert_eq!(Stream::Tasks.plan(&Stream::Bests.name(&plan)), None);
        assert_eq!(Stream::Tasks.plan("orders"), None);
    }
}
