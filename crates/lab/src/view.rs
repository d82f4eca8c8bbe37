//! Results as plain data, the same for every door.

pub mod method;
