//! The longest game that starts with given moves, searched exhaustively in parts.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use geometry::{Game, Move};
use search::exhaustive::{self, ExhaustiveError, ExhaustiveOptions, Part};

use super::ProveError;
use crate::parts::{self, PartsFile};

/// The number of parts: enough for many threads, and to lose little when interrupted.
const PARTS: usize = 512;

/// The number of components that a thread remembers.
const MEMORY: usize = 2_000_000;

/// What the driver reports, from any thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A part is done, or still under way.
    Progress {
        /// Parts that are done.
        done: usize,
        /// All parts.
        total: usize,
    },
    /// A part is being searched; only asks whether to stop.
    Searching,
}

/// The longest games that start with given moves.
#[derive(Debug, Clone)]
pub struct Continuation {
    /// Their length.
    pub longest: usize,
    part: Part,
}

impl Continuation {
    /// One of them.
    pub fn moves(&self, game: &Game) -> Result<Vec<Move>, ProveError> {
        Ok(exhaustive::longest_game(game, &self.part, self.longest, ExhaustiveOptions::QUIET)?)
    }
}

/// Finds the length of the longest games that start with these moves. Results of parts are stored
/// in a file, if one is given, and read from there.
pub fn longest(
    game: &Game,
    start: &[Move],
    file: Option<&Path>,
    threads: u32,
    on: &(dyn Fn(Event) -> ControlFlow<()> + Sync),
) -> Result<Continuation, ProveError> {
    let parts = exhaustive::parts(game, start, PARTS);
    let ask = || on(Event::Searching);
    let settings = ExhaustiveOptions { memory: MEMORY, on: &ask };
    let moves: String = start.iter().map(|mv| mv.line.to_string().replace(' ', "")).collect();
    let work = format!("morpion-parts/1 tail {game} {moves}");
    let length = |_, text: &str| text.parse::<usize>().ok();
    let stored = match file {
        Some(path) => {
            let (file, results) = PartsFile::open(path, &work, parts.len(), length)?;
            (Some(file), results)
        }
        None => (None, BTreeMap::new()),
    };
    let search = |part: usize| {
        exhaustive::longest(game, &parts[part], settings).map_err(|error| match error {
            ExhaustiveError::Interrupted => ProveError::Interrupted,
            error => error.into(),
        })
    };
    let progress = |done| on(Event::Progress { done, total: parts.len() });
    let results = parts::resume(parts.len(), threads, stored, search, usize::to_string, &progress)?;
    if results.len() < parts.len() {
        return Err(ProveError::Interrupted);
    }
    let best = results.into_iter().map(|(part, length)| (length, part)).max();
    let (longest, part) = best.unwrap_or_default();
    Ok(Continuation { longest, part: parts[part].clone() })
}
