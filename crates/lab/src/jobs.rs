//! Plans: many jobs, done by many workers, each accepted once.
//!
//! A [`JobPlan`] expands to [`Job`]s, whose ids depend on nothing but what is to be done.
//! [`coordinate`] stores them in an archive and enqueues them; [`work`] claims jobs, executes them
//! ([`execute`]) and submits the results. Workers are untrusted: the coordinator verifies every
//! result ([`verify_result`]) before it counts, and stores the game or proof in the transaction
//! that marks the job as done. The queue is any engine of [`queue`]'s traits: the archive's own
//! ([`store::EmbeddedCoordinator`]), NATS, or a shared folder.

mod coordinator;
mod execute;
mod job;
mod plan;
mod result;
mod shared_best;
mod worker;

pub use coordinator::{
    CoordinatorError, CoordinatorEvent, QuarantineReason, RunEnd, RunProgress, coordinate,
};
pub use execute::{OpenSolverError, WorkerContext, execute};
pub use job::{Job, ParseJobError, Work};
pub use plan::{JobPlan, PlanEntryError, PlanError};
pub use result::{JobResult, MOST_RESULT_BYTES, ResultError, verify_result};
pub use worker::{WorkError, WorkerEvent, work};
