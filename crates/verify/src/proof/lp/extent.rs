//! The linear program of positions by their extents, and trees over it.
//!
//! Lemmas 1 to 4, the levels and the cases are in `proof/extents.rs`. At a node of the tree of a
//! case some dots are absent, some are present, positions are known to have a dot of at least some
//! level towards each side and corner, and the number of lines drawn along a lattice line has
//! limits. Columns: the points of the box of the case and the lines on them, as in `columns.rs`.
//! Rows, in this order:
//!
//! 1. The count of dots and lines, then the uses (`columns.rs`).
//! 2. *Mirror*: the dots right of the middle column less those left of it are at least 0.
//! 3. *Nonempty*, for each side (above, right, below, left, then the corners NE, SE, SW, NW) and
//!    each level from 1 to the last of the box: the dots of the level less L - 1 times the lines
//!    along it are at least 0, and at least 1 if the level is known to be reached (lemmas 1 and 2).
//!    Towards a corner two neighbouring levels are added up, this one and the next.
//! 4. *Gap*, for each side but the corners and each level from 1: the dots of the level before plus
//!    twice the dots of this one less the lines with dots on both are at least 0, and at least 2 if
//!    the level is known to be reached (lemma 3).
//! 5. *Lines*, for each lattice line on which lines fit, by direction, then by y, x, x - y or
//!    x + y: the lines along it are at least the lower limit, 0 at first; then: they are at most
//!    the upper limit, at first the largest number of disjoint lines on its points.
//!
//! A node is a leaf with a scale and duals of some rows, in growing order, which must prune it
//! (`lp.rs`), or it is split:
//!
//! - `dot X,Y`: the dot is present, then: it is absent, and so are the lines through it.
//! - `extent SIDE q`: positions reach level q + 1 on that side, then: dots beyond q are absent.
//! - `lines DIRECTION i f`: more than f lines are drawn along the lattice line i, then: at most f.
//!
//! A dot that is present, and a lattice line that has lines, show that their levels are reached.

use super::assumption::LatticeLine;
use super::columns::{Columns, Formulation};
use super::{DualSum, Row, Sense, SparseDuals};
use crate::fault::{FormatFault, ProofFault};
use crate::proof::board::MAX_BOARD_DOTS;
use crate::proof::budget::Budget;
use crate::proof::text::{Text, integer, number, points};
use crate::refusal::{Place, Refusal};
use crate::rules::{Direction, Point, Rules};
use crate::start::Start;

/// How deep a tree may be.
const MAX_DEPTH: usize = 1000;

/// How many columns and rows the nodes that wait may have together: some 150 MB.
const MAX_PENDING: usize = 8_000_000;

/// A disjoint game from the usual cross, and what the lemmas say of its positions.
pub(crate) struct DisjointGame {
    rules: Rules,
    cross: Vec<Point>,
    /// The cross lies in the rows and columns from 0 to this one.
    far: i32,
    /// How high the cross lies towards each side.
    base: [i32; SIDES],
}

impl DisjointGame {
    /// The game of these rules.
    pub(crate) fn new(rules: Rules) -> Result<DisjointGame, Refusal> {
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
const SIDES: usize = 8;

/// How high a point lies towards each side and corner.
fn heights(Point { x, y }: Point) -> [i32; SIDES] {
    [-y, x, y, -x, x - y, x + y, y - x, -x - y]
}

/// The direction of the lattice lines of constant height.
const ALONG: [Direction; SIDES] = [
    Direction::East,
    Direction::South,
    Direction::East,
    Direction::South,
    Direction::SouthEast,
    Direction::NorthEast,
    Direction::SouthEast,
    Direction::NorthEast,
];

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
pub(crate) struct ExtentCase {
    pub(crate) from: i32,
    pub(crate) to: i32,
}

/// Verifies the tree of a case, which comes next in a text: no position has more moves than the
/// bound or, without one, there is no position. Returns the number of its leaves.
pub(crate) fn verify_extents(
    text: &mut Text<'_>,
    game: &DisjointGame,
    case: ExtentCase,
    bound: Option<u32>,
) -> Result<usize, Refusal> {
    const NODE: &str =
        "a split (`dot`, `extent`, `lines`) of this node, or `leaf`, a scale and duals";
    let program = ExtentProgram::new(game, case, text.budget())?;
    let size = program.columns.len() + program.rows.len();
    let most_pending = MAX_DEPTH.min(MAX_PENDING / size);
    let mut pending = vec![program.root(case)];
    let mut leaves = 0;
    while let Some(node) = pending.pop() {
        // A split copies the node and looks at the dots of all lines.
        text.budget().spend_product(size, 2 + usize::from(game.rules.length()))?;
        if let Some(split) = text.optional(NODE, Split::parse)? {
            let halves = program.halves(node, split).filter(|_| pending.len() < most_pending);
            let [first, second] = halves.ok_or_else(|| text.fault(NODE))?;
            pending.extend([second, first]);
            continue;
        }
        let leaf = text.value("leaf", NODE, SparseDuals::parse)?;
        let is_growing = leaf.duals.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if !is_growing || leaf.duals.last().is_some_and(|last| last.0 >= program.rows.len()) {
            return Err(text.fault("a leaf with rows that exist, in growing order"));
        }
        // Moves do not matter if there is no position at all.
        let moves = match bound {
            Some(bound) => i64::from(bound) + 1,
            None if leaf.scale == 0 => 0,
            None => return Err(text.fault("a leaf of scale 0, which does not count moves")),
        };
        leaves += 1;
        if !program.is_pruned(&node, &leaf, moves, text.budget())? {
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
    Lines { line: LatticeLine, most: i64 },
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
                Some(Split::Lines { line: LatticeLine::parse(line)?, most: integer(most)? })
            }
            _ => None,
        }
    }
}

/// What is known of the positions at a node.
#[derive(Clone)]
struct Node {
    /// The value of each column, if it is known.
    values: Vec<Option<i64>>,
    /// The right-hand side of each row.
    right: Vec<i64>,
    /// Positions have a dot of at least this level.
    reached: [i32; SIDES],
    /// Positions have no dot beyond this level.
    most: [i32; 4],
}

/// The program of a case.
struct ExtentProgram<'g> {
    game: &'g DisjointGame,
    columns: Columns,
    rows: Vec<Row>,
    /// The first nonempty row of each side, and the first gap row.
    nonempty: [usize; SIDES],
    gaps: [usize; 4],
    /// The last level of the box towards each side.
    last: [i32; SIDES],
    /// The lattice lines on which lines fit, each with its first row.
    lattice: Vec<(LatticeLine, usize)>,
}

impl<'g> ExtentProgram<'g> {
    fn new(
        game: &'g DisjointGame,
        case: ExtentCase,
        budget: &mut Budget,
    ) -> Result<ExtentProgram<'g>, Refusal> {
        let wide = game.far + 1 + 2 * case.to;
        if wide * wide > MAX_BOARD_DOTS as i32 {
            return Err(FormatFault::BoardTooLarge.into());
        }
        let range = -case.to..=game.far + case.to;
        let row = |y: i32| range.clone().map(move |x| Point { x, y });
        let points: Vec<Point> = range.clone().flat_map(row).collect();
        let last = std::array::from_fn(|side| {
            points.iter().map(|&point| game.levels(point)[side]).max().expect("a box has points")
        });
        let columns = Columns::new(game.rules, points, &game.cross, Formulation::Lines, budget)?;
        // Towards each side, a term for each level that a line crosses.
        budget.spend_product(columns.len(), SIDES * usize::from(game.rules.length()))?;
        let mut rows = vec![columns.count_row(game.cross.len())];
        rows.extend(columns.use_rows());
        let mut program = ExtentProgram {
            game,
            columns,
            rows,
            nonempty: [0; SIDES],
            gaps: [0; 4],
            last,
            lattice: Vec::new(),
        };
        program.add_mirror();
        program.add_levels();
        program.add_lattice();
        Ok(program)
    }

    fn add_mirror(&mut self) {
        let side = |point: &Point| i64::from((2 * point.x - self.game.far).signum());
        let terms = self.columns.points().iter().map(side).enumerate();
        let terms = terms.filter(|&(_, side)| side != 0).collect();
        self.rows.push(Row { sense: Sense::AtLeast, right: 0, terms });
    }

    fn add_levels(&mut self) {
        let steps = i64::from(self.game.rules.length()) - 1;
        let levels = |side: usize| vec![Vec::new(); self.last[side] as usize + 2];
        // By side and level: the dots, the lines along it, and the lines with dots on it and on
        // the level before.
        let mut dots: [Vec<Vec<usize>>; SIDES] = std::array::from_fn(levels);
        let (mut along, mut across) = (dots.clone(), dots.clone());
        for (column, &point) in self.columns.points().iter().enumerate() {
            for (side, level) in self.game.levels(point).into_iter().enumerate() {
                if level >= 0 {
                    dots[side][level as usize].push(column);
                }
            }
        }
        for column in self.columns.points().len()..self.columns.len() {
            let line = self.columns.line(column);
            let end = line.first.walk(line.direction, steps as i32);
            let [first, end] = [line.first, end].map(|point| self.game.levels(point));
            for side in 0..SIDES {
                let (low, high) = (first[side].min(end[side]), first[side].max(end[side]));
                if ALONG[side] == line.direction {
                    if low >= 0 {
                        along[side][low as usize].push(column);
                    }
                } else {
                    for level in low.max(0) + 1..=high {
                        across[side][level as usize].push(column);
                    }
                }
            }
        }
        let at_least_0 = |terms| Row { sense: Sense::AtLeast, right: 0, terms };
        for side in 0..SIDES {
            self.nonempty[side] = self.rows.len();
            for level in 1..=self.last[side] as usize {
                let levels = if side < 4 { level..=level } else { level..=level + 1 };
                let terms = levels.flat_map(|level| {
                    let dots = dots[side][level].iter().map(|&column| (column, 1));
                    dots.chain(along[side][level].iter().map(|&column| (column, -steps)))
                });
                self.rows.push(at_least_0(terms.collect()));
            }
        }
        for side in 0..4 {
            self.gaps[side] = self.rows.len();
            for level in 1..=self.last[side] as usize {
                let before = dots[side][level - 1].iter().map(|&column| (column, 1));
                let here = dots[side][level].iter().map(|&column| (column, 2));
                let lines = across[side][level].iter().map(|&column| (column, -1));
                self.rows.push(at_least_0(before.chain(here).chain(lines).collect()));
            }
        }
    }

    fn add_lattice(&mut self) {
        let length = i64::from(self.game.rules.length());
        for direction in Direction::ALL {
            let mut lines: Vec<(i32, usize)> = (self.columns.points().len()..self.columns.len())
                .map(|column| (self.columns.line(column), column))
                .filter(|(line, _)| line.direction == direction)
                .map(|(line, column)| (LatticeLine::through(line.first, direction).place, column))
                .collect();
            lines.sort_unstable();
            for lines in lines.chunk_by(|one, other| one.0 == other.0) {
                let terms: Vec<(usize, i64)> =
                    lines.iter().map(|&(_, column)| (column, 1)).collect();
                // On p points p - L + 1 lines fit, and p / L of them at once.
                let most = (terms.len() as i64 + length - 1) / length;
                self.lattice.push((LatticeLine { direction, place: lines[0].0 }, self.rows.len()));
                self.rows.push(Row { sense: Sense::AtLeast, right: 0, terms: terms.clone() });
                self.rows.push(Row { sense: Sense::AtMost, right: most, terms });
            }
        }
    }

    /// The node at the root of the tree.
    fn root(&self, case: ExtentCase) -> Node {
        let values =
            (0..self.columns.len()).map(|column| self.columns.is_start(column).then_some(1));
        let mut root = Node {
            values: values.collect(),
            right: self.rows.iter().map(|row| row.right).collect(),
            reached: [0; SIDES],
            most: [case.to; 4],
        };
        self.reach(&mut root, 0, case.from);
        root
    }

    /// Notes that positions have a dot of at least this level.
    fn reach(&self, node: &mut Node, side: usize, level: i32) {
        // A level beyond the box has no row: there is no such position, as other rows say.
        for known in node.reached[side] + 1..=level.min(self.last[side]) {
            let offset = known as usize - 1;
            node.right[self.nonempty[side] + offset] = 1;
            if side < 4 {
                node.right[self.gaps[side] + offset] = 2;
            }
        }
        node.reached[side] = node.reached[side].max(level);
    }

    fn remove(&self, node: &mut Node, is_removed: impl Fn(Point) -> bool) {
        for (column, &point) in self.columns.points().iter().enumerate() {
            if is_removed(point) {
                node.values[column] = Some(0);
            }
        }
        for column in self.columns.points().len()..self.columns.len() {
            if self.game.rules.dots(self.columns.line(column)).any(&is_removed) {
                node.values[column] = Some(0);
            }
        }
    }

    /// The two halves of a node, if it can be split so.
    fn halves(&self, node: Node, split: Split) -> Option<[Node; 2]> {
        let (mut first, mut second) = (node.clone(), node);
        match split {
            Split::Dot(dot) => {
                let place = self.columns.place(dot)?;
                first.values[place].is_none().then_some(())?;
                first.values[place] = Some(1);
                for (side, level) in self.game.levels(dot).into_iter().enumerate() {
                    self.reach(&mut first, side, level);
                }
                self.remove(&mut second, |point| point == dot);
            }
            Split::Extent { side, most } => {
                let is_open = first.reached[side] <= most && most < first.most[side];
                is_open.then_some(())?;
                self.reach(&mut first, side, most + 1);
                second.most[side] = most;
                self.remove(&mut second, |point| self.game.levels(point)[side] > most);
            }
            Split::Lines { line, most } => {
                let row = self.lattice.iter().find(|(it, _)| *it == line)?.1;
                let is_open = first.right[row] <= most && most < first.right[row + 1];
                is_open.then_some(())?;
                first.right[row] = most + 1;
                second.right[row + 1] = most;
                let (side, opposite) = sides(line.direction);
                self.reach(&mut first, side, line.place - self.game.base[side]);
                self.reach(&mut first, opposite, -line.place - self.game.base[opposite]);
            }
        }
        Some([first, second])
    }

    /// Whether the duals show that a node has no position with so many moves.
    fn is_pruned(
        &self,
        node: &Node,
        leaf: &SparseDuals,
        moves: i64,
        budget: &mut Budget,
    ) -> Result<bool, Refusal> {
        let objective = |column| self.columns.is_move(column);
        let mut sum = DualSum::new(leaf.scale, self.columns.len(), objective, budget)?;
        for &(row, dual) in &leaf.duals {
            let place = Place::Row(u32::try_from(row).unwrap_or(u32::MAX));
            let added = sum.add_with(&self.rows[row], node.right[row], dual);
            added.map_err(|fault| Refusal::new(place, fault))?;
        }
        let room = i128::from(leaf.scale) * i128::from(moves);
        Ok(sum.maximum(|column| node.values[column]) < room)
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

    /// Every row holds in every position of a long game, however it is turned: lemmas 1 to 3.
    #[test]
    fn rows_hold_in_the_positions_of_a_game() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/5D-82.json");
        let text = std::fs::read_to_string(file).expect("a game of this repository");
        let verified = crate::verify_game(&text).expect("a legal game");
        let rules = verified.rules();
        let game = DisjointGame::new(rules).expect("5D");
        let mut dots = game.cross.clone();
        let mut lines = Vec::new();
        let mut checked = 0;
        for (number, mv) in verified.moves().iter().enumerate() {
            dots.push(mv.new);
            lines.push(mv.line);
            if number % 9 != 0 && number + 1 != verified.moves().len() {
                continue;
            }
            for image in images(game.far, &dots, &lines, 5) {
                checked += check_image(&game, &image);
            }
        }
        assert!(checked > 50_000, "{checked} rows");
    }

    /// Checks all rows in the smallest case that has the position; returns how many.
    fn check_image(game: &DisjointGame, image: &Image) -> usize {
        let mut extents = [0; SIDES];
        for &dot in &image.dots {
            for (extent, level) in extents.iter_mut().zip(game.levels(dot)) {
                *extent = (*extent).max(level);
            }
        }
        let [above, right, below, left, ..] = extents;
        let case = ExtentCase { from: above, to: above.max(right).max(below).max(left) };
        let program = ExtentProgram::new(game, case, &mut Budget::of_bytes(0)).expect("small");
        let mut node = program.root(case);
        for (side, &extent) in extents.iter().enumerate() {
            program.reach(&mut node, side, extent);
        }
        let place = |dot: &Point| program.columns.place(*dot).expect("the box has all dots");
        let mut values = vec![0i64; program.columns.len()];
        image.dots.iter().for_each(|dot| values[place(dot)] = 1);
        let points = program.columns.points().len();
        for (column, value) in values.iter_mut().enumerate().skip(points) {
            *value = i64::from(image.lines.contains(&program.columns.line(column)));
        }
        let count: i64 = values[points..].iter().sum();
        assert_eq!(count as usize, image.lines.len(), "each line has a column");
        let mirror = program.nonempty[0] - 1;
        for (number, (row, &right)) in program.rows.iter().zip(&node.right).enumerate() {
            let sum: i64 = row.terms.iter().map(|&(column, factor)| factor * values[column]).sum();
            let holds = match row.sense {
                Sense::AtMost => sum <= right,
                Sense::AtLeast => sum >= right,
                Sense::Equal => sum == right,
            };
            // Of a position and its mirror image, one satisfies the mirror row.
            assert!(holds || number == mirror, "row {number} of {case:?}: {sum} and {right}");
        }
        program.rows.len()
    }
}
