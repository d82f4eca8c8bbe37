//! The list of methods, from which help, plans and pages read.

use std::fmt;
use std::sync::Arc;

use geometry::{Game, Move};
use rules::Engine;

use crate::nrpa::Informed;
use crate::{
    BadParameter, BadState, Budget, Meter, Nmcs, Nrpa, Observer, Parameter, Pool, Prior, Random,
    Rng, Rs, Sa, Searcher, State, Temper, Values, Variant,
};
use crate::{auto, nmcs, nrpa, pool, random, rs, sa, temper};

/// What there is to know about a method.
#[derive(Debug, Clone, Copy)]
pub struct MethodInfo {
    /// Its name, as in `--method nrpa`.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub summary: &'static str,
    /// Who published it.
    pub source: &'static str,
    /// What `--playouts` counts.
    pub playout: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
}

/// All methods.
pub const METHODS: &[MethodInfo] = &[
    auto::INFO,
    random::INFO,
    rs::RS1,
    rs::RS1MAX,
    rs::RS2,
    sa::INFO,
    nmcs::INFO,
    nrpa::INFO,
    pool::INFO,
    temper::INFO,
];

/// A method that this crate knows nothing of but how to begin it.
///
/// Its searches cannot be saved. They count games, and begin none without asking the meter.
pub trait Outside: fmt::Debug + Send + Sync {
    /// The best game found that begins with the moves `from`, these included.
    fn search(&self, game: &Game, from: &[Move], meter: &mut Meter<'_>, rng: &mut Rng)
    -> Vec<Move>;
}

/// A method with its settings.
#[derive(Debug, Clone)]
pub struct Method {
    info: &'static MethodInfo,
    behind: &'static MethodInfo,
    values: Values,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Random(Random),
    Rs(Rs),
    Sa(Sa),
    Nmcs(Nmcs),
    Nrpa(Nrpa),
    Informed(Informed),
    Pool(Pool),
    Temper(Temper),
    Outside(Arc<dyn Outside>),
}

impl Method {
    /// The method of this name for this game, with the values given and defaults for the rest.
    pub fn named<'a>(
        name: &str,
        game: &Game,
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, UnknownMethod> {
        let info = METHODS.iter().find(|info| info.name == name).ok_or(UnknownMethod::Name)?;
        let behind = if name == auto::INFO.name { auto::behind(game) } else { info };
        let values = Values::read(behind.parameters, game, given)?;
        let kind = match behind.name {
            "rs1" => Kind::Rs(Rs::of(Variant::Average, &values)),
            "rs1max" => Kind::Rs(Rs::of(Variant::LongestAfter, &values)),
            "rs2" => Kind::Rs(Rs::of(Variant::Longest, &values)),
            "nmcs" => Kind::Nmcs(Nmcs::of(&values)),
            "sa" => Kind::Sa(Sa::of(&values)),
            "nrpa" => Kind::Nrpa(Nrpa::of(&values)),
            "pool" => Kind::Pool(Pool::of(&values)),
            "temper" => Kind::Temper(Temper::of(&values)),
            _ => Kind::Random(Random),
        };
        Ok(Self { info, behind, values, kind })
    }

    /// A method from outside, which is not in [`METHODS`].
    pub fn outside(info: &'static MethodInfo, values: Values, searcher: Arc<dyn Outside>) -> Self {
        Self { info, behind: info, values, kind: Kind::Outside(searcher) }
    }

    /// The same method, beginning with what is known beforehand; `None` if it has no use for that.
    pub fn with_prior(self, prior: Arc<Prior>) -> Option<Self> {
        match self.kind {
            Kind::Nrpa(nrpa) => {
                let kind = Kind::Informed(Informed { nrpa, prior });
                Some(Self { info: &nrpa::INFORMED, kind, ..self })
            }
            _ => None,
        }
    }

    /// What there is to know about it.
    pub fn info(&self) -> &'static MethodInfo {
        self.info
    }

    /// The method that does the work: itself, but for `auto`.
    pub fn behind(&self) -> &'static MethodInfo {
        self.behind
    }

    /// The values of its parameters.
    pub fn values(&self) -> &Values {
        &self.values
    }
}

impl Searcher for Method {
    fn search<E: Engine>(
        &self,
        engine: &E,
        from: &[Move],
        budget: Budget,
        rng: &mut Rng,
        observer: &mut dyn Observer,
    ) -> Vec<Move> {
        match &self.kind {
            Kind::Random(method) => method.search(engine, from, budget, rng, observer),
            Kind::Rs(method) => method.search(engine, from, budget, rng, observer),
            Kind::Nmcs(method) => method.search(engine, from, budget, rng, observer),
            Kind::Sa(method) => method.search(engine, from, budget, rng, observer),
            Kind::Nrpa(method) => method.search(engine, from, budget, rng, observer),
            Kind::Informed(method) => method.search(engine, from, budget, rng, observer),
            Kind::Pool(method) => method.search(engine, from, budget, rng, observer),
            Kind::Temper(method) => method.search(engine, from, budget, rng, observer),
            Kind::Outside(method) => {
                method.search(engine.game(), from, &mut Meter::new(budget, observer), rng)
            }
        }
    }

    fn resume<E: Engine>(
        &self,
        engine: &E,
        from: &[Move],
        state: &State,
        budget: Budget,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Move>, BadState> {
        match &self.kind {
            Kind::Random(method) => method.resume(engine, from, state, budget, observer),
            Kind::Rs(method) => method.resume(engine, from, state, budget, observer),
            Kind::Nmcs(method) => method.resume(engine, from, state, budget, observer),
            Kind::Sa(method) => method.resume(engine, from, state, budget, observer),
            Kind::Nrpa(method) => method.resume(engine, from, state, budget, observer),
            Kind::Informed(method) => method.resume(engine, from, state, budget, observer),
            Kind::Pool(method) => method.resume(engine, from, state, budget, observer),
            Kind::Temper(method) => method.resume(engine, from, state, budget, observer),
            Kind::Outside(_) => Err(BadState::Method),
        }
    }
}

/// Why there is no such method.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownMethod {
    /// No method has that name.
    #[error("no such method; there is {}", METHODS.iter().map(|info| info.name).collect::<Vec<_>>().join(", "))]
    Name,
    /// A parameter was not accepted.
    #[error(transparent)]
    Parameter(#[from] BadParameter),
}
