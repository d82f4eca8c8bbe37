//! `morpion-extents/2`: an upper bound for a disjoint game, by trees over how far positions extend.
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
//! **Lemma 4 (first exit).** If no position whose largest extent is E has it, however many moves
//! it has, then all positions have extents below E. *Proof.* Otherwise consider the first position
//! of a game that has an extent of E or more. By the proof of lemma 1 its last dot has level
//! exactly E there and at most E towards the other sides, and all other dots have smaller levels.
//!
//! **Cases.** Turn the position so that its largest extent m is above. A *case* `from to` is all
//! positions whose extent above is `from` to `to`, and to the other sides at most `to`. A case is
//! its own mirror image, so that we may take the position with at least as many dots right of the
//! middle as left of it. The *exit* E is the case from E to E, without regard to the number of
//! moves: its leaves must not count them. The cases follow each other from 0 to E - 1; by
//! lemma 4 they contain all positions.
//!
//! **The tree of a case.** In each place some dots are *absent*, some *present*, extents have
//! known lower limits, and the number of lines along a lattice line may have limits. A tree splits
//! by a dot (present, then absent), by an extent (at least q + 1, then at most q: dots beyond q
//! are absent) or by the number of lines along a lattice line (at least f + 1, then at most f).
//! A present dot, and a lattice line with a line, raise the lower limits of extents to their
//! levels.
//!
//! The splits and what a node knows are in `extents/tree.rs`; what a leaf proves is the theorem of
//! `extents/prices.rs`.

mod prices;
mod tree;

use self::tree::{DisjointGame, ExtentCase, verify_tree};
use super::claim::{Claim, ProofStats, ProvenClaim};
use super::text::{Text, number};
use crate::fault::ProofFault;
use crate::refusal::Refusal;

/// The largest extent that is looked at.
const MAX_EXTENT: i32 = 100;

/// Verifies the trees of the exit and of the cases, which follow each other without a gap.
pub(super) fn verify(text: &mut Text<'_>) -> Result<ProvenClaim, Refusal> {
    let statement = text.statement()?;
    let rules = text.rules()?;
    let moves = text.bound()?;
    let claim = Claim::AtMost { rules, moves };
    claim.check_statement(statement)?;
    let game = DisjointGame::new(rules)?;
    let exit = text.value("exit", "`exit` and an extent from 1 to 100", |line| {
        number(line).filter(|exit| (1..=MAX_EXTENT).contains(exit))
    })?;
    let exit_case = ExtentCase { from: exit, to: exit };
    let mut leaves = verify_tree(text, &game, exit_case, None)?;
    let (mut next, mut trees) = (0, 1);
    while next < exit {
        let case = match text.is_over() {
            true => None,
            false => Some(text.value("case", CASE, |line| parse_case(line, exit))?),
        };
        let Some(case) = case.filter(|case| case.from == next) else {
            let case = format!("of largest extent {next}");
            return Err(ProofFault::MissingCase { case }.into());
        };
        leaves += verify_tree(text, &game, case, Some(moves))?;
        (next, trees) = (case.to + 1, trees + 1);
    }
    text.end()?;
    Ok(ProvenClaim::new(claim, ProofStats { trees, leaves, ..ProofStats::default() }))
}

const CASE: &str = "`case` with the least and the largest extent above, both below the exit";

fn parse_case(line: &str, exit: i32) -> Option<ExtentCase> {
    let (from, to) = line.split_once(' ')?;
    let (from, to) = (number(from)?, number(to)?);
    (0 <= from && from <= to && to < exit).then_some(ExtentCase { from, to })
}

#[cfg(test)]
mod tests {
    use super::super::verify_proof;
    use super::*;

    fn refusal(text: &str) -> String {
        verify_proof(text).expect_err("no proof").to_string()
    }

    const HEAD: &str =
        "morpion-extents/2\n5D: no game has more than 121 moves\nrules 5D\nbound 121\n";

    #[test]
    fn games_that_the_lemmas_are_not_about_are_refused() {
        for rules in ["5T", "4D", "4T"] {
            let text = HEAD.replace("5D", rules);
            assert!(refusal(&text).contains("disjoint lines of at least 5 dots"), "{rules}");
        }
    }

    #[test]
    fn a_proof_says_how_far_positions_extend_and_shows_it() {
        assert!(refusal(HEAD).contains("line 5 of the file: expected `exit`"), "{}", refusal(HEAD));
        let open = format!("{HEAD}exit 3\nleaf 0 0 0\n");
        assert!(refusal(&open).contains("leaf 1 of the tree exit 3 leaves room"));
        // With so few moves allowed, counting them would exclude everything.
        let counted = HEAD.replace("121", "0") + "exit 1\nleaf 1 0 0\n";
        assert!(refusal(&counted).contains("line 6"), "{}", refusal(&counted));
        let far = format!("{HEAD}exit 101\n");
        assert!(refusal(&far).contains("line 5"), "{}", refusal(&far));
        let wide = format!("{HEAD}exit 96\n");
        assert!(refusal(&wide).contains("more than 40000 dots"), "{}", refusal(&wide));
    }

    #[test]
    fn a_tree_that_is_too_deep_is_told_its_limit() {
        // Dots above the cross, then dots below it.
        let rows = (-18..0).chain(10..28);
        let dots = rows.flat_map(|y| (-18..28).map(move |x| format!("dot {x},{y}\n")));
        let splits = |count: usize| dots.clone().take(count).collect::<String>();
        let deep = format!("{HEAD}exit 18\n{}", splits(1001));
        assert!(refusal(&deep).contains("line 1006"), "{}", refusal(&deep));
        assert!(refusal(&deep).contains("at most 1000 halves"), "{}", refusal(&deep));
        let allowed = format!("{HEAD}exit 18\n{}", splits(1000));
        assert!(refusal(&allowed).contains("line 1006"), "{}", refusal(&allowed));
        assert!(!refusal(&allowed).contains("halves"), "{}", refusal(&allowed));
    }

    #[test]
    fn cases_end_below_the_exit() {
        let case = |from, to| Some(ExtentCase { from, to });
        assert_eq!(parse_case("0 2", 3), case(0, 2));
        assert_eq!(parse_case("2 2", 3), case(2, 2));
        for line in ["2 3", "2 1", "-1 0", "1", "1 1 1", "1  1", "x 1"] {
            assert_eq!(parse_case(line, 3), None, "{line}");
        }
    }
}
