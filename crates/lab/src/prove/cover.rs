//! The search for a cover, on several threads.
//!
//! Every thread takes a cell of hulls, solves its relaxation, and splits what that does not bound.
//! Each cell is stored at once in one file per game. What was proven for another target is still
//! true, so a search for any target resumes from there.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::str::FromStr;
use std::sync::{Condvar, Mutex, MutexGuard};

use bound::blocks::{self, HullRange, RangeBound, SizeRanges, SizeTree, SizeTreeError};
use bound::cover::{CellName, CellSplit, HullCell};
use bound::{Cover, HullFamily, Octagon};
use geometry::Game;
use solver::Solver;

use super::{ProofFile, ProveError, create_folder, verify_and_write};
use crate::parts::{self, PartsFile};

/// The most linear programs for one hull.
const MAX_PROGRAMS: usize = 200;

/// What is to be proven, and how.
#[derive(Debug, Clone, Copy)]
pub struct CoverRequest<'a> {
    /// The game.
    pub game: &'a Game,
    /// The bound.
    pub target: u32,
    /// Where cells are stored, and the proof at the end.
    pub folder: &'a Path,
    /// The number of threads.
    pub threads: u32,
    /// The solver.
    pub solver: Solver,
}

/// What the driver reports, from any thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// What the folder already holds.
    Resumed(CoverProgress),
    /// How far the search is. Sent before every linear program.
    Progress(CoverProgress),
}

/// How far a search is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CoverProgress {
    /// Ranges of hulls that prove something.
    pub ranges: usize,
    /// Classes of hulls that are covered.
    pub covered: usize,
    /// Classes of hulls that must be covered.
    pub classes: usize,
}

/// Bounds ranges of hulls until they cover the family of the game, and writes the proof.
pub fn prove(
    request: CoverRequest<'_>,
    on: &(dyn Fn(Event) -> ControlFlow<()> + Sync),
) -> Result<ProofFile, ProveError> {
    let CoverRequest { game, target, folder, .. } = request;
    let family = HullFamily::new(game)?;
    create_folder(folder)?;
    let path = folder.join(format!("{}.cells", game.rules));
    let work = format!("morpion-parts/1 cells of hulls of {} for morpion-cover/5", game.rules);
    let (file, lines) = PartsFile::open(&path, &work, usize::MAX, |_, cell| cell.parse().ok())?;
    let next = lines.last_key_value().map_or(0, |(last, _)| last + 1);
    let known: Vec<StoredCell> = lines.into_values().collect();
    let mut shared = Shared {
        open: HullCell::all(&family, target),
        working: 0,
        is_over: false,
        progress: CoverProgress::default(),
        splits: HashMap::new(),
        ranges: Vec::new(),
        next,
        file,
    };
    shared.progress.classes = shared.open.iter().map(HullCell::len).sum();
    shared.admit(&known, target);
    if !known.is_empty() && on(Event::Resumed(shared.progress)).is_break() {
        return Err(ProveError::Interrupted);
    }
    let pool = Pool { request, on, shared: Mutex::new(shared), changed: Condvar::new() };
    let work = |_, cell: HullCell| Ok::<_, ProveError>(pool.find(cell));
    parts::run(std::iter::from_fn(|| pool.next()), request.threads, work, |found| {
        let mut shared = pool.lock();
        let stored = found.and_then(|found| shared.store(found));
        shared.working -= 1;
        shared.is_over |= stored.is_err();
        pool.changed.notify_all();
        stored.map(ControlFlow::Continue)
    })?;
    let ranges = pool.shared.into_inner().expect("no thread panics").ranges;
    let cover = Cover { rules: game.rules, bound: target, ranges };
    let file = folder.join(format!("{}-{target}.cover.gz", game.rules));
    verify_and_write(&cover.to_bytes(), Some(file))
}

/// A cell whose relaxation was solved: its range, where to split it, and what proves it, with `;`
/// between its lines.
#[derive(Debug, Clone, PartialEq)]
struct StoredCell {
    name: CellName,
    range: HullRange,
    /// What was certified for all of its hulls, for people who read the file.
    value: f64,
    split: Option<CellSplit>,
    tree: String,
}

impl StoredCell {
    /// What it proves for the hulls of its range.
    fn bound(&self) -> Option<RangeBound> {
        SizeTree::parse(&self.range, &self.tree()).map(|tree| tree.bound(&self.range))
    }

    /// The tree as it stands in a proof.
    fn tree(&self) -> String {
        self.tree.replace(';', "\n") + "\n"
    }
}

impl FromStr for StoredCell {
    type Err = ();

    fn from_str(line: &str) -> Result<Self, ()> {
        let words: Vec<&str> = line.splitn(6, ' ').collect();
        let [name, board, slack, value, split, tree] = words[..] else { return Err(()) };
        let split = match split.split_once(',') {
            None if split == "-" => None,
            None => return Err(()),
            Some((side, most)) => {
                let side = side.parse().ok().filter(|side| *side < 8).ok_or(())?;
                Some(CellSplit { side, most: most.parse().map_err(|_| ())? })
            }
        };
        let value = value.parse().ok().filter(|value: &f64| !value.is_nan()).ok_or(())?;
        let range = format!("{board} {slack}").parse().map_err(|_| ())?;
        let name = CellName::parse(name).ok_or(())?;
        Ok(Self { name, range, value, split, tree: tree.to_owned() })
    }
}

/// Prints as the line from which it is read.
impl std::fmt::Display for StoredCell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, range, value, split, tree } = self;
        let split = split.map_or("-".to_owned(), |it| format!("{},{}", it.side, it.most));
        write!(f, "{name} {range} {value:.3} {split} {tree}")
    }
}

/// What the threads share.
struct Pool<'a> {
    request: CoverRequest<'a>,
    on: &'a (dyn Fn(Event) -> ControlFlow<()> + Sync),
    shared: Mutex<Shared>,
    /// Notified when a cell is finished.
    changed: Condvar,
}

struct Shared {
    /// The cells that nobody works on yet; none is empty.
    open: Vec<HullCell>,
    /// How many cells threads are working on.
    working: usize,
    /// Whether no further cell is taken.
    is_over: bool,
    progress: CoverProgress,
    /// Where cells that were solved earlier are split.
    splits: HashMap<CellName, CellSplit>,
    /// What proves the bound of some hulls.
    ranges: Vec<(HullRange, String)>,
    file: PartsFile,
    /// The number of the next cell that is stored.
    next: usize,
}

impl Shared {
    /// Removes the hulls that stored cells bound, and splits cells as they were split.
    fn admit(&mut self, known: &[StoredCell], target: u32) {
        for stored in known {
            self.splits.extend(stored.split.map(|split| (stored.name.clone(), split)));
        }
        for cell in &mut self.open {
            let name = cell.name().clone();
            for stored in known.iter().filter(|stored| stored.name.is_in(&name)) {
                let Some(bound) = stored.bound() else { continue };
                let proves = |hull: &Octagon| {
                    let places = stored.range.places(hull);
                    places.iter().any(|place| is_within(&bound, place, target))
                };
                let remains: Vec<bool> = cell.hulls().map(|hull| !proves(&hull)).collect();
                let before = cell.len();
                cell.retain(remains.into_iter());
                if cell.len() < before {
                    self.progress.covered += before - cell.len();
                    self.ranges.push((stored.range, stored.tree()));
                }
            }
        }
        self.progress.ranges = self.ranges.len();
        let mut pending = std::mem::take(&mut self.open);
        while let Some(cell) = pending.pop() {
            match self.splits.get(cell.name()) {
                _ if cell.is_empty() => {}
                Some(split) => pending.extend(cell.split(*split)),
                None => self.open.push(cell),
            }
        }
        self.open.sort_by_key(HullCell::len);
    }

    /// Stores a cell, counts what it covers and splits the rest.
    fn store(&mut self, solved: CellResult) -> Result<(), ProveError> {
        let CellResult { stored, covered, rest } = solved;
        self.file.append(self.next, &stored.to_string())?;
        self.next += 1;
        if covered > 0 {
            self.progress.covered += covered;
            self.progress.ranges += 1;
            self.ranges.push((stored.range, stored.tree()));
        }
        if !rest.is_empty() {
            let split = stored.split.expect("more than one hull is left");
            self.open.extend(rest.split(split).into_iter().filter(|part| !part.is_empty()));
        }
        Ok(())
    }
}

/// Whether a bound holds for the hull at this place.
fn is_within(bound: &RangeBound, place: &blocks::HullPlace, target: u32) -> bool {
    bound.at(place).is_none_or(|bound| bound <= i64::from(target))
}

/// A cell that was solved, and what is left of it.
struct CellResult {
    stored: StoredCell,
    covered: usize,
    rest: HullCell,
}

impl Pool<'_> {
    /// The next cell, if anything is left to cover.
    fn next(&self) -> Option<HullCell> {
        // What another thread works on may leave some.
        let waits =
            |shared: &mut Shared| shared.open.is_empty() && shared.working > 0 && !shared.is_over;
        let mut shared = self.changed.wait_while(self.lock(), waits).expect("no thread panics");
        if shared.is_over {
            return None;
        }
        let cell = shared.open.pop()?;
        shared.working += 1;
        Some(cell)
    }

    /// What the relaxation of a cell shows.
    fn find(&self, mut cell: HullCell) -> Result<CellResult, ProveError> {
        self.report()?;
        let CoverRequest { target, solver, .. } = self.request;
        let (range, places) = cell.range();
        let all = SizeRanges::default();
        let solution =
            blocks::solve(solver, &range, &places, &all, target).map_err(SizeTreeError::from)?;
        let mut split = cell.choose_split(solution.certified, &solution.hull_shares, target);
        let mut value = solution.certified;
        let mut tree = SizeTree::Leaf(Box::new(solution.multipliers));
        let mut bound = tree.bound(&range);
        if cell.len() == 1 && !is_within(&bound, &places[0], target) {
            // A hull alone is split by sizes.
            let mut on = || match self.report() {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            };
            tree = blocks::prove(solver, &range, &places, target, MAX_PROGRAMS, &mut on).map_err(
                |error| match error {
                    SizeTreeError::Interrupted => ProveError::Interrupted,
                    error => error.into(),
                },
            )?;
            bound = tree.bound(&range);
            (value, split) = (f64::from(target), None);
        }
        let before = cell.len();
        cell.retain(places.iter().map(|place| !is_within(&bound, place, target)));
        let mut text = String::new();
        tree.write(&mut text);
        let tree = text.trim_end().replace('\n', ";");
        let stored = StoredCell { name: cell.name().clone(), range, value, split, tree };
        Ok(CellResult { stored, covered: before - cell.len(), rest: cell })
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().expect("no thread panics")
    }

    /// Reports before a linear program is solved.
    fn report(&self) -> Result<(), ProveError> {
        let Shared { is_over, progress, .. } = *self.lock();
        if is_over || (self.on)(Event::Progress(progress)).is_break() {
            Err(ProveError::Interrupted)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_read_as_it_is_stored() {
        let solved =
            "27-29x30-32:0110 octagon:9,9,9,9,9,9,9,9 0,1,2,3,4,5,6,7 481.250 3,12 leaf 8 1;1";
        let alone = "27x30: octagon:9,9,9,9,9,9,9,9 0,0,0,0,0,0,0,0 485.000 - split E 3 4;leaf 1 2";
        let infeasible = "9x12:1 octagon:9,9,9,9,9,9,9,9 0,0,0,0,0,0,0,0 -inf - leaf 1 0;2";
        for line in [solved, alone, infeasible] {
            let stored: StoredCell = line.parse().expect("a cell");
            assert_eq!(stored.to_string(), line);
        }
        let tree = alone.parse::<StoredCell>().expect("a cell").tree();
        assert_eq!(tree, "split E 3 4\nleaf 1 2\n");
        let side = solved.replace(" 3,12 ", " 8,12 ");
        for line in ["", "27x30:", &solved[..40], &solved[..60], &side] {
            assert!(line.parse::<StoredCell>().is_err(), "{line}");
        }
    }
}
