//! Seals: checksums by which damage to a stored row or file is noticed.

use sha2::{Digest as _, Sha256};

/// The SHA-256 of some bytes.
#[must_use]
pub fn hash(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// The seal of a row: of its columns one after the other, each with its length.
#[must_use]
pub fn seal(columns: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for column in columns {
        hash.update((column.len() as u64).to_le_bytes());
        hash.update(column);
    }
    hash.finalize().into()
}

/// Bytes as hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_that_of_the_standard() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(hex(&hash(b"")), empty);
    }

    #[test]
    fn a_seal_depends_on_where_columns_end() {
        assert_ne!(seal(&[b"ab", b"c"]), seal(&[b"a", b"bc"]));
        assert_ne!(seal(&[b"ab"]), seal(&[b"ab", b""]));
    }
}
