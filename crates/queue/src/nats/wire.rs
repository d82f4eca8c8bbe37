//! How a reply is encoded as messages, and how it is decoded from an untrusted sender.

use async_nats::HeaderMap;
use async_nats::jetstream::message::PublishMessage;

use super::Stream;
use super::link::Outgoing;
use crate::{Name, Outcome, ReplyError};

const TASK: &str = "Morpion-Task";
const OUTCOME: &str = "Morpion-Outcome";
const PARTS: &str = "Morpion-Parts";

/// Room for headers in a message.
pub(super) const HEADROOM: usize = 4096;

/// The longest reason of a failure that is stored, in bytes.
const REASON: usize = 4096;

/// The most parts of a reply.
const MOST_PARTS: usize = 1 << 16;

/// An encoded reply: first its parts, if any, then the message that announces it.
pub(super) struct EncodedReply {
    pub(super) parts: Vec<Outgoing>,
    pub(super) reply: Outgoing,
}

/// Where a body in parts is stored.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) upload: Name,
    pub(super) count: usize,
    pub(super) size: u64,
}

/// A decoded message, apart from a body in parts.
pub(super) struct DecodedReply {
    pub(super) task: String,
    pub(super) worker: String,
    pub(super) outcome: Result<Body, ReplyError>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Body {
    Inline(Outcome),
    InParts(Parts),
}

/// Encodes a reply in messages of at most `largest` bytes.
pub(super) fn encode(
    plan: &Name,
    worker: &Name,
    task: &Name,
    outcome: Outcome,
    largest: usize,
    upload: impl FnOnce() -> Name,
) -> EncodedReply {
    let (word, body) = match outcome {
        Outcome::Done(body) => ("done", body),
        Outcome::Failed(reason) => {
            let start: String = reason.chars().take(REASON / 4).collect();
            ("failed", start.into_bytes())
        }
    };
    let mut message = PublishMessage::build().header(TASK, task.as_str()).header(OUTCOME, word);
    let room = largest.saturating_sub(HEADROOM).max(1);
    let mut parts = Vec::new();
    if body.len() <= room {
        message = message.payload(body.into());
    } else {
        let upload = upload();
        for (number, part) in body.chunks(room).enumerate() {
            parts.push(Outgoing {
                subject: part_subject(plan, worker.as_str(), &upload, number),
                message: PublishMessage::build().payload(part.to_vec().into()),
            });
        }
        message =
            message.header(PARTS, format!("{upload} {} {}", parts.len(), body.len()).as_str());
    }
    EncodedReply {
        parts,
        reply: Outgoing { subject: Stream::Replies.subject(plan, worker), message },
    }
}

pub(super) fn part_subject(
    plan: &Name,
    worker: &str,
    upload: &Name,
    number: impl std::fmt::Display,
) -> String {
    Stream::Parts.subject(plan, format_args!("{worker}.{upload}.{number}"))
}

/// Decodes a reply of up to `limit` bytes.
pub(super) fn decode(
    subject: &str,
    headers: Option<&HeaderMap>,
    payload: &[u8],
    limit: u64,
) -> DecodedReply {
    // The stream accepts only subjects that end with a worker's name.
    let worker = subject.rsplit('.').next().unwrap_or_default().to_owned();
    let header = |name| headers.and_then(|headers| headers.get(name)).map(ToString::to_string);
    let task = header(TASK).unwrap_or_default().chars().take(200).collect();
    let outcome = body(header(OUTCOME).as_deref(), header(PARTS).as_deref(), payload, limit);
    DecodedReply { task, worker, outcome }
}

fn body(
    word: Option<&str>,
    parts: Option<&str>,
    payload: &[u8],
    limit: u64,
) -> Result<Body, ReplyError> {
    let size = payload.len() as u64;
    if size > limit {
        return Err(ReplyError::TooLarge { size, limit });
    }
    match (word, parts) {
        (Some("done"), None) => Ok(Body::Inline(Outcome::Done(payload.to_vec()))),
        (Some("failed"), None) => {
            let reason = &payload[..payload.len().min(REASON)];
            Ok(Body::Inline(Outcome::Failed(String::from_utf8_lossy(reason).into_owned())))
        }
        (Some("done"), Some(parts)) => {
            let parts = parse_parts(parts).ok_or(ReplyError::Malformed(PARTS))?;
            if parts.size > limit {
                return Err(ReplyError::TooLarge { size: parts.size, limit });
            }
            Ok(Body::InParts(parts))
        }
        _ => Err(ReplyError::Malformed(OUTCOME)),
    }
}

fn parse_parts(text: &str) -> Option<Parts> {
    let mut words = text.split(' ');
    let upload = words.next()?.parse().ok()?;
    let count = words.next()?.parse().ok().filter(|count| (1..=MOST_PARTS).contains(count))?;
    let size = words.next()?.parse().ok()?;
    words.next().is_none().then_some(Parts { upload, count, size })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Name {
        text.parse().expect("a name")
    }

    fn encoded(outcome: Outcome, largest: usize) -> EncodedReply {
        let upload = || name("upload");
        encode(&name("plan"), &name("w1"), &name("t1"), outcome, largest, upload)
    }

    fn decoded(
        word: &str,
        parts: Option<&str>,
        payload: &[u8],
        limit: u64,
    ) -> Result<Body, ReplyError> {
        body(Some(word), parts, payload, limit)
    }

    #[test]
    fn a_large_reply_is_split_into_parts_that_fit() {
        let body = vec![7; 25_000];
        let EncodedReply { parts, reply } = encoded(Outcome::Done(body), HEADROOM + 10_000);
        assert_eq!(reply.subject, "morpion.plan.answer.w1");
        let subjects: Vec<&str> = parts.iter().map(|part| part.subject.as_str()).collect();
        let expected = [0, 1, 2].map(|number| format!("morpion.plan.part.w1.upload.{number}"));
        assert_eq!(subjects, expected);
        assert!(encoded(Outcome::Done(vec![7; 10_000]), HEADROOM + 10_000).parts.is_empty());
    }

    #[test]
    fn an_oversized_or_malformed_reply_is_rejected_before_it_is_fetched() {
        let large = Err(ReplyError::TooLarge { size: 100_000_000, limit: 1000 });
        assert_eq!(decoded("done", Some("u 200 100000000"), &[], 1000), large);
        assert!(decoded("done", Some("u 2 1000"), &[], 1000).is_ok());
        for parts in ["", "u", "u 1", "u 0 5", "u 1 5 6", "u 70000 5", "a.b 1 5", "u -1 5", "u 1 x"]
        {
            let rejected = Err(ReplyError::Malformed(PARTS));
            assert_eq!(decoded("done", Some(parts), &[], 1000), rejected, "{parts}");
        }
        assert_eq!(decoded("", None, &[], 10), Err(ReplyError::Malformed(OUTCOME)));
        assert!(matches!(decoded("done", None, &[0; 11], 10), Err(ReplyError::TooLarge { .. })));
    }
}
