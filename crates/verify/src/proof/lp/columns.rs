//! The columns of a linear program, and the rows that all programs share.
//!
//! Columns: first one for each point: it has a dot at the end of the game. Then, by direction and
//! first dot, each line on these points: it is drawn; or, for births, a column for each of its dots
//! off the start: it is drawn with this new dot. The columns after the points count moves. The
//! rows, and why they hold in a position whose dots all lie on the points:
//!
//! - *Count* (lines): all dots less all lines are the dots of the start, since a move adds one of
//!   each.
//! - *Placement* (births): for each point off the start, its births equal the dot: one move placed
//!   it, or none.
//! - *Use*: for each direction and point, disjoint rules: the lines through it are at most the dot.
//!   At most one line of a direction goes through a dot, and none where there is no dot. Touching
//!   rules: the same for the lines with the segment that ends at the dot, then for those with the
//!   one that starts there. A row without lines is left out.
//! - *Runs*: on a lattice line that is known to have at least n runs of dots, the dots less
//!   (length - 1) times the lines are at least n (each run has one dot more than segments).
//! - *Cut* (births): the births of a dot of the set by lines without any other dot of the set, less
//!   the marked dot, are at least 0 ([`Cut`]).

use std::ops::Range;

use super::lattice_line::LatticeLine;
use super::{Cut, Row, Sense};
use crate::fault::ProofFault;
use crate::proof::budget::Budget;
use crate::rules::{Direction, Line, Point, Rules};

/// What the columns after the points stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Formulation {
    /// Lines.
    Lines,
    /// Lines with their new dots.
    Births,
}

/// The columns of a program.
pub(super) struct Columns {
    rules: Rules,
    points: Vec<Point>,
    /// The number of each point in a rectangle around all, and that rectangle.
    places: Vec<Option<u32>>,
    corner: Point,
    width: i32,
    height: i32,
    /// Whether a point has a dot of the start.
    is_start: Vec<bool>,
    lines: Vec<Line>,
    /// The line in each direction that starts at a point.
    line_at: [Vec<Option<u32>>; 4],
    /// The columns of each line.
    of_line: Vec<Range<usize>>,
    /// For births: the new dot, by its place, of each column after the points.
    new: Vec<u32>,
    count: usize,
}

impl Columns {
    /// The columns on these points, at least one; `start` are the dots of the start among them, as
    /// far as their place is known. The rows but for runs and cuts are paid for with them.
    pub(super) fn new(
        rules: Rules,
        points: Vec<Point>,
        start: &[Point],
        formulation: Formulation,
        budget: &mut Budget,
    ) -> Result<Columns, ProofFault> {
        let corner = corner(&points, i32::min);
        let far = self::corner(&points, i32::max);
        let (width, height) = (far.x - corner.x + 1, far.y - corner.y + 1);
        budget.spend_product(width as usize, height as usize)?;
        // A line and two uses for each point and direction, with a term for each line or birth.
        let length = usize::from(rules.length());
        let terms = match formulation {
            Formulation::Lines => length,
            Formulation::Births => length * length,
        };
        budget.spend_product(points.len(), 4 * (length + 2 * terms))?;
        let mut columns = Columns {
            rules,
            places: vec![None; (width * height) as usize],
            is_start: vec![false; points.len()],
            line_at: [(); 4].map(|()| vec![None; points.len()]),
            count: points.len(),
            points,
            corner,
            width,
            height,
            lines: Vec::new(),
            of_line: Vec::new(),
            new: Vec::new(),
        };
        for place in 0..columns.points.len() {
            let cell = columns.cell(columns.points[place]).expect("the rectangle contains all");
            columns.places[cell] = Some(place as u32);
        }
        for &dot in start {
            let place = columns.place(dot).expect("the points contain the start");
            columns.is_start[place] = true;
        }
        columns.add_lines(formulation);
        Ok(columns)
    }

    fn add_lines(&mut self, formulation: Formulation) {
        for direction in Direction::ALL {
            for place in 0..self.points.len() {
                let line = Line { first: self.points[place], direction };
                let places: Option<Vec<usize>> =
                    self.rules.dots(line).map(|dot| self.place(dot)).collect();
                let Some(places) = places else { continue };
                self.line_at[direction as usize][place] = Some(self.lines.len() as u32);
                self.lines.push(line);
                let first = self.count;
                match formulation {
                    Formulation::Lines => self.count += 1,
                    Formulation::Births => {
                        let new = places.into_iter().filter(|&place| !self.is_start[place]);
                        self.new.extend(new.map(|place| place as u32));
                        self.count = self.points.len() + self.new.len();
                    }
                }
                self.of_line.push(first..self.count);
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn points(&self) -> &[Point] {
        &self.points
    }

    /// Whether a column counts a move: it is not that of a point.
    pub(super) fn is_move(&self, column: usize) -> bool {
        column >= self.points.len()
    }

    /// Whether a column is that of a dot of the start, which is 1 in all positions.
    pub(super) fn is_start(&self, column: usize) -> bool {
        !self.is_move(column) && self.is_start[column]
    }

    /// Given the number of dots of the start, the row that counts dots and lines.
    pub(super) fn count_row(&self, start: usize) -> Row {
        let factor = |column| if self.is_move(column) { -1 } else { 1 };
        let terms = (0..self.count).map(|column| (column, factor(column))).collect();
        Row { sense: Sense::Equal, right: start as i64, terms }
    }

    /// The row of each point off the start that says that its dot is placed once, if at all.
    pub(super) fn placement_rows(&self) -> impl Iterator<Item = Row> {
        let mut terms: Vec<Vec<(usize, i64)>> =
            (0..self.points.len()).map(|place| vec![(place, -1)]).collect();
        for (column, &place) in (self.points.len()..).zip(&self.new) {
            terms[place as usize].push((column, 1));
        }
        let free = terms.into_iter().zip(&self.is_start).filter(|&(_, &is_start)| !is_start);
        free.map(|(terms, _)| Row { sense: Sense::Equal, right: 0, terms })
    }

    /// The rows by which lines in one direction share no dot, or no segment.
    pub(super) fn use_rows(&self) -> impl Iterator<Item = Row> {
        let length = i32::from(self.rules.length());
        // How far back from the point the lines of a row start; an empty range has no row.
        let windows = match self.rules.touching() {
            true => [1..length, 0..length - 1],
            false => [0..length, 0..0],
        };
        Direction::ALL.into_iter().flat_map(move |direction| {
            let windows = windows.clone();
            (0..self.points.len()).flat_map(move |place| {
                let rows = windows.clone().map(|back| self.use_row(direction, place, back));
                rows.into_iter().flatten()
            })
        })
    }

    fn use_row(&self, direction: Direction, place: usize, back: Range<i32>) -> Option<Row> {
        let mut terms = vec![(place, -1)];
        for steps in back {
            let line = self.line_from(self.points[place].walk(direction, -steps), direction);
            let columns = line.map(|line| self.of_line[line].clone());
            terms.extend(columns.into_iter().flatten().map(|column| (column, 1)));
        }
        (terms.len() > 1).then_some(Row { sense: Sense::AtMost, right: 0, terms })
    }

    /// The row of a lattice line that has at least `least` runs.
    pub(super) fn runs_row(&self, lattice: LatticeLine, least: i64) -> Row {
        let segments = i64::from(self.rules.length()) - 1;
        let dots = (0..self.points.len()).filter(|&place| lattice.contains(self.points[place]));
        let mut terms: Vec<(usize, i64)> = dots.map(|place| (place, 1)).collect();
        for (line, columns) in self.lines.iter().zip(&self.of_line) {
            if line.direction == lattice.direction && lattice.contains(line.first) {
                terms.extend(columns.clone().map(|column| (column, -segments)));
            }
        }
        Row { sense: Sense::AtLeast, right: least, terms }
    }

    /// Pays for the row of a cut.
    pub(super) fn spend_for_cut(&self, cut: &Cut, budget: &mut Budget) -> Result<(), ProofFault> {
        let length = usize::from(self.rules.length());
        budget.spend_product(cut.dots.len(), 4 * length * length)
    }

    /// The row of a cut, unless its dots are not distinct points off the start with the marked one
    /// among them.
    pub(super) fn cut_row(&self, cut: &Cut) -> Option<Row> {
        let places: Option<Vec<usize>> = cut.dots.iter().map(|&dot| self.place(dot)).collect();
        let mut places = places?;
        places.sort_unstable();
        let distinct = places.windows(2).all(|pair| pair[0] < pair[1]);
        if !distinct || places.iter().any(|&place| self.is_start[place]) {
            return None;
        }
        let is_member = |place: usize| places.binary_search(&place).is_ok();
        let marked = self.place(cut.marked).filter(|&place| is_member(place))?;
        let mut terms = vec![(marked, -1)];
        for &place in &places {
            for direction in Direction::ALL {
                for steps in 0..i32::from(self.rules.length()) {
                    let first = self.points[place].walk(direction, -steps);
                    let Some(line) = self.line_from(first, direction) else { continue };
                    let dots = self.rules.dots(self.lines[line]);
                    let members = dots.filter(|&dot| self.place(dot).is_some_and(is_member));
                    if members.count() == 1 {
                        terms.push((self.birth(line, place), 1));
                    }
                }
            }
        }
        Some(Row { sense: Sense::AtLeast, right: 0, terms })
    }

    /// The births of some kind, with factor 1.
    pub(super) fn births(&self, is: impl Fn(Line, Point) -> bool) -> Vec<(usize, i64)> {
        let columns = self
            .lines
            .iter()
            .zip(&self.of_line)
            .flat_map(|(&line, columns)| columns.clone().map(move |column| (line, column)));
        let new = |column: usize| self.points[self.new[column - self.points.len()] as usize];
        let births = columns.filter(|&(line, column)| is(line, new(column)));
        births.map(|(_, column)| (column, 1)).collect()
    }

    /// The column of a line with this new dot.
    fn birth(&self, line: usize, place: usize) -> usize {
        let new = |column: usize| self.new[column - self.points.len()] as usize;
        let birth = self.of_line[line].clone().find(|&column| new(column) == place);
        birth.expect("a line has a birth for each of its dots off the start")
    }

    /// The number of the line from a point in a direction, if it lies on the points.
    fn line_from(&self, first: Point, direction: Direction) -> Option<usize> {
        self.line_at[direction as usize][self.place(first)?].map(|line| line as usize)
    }

    /// The number of a point.
    pub(super) fn place(&self, point: Point) -> Option<usize> {
        self.places[self.cell(point)?].map(|place| place as usize)
    }

    /// Where a point is in the rectangle around all points.
    fn cell(&self, point: Point) -> Option<usize> {
        let (x, y) = (point.x - self.corner.x, point.y - self.corner.y);
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside.then_some((y * self.width + x) as usize)
    }
}

/// The corner of the rectangle around some points.
fn corner(points: &[Point], choose: fn(i32, i32) -> i32) -> Point {
    let both = |a: Point, b: Point| Point { x: choose(a.x, b.x), y: choose(a.y, b.y) };
    points.iter().copied().reduce(both).expect("a program has points")
}
