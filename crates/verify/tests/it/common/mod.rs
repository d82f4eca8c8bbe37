//! What several tests share.

pub(crate) mod files;
pub(crate) mod naive;
pub(crate) mod random;
