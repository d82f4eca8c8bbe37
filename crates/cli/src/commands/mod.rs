//! The subcommands, one file each.

pub(crate) mod bench;
pub(crate) mod bound;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod count;
pub(crate) mod experiment;
mod judged;
pub(crate) mod learn;
pub(crate) mod man;
pub(crate) mod methods;
pub(crate) mod order;
pub(crate) mod reduce;
pub(crate) mod run;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod status;
pub(crate) mod store;
pub(crate) mod tail;
pub(crate) mod verify;
pub(crate) mod worker;
