//! Positions, each exactly once, without a table.
//!
//! At a node with the legal moves m1, m2, ... of which the first few are excluded, child i plays mi
//! and excludes all before it in its subtree. A position, being a set of lines, is reached only by
//! always playing the first move of the list that belongs to it: any legal line of a valid set can
//! be played next (Demaine et al. 2006, Lemma 1), and playing another one first would exclude it.
//! Lists keep their order and new moves come last, so the excluded moves are always the first ones
//! of the list, and a line once legal is never new again: instead of the set of excluded lines,
//! their number is enough.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{CountError, CountOptions};
use crate::Position;

/// The depth at which the tree is cut into parts for the threads.
const PART_DEPTH: usize = 3;

pub(super) fn count<P: Position + Send + Sync>(
    position: &P,
    moves: usize,
    settings: CountOptions<'_>,
) -> Result<Vec<u128>, CountError> {
    let mut counts = vec![0; moves + 1];
    counts[0] = 1;
    if moves <= PART_DEPTH {
        descend(&mut position.clone(), 0, moves, &mut counts, &mut |_, _| {})?;
        return Ok(widen(&counts));
    }

    let mut parts = Vec::new();
    descend(&mut position.clone(), 0, PART_DEPTH, &mut counts, &mut |position, excluded| {
        parts.push((position.moves(), excluded));
    })?;
    let next = AtomicUsize::new(0);
    let total = Mutex::new((counts, Ok(())));
    let work = || {
        let mut counts = vec![0; moves + 1];
        let mut outcome = Ok(());
        let mut position = position.clone();
        while let Some((prefix, excluded)) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            for &mv in prefix {
                position.play(mv).expect("the prefix was played before");
            }
            outcome = descend(&mut position, *excluded, moves, &mut counts, &mut |_, _| {});
            if outcome.is_err() {
                next.store(parts.len(), Ordering::Relaxed);
                break;
            }
            while position.undo().is_some() {}
            let done = next.load(Ordering::Relaxed).min(parts.len());
            (settings.progress)(done as f64 / parts.len() as f64);
        }
        let mut total = total.lock().expect("no thread panics holding the total");
        for (sum, part) in total.0.iter_mut().zip(counts) {
            *sum += part;
        }
        total.1 = total.1.and(outcome);
    };
    std::thread::scope(|scope| {
        // This thread works too, so the count is made even if no other can be started.
        for _ in 1..settings.threads {
            if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
    let (counts, outcome) = total.into_inner().expect("no thread panics holding the total");
    outcome.map(|()| widen(&counts))
}

/// Adds to `counts` the positions below `position` of up to `moves` moves.
///
/// The children of the last level are counted, not played. `leaf` is called with each position of
/// `moves` moves only when the tree is cut: then children are played.
fn descend<P: Position>(
    position: &mut P,
    excluded: usize,
    moves: usize,
    counts: &mut [u64],
    leaf: &mut impl FnMut(&P, usize),
) -> Result<(), CountError> {
    let score = position.score();
    if position.is_truncated() && score < counts.len() - 1 {
        return Err(CountError::OffGrid { moves: score });
    }
    let legal = position.legal().len();
    if score == moves {
        leaf(position, excluded);
        return Ok(());
    }
    counts[score + 1] += (legal - excluded) as u64;
    if score + 2 == counts.len() {
        return Ok(());
    }
    for index in excluded..legal {
        let excluded = position.play_nth(index);
        descend(position, excluded, moves, counts, leaf)?;
        position.undo();
    }
    Ok(())
}

fn widen(counts: &[u64]) -> Vec<u128> {
    counts.iter().map(|&count| u128::from(count)).collect()
}
