//! The integration tests, in one program.

mod bounds;
mod chaos;
mod common;
mod errors;
mod experiment;
mod games;
mod hostile;
mod house;
mod learn;
mod linear;
mod manual;
mod mutations;
mod readme;
mod reduce;
mod resume;
mod runs;
mod serve;
#[path = "../../../queue/tests/it/common/server.rs"]
mod server;
mod solve;
mod store;
mod stored;
