//! From the duals of the solver to integer prices, as small as they can be.
//!
//! The price of a dot in a direction is the dual of its use. Prices are rounded so that the sums
//! over the points of a lattice line stay right, which is what lines pay; the last price of a dot
//! takes what its cost leaves, and a local search moves units from one direction of a dot to
//! another as long as that lowers the bound. So the smallest scale that prunes is often below ten.

use super::prices::{Dot, Evaluation, PricedNode, Prices};
use super::program::ExtentProgram;
use crate::program::ConstraintKind;

/// Multipliers and prices in floats.
pub(super) struct FloatPrices {
    count: f64,
    mirror: f64,
    nonempty: [Vec<f64>; 8],
    gaps: [Vec<f64>; 4],
    of_dots: Vec<[f64; 4]>,
}

/// The finest scale: it prunes, or nothing does.
const FINEST: f64 = (1 << 20) as f64;
/// The scale that is tried first, times the room below the target.
const FIRST: f64 = 1.5;
/// By how much the scale grows.
const GROWTH: f64 = 1.25;
/// How often the local search looks at all dots.
const SWEEPS: usize = 4;

impl FloatPrices {
    /// Those of the solver's multipliers of all constraints.
    pub(super) fn new(shape: &ExtentProgram, reached: &[usize; 8], duals: &[f64]) -> Self {
        let mut of_dots = vec![[0.0; 4]; shape.dots.len()];
        for (constraint, &dual) in shape.program.constraints.iter().zip(duals) {
            if let ConstraintKind::Through(dot, direction) = constraint.kind {
                let dot = shape.dot(dot).expect("the constraint is about a dot of the program");
                of_dots[dot][direction as usize] = dual.max(0.0);
            }
        }
        let multiplier = |&row: &usize| (-duals[row]).max(0.0);
        let mut prices = Self {
            count: duals[0],
            mirror: multiplier(&shape.mirror),
            nonempty: std::array::from_fn(|side| {
                shape.nonempty[side].iter().map(multiplier).collect()
            }),
            gaps: std::array::from_fn(|side| shape.gaps[side].iter().map(multiplier).collect()),
            of_dots,
        };
        prices.absorb(shape, reached);
        prices
    }

    /// Levels that are not known to be reached say no more than prices do: that lines have their
    /// dots.
    fn absorb(&mut self, shape: &ExtentProgram, reached: &[usize; 8]) {
        for side in 0..8 {
            let along = (0..4).find(|&it| shape.is_along(side, it)).expect("each has a direction");
            let others: Vec<usize> = (0..4).filter(|&it| it != along).collect();
            for level in reached[side] + 1..=shape.nonempty[side].len() {
                let nonempty = std::mem::take(&mut self.nonempty[side][level - 1]);
                let gap = match side < 4 {
                    true => std::mem::take(&mut self.gaps[side][level - 1]),
                    false => 0.0,
                };
                if nonempty == 0.0 && gap == 0.0 {
                    continue;
                }
                for (prices, levels) in self.of_dots.iter_mut().zip(&shape.levels_of) {
                    let of_dot = levels[side];
                    let (level, next) = (level as i32, level as i32 + i32::from(side >= 4));
                    if of_dot == level || of_dot == next {
                        prices[along] += nonempty;
                    }
                    if of_dot == level {
                        prices[others[0]] += gap;
                        prices[others[1]] += gap;
                    } else if of_dot == level - 1 {
                        prices[others[2]] += gap;
                    }
                }
            }
        }
    }

    /// The largest of all.
    fn size(&self) -> f64 {
        let levels = self.nonempty.iter().chain(&self.gaps).flatten();
        let all = levels.chain(self.of_dots.iter().flatten()).chain([&self.count, &self.mirror]);
        all.fold(0.0, |size: f64, number| size.max(number.abs()))
    }

    /// Integer prices that prune a node, if there are some near these: with moves if they `count`.
    pub(super) fn round(&self, node: &PricedNode<'_>, counts: bool) -> Option<Prices> {
        let size = if counts { 1.0 } else { self.size() };
        let at = |scale: f64| {
            let mut prices = self.scaled(node, scale / size, counts);
            let evaluation = node.evaluate(&mut prices);
            (prices, evaluation)
        };
        let (finest, evaluation) = at(FINEST);
        let room = match evaluation.total() {
            None => f64::INFINITY,
            Some(total) => (node.room(finest.scale) - total) as f64 / FINEST,
        };
        if room <= 0.0 {
            return None;
        }
        let mut scale = (FIRST / room).ceil().max(1.0);
        while scale < FINEST {
            let (mut prices, mut evaluation) = at(scale);
            if node.is_pruned_by(&evaluation, prices.scale)
                || improve(node, &mut prices, &mut evaluation)
            {
                return Some(prices);
            }
            scale = (scale * GROWTH).ceil();
        }
        Some(finest)
    }

    /// All times a factor, rounded; the last price of each dot is left open.
    fn scaled(&self, node: &PricedNode<'_>, by: f64, counts: bool) -> Prices {
        let rounded = |number: &f64| (number * by).round() as i64;
        let mut prices = Prices {
            scale: if counts { by.round() as i64 } else { 0 },
            count: rounded(&self.count),
            mirror: rounded(&self.mirror),
            nonempty: std::array::from_fn(|side| self.nonempty[side].iter().map(rounded).collect()),
            gaps: std::array::from_fn(|side| self.gaps[side].iter().map(rounded).collect()),
            ..Prices::none(node.shape)
        };
        for drawable in &node.chains {
            let direction = drawable.chain.direction;
            let (mut sum, mut before) = (0.0, 0);
            for &dot in &drawable.chain.points {
                let is_open = matches!(node.dots[dot], Dot::Open(open) if open[direction]);
                if is_open && node.dots[dot].last() != Some(direction) {
                    sum += self.of_dots[dot][direction] * by;
                    let now = f64::round(sum) as i64;
                    prices.of_dots[dot][direction] = now - before;
                    before = now;
                }
            }
        }
        prices
    }
}

/// Moves units between the prices of a dot as long as the bound falls; whether it prunes now.
fn improve(node: &PricedNode<'_>, prices: &mut Prices, evaluation: &mut Evaluation) -> bool {
    let room = node.room(prices.scale);
    let Some(mut total) = evaluation.total() else { return true };
    for _ in 0..SWEEPS {
        let before = total;
        for dot in 0..node.dots.len() {
            let Some(last) = node.dots[dot].last() else { continue };
            let directions: Vec<usize> = node.dots[dot].directions().collect();
            if directions.len() < 2 {
                continue;
            }
            // What a unit more saves, and what a unit less costs.
            let (mut to, mut from) = (None, None);
            for &direction in &directions {
                let chain = node.shape.chain_of[dot][direction].expect("lines go through it");
                let now = evaluation.best[chain].expect("there are positions");
                let may_fall = direction == last || prices.of_dots[dot][direction] > 0;
                let mut with = |change: i64| {
                    prices.of_dots[dot][direction] += change;
                    let value = node.best(chain, &prices.of_dots, evaluation);
                    prices.of_dots[dot][direction] -= change;
                    value.expect("prices do not change what may be drawn")
                };
                if to.is_none() {
                    let value = with(1);
                    if value < now {
                        to = Some((direction, chain, value));
                        continue;
                    }
                }
                if from.is_none() && may_fall {
                    let value = with(-1);
                    if value == now {
                        from = Some((direction, chain, value));
                    }
                }
            }
            if let (Some(to), Some(from)) = (to, from) {
                for ((direction, chain, value), change) in [(to, 1), (from, -1)] {
                    prices.of_dots[dot][direction] += change;
                    evaluation.best[chain] = Some(value);
                }
                total -= 1;
                if total < room {
                    return true;
                }
            }
        }
        if total == before {
            return false;
        }
    }
    false
}
