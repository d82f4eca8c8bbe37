//! In place of NATS, in a build without it.

use crate::{Coordinator, Credentials, Name, QueueError, QueueOptions, RetryPolicy, Worker};

pub(crate) fn coordinator(
    url: &str,
    _: Option<&Credentials>,
    _: &Name,
    _: &QueueOptions,
    _: &RetryPolicy,
) -> Result<Box<dyn Coordinator>, QueueError> {
    Err(QueueError::NotBuilt { address: url.into() })
}

pub(crate) fn worker(
    url: &str,
    _: Option<&Credentials>,
    _: &Name,
    _: &RetryPolicy,
) -> Result<Box<dyn Worker>, QueueError> {
    Err(QueueError::NotBuilt { address: url.into() })
}
