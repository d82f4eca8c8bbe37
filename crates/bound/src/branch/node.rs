//! A node of the tree: a program with bounds on its variables, and the integer duals that prune it.

use crate::program::{LinearProgram, at_worst};

/// Multipliers of constraints that prune a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SparseDuals {
    /// The common denominator, by which moves are multiplied; 0 if there are no positions at all.
    pub scale: i64,
    /// Constraints with their multipliers; those of the others are 0.
    pub duals: Vec<(usize, i64)>,
}

/// The positions at a node of the tree.
#[derive(Debug, Clone)]
pub struct Node {
    /// The program at the root, with all constraints found so far.
    pub program: LinearProgram,
    /// The bounds of the variables at this node.
    pub bounds: Vec<(i64, i64)>,
    /// The number of moves that no position may exceed.
    pub target: u32,
}

impl Node {
    /// The root of a tree.
    #[must_use]
    pub fn root(program: LinearProgram, target: u32) -> Self {
        let bounds = program.variables.iter().map(|variable| (variable.low, variable.high));
        Self { bounds: bounds.collect(), program, target }
    }

    /// Whether these duals leave no room for more moves than the target.
    #[must_use]
    pub fn is_pruned_by(&self, leaf: &SparseDuals) -> bool {
        let duals = leaf.duals.iter().copied();
        let value = self.program.evaluate_duals(leaf.scale, duals, |index| self.bounds[index]);
        value.total < self.room(leaf.scale)
    }

    /// Integer duals that prune this node, from those of the solver: shadow prices if `counts`,
    /// else a ray of an infeasible program. Tries the scales `2^bits` in order.
    #[must_use]
    pub fn round(
        &self,
        factors: &[f64],
        bits: std::ops::Range<u32>,
        counts: bool,
    ) -> Option<SparseDuals> {
        let size = factors.iter().fold(0.0, |size: f64, factor| size.max(factor.abs()));
        bits.into_iter().find_map(|bits| {
            let scale = 1i64 << bits;
            let by = if counts { scale as f64 } else { scale as f64 / size };
            let duals = self.program.round_duals(factors, by).enumerate();
            let duals = duals.filter(|&(_, dual)| dual != 0).collect();
            let leaf = SparseDuals { scale: if counts { scale } else { 0 }, duals };
            self.is_pruned_by(&leaf).then(|| self.shortened(leaf))
        })
    }

    /// The same leaf with smaller numbers, and without the duals that are not needed, small ones
    /// first. The leaf must prune this node.
    #[must_use]
    pub fn shortened(&self, leaf: SparseDuals) -> SparseDuals {
        let smaller = |eighths: i64| {
            let less = |number: i64| (number as f64 * eighths as f64 / 8.0).round() as i64;
            let duals = leaf.duals.iter().map(|&(index, dual)| (index, less(dual)));
            let duals = duals.filter(|&(_, dual)| dual != 0).collect();
            SparseDuals { scale: less(leaf.scale), duals }
        };
        let smaller = (3..8).map(smaller).find(|smaller| self.is_pruned_by(smaller));
        let mut leaf = smaller.unwrap_or(leaf);
        let wide = i128::from;
        let duals = leaf.duals.iter().copied();
        let value = self.program.evaluate_duals(leaf.scale, duals, |index| self.bounds[index]);
        let (mut costs, mut total) = (value.reduced_costs, value.total);
        let room = self.room(leaf.scale);
        leaf.duals.sort_by_key(|&(index, dual)| (dual.unsigned_abs(), index));
        leaf.duals.retain(|&(index, dual)| {
            let constraint = &self.program.constraints[index];
            let changed = |&(variable, factor): &(usize, i64)| {
                let (before, bounds) = (costs[variable], self.bounds[variable]);
                let after = before + wide(dual) * wide(factor);
                at_worst(after, bounds) - at_worst(before, bounds)
            };
            let change: i128 = constraint.terms.iter().map(changed).sum();
            let without = total + change - wide(dual) * wide(constraint.rhs);
            let needed = without >= room;
            if !needed {
                total = without;
                for &(variable, factor) in &constraint.terms {
                    costs[variable] += wide(dual) * wide(factor);
                }
            }
            needed
        });
        leaf.duals.sort_unstable();
        leaf
    }

    /// What the total of a leaf must stay below.
    fn room(&self, scale: i64) -> i128 {
        i128::from(scale) * (i128::from(self.target) + 1)
    }
}
