//! `morpion-caps`: a bound for 5D by the waste of its lines. A position with little waste has
//! large caps, and there is no room for two.
//!
//! A *run* is a maximal row of adjacent dots on a lattice line of one of the four directions. Lines
//! of a direction share no dot, so those on a run leave at least (its length mod 5) of its dots
//! uncovered in that direction: its *waste*. Counting dots with directions, 4 (36 + n) are 5 n by
//! the n lines and the uncovered rest, so that a position of n moves has 180 - w dots, where
//! w = 144 - n is at least the waste of all its runs.
//!
//! A *cap* is the first h rows of a position from the top (or from another side: turn it). Its
//! waste is that of its rows, and of the other runs (down, down right, down left) that end before
//! row h: these lie in the rows above it. If the position has 2h rows or more, the cap at the top
//! and the one at the bottom share neither dots nor runs. So with waste u and v, u + v <= w, they
//! have at most 180 - w dots together. The file gives numbers: a cap with waste u has at least
//! `least[u]` dots. `rows.rs` verifies them; then `least[u] + least[v] > 180 - u - v` for all u and
//! v with u + v <= 143 - N leaves no position of more than N moves with 2h rows or columns. All
//! others lie in a box of 2h - 1 by 2h - 1 points around the cross, wherever that is in it, and
//! each such box lies in a board, turned or mirrored, whose certificate shows that games on it have
//! at most N moves.
//!
//! Rows between the first and the last all have dots, since each new dot is next to another one and
//! the cross is connected.

mod rows;

use super::board::{Board, images};
use super::claim::{ProofStats, ProvenClaim};
use super::cover::BoundHeader;
use super::text::{Text, number};
use crate::fault::ProofFault;
use crate::refusal::Refusal;

/// The dots of a position and the waste of its lines, together.
const DOTS_AND_WASTE: u32 = 180;

/// The moves of a game without any waste.
const WITHOUT_WASTE: u32 = 144;

/// The rows and columns of the cross.
const CROSS: u32 = 10;

/// How many rows a cap may have: no run that ends in it has 10 dots, and the boards are no smaller
/// than what a long game needs.
const ROWS: std::ops::RangeInclusive<usize> = 8..=10;

/// Verifies the caps, the boards, and that these contain all small boxes.
pub(super) fn verify(text: &mut Text<'_>) -> Result<ProvenClaim, Refusal> {
    let header = BoundHeader::read(text)?;
    if header.rules.touching() || header.bound >= WITHOUT_WASTE {
        let reason = "caps are known for games with disjoint lines and bounds below 144";
        return Err(ProofFault::NoModel { reason }.into());
    }
    let known = |text: &str| number(text).filter(|rows| ROWS.contains(rows));
    let rows = text.value("rows", "`rows` and an integer from 8 to 10", known)?;
    // The waste of a game with one move more than the bound.
    let waste = (WITHOUT_WASTE - header.bound - 1) as usize;
    let few = |text: &str| number(text).filter(|&dots: &u32| dots <= DOTS_AND_WASTE + 1);
    let numbers = |text: &str| {
        let numbers = text.split(' ').map(few);
        numbers.collect::<Option<Vec<u32>>>().filter(|least| least.len() == waste + 1)
    };
    let least = text.value("least", "`least` and 144 - bound integers from 0 to 181", numbers)?;
    check_room(&least)?;
    rows::verify(rows, &least, text.budget())?;
    let margins = |board: Board| match board {
        Board::Box(margins) => Some(margins),
        _ => None,
    };
    let boards = header.boards(text, "`board` and box:t,r,b,l", margins)?;
    text.end()?;
    text.budget().spend_product(boards.len(), CROSS as usize * CROSS as usize * 8)?;
    if let Some(margins) = first_uncovered(&boards, 2 * rows as u32 - 1 - CROSS) {
        return Err(ProofFault::Uncovered { board: Board::Box(margins).to_string() }.into());
    }
    let stats = ProofStats { boards: boards.len(), ..ProofStats::default() };
    Ok(ProvenClaim::new(header.claim(), stats))
}

/// A box with this many rows and columns beyond the cross that no board contains.
fn first_uncovered(boards: &[[u32; 4]], beyond: u32) -> Option<[u32; 4]> {
    let all = (0..=beyond).flat_map(|above| {
        (0..=beyond).map(move |right| [above, right, beyond - above, beyond - right])
    });
    let contains = |board: &[u32; 4], inner: &[u32; 4]| {
        images(*inner).iter().any(|image| (0..4).all(|side| image[side] <= board[side]))
    };
    all.into_iter().find(|inner| !boards.iter().any(|board| contains(board, inner)))
}

/// Refuses caps two of which have room in a long game.
fn check_room(least: &[u32]) -> Result<(), Refusal> {
    for one in 0..least.len() {
        for other in one..least.len() - one {
            let room = DOTS_AND_WASTE - (one + other) as u32;
            let dots = least[one] + least[other];
            // With more waste in all, but not in the caps, there is less room.
            if dots <= room {
                return Err(ProofFault::CapsFit { one, other, dots, room }.into());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_covered_turned_and_mirrored() {
        assert_eq!(first_uncovered(&[[7, 7, 7, 7]], 7), None);
        assert_eq!(first_uncovered(&[], 0), Some([0; 4]));
        assert_eq!(first_uncovered(&[[2, 2, 1, 1]], 2), None);
        assert_eq!(first_uncovered(&[[1, 1, 1, 1], [2, 1, 0, 1], [2, 2, 0, 0]], 2), None);
        assert_eq!(first_uncovered(&[[1, 1, 1, 1], [2, 2, 0, 0]], 2), Some([0, 1, 2, 1]));
    }

    #[test]
    fn there_must_be_no_room_for_two_caps() {
        assert!(check_room(&[91]).is_ok() && check_room(&[90]).is_err());
        assert!(check_room(&[120, 91, 60]).is_ok());
        let refusal = check_room(&[120, 91, 58]).expect_err("178 dots fit");
        assert_eq!(
            refusal.to_string(),
            "caps with waste 0 and 2 may have 178 dots; a game has room for 178"
        );
    }
}
