//! What several tests share.

pub(crate) mod chance;
pub(crate) mod files;
pub(crate) mod naive;
