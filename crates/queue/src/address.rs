//! Where a queue is.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Where a queue is: a server, several servers of one cluster, or a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// `nats://HOST:PORT`, or `tls://HOST:PORT` for TLS; several separated by commas.
    Nats(String),
    /// `spool:FOLDER`.
    Spool(PathBuf),
}

/// Why a text is not the address of a queue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseAddressError {
    /// No such kind of queue.
    #[error("unknown queue address `{0}`; use nats://HOST:4222, tls://HOST:4222 or spool:FOLDER")]
    Kind(String),
    /// A secret where every user of the machine can read it.
    #[error(
        "a user name or password in the address can be read by all users of this machine; \
         put it into a file and pass that with --credentials"
    )]
    Secret,
}

impl FromStr for Address {
    type Err = ParseAddressError;

    fn from_str(text: &str) -> Result<Self, ParseAddressError> {
        if let Some(folder) = text.strip_prefix("spool:").filter(|folder| !folder.is_empty()) {
            return Ok(Self::Spool(folder.into()));
        }
        for server in text.split(',') {
            let host = server.strip_prefix("nats://").or_else(|| server.strip_prefix("tls://"));
            match host {
                Some(host) if host.contains('@') => return Err(ParseAddressError::Secret),
                Some(host) if !host.is_empty() => {}
                _ => return Err(ParseAddressError::Kind(text.chars().take(200).collect())),
            }
        }
        Ok(Self::Nats(text.into()))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nats(url) => formatter.write_str(url),
            Self::Spool(folder) => write!(formatter, "spool:{}", folder.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_servers_or_a_folder() {
        for good in ["nats://a:4222", "tls://a:1,tls://b:2", "spool:/data/q", "spool:q"] {
            assert_eq!(good.parse::<Address>().map(|address| address.to_string()), Ok(good.into()));
        }
        for bad in ["", "a:4222", "http://a", "spool:", "nats://", "nats://a,b"] {
            assert!(matches!(bad.parse::<Address>(), Err(ParseAddressError::Kind(_))), "{bad:?}");
        }
    }

    #[test]
    fn a_password_in_an_address_is_refused() {
        assert_eq!("nats://me:secret@a:4222".parse::<Address>(), Err(ParseAddressError::Secret));
    }
}
