//! How a client authenticates and which servers it trusts, from a file private to its owner.

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// The largest file read.
const LARGEST: u64 = 1 << 16;

/// How a client authenticates to a NATS server, and how it authenticates the server.
///
/// A TOML file: `user` and `password`, or `token`; for TLS `ca` (the certificate authorities that
/// may sign the server's certificate), and `certificate` with `key` if the server asks for a client
/// certificate. Paths are relative to the file's folder.
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

/// Why a credentials file is rejected. No message contains a secret.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CredentialsError {
    /// It cannot be read.
    #[error("{0}: {1}")]
    File(String, std::io::Error),
    /// Other users can read it, or the private key that it names.
    #[error("{0} can be read by other users; run chmod 600 {0}")]
    Open(String),
    /// Too large to be one.
    #[error("{0} is larger than {LARGEST} bytes, so it is not a credentials file")]
    TooLarge(String),
    /// Not TOML, or with unknown fields.
    #[error(
        "{file}, line {line}: {reason}; fields are user, password, token, ca, certificate, key"
    )]
    Syntax {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// Half of a pair, or two ways to authenticate.
    #[error("{0}: {1}")]
    Inconsistent(String, &'static str),
}

impl Credentials {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, CredentialsError> {
        let name = path.display().to_string();
        let unreadable = |error| CredentialsError::File(name.clone(), error);
        let metadata = std::fs::metadata(path).map_err(unreadable)?;
        if is_readable_by_others(&metadata) {
            return Err(CredentialsError::Open(name));
        }
        if metadata.len() > LARGEST {
            return Err(CredentialsError::TooLarge(name));
        }
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        let mut credentials: Self = toml::from_str(&text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            let line = 1 + text.bytes().take(start).filter(|&byte| byte == b'\n').count();
            CredentialsError::Syntax { file: name.clone(), line, reason: error.message().into() }
        })?;
        credentials.check().map_err(|what| CredentialsError::Inconsistent(name, what))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for file in [&mut credentials.ca, &mut credentials.certificate, &mut credentials.key]
            .into_iter()
            .flatten()
        {
            *file = folder.join(&*file);
        }
        if let Some(key) = &credentials.key
            && std::fs::metadata(key).is_ok_and(|key| is_readable_by_others(&key))
        {
            return Err(CredentialsError::Open(key.display().to_string()));
        }
        Ok(credentials)
    }

    fn check(&self) -> Result<(), &'static str> {
        if self.user.is_some() != self.password.is_some() {
            return Err("user and password must be given together");
        }
        if self.user.is_some() && self.token.is_some() {
            return Err("give either user and password or token");
        }
        if self.certificate.is_some() != self.key.is_some() {
            return Err("certificate and key must be given together");
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
fn is_readable_by_others(metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.mode() & 0o077 != 0
}

#[cfg(not(unix))]
fn is_readable_by_others(_metadata: &std::fs::Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn read(text: &str, mode: u32) -> Result<Credentials, CredentialsError> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("me.toml");
        std::fs::write(&path, text).expect("a file");
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(&path, mode).expect("the file is ours");
        Credentials::read(&path)
    }

    #[test]
    fn a_file_that_other_users_can_read_is_rejected() {
        let text = "token = \"secret\"";
        assert!(matches!(read(text, 0o644), Err(CredentialsError::Open(_))));
        assert!(matches!(read(text, 0o640), Err(CredentialsError::Open(_))));
        let token = read(text, 0o600).expect("a private file").token;
        assert_eq!(token.as_deref(), Some("secret"));
    }

    #[test]
    fn nor_is_a_private_key_that_they_can_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str, mode| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a file");
            let mode = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(&path, mode).expect("the file is ours");
            path
        };
        let file = write("me.toml", "certificate = \"me.pem\"\nkey = \"me.key\"", 0o600);
        write("me.key", "a key", 0o644);
        let error = Credentials::read(&file).expect_err("everybody can read the key");
        assert!(matches!(&error, CredentialsError::Open(name) if name.ends_with("me.key")));
        write("me.key", "a key", 0o600);
        Credentials::read(&file).expect("a private key");
    }

    #[test]
    fn an_error_names_the_mistake_and_not_the_secret() {
        for (text, part) in [
            ("token = \"s3cret\"\nuser = 3", "line 2"),
            ("token = \"s3cret\"\npasswort = \"x\"", "line 2"),
            ("user = \"s3cret\"", "must be given together"),
            ("user = \"a\"\npassword = \"s3cret\"\ntoken = \"s3cret\"", "either"),
            ("key = \"s3cret\"", "must be given together"),
        ] {
            let error = read(text, 0o600).expect_err(text).to_string();
            assert!(error.contains(part) && !error.contains("s3cret"), "{error}");
        }
        assert!(matches!(read(&"#".repeat(70_000), 0o600), Err(CredentialsError::TooLarge(_))));
    }

    #[test]
    fn certificate_paths_are_relative_to_the_file() {
        let read = read("ca = \"ca.pem\"", 0o600).expect("a private file");
        assert!(read.ca.expect("a path").is_absolute());
    }
}
