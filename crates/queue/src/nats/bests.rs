//! The best games of a plan: the last message of each subject.

use std::sync::Arc;

use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::{PublishMessage, StreamMessage};
use async_nats::jetstream::stream::LastRawMessageErrorKind;

use super::Part;
use super::link::Link;
use crate::{Bests, Name, QueueError};

pub(super) struct NatsBests {
    pub(super) link: Arc<Link>,
    pub(super) plan: Name,
}

impl NatsBests {
    async fn last(&self, subject: &str) -> Result<Option<StreamMessage>, QueueError> {
        last(&self.link, Part::Bests.stream(&self.plan), subject).await
    }
}

/// The last message of a subject, from the server that leads, so that it is not one of yesterday.
pub(super) async fn last(
    link: &Link,
    stream: String,
    subject: &str,
) -> Result<Option<StreamMessage>, QueueError> {
    let look = || async {
        let stream =
            link.context.get_stream_no_info(&stream).await.map_err(|error| error.to_string())?;
        match stream.get_last_raw_message_by_subject(subject).await {
            Ok(message) => Ok(Some(message)),
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    };
    link.persist("look up a message", look).await
}

impl Bests for NatsBests {
    fn hear(&self, key: &Name) -> Result<Option<Vec<u8>>, QueueError> {
        let subject = Part::Bests.subject(&self.plan, key);
        let last = self.link.run(self.last(&subject))?;
        Ok(last.map(|message| message.payload.to_vec()))
    }

    fn tell(
        &self,
        key: &Name,
        body: &[u8],
        replaces: &dyn Fn(&[u8]) -> bool,
    ) -> Result<bool, QueueError> {
        let subject = Part::Bests.subject(&self.plan, key);
        loop {
            let last = self.link.run(self.last(&subject))?;
            if last.as_ref().is_some_and(|message| !replaces(&message.payload)) {
                return Ok(false);
            }
            let sequence = last.map_or(0, |message| message.sequence);
            let told = self.link.run(self.link.persist("tell a best game", || async {
                let message = PublishMessage::build()
                    .payload(body.to_vec().into())
                    .expected_last_subject_sequence(sequence);
                let sent = self.link.context.send_publish(subject.clone(), message).await?;
                match sent.await {
                    Ok(_) => Ok(true),
                    // Somebody else told something in between.
                    Err(error) if error.kind() == PublishErrorKind::WrongLastSequence => Ok(false),
                    Err(error) => Err(error),
                }
            }))?;
            if told {
                return Ok(true);
            }
        }
    }
}
