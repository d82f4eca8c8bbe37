//! Weak duality in integers: what the verifier evaluates, used here to choose multipliers.
//!
//! Any multipliers of the constraints prove a bound, if they are not negative for `<=` and not
//! positive for `>=`: the objective is at most the multipliers times the right-hand sides, plus the
//! reduced costs, each variable at whichever of its bounds is worse.

use super::{LinearProgram, Sense};

/// What multipliers show.
pub(crate) struct DualValue {
    /// The objective minus the multiplied constraints, by variable.
    pub(crate) reduced_costs: Vec<i128>,
    /// The bound times the scale.
    pub(crate) total: i128,
}

impl LinearProgram {
    /// Float multipliers times `by`, rounded, with the signs that the constraints allow.
    pub(crate) fn round_duals<'a>(
        &'a self,
        duals: &'a [f64],
        by: f64,
    ) -> impl Iterator<Item = i64> + 'a {
        self.constraints.iter().zip(duals).map(move |(constraint, dual)| {
            let rounded = (dual * by).round() as i64;
            match constraint.sense {
                Sense::AtMost => rounded.max(0),
                Sense::AtLeast => rounded.min(0),
                Sense::Equal => rounded,
            }
        })
    }

    /// Evaluates multipliers of some constraints, for costs times `scale` and these bounds of the
    /// variables.
    pub(crate) fn evaluate_duals(
        &self,
        scale: i64,
        duals: impl IntoIterator<Item = (usize, i64)>,
        bounds: impl Fn(usize) -> (i64, i64),
    ) -> DualValue {
        let wide = i128::from;
        let costs = self.variables.iter().map(|variable| wide(scale) * wide(variable.cost));
        let mut reduced_costs: Vec<i128> = costs.collect();
        let mut total = 0;
        for (constraint, dual) in duals {
            let constraint = &self.constraints[constraint];
            total += wide(dual) * wide(constraint.rhs);
            for &(variable, factor) in &constraint.terms {
                reduced_costs[variable] -= wide(dual) * wide(factor);
            }
        }
        let worst = reduced_costs.iter().enumerate();
        total += worst.map(|(variable, &cost)| at_worst(cost, bounds(variable))).sum::<i128>();
        DualValue { reduced_costs, total }
    }
}

/// A reduced cost times the bound that makes it larger.
pub(crate) fn at_worst(cost: i128, (low, high): (i64, i64)) -> i128 {
    (cost * i128::from(low)).max(cost * i128::from(high))
}
