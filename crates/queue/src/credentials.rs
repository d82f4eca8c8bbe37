//! Who a client is and whom it trusts, from a file that only its owner can read.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// The largest file read.
const LARGEST: u64 = 1 << 16;

/// What a client shows to a NATS server, and how it knows the server.
///
/// In a file, in TOML: `user` and `password`, or `token`; for TLS `ca` (the certificates that the
/// server's must come from), and `certificate` with `key` if the server wants to see one of the
/// client. Paths are relative to the file's folder.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    pub(crate) user: Option<String>,
    pub(crate) password: Option<String>,
    pub(crate) token: Option<String>,
    pub(crate) ca: Option<PathBuf>,
    pub(crate) certificate: Option<PathBuf>,
    pub(crate) key: Option<PathBuf>,
}

/// Why a file of credentials is refused. No message has a secret in it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadCredentials {
    /// Not readable.
    #[error("{0}: {1}")]
    File(String, std::io::Error),
    /// Others can read it.
    #[error("{0} can be read by others; chmod 600 {0}")]
    Open(String),
    /// Too large to be one.
    #[error("{0} is larger than {LARGEST} bytes: no file of credentials")]
    TooLarge(String),
    /// Not TOML, or with other fields.
    #[error(
        "{file}, line {line}: {reason}; fields are user, password, token, ca, certificate, key"
    )]
    Syntax {
        /// Which.
        file: String,
        /// Where.
        line: usize,
        /// What.
        reason: String,
    },
    /// Half of a pair, or two ways at once.
    #[error("{0}: {1}")]
    Unclear(String, &'static str),
}

impl Credentials {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, BadCredentials> {
        let name = path.display().to_string();
        let trouble = |error| BadCredentials::File(name.clone(), error);
        let about = std::fs::metadata(path).map_err(trouble)?;
        if readable_by_others(&about) {
            return Err(BadCredentials::Open(name));
        }
        if about.len() > LARGEST {
            return Err(BadCredentials::TooLarge(name));
        }
        let text = std::fs::read_to_string(path).map_err(trouble)?;
        let mut read: Self = toml::from_str(&text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            let line = 1 + text.bytes().take(start).filter(|&byte| byte == b'\n').count();
            BadCredentials::Syntax { file: name.clone(), line, reason: error.message().into() }
        })?;
        read.check().map_err(|what| BadCredentials::Unclear(name, what))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for file in [&mut read.ca, &mut read.certificate, &mut read.key].into_iter().flatten() {
            *file = folder.join(&*file);
        }
        Ok(read)
    }

    fn check(&self) -> Result<(), &'static str> {
        if self.user.is_some() != self.password.is_some() {
            return Err("user and password belong together");
        }
        if self.user.is_some() && self.token.is_some() {
            return Err("either user and password or token");
        }
        if self.certificate.is_some() != self.key.is_some() {
            return Err("certificate and key belong together");
        }
        Ok(())
    }
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Credentials").finish_non_exhaustive()
    }
}

#[cfg(unix)]
fn readable_by_others(about: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    about.mode() & 0o077 != 0
}

#[cfg(not(unix))]
fn readable_by_others(_about: &std::fs::Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn read(text: &str, mode: u32) -> Result<Credentials, BadCredentials> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("me.toml");
        std::fs::write(&path, text).expect("a file");
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(&path, mode).expect("the file is ours");
        Credentials::read(&path)
    }

    #[test]
    fn a_file_that_others_can_read_is_refused() {
        let text = "token = \"secret\"";
        assert!(matches!(read(text, 0o644), Err(BadCredentials::Open(_))));
        assert!(matches!(read(text, 0o640), Err(BadCredentials::Open(_))));
        let token = read(text, 0o600).expect("a private file").token;
        assert_eq!(token.as_deref(), Some("secret"));
    }

    #[test]
    fn a_mistake_is_named_without_the_secret() {
        for (text, part) in [
            ("token = \"s3cret\"\nuser = 3", "line 2"),
            ("token = \"s3cret\"\npasswort = \"x\"", "line 2"),
            ("user = \"s3cret\"", "belong together"),
            ("user = \"a\"\npassword = \"s3cret\"\ntoken = \"s3cret\"", "either"),
            ("key = \"s3cret\"", "belong together"),
        ] {
            let error = read(text, 0o600).expect_err(text).to_string();
            assert!(error.contains(part) && !error.contains("s3cret"), "{error}");
        }
        assert!(matches!(read(&"#".repeat(70_000), 0o600), Err(BadCredentials::TooLarge(_))));
    }

    #[test]
    fn certificates_lie_beside_the_file() {
        let read = read("ca = \"ca.pem\"", 0o600).expect("a private file");
        assert!(read.ca.expect("a path").is_absolute());
    }
}
