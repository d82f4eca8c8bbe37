//! A connection that survives restarts of its server, and the runtime that it needs, on one thread.

use std::fmt::Display;
use std::future::{Future, IntoFuture};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{self, Context, ErrorCode, Message};
use async_nats::{ConnectErrorKind, ConnectOptions, ServerAddr};
use futures_util::{StreamExt, TryStreamExt};
use tokio::runtime::Runtime;

use crate::{Credentials, QueueError, RetryPolicy};

/// How long to wait for a response of the server before the request is repeated.
const SILENCE: Duration = Duration::from_secs(4);

/// The pause before a request is repeated.
const PAUSE: Duration = Duration::from_millis(200);

/// How long to wait for a server at the start, when a wrong address is more likely than a server
/// that is restarting.
const START: Duration = Duration::from_secs(10);

/// How many messages are in flight at once.
const WINDOW: usize = 512;

pub(super) struct Link {
    pub(super) context: Context,
    pub(super) policy: RetryPolicy,
    // Dropped last: the connection lives on it.
    runtime: Runtime,
}

/// A message to be stored in a stream.
#[derive(Clone)]
pub(super) struct Outgoing {
    pub(super) subject: String,
    pub(super) message: PublishMessage,
}

impl Link {
    pub(super) fn open(
        url: &str,
        credentials: Option<&Credentials>,
        policy: &RetryPolicy,
    ) -> Result<Self, QueueError> {
        let failed = |reason: String| QueueError::Connect { address: url.into(), reason };
        let servers: Vec<ServerAddr> = url
            .split(',')
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map_err(|error: std::io::Error| failed(error.to_string()))?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("queue")
            .enable_all()
            .build()
            .map_err(|error| failed(error.to_string()))?;
        let start = Instant::now();
        let client = loop {
            let connect = options(credentials).connect(servers.clone());
            match runtime.block_on(connect) {
                Ok(client) => break client,
                Err(error) => {
                    let is_final = matches!(
                        error.kind(),
                        ConnectErrorKind::Authentication
                            | ConnectErrorKind::AuthorizationViolation
                            | ConnectErrorKind::Tls
                            | ConnectErrorKind::ServerParse
                    );
                    if is_final || start.elapsed() >= START.min(policy.retry_for) {
                        return Err(failed(error.to_string()));
                    }
                }
            }
            if policy.is_stopped() {
                return Err(QueueError::Stopped);
            }
            std::thread::sleep(PAUSE);
        };
        // Must run on the runtime: it spawns a task.
        let build = async { jetstream::ContextBuilder::new().timeout(SILENCE).build(client) };
        let context = runtime.block_on(build);
        let link = Self { context, policy: policy.clone(), runtime };
        link.require_jetstream(url)?;
        Ok(link)
    }

    /// A cluster needs some seconds to elect a leader before JetStream responds.
    fn require_jetstream(&self, url: &str) -> Result<(), QueueError> {
        let policy = RetryPolicy {
            retry_for: START.min(self.policy.retry_for),
            stop: self.policy.stop.clone(),
        };
        match self.run(retry(&policy, "find JetStream", || streams(&self.context))) {
            Ok(_) => Ok(()),
            Err(QueueError::Engine { reason, .. }) => {
                Err(QueueError::NoJetStream { address: url.into(), reason })
            }
            Err(other) => Err(other),
        }
    }

    /// Blocks until a future is ready.
    pub(super) fn run<F: Future>(&self, future: F) -> F::Output {
        self.runtime.block_on(future)
    }

    /// Runs a future in the background.
    pub(super) fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(future);
    }

    /// Retries until it succeeds.
    pub(super) async fn retry<T, E: Display, F: IntoFuture<Output = Result<T, E>>>(
        &self,
        what: &'static str,
        attempt: impl FnMut() -> F,
    ) -> Result<T, QueueError> {
        retry(&self.policy, what, attempt).await
    }

    /// Stores all messages on the server; returns how many it did not have already.
    pub(super) async fn store(
        &self,
        what: &'static str,
        messages: Vec<Outgoing>,
    ) -> Result<usize, QueueError> {
        let mut new = 0;
        for window in messages.chunks(WINDOW) {
            let mut left = window.to_vec();
            let mut failed: Option<(Instant, PublishError)> = None;
            while !left.is_empty() {
                if let Some((since, error)) = &failed {
                    self.policy.check(*since, what, error)?;
                    tokio::time::sleep(PAUSE).await;
                }
                let mut sent = Vec::with_capacity(left.len());
                for Outgoing { subject, message } in &left {
                    sent.push(self.context.send_publish(subject.clone(), message.clone()).await);
                }
                let mut again = Vec::new();
                for (outgoing, sent) in left.into_iter().zip(sent) {
                    let stored = match sent {
                        Ok(stored) => stored.await,
                        Err(error) => Err(error),
                    };
                    match stored {
                        Ok(_) => new += 1,
                        Err(error) if is_duplicate(&error) => {}
                        Err(error) => {
                            let since = failed.map_or_else(Instant::now, |(since, _)| since);
                            failed = Some((since, error));
                            again.push(outgoing);
                        }
                    }
                }
                left = again;
            }
        }
        Ok(new)
    }

    /// Pulls up to `most` messages, or waits for one; none if none arrives.
    pub(super) async fn pull(
        &self,
        consumer: &PullConsumer,
        most: usize,
        wait: Duration,
    ) -> Result<Vec<Message>, async_nats::Error> {
        // Waiting for a single one is one request; thousands of idle workers make them.
        if most > 1 || wait.is_zero() {
            let ready = consumer.fetch().max_messages(most).messages().await?;
            let ready = collect(ready, SILENCE).await?;
            if !ready.is_empty() || wait.is_zero() {
                return Ok(ready);
            }
        }
        let batch = consumer.batch().max_messages(1).expires(wait).messages().await?;
        collect(batch, wait + SILENCE).await
    }

    /// Waits a moment for pending messages to be sent.
    pub(super) fn flush(&self) {
        let client = self.context.client();
        // What was not sent by now is delivered again to its receiver.
        let _ = self.run(async { tokio::time::timeout(PAUSE * 5, client.flush()).await });
    }
}

impl RetryPolicy {
    /// Whether to retry.
    fn check(
        &self,
        since: Instant,
        what: &'static str,
        error: &impl Display,
    ) -> Result<(), QueueError> {
        if self.is_stopped() {
            return Err(QueueError::Stopped);
        }
        if since.elapsed() >= self.retry_for {
            return Err(QueueError::Engine { what, reason: error.to_string() });
        }
        Ok(())
    }
}

async fn retry<T, E: Display, F: IntoFuture<Output = Result<T, E>>>(
    policy: &RetryPolicy,
    what: &'static str,
    mut attempt: impl FnMut() -> F,
) -> Result<T, QueueError> {
    let start = Instant::now();
    loop {
        match attempt().await {
            Ok(value) => return Ok(value),
            Err(error) => policy.check(start, what, &error)?,
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// The messages of a pull; ends when the server is silent.
async fn collect(
    mut batch: pull::Batch,
    silence: Duration,
) -> Result<Vec<Message>, async_nats::Error> {
    let mut messages = Vec::new();
    while let Ok(Some(message)) = tokio::time::timeout(silence, batch.next()).await {
        match message {
            Ok(message) => messages.push(message),
            // What has arrived is ours.
            Err(_) if !messages.is_empty() => break,
            Err(error) => return Err(error),
        }
    }
    Ok(messages)
}

/// Names of the streams on the server.
pub(super) async fn streams(context: &Context) -> Result<Vec<String>, impl Display> {
    context.stream_names().try_collect().await
}

/// Whether the stream has a message of this subject already and accepts no second one.
fn is_duplicate(error: &PublishError) -> bool {
    let source = std::error::Error::source(error);
    error.kind() == PublishErrorKind::Other
        && source.and_then(|source| source.downcast_ref::<jetstream::Error>()).is_some_and(
            |error| {
                error.error_code() == ErrorCode::STREAM_STORE_FAILED
                    && error.to_string().contains("per subject")
            },
        )
}

fn options(credentials: Option<&Credentials>) -> ConnectOptions {
    let delay = |attempts: usize| PAUSE.min(Duration::from_millis(10 * attempts as u64));
    let mut options = ConnectOptions::new()
        .name("morpion")
        .connection_timeout(SILENCE)
        .reconnect_delay_callback(delay)
        .max_reconnects(None);
    let Some(credentials) = credentials.cloned() else { return options };
    if let (Some(user), Some(password)) = (credentials.user, credentials.password) {
        options = options.user_and_password(user, password);
    }
    if let Some(token) = credentials.token {
        options = options.token(token);
    }
    if let Some(ca) = credentials.ca {
        options = options.add_root_certificates(ca).require_tls(true);
    }
    if let (Some(certificate), Some(key)) = (credentials.certificate, credentials.key) {
        options = options.add_client_certificate(certificate, key).require_tls(true);
    }
    options
}
