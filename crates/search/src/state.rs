//! A search between two playouts, as data.
//!
//! Every method serialises its state in a type of its own; what all have in common is here, with
//! the checks that all need. A state may come from a file that anybody has written: nothing in it
//! is trusted before it is checked.

use std::collections::BTreeMap;

use geometry::Move;
use rand::Rng as _;
use rules::{Engine, IllegalSequence};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::run::max_moves;
use crate::{MoveList, Rng};

/// A search between two playouts: all that is needed to continue as if it had never stopped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchState {
    pub(crate) playouts: u64,
    pub(crate) generator: Rng,
    pub(crate) best: MoveList,
    pub(crate) search: MethodState,
}

impl SearchState {
    /// The most playouts of one search, so that counters cannot overflow.
    pub const MAX_PLAYOUTS: u64 = 1 << 53;

    /// The number of playouts made.
    pub fn playouts(&self) -> u64 {
        self.playouts
    }

    /// The longest game so far. In a state from a file it may not be legal.
    pub fn best(&self) -> &[Move] {
        &self.best.0
    }

    /// Checks what does not depend on the game.
    pub(crate) fn check(&self) -> Result<(), StateError> {
        in_range(self.playouts <= Self::MAX_PLAYOUTS, "number of playouts")?;
        // The one state from which nothing but zeros follows.
        let mut generator = self.generator.clone();
        if (0..4).all(|_| generator.next_u64() == 0) {
            return Err(StateError::Generator);
        }
        Ok(())
    }

    /// The state of the method, if it is the one of this tag.
    pub(crate) fn method<T: DeserializeOwned>(&self, tag: &str) -> Result<T, StateError> {
        self.search.parse(tag)
    }
}

/// The state of a method: its tag and its data as JSON, not parsed yet.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MethodState(Box<RawValue>);

impl MethodState {
    /// The state of a method.
    pub fn new(tag: &str, data: &impl Serialize) -> Self {
        Self(to_raw_value(&BTreeMap::from([(tag, data)])).expect("plain data"))
    }

    /// The state of a method that has nothing to save but its name.
    pub fn empty(tag: &str) -> Self {
        Self(to_raw_value(tag).expect("plain data"))
    }

    /// Whether this is the state of a method that has nothing to save but its name.
    pub(crate) fn is_empty(&self, tag: &str) -> bool {
        serde_json::from_str::<String>(self.0.get()).is_ok_and(|found| found == tag)
    }

    fn parse<T: DeserializeOwned>(&self, tag: &str) -> Result<T, StateError> {
        let states: BTreeMap<String, &RawValue> =
            serde_json::from_str(self.0.get()).map_err(|_| StateError::Method)?;
        let data = states.get(tag).filter(|_| states.len() == 1).ok_or(StateError::Method)?;
        let malformed = |error: serde_json::Error| error.to_string().into();
        serde_json::from_str(data.get()).map_err(malformed).map_err(StateError::Malformed)
    }
}

impl PartialEq for MethodState {
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}

/// Why a search cannot be resumed from a state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// It is the state of another method.
    #[error("it is the state of another method")]
    Method,
    /// The data of the method cannot be read.
    #[error("it cannot be read: {0}")]
    Malformed(Box<str>),
    /// The generator would return nothing but zeros.
    #[error("its random generator is in an unreachable state")]
    Generator,
    /// A game has an illegal move.
    #[error("a game in it is not legal: {0}")]
    Illegal(#[from] IllegalSequence),
    /// A game begins with other moves.
    #[error("a game in it does not begin with the first moves of the search")]
    Prefix,
    /// A game is longer than games of this search can be.
    #[error("a game in it has more than {0} moves")]
    TooLong(usize),
    /// Lines that cannot all be drawn.
    #[error("the lines of a game in it cannot all be drawn")]
    Undrawable,
    /// Lines that are not those of the position.
    #[error("its lists of lines do not fit the position")]
    Lines,
    /// A number out of range.
    #[error("the {0} in it is out of range")]
    Range(&'static str),
}

/// `Ok` if the number called `name` is in range.
pub(crate) fn in_range(is: bool, name: &'static str) -> Result<(), StateError> {
    if is { Ok(()) } else { Err(StateError::Range(name)) }
}

/// The position after a game, which must be legal and begin with the moves `prefix`.
pub(crate) fn replayed<E: Engine>(
    engine: &E,
    prefix: &[Move],
    game: &[Move],
) -> Result<E::Position, StateError> {
    if !game.starts_with(prefix) {
        return Err(StateError::Prefix);
    }
    let most = prefix.len() + max_moves(engine.game());
    if game.len() > most {
        return Err(StateError::TooLong(most));
    }
    Ok(engine.position_after(game)?)
}
