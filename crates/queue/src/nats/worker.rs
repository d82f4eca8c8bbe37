//! A worker's side of NATS: draws tasks of all plans on the server, shows that it is alive, answers.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::Acker;
use async_nats::jetstream::{AckKind, Message};

use super::bests::NatsBests;
use super::coordinator::DELIVERIES;
use super::link::{self, Link};
use super::wire;
use super::{Part, WORKERS};
use crate::claims::{Claims, lock};
use crate::{Bests, Claim, Credentials, Name, Outcome, Patience, QueueError, Task, Worker};

/// How often to look whether a claim is due for a sign of life.
const TICK: Duration = Duration::from_millis(200);

/// How long a list of plans is believed.
const FRESH: Duration = Duration::from_secs(10);

/// How long to wait for a task before looking around: at other plans, and whether to stop.
const TURN: Duration = Duration::from_secs(2);

/// A worker on a NATS server.
pub(crate) struct NatsWorker {
    link: Arc<Link>,
    name: Name,
    plans: Mutex<Plans>,
    claims: Arc<Mutex<Claims<Arc<Acker>>>>,
}

#[derive(Default)]
struct Plans {
    consumers: BTreeMap<Name, PullConsumer>,
    seen: Option<Instant>,
    /// Which plan's turn it is.
    turn: usize,
}

impl NatsWorker {
    /// Connects.
    pub(crate) fn open(
        url: &str,
        credentials: Option<&Credentials>,
        worker: &Name,
        patience: &Patience,
    ) -> Result<Self, QueueError> {
        let link = Arc::new(Link::open(url, credentials, patience)?);
        let claims: Arc<Mutex<Claims<_>>> = Arc::default();
        link.spawn(show_life(claims.clone()));
        Ok(Self { link, name: worker.clone(), plans: Mutex::default(), claims })
    }

    /// The plans on the server, from a list that is not too old, those first whose turn it is.
    async fn plans(&self) -> Result<Vec<(Name, PullConsumer)>, QueueError> {
        let known = {
            let plans = lock(&self.plans);
            plans.seen.filter(|seen| seen.elapsed() < FRESH).map(|_| plans.consumers.clone())
        };
        let known = match known {
            Some(known) => known,
            None => {
                let found = self.link.persist("list plans", || self.find()).await?;
                let mut plans = lock(&self.plans);
                plans.seen = Some(Instant::now());
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
            let Some(plan) = Part::Tasks.plan(&stream) else { continue };
            // Without one, its coordinator has just begun or just ended.
            let consumer = self.link.context.get_consumer_from_stream(WORKERS, &stream).await;
            if let Ok(consumer) = consumer {
                found.insert(plan, consumer);
            }
        }
        Ok(found)
    }

    /// A message as a claim, unless the task has been handed out too often.
    async fn take(
        &self,
        plan: &Name,
        lease: Duration,
        message: Message,
    ) -> Result<Option<Claim>, QueueError> {
        let attempt = message.info().map_or(1, |info| info.delivered.unsigned_abs());
        let (message, acker) = message.split();
        let Some(id) = message.subject.rsplit('.').next().and_then(|id| id.parse::<Name>().ok())
        else {
            // Nobody can answer for it.
            self.link.persist("drop a task", || acker.ack_with(AckKind::Term)).await?;
            return Ok(None);
        };
        let header = message.headers.as_ref().and_then(|headers| headers.get(DELIVERIES));
        let most = header.and_then(|most| most.as_str().parse().ok()).unwrap_or(u64::MAX);
        let number = lock(&self.claims).hold(Arc::new(acker), lease);
        let task = Task { id, body: message.payload.into() };
        let claim = Claim { plan: plan.clone(), task, attempt, lease, number };
        if attempt <= most {
            return Ok(Some(claim));
        }
        let reason = format!("handed out {most} times and never answered");
        self.answer(vec![(claim, Outcome::Failed(reason))]).await?;
        Ok(None)
    }

    async fn answer(&self, done: Vec<(Claim, Outcome)>) -> Result<(), QueueError> {
        let client = self.link.context.client();
        let (mut parts, mut answers, mut claims) = (Vec::new(), Vec::new(), Vec::new());
        for (claim, outcome) in done {
            let upload = || {
                let inbox = client.new_inbox();
                let unique = inbox.rsplit('.').next().unwrap_or_default();
                unique.parse().expect("the engine's unique words are letters and digits")
            };
            let (plan, task) = (&claim.plan, &claim.task.id);
            let written =
                wire::write(plan, &self.name, task, outcome, client.max_payload(), upload);
            parts.extend(written.parts);
            answers.push(written.answer);
            claims.push(claim);
        }
        self.link.store("store an answer", parts).await?;
        self.link.store("store an answer", answers).await?;
        for claim in claims {
            self.release(&claim, AckKind::Ack).await?;
        }
        Ok(())
    }

    async fn release(&self, claim: &Claim, how: AckKind) -> Result<(), QueueError> {
        let acker = lock(&self.claims).let_go(*claim.number);
        let Some(acker) = acker else { return Ok(()) };
        self.link.persist("let go of a task", || acker.ack_with(how)).await
    }
}

impl Worker for NatsWorker {
    fn claim(&self, most: usize, wait: Duration) -> Result<Vec<Claim>, QueueError> {
        let end = Instant::now() + wait;
        self.link.run(async {
            loop {
                let plans = self.plans().await?;
                let turn = |left: Duration| left.min(TURN / plans.len().max(1) as u32);
                // One plan is waited for at once; of several, all are asked before any is waited for.
                let rounds: &[bool] = if plans.len() == 1 { &[true] } else { &[false, true] };
                for &wait in rounds {
                    for (plan, consumer) in &plans {
                        let left = end.saturating_duration_since(Instant::now());
                        let wait = if wait { turn(left) } else { Duration::ZERO };
                        let Ok(messages) = self.link.draw(consumer, most, wait).await else {
                            // The plan may be over, or the server away: look again.
                            lock(&self.plans).seen = None;
                            continue;
                        };
                        let lease = consumer.cached_info().config.ack_wait;
                        let mut claims = Vec::with_capacity(messages.len());
                        for message in messages {
                            claims.extend(self.take(plan, lease, message).await?);
                        }
                        if !claims.is_empty() {
                            return Ok(claims);
                        }
                    }
                }
                if Instant::now() >= end || self.link.patience.stopped() {
                    return Ok(Vec::new());
                }
                if plans.is_empty() {
                    lock(&self.plans).seen = None;
                }
                if plans.is_empty() || lock(&self.plans).seen.is_none() {
                    tokio::time::sleep(TICK).await;
                }
            }
        })
    }

    fn hand_in(&self, done: Vec<(Claim, Outcome)>) -> Result<(), QueueError> {
        self.link.run(self.answer(done))
    }

    fn give_back(&self, claim: Claim) -> Result<(), QueueError> {
        self.link.run(self.release(&claim, AckKind::Nak(None)))
    }

    fn bests(&self, plan: &Name) -> Result<Box<dyn Bests>, QueueError> {
        Ok(Box::new(NatsBests { link: self.link.clone(), plan: plan.clone() }))
    }
}

impl Drop for NatsWorker {
    fn drop(&mut self) {
        self.link.flush();
    }
}

/// Tells the server, as long as there is somebody to tell it, that claims are being worked on.
async fn show_life(claims: Arc<Mutex<Claims<Arc<Acker>>>>) {
    loop {
        tokio::time::sleep(TICK).await;
        let due = lock(&claims).due();
        for acker in due {
            // If it fails the connection is away; the next one may get through.
            let _ = acker.ack_with(AckKind::Progress).await;
        }
    }
}
