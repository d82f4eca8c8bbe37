//! `--queue`: the archive's own queue, or one that other machines reach.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;
use queue::{Address, Credentials, RetryPolicy};

use crate::args::duration;

/// The flags of a queue that other machines reach.
#[derive(clap::Args)]
pub(crate) struct QueueArgs {
    /// Queue: nats://HOST:PORT, tls://HOST:PORT (comma-separated) or spool:FOLDER [default: the
    /// archive's own]
    #[arg(long = "queue", value_name = "ADDRESS")]
    address: Option<Address>,

    /// Private file with user and password, or token, and ca, certificate and key for TLS
    #[arg(long, value_name = "FILE", requires = "address")]
    credentials: Option<PathBuf>,

    /// How long to retry while the queue's server is unreachable
    #[arg(
        long, alias = "patience", value_name = "TIME", value_parser = duration,
        default_value = "10m"
    )]
    retry_for: Duration,
}

/// A queue that other machines reach, and how to get in.
pub(crate) struct Remote {
    pub(crate) address: Address,
    pub(crate) credentials: Option<Credentials>,
    pub(crate) retry: RetryPolicy,
}

impl QueueArgs {
    /// The queue, if one is named.
    pub(crate) fn remote(&self, stop: &Arc<AtomicBool>) -> Result<Option<Remote>> {
        let Some(address) = self.address.clone() else { return Ok(None) };
        let credentials = self.credentials.as_deref().map(Credentials::read).transpose()?;
        let retry = RetryPolicy { retry_for: self.retry_for, stop: Arc::clone(stop) };
        Ok(Some(Remote { address, credentials, retry }))
    }

    pub(crate) fn is_remote(&self) -> bool {
        self.address.is_some()
    }

    /// The flags again, for a worker.
    pub(crate) fn flags(&self) -> Vec<std::ffi::OsString> {
        let mut flags = Vec::new();
        if let Some(address) = &self.address {
            flags.extend(["--queue".into(), address.to_string().into()]);
        }
        if let Some(file) = &self.credentials {
            flags.extend(["--credentials".into(), file.clone().into_os_string()]);
        }
        flags
    }
}
