//! Searches for proofs: threads, files, and the verifier at the end.

pub mod cover;
