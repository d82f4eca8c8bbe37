//! Branch-and-bound trees over the linear program of a region.
//!
//! A node either splits on a column, which is 1 in the first child and 0 in the second, or it is a
//! leaf with a scale s and duals for some rows. The duals must prune the leaf: show that the
//! objective there is less than N + 1 (`lp.rs`). With s = 0 they show that the leaf is infeasible;
//! so they must for positions that leave, which have no objective.

use super::region::{Region, RegionProgram};
use super::{Cut, DualSum, SparseDuals};
use crate::fault::ProofFault;
use crate::proof::budget::Budget;
use crate::proof::text::{Text, cut, number};
use crate::refusal::{Place, Refusal};
use crate::rules::Rules;

/// How deep a tree may be.
const MAX_DEPTH: usize = 2000;

/// The most cuts of a tree; on the largest region they take some 200 MB.
const MAX_CUTS: usize = 4000;

/// A tree that has been verified.
pub(crate) struct TreeStats {
    pub(crate) leaves: usize,
    /// Whether all scales are 0, which shows that the region has no position at all.
    pub(crate) is_infeasible: bool,
}

/// Verifies the tree of a region, which comes next in a text: no position there has more than
/// `moves` moves.
pub(crate) fn verify_tree(
    text: &mut Text<'_>,
    rules: Rules,
    region: Region,
    moves: u32,
) -> Result<TreeStats, Refusal> {
    const NODE: &str = "`split` and an open column, or `leaf`, a scale and rows with factors";
    let mut program = RegionProgram::new(rules, region, moves, &cuts(text)?, text.budget())?;
    // The splits on the way to the node, and whether it is in the first child of each.
    let mut path: Vec<(usize, bool)> = Vec::new();
    let mut stats = TreeStats { leaves: 0, is_infeasible: true };
    loop {
        if let Some(column) = text.optional(NODE, |line| line.strip_prefix("split "))? {
            let column = number(column);
            let column = column.filter(|&column| program.is_open(column) && path.len() < MAX_DEPTH);
            let column = column.ok_or_else(|| text.fault(NODE))?;
            program.fix(column, Some(1));
            path.push((column, true));
            continue;
        }
        let leaf = text.value("leaf", NODE, SparseDuals::parse)?;
        if !leaf.names_rows_once(program.rows().len()) {
            return Err(text.fault("a leaf with rows that exist, none of them twice"));
        }
        stats.leaves += 1;
        stats.is_infeasible &= leaf.scale == 0;
        if !leaf.prunes(&program, region, moves, text.budget())? {
            let (number, case) = (stats.leaves, region.to_string());
            return Err(ProofFault::OpenLeaf { number, case }.into());
        }
        // Continue with the second child of the last split that has not been there.
        loop {
            match path.pop() {
                None => return Ok(stats),
                Some((column, true)) => {
                    program.fix(column, Some(0));
                    path.push((column, false));
                    break;
                }
                Some((column, false)) => program.fix(column, None),
            }
        }
    }
}

/// Reads the cuts of a tree.
fn cuts(text: &mut Text<'_>) -> Result<Vec<Cut>, Refusal> {
    let few = |text: &str| number(text).filter(|&count| count <= MAX_CUTS);
    let count = text.value("cuts", "`cuts` and how many there are, up to 4000", few)?;
    (0..count).map(|_| text.line("a marked dot, then all dots of a cut", cut)).collect()
}

impl SparseDuals {
    /// Whether no position at this node has more than `moves` moves.
    fn prunes(
        &self,
        program: &RegionProgram,
        region: Region,
        moves: u32,
        budget: &mut Budget,
    ) -> Result<bool, Refusal> {
        let (columns, counts) = (program.columns(), region.counts_moves());
        let objective = |column| counts && columns.is_move(column);
        let mut sum = DualSum::new(self.scale, columns.len(), objective, budget)?;
        for &(row, dual) in &self.duals {
            let place = Place::Row(u32::try_from(row).unwrap_or(u32::MAX));
            sum.add(&program.rows()[row], dual).map_err(|fault| Refusal::new(place, fault))?;
        }
        let room = if counts { i128::from(self.scale) * (i128::from(moves) + 1) } else { 0 };
        Ok(sum.maximum(|column| program.value(column)) < room)
    }
}
