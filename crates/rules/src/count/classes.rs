//! Positions up to the symmetries of the start, without a table.
//!
//! By Burnside's lemma, the number of classes is the mean, over the symmetries, of the number of
//! positions that a symmetry fixes. The identity fixes all positions. For another symmetry g, a
//! position fixed by g can be built up by playing whole orbits of lines under g: if a line of it is
//! legal and the position so far is fixed by g, then its images are legal too, and playing one does
//! not spoil another, since all belong to the same valid set. There are few such positions, so this
//! part need not be fast.

use std::collections::HashSet;

use geometry::{Game, Line, Symmetry};

use super::{CountError, CountOptions, positions};
use crate::{PlainPosition, Position};

pub(super) fn count<P: Position + Send + Sync>(
    position: &P,
    moves: usize,
    settings: CountOptions<'_>,
) -> Result<Vec<u128>, CountError> {
    let sums = positions::count(position, moves, settings)?;
    reduce(position, sums)
}

/// The number of classes with 0, 1, 2, ... moves, given the numbers of positions.
pub fn classes_from_positions(game: &Game, positions: Vec<u128>) -> Result<Vec<u128>, CountError> {
    reduce(&PlainPosition::start(game.clone()), positions)
}

fn reduce<P: Position>(position: &P, mut sums: Vec<u128>) -> Result<Vec<u128>, CountError> {
    let symmetries = position.game().start.symmetries();
    let moves = sums.len() - 1;
    for &symmetry in symmetries.iter().filter(|&&symmetry| symmetry != Symmetry::IDENTITY) {
        let mut fixed = FixedPositions {
            symmetry,
            moves,
            excluded: HashSet::new(),
            counts: vec![0; moves + 1],
        };
        fixed.counts[0] = 1;
        fixed.descend(&mut position.clone())?;
        for (sum, fixed) in sums.iter_mut().zip(fixed.counts) {
            *sum += fixed;
        }
    }
    let order = symmetries.len() as u128;
    debug_assert!(sums.iter().all(|sum| sum % order == 0));
    Ok(sums.into_iter().map(|sum| sum / order).collect())
}

/// Enumerates the positions that one symmetry fixes, in the manner of [`positions`].
struct FixedPositions {
    symmetry: Symmetry,
    moves: usize,
    /// The first lines of the orbits that are excluded in this subtree.
    excluded: HashSet<Line>,
    counts: Vec<u128>,
}

impl FixedPositions {
    fn descend<P: Position>(&mut self, position: &mut P) -> Result<(), CountError> {
        if position.is_truncated() {
            return Err(CountError::OffGrid { moves: position.score() });
        }
        let score = position.score();
        let legal: Vec<Line> =
            position.legal().iter().map(|&code| position.decode(code).line).collect();
        let mut tried = Vec::new();
        for line in legal {
            let orbit = self.orbit(line, position);
            if score + orbit.len() > self.moves
                || orbit.iter().min() != Some(&line)
                || self.excluded.contains(&line)
            {
                continue;
            }
            if orbit.iter().all(|&line| play_line(position, line)) {
                self.counts[position.score()] += 1;
                self.descend(position)?;
            }
            while position.score() > score {
                position.undo();
            }
            self.excluded.insert(line);
            tried.push(line);
        }
        for line in tried {
            self.excluded.remove(&line);
        }
        Ok(())
    }

    fn orbit<P: Position>(&self, line: Line, position: &P) -> Vec<Line> {
        let next = |&line: &Line| Some(self.symmetry.line(line, position.game().rules));
        let mut orbit = vec![line];
        orbit.extend(std::iter::successors(next(&line), next).take_while(|&image| image != line));
        orbit
    }
}

/// Plays `line` if it is legal.
pub(super) fn play_line<P: Position>(position: &mut P, line: Line) -> bool {
    let index = position.legal().iter().position(|&code| position.decode(code).line == line);
    index.map(|index| position.play_nth(index)).is_some()
}
