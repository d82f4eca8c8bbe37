//! The coordinator's side of NATS: makes the streams of a plan, fills one, empties another.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::DeleteStreamErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy};

use super::bests::{self, NatsBests};
use super::link::{Link, Outgoing};
use super::wire::{self, Body, Parts};
use super::{COORDINATOR, Part, WORKERS};
use crate::{
    Answer, Bests, Coordinator, Counts, Credentials, Mark, Name, Outcome, Patience, QueueError,
    Receipt, Task, Terms, Unreadable,
};

/// Says to workers how often a task is handed out.
pub(super) const DELIVERIES: &str = "Morpion-Deliveries";

/// How long parts of answers are kept that nobody asks for.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How many workers may wait for work at once.
const WAITING: i64 = 1 << 16;

/// The tasks and answers of one plan on a NATS server.
pub(crate) struct NatsCoordinator {
    link: Arc<Link>,
    plan: Name,
    terms: Terms,
    answers: PullConsumer,
    bests: NatsBests,
}

impl NatsCoordinator {
    /// Connects and makes the plan's streams if they are not there.
    pub(crate) fn open(
        url: &str,
        credentials: Option<&Credentials>,
        plan: &Name,
        terms: &Terms,
        patience: &Patience,
    ) -> Result<Self, QueueError> {
        let link = Arc::new(Link::open(url, credentials, patience)?);
        let answers = link.run(async {
            for part in Part::ALL {
                let config = config(part, plan, terms);
                link.persist("make a stream", || link.context.get_or_create_stream(config.clone()))
                    .await?;
            }
            let tasks = pull::Config {
                max_ack_pending: -1,
                max_waiting: WAITING,
                ..consumer(WORKERS, terms)
            };
            let stream = Part::Tasks.stream(plan);
            link.persist("make a consumer", || {
                link.context.create_consumer_on_stream(tasks.clone(), &stream)
            })
            .await?;
            // A new consumer, which brings again at once what an earlier coordinator took and did
            // not settle.
            let answers = consumer(COORDINATOR, terms);
            let stream = Part::Answers.stream(plan);
            link.persist("make a consumer", || async {
                // It may not be there.
                let _ = link.context.delete_consumer_from_stream(COORDINATOR, &stream).await;
                link.context.create_consumer_on_stream(answers.clone(), &stream).await
            })
            .await
        })?;
        let bests = NatsBests { link: link.clone(), plan: plan.clone() };
        Ok(Self { link, plan: plan.clone(), terms: terms.clone(), answers, bests })
    }

    async fn answer(&self, message: Message) -> Result<Answer, QueueError> {
        let (message, acker) = message.split();
        let read = wire::read(
            &message.subject,
            message.headers.as_ref(),
            &message.payload,
            self.terms.largest_answer,
        );
        let (outcome, parts) = match read.outcome {
            Err(why) => (Err(why), None),
            Ok(Body::Here(outcome)) => (Ok(outcome), None),
            Ok(Body::InParts(parts)) => {
                let all = wire::part_subject(&self.plan, &read.worker, &parts.upload, '*');
                (self.fetch(&read.worker, &parts).await?, Some(all))
            }
        };
        let receipt = Receipt(Mark::Nats { acker: Box::new(acker), parts });
        Ok(Answer { task: read.task, worker: read.worker, outcome, receipt })
    }

    /// Removes all messages of a subject, which may have wildcards.
    async fn clear(&self, part: Part, subject: &str) -> Result<(), QueueError> {
        let stream = part.stream(&self.plan);
        let purge = || async {
            let stream = self.link.context.get_stream_no_info(&stream).await;
            let stream = stream.map_err(|error| error.to_string())?;
            stream.purge().filter(subject).await.map_err(|error| error.to_string())
        };
        self.link.persist("clear messages", purge).await?;
        Ok(())
    }

    /// Puts the parts of an answer together.
    async fn fetch(
        &self,
        worker: &str,
        parts: &Parts,
    ) -> Result<Result<Outcome, Unreadable>, QueueError> {
        let mut body = Vec::new();
        for number in 0..parts.count {
            let subject = wire::part_subject(&self.plan, worker, &parts.upload, number);
            let stream = Part::Parts.stream(&self.plan);
            match bests::last(&self.link, stream, &subject).await? {
                Some(part) if (body.len() + part.payload.len()) as u64 <= parts.size => {
                    body.extend_from_slice(&part.payload);
                }
                _ => return Ok(Err(Unreadable::Truncated)),
            }
        }
        let whole = body.len() as u64 == parts.size;
        Ok(if whole { Ok(Outcome::Done(body)) } else { Err(Unreadable::Truncated) })
    }
}

impl Coordinator for NatsCoordinator {
    fn put(&self, tasks: &[Task]) -> Result<usize, QueueError> {
        let limit = self.link.context.client().max_payload().saturating_sub(wire::HEADROOM);
        if let Some(task) = tasks.iter().find(|task| task.body.len() > limit) {
            let (id, size) = (task.id.clone(), task.body.len());
            return Err(QueueError::TaskTooLarge { id, size, limit });
        }
        let deliveries = self.terms.deliveries.to_string();
        let message = |task: &Task| Outgoing {
            subject: Part::Tasks.subject(&self.plan, &task.id),
            message: PublishMessage::build()
                .header(DELIVERIES, deliveries.as_str())
                .payload(task.body.clone().into()),
        };
        self.link.run(self.link.store("put tasks", tasks.iter().map(message).collect()))
    }

    fn answers(&self, most: usize, wait: Duration) -> Result<Vec<Answer>, QueueError> {
        let end = Instant::now() + wait;
        self.link.run(async {
            let messages = self
                .link
                .persist("bring answers", || {
                    let left = end.saturating_duration_since(Instant::now());
                    self.link.draw(&self.answers, most, left)
                })
                .await?;
            let mut answers = Vec::with_capacity(messages.len());
            for message in messages {
                answers.push(self.answer(message).await?);
            }
            Ok(answers)
        })
    }

    fn settle(&self, answers: Vec<Receipt>) -> Result<(), QueueError> {
        self.link.run(async {
            for receipt in answers {
                let Mark::Nats { acker, parts } = receipt.0 else { continue };
                if let Some(parts) = parts {
                    self.clear(Part::Parts, &parts).await?;
                }
                self.link.persist("settle an answer", || acker.ack()).await?;
            }
            Ok(())
        })
    }

    fn withdraw(&self, task: &Name) -> Result<(), QueueError> {
        self.link.run(self.clear(Part::Tasks, &Part::Tasks.subject(&self.plan, task)))
    }

    fn withdraw_all(&self) -> Result<(), QueueError> {
        self.link.run(self.clear(Part::Tasks, &Part::Tasks.subject(&self.plan, '*')))
    }

    fn counts(&self) -> Result<Counts, QueueError> {
        self.link.run(self.link.persist("count", || async {
            let text = |error: &dyn std::fmt::Display| error.to_string();
            let held = |part: Part| async move {
                let stream = self.link.context.get_stream(part.stream(&self.plan)).await;
                stream.map(|stream| stream.cached_info().state.messages)
            };
            let tasks = held(Part::Tasks).await.map_err(|error| text(&error))?;
            let answers = held(Part::Answers).await.map_err(|error| text(&error))?;
            let stream = Part::Tasks.stream(&self.plan);
            let workers: PullConsumer = self
                .link
                .context
                .get_consumer_from_stream(WORKERS, &stream)
                .await
                .map_err(|error| text(&error))?;
            // A server that was killed may believe in claims of tasks that are gone.
            let claimed = tasks.min(workers.cached_info().num_ack_pending as u64);
            Ok::<_, String>(Counts { waiting: tasks - claimed, claimed, answers })
        }))
    }

    fn bests(&self) -> &dyn Bests {
        &self.bests
    }

    fn close(&self) -> Result<(), QueueError> {
        self.link.run(async {
            for part in Part::ALL {
                let stream = part.stream(&self.plan);
                self.link
                    .persist("clear the plan", || async {
                        match self.link.context.delete_stream(&stream).await {
                            Err(error) if is_gone(&error.kind()) => Ok(()),
                            other => other.map(|_| ()),
                        }
                    })
                    .await?;
            }
            Ok(())
        })
    }
}

impl Drop for NatsCoordinator {
    fn drop(&mut self) {
        self.link.flush();
    }
}

fn is_gone(kind: &DeleteStreamErrorKind) -> bool {
    use async_nats::jetstream::ErrorCode;
    matches!(kind, DeleteStreamErrorKind::JetStream(error)
        if error.error_code() == ErrorCode::STREAM_NOT_FOUND)
}

fn config(part: Part, plan: &Name, terms: &Terms) -> Config {
    let last = match part {
        Part::Tasks | Part::Answers | Part::Bests => "*",
        Part::Parts => "*.*.*",
    };
    let base = Config {
        name: part.stream(plan),
        subjects: vec![part.subject(plan, last)],
        num_replicas: terms.replicas,
        ..Config::default()
    };
    match part {
        Part::Tasks => Config {
            retention: RetentionPolicy::WorkQueue,
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            ..base
        },
        Part::Answers => Config { retention: RetentionPolicy::WorkQueue, ..base },
        Part::Parts => Config { max_age: DAY, ..base },
        Part::Bests => Config { max_messages_per_subject: 1, ..base },
    }
}

fn consumer(name: &str, terms: &Terms) -> pull::Config {
    pull::Config {
        durable_name: Some(name.into()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: terms.lease,
        num_replicas: terms.replicas,
        ..pull::Config::default()
    }
}
