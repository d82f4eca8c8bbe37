//! All positions of a game, counted in parts.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use geometry::Game;
use rules::count::partition::{self, WeightedPart};

use super::{ProveError, create_folder};
use crate::parts::{self, PartsFile};

/// The minimum number of parts.
const PARTS: usize = 1000;

/// What the driver reports, from any thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A part is counted.
    Progress {
        /// Parts that are counted.
        done: usize,
        /// All parts.
        total: usize,
    },
}

/// All positions of a game.
#[derive(Debug, Clone)]
pub struct Enumeration {
    /// Positions by number of moves.
    pub positions: Vec<u128>,
    /// Positions by number of moves, up to the symmetries of the start.
    pub classes: Vec<u128>,
    /// The number of parts.
    pub parts: usize,
    /// Where the counts of the parts are stored.
    pub file: PathBuf,
}

/// Counts all positions; the counts of parts are stored in a folder, and read from there.
pub fn count(
    game: &Game,
    folder: &Path,
    threads: u32,
    on: &(dyn Fn(Event) -> ControlFlow<()> + Sync),
) -> Result<Enumeration, ProveError> {
    create_folder(folder)?;
    let parts = partition::parts(game, PARTS);
    let file = folder.join(format!("{game}.parts"));
    let work = format!("morpion-parts/1 positions {game} in {} parts", parts.len());
    let read = |part: usize, text: &str| counts_of(&parts[part], text);
    let (stored, counted) = PartsFile::open(&file, &work, parts.len(), read)?;
    let stored = (Some(stored), counted);
    let count_part = |part: usize| Ok::<_, ProveError>(partition::count(game, &parts[part].part)?);
    let write =
        |counts: &Vec<u128>| counts.iter().map(u128::to_string).collect::<Vec<String>>().join(" ");
    let progress = |done| on(Event::Progress { done, total: parts.len() });
    let results = parts::resume(parts.len(), threads, stored, count_part, write, &progress)?;
    if results.len() < parts.len() {
        return Err(ProveError::Interrupted);
    }
    let mut positions: Vec<u128> = Vec::new();
    for (part, counts) in results {
        add(&mut positions, &counts, &parts[part]);
    }
    let classes = rules::count::classes_from_positions(game, positions.clone())?;
    Ok(Enumeration { positions, classes, parts: parts.len(), file })
}

/// The counts of a part, if they can be: the first is the position that the part begins with.
fn counts_of(WeightedPart { part, .. }: &WeightedPart, text: &str) -> Option<Vec<u128>> {
    let counts: Vec<u128> =
        text.split(' ').map(|count| count.parse().ok()).collect::<Option<_>>()?;
    let (before, first) = counts.split_at_checked(part.played.len())?;
    (before.iter().all(|&none| none == 0) && first.first() == Some(&1)).then_some(counts)
}

/// Adds the counts of a part, times its weight.
fn add(sum: &mut Vec<u128>, counts: &[u128], WeightedPart { weight, .. }: &WeightedPart) {
    sum.resize(sum.len().max(counts.len()), 0);
    for (sum, count) in sum.iter_mut().zip(counts) {
        *sum += u128::from(*weight) * count;
    }
}
