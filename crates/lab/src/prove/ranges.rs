//! The search for a cover by ranges of hulls, on several threads.
//!
//! Every thread takes the largest hull that nothing covers yet and solves the relaxation of a range
//! around it. Each attempt is stored at once in one file per game, whether it proves anything or
//! not: failures say what to expect of the next range, and what was proven for a lower target
//! counts for a higher one.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use bound::blocks::{self, HullRange, SizeRanges, SizeTree, SizeTreeError};
use bound::cover::{RangeAttempt, RangeSearch};
use bound::{Cover, HullFamily};

use super::cover::CoverRequest;
use super::{ProofFile, ProveError, create_folder, verify_and_write};
use crate::files;
use crate::parts::{self, PartsFile};

/// The most linear programs for one hull.
const MAX_PROGRAMS: usize = 200;

/// How long a thread waits before it asks for work again.
const WAIT: Duration = Duration::from_millis(20);

/// What the driver reports, from any thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// What the folder already holds.
    Resumed(RangeProgress),
    /// How far the search is. Sent before every linear program.
    Progress(RangeProgress),
}

/// How far a search is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RangeProgress {
    /// Ranges that are bounded.
    pub ranges: usize,
    /// Ranges that were tried and not certified.
    pub failures: usize,
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
    let path = folder.join(format!("{}.ranges", game.rules));
    let work = format!("morpion-parts/1 ranges of hulls of {} for morpion-cover/4", game.rules);
    let (file, known) = PartsFile::open(&path, &work, usize::MAX)?;
    let mut shared = Shared {
        search: RangeSearch::new(&family, target),
        taken: Vec::new(),
        failures: 0,
        ranges: Vec::new(),
        next: known.last_key_value().map_or(0, |(last, _)| last + 1),
        file,
    };
    for (part, line) in &known {
        let damaged = || ProveError::Part { file: files::name(&path), part: *part };
        shared.admit(&StoredRange::parse(line).ok_or_else(damaged)?, target);
    }
    let progress = shared.progress();
    if !known.is_empty() && on(Event::Resumed(progress)).is_break() {
        return Err(ProveError::Interrupted);
    }
    let pool = Pool { request, on, stop: AtomicBool::new(false), shared: Mutex::new(shared) };
    let work = |_, hulls: Proposal| Ok::<_, ProveError>((hulls, pool.find(hulls)));
    parts::run(std::iter::from_fn(|| pool.next()), request.threads, work, |(hulls, found)| {
        let stored = found.and_then(|found| pool.store(&found));
        pool.lock().taken.retain(|other| *other != hulls.range());
        pool.stop.fetch_or(stored.is_err(), Ordering::Relaxed);
        stored.map(ControlFlow::Continue)
    })?;
    let ranges = pool.shared.into_inner().expect("no thread panics").ranges;
    let (certificates, hulls) = (Vec::new(), Vec::new());
    let mut cover = Cover { rules: game.rules, bound: target, certificates, hulls, ranges };
    cover.select_ranges(&family);
    let file = folder.join(format!("{}-{target}.cover.gz", game.rules));
    verify_and_write(&cover.to_bytes(), Some(file))
}

/// An attempt as it is stored: the range, its value, and if it is bounded the bound and the tree,
/// with `;` between its lines.
struct StoredRange {
    attempt: RangeAttempt,
    tree: Option<(u32, String)>,
}

impl StoredRange {
    fn parse(line: &str) -> Option<Self> {
        let words: Vec<&str> = line.splitn(5, ' ').collect();
        let [board, slack, value, bound, ref tree @ ..] = words[..] else { return None };
        let hulls = format!("{board} {slack}").parse().ok()?;
        let value: f64 = value.parse().ok().filter(|value: &f64| !value.is_nan())?;
        let tree = match (bound, tree) {
            ("-", []) => None,
            (bound, [tree]) => Some((bound.parse().ok()?, tree.replace(';', "\n") + "\n")),
            _ => return None,
        };
        Some(Self { attempt: RangeAttempt { hulls, value }, tree })
    }
}

/// Prints as the line that [`StoredRange::parse`] reads.
impl std::fmt::Display for StoredRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let RangeAttempt { hulls, value } = self.attempt;
        match &self.tree {
            None => write!(f, "{hulls} {value:.3} -"),
            Some((bound, tree)) => {
                write!(f, "{hulls} {value:.3} {bound} {}", tree.trim_end().replace('\n', ";"))
            }
        }
    }
}

/// What to do next.
#[derive(Debug, Clone, Copy)]
enum Proposal {
    /// Solve the relaxation of a range.
    Solve(HullRange),
    /// Split a hull alone by sizes.
    Split(HullRange),
}

impl Proposal {
    fn range(self) -> HullRange {
        let (Self::Solve(hulls) | Self::Split(hulls)) = self;
        hulls
    }
}

/// What the threads share.
struct Pool<'a> {
    request: CoverRequest<'a>,
    on: &'a (dyn Fn(Event) -> ControlFlow<()> + Sync),
    stop: AtomicBool,
    shared: Mutex<Shared>,
}

struct Shared {
    search: RangeSearch,
    /// The ranges that threads are working on.
    taken: Vec<HullRange>,
    failures: usize,
    ranges: Vec<(HullRange, String)>,
    file: PartsFile,
    /// The number of the next attempt.
    next: usize,
}

impl Shared {
    fn progress(&self) -> RangeProgress {
        let classes = self.search.total();
        RangeProgress {
            ranges: self.ranges.len(),
            failures: self.failures,
            covered: classes - self.search.uncovered(),
            classes,
        }
    }

    /// Counts an attempt.
    fn admit(&mut self, stored: &StoredRange, target: u32) {
        self.search.learn(stored.attempt);
        match &stored.tree {
            Some((bound, tree)) if *bound <= target => {
                self.search.cover(&stored.attempt.hulls);
                self.ranges.push((stored.attempt.hulls, tree.clone()));
            }
            Some(_) => {}
            None => self.failures += 1,
        }
    }
}

impl Pool<'_> {
    /// The next range, if anything is left to cover.
    fn next(&self) -> Option<Proposal> {
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let mut shared = self.lock();
            if let Some(hull) = shared.search.largest(&shared.taken) {
                let proposal = match shared.search.propose(&hull) {
                    Some(hulls) => Proposal::Solve(hulls),
                    None => Proposal::Split(HullRange::new(hull, 0, 0)),
                };
                shared.taken.push(proposal.range());
                return Some(proposal);
            }
            if shared.taken.is_empty() {
                return None;
            }
            // What another thread works on may fail and be left.
            drop(shared);
            std::thread::sleep(WAIT);
        }
    }

    /// What the relaxation of a range shows.
    fn find(&self, proposal: Proposal) -> Result<StoredRange, ProveError> {
        let CoverRequest { target, solver, .. } = self.request;
        let written = |tree: &SizeTree| {
            let mut text = String::new();
            tree.write(&mut text);
            Some((target, text))
        };
        match proposal {
            Proposal::Solve(hulls) => {
                self.report()?;
                let solution = blocks::solve(solver, &hulls, &SizeRanges::default(), target)
                    .map_err(SizeTreeError::from)?;
                let attempt = RangeAttempt { hulls, value: solution.certified };
                let proves = solution.proves(target);
                let tree = SizeTree::Leaf(Box::new(solution.multipliers));
                let tree = if proves { written(&tree) } else { None };
                Ok(StoredRange { attempt, tree })
            }
            Proposal::Split(hulls) => {
                let mut on = || match self.report() {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                };
                let tree = blocks::prove(solver, &hulls, target, MAX_PROGRAMS, &mut on);
                let tree = tree.map_err(|error| match error {
                    SizeTreeError::Interrupted => ProveError::Interrupted,
                    error => error.into(),
                })?;
                let attempt = RangeAttempt { hulls, value: f64::from(target) };
                Ok(StoredRange { attempt, tree: written(&tree) })
            }
        }
    }

    /// Stores an attempt, and counts what it covers.
    fn store(&self, found: &StoredRange) -> Result<(), ProveError> {
        let mut shared = self.lock();
        let next = shared.next;
        shared.file.append(next, &found.to_string())?;
        shared.next += 1;
        shared.admit(found, self.request.target);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().expect("no thread panics")
    }

    /// Reports before a linear program is solved.
    fn report(&self) -> Result<(), ProveError> {
        let progress = self.lock().progress();
        let is_over =
            self.stop.load(Ordering::Relaxed) || (self.on)(Event::Progress(progress)).is_break();
        if is_over { Err(ProveError::Interrupted) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attempt_is_read_as_it_is_stored() {
        let bounded = "octagon:9,9,9,9,9,9,9,9 0,1,2,3,4,5,6,7 481.250 485 split E 3 4;leaf 8 1;1";
        let failed = "octagon:9,9,9,9,9,9,9,9 0,0,0,0,0,0,0,0 487.800 -";
        let infeasible = "octagon:9,9,9,9,9,9,9,9 0,0,0,0,0,0,0,0 -inf 485 leaf 1 0;2";
        for line in [bounded, failed, infeasible] {
            let stored = StoredRange::parse(line).expect("an attempt");
            assert_eq!(stored.to_string(), line);
        }
        let tree = StoredRange::parse(bounded).and_then(|stored| stored.tree);
        assert_eq!(tree, Some((485, "split E 3 4\nleaf 8 1\n1\n".to_owned())));
        let cut = ["", "octagon:9,9,9,9,9,9,9,9", &bounded[..40], &failed[..47], &bounded[..51]];
        assert!(cut.iter().all(|line| StoredRange::parse(line).is_none()));
    }
}
