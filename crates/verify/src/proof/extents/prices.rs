//! What a leaf of the tree of a case proves: multipliers and prices.
//!
//! At a node some points are *absent* (no dot), some *present* (a dot), the others *open*; levels
//! are *reached*, and the number of lines along a lattice line has limits. A line *may be drawn* if
//! none of its points is absent and its lattice line may have a line. Consider a position there,
//! with n moves: it has n lines, and C + n dots.
//!
//! **Costs.** A leaf has integers s >= 0, c of any sign, and u, v, w >= 0: one v for each level
//! that is reached, towards a side or corner, and one w for each that is reached towards a side. In
//! every position
//!
//! - lines - dots + C = 0, times c;
//! - dots right of the middle - dots left of it >= 0, times u (the mirror image, see *Cases*);
//! - dots of the level - (L-1) lines along it - 1 >= 0, times v (lemmas 1 and 2); towards a corner,
//!   the dots and lines of the level and of the next one together;
//! - dots of the level before + 2 dots of the level - lines with dots on both - 2 >= 0, times w
//!   (lemmas 1 and 3).
//!
//! Adding all this to s n, which can only make it larger, and sorting by dots and lines gives
//!
//! s n <= F + (what the lines *earn*) - (what the dots *cost*), with F = c C - sum of v - 2 sum of
//! w; a line earns s + c, less (L-1) v for each v whose level it runs along, less w for each w
//! between whose two levels it has dots; a dot costs c, less u right of the middle, plus u left of
//! it, less v for each v whose level it is on, less 2 w for its own level and w for the next one.
//!
//! **Prices.** A present dot costs what it costs. An open point through which no line may be drawn
//! gives at most the larger of 0 and its cost taken negative. The cost of any other open point is
//! divided into *prices*, one for each direction in which a line through it may be drawn: the leaf
//! has them, not negative, for all but the last direction, whose price is the rest. Now each line,
//! and each price of a dot, belongs to one lattice line, where the lines share no dot. So what a
//! lattice line gives is at most its *best*: over all sets of disjoint lines that may be drawn
//! along it, as many as its limits allow, the largest sum of what these earn, less the prices of
//! their open points, plus the larger of 0 and minus the price for each open point off them. If
//! there is no such set, there is no position. (Between lattice lines nothing is compared: whether
//! a dot is there may be decided differently on each of the four through it, which can only add.)
//!
//! **Theorem.** Let B be F, less the costs of the present dots, plus what open points without a
//! direction and the best of all lattice lines give. Every position of the node has s n <= B. If
//! B < s (N + 1), the node has no position of N + 1 moves; with s = 0, it has no position at all.
//!
//! Whatever integers the file has, this holds; they decide only whether B is small enough. All of
//! them are below 2^31, there are at most 40,000 points and L <= 16, so that no sum reaches 2^62.

use super::tree::{Domain, Dot, Lattice, Node, SIDES};
use crate::fault::ProofFault;
use crate::proof::budget::Budget;
use crate::proof::text::integer;
use crate::rules::Direction;

/// The multipliers and prices of a leaf, as they stand in the file.
pub(super) struct Leaf {
    pub(super) scale: i64,
    count: i64,
    mirror: i64,
    numbers: Vec<i64>,
}

/// Integers of a file are below this.
const LIMIT: i64 = 1 << 31;

impl Leaf {
    /// Parses `16 64 0 0013+1A`: scale, count and mirror, then numbers in the digits 0-9, A-Z, a-z,
    /// with a `+` for each digit after the first before them.
    pub(super) fn parse(text: &str) -> Option<Leaf> {
        let mut words = text.split(' ');
        let in_range = |number: &i64| (1 - LIMIT..LIMIT).contains(number);
        let mut word = || integer(words.next()?).filter(in_range);
        let (scale, count, mirror) = (word()?, word()?, word()?);
        let digits = words.next().unwrap_or_default();
        if scale < 0 || mirror < 0 || words.next().is_some() {
            return None;
        }
        let mut numbers = Vec::new();
        let mut bytes = digits.bytes().peekable();
        while bytes.peek().is_some() {
            let mut more = 0;
            while bytes.next_if_eq(&b'+').is_some() {
                more += 1;
            }
            let mut number = 0;
            for _ in 0..=more {
                number = Some(62 * number + digit(bytes.next()?)?).filter(|&it| it < LIMIT)?;
            }
            numbers.push(number);
        }
        Some(Leaf { scale, count, mirror, numbers })
    }
}

#[cfg(test)]
impl Leaf {
    /// A leaf with these numbers.
    pub(super) fn of(scale: i64, count: i64, mirror: i64, numbers: Vec<i64>) -> Leaf {
        Leaf { scale, count, mirror, numbers }
    }

    /// Leaves out the last of its numbers.
    pub(super) fn shorten(&mut self) {
        self.numbers.truncate(self.numbers.len() * 19 / 20);
    }
}

fn digit(byte: u8) -> Option<i64> {
    let digit = match byte {
        b'0'..=b'9' => byte - b'0',
        b'A'..=b'Z' => byte - b'A' + 10,
        b'a'..=b'z' => byte - b'a' + 36,
        _ => return None,
    };
    Some(i64::from(digit))
}

/// Why a leaf proves nothing.
pub(super) enum LeafFault {
    /// It has more numbers than the node has levels and prices.
    TooManyNumbers,
    /// Its work is not paid for.
    Work(ProofFault),
}

/// The bound on s n at a node; nothing if it has no position at all.
pub(super) fn bound(
    domain: &Domain<'_>,
    node: &Node,
    leaf: &Leaf,
    budget: &mut Budget,
) -> Result<Option<i64>, LeafFault> {
    budget.spend(domain.leaf_work()).map_err(LeafFault::Work)?;
    let directions = directions(domain, node);
    let mut numbers = leaf.numbers.iter().copied();
    let multipliers = Multipliers::read(domain, node, leaf, &mut numbers);
    let mut sum = multipliers.constant(domain);
    let mut prices = vec![[0; 4]; domain.points.len()];
    for direction in Direction::ALL {
        let direction = direction as usize;
        for (prices, may_use) in prices.iter_mut().zip(&directions) {
            if may_use[direction] && may_use[direction + 1..].contains(&true) {
                prices[direction] = numbers.next().unwrap_or(0);
            }
        }
    }
    if numbers.next().is_some() {
        return Err(LeafFault::TooManyNumbers);
    }
    for (place, dot) in node.dots.iter().enumerate() {
        let cost = multipliers.cost(domain, place);
        match (dot, directions[place].iter().rposition(|&may_use| may_use)) {
            (Dot::Absent, _) => {}
            (Dot::Present, _) => sum -= cost,
            (Dot::Open, None) => sum += (-cost).max(0),
            (Dot::Open, Some(last)) => {
                prices[place][last] = cost - prices[place].iter().sum::<i64>();
            }
        }
    }
    for (lattice, &limits) in domain.lattice.iter().zip(&node.limits) {
        let earns = |first: usize, end: usize| multipliers.earned(domain, lattice, first, end);
        match best(lattice, &node.dots, limits, domain.length(), earns, &prices) {
            Some(best) => sum += best,
            None => return Ok(None),
        }
    }
    Ok(Some(sum))
}

/// For each open point, the directions in which a line through it may be drawn.
fn directions(domain: &Domain<'_>, node: &Node) -> Vec<[bool; 4]> {
    let mut directions = vec![[false; 4]; domain.points.len()];
    for (lattice, &(_, most)) in domain.lattice.iter().zip(&node.limits) {
        for line in lattice.points.windows(domain.length()) {
            if most > 0 && may_be_drawn(line, &node.dots) {
                for &point in line.iter().filter(|&&point| node.dots[point] == Dot::Open) {
                    directions[point][lattice.line.direction as usize] = true;
                }
            }
        }
    }
    directions
}

fn may_be_drawn(line: &[usize], dots: &[Dot]) -> bool {
    line.iter().all(|&point| dots[point] != Dot::Absent)
}

/// The most that disjoint lines along a lattice line and its dots can give, with at least and at
/// most so many lines; `earns` says what the line from one point to another earns.
fn best(
    lattice: &Lattice,
    dots: &[Dot],
    (least, most): (usize, usize),
    length: usize,
    earns: impl Fn(usize, usize) -> i64,
    prices: &[[i64; 4]],
) -> Option<i64> {
    let points = &lattice.points;
    let price = |point: usize| prices[point][lattice.line.direction as usize];
    // The best of the first points with each number of lines.
    let counts = most + 1;
    let mut best: Vec<Option<i64>> = vec![None; (points.len() + 1) * counts];
    best[0] = Some(0);
    for end in 1..=points.len() {
        let free = (-price(points[end - 1])).max(0);
        let line = end.checked_sub(length).map(|first| &points[first..end]);
        let line = line.filter(|line| may_be_drawn(line, dots));
        // Present points have the price 0.
        let gain = line.map(|line| {
            let paid: i64 = line.iter().map(|&point| price(point)).sum();
            earns(line[0], line[length - 1]) - paid
        });
        for count in 0..counts {
            let without = best[(end - 1) * counts + count].map(|best| best + free);
            let with = gain
                .filter(|_| count > 0)
                .and_then(|gain| best[(end - length) * counts + count - 1].map(|best| best + gain));
            best[end * counts + count] = without.max(with);
        }
    }
    let all = &best[points.len() * counts..];
    all[least.min(counts)..].iter().copied().max().flatten()
}

/// The multipliers of a leaf, by level.
struct Multipliers {
    scale: i64,
    count: i64,
    mirror: i64,
    /// v, by side or corner and level.
    nonempty: [Vec<i64>; SIDES],
    /// w, by side and level.
    gaps: [Vec<i64>; 4],
}

impl Multipliers {
    /// Those of the levels that are reached, from 1 outwards: all v, then all w.
    fn read(
        domain: &Domain<'_>,
        node: &Node,
        leaf: &Leaf,
        numbers: &mut impl Iterator<Item = i64>,
    ) -> Multipliers {
        // Level 0 has none, nor has the one beyond the last.
        let mut of_side = |side: usize| {
            let levels = domain.last[side] as usize + 2;
            let mut multipliers = vec![0; levels];
            let reached = node.reached[side].min(domain.last[side]) as usize;
            for multiplier in &mut multipliers[1..=reached] {
                *multiplier = numbers.next().unwrap_or(0);
            }
            multipliers
        };
        Multipliers {
            scale: leaf.scale,
            count: leaf.count,
            mirror: leaf.mirror,
            nonempty: std::array::from_fn(&mut of_side),
            gaps: std::array::from_fn(of_side),
        }
    }

    /// F.
    fn constant(&self, domain: &Domain<'_>) -> i64 {
        let nonempty: i64 = self.nonempty.iter().flatten().sum();
        let gaps: i64 = self.gaps.iter().flatten().sum();
        self.count * domain.start() - nonempty - 2 * gaps
    }

    /// The v whose dots and lines are those of a level, added up.
    fn on_level(&self, side: usize, level: i32) -> i64 {
        if level < 1 {
            return 0;
        }
        let level = level as usize;
        let before = if side < 4 { 0 } else { self.nonempty[side][level - 1] };
        self.nonempty[side][level] + before
    }

    /// What a dot costs.
    fn cost(&self, domain: &Domain<'_>, place: usize) -> i64 {
        let mut cost = self.count - self.mirror * domain.right_of_middle(place);
        for (side, &level) in domain.levels[place].iter().enumerate() {
            cost -= self.on_level(side, level);
            if side < 4 && level >= 0 {
                let level = level as usize;
                cost -= 2 * self.gaps[side][level] + self.gaps[side][level + 1];
            }
        }
        cost
    }

    /// What the line from one point to another, along a lattice line, earns.
    fn earned(&self, domain: &Domain<'_>, lattice: &Lattice, first: usize, end: usize) -> i64 {
        let mut earned = self.scale + self.count;
        for side in 0..SIDES {
            let [one, other] = [first, end].map(|place| domain.levels[place][side]);
            if lattice.runs_along(side) {
                earned -= (domain.length() as i64 - 1) * self.on_level(side, one);
            } else if side < 4 {
                let crossed = one.min(other).max(0) + 1..one.max(other) + 1;
                earned -= crossed.map(|level| self.gaps[side][level as usize]).sum::<i64>();
            }
        }
        earned
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::lp::LatticeLine;

    #[test]
    fn numbers_are_read_digit_by_digit() {
        let leaf = Leaf::parse("16 -64 2 09AZaz+10+zz++100").expect("a leaf");
        assert_eq!((leaf.scale, leaf.count, leaf.mirror), (16, -64, 2));
        assert_eq!(leaf.numbers, [0, 9, 10, 35, 36, 61, 62, 3843, 3844]);
        assert!(Leaf::parse("0 0 0").expect("a leaf").numbers.is_empty());
        for bad in [
            "",
            "1",
            "1 2",
            "-1 0 0",
            "0 0 -1",
            "1 2 3 4 5",
            "1 2 3 +",
            "1 2 3 +1",
            "1 2 3 -1",
            "1 2 3 é",
            "2147483648 0 0",
            "1 -2147483648 0",
            "1 -9223372036854775808 0",
            "-9223372036854775808 0 0",
            "0 0 0 +++++zzzzzz",
            "0 0 0 ++++++++++++0000000000000z+",
        ] {
            assert!(Leaf::parse(bad).is_none(), "{bad}");
        }
    }

    /// The best of a lattice line is what trying all sets of lines and dots finds.
    #[test]
    fn the_best_of_a_lattice_line_is_that_of_all_sets_of_lines_and_dots() {
        let mut state = 7u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % below) as i64
        };
        let line = LatticeLine { direction: Direction::East, place: 0 };
        let (mut impossible, mut negative) = (0, 0);
        for _ in 0..3000 {
            let (length, count) = (2 + random(3) as usize, random(8) as usize);
            let lattice = Lattice { line, points: (0..count).collect() };
            let dots: Vec<Dot> = (0..count)
                .map(|_| [Dot::Absent, Dot::Present, Dot::Open, Dot::Open][random(4) as usize])
                .collect();
            let price = |dot: &Dot| if *dot == Dot::Open { random(9) - 3 } else { 0 };
            let prices: Vec<[i64; 4]> = dots.iter().map(price).map(|it| [it, 0, 0, 0]).collect();
            let earned: Vec<i64> = (0..count).map(|_| random(12)).collect();
            let least = random(3) as usize;
            let limits = (least, least + random(3) as usize);
            let found = best(&lattice, &dots, limits, length, |first, _| earned[first], &prices);
            // All sets of first points, and all sets of dots.
            let mut wanted = None;
            for lines in 0..1u32 << count {
                for there in 0..1u32 << count {
                    let mut used = 0;
                    let first = (0..count).filter(|at| lines >> at & 1 == 1);
                    let is_legal = first.clone().all(|at| {
                        let dots = ((1 << length) - 1) << at;
                        let is_free = at + length <= count && used & dots == 0;
                        used |= dots;
                        is_free
                    });
                    let fits = |at: usize| match dots[at] {
                        Dot::Absent => there >> at & 1 == 0,
                        Dot::Present => there >> at & 1 == 1,
                        Dot::Open => true,
                    };
                    let number = lines.count_ones() as usize;
                    let is_allowed = (limits.0..=limits.1).contains(&number);
                    let has_dots = used & !there == 0;
                    if is_legal && is_allowed && has_dots && (0..count).all(fits) {
                        let paid: i64 = (0..count)
                            .filter(|at| there >> at & 1 == 1)
                            .map(|at| prices[at][0])
                            .sum();
                        let value = first.map(|at| earned[at]).sum::<i64>() - paid;
                        wanted = wanted.max(Some(value));
                    }
                }
            }
            assert_eq!(found, wanted, "{dots:?} {prices:?} {earned:?} {limits:?} {length}");
            impossible += usize::from(wanted.is_none());
            negative += usize::from(wanted.is_some_and(|value| value < 0));
        }
        assert!(impossible > 100 && negative > 20, "{impossible} {negative}");
    }
}
