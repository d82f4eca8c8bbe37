//! Leaves by prices: what prunes a node, in integers.
//!
//! Why prices prove something is written in the verifier (`proof/extents/prices.rs`), which
//! evaluates them again on its own. Here they are evaluated to choose them.

use std::fmt;
use std::str::FromStr;

use super::program::{Chain, ExtentProgram, Levels};
use crate::branch::{Node, ParseStepError};

/// Multipliers and prices as they are written: those that a node has, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceLeaf {
    /// By how much moves are multiplied; 0 if there are no positions at all.
    pub scale: i64,
    /// The multiplier of the count of dots and lines.
    pub count: i64,
    /// The multiplier of the mirror image.
    pub mirror: i64,
    /// The multipliers of levels, then the prices; those that are missing at the end are 0.
    pub numbers: Vec<i64>,
}

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// As in `morpion-extents/2`: `16 64 0 001+1A3`, numbers of k digits after k - 1 times `+`.
impl fmt::Display for PriceLeaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.scale, self.count, self.mirror)?;
        let used = self.numbers.iter().rposition(|&number| number != 0).map_or(0, |last| last + 1);
        let mut text = String::new();
        for &number in &self.numbers[..used] {
            let (mut rest, mut digits) = (number.unsigned_abs(), Vec::new());
            while digits.is_empty() || rest > 0 {
                digits.push(char::from(DIGITS[(rest % 62) as usize]));
                rest /= 62;
            }
            text.extend((1..digits.len()).map(|_| '+'));
            text.extend(digits.into_iter().rev());
        }
        if text.is_empty() { Ok(()) } else { write!(f, " {text}") }
    }
}

impl FromStr for PriceLeaf {
    type Err = ParseStepError;

    fn from_str(text: &str) -> Result<Self, ParseStepError> {
        let words: Vec<&str> = text.split(' ').collect();
        let (head, digits) = match words[..] {
            [a, b, c] => ([a, b, c], ""),
            [a, b, c, digits] => ([a, b, c], digits),
            _ => return Err(ParseStepError),
        };
        let [scale, count, mirror] = head.map(|word| word.parse().map_err(|_| ParseStepError));
        let mut numbers = Vec::new();
        let mut bytes = digits.bytes().peekable();
        while bytes.peek().is_some() {
            let mut more = 0;
            while bytes.next_if_eq(&b'+').is_some() {
                more += 1;
            }
            let mut number = 0i64;
            for _ in 0..=more {
                let digit = bytes.next().and_then(|byte| DIGITS.iter().position(|&it| it == byte));
                let longer =
                    digit.and_then(|digit| number.checked_mul(62)?.checked_add(digit as i64));
                number = longer.ok_or(ParseStepError)?;
            }
            numbers.push(number);
        }
        Ok(Self { scale: scale?, count: count?, mirror: mirror?, numbers })
    }
}

/// Multipliers of levels, and the prices of all dots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prices {
    pub(super) scale: i64,
    pub(super) count: i64,
    pub(super) mirror: i64,
    /// By side and level, from level 1.
    pub(super) nonempty: [Vec<i64>; 8],
    pub(super) gaps: [Vec<i64>; 4],
    /// By dot and direction.
    pub(super) of_dots: Vec<[i64; 4]>,
}

/// A node as prices see it.
pub(super) struct PricedNode<'a> {
    pub(super) shape: &'a ExtentProgram,
    /// How many levels are known to be reached towards each side and corner.
    pub(super) reached: [usize; 8],
    pub(super) dots: Vec<Dot>,
    /// The chains with what may be drawn along them.
    pub(super) chains: Vec<Drawable<'a>>,
    target: u32,
}

/// What is known of a dot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dot {
    Absent,
    Present,
    /// With the directions in which there may be a line through it.
    Open([bool; 4]),
}

impl Dot {
    /// The directions in which an open dot has a price.
    pub(super) fn directions(self) -> impl DoubleEndedIterator<Item = usize> {
        let open = if let Self::Open(directions) = self { directions } else { [false; 4] };
        (0..4).filter(move |&direction| open[direction])
    }

    /// The last of them, whose price is what the others leave.
    pub(super) fn last(self) -> Option<usize> {
        self.directions().next_back()
    }
}

/// A chain with the lines that may be drawn along it.
pub(super) struct Drawable<'a> {
    pub(super) chain: &'a Chain,
    /// Whether a line may start at each of its points.
    is_line: Vec<bool>,
    least: usize,
    most: usize,
}

/// What prices prove at a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Evaluation {
    /// What each dot costs: the sum of its prices.
    pub(super) costs: Vec<i64>,
    /// What a line earns, by chain and first point.
    earned: Vec<Vec<i64>>,
    /// The most that each chain earns; nothing if it cannot have as many lines as it must.
    pub(super) best: Vec<Option<i64>>,
    /// What does not depend on chains.
    fixed: i64,
}

impl Evaluation {
    /// The upper bound; nothing if there is no position.
    pub(super) fn total(&self) -> Option<i64> {
        self.best.iter().try_fold(self.fixed, |sum, &best| Some(sum + best?))
    }
}

impl<'a> PricedNode<'a> {
    pub(super) fn new(shape: &'a ExtentProgram, node: &Node, levels: &Levels) -> Self {
        let mut dots: Vec<Dot> = node.bounds[..shape.dots.len()]
            .iter()
            .map(|bounds| match bounds {
                (_, 0) => Dot::Absent,
                (1, _) => Dot::Present,
                _ => Dot::Open([false; 4]),
            })
            .collect();
        let rhs = |row: usize| node.program.constraints[row].rhs.max(0) as usize;
        let drawable = |chain: &'a Chain| {
            let row = shape.lattice[chain.lattice].at_least;
            let (least, most) = (rhs(row), rhs(row + 1));
            let windows = chain.points.windows(shape.length);
            let is_line = windows
                .map(|line| most > 0 && line.iter().all(|&dot| dots[dot] != Dot::Absent))
                .collect();
            Drawable { chain, is_line, least, most }
        };
        let chains: Vec<Drawable<'a>> = shape.chains.iter().map(drawable).collect();
        for Drawable { chain, is_line, .. } in &chains {
            for (line, _) in chain.points.windows(shape.length).zip(is_line).filter(|it| *it.1) {
                for &dot in line {
                    if let Dot::Open(directions) = &mut dots[dot] {
                        directions[chain.direction] = true;
                    }
                }
            }
        }
        let reached = std::array::from_fn(|side| {
            (levels.known[side].max(0) as usize).min(shape.nonempty[side].len())
        });
        Self { shape, reached, dots, chains, target: node.target }
    }

    /// What the total of prices must stay below.
    pub(super) fn room(&self, scale: i64) -> i64 {
        scale * (i64::from(self.target) + 1)
    }

    pub(super) fn is_pruned_by(&self, evaluation: &Evaluation, scale: i64) -> bool {
        evaluation.total().is_none_or(|total| total < self.room(scale))
    }

    /// What the multipliers say dots cost and lines earn; prices and chains are left open.
    pub(super) fn costs(&self, prices: &Prices) -> Evaluation {
        let Self { shape, reached, .. } = self;
        let &Prices { scale, count, mirror, ref nonempty, ref gaps, .. } = prices;
        let length = shape.length as i64;
        let mut fixed = count * shape.start as i64;
        // What a level adds to the cost of its dots, by side; what a line along it earns less; and
        // what lines earn less that reach as far as a level, from 0.
        let mut of_level: [Vec<i64>; 8] = Default::default();
        let mut along = of_level.clone();
        let mut across: [Vec<i64>; 4] = Default::default();
        for side in 0..8 {
            let levels = shape.nonempty[side].len() + 2;
            of_level[side] = vec![0; levels];
            along[side] = vec![0; levels];
            for level in 1..=reached[side] {
                let multiplier = nonempty[side][level - 1];
                fixed -= multiplier;
                for level in level..=level + usize::from(side >= 4) {
                    of_level[side][level] -= multiplier;
                    along[side][level] += (length - 1) * multiplier;
                }
            }
            if side < 4 {
                across[side] = vec![0; levels];
                for level in 1..=reached[side] {
                    let multiplier = gaps[side][level - 1];
                    fixed -= 2 * multiplier;
                    of_level[side][level] -= 2 * multiplier;
                    of_level[side][level - 1] -= multiplier;
                    across[side][level] += multiplier;
                }
                for level in 1..levels {
                    across[side][level] += across[side][level - 1];
                }
            }
        }
        let cost = |(dot, levels): (usize, &[i32; 8])| {
            let of_levels: i64 = (0..8).map(|side| at(&of_level[side], levels[side])).sum();
            count - mirror * shape.right_of_middle[dot] + of_levels
        };
        let costs: Vec<i64> = shape.levels_of.iter().enumerate().map(cost).collect();
        for (dot, &cost) in self.dots.iter().zip(&costs) {
            match dot {
                Dot::Absent => {}
                Dot::Present => fixed -= cost,
                Dot::Open(_) => {
                    if dot.last().is_none() {
                        fixed += (-cost).max(0);
                    }
                }
            }
        }
        let has_gaps = across.iter().any(|sums| sums.last().is_some_and(|&sum| sum != 0));
        let earned = |Drawable { chain, .. }: &Drawable<'_>| {
            let of_chain = &shape.levels_of[chain.points[0]];
            let less: i64 = (0..8)
                .filter(|&side| shape.is_along(side, chain.direction))
                .map(|side| at(&along[side], of_chain[side]))
                .sum();
            let windows = chain.points.windows(shape.length);
            let of_line = |line: &[usize]| {
                let ends = [line[0], line[line.len() - 1]].map(|dot| &shape.levels_of[dot]);
                let crossed = |side: usize| {
                    let [one, other] = ends.map(|levels| at(&across[side], levels[side]));
                    (one - other).abs()
                };
                let sides = (0..4).filter(|&side| !shape.is_along(side, chain.direction));
                let crossed: i64 = if has_gaps { sides.map(crossed).sum() } else { 0 };
                scale + count - less - crossed
            };
            windows.map(of_line).collect()
        };
        let earned = self.chains.iter().map(earned).collect();
        Evaluation { costs, earned, best: vec![Some(0); self.chains.len()], fixed }
    }

    /// Sets the last price of each open dot to what the others leave of its cost.
    pub(super) fn complete(&self, prices: &mut Prices, costs: &[i64]) {
        for ((dot, prices), &cost) in self.dots.iter().zip(&mut prices.of_dots).zip(costs) {
            for direction in 0..4 {
                if !matches!(dot, Dot::Open(open) if open[direction]) {
                    prices[direction] = 0;
                }
            }
            if let Some(last) = dot.last() {
                prices[last] = 0;
                prices[last] = cost - prices.iter().sum::<i64>();
            }
        }
    }

    /// What prices prove; completes them.
    pub(super) fn evaluate(&self, prices: &mut Prices) -> Evaluation {
        let mut evaluation = self.costs(prices);
        self.complete(prices, &evaluation.costs);
        for chain in 0..self.chains.len() {
            evaluation.best[chain] = self.best(chain, &prices.of_dots, &evaluation);
        }
        evaluation
    }

    /// The most that the dots and lines of a chain earn.
    pub(super) fn best(
        &self,
        chain: usize,
        prices: &[[i64; 4]],
        evaluation: &Evaluation,
    ) -> Option<i64> {
        const NONE: i64 = i64::MIN / 4;
        let earned = &evaluation.earned[chain];
        let Drawable { chain, is_line, least, most } = &self.chains[chain];
        let (length, points) = (self.shape.length, chain.points.len());
        // Where the limits say nothing, lines need not be counted.
        let is_limited = *least > 0 || *most < points / length;
        let counts = if is_limited { most + 1 } else { 1 };
        let mut best = vec![NONE; (points + 1) * counts];
        best[0] = 0;
        let mut of_line = 0;
        for (end, &dot) in (1..).zip(&chain.points) {
            let price = prices[dot][chain.direction];
            of_line += price;
            if end > length {
                of_line -= prices[chain.points[end - length - 1]][chain.direction];
            }
            let free = (-price).max(0);
            for count in 0..counts {
                let mut value = best[(end - 1) * counts + count] + free;
                if end >= length && is_line[end - length] && (count > 0 || !is_limited) {
                    let before = (end - length) * counts + count - usize::from(is_limited);
                    value = value.max(best[before] + earned[end - length] - of_line);
                }
                best[end * counts + count] = value.max(NONE);
            }
        }
        let allowed = if is_limited { *least..=*most } else { 0..=0 };
        let best = allowed.filter_map(|count| best.get(points * counts + count)).max();
        best.copied().filter(|&best| best > NONE / 2)
    }

    /// The numbers that are written.
    pub(super) fn leaf(&self, prices: &Prices) -> PriceLeaf {
        let mut numbers = Vec::new();
        self.each_number(|place| {
            numbers.push(match place {
                Number::Nonempty(side, level) => prices.nonempty[side][level],
                Number::Gap(side, level) => prices.gaps[side][level],
                Number::Price(dot, direction) => prices.of_dots[dot][direction],
            });
        });
        let &Prices { scale, count, mirror, .. } = prices;
        PriceLeaf { scale, count, mirror, numbers }
    }

    /// The prices that were written; nothing if there are too many.
    pub(super) fn prices(&self, leaf: &PriceLeaf) -> Option<Prices> {
        let &PriceLeaf { scale, count, mirror, ref numbers } = leaf;
        let mut prices = Prices { scale, count, mirror, ..Prices::none(self.shape) };
        let mut numbers = numbers.iter();
        self.each_number(|place| {
            let number = numbers.next().copied().unwrap_or(0);
            match place {
                Number::Nonempty(side, level) => prices.nonempty[side][level] = number,
                Number::Gap(side, level) => prices.gaps[side][level] = number,
                Number::Price(dot, direction) => prices.of_dots[dot][direction] = number,
            }
        });
        numbers.next().is_none().then_some(prices)
    }

    /// All that is written, in order.
    fn each_number(&self, mut on: impl FnMut(Number)) {
        for side in 0..8 {
            (0..self.reached[side]).for_each(|level| on(Number::Nonempty(side, level)));
        }
        for side in 0..4 {
            (0..self.reached[side]).for_each(|level| on(Number::Gap(side, level)));
        }
        for direction in 0..4 {
            for (number, dot) in self.dots.iter().enumerate() {
                let has_price = matches!(dot, Dot::Open(open) if open[direction]);
                if has_price && dot.last() != Some(direction) {
                    on(Number::Price(number, direction));
                }
            }
        }
    }
}

/// A number of a leaf; levels are counted from 0 here.
enum Number {
    Nonempty(usize, usize),
    Gap(usize, usize),
    Price(usize, usize),
}

impl Prices {
    /// All 0.
    pub(super) fn none(shape: &ExtentProgram) -> Self {
        Self {
            scale: 0,
            count: 0,
            mirror: 0,
            nonempty: std::array::from_fn(|side| vec![0; shape.nonempty[side].len()]),
            gaps: std::array::from_fn(|side| vec![0; shape.gaps[side].len()]),
            of_dots: vec![[0; 4]; shape.dots.len()],
        }
    }
}

/// What a level has, 0 if it is not beyond the cross.
fn at(of_level: &[i64], level: i32) -> i64 {
    usize::try_from(level).ok().and_then(|level| of_level.get(level)).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_read_back() {
        let numbers = vec![0, 9, 10, 35, 36, 61, 62, 3843, 3844, 1 << 30, 7];
        let leaf = PriceLeaf { scale: 16, count: -64, mirror: 0, numbers };
        let text = leaf.to_string();
        assert_eq!(text, "16 -64 0 09AZaz+10+zz++100+++++1AfJIW7");
        assert_eq!(text.parse(), Ok(leaf));
        assert_eq!("0 0 0".parse::<PriceLeaf>().map(|leaf| leaf.to_string()), Ok("0 0 0".into()));
        for bad in ["", "1 2", "1 2 3 4 5", "1 2 3 +", "1 2 3 +1", "1 2 3 -", "8 3:1 17:-2 5"] {
            assert_eq!(bad.parse::<PriceLeaf>(), Err(ParseStepError), "{bad}");
        }
    }
}
