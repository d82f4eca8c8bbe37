//! What several tests share.
#![allow(dead_code, unreachable_pub)]

pub mod chance;
pub mod files;
pub mod naive;
