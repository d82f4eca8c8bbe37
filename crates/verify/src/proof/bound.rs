//! `morpion-bound`: no game whose dots all lie on a board has more than N moves.
//!
//! A certificate names a game, a board and a linear program (`lp.rs`), and gives a dual for each of
//! its rows. What is proven is the bound that the duals show, which may be lower than the claim.

use super::board::Board;
use super::claim::{Claim, ProofStats, ProvenClaim};
use super::lp::{BoardProblem, Formulation};
use super::text::{self, Text, integer, points};
use crate::fault::FormatFault;
use crate::read::MAX_DOTS;
use crate::refusal::Refusal;
use crate::rules::Point;
use crate::start::Start;

pub(super) fn verify(text: &mut Text<'_>) -> Result<ProvenClaim, Refusal> {
    let statement = text.statement()?;
    let (problem, claimed) = parse_problem(text)?;
    let duals = text.duals()?;
    text.end()?;
    let claim = |moves: i128| Claim::OnBoard {
        rules: problem.rules,
        start: problem.start.clone(),
        board: problem.board,
        exact: problem.exact,
        moves: u128::try_from(moves).ok(),
    };
    claim(claimed).check_statement(statement)?;
    let bound = problem.verify(&duals, claimed, text.budget())?;
    Ok(ProvenClaim::new(claim(bound), ProofStats { boards: 1, ..ProofStats::default() }))
}

/// Reads the problem, and the bound that is claimed: -1 if there is no game.
fn parse_problem(text: &mut Text<'_>) -> Result<(BoardProblem, i128), Refusal> {
    let rules = text.rules()?;
    let start = text.value("start", "`start` and cross, cross:N or dots like 3,-1", parse_start)?;
    if let Start::Dots(dots) = &start {
        check_start(dots)?;
    }
    let wanted = "`board` and square:N, octagon:a0,...,a7 or box:t,r,b,l";
    let board = text.value("board", wanted, Board::parse)?;
    let formulation = text.value("model", "`model` and lines or births", |name| match name {
        "lines" => Some(Formulation::Lines),
        "births" => Some(Formulation::Births),
        _ => None,
    })?;
    const BOUND: &str = "`bound` and an integer, at least -1";
    let exact = text.optional(BOUND, |line| (line == "exact").then_some(()))?.is_some();
    let mut cuts = Vec::new();
    while let Some(dots) = text.optional(BOUND, |line| line.strip_prefix("cut "))? {
        cuts.push(text::cut(dots).ok_or_else(|| text.fault("dots like 3,-1"))?);
    }
    let at_least_minus_one = |number: &str| integer(number).filter(|&bound| bound >= -1);
    let claimed = text.value("bound", BOUND, at_least_minus_one)?;
    let problem = BoardProblem { rules, start, board, formulation, exact, cuts };
    Ok((problem, claimed.into()))
}

/// The start: the name of a cross, or its dots.
fn parse_start(text: &str) -> Option<Start> {
    Start::parse(text).or_else(|| points(text).map(Start::Dots))
}

/// Refuses too many start dots, one beyond the limit, or one that is listed twice.
fn check_start(dots: &[Point]) -> Result<(), Refusal> {
    if dots.len() > MAX_DOTS {
        return Err(FormatFault::TooManyDots.into());
    }
    if let Some(index) = dots.iter().position(|dot| !dot.within_limit()) {
        return Err(FormatFault::DotBeyondLimit { number: index + 1 }.into());
    }
    let mut sorted: Vec<(i32, i32)> = dots.iter().map(|dot| (dot.y, dot.x)).collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => {
            Err(FormatFault::DuplicateDot { dot: Point { x: pair[0].1, y: pair[0].0 } }.into())
        }
        None => Ok(()),
    }
}
