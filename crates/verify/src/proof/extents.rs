//! `morpion-extents/1`: an upper bound for a disjoint game, by trees over how far positions extend.
//!
//! Lines have L dots, the cross has C dots and lies in the rows and columns 0 to F. If some game
//! has more than N moves, it has a position of exactly n = N + 1 moves; that there is none is what
//! a proof shows. The *level* of a point towards a side (above, right, below, left, and the four
//! corners NE, SE, SW, NW) is how many rows, columns or diagonals it lies beyond the cross on that
//! side, negative or 0 if not beyond. The *extent* of a position on a side is its largest level.
//!
//! **Lemma 1 (no empty rows).** If a position has a dot of level t >= 1 towards a side, then each
//! level from 1 to t has a dot; towards a corner, of any two neighbouring levels from 1 to t + 1
//! whose first is at most t, one has a dot. *Proof.* Consider the first dot of level s or more. It
//! was placed by a line whose other dots have a smaller level. Along a line the level is constant
//! or changes by 1 at each step (by 1 or 2 towards a corner). So the new dot is an end of its line
//! and has level s exactly (s or s + 1).
//!
//! **Lemma 2 (nonempty lattice lines).** A row, column or diagonal with c >= 1 dots and k lines
//! drawn along it has c - (L-1) k >= 1; an empty one has 0. *Proof.* Disjoint lines: c >= L k.
//!
//! **Lemma 3 (neighbouring rows).** Let level s towards a side have a dots, level s - 1 b dots. At
//! most 2a + b lines have dots on both, and at most 2a + b - 2 if a >= 1. *Proof.* Such a line
//! has neighbouring dots v and v + d on the two levels, d one of three steps, and no two lines have
//! the same pair, since lines of one direction share no dot. The a dots have at least a + 2 points
//! as neighbours of this kind, so at least a + 2 - b of the 3a pairs end where there is no dot.
//!
//! **Lemma 4 (finitely many rows).** A position of n moves has R nonempty rows with
//! L R <= C + n + (L-1) W, where W = 4C - (L-4) n. *Proof.* The waste of a lattice line is
//! w = c - L k >= 0. Over all four directions dots are counted four times and lines once, so the
//! sum of w is 4 (C + n) - L n = W. For a nonempty row c + (L-1) w = L (c - (L-1) k) >= L by lemma
//! 2. Add this up over the rows; their waste is at most W. The same holds for columns. By lemma 1
//! and since the cross meets its F + 1 rows, extents above and below add up to at most
//! M = R - (F + 1), and so do those to the right and to the left.
//!
//! **Cases.** Turn the position so that its largest extent m is above. Then the extents to the
//! right and left are at most min(m, M), the one below at most min(m, M - m). A *case* `from to
//! sides below` is all positions whose extent above is `from` to `to`, to the right and to the
//! left at most `sides`, below at most `below`. For each m from 0 to M there must be a case
//! with from <= m <= to, min(m, M) <= sides and min(m, M - m) <= below. A case is its own mirror
//! image, so
//! that we may take the position with at least as many dots right of the middle as left of it.
//!
//! **The tree of a case.** In each place some dots are *absent*, some *present*, extents have
//! known lower limits, and the number of lines along a lattice line may have limits. A tree splits
//! by a dot (present, then absent), by an extent (at least q + 1, then at most q: dots beyond q
//! are absent) or by the number of lines along a lattice line (at least f + 1, then at most f).
//! A present dot, and a lattice line with a line, raise the lower limits of extents to their
//! levels.
//!
//! The linear program of a node, its rows and the splits are in `lp/extent.rs`.

use super::claim::{Claim, ProofStats, ProvenClaim};
use super::lp::{DisjointGame, ExtentCase, Work, verify_extents};
use super::text::{Text, number};
use crate::fault::ProofFault;
use crate::refusal::Refusal;

/// Verifies the trees of all cases, then that the cases contain all positions.
pub(super) fn verify(text: &mut Text<'_>) -> Result<ProvenClaim, Refusal> {
    let statement = text.statement()?;
    let rules = text.rules()?;
    let moves = text.bound()?;
    let claim = Claim::AtMost { rules, moves };
    claim.check_statement(statement)?;
    let game = DisjointGame::new(rules, moves)?;
    let (mut cases, mut leaves, mut work) = (Vec::new(), 0, Work::default());
    while !text.is_over() {
        let case = text.value("case", CASE, |line| parse_case(line, game.reach()))?;
        leaves += verify_extents(text, &game, case, &mut work)?;
        cases.push(case);
    }
    let is_covered = |m: i32| cases.iter().any(|case| contains_all(*case, m, game.reach()));
    match (0..=game.reach()).find(|&m| !is_covered(m)) {
        Some(m) => Err(ProofFault::MissingCase { case: format!("of largest extent {m}") }.into()),
        None => {
            let stats = ProofStats { trees: cases.len(), leaves, ..ProofStats::default() };
            Ok(ProvenClaim::new(claim, stats))
        }
    }
}

const CASE: &str =
    "`case`, the least and the largest extent above, the largest to the sides and below";

fn parse_case(line: &str, most: i32) -> Option<ExtentCase> {
    let extents = line.split(' ').map(number).collect::<Option<Vec<i32>>>()?;
    let [from, to, sides, below] = extents[..] else { return None };
    let fit = from <= to && extents.iter().all(|extent| (0..=most).contains(extent));
    fit.then_some(ExtentCase { from, to, sides, below })
}

/// Whether all positions whose largest extent is `m`, above, are in this case.
fn contains_all(case: ExtentCase, m: i32, reach: i32) -> bool {
    (case.from..=case.to).contains(&m)
        && m.min(reach) <= case.sides
        && m.min(reach - m) <= case.below
}

#[cfg(test)]
mod tests {
    use super::super::verify_proof;
    use super::*;

    fn refusal(text: &str) -> String {
        verify_proof(text).expect_err("no proof").to_string()
    }

    #[test]
    fn games_that_the_lemmas_are_not_about_are_refused() {
        for rules in ["5T", "3D", "4T"] {
            let text = format!(
                "morpion-extents/1\n{rules}: no game has more than 90 moves\nrules {rules}\n\
                 bound 90\n"
            );
            assert!(refusal(&text).contains("disjoint lines of at least 4 dots"), "{rules}");
        }
    }

    #[test]
    fn every_largest_extent_needs_a_case() {
        let head = "morpion-extents/1\n5D: no game has more than 121 moves\nrules 5D\nbound 121\n";
        assert!(refusal(head).contains("of largest extent 0"), "{}", refusal(head));
        let open = format!("{head}case 0 0 0 0\nleaf 1\n");
        assert!(refusal(&open).contains("leaf 1 of the tree case 0 0 0 0 leaves room"));
        let far = format!("{head}case 0 40 40 40\nleaf 1\n");
        assert!(refusal(&far).contains("line 5"), "{}", refusal(&far));
    }

    #[test]
    fn a_case_contains_the_positions_that_extend_furthest_above() {
        let case = |from, to, sides, below| ExtentCase { from, to, sides, below };
        assert!(contains_all(case(3, 3, 3, 3), 3, 39));
        assert!(!contains_all(case(3, 3, 2, 3), 3, 39) && !contains_all(case(3, 3, 3, 2), 3, 39));
        assert!(contains_all(case(14, 39, 39, 19), 20, 39));
        assert!(!contains_all(case(14, 39, 39, 18), 20, 39));
        assert!(!contains_all(case(14, 39, 39, 25), 13, 39));
    }
}
