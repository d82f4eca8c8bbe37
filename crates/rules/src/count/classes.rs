//! Positions up to the symmetries of the start, without a table.
//!
//! By the lemma that is not Burnside's, the number of classes is the mean, over the symmetries, of
//! the number of positions that a symmetry leaves alone. Those of the identity are all positions.
//! For another symmetry g, a position that g leaves alone can be built up by playing whole orbits
//! of lines under g: if a line of it is playable and the position so far is left alone by g, then so
//! are its images playable, and playing one spoils no other, since all belong to the same valid
//! set. There are few such positions, so this part need not be fast.

use std::collections::HashSet;

use geometry::{Game, Line, Symmetry};

use super::{CountError, Settings, positions};
use crate::{Board, PlainBoard};

pub(super) fn count<B: Board + Send + Sync>(
    board: &B,
    moves: usize,
    settings: Settings<'_>,
) -> Result<Vec<u128>, CountError> {
    let sums = positions::count(board, moves, settings)?;
    reduce(board, sums)
}

/// How many classes there are, given how many positions there are of 0, 1, 2, ... moves.
pub fn alike(game: &Game, positions: Vec<u128>) -> Result<Vec<u128>, CountError> {
    reduce(&PlainBoard::start(game.clone()), positions)
}

fn reduce<B: Board>(board: &B, mut sums: Vec<u128>) -> Result<Vec<u128>, CountError> {
    let symmetries = board.game().start.symmetries();
    let moves = sums.len() - 1;
    for &symmetry in symmetries.iter().filter(|&&symmetry| symmetry != Symmetry::IDENTITY) {
        let mut fixed =
            Fixed { symmetry, moves, excluded: HashSet::new(), counts: vec![0; moves + 1] };
        fixed.counts[0] = 1;
        fixed.descend(&mut board.clone())?;
        for (sum, fixed) in sums.iter_mut().zip(fixed.counts) {
            *sum += fixed;
        }
    }
    let order = symmetries.len() as u128;
    debug_assert!(sums.iter().all(|sum| sum % order == 0));
    Ok(sums.into_iter().map(|sum| sum / order).collect())
}

/// Enumerates the positions that one symmetry leaves alone, in the manner of [`positions`].
struct Fixed {
    symmetry: Symmetry,
    moves: usize,
    /// First lines of the orbits that are excluded in this subtree.
    excluded: HashSet<Line>,
    counts: Vec<u128>,
}

impl Fixed {
    fn descend<B: Board>(&mut self, board: &mut B) -> Result<(), CountError> {
        if board.is_clipped() {
            return Err(CountError::OffBoard { moves: board.score() });
        }
        let score = board.score();
        let legal: Vec<Line> = board.legal().iter().map(|&code| board.decode(code).line).collect();
        let mut tried = Vec::new();
        for line in legal {
            let orbit = self.orbit(line, board);
            if score + orbit.len() > self.moves
                || orbit.iter().min() != Some(&line)
                || self.excluded.contains(&line)
            {
                continue;
            }
            if orbit.iter().all(|&line| play_line(board, line)) {
                self.counts[board.score()] += 1;
                self.descend(board)?;
            }
            while board.score() > score {
                board.undo();
            }
            self.excluded.insert(line);
            tried.push(line);
        }
        for line in tried {
            self.excluded.remove(&line);
        }
        Ok(())
    }

    fn orbit<B: Board>(&self, line: Line, board: &B) -> Vec<Line> {
        let next = |&line: &Line| Some(self.symmetry.line(line, board.game().rules));
        let mut orbit = vec![line];
        orbit.extend(std::iter::successors(next(&line), next).take_while(|&image| image != line));
        orbit
    }
}

/// Plays `line` if it is playable now.
pub(super) fn play_line<B: Board>(board: &mut B, line: Line) -> bool {
    let index = board.legal().iter().position(|&code| board.decode(code).line == line);
    index.map(|index| board.play_nth(index)).is_some()
}
