//! Trees over the positions of a case.
//!
//! Lemmas 1 to 4, the levels and the cases are in `proof/extents.rs`. At a node some points are
//! absent, some are present, positions are known to have a dot of at least some level towards each
//! side and corner, and the number of lines drawn along a lattice line has limits: at first 0, and
//! the largest number of disjoint lines on its points. A node is a leaf, whose numbers must prove
//! that it has no position of N + 1 moves (`prices.rs`), or it is split:
//!
//! - `dot X,Y`: the dot is present, then: it is absent.
//! - `extent SIDE q`: positions reach level q + 1 on that side, then: points beyond q are absent.
//! - `lines DIRECTION i f`: more than f lines are drawn along the lattice line i, then: at most f.
//!
//! A dot that is present, and a lattice line that has lines, show that their levels are reached.

use super::prices::{self, Leaf, LeafFault};
use crate::fault::{FormatFault, ProofFault};
use crate::proof::board::MAX_BOARD_DOTS;
use crate::proof::budget::Budget;
use crate::proof::lp::LatticeLine;
use crate::proof::text::{Text, number, points};
use crate::refusal::Refusal;
use crate::rules::{Direction, Point, Rules};
use crate::start::Start;

/// How many second halves of splits may wait while the first ones are read.
const MAX_WAITING: usize = 1000;

/// How many points and lattice lines those may have together: some 150 MB.
const MAX_WAITING_SIZE: usize = 8_000_000;

const TOO_DEEP: &str = "a leaf: at most 1000 halves of splits may wait, \
    with at most 8000000 points and lattice lines together";

/// A disjoint game from the usual cross, and what the lemmas say of its positions.
pub(super) struct DisjointGame {
    rules: Rules,
    cross: Vec<Point>,
    /// The cross lies in the rows and columns from 0 to this one.
    far: i32,
    /// How high the cross lies towards each side.
    base: [i32; SIDES],
}

impl DisjointGame {
    /// The game of these rules.
    pub(super) fn new(rules: Rules) -> Result<DisjointGame, Refusal> {
        if rules.touching() || rules.length() < 5 {
            let reason = "the lemmas are about disjoint lines of at least 5 dots";
            return Err(ProofFault::NoModel { reason }.into());
        }
        let cross = Start::Cross.dots(rules).into_owned();
        let far = cross.iter().map(|dot| dot.x).max().expect("a cross has dots");
        let base = std::array::from_fn(|side| {
            cross.iter().map(|&dot| heights(dot)[side]).max().expect("a cross has dots")
        });
        Ok(DisjointGame { rules, cross, far, base })
    }

    /// The level of a point towards each side and corner.
    fn levels(&self, point: Point) -> [i32; SIDES] {
        let heights = heights(point);
        std::array::from_fn(|side| heights[side] - self.base[side])
    }
}

/// Above, right, below, left, then NE, SE, SW, NW.
pub(super) const SIDES: usize = 8;

/// How high a point lies towards each side and corner.
fn heights(Point { x, y }: Point) -> [i32; SIDES] {
    [-y, x, y, -x, x - y, x + y, y - x, -x - y]
}

/// The side towards which the place of a lattice line is its height, and the opposite one.
fn sides(direction: Direction) -> (usize, usize) {
    match direction {
        Direction::East => (2, 0),
        Direction::South => (1, 3),
        Direction::SouthEast => (4, 6),
        Direction::NorthEast => (5, 7),
    }
}

/// The positions that extend `from` to `to` rows above the cross, and at most `to` beyond the other
/// sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ExtentCase {
    pub(super) from: i32,
    pub(super) to: i32,
}

/// Verifies the tree of a case, which comes next in a text: no position has more moves than the
/// bound or, without one, there is no position. Returns the number of its leaves.
pub(super) fn verify_tree(
    text: &mut Text<'_>,
    game: &DisjointGame,
    case: ExtentCase,
    bound: Option<u32>,
) -> Result<usize, Refusal> {
    const NODE: &str =
        "a split (`dot`, `extent`, `lines`) of this node, or `leaf` and its numbers below 2^31";
    let domain = Domain::new(game, case, text.budget())?;
    let most_waiting = MAX_WAITING.min(MAX_WAITING_SIZE / domain.size());
    let mut pending = vec![domain.root(case)];
    let mut leaves = 0;
    while let Some(node) = pending.pop() {
        // A split copies the node and looks at all points.
        text.budget().spend_product(domain.size(), 3)?;
        if let Some(split) = text.optional(NODE, Split::parse)? {
            if pending.len() >= most_waiting {
                return Err(text.fault(TOO_DEEP));
            }
            let halves = domain.halves(node, split);
            let [first, second] = halves.ok_or_else(|| text.fault(NODE))?;
            pending.extend([second, first]);
            continue;
        }
        let leaf = text.value("leaf", NODE, Leaf::parse)?;
        // Moves do not matter if there is no position at all.
        let moves = match bound {
            Some(bound) => i64::from(bound) + 1,
            None if leaf.scale == 0 => 0,
            None => return Err(text.fault("a leaf of scale 0, which does not count moves")),
        };
        leaves += 1;
        let shown = prices::bound(&domain, &node, &leaf, text.budget());
        let shown = shown.map_err(|fault| match fault {
            LeafFault::TooManyNumbers => {
                text.fault("a leaf with no more numbers than its node has")
            }
            LeafFault::Work(fault) => fault.into(),
        })?;
        if shown.is_some_and(|shown| shown >= leaf.scale * moves) {
            let ExtentCase { from, to } = case;
            let case = bound.map_or(format!("exit {from}"), |_| format!("case {from} {to}"));
            return Err(ProofFault::OpenLeaf { number: leaves, case }.into());
        }
    }
    Ok(leaves)
}

/// How a node is split in two.
enum Split {
    Dot(Point),
    Extent { side: usize, most: i32 },
    Lines { line: LatticeLine, most: usize },
}

impl Split {
    /// Parses `dot 3,-1`, `extent above 4` or `lines SE -2 1`.
    fn parse(text: &str) -> Option<Split> {
        let (kind, rest) = text.split_once(' ')?;
        match kind {
            "dot" => match points(rest)?[..] {
                [dot] => Some(Split::Dot(dot)),
                _ => None,
            },
            "extent" => {
                let (side, most) = rest.split_once(' ')?;
                let side = ["above", "right", "below", "left"].iter().position(|it| *it == side)?;
                Some(Split::Extent { side, most: number(most)? })
            }
            "lines" => {
                let (line, most) = rest.rsplit_once(' ')?;
                Some(Split::Lines { line: LatticeLine::parse(line)?, most: number(most)? })
            }
            _ => None,
        }
    }
}

/// What is known of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dot {
    Absent,
    Present,
    Open,
}

/// What is known of the positions at a node.
#[derive(Clone)]
pub(super) struct Node {
    /// By point.
    pub(super) dots: Vec<Dot>,
    /// The least and the largest number of lines along each lattice line of the domain.
    pub(super) limits: Vec<(usize, usize)>,
    /// Positions have a dot of at least this level.
    pub(super) reached: [i32; SIDES],
    /// Positions have no dot beyond this level.
    most: [i32; 4],
}

/// A lattice line on which lines fit, and its points in order.
pub(super) struct Lattice {
    pub(super) line: LatticeLine,
    pub(super) points: Vec<usize>,
}

impl Lattice {
    /// Whether the levels towards a side or corner are lattice lines of this direction.
    pub(super) fn runs_along(&self, side: usize) -> bool {
        let (one, other) = sides(self.line.direction);
        side == one || side == other
    }
}

/// The points of the box of a case, row by row.
pub(super) struct Domain<'g> {
    game: &'g DisjointGame,
    pub(super) points: Vec<Point>,
    /// The level of each point towards each side and corner.
    pub(super) levels: Vec<[i32; SIDES]>,
    /// The last level of the box towards each side and corner.
    pub(super) last: [i32; SIDES],
    pub(super) lattice: Vec<Lattice>,
    /// The rows and columns of the box go from minus this to this many beyond the cross.
    beyond: i32,
}

impl<'g> Domain<'g> {
    fn new(
        game: &'g DisjointGame,
        case: ExtentCase,
        budget: &mut Budget,
    ) -> Result<Domain<'g>, Refusal> {
        let beyond = case.to;
        let wide = game.far + 1 + 2 * beyond;
        if wide * wide > MAX_BOARD_DOTS as i32 {
            return Err(FormatFault::BoardTooLarge.into());
        }
        budget.spend_product((wide * wide) as usize, 4 * SIDES)?;
        let range = -beyond..=game.far + beyond;
        let row = |y: i32| range.clone().map(move |x| Point { x, y });
        let points: Vec<Point> = range.clone().flat_map(row).collect();
        let levels: Vec<[i32; SIDES]> = points.iter().map(|&point| game.levels(point)).collect();
        let last = std::array::from_fn(|side| {
            levels.iter().map(|levels| levels[side]).max().expect("a box has points")
        });
        let mut domain = Domain { game, points, levels, last, lattice: Vec::new(), beyond };
        for direction in Direction::ALL {
            for start in 0..domain.points.len() {
                let start = domain.points[start];
                if domain.place(start.walk(direction, -1)).is_some() {
                    continue;
                }
                let points: Vec<usize> =
                    (0..).map_while(|steps| domain.place(start.walk(direction, steps))).collect();
                if points.len() >= domain.length() {
                    let line = LatticeLine::through(start, direction);
                    domain.lattice.push(Lattice { line, points });
                }
            }
        }
        Ok(domain)
    }

    /// How many dots a line has.
    pub(super) fn length(&self) -> usize {
        usize::from(self.game.rules.length())
    }

    /// How many dots the cross has.
    pub(super) fn start(&self) -> i64 {
        self.game.cross.len() as i64
    }

    /// 1 for points right of the middle column, -1 for those left of it.
    pub(super) fn right_of_middle(&self, place: usize) -> i64 {
        i64::from((2 * self.points[place].x - self.game.far).signum())
    }

    /// The number of a point.
    fn place(&self, Point { x, y }: Point) -> Option<usize> {
        let range = -self.beyond..=self.game.far + self.beyond;
        let wide = self.game.far + 1 + 2 * self.beyond;
        let inside = range.contains(&x) && range.contains(&y);
        inside.then(|| ((y + self.beyond) * wide + x + self.beyond) as usize)
    }

    /// How many points and lattice lines there are.
    fn size(&self) -> usize {
        self.points.len() + self.lattice.len()
    }

    /// The steps that a leaf takes: each point and level is looked at a few times, and each point
    /// of a lattice line with the line that ends there and with each number of lines.
    pub(super) fn leaf_work(&self) -> usize {
        let length = self.length();
        let of_line =
            |line: &Lattice| line.points.len() * (3 * length + line.points.len() / length);
        let levels: usize = self.last.iter().map(|&last| last as usize).sum();
        6 * levels + 24 * self.points.len() + self.lattice.iter().map(of_line).sum::<usize>()
    }

    /// The node at the root of the tree.
    fn root(&self, case: ExtentCase) -> Node {
        let mut dots = vec![Dot::Open; self.points.len()];
        for &dot in &self.game.cross {
            dots[self.place(dot).expect("the box has the cross")] = Dot::Present;
        }
        let most = |lattice: &Lattice| lattice.points.len() / self.length();
        let limits = self.lattice.iter().map(|lattice| (0, most(lattice))).collect();
        let mut root = Node { dots, limits, reached: [0; SIDES], most: [case.to; 4] };
        root.reach(0, case.from);
        root
    }

    /// The two halves of a node, if it can be split so.
    fn halves(&self, node: Node, split: Split) -> Option<[Node; 2]> {
        let (mut first, mut second) = (node.clone(), node);
        match split {
            Split::Dot(dot) => {
                let place = self.place(dot).filter(|&place| first.dots[place] == Dot::Open)?;
                first.dots[place] = Dot::Present;
                for (side, &level) in self.levels[place].iter().enumerate() {
                    first.reach(side, level);
                }
                second.dots[place] = Dot::Absent;
            }
            Split::Extent { side, most } => {
                let is_open = first.reached[side] <= most && most < first.most[side];
                is_open.then_some(())?;
                first.reach(side, most + 1);
                second.most[side] = most;
                for (dot, levels) in second.dots.iter_mut().zip(&self.levels) {
                    if levels[side] > most {
                        *dot = Dot::Absent;
                    }
                }
            }
            Split::Lines { line, most } => {
                let place = self.lattice.iter().position(|lattice| lattice.line == line)?;
                let (least, largest) = first.limits[place];
                (least <= most && most < largest).then_some(())?;
                first.limits[place].0 = most + 1;
                second.limits[place].1 = most;
                let (side, opposite) = sides(line.direction);
                first.reach(side, line.place - self.game.base[side]);
                first.reach(opposite, -line.place - self.game.base[opposite]);
            }
        }
        Some([first, second])
    }
}

impl Node {
    /// Notes that positions have a dot of at least this level.
    fn reach(&mut self, side: usize, level: i32) {
        self.reached[side] = self.reached[side].max(level);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Line;

    /// A position after turning and mirroring: its dots, and its lines by first dot.
    struct Image {
        dots: Vec<Point>,
        lines: Vec<Line>,
    }

    /// How a symmetry of the square from 0 to the third number maps a point.
    type Map = fn(i32, i32, i32) -> (i32, i32);

    /// The eight images of a position in the square from 0 to `far`.
    fn images(far: i32, dots: &[Point], lines: &[Line], length: i32) -> Vec<Image> {
        let maps: [Map; 8] = [
            |x, y, _| (x, y),
            |x, y, f| (f - x, y),
            |x, y, f| (x, f - y),
            |x, y, f| (f - x, f - y),
            |x, y, _| (y, x),
            |x, y, f| (f - y, x),
            |x, y, f| (y, f - x),
            |x, y, f| (f - y, f - x),
        ];
        let image = |map: Map| {
            let point = |p: Point| {
                let (x, y) = map(p.x, p.y, far);
                Point { x, y }
            };
            let line = |line: &Line| {
                let ends = [line.first, line.first.walk(line.direction, length - 1)].map(point);
                let is_first = |direction: Direction, one: Point, other: Point| {
                    one.walk(direction, length - 1) == other
                };
                let [one, other] = ends;
                Direction::ALL
                    .into_iter()
                    .find_map(|direction| {
                        let first = match (
                            is_first(direction, one, other),
                            is_first(direction, other, one),
                        ) {
                            (true, _) => Some(one),
                            (_, true) => Some(other),
                            _ => None,
                        };
                        first.map(|first| Line { first, direction })
                    })
                    .expect("symmetries map lines to lines")
            };
            let dots = dots.iter().copied().map(point).collect();
            Image { dots, lines: lines.iter().map(line).collect() }
        };
        maps.into_iter().map(image).collect()
    }

    /// Whatever numbers a leaf has, positions of its node have no more moves than it shows: for
    /// positions of a long game, however they are turned, at nodes that know more or less of them.
    #[test]
    fn no_leaf_excludes_a_position_of_a_game() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/5D-82.json");
        let text = std::fs::read_to_string(file).expect("a game of this repository");
        let verified = crate::verify_game(&text).expect("a legal game");
        let game = DisjointGame::new(verified.rules()).expect("5D");
        let mut dots = game.cross.clone();
        let mut lines = Vec::new();
        let (mut state, mut sharp) = (5u64, 0);
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        for (number, mv) in verified.moves().iter().enumerate() {
            dots.push(mv.new);
            lines.push(mv.line);
            if number % 9 != 0 && number + 1 != verified.moves().len() {
                continue;
            }
            for image in images(game.far, &dots, &lines, 5) {
                // All, half or none of the dots and numbers of lines are known.
                for known in [2, 1, 0] {
                    let slack = check_image(&game, &image, known, &mut random);
                    sharp += usize::from(slack.is_some_and(|slack| slack < 20));
                }
            }
        }
        assert!(sharp > 10, "{sharp} leaves show little more than the position has");
    }

    /// Checks random leaves at the node of the smallest case that has the position; returns the
    /// least that one shows beyond the moves of the position.
    fn check_image(
        game: &DisjointGame,
        image: &Image,
        known: u64,
        random: &mut impl FnMut(u64) -> u64,
    ) -> Option<i64> {
        let mut extents = [0; SIDES];
        for &dot in &image.dots {
            for (extent, level) in extents.iter_mut().zip(game.levels(dot)) {
                *extent = (*extent).max(level);
            }
        }
        let [above, right, below, left, ..] = extents;
        let case = ExtentCase { from: above, to: above.max(right).max(below).max(left) };
        let budget = &mut Budget::of_bytes(0);
        let domain = Domain::new(game, case, budget).expect("small");
        let mut node = domain.root(case);
        node.reached = extents;
        for (place, point) in domain.points.iter().enumerate() {
            if random(2) < known {
                let is_there = image.dots.contains(point);
                node.dots[place] = if is_there { Dot::Present } else { Dot::Absent };
            }
        }
        for (lattice, limits) in domain.lattice.iter().zip(&mut node.limits) {
            let is_along = |line: &&Line| {
                line.direction == lattice.line.direction
                    && LatticeLine::through(line.first, line.direction) == lattice.line
            };
            let count = image.lines.iter().filter(is_along).count();
            assert!(count <= limits.1);
            if random(2) < known {
                *limits = (count, count);
            }
        }
        let balance: i32 = image.dots.iter().map(|dot| (2 * dot.x - game.far).signum()).sum();
        let moves = image.lines.len() as i64;
        let mut least = None;
        for _ in 0..4 {
            // Of a position and its mirror image, one has as many dots on the right.
            let mirror = if balance >= 0 { random(3) as i64 } else { 0 };
            let (scale, count) = (random(9) as i64, random(60) as i64 - 10);
            let largest = [1, 2, 3, 20][random(4) as usize];
            let numbers = (0..3 * domain.points.len()).map(|_| random(largest) as i64);
            let mut leaf = Leaf::of(scale, count, mirror, numbers.collect());
            let shown = loop {
                match prices::bound(&domain, &node, &leaf, budget) {
                    Ok(shown) => break shown.expect("there is a position"),
                    Err(LeafFault::TooManyNumbers) => leaf.shorten(),
                    Err(LeafFault::Work(fault)) => panic!("{fault}"),
                }
            };
            let slack = shown - scale * moves;
            assert!(slack >= 0, "{case:?}, {moves} moves times {scale}: {shown} shown");
            least = Some(least.map_or(slack, |least: i64| least.min(slack)));
        }
        least
    }
}
