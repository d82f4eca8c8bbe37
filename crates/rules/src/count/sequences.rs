//! Sequences of moves, by a table of the positions they lead to.
//!
//! All sequences that lead to one class of positions have the same continuations, so one level of
//! the table holds, per class, the number of sequences that lead to it. The size of each level is
//! counted first, without a table, so that a request for too much memory fails before it is taken.

use std::collections::HashMap;

use geometry::{Line, Symmetry};

use super::classes::{self, play_line};
use super::{CountError, CountOptions};
use crate::Position;

/// A class of positions: the smallest of the sorted lists of lines of its images.
type Class = Box<[Line]>;

pub(super) fn count<P: Position + Send + Sync>(
    position: &P,
    moves: usize,
    settings: CountOptions<'_>,
) -> Result<Vec<u128>, CountError> {
    check_memory(position, moves, settings)?;
    let symmetries = position.game().start.symmetries();
    let mut counts = vec![1];
    let mut level: HashMap<Class, u128> = HashMap::from([(Class::default(), 1)]);
    let mut position = position.clone();
    for score in 0..moves {
        let last = score + 1 == moves;
        let overflow = CountError::Overflow { moves: score + 1 };
        let size = level.len();
        let mut total: u128 = 0;
        let mut next: HashMap<Class, u128> = HashMap::new();
        for (done, (class, ways)) in std::mem::take(&mut level).into_iter().enumerate() {
            if done % 4096 == 0 {
                (settings.progress)(done as f64 / size as f64);
            }
            set_up(&mut position, &class);
            if position.is_truncated() {
                return Err(CountError::OffGrid { moves: score });
            }
            let children = position.legal().len() as u128;
            let here = ways.checked_mul(children).ok_or(overflow)?;
            total = total.checked_add(here).ok_or(overflow)?;
            for index in 0..if last { 0 } else { position.legal().len() } {
                let line = position.decode(position.legal()[index]).line;
                let child = canonical(&class, line, &symmetries, &position);
                let entry = next.entry(child).or_insert(0);
                *entry = entry.checked_add(ways).ok_or(overflow)?;
            }
        }
        counts.push(total);
        level = next;
    }
    Ok(counts)
}

/// Fails before the work begins if the largest two levels of the table would not fit.
fn check_memory<P: Position + Send + Sync>(
    position: &P,
    moves: usize,
    settings: CountOptions<'_>,
) -> Result<(), CountError> {
    let quiet = CountOptions { progress: &|_| {}, ..settings };
    for moves in 1..moves {
        let classes = classes::count(position, moves, quiet)?;
        let (before, classes) = (classes[moves - 1], classes[moves]);
        // An entry: key, count and control byte at a load between 7/16 and 7/8, plus its lines.
        let entry = |moves: usize| (33 * 16 / 7 + 16 + moves * size_of::<Line>()) as u128;
        let needed = classes * entry(moves) + before * entry(moves - 1);
        if needed > u128::from(settings.memory) {
            let limit = settings.memory;
            return Err(CountError::Memory { moves, classes, needed, limit });
        }
    }
    Ok(())
}

/// Plays `lines` from the start in some order.
fn set_up<P: Position>(position: &mut P, lines: &[Line]) {
    while position.undo().is_some() {}
    let mut left = lines.to_vec();
    while !left.is_empty() {
        left.retain(|&line| !play_line(position, line));
    }
}

/// The class of the position `lines` with `line` added.
fn canonical<P: Position>(
    lines: &[Line],
    line: Line,
    symmetries: &[Symmetry],
    position: &P,
) -> Class {
    let rules = position.game().rules;
    let image = |symmetry: &Symmetry| {
        let mut image: Vec<Line> =
            lines.iter().chain([&line]).map(|&line| symmetry.line(line, rules)).collect();
        image.sort_unstable();
        image
    };
    symmetries.iter().map(image).min().expect("the identity at least").into()
}
