//! Search methods for long games of Morpion Solitaire.
//!
//! [`METHODS`] lists the methods with their parameters; [`MethodSpec`] is one of them with its
//! settings. A [`Search`] runs on the caller's thread, samples only the generator passed in, counts
//! its playouts against a [`Budget`] and reports [`Event`]s to a callback. Between two steps its
//! [`SearchState`] is data, from which it can be resumed. [`exhaustive`] proves that a game has no
//! longer continuation.
//!
//! Threads and files are left to `hunt`, what is legal to `rules`.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use geometry::Game;
//! use morpion_search::{Budget, MethodSpec, Rng};
//! use rand::SeedableRng;
//!
//! let game = Game::named("5D")?;
//! let method = MethodSpec::named("nmcs", &game, [("level", "1")])?;
//! let search = method.start(&game, &[], Rng::seed_from_u64(1));
//! let found = search.run(Budget::playouts(2_000), |_| ControlFlow::Continue(()));
//! assert!(found.len() > 50);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod auto;
mod budget;
pub mod clock;
pub mod exhaustive;
mod hash;
mod method;
mod nmcs;
mod notation;
mod nrpa;
mod parameter;
mod playout;
mod pool;
pub mod random;
mod random_games;
mod registry;
mod rs;
mod run;
mod sa;
mod state;
mod temper;
#[cfg(test)]
mod testing;

pub use budget::{Budget, BudgetMeter, Event, OnEvent, OnExchange, RungResult};
pub use method::Method;
pub use nmcs::Nmcs;
pub use notation::MoveList;
pub use nrpa::{Nrpa, NrpaPhase, Prior};
pub use parameter::{DefaultValue, Parameter, ParameterError, ParameterRange, ParameterValues};
pub use pool::Pool;
pub use random::Rng;
pub use random_games::RandomGames;
pub use registry::{METHODS, MethodBuild, MethodError, MethodInfo, MethodSpec};
pub use rs::{Rs, RsVariant};
pub use run::{Run, Search};
pub use sa::Sa;
pub use state::{MethodState, SearchState, StateError};
pub use temper::Temper;
