//! Ways of looking for long games.
//!
//! A method runs on the caller's thread, draws only from the generator passed in and asks the
//! [`Budget`] for time. Threads, files and printing are `run`'s and `cli`'s work; what is legal is
//! `rules`'.

mod budget;
mod random;
mod temper;

pub use budget::{Budget, Meter, Observer, Unwatched};
pub use random::Random;
pub use temper::Temper;

use geometry::Move;
use rules::Board;

/// Where every random choice comes from: xoshiro256++, seeded by the caller.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// A way of looking for long games.
///
/// The same start, seed and number of playouts give the same game.
pub trait Searcher {
    /// The best game found from `start`: the moves after it.
    fn search<B: Board>(
        &mut self,
        start: &B,
        budget: Budget,
        rng: &mut Rng,
        observer: &mut dyn Observer,
    ) -> Vec<Move>;
}
