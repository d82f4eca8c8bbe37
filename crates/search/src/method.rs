//! What a search method is, and how most are written: once, for every engine.

use std::fmt;

use geometry::{Game, Move};
use rules::{Engine, EngineVisitor, PlainEngine, with_engine_after};

use crate::run::SearchBase;
use crate::{Rng, Run};

/// A search method with its settings.
///
/// The same game, seed and number of playouts give the same result.
pub trait Method: fmt::Debug + Send + Sync {
    /// Starts a search for long games that begin with the moves `prefix`, on the fastest engine.
    ///
    /// # Panics
    /// If the moves are not legal.
    fn start(&self, game: &Game, prefix: &[Move], rng: &mut Rng) -> Box<dyn Run>;

    /// Starts the same search on the plain engine, for comparison.
    fn start_plain(&self, game: &Game, prefix: &[Move], rng: &mut Rng) -> Box<dyn Run> {
        self.start(game, prefix, rng)
    }
}

/// A method that is generic over the engine, so that its inner loops are compiled for each.
pub(crate) trait EngineMethod: fmt::Debug + Send + Sync {
    /// Starts a search on an engine.
    fn start_on<E: Engine>(&self, base: SearchBase<E>, rng: &mut Rng) -> Box<dyn Run>;
}

impl<M: EngineMethod> Method for M {
    fn start(&self, game: &Game, prefix: &[Move], rng: &mut Rng) -> Box<dyn Run> {
        with_engine_after(game, prefix, Starter { method: self, prefix, rng })
    }

    fn start_plain(&self, game: &Game, prefix: &[Move], rng: &mut Rng) -> Box<dyn Run> {
        Starter { method: self, prefix, rng }.visit(&PlainEngine::new(game.clone()))
    }
}

struct Starter<'a, M> {
    method: &'a M,
    prefix: &'a [Move],
    rng: &'a mut Rng,
}

impl<M: EngineMethod> EngineVisitor for Starter<'_, M> {
    type Output = Box<dyn Run>;

    fn visit<E: Engine>(self, engine: &E) -> Box<dyn Run> {
        self.method.start_on(SearchBase::new(engine, self.prefix), self.rng)
    }
}
