//! The columns and rows of a case, made from the rules.
//!
//! The points of a case are those that its positions may have dots on; those that could not be reached even if
//! lines might overlap are left out (a dot is placed by a line whose other dots are there, so a point is reached
//! only if all others of some line are). Columns: a point has a dot, row by row; then, by direction and first
//! dot, for each line on these points and each of its dots off the start: it is drawn with this new dot. The rows,
//! and why they hold in a position of the case:
//!
//! 1. For each point off the start, the lines with it as new dot are exactly the dot.
//! 2. For each direction and point, disjoint rules: the lines through it are at most the dot. Touching rules: the same
//!    for the lines with the segment that ends there, then for those with the one that begins there. No row without
//!    lines.
//! 3. Inside: let u be the dots above the middle row less those below, and v the dots to the right of the middle column
//!    less those to the left. A symmetry changes signs and exchanges both; so one of the eight images of a position has
//!    u - v >= 0, and v >= 0. Touching: one of two mirror images, which both touch the top, has v >= 0.
//! 4. Touching or leaving: for each row above the start, from the lowest up to the top of the points: the lines that
//!    have a new dot and no other in this row or above it are at least 1. The first dot to be placed there was placed by one.
//!    Meeting: the same at the top, then for columns on the right, rows below and columns on the left, outwards.
//! 5. Touching: the dots of the top row are at least 1. Leaving: they are 1, and the moves are at most N + 1, where
//!    no position that does not leave has more than N.
//! 6. For each cut, a set of points off the start, one of them marked: the lines that have a new dot and no other
//!    in the set, less the marked dot, are at least 0. If the marked dot is there, the first of the set to be placed was placed by one.

use std::collections::{HashMap, HashSet};
use std::fmt;

use crate::bound::text::Cut;
use crate::refusal::{Fault, Place, Refusal};
use crate::rules::{Direction, Line, Point, Rules};
use crate::start::Start;

/// Which positions are meant: by their distance from the box around the start, or by their own box, given by how far it
/// reaches beyond that one: above, right, below and left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    Inside(i32),
    Touching(i32),
    Leaving(i32),
    Within([i32; 4]),
    Meeting([i32; 4]),
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed = |sides: &[i32; 4]| sides.map(|steps| steps.to_string()).join(",");
        match self {
            Case::Inside(reach) => write!(f, "inside {reach}"),
            Case::Touching(reach) => write!(f, "touching {reach}"),
            Case::Leaving(reach) => write!(f, "leaving {reach}"),
            Case::Within(sides) => write!(f, "within {}", listed(sides)),
            Case::Meeting(sides) => write!(f, "meeting {}", listed(sides)),
        }
    }
}

/// How a sum lies to its right-hand side.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sense {
    AtMost,
    AtLeast,
    Equal,
}

/// A sum of columns that keeps to its right-hand side.
pub(super) struct Row {
    pub(super) sense: Sense,
    pub(super) right: i64,
    pub(super) terms: Vec<(usize, i64)>,
}

/// The columns, those that are known here, and the rows.
pub(super) struct Model {
    rules: Rules,
    points: Vec<Point>,
    places: HashMap<Point, usize>,
    /// For each column after the points: the line and its new dot.
    births: Vec<(Line, Point)>,
    /// For each column: what it must be, if that is known.
    known: Vec<Option<i64>>,
    rows: Vec<Row>,
}

impl Model {
    pub(super) fn new(
        rules: Rules,
        case: Case,
        moves: u32,
        cuts: &[Cut],
    ) -> Result<Model, Refusal> {
        let start: HashSet<Point> = Start::Cross.dots(rules).iter().copied().collect();
        let far = start.iter().map(|dot| dot.x.max(dot.y)).max().expect("a cross has dots");
        let points = reached(rules, &start, points(case, far));
        let places: HashMap<Point, usize> = points.iter().copied().zip(0..).collect();
        let mut births = Vec::new();
        for direction in Direction::ALL {
            for &first in &points {
                let line = Line { first, direction };
                if rules.dots(line).all(|dot| places.contains_key(&dot)) {
                    let new = rules.dots(line).filter(|dot| !start.contains(dot));
                    births.extend(new.map(|dot| (line, dot)));
                }
            }
        }
        let known = points.iter().map(|point| start.contains(point).then_some(1));
        let known = known.chain(births.iter().map(|_| None)).collect();
        let mut model = Model { rules, points, places, births, known, rows: Vec::new() };
        model.add_placed();
        model.add_uses();
        model.add_case(case, far, moves);
        for (number, cut) in (1..).zip(cuts) {
            model.add_cut(cut, &start).ok_or(Refusal::new(Place::Cut(number), Fault::BadCut))?;
        }
        Ok(model)
    }

    pub(super) fn columns(&self) -> usize {
        self.known.len()
    }

    /// Whether a column is that of a point, which is no move.
    pub(super) fn is_dot(&self, column: usize) -> bool {
        column < self.points.len()
    }

    /// What a column must be here, if that is known.
    pub(super) fn value(&self, column: usize) -> Option<i64> {
        self.known[column]
    }

    /// Whether there is such a column and nothing is known of it.
    pub(super) fn is_open(&self, column: usize) -> bool {
        self.known.get(column).is_some_and(Option::is_none)
    }

    /// From here on a column is so, or unknown again.
    pub(super) fn fix(&mut self, column: usize, value: Option<i64>) {
        self.known[column] = value;
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    fn add(&mut self, sense: Sense, right: i64, terms: Vec<(usize, i64)>) {
        self.rows.push(Row { sense, right, terms });
    }

    /// The columns of births of a kind, with factor 1.
    fn births(&self, is: impl Fn(Line, Point) -> bool) -> Vec<(usize, i64)> {
        let births = (self.points.len()..).zip(&self.births);
        births.filter(|&(_, &(line, new))| is(line, new)).map(|(column, _)| (column, 1)).collect()
    }

    fn add_placed(&mut self) {
        let mut of_point: Vec<Vec<(usize, i64)>> = vec![Vec::new(); self.points.len()];
        for (column, (_, new)) in (self.points.len()..).zip(&self.births) {
            of_point[self.places[new]].push((column, 1));
        }
        for (place, mut terms) in of_point.into_iter().enumerate() {
            if self.is_open(place) {
                terms.push((place, -1));
                self.add(Sense::Equal, 0, terms);
            }
        }
    }

    fn add_uses(&mut self) {
        let last = i32::from(self.rules.length()) - 1;
        let mut of_line: HashMap<(Direction, Point), Vec<(usize, i64)>> = HashMap::new();
        for (column, (line, _)) in (self.points.len()..).zip(&self.births) {
            of_line.entry((line.direction, line.first)).or_default().push((column, 1));
        }
        // Whether the point may be the line's first dot, and whether its last.
        let kinds = match self.rules.touching() {
            true => vec![1..=last, 0..=last - 1],
            false => vec![0..=last],
        };
        for direction in Direction::ALL {
            for place in 0..self.points.len() {
                for offsets in kinds.clone() {
                    let firsts = offsets.map(|steps| self.points[place].walk(direction, -steps));
                    let lines = firsts.filter_map(|first| of_line.get(&(direction, first)));
                    let mut terms: Vec<(usize, i64)> = lines.flatten().copied().collect();
                    if !terms.is_empty() {
                        terms.push((place, -1));
                        self.add(Sense::AtMost, 0, terms);
                    }
                }
            }
        }
    }

    /// The rows of a case; the start lies between 0 and `far`.
    fn add_case(&mut self, case: Case, far: i32, moves: u32) {
        let up = |point: Point| i64::from((far - 2 * point.y).signum());
        let right = |point: Point| i64::from((2 * point.x - far).signum());
        let of_points = |model: &Model, factor: &dyn Fn(Point) -> i64| -> Vec<(usize, i64)> {
            let factors = model.points.iter().map(|&point| factor(point)).enumerate();
            factors.filter(|&(_, factor)| factor != 0).collect()
        };
        if matches!(case, Case::Inside(_)) {
            let terms = of_points(self, &|point| up(point) - right(point));
            self.add(Sense::AtLeast, 0, terms);
        }
        if matches!(case, Case::Inside(_) | Case::Touching(_)) {
            let terms = of_points(self, &right);
            self.add(Sense::AtLeast, 0, terms);
        }
        let (top, sense) = match case {
            Case::Inside(_) | Case::Within(_) => return,
            Case::Meeting(sides) => {
                self.add_entered(far, sides);
                return;
            }
            Case::Touching(reach) => (reach, Sense::AtLeast),
            Case::Leaving(reach) => (reach + 1, Sense::Equal),
        };
        self.add_entered(far, [top, 0, 0, 0]);
        let terms = of_points(self, &|point| i64::from(point.y == -top));
        self.add(sense, 1, terms);
        if let Case::Leaving(_) = case {
            let terms = self.births(|_, _| true);
            self.add(Sense::AtMost, i64::from(moves) + 1, terms);
        }
    }

    /// For each side and each step up to where dots are: some line has its new dot, and no other, at or beyond it.
    fn add_entered(&mut self, far: i32, sides: [i32; 4]) {
        let out: [fn(Point, i32) -> i32; 4] = [
            |point, _| -point.y,
            |point, far| point.x - far,
            |point, far| point.y - far,
            |point, _| -point.x,
        ];
        let rules = self.rules;
        for (out, most) in out.into_iter().zip(sides) {
            for steps in 1..=most {
                let terms = self.births(|line, new| {
                    let is_out = |dot: Point| out(dot, far) >= steps;
                    is_out(new) && rules.dots(line).all(|dot| dot == new || !is_out(dot))
                });
                self.add(Sense::AtLeast, 1, terms);
            }
        }
    }

    /// Adds the row of a cut; `None` if its dots are not different points off the start, one of them marked.
    fn add_cut(&mut self, cut: &Cut, start: &HashSet<Point>) -> Option<()> {
        let set: HashSet<Point> = cut.dots.iter().copied().collect();
        let known = |dot: &Point| self.places.contains_key(dot) && !start.contains(dot);
        if set.len() != cut.dots.len() || !set.iter().all(known) || !set.contains(&cut.marked) {
            return None;
        }
        let rules = self.rules;
        let mut terms = self.births(|line, new| {
            set.contains(&new) && rules.dots(line).all(|dot| dot == new || !set.contains(&dot))
        });
        terms.push((self.places[&cut.marked], -1));
        self.add(Sense::AtLeast, 0, terms);
        Some(())
    }
}

/// The points of a case, row by row; the start lies between 0 and `far`.
fn points(case: Case, far: i32) -> Vec<Point> {
    let mut points = Vec::new();
    let [above, right, below, left] = match case {
        Case::Inside(reach) | Case::Touching(reach) => [reach; 4],
        Case::Leaving(reach) => {
            points.extend((-reach..=far + reach + 1).map(|x| Point { x, y: -reach - 1 }));
            [reach; 4]
        }
        Case::Within(sides) | Case::Meeting(sides) => sides,
    };
    for y in -above..=far + below {
        points.extend((-left..=far + right).map(|x| Point { x, y }));
    }
    points
}

/// Those of some points that can be reached if lines might overlap.
fn reached(rules: Rules, start: &HashSet<Point>, points: Vec<Point>) -> Vec<Point> {
    let mut there = start.clone();
    loop {
        let before = there.len();
        for &point in &points {
            let lines = Direction::ALL.into_iter().flat_map(|direction| {
                let firsts = 0..i32::from(rules.length());
                firsts.map(move |back| Line { first: point.walk(direction, -back), direction })
            });
            let mut lines = lines
                .filter(|&line| rules.dots(line).all(|dot| dot == point || there.contains(&dot)));
            if lines.next().is_some() {
                there.insert(point);
            }
        }
        if there.len() == before {
            break;
        }
    }
    points.into_iter().filter(|point| there.contains(point)).collect()
}
