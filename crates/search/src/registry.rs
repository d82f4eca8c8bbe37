//! The list of methods, which the command line, plans and pages read.
//!
//! A new method is one file and one row of [`METHODS`].

use std::fmt;
use std::sync::Arc;

use geometry::{Game, Move};

use crate::nrpa::InformedNrpa;
use crate::{
    Method, Nrpa, Parameter, ParameterError, ParameterValues, Prior, Rng, Search, SearchState,
    StateError,
};
use crate::{auto, nmcs, nrpa, pool, random_games, rs, sa, temper};

/// All methods.
pub const METHODS: &[MethodInfo] = &[
    auto::INFO,
    random_games::INFO,
    rs::RS1,
    rs::RS1MAX,
    rs::RS2,
    sa::INFO,
    nmcs::INFO,
    nrpa::INFO,
    pool::INFO,
    temper::INFO,
];

/// The description of a method.
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
    /// How it is made.
    pub build: MethodBuild,
}

/// How a method is made.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum MethodBuild {
    /// From the values of its parameters.
    FromValues(fn(&ParameterValues) -> Arc<dyn Method>),
    /// It stands for another method, chosen by the game, whose parameters it takes.
    Alias(fn(&Game) -> &'static MethodInfo),
    /// By its owner: see [`MethodSpec::external`]. Such a method is not in [`METHODS`].
    External,
}

impl fmt::Debug for MethodBuild {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FromValues(_) => "FromValues",
            Self::Alias(_) => "Alias",
            Self::External => "External",
        })
    }
}

/// A method with its settings for a game.
#[derive(Debug, Clone)]
pub struct MethodSpec {
    info: &'static MethodInfo,
    resolved: &'static MethodInfo,
    values: ParameterValues,
    method: Arc<dyn Method>,
}

impl MethodSpec {
    /// The method of this name, with the values given as name and text and the defaults for `game`.
    pub fn named<'a>(
        name: &str,
        game: &Game,
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, MethodError> {
        let info = METHODS.iter().find(|info| info.name == name).ok_or(MethodError::Unknown)?;
        let resolved = match info.build {
            MethodBuild::Alias(resolve) => resolve(game),
            _ => info,
        };
        let MethodBuild::FromValues(build) = resolved.build else {
            return Err(MethodError::Unknown);
        };
        let values = ParameterValues::parse(resolved.parameters, game, given)?;
        let method = build(&values);
        Ok(Self { info, resolved, values, method })
    }

    /// A method that is not in [`METHODS`].
    pub fn external(
        info: &'static MethodInfo,
        values: ParameterValues,
        method: Arc<dyn Method>,
    ) -> Self {
        Self { info, resolved: info, values, method }
    }

    /// The same method, starting from prior knowledge; `None` if it cannot use any.
    pub fn with_prior(self, prior: Arc<Prior>) -> Option<Self> {
        (self.info.name == nrpa::INFO.name).then(|| {
            let method = Arc::new(InformedNrpa { nrpa: Nrpa::from(&self.values), prior });
            Self { info: &nrpa::INFORMED, method, ..self }
        })
    }

    /// Its description.
    pub fn info(&self) -> &'static MethodInfo {
        self.info
    }

    /// The description of the method that does the work: another one only for `auto`.
    pub fn resolved(&self) -> &'static MethodInfo {
        self.resolved
    }

    /// The values of its parameters.
    pub fn values(&self) -> &ParameterValues {
        &self.values
    }

    /// The method.
    pub fn method(&self) -> &dyn Method {
        &*self.method
    }

    /// Starts a search: see [`Method::start`].
    pub fn start(&self, game: &Game, prefix: &[Move], rng: Rng) -> Search {
        Search::start(&*self.method, game, prefix, rng)
    }

    /// Resumes a search: see [`Search::resume`].
    pub fn resume(
        &self,
        game: &Game,
        prefix: &[Move],
        state: &SearchState,
    ) -> Result<Search, StateError> {
        Search::resume(&*self.method, game, prefix, state)
    }
}

/// Why there is no such method.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MethodError {
    /// No method has that name.
    #[error("no such method; there is {}", names().join(", "))]
    Unknown,
    /// A parameter was not accepted.
    #[error(transparent)]
    Parameter(#[from] ParameterError),
}

fn names() -> Vec<&'static str> {
    METHODS.iter().map(|info| info.name).collect()
}
