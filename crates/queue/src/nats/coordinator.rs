//! The coordinator's side of NATS: makes the streams of a plan, publishes tasks, pulls replies.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::DeleteStreamErrorKind;
use async_nats::jetstream::message::{Acker, PublishMessage};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy};

use super::link::{Link, Outgoing};
use super::shared_best::{self, NatsSharedBest};
use super::wire::{self, Body, Parts};
use super::{COORDINATOR, Stream, WORKERS};
use crate::{
    Coordinator, Credentials, Name, Outcome, QueueDepth, QueueError, QueueOptions, Receipt, Reply,
    ReplyError, RetryPolicy, SharedBest, Task,
};

/// Header with the number of times a task may be claimed.
pub(super) const DELIVERIES: &str = "Morpion-Deliveries";

/// How long parts of replies are stored that nobody fetches.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How many workers may wait for tasks at once.
const WAITING: i64 = 1 << 16;

/// The tasks and replies of one plan on a NATS server.
pub(crate) struct NatsCoordinator {
    link: Arc<Link>,
    plan: Name,
    options: QueueOptions,
    replies: PullConsumer,
    shared_best: NatsSharedBest,
}

/// Where a reply is.
struct ReplyLocation {
    acker: Box<Acker>,
    /// The subject of its parts, if any.
    parts: Option<String>,
}

impl NatsCoordinator {
    /// Connects and makes the plan's streams if they are not there.
    pub(crate) fn open(
        url: &str,
        credentials: Option<&Credentials>,
        plan: &Name,
        options: &QueueOptions,
        retry: &RetryPolicy,
    ) -> Result<Self, QueueError> {
        let link = Arc::new(Link::open(url, credentials, retry)?);
        let replies = link.run(async {
            for stream in Stream::ALL {
                let config = config(stream, plan, options);
                link.retry("make a stream", || link.context.get_or_create_stream(config.clone()))
                    .await?;
            }
            let stream = Stream::Tasks.name(plan);
            let tasks = consumer(Stream::Tasks, options);
            link.retry("make a consumer", || {
                link.context.create_consumer_on_stream(tasks.clone(), &stream)
            })
            .await?;
            // A new consumer, which delivers again at once what an earlier coordinator received and
            // did not acknowledge.
            new_consumer(&link, Stream::Replies, plan, options).await
        })?;
        let shared_best = NatsSharedBest { link: link.clone(), plan: plan.clone() };
        Ok(Self { link, plan: plan.clone(), options: options.clone(), replies, shared_best })
    }

    async fn reply(&self, message: Message) -> Result<Reply, QueueError> {
        let (message, acker) = message.split();
        let decoded = wire::decode(
            &message.subject,
            message.headers.as_ref(),
            &message.payload,
            self.options.largest_reply,
        );
        let (outcome, parts) = match decoded.outcome {
            Err(error) => (Err(error), None),
            Ok(Body::Inline(outcome)) => (Ok(outcome), None),
            Ok(Body::InParts(parts)) => {
                let all = wire::part_subject(&self.plan, &decoded.worker, &parts.upload, '*');
                (self.fetch(&decoded.worker, &parts).await?, Some(all))
            }
        };
        let receipt = Receipt::new(ReplyLocation { acker: Box::new(acker), parts });
        Ok(Reply { task: decoded.task, worker: decoded.worker, outcome, receipt })
    }

    /// Whether a stream holds messages that its consumer neither has delivered nor will deliver.
    async fn has_orphans(&self, stream: Stream) -> Result<bool, async_nats::Error> {
        let (context, name) = (&self.link.context, stream.name(&self.plan));
        let info = || async {
            let consumer: PullConsumer =
                context.get_consumer_from_stream(consumer_name(stream), &name).await?;
            let info = consumer.cached_info();
            Ok::<_, async_nats::Error>((
                info.delivered.consumer_sequence,
                info.num_pending,
                info.num_ack_pending as u64,
            ))
        };
        let before = info().await?;
        let messages = context.get_stream(&name).await?.cached_info().state.messages;
        // If nothing was delivered, added or acknowledged in between, the counts belong together.
        let (_, waiting, delivered) = before;
        Ok(before == info().await? && messages > waiting + delivered)
    }

    /// Removes all messages of a subject, which may have wildcards.
    async fn purge(&self, stream: Stream, subject: &str) -> Result<(), QueueError> {
        let stream = stream.name(&self.plan);
        let purge = || async {
            let stream = self.link.context.get_stream_no_info(&stream).await;
            let stream = stream.map_err(|error| error.to_string())?;
            stream.purge().filter(subject).await.map_err(|error| error.to_string())
        };
        self.link.retry("purge messages", purge).await?;
        Ok(())
    }

    /// Assembles the parts of a reply.
    async fn fetch(
        &self,
        worker: &str,
        parts: &Parts,
    ) -> Result<Result<Outcome, ReplyError>, QueueError> {
        let mut body = Vec::new();
        for number in 0..parts.count {
            let subject = wire::part_subject(&self.plan, worker, &parts.upload, number);
            let stream = Stream::Parts.name(&self.plan);
            match shared_best::last(&self.link, stream, &subject).await? {
                Some(part) if (body.len() + part.payload.len()) as u64 <= parts.size => {
                    body.extend_from_slice(&part.payload);
                }
                _ => return Ok(Err(ReplyError::Truncated)),
            }
        }
        let is_whole = body.len() as u64 == parts.size;
        Ok(if is_whole { Ok(Outcome::Done(body)) } else { Err(ReplyError::Truncated) })
    }
}

impl Coordinator for NatsCoordinator {
    fn enqueue(&self, tasks: &[Task]) -> Result<usize, QueueError> {
        let limit = self.link.context.client().max_payload().saturating_sub(wire::HEADROOM);
        if let Some(task) = tasks.iter().find(|task| task.body.len() > limit) {
            let (id, size) = (task.id.clone(), task.body.len());
            return Err(QueueError::TaskTooLarge { id, size, limit });
        }
        let deliveries = self.options.deliveries.to_string();
        let message = |task: &Task| Outgoing {
            subject: Stream::Tasks.subject(&self.plan, &task.id),
            message: PublishMessage::build()
                .header(DELIVERIES, deliveries.as_str())
                .payload(task.body.clone().into()),
        };
        self.link.run(self.link.store("enqueue tasks", tasks.iter().map(message).collect()))
    }

    fn replies(&self, most: usize, wait: Duration) -> Result<Vec<Reply>, QueueError> {
        let end = Instant::now() + wait;
        self.link.run(async {
            let messages = self
                .link
                .retry("deliver replies", || {
                    let left = end.saturating_duration_since(Instant::now());
                    self.link.pull(&self.replies, most, left)
                })
                .await?;
            let mut replies = Vec::with_capacity(messages.len());
            for message in messages {
                replies.push(self.reply(message).await?);
            }
            Ok(replies)
        })
    }

    fn acknowledge(&self, receipts: Vec<Receipt>) -> Result<(), QueueError> {
        self.link.run(async {
            for receipt in receipts {
                let Some(ReplyLocation { acker, parts }) = receipt.into_inner() else { continue };
                if let Some(parts) = parts {
                    self.purge(Stream::Parts, &parts).await?;
                }
                self.link.retry("acknowledge a reply", || acker.ack()).await?;
            }
            Ok(())
        })
    }

    fn cancel(&self, task: &Name) -> Result<(), QueueError> {
        self.link.run(self.purge(Stream::Tasks, &Stream::Tasks.subject(&self.plan, task)))
    }

    fn cancel_all(&self) -> Result<(), QueueError> {
        self.link.run(self.purge(Stream::Tasks, &Stream::Tasks.subject(&self.plan, '*')))
    }

    fn depth(&self) -> Result<QueueDepth, QueueError> {
        self.link.run(self.link.retry("count its messages", || async {
            let text = |error: &dyn std::fmt::Display| error.to_string();
            let messages = |stream: Stream| async move {
                let stream = self.link.context.get_stream(stream.name(&self.plan)).await;
                stream.map(|stream| stream.cached_info().state.messages)
            };
            let tasks = messages(Stream::Tasks).await.map_err(|error| text(&error))?;
            let replies = messages(Stream::Replies).await.map_err(|error| text(&error))?;
            let stream = Stream::Tasks.name(&self.plan);
            let workers: PullConsumer = self
                .link
                .context
                .get_consumer_from_stream(WORKERS, &stream)
                .await
                .map_err(|error| text(&error))?;
            // A server that was killed may still count claims of tasks that are gone.
            let claimed = tasks.min(workers.cached_info().num_ack_pending as u64);
            Ok::<_, String>(QueueDepth { waiting: tasks - claimed, claimed, replies })
        }))
    }

    fn recover(&self) -> Result<bool, QueueError> {
        self.link.run(async {
            let mut any = false;
            for stream in [Stream::Tasks, Stream::Replies] {
                let look = || self.has_orphans(stream);
                if self.link.retry("compare a stream with its consumer", look).await? {
                    new_consumer(&self.link, stream, &self.plan, &self.options).await?;
                    any = true;
                }
            }
            Ok(any)
        })
    }

    fn shared_best(&self) -> &dyn SharedBest {
        &self.shared_best
    }

    fn close(&self) -> Result<(), QueueError> {
        self.link.run(async {
            for stream in Stream::ALL {
                let stream = stream.name(&self.plan);
                self.link
                    .retry("remove the plan", || async {
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

fn config(stream: Stream, plan: &Name, options: &QueueOptions) -> Config {
    let last = match stream {
        Stream::Tasks | Stream::Replies | Stream::Bests => "*",
        Stream::Parts => "*.*.*",
    };
    let base = Config {
        name: stream.name(plan),
        subjects: vec![stream.subject(plan, last)],
        num_replicas: options.replicas,
        ..Config::default()
    };
    match stream {
        Stream::Tasks => Config {
            retention: RetentionPolicy::WorkQueue,
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            ..base
        },
        Stream::Replies => Config { retention: RetentionPolicy::WorkQueue, ..base },
        Stream::Parts => Config { max_age: DAY, ..base },
        Stream::Bests => Config { max_messages_per_subject: 1, ..base },
    }
}

fn consumer_name(stream: Stream) -> &'static str {
    if matches!(stream, Stream::Tasks) { WORKERS } else { COORDINATOR }
}

fn consumer(stream: Stream, options: &QueueOptions) -> pull::Config {
    let base = pull::Config {
        durable_name: Some(consumer_name(stream).into()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: options.lease,
        num_replicas: options.replicas,
        ..pull::Config::default()
    };
    match stream {
        Stream::Tasks => pull::Config { max_ack_pending: -1, max_waiting: WAITING, ..base },
        _ => base,
    }
}

/// A consumer that has delivered nothing yet, in place of the one there is.
async fn new_consumer(
    link: &Link,
    stream: Stream,
    plan: &Name,
    options: &QueueOptions,
) -> Result<PullConsumer, QueueError> {
    let (name, config) = (stream.name(plan), consumer(stream, options));
    link.retry("make a consumer", || async {
        // There may be none.
        let _ = link.context.delete_consumer_from_stream(consumer_name(stream), &name).await;
        link.context.create_consumer_on_stream(config.clone(), &name).await
    })
    .await
}
