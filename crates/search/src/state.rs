//! A search between two playouts, as data.
//!
//! Every method keeps what only it knows in a type of its own; what all have in common is here, with
//! the checks that all need. A state may come from a file that anybody has written: nothing in it is
//! believed before it is checked.

use geometry::Move;
use rand::Rng as _;
use rules::{Engine, IllegalMove, Position};
use serde::{Deserialize, Serialize};

use crate::{Ended, Moves, Rng, longest};
use crate::{nmcs, nrpa, pool, rs, sa, temper};

/// A search between two playouts: all that is needed to go on as if it had never stopped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// How many playouts were made.
    pub(crate) playouts: u64,
    pub(crate) generator: Rng,
    /// The best game so far.
    pub(crate) best: Moves,
    pub(crate) search: Inside,
}

/// What only the method knows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Inside {
    Random,
    Rs(rs::Saved),
    Sa(sa::Saved),
    Nmcs(nmcs::Saved),
    Nrpa(nrpa::Saved),
    Pool(pool::Saved),
    Temper(temper::Saved),
}

impl State {
    /// The most playouts of one search: beyond it counting would come to its end.
    pub const MOST_PLAYOUTS: u64 = 1 << 53;

    /// How many playouts were made.
    pub fn playouts(&self) -> u64 {
        self.playouts
    }

    /// The best game so far. What a file says it is may not be legal.
    pub fn best(&self) -> &[Move] {
        &self.best.0
    }

    /// What the search has told at its meetings with those of other threads, in their order.
    pub fn told(&self) -> &[Option<Ended>] {
        match &self.search {
            Inside::Temper(saved) => saved.told(),
            _ => &[],
        }
    }

    /// The best game, if all is well with what every method has.
    pub(crate) fn checked<E: Engine>(
        &self,
        engine: &E,
        from: &[Move],
    ) -> Result<Vec<Move>, BadState> {
        if self.playouts > Self::MOST_PLAYOUTS {
            return Err(BadState::Range("number of playouts"));
        }
        // The one state from which nothing but zeros follow.
        let mut generator = self.generator.clone();
        if (0..4).all(|_| generator.next_u64() == 0) {
            return Err(BadState::Generator);
        }
        replayed(engine, from, &self.best.0)?;
        Ok(self.best.0.clone())
    }
}

/// Why a search cannot go on from a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadState {
    /// It is the state of another method.
    #[error("it is the state of another method")]
    Method,
    /// The generator would give nothing but zeros.
    #[error("its generator is in a state that it can never reach")]
    Generator,
    /// A game has an illegal move.
    #[error("move {number} of a game in it is not legal: {fault}")]
    Illegal {
        /// Which move, counted from 1.
        number: usize,
        /// Why.
        fault: IllegalMove,
    },
    /// A game begins otherwise.
    #[error("a game in it does not begin with the moves that the search begins with")]
    Beginning,
    /// A game is longer than games of this search can be.
    #[error("a game in it has more than {0} moves")]
    TooLong(usize),
    /// Lines that cannot all be drawn.
    #[error("the lines of a game in it cannot all be drawn")]
    Undrawable,
    /// Lines that are not those of the position.
    #[error("what it says can be drawn or erased is not what can be")]
    Lines,
    /// A number out of range.
    #[error("the {0} in it is out of range")]
    Range(&'static str),
}

/// `Ok` if a number that is called `name` is in range.
pub(crate) fn in_range(is: bool, name: &'static str) -> Result<(), BadState> {
    if is { Ok(()) } else { Err(BadState::Range(name)) }
}

/// The position after a game, which must be legal and begin with the moves `from`.
pub(crate) fn replayed<E: Engine>(
    engine: &E,
    from: &[Move],
    game: &[Move],
) -> Result<E::Position, BadState> {
    if !game.starts_with(from) {
        return Err(BadState::Beginning);
    }
    let most = from.len() + longest(engine.game());
    if game.len() > most {
        return Err(BadState::TooLong(most));
    }
    let mut position = engine.position();
    for (number, &mv) in (1..).zip(game) {
        position.play(mv).map_err(|fault| BadState::Illegal { number, fault })?;
    }
    Ok(position)
}
