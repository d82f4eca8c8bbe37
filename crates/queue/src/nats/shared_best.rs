//! The best games of a plan: the last message of each subject.

use std::sync::Arc;

use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::{PublishMessage, StreamMessage};
use async_nats::jetstream::stream::LastRawMessageErrorKind;

use super::Stream;
use super::link::Link;
use crate::{Name, QueueError, SharedBest};

pub(super) struct NatsSharedBest {
    pub(super) link: Arc<Link>,
    pub(super) plan: Name,
}

impl NatsSharedBest {
    async fn last(&self, subject: &str) -> Result<Option<StreamMessage>, QueueError> {
        last(&self.link, Stream::Bests.name(&self.plan), subject).await
    }
}

/// The last message of a subject, from the stream's leader, so that it is not an outdated one.
pub(super) async fn last(
    link: &Link,
    stream: String,
    subject: &str,
) -> Result<Option<StreamMessage>, QueueError> {
    let look_up = || async {
        let stream = link.context.get_stream_no_info(&stream).await?;
        match stream.get_last_raw_message_by_subject(subject).await {
            Ok(message) => Ok(Some(message)),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(async_nats::Error::from(error)),
        }
    };
    link.retry("look up a message", look_up).await
}

impl SharedBest for NatsSharedBest {
    fn latest(&self, key: &Name) -> Result<Option<Vec<u8>>, QueueError> {
        let subject = Stream::Bests.subject(&self.plan, key);
        let last = self.link.run(self.last(&subject))?;
        Ok(last.map(|message| message.payload.to_vec()))
    }

    fn publish(
        &self,
        key: &Name,
        body: &[u8],
        replaces: &dyn Fn(&[u8]) -> bool,
    ) -> Result<bool, QueueError> {
        let subject = Stream::Bests.subject(&self.plan, key);
        loop {
            let last = self.link.run(self.last(&subject))?;
            if last.as_ref().is_some_and(|message| !replaces(&message.payload)) {
                return Ok(false);
            }
            let sequence = last.map_or(0, |message| message.sequence);
            let published = self.link.run(self.link.retry("publish a best game", || async {
                let message = PublishMessage::build()
                    .payload(body.to_vec().into())
                    .expected_last_subject_sequence(sequence);
                let sent = self.link.context.send_publish(subject.clone(), message).await?;
                match sent.await {
                    Ok(_) => Ok(true),
                    // Somebody else has published in between.
                    Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(false),
                    Err(error) => Err(error),
                }
            }))?;
            if published {
                return Ok(true);
            }
        }
    }
}
