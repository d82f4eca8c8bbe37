//! The integration tests, in one program.

mod bounds;
mod chaos;
mod common;
mod damaged;
mod door;
mod errors;
mod experiment;
#[path = "../../../../fuzz/src/lib.rs"]
mod fuzz;
mod games;
mod hostile;
mod house;
#[cfg(target_os = "linux")]
mod interrupts;
mod learn;
mod linear;
mod manual;
mod mutations;
mod pages;
mod readers;
mod reduce;
mod refusals;
mod resume;
mod runs;
mod serve;
#[path = "../../../queue/tests/it/common/server.rs"]
mod server;
mod solve;
mod store;
mod stored;
#[path = "../../../queue/tests/it/common/until.rs"]
mod until;
