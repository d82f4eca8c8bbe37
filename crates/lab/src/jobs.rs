//! Plans: many tasks, done by many workers, each accepted once.
//!
//! A [`Plan`] says what is wanted and expands to [`Task`]s, whose ids depend on nothing but what is to be
//! done. [`coordinate`] keeps them in an archive and hands them to a queue; [`work`] takes tasks from
//! it, does them ([`perform`]) and hands in what came of them. A worker is not trusted: the coordinator
//! has the judge look at every result ([`judge_result`]) before it counts, and keeps the game or proof in
//! the same change that marks the task as done. The queue is whatever implements [`CoordinatorQueue`] and
//! [`WorkerQueue`]: the one in the archive itself ([`embedded`]), or an engine for many machines ([`remote`]).

mod coordinator;
pub mod embedded;
mod execute;
mod job;
mod plan;
mod queue;
pub mod remote;
mod result;
mod shared_best;
mod worker;

pub use coordinator::{CoordinateError, CoordinatorWatcher, Ending, Standing, coordinate};
pub use execute::{NoSolver, Workshop, perform};
pub use job::{BadTask, Task, Work};
pub use plan::{BadPlan, Plan};
pub use queue::{Answer, Claim, CoordinatorQueue, Held, Outcome, QueueError, Told, WorkerQueue};
pub use result::{MOST_RESULT_BYTES, Refused, TaskResult, judge_result};
pub use worker::{WorkError, WorkerWatcher, work};
