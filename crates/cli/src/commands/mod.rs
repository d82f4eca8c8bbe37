//! The subcommands, one file each.

#[cfg(not(all(feature = "learn", feature = "serve")))]
pub(crate) mod absent;
pub(crate) mod bench;
pub(crate) mod bound;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod count;
pub(crate) mod endgame;
pub(crate) mod env;
pub(crate) mod experiment;
mod game_file;
#[cfg(feature = "learn")]
pub(crate) mod learn;
#[cfg(not(feature = "learn"))]
pub(crate) use absent as learn;
pub(crate) mod man;
pub(crate) mod methods;
pub(crate) mod order;
pub(crate) mod prove;
pub(crate) mod records;
pub(crate) mod reduce;
pub(crate) mod run;
pub(crate) mod search;
#[cfg(feature = "serve")]
pub(crate) mod serve;
#[cfg(not(feature = "serve"))]
pub(crate) use absent as serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod status;
pub(crate) mod store;
pub(crate) mod verify;
pub(crate) mod worker;
