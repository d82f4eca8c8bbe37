//! In place of NATS, in a program that was built without it.

use crate::{Coordinator, Credentials, Name, Patience, QueueError, Terms, Worker};

pub(crate) fn coordinate(
    url: &str,
    _: Option<&Credentials>,
    _: &Name,
    _: &Terms,
    _: &Patience,
) -> Result<Box<dyn Coordinator>, QueueError> {
    Err(QueueError::NotBuilt { address: url.into() })
}

pub(crate) fn work(
    url: &str,
    _: Option<&Credentials>,
    _: &Name,
    _: &Patience,
) -> Result<Box<dyn Worker>, QueueError> {
    Err(QueueError::NotBuilt { address: url.into() })
}
