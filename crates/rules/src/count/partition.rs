//! All positions of a game, cut into parts that can be counted in any order, on any thread.
//!
//! The legal lines of the start fall into orbits under its symmetries. A position contains some of
//! the lines of the first few orbits and not the others; a symmetry maps this subset along with the
//! position. So for each subset, up to symmetry, there is a [`Part`]: all positions that contain
//! these and no others of the orbits, counted once and weighted by the size of the subset's orbit.

use geometry::{Game, Line, Move, Symmetry};

use super::{CountError, count_within};
use crate::{PlainPosition, Position};

/// All positions that contain some moves and exclude some lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Part {
    /// The moves that they begin with.
    pub played: Vec<Move>,
    /// The lines that they do not contain.
    pub excluded: Vec<Line>,
}

/// A part that represents all parts equivalent by symmetry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightedPart {
    /// The part.
    pub part: Part,
    /// The number of parts it represents.
    pub weight: u32,
}

/// Cuts a game into at least `wanted` parts, or as many as there can be.
pub fn parts(game: &Game, wanted: usize) -> Vec<WeightedPart> {
    let position = PlainPosition::start(game.clone());
    let firsts: Vec<Move> = position.legal().to_vec();
    let symmetries = game.start.symmetries();
    let image = |symmetry: &Symmetry, mv: Move| {
        let line = symmetry.line(mv.line, game.rules);
        firsts.iter().position(|other| other.line == line).expect("symmetries preserve legality")
    };
    let images: Vec<Vec<usize>> = symmetries
        .iter()
        .map(|symmetry| firsts.iter().map(|&mv| image(symmetry, mv)).collect())
        .collect();
    let both: Vec<Vec<bool>> = firsts
        .iter()
        .map(|&one| firsts.iter().map(|&other| are_compatible(game, one, other)).collect())
        .collect();
    let mut decided: Vec<usize> = Vec::new();
    let mut parts = choices(&firsts, &both, &images, &decided);
    for first in 0..firsts.len() {
        if parts.len() >= wanted {
            break;
        }
        if !decided.contains(&first) {
            decided.extend(images.iter().map(|image| image[first]));
            decided.sort_unstable();
            decided.dedup();
            parts = choices(&firsts, &both, &images, &decided);
        }
    }
    parts
}

/// A part for each subset of the decided first moves, up to symmetry.
///
/// `both` says which two moves can be played together; first moves that are pairwise compatible are
/// all compatible.
fn choices(
    firsts: &[Move],
    both: &[Vec<bool>],
    images: &[Vec<usize>],
    decided: &[usize],
) -> Vec<WeightedPart> {
    let mut sets = vec![Vec::new()];
    for &next in decided {
        let fits = |set: &Vec<usize>| set.iter().all(|&other| both[other][next]);
        let more: Vec<Vec<usize>> = sets.iter().filter(|set| fits(set)).cloned().collect();
        sets.extend(more.into_iter().map(|set: Vec<usize>| [&set[..], &[next]].concat()));
    }
    let mut parts = Vec::new();
    for set in sets {
        let moved = images.iter().map(|image| {
            let mut moved: Vec<usize> = set.iter().map(|&mv| image[mv]).collect();
            moved.sort_unstable();
            moved
        });
        let moved: Vec<Vec<usize>> = moved.collect();
        if moved.iter().any(|moved| *moved < set) {
            continue;
        }
        let same = moved.iter().filter(|moved| **moved == set).count();
        let excluded = decided.iter().filter(|mv| !set.contains(mv));
        let part = Part {
            played: set.iter().map(|&mv| firsts[mv]).collect(),
            excluded: excluded.map(|&mv| firsts[mv].line).collect(),
        };
        parts.push(WeightedPart { part, weight: (images.len() / same) as u32 });
    }
    parts
}

/// Whether two moves that are legal now can both be played.
fn are_compatible(game: &Game, one: Move, other: Move) -> bool {
    let mut position = PlainPosition::start(game.clone());
    position.play(one).is_ok() && position.play(other).is_ok()
}

/// The number of positions of a part with 0, 1, 2, ... moves, without its weight.
pub fn count(game: &Game, part: &Part) -> Result<Vec<u128>, CountError> {
    count_within(game, &part.played, &part.excluded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{CountKind, CountOptions};

    #[test]
    fn weighted_parts_sum_to_all_positions_however_they_are_cut() {
        let game = Game::named("6D").expect("a game");
        let all = crate::count::count(&game, CountKind::Positions, 12, CountOptions::QUIET)
            .expect("small");
        for (wanted, least) in [(10, 10), (1000, 300)] {
            let parts = parts(&game, wanted);
            assert!(parts.len() >= least, "{wanted}: {}", parts.len());
            let mut sum = vec![0; 13];
            for WeightedPart { part, weight } in parts {
                let counts = count(&game, &part).expect("on the grid");
                sum.iter_mut()
                    .zip(counts)
                    .for_each(|(sum, count)| *sum += u128::from(weight) * count);
            }
            assert_eq!(sum, all, "{wanted}");
        }
    }
}
