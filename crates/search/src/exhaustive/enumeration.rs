//! Every position of a game, counted by its number of moves.
//!
//! The lines that can be drawn at the start fall into orbits under the symmetries of the start. A position
//! has some of the lines of the first few orbits and not the others; which ones it has is moved
//! with it by a symmetry. So for each choice of these lines, up to symmetry, there is a [`Part`]: all positions
//! that have these and no others of the orbits, counted once and weighed with the size of the choice's orbit.

use geometry::{Game, Move, Symmetry};
use rules::count::CountError;
use rules::{PlainPosition, Position};

use crate::exhaustive::Part;

/// A part that stands for all parts alike by symmetry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weighed {
    /// The part.
    pub part: Part,
    /// For how many it stands.
    pub weight: u32,
}

/// Cuts a game into at least so many parts, if it can be cut so far.
pub fn parts(game: &Game, wanted: usize) -> Vec<Weighed> {
    let board = PlainPosition::start(game.clone());
    let firsts: Vec<Move> = board.legal().to_vec();
    let symmetries = game.start.symmetries();
    let image = |symmetry: &Symmetry, mv: Move| {
        let line = symmetry.line(mv.line, game.rules);
        firsts.iter().position(|other| other.line == line).expect("symmetries keep what is legal")
    };
    let images: Vec<Vec<usize>> = symmetries
        .iter()
        .map(|symmetry| firsts.iter().map(|&mv| image(symmetry, mv)).collect())
        .collect();
    let both: Vec<Vec<bool>> = firsts
        .iter()
        .map(|&one| firsts.iter().map(|&other| agree(game, one, other)).collect())
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

/// A part for each choice of some of the first moves that are decided on, up to symmetry.
///
/// `both` says which two moves can be played together; first moves that can two by two can all.
fn choices(
    firsts: &[Move],
    both: &[Vec<bool>],
    images: &[Vec<usize>],
    decided: &[usize],
) -> Vec<Weighed> {
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
        let given_up = decided.iter().filter(|mv| !set.contains(mv));
        let part = Part {
            played: set.iter().map(|&mv| firsts[mv]).collect(),
            given_up: given_up.map(|&mv| firsts[mv].line).collect(),
        };
        parts.push(Weighed { part, weight: (images.len() / same) as u32 });
    }
    parts
}

/// Whether two moves that are legal now can both be played.
fn agree(game: &Game, one: Move, other: Move) -> bool {
    let mut board = PlainPosition::start(game.clone());
    board.play(one).is_ok() && board.play(other).is_ok()
}

/// How many positions of 0, 1, 2, ... moves there are in a part, not weighed.
pub fn count(game: &Game, part: &Part) -> Result<Vec<u128>, CountError> {
    rules::count::count_within(game, &part.played, &part.given_up)
}

#[cfg(test)]
mod tests {
    use rules::count::{Kind, Settings};

    use super::*;

    #[test]
    fn parts_weighed_are_all_positions_however_they_are_cut() {
        let game = Game::named("6D").expect("a game");
        let all = rules::count::count(&game, Kind::Positions, 12, Settings::QUIET).expect("small");
        for (wanted, least) in [(10, 10), (1000, 300)] {
            let parts = parts(&game, wanted);
            assert!(parts.len() >= least, "{wanted}: {}", parts.len());
            let mut sum = vec![0; 13];
            for Weighed { part, weight } in parts {
                let counts = count(&game, &part).expect("on the board");
                sum.iter_mut()
                    .zip(counts)
                    .for_each(|(sum, count)| *sum += u128::from(weight) * count);
            }
            assert_eq!(sum, all, "{wanted}");
        }
    }
}
