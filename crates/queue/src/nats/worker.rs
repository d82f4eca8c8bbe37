//! A worker's side of NATS: pulls tasks of all plans on the server, sends heartbeats and replies.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::Acker;
use async_nats::jetstream::{AckKind, Message};

use super::coordinator::DELIVERIES;
use super::link::{self, Link};
use super::shared_best::{self, NatsSharedBest};
use super::wire;
use super::{Stream, WORKERS};
use crate::engine::{Clock, Leases, exclusion, lock};
use crate::{Claim, Credentials, Name, Outcome, QueueError, RetryPolicy, SharedBest, Task, Worker};

/// How often to check whether a heartbeat is due.
const TICK: Duration = Duration::from_millis(200);

/// How long a list of plans is used.
const FRESH: Duration = Duration::from_secs(10);

/// How long to wait for a task before other plans, and the stop flag, are looked at.
const TURN: Duration = Duration::from_secs(2);

/// A worker on a NATS server.
pub(crate) struct NatsWorker {
    link: Arc<Link>,
    name: Name,
    plans: Mutex<Plans>,
    leases: Arc<Mutex<Leases<Arc<Acker>>>>,
}

#[derive(Default)]
struct Plans {
    consumers: BTreeMap<Name, PullConsumer>,
    listed: Option<Instant>,
    /// Which plan's turn it is.
    turn: usize,
}

impl NatsWorker {
    /// Connects.
    pub(crate) fn open(
        url: &str,
        credentials: Option<&Credentials>,
        worker: &Name,
        retry: &RetryPolicy,
    ) -> Result<Self, QueueError> {
        let link = Arc::new(Link::open(url, credentials, retry)?);
        let leases = Arc::new(Mutex::new(Leases::new(Clock::default())));
        link.spawn(send_heartbeats(leases.clone()));
        Ok(Self { link, name: worker.clone(), plans: Mutex::default(), leases })
    }

    /// The plans on the server, from a list that is not too old, starting with the one whose turn
    /// it is.
    async fn plans(&self) -> Result<Vec<(Name, PullConsumer)>, QueueError> {
        let known = {
            let plans = lock(&self.plans);
            plans.listed.filter(|listed| listed.elapsed() < FRESH).map(|_| plans.consumers.clone())
        };
        let known = match known {
            Some(known) => known,
            None => {
                let mut found = self.link.retry("list plans", || self.find()).await?;
                let plans = found.len();
                let mut excluding = Vec::new();
                for plan in found.keys() {
                    let subject = Stream::Bests.subject(plan, exclusion(self.name.as_str()));
                    let bests = Stream::Bests.name(plan);
                    if shared_best::last(&self.link, bests, &subject).await?.is_some() {
                        excluding.push(plan.clone());
                    }
                }
                if !excluding.is_empty() && excluding.len() == plans {
                    return Err(QueueError::Excluded { worker: self.name.to_string() });
                }
                found.retain(|plan, _| !excluding.contains(plan));
                let mut plans = lock(&self.plans);
                plans.listed = Some(Instant::now());
                plans.consumers.clone_from(&found);
                found
            }
        };
        let mut known: Vec<_> = known.into_iter().collect();
        if !known.is_empty() {
            let mut plans = lock(&self.plans);
            plans.turn = (plans.turn + 1) % known.len();
            known.rotate_left(plans.turn);
        }
        Ok(known)
    }

    async fn find(&self) -> Result<BTreeMap<Name, PullConsumer>, impl Display> {
        let streams = match link::streams(&self.link.context).await {
            Ok(streams) => streams,
            Err(error) => return Err(error),
        };
        let mut found = BTreeMap::new();
        for stream in streams {
            let Some(plan) = Stream::Tasks.plan(&stream) else { continue };
            // Without one, its coordinator has just started or just ended.
            let consumer = self.link.context.get_consumer_from_stream(WORKERS, &stream).await;
            if let Ok(consumer) = consumer {
                found.insert(plan, consumer);
            }
        }
        Ok(found)
    }

    /// A message as a claim, unless the task has been claimed too often.
    async fn accept(
        &self,
        plan: &Name,
        lease: Duration,
        message: Message,
    ) -> Result<Option<Claim>, QueueError> {
        let attempt = message.info().map_or(1, |info| info.delivered.unsigned_abs());
        let (message, acker) = message.split();
        let Some(id) = message.subject.rsplit('.').next().and_then(|id| id.parse::<Name>().ok())
        else {
            // Nobody can reply to it.
            self.link.retry("drop a task", || acker.ack_with(AckKind::Term)).await?;
            return Ok(None);
        };
        let header = message.headers.as_ref().and_then(|headers| headers.get(DELIVERIES));
        let most = header.and_then(|most| most.as_str().parse().ok()).unwrap_or(u64::MAX);
        let ticket = lock(&self.leases).hold(Arc::new(acker), lease);
        let task = Task { id, body: message.payload.into() };
        let claim = Claim { plan: plan.clone(), task, attempt: Some(attempt), lease, ticket };
        if attempt <= most {
            return Ok(Some(claim));
        }
        let reason = crate::message::too_many_claims(most);
        self.reply(vec![(claim, Outcome::Failed(reason))]).await?;
        Ok(None)
    }

    async fn reply(&self, outcomes: Vec<(Claim, Outcome)>) -> Result<(), QueueError> {
        let client = self.link.context.client();
        let (mut parts, mut replies, mut claims) = (Vec::new(), Vec::new(), Vec::new());
        for (claim, outcome) in outcomes {
            let upload = || {
                let inbox = client.new_inbox();
                let unique = inbox.rsplit('.').next().unwrap_or_default();
                unique.parse().expect("a unique inbox name has letters and digits only")
            };
            let (plan, task) = (&claim.plan, &claim.task.id);
            let encoded =
                wire::encode(plan, &self.name, task, outcome, client.max_payload(), upload);
            parts.extend(encoded.parts);
            replies.push(encoded.reply);
            claims.push(claim);
        }
        self.link.store("store a reply", parts).await?;
        self.link.store("store a reply", replies).await?;
        for claim in claims {
            self.end(&claim, AckKind::Ack).await?;
        }
        Ok(())
    }

    async fn end(&self, claim: &Claim, kind: AckKind) -> Result<(), QueueError> {
        let acker = lock(&self.leases).give_up(&claim.ticket);
        let Some(acker) = acker else { return Ok(()) };
        self.link.retry("release a task", || acker.ack_with(kind)).await
    }
}

impl Worker for NatsWorker {
    fn claim(&self, most: usize, wait: Duration) -> Result<Vec<Claim>, QueueError> {
        let end = Instant::now() + wait;
        self.link.run(async {
            loop {
                let plans = self.plans().await?;
                let turn = |left: Duration| left.min(TURN / plans.len().max(1) as u32);
                // One plan is waited for at once; of several, all are tried before any is waited
                // for.
                let rounds: &[bool] = if plans.len() == 1 { &[true] } else { &[false, true] };
                for &wait in rounds {
                    for (plan, consumer) in &plans {
                        let left = end.saturating_duration_since(Instant::now());
                        let wait = if wait { turn(left) } else { Duration::ZERO };
                        let Ok(messages) = self.link.pull(consumer, most, wait).await else {
                            // The plan may be over, or the server down: list them again.
                            lock(&self.plans).listed = None;
                            continue;
                        };
                        let lease = consumer.cached_info().config.ack_wait;
                        let mut claims = Vec::with_capacity(messages.len());
                        for message in messages {
                            claims.extend(self.accept(plan, lease, message).await?);
                        }
                        if !claims.is_empty() {
                            return Ok(claims);
                        }
                    }
                }
                if Instant::now() >= end || self.link.policy.is_stopped() {
                    return Ok(Vec::new());
                }
                if plans.is_empty() {
                    lock(&self.plans).listed = None;
                }
                if plans.is_empty() || lock(&self.plans).listed.is_none() {
                    tokio::time::sleep(TICK).await;
                }
            }
        })
    }

    fn submit(&self, outcomes: Vec<(Claim, Outcome)>) -> Result<(), QueueError> {
        self.link.run(self.reply(outcomes))
    }

    fn release(&self, claim: Claim) -> Result<(), QueueError> {
        self.link.run(self.end(&claim, AckKind::Nak(None)))
    }

    fn report_progress(&self, _claim: &Claim, _progress: &str) -> Result<(), QueueError> {
        // Nobody looks at it, and it would be one more message.
        Ok(())
    }

    fn shared_best(&self, plan: &Name) -> Result<Box<dyn SharedBest>, QueueError> {
        Ok(Box::new(NatsSharedBest { link: self.link.clone(), plan: plan.clone() }))
    }
}

impl Drop for NatsWorker {
    fn drop(&mut self) {
        self.link.flush();
    }
}

/// Sends heartbeats for as long as the runtime lives.
async fn send_heartbeats(leases: Arc<Mutex<Leases<Arc<Acker>>>>) {
    loop {
        tokio::time::sleep(TICK).await;
        let mut due = Vec::new();
        lock(&leases).renew_due(|acker| {
            due.push(Arc::clone(acker));
            true
        });
        for acker in due {
            // If it fails, the connection is down; the next one may succeed.
            let _ = acker.ack_with(AckKind::Progress).await;
        }
    }
}
