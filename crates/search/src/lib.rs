//! Ways of looking for long games.
//!
//! A method runs on the caller's thread, draws only from the generator passed in and asks the
//! [`Budget`] for time; its [`State`] is data, from which it goes on later. [`METHODS`] lists them all with their parameters. Threads, files and
//! printing are `run`'s and `cli`'s work; what is legal is `rules`'.

mod auto;
mod budget;
mod chance;
pub mod exhaustive;
mod method;
mod nmcs;
mod notation;
mod nrpa;
mod parameter;
mod playout;
mod pool;
mod random;
mod rs;
mod sa;
mod state;
mod stepwise;
mod temper;

pub use budget::{Budget, Ended, Meter, Observer, Unwatched};
pub use chance::Rng;
pub use method::{METHODS, Method, MethodInfo, Outside, UnknownMethod};
pub use nmcs::Nmcs;
pub use notation::{Moves, TooFar};
pub use nrpa::{Nrpa, NrpaPart, Prior};
pub use parameter::{BadParameter, Default, Kind, Parameter, Values};
pub use pool::Pool;
pub use random::Random;
pub use rs::{Rs, Variant};
pub use sa::Sa;
pub use state::{BadState, State};
pub use temper::Temper;

use geometry::Move;
use rules::{Engine, LineBoard, Position};

/// A way of looking for long games.
///
/// The same game, seed and number of playouts give the same result.
pub trait Searcher {
    /// The best game found that begins with the moves `from`, these included.
    ///
    /// The moves `from` must be legal. The observer is told whole games too.
    fn search<E: Engine>(
        &self,
        engine: &E,
        from: &[Move],
        budget: Budget,
        rng: &mut Rng,
        observer: &mut dyn Observer,
    ) -> Vec<Move>;

    /// The best game found by a search that goes on from `state`, as if it had never stopped.
    ///
    /// The game, the moves `from` and this method must be those of the search that the state is of.
    /// Its playouts count: the budget is for both.
    fn resume<E: Engine>(
        &self,
        engine: &E,
        from: &[Move],
        state: &State,
        budget: Budget,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Move>, BadState>;
}

/// A position after the moves `from`.
fn position_after<E: Engine>(engine: &E, from: &[Move]) -> E::Position {
    let mut position = engine.position();
    for &mv in from {
        position.play(mv).expect("the first moves are legal");
    }
    position
}

/// Draws moves on a board.
fn draw_all<L: LineBoard>(board: &mut L, moves: &[Move]) {
    for mv in moves {
        let number = board.line_id(mv.line).filter(|&number| board.is_legal(number));
        board.draw(number.expect("the first moves are legal"));
    }
}

/// The number of moves at which a playout is cut: some games never end.
///
/// Far beyond every game that is known to end: no game of the usual ones passes 705 moves (Demaine
/// et al. 2006), and disjoint lines of 5 or more give fewer than four moves for each dot of a start.
fn longest(game: &geometry::Game) -> usize {
    (4 * game.start.dots().len()).max(10_000)
}
