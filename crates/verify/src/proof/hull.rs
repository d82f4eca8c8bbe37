//! `morpion-hull`: a bound for games with a given octagonal hull, by cases.
//!
//! Such a proof is a tree. Where it branches, it names a lattice line and how to split into cases
//! there (`lp/assumption.rs` says why there are no others). A leaf is one case, with a dual for
//! each row of its linear program: that of an exact board whose games satisfy the assumptions on
//! the way to the leaf. If no case has more moves than claimed, no game with this hull has.

use super::board::Board;
use super::claim::{Claim, ProofStats, ProvenClaim};
use super::lp::{Assumption, BoardProblem, LatticeLine};
use super::text::{Text, integer};
use crate::fault::ProofFault;
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::start::Start;

/// How deep cases may be nested.
const MAX_DEPTH: usize = 200;

pub(super) fn verify(text: &mut Text<'_>) -> Result<ProvenClaim, Refusal> {
    let statement = text.statement()?;
    let rules = text.rules()?;
    let octagon =
        |name: &str| Board::parse(name).filter(|board| matches!(board, Board::Octagon(_)));
    let board = text.value("hull", "`hull` and octagon:a0,...,a7", octagon)?;
    let not_negative = |number: &str| integer(number).filter(|&bound| bound >= 0);
    let bound = text.value("bound", "`bound` and an integer, at least 0", not_negative)?;
    let moves = u128::try_from(bound).ok();
    let claim = Claim::OnBoard { rules, start: Start::Cross, board, exact: true, moves };
    claim.check_statement(statement)?;
    verify_cases(text, rules, board, bound.into())?;
    text.end()?;
    Ok(ProvenClaim::new(claim, ProofStats { hulls: 1, ..ProofStats::default() }))
}

/// Verifies the cases of a hull, which come next in a text.
pub(super) fn verify_cases(
    text: &mut Text<'_>,
    rules: Rules,
    board: Board,
    claimed: i128,
) -> Result<(), Refusal> {
    verify_case(text, &mut BoardProblem::from_cross(rules, board, true), claimed)
}

/// Verifies one case, or the cases that it splits into.
fn verify_case(text: &mut Text<'_>, case: &mut BoardProblem, claimed: i128) -> Result<(), Refusal> {
    const CASE: &str =
        "`holds` or `phases` and a lattice line like SE 13, or `scale` and an integer above 0";
    if case.assumptions.len() > MAX_DEPTH {
        return Err(ProofFault::NoModel { reason: "cases are nested more than 200 deep" }.into());
    }
    let holds = |line: &str| LatticeLine::parse(line.strip_prefix("holds ")?);
    let phases = |line: &str| LatticeLine::parse(line.strip_prefix("phases ")?);
    let cases: Vec<Assumption> = if let Some(lattice) = text.optional(CASE, holds)? {
        vec![Assumption::Empty(lattice), Assumption::Runs(lattice, 1)]
    } else if let Some(lattice) = text.optional(CASE, phases)? {
        let phases = 0..i32::from(case.rules.length()) - 1;
        let phases = phases.map(|phase| Assumption::Phase(lattice, phase));
        phases.chain([Assumption::Runs(lattice, 2)]).collect()
    } else {
        let duals = text.duals()?;
        return case.verify(&duals, claimed, text.budget()).map(|_| ());
    };
    for assumption in cases {
        case.assumptions.push(assumption);
        verify_case(text, case, claimed)?;
        case.assumptions.pop();
    }
    Ok(())
}
