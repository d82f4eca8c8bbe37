//! The linear program of the positions in a region, made from the rules.
//!
//! The points of a region are those that its positions may have dots on, without those that could
//! not be reached even if lines might overlap (a dot is placed by a line whose other dots exist, so
//! a point is reached only if all others of some line are). The formulation is by births. The rows
//! (`columns.rs` says why the placements, uses and cuts hold):
//!
//! 1. The placements, then the uses.
//! 2. Inside: let u be the dots above the middle row less those below, and v the dots to the right
//!    of the middle column less those to the left. A symmetry changes signs and swaps both; so
//!    one of the eight images of a position has u - v >= 0, and v >= 0. Touching: one of two mirror
//!    images, which both touch the top, has v >= 0.
//! 3. Touching or leaving: for each row above the start, from the lowest up to the top of the
//!    points: the lines that have a new dot and no other in this row or above it are at least 1.
//!    The first dot to be placed there was placed by one. Meeting: the same at the top, then for
//!    columns on the right, rows below and columns on the left, outwards.
//! 4. Touching: the dots of the top row are at least 1. Leaving: they are 1, and the moves are at
//!    most N + 1, where no position that does not leave has more than N.
//! 5. The cuts.

use std::collections::HashSet;
use std::fmt;

use super::columns::{Columns, Formulation};
use super::{Cut, Row, Sense};
use crate::fault::ProofFault;
use crate::proof::budget::Budget;
use crate::refusal::{Place, Refusal};
use crate::rules::{Direction, Line, Point, Rules};
use crate::start::Start;

/// Which positions are meant: by their distance from the box around the start, or by their own
/// bounding box, given by how far it reaches beyond that one: above, right, below and left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Region {
    Inside(i32),
    Touching(i32),
    Leaving(i32),
    Within([i32; 4]),
    Meeting([i32; 4]),
}

impl Region {
    /// Whether the objective is the number of moves. Leaving is not about moves: there is no such
    /// position.
    pub(super) fn counts_moves(self) -> bool {
        !matches!(self, Region::Leaving(_))
    }
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |sides: &[i32; 4]| sides.map(|steps| steps.to_string()).join(",");
        match self {
            Region::Inside(reach) => write!(f, "inside {reach}"),
            Region::Touching(reach) => write!(f, "touching {reach}"),
            Region::Leaving(reach) => write!(f, "leaving {reach}"),
            Region::Within(sides) => write!(f, "within {}", list(sides)),
            Region::Meeting(sides) => write!(f, "meeting {}", list(sides)),
        }
    }
}

/// The program of a region: its rows, and the columns that are fixed at a node of the tree.
pub(super) struct RegionProgram {
    columns: Columns,
    /// The value of each column, if it is known.
    values: Vec<Option<i64>>,
    rows: Vec<Row>,
}

impl RegionProgram {
    pub(super) fn new(
        rules: Rules,
        region: Region,
        moves: u32,
        cuts: &[Cut],
        budget: &mut Budget,
    ) -> Result<RegionProgram, Refusal> {
        let start = Start::Cross.dots(rules);
        let far = start.iter().map(|dot| dot.x.max(dot.y)).max().expect("a cross has dots");
        let points = reachable(rules, &start, points(region, far), budget)?;
        let columns = Columns::new(rules, points, &start, Formulation::Births, budget)?;
        let mut rows: Vec<Row> = columns.placement_rows().chain(columns.use_rows()).collect();
        let own = RegionRows { columns: &columns, rules, far };
        budget.spend_product(columns.len(), own.count(region))?;
        rows.extend(own.rows(region, moves));
        for (number, cut) in (1..).zip(cuts) {
            columns.spend_for_cut(cut, budget)?;
            let bad = || Refusal::new(Place::Cut(number), ProofFault::BadCut);
            rows.push(columns.cut_row(cut).ok_or_else(bad)?);
        }
        let values = (0..columns.len()).map(|column| columns.is_start(column).then_some(1));
        Ok(RegionProgram { values: values.collect(), columns, rows })
    }

    pub(super) fn columns(&self) -> &Columns {
        &self.columns
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The value of a column at this node, if it is known.
    pub(super) fn value(&self, column: usize) -> Option<i64> {
        self.values[column]
    }

    /// Whether there is such a column and its value is not known.
    pub(super) fn is_open(&self, column: usize) -> bool {
        self.values.get(column).is_some_and(Option::is_none)
    }

    /// Fixes a column, or releases it.
    pub(super) fn fix(&mut self, column: usize, value: Option<i64>) {
        self.values[column] = value;
    }
}

/// The rows that depend on the region; the start lies between 0 and `far`.
struct RegionRows<'a> {
    columns: &'a Columns,
    rules: Rules,
    far: i32,
}

impl RegionRows<'_> {
    /// At least as many rows as there are, each of which looks at all columns.
    fn count(&self, region: Region) -> usize {
        let steps = match region {
            Region::Within(_) | Region::Inside(_) => 0,
            Region::Touching(reach) | Region::Leaving(reach) => reach + 1,
            Region::Meeting(sides) => sides.iter().sum(),
        };
        steps as usize + 2
    }

    fn rows(&self, region: Region, moves: u32) -> Vec<Row> {
        let up = |point: Point| i64::from((self.far - 2 * point.y).signum());
        let right = |point: Point| i64::from((2 * point.x - self.far).signum());
        let at_least = |right, terms| Row { sense: Sense::AtLeast, right, terms };
        let v = || at_least(0, self.of_points(right));
        let in_top_row = |top: i32| self.of_points(|point| i64::from(point.y == -top));
        match region {
            Region::Within(_) => Vec::new(),
            Region::Meeting(sides) => self.entry_rows(sides),
            Region::Inside(_) => {
                vec![at_least(0, self.of_points(|point| up(point) - right(point))), v()]
            }
            Region::Touching(reach) => {
                let mut rows = vec![v()];
                rows.extend(self.entry_rows([reach, 0, 0, 0]));
                rows.push(at_least(1, in_top_row(reach)));
                rows
            }
            Region::Leaving(reach) => {
                let top = reach + 1;
                let mut rows = self.entry_rows([top, 0, 0, 0]);
                rows.push(Row { sense: Sense::Equal, right: 1, terms: in_top_row(top) });
                let terms = self.columns.births(|_, _| true);
                rows.push(Row { sense: Sense::AtMost, right: i64::from(moves) + 1, terms });
                rows
            }
        }
    }

    /// The points with their factors, without those of factor 0.
    fn of_points(&self, factor: impl Fn(Point) -> i64) -> Vec<(usize, i64)> {
        let factors = self.columns.points().iter().map(|&point| factor(point)).enumerate();
        factors.filter(|&(_, factor)| factor != 0).collect()
    }

    /// For each side and each step up to where dots are: some line has its new dot, and no other,
    /// at or beyond it.
    fn entry_rows(&self, sides: [i32; 4]) -> Vec<Row> {
        let beyond: [fn(Point, i32) -> i32; 4] = [
            |point, _| -point.y,
            |point, far| point.x - far,
            |point, far| point.y - far,
            |point, _| -point.x,
        ];
        let mut rows = Vec::new();
        for (beyond, most) in beyond.into_iter().zip(sides) {
            for steps in 1..=most {
                let terms = self.columns.births(|line, new| {
                    let is_out = |dot: Point| beyond(dot, self.far) >= steps;
                    is_out(new) && self.rules.dots(line).all(|dot| dot == new || !is_out(dot))
                });
                rows.push(Row { sense: Sense::AtLeast, right: 1, terms });
            }
        }
        rows
    }
}

/// The points of a region, row by row; the start lies between 0 and `far`.
fn points(region: Region, far: i32) -> Vec<Point> {
    let mut points = Vec::new();
    let [above, right, below, left] = match region {
        Region::Inside(reach) | Region::Touching(reach) => [reach; 4],
        Region::Leaving(reach) => {
            points.extend((-reach..=far + reach + 1).map(|x| Point { x, y: -reach - 1 }));
            [reach; 4]
        }
        Region::Within(sides) | Region::Meeting(sides) => sides,
    };
    for y in -above..=far + below {
        points.extend((-left..=far + right).map(|x| Point { x, y }));
    }
    points
}

/// Those of some points that can be reached if lines might overlap.
fn reachable(
    rules: Rules,
    start: &[Point],
    points: Vec<Point>,
    budget: &mut Budget,
) -> Result<Vec<Point>, ProofFault> {
    let mut reached: HashSet<Point> = start.iter().copied().collect();
    loop {
        let before = reached.len();
        let length = usize::from(rules.length());
        budget.spend_product(points.len(), 4 * length * length)?;
        for &point in &points {
            let lines = Direction::ALL.into_iter().flat_map(|direction| {
                let back = 0..i32::from(rules.length());
                back.map(move |steps| Line { first: point.walk(direction, -steps), direction })
            });
            let mut lines = lines
                .filter(|&line| rules.dots(line).all(|dot| dot == point || reached.contains(&dot)));
            if lines.next().is_some() {
                reached.insert(point);
            }
        }
        if reached.len() == before {
            break;
        }
    }
    Ok(points.into_iter().filter(|point| reached.contains(point)).collect())
}
