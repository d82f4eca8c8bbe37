//! A connection that outlives its server, and the runtime that it needs, on a thread of its own.

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

use crate::{Credentials, Patience, QueueError};

/// How long the server may take to say anything before it is asked again.
const SILENCE: Duration = Duration::from_secs(4);

/// How long to wait before asking again.
const PAUSE: Duration = Duration::from_millis(200);

/// How long to wait for a server at the start, when a mistake in the address is more likely than a
/// server that will come back.
const START: Duration = Duration::from_secs(10);

/// How many messages are on their way at once.
const WINDOW: usize = 512;

pub(super) struct Link {
    pub(super) context: Context,
    pub(super) patience: Patience,
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
        patience: &Patience,
    ) -> Result<Self, QueueError> {
        let trouble = |reason: String| QueueError::Connect { address: url.into(), reason };
        let servers: Vec<ServerAddr> = url
            .split(',')
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map_err(|error: std::io::Error| trouble(error.to_string()))?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("queue")
            .enable_all()
            .build()
            .map_err(|error| trouble(error.to_string()))?;
        let start = Instant::now();
        let client = loop {
            let connect = options(credentials).connect(servers.clone());
            match runtime.block_on(connect) {
                Ok(client) => break client,
                Err(error) => {
                    let final_word = matches!(
                        error.kind(),
                        ConnectErrorKind::Authentication
                            | ConnectErrorKind::AuthorizationViolation
                            | ConnectErrorKind::Tls
                            | ConnectErrorKind::ServerParse
                    );
                    if final_word || start.elapsed() >= START.min(patience.tries) {
                        return Err(trouble(error.to_string()));
                    }
                }
            }
            if patience.stopped() {
                return Err(QueueError::Stopped);
            }
            std::thread::sleep(PAUSE);
        };
        // It starts something on the runtime.
        let build = async { jetstream::ContextBuilder::new().timeout(SILENCE).build(client) };
        let context = runtime.block_on(build);
        let link = Self { context, patience: patience.clone(), runtime };
        link.find_jetstream(url)?;
        Ok(link)
    }

    /// A cluster needs some seconds to choose a leader before JetStream answers.
    fn find_jetstream(&self, url: &str) -> Result<(), QueueError> {
        let patience =
            Patience { tries: START.min(self.patience.tries), stop: self.patience.stop.clone() };
        let asked = persist(&patience, "find JetStream", || streams(&self.context));
        match self.run(asked) {
            Ok(_) => Ok(()),
            Err(QueueError::Engine { reason, .. }) => {
                Err(QueueError::NoJetStream { address: url.into(), reason })
            }
            Err(other) => Err(other),
        }
    }

    /// Waits for something to happen.
    pub(super) fn run<F: Future>(&self, future: F) -> F::Output {
        self.runtime.block_on(future)
    }

    /// Something that goes on beside the calls.
    pub(super) fn spawn(&self, future: impl Future<Output = ()> + Send + 'static) {
        self.runtime.spawn(future);
    }

    /// Tries until it works.
    pub(super) async fn persist<T, E: Display, F: IntoFuture<Output = Result<T, E>>>(
        &self,
        what: &'static str,
        attempt: impl FnMut() -> F,
    ) -> Result<T, QueueError> {
        persist(&self.patience, what, attempt).await
    }

    /// Has the server store all messages; says how many it did not have already.
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
                    self.patience.check(*since, what, error)?;
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
                        Err(error) if is_there(&error) => {}
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

    /// What a consumer has, up to `most` messages, or waits for one; none if nothing comes.
    pub(super) async fn draw(
        &self,
        consumer: &PullConsumer,
        most: usize,
        wait: Duration,
    ) -> Result<Vec<Message>, async_nats::Error> {
        // To wait for a single one is one request; a server is asked by thousands of idle workers.
        if most > 1 || wait.is_zero() {
            let there = consumer.fetch().max_messages(most).messages().await?;
            let there = collect(there, SILENCE).await?;
            if !there.is_empty() || wait.is_zero() {
                return Ok(there);
            }
        }
        let coming = consumer.batch().max_messages(1).expires(wait).messages().await?;
        collect(coming, wait + SILENCE).await
    }

    /// Gives what was sent a moment to leave.
    pub(super) fn flush(&self) {
        let client = self.context.client();
        // What has not left by now comes again to its receiver.
        let _ = self.run(async { tokio::time::timeout(PAUSE * 5, client.flush()).await });
    }
}

impl Patience {
    /// Whether to try again.
    fn check(
        &self,
        since: Instant,
        what: &'static str,
        error: &impl Display,
    ) -> Result<(), QueueError> {
        if self.stopped() {
            return Err(QueueError::Stopped);
        }
        if since.elapsed() >= self.tries {
            return Err(QueueError::Engine { what, reason: error.to_string() });
        }
        Ok(())
    }
}

async fn persist<T, E: Display, F: IntoFuture<Output = Result<T, E>>>(
    patience: &Patience,
    what: &'static str,
    mut attempt: impl FnMut() -> F,
) -> Result<T, QueueError> {
    let start = Instant::now();
    loop {
        match attempt().await {
            Ok(value) => return Ok(value),
            Err(error) => patience.check(start, what, &error)?,
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// The messages of a pull; a server that falls silent ends it.
async fn collect(
    mut coming: pull::Batch,
    silence: Duration,
) -> Result<Vec<Message>, async_nats::Error> {
    let mut messages = Vec::new();
    while let Ok(Some(message)) = tokio::time::timeout(silence, coming.next()).await {
        match message {
            Ok(message) => messages.push(message),
            // What has come is ours.
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

/// Whether the stream has a message of this subject already and takes no second one.
fn is_there(error: &PublishError) -> bool {
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
