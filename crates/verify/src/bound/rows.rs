//! The columns and rows of a model, in the order of the format, made from the rules.
//!
//! Columns: a dot of the board is there at the end of the game. Then, by direction and by first dot, each
//! line that lies on the board: it is drawn; or, for births, a column for each dot of it that is not of the
//! start: it is drawn with this new dot. Those after the dots cost 1, and the sum of the costs is the
//! number of moves. The rows, and why they hold in a game whose dots all lie on the board:
//!
//! 1. Lines: all dots less all lines are the dots of the start, since a move adds one of each. Births:
//!    for each dot off the start, its births are exactly the dot: one move placed it, or none.
//! 2. For each direction and dot, disjoint rules: the lines through it are at most the dot. At most one
//!    line of a direction goes through a dot, and none where there is no dot. Touching rules: the same
//!    for the lines with the segment that ends at the dot, then for those with the one that begins there.
//!    If no column is a line of the row, there is no row.
//! 3. If the board is exact: for each of its rows, then its columns, and if it is free then its diagonal
//!    sides clockwise from the top right, the dots less (length - 1) times the lines are at least 1.
//!    Lines on one lattice line that overlap in no segment leave runs of dots with one segment less
//!    than dots; so this holds where there is a dot. Every new dot is next to another; hence if the
//!    start leaves no row or column empty between its dots, games never do, and in an exact board each
//!    has a dot. The diagonal sides have one since the board is the octagonal hull.
//! 4. For each lattice line that is supposed to have at least so many runs, the dots less (length - 1)
//!    times the lines are at least so many (`supposed.rs`).
//! 5. For each cut, a set of dots off the start with one of them marked: the births of a dot of the set by
//!    lines without any other dot of the set, less the marked dot, are at least 0. If the marked dot was
//!    placed, then the first of the set to be placed was placed by such a line.

use std::ops::Range;

use crate::bound::MAX_BOARD_DOTS;
use crate::bound::supposed::{LatticeLine, Supposed};
use crate::bound::text::{Certificate, Cut};
use crate::refusal::{Fault, Place, Refusal};
use crate::rules::{Direction, Line, Point, Rules};

/// How a sum lies to its right-hand side.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sense {
    AtMost,
    AtLeast,
    Equal,
}

/// The columns of a certificate's model; its rows are made one by one.
pub(super) struct Model {
    rules: Rules,
    dots: Vec<Point>,
    /// The number of each dot in a rectangle around all, and that rectangle.
    places: Vec<Option<u32>>,
    corner: Point,
    width: i32,
    height: i32,
    /// Whether a dot of the board is one of the start, where that is known.
    fixed: Vec<bool>,
    lines: Vec<Line>,
    /// The line in each direction that begins at a dot.
    line_at: [Vec<Option<u32>>; 4],
    /// The columns of each line.
    of_line: Vec<Range<usize>>,
    /// For births: the place of the new dot of each column after the dots.
    new: Vec<u32>,
    columns: usize,
    /// What is supposed, if anything.
    supposed: Vec<Supposed>,
}

impl Model {
    /// The columns, if there is such a model.
    pub(super) fn new(certificate: &Certificate) -> Result<Model, Refusal> {
        let no_model = |reason| Err(Fault::NoModel { reason }.into());
        let Certificate { rules, board, births, exact, .. } = *certificate;
        let start = certificate.start.dots(rules);
        if births && board.is_free() {
            return no_model("births need a box, which lies around the start");
        }
        if !births && !certificate.cuts.is_empty() {
            return no_model("cuts need births");
        }
        if exact && !(gapless(&start, |dot| dot.x) && gapless(&start, |dot| dot.y)) {
            return no_model("exact needs a start without empty rows or columns between its dots");
        }
        let is_hull = exact && board.is_free();
        if !is_hull && !certificate.supposed.is_empty() {
            return no_model("something is supposed only of lattice lines of a hull");
        }
        let dots = board.dots(&start, MAX_BOARD_DOTS + 1);
        if dots.len() > MAX_BOARD_DOTS {
            return Err(Fault::BoardTooLarge.into());
        }
        let (Some(corner), Some(far)) = (corner(&dots, i32::min), corner(&dots, i32::max)) else {
            return no_model("the board has no dots");
        };
        let (width, height) = (far.x - corner.x + 1, far.y - corner.y + 1);
        let mut model = Model {
            rules,
            places: vec![None; (width * height) as usize],
            fixed: vec![false; dots.len()],
            line_at: [(); 4].map(|()| vec![None; dots.len()]),
            columns: dots.len(),
            dots,
            corner,
            width,
            height,
            lines: Vec::new(),
            of_line: Vec::new(),
            new: Vec::new(),
            supposed: certificate.supposed.clone(),
        };
        for place in 0..model.dots.len() {
            let cell = model.cell(model.dots[place]).expect("the rectangle is around all dots");
            model.places[cell] = Some(place as u32);
        }
        if !board.is_free() {
            for &dot in start.iter() {
                let place = model.place(dot).expect("a box holds its start");
                model.fixed[place] = true;
            }
        }
        model.find_lines(births);
        Ok(model)
    }

    /// Numbers the lines on the board and their columns.
    fn find_lines(&mut self, births: bool) {
        for (of_direction, direction) in Direction::ALL.into_iter().enumerate() {
            for place in 0..self.dots.len() {
                let line = Line { first: self.dots[place], direction };
                let places: Option<Vec<usize>> =
                    self.rules.dots(line).map(|dot| self.place(dot)).collect();
                let Some(places) = places else { continue };
                self.line_at[of_direction][place] = Some(self.lines.len() as u32);
                self.lines.push(line);
                let first = self.columns;
                if births {
                    let new = places.into_iter().filter(|&place| !self.fixed[place]);
                    self.new.extend(new.map(|place| place as u32));
                    self.columns = self.dots.len() + self.new.len();
                } else {
                    self.columns += 1;
                }
                self.of_line.push(first..self.columns);
            }
        }
    }

    /// How many columns there are.
    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// Whether a column is that of a dot, which costs nothing.
    pub(super) fn is_dot(&self, column: usize) -> bool {
        column < self.dots.len()
    }

    /// Whether a column is 1 in all games: a dot of the start.
    pub(super) fn is_fixed(&self, column: usize) -> bool {
        self.is_dot(column) && self.fixed[column]
    }

    /// Whether a column is 0 in all games that keep to what is supposed.
    pub(super) fn is_forbidden(&self, column: usize) -> bool {
        self.supposed.iter().any(|supposed| match column.checked_sub(self.dots.len()) {
            None => supposed.forbids_dot(self.dots[column]),
            // Nothing is supposed with births, so every line has one column.
            Some(line) => supposed.forbids_line(self.lines[line], self.rules),
        })
    }

    /// Goes through the rows: how each lies to its right-hand side, that, and columns with factors.
    pub(super) fn rows(
        &self,
        certificate: &Certificate,
        mut visit: impl FnMut(Sense, i64, &[(usize, i64)]),
    ) -> Result<(), Refusal> {
        if certificate.births {
            for terms in self.placed() {
                visit(Sense::Equal, 0, &terms);
            }
        } else {
            let count = certificate.start.dots(self.rules).len() as i64;
            let factor = |column| if self.is_dot(column) { 1 } else { -1 };
            let terms: Vec<_> = (0..self.columns).map(|column| (column, factor(column))).collect();
            visit(Sense::Equal, count, &terms);
        }
        let length = i32::from(self.rules.length());
        for (of_direction, direction) in Direction::ALL.into_iter().enumerate() {
            for place in 0..self.dots.len() {
                let mut use_once = |offsets: Range<i32>| {
                    let mut terms = vec![(place, -1)];
                    for offset in offsets {
                        let first = self.place(self.dots[place].walk(direction, -offset));
                        let line = first.and_then(|first| self.line_at[of_direction][first]);
                        let columns = line.map(|line| self.of_line[line as usize].clone());
                        terms.extend(columns.into_iter().flatten().map(|column| (column, 1)));
                    }
                    if terms.len() > 1 {
                        visit(Sense::AtMost, 0, &terms);
                    }
                };
                if self.rules.touching() {
                    use_once(1..length);
                    use_once(0..length - 1);
                } else {
                    use_once(0..length);
                }
            }
        }
        if certificate.exact {
            for (direction, key, at) in self.full_lines(certificate.board.is_free()) {
                visit(Sense::AtLeast, 1, &self.more_dots_than_segments(direction, key, at));
            }
        }
        for supposed in &self.supposed {
            if let &Supposed::Runs(LatticeLine { direction, place }, runs) = supposed {
                let key = LatticeLine::key(direction);
                visit(Sense::AtLeast, runs, &self.more_dots_than_segments(direction, key, place));
            }
        }
        for (number, cut) in (1..).zip(&certificate.cuts) {
            let fault = || Refusal::new(Place::Cut(number), Fault::BadCut);
            visit(Sense::AtLeast, 0, &self.cut(cut).ok_or_else(fault)?);
        }
        Ok(())
    }

    /// For each dot off the start, the terms that say that it is placed once if it is there.
    fn placed(&self) -> Vec<Vec<(usize, i64)>> {
        let mut terms: Vec<Vec<(usize, i64)>> =
            (0..self.dots.len()).map(|place| vec![(place, -1)]).collect();
        for (column, &place) in (self.dots.len()..).zip(&self.new) {
            terms[place as usize].push((column, 1));
        }
        let free = terms.into_iter().zip(&self.fixed).filter(|&(_, &fixed)| !fixed);
        free.map(|(terms, _)| terms).collect()
    }

    /// The lattice lines that hold a dot if the board is exact.
    fn full_lines(&self, free: bool) -> Vec<(Direction, Key, i32)> {
        let least = |key: Key| self.dots.iter().map(|&dot| key(dot)).min().expect("there are dots");
        let most = |key: Key| self.dots.iter().map(|&dot| key(dot)).max().expect("there are dots");
        let (row, column): (Key, Key) = (|dot| dot.y, |dot| dot.x);
        let (fall, rise): (Key, Key) = (|dot| dot.x - dot.y, |dot| dot.x + dot.y);
        let mut lines = Vec::new();
        lines.extend((least(row)..=most(row)).map(|y| (Direction::East, row, y)));
        lines.extend((least(column)..=most(column)).map(|x| (Direction::South, column, x)));
        if free {
            lines.push((Direction::SouthEast, fall, most(fall)));
            lines.push((Direction::NorthEast, rise, most(rise)));
            lines.push((Direction::SouthEast, fall, least(fall)));
            lines.push((Direction::NorthEast, rise, least(rise)));
        }
        lines
    }

    /// The dots of a lattice line less the segments of the lines on it.
    fn more_dots_than_segments(
        &self,
        direction: Direction,
        key: Key,
        at: i32,
    ) -> Vec<(usize, i64)> {
        let segments = i64::from(self.rules.length()) - 1;
        let dots = (0..self.dots.len()).filter(|&place| key(self.dots[place]) == at);
        let mut terms: Vec<(usize, i64)> = dots.map(|place| (place, 1)).collect();
        for (line, columns) in self.lines.iter().zip(&self.of_line) {
            if line.direction == direction && key(line.first) == at {
                terms.extend(columns.clone().map(|column| (column, -segments)));
            }
        }
        terms
    }

    /// The terms of a cut, if its dots are different ones off the start, one of them marked.
    fn cut(&self, cut: &Cut) -> Option<Vec<(usize, i64)>> {
        let places: Option<Vec<usize>> = cut.dots.iter().map(|&dot| self.place(dot)).collect();
        let mut places = places?;
        places.sort_unstable();
        let different = places.windows(2).all(|pair| pair[0] < pair[1]);
        let free = places.iter().all(|&place| !self.fixed[place]);
        if !different || !free {
            return None;
        }
        let member = |place: usize| places.binary_search(&place).is_ok();
        let marked = self.place(cut.marked).filter(|&place| member(place))?;
        let mut terms = vec![(marked, -1)];
        for &place in &places {
            for (of_direction, direction) in Direction::ALL.into_iter().enumerate() {
                for offset in 0..i32::from(self.rules.length()) {
                    let first = self.place(self.dots[place].walk(direction, -offset));
                    let line = first.and_then(|first| self.line_at[of_direction][first]);
                    let Some(line) = line.map(|line| line as usize) else { continue };
                    let dots = self.rules.dots(self.lines[line]);
                    let members = dots.filter(|&dot| self.place(dot).is_some_and(member)).count();
                    let birth = self.of_line[line]
                        .clone()
                        .find(|column| self.new[column - self.dots.len()] as usize == place);
                    let birth = birth.expect("a line on the board has a birth for each free dot");
                    terms.extend((members == 1).then_some((birth, 1)));
                }
            }
        }
        Some(terms)
    }

    /// The number of a dot of the board.
    fn place(&self, dot: Point) -> Option<usize> {
        self.places[self.cell(dot)?].map(|place| place as usize)
    }

    /// Where a point is in the rectangle around all dots.
    fn cell(&self, dot: Point) -> Option<usize> {
        let (x, y) = (dot.x - self.corner.x, dot.y - self.corner.y);
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside.then_some((y * self.width + x) as usize)
    }
}

/// Which lattice line of a direction a point is on.
type Key = fn(Point) -> i32;

/// Whether some dots leave nothing empty between them, seen along one axis; without dots there is
/// nothing to see.
fn gapless(dots: &[Point], key: Key) -> bool {
    let mut places: Vec<i32> = dots.iter().map(|&dot| key(dot)).collect();
    places.sort_unstable();
    !places.is_empty() && places.windows(2).all(|pair| pair[1] - pair[0] <= 1)
}

/// The corner of the rectangle around some dots.
fn corner(dots: &[Point], choose: fn(i32, i32) -> i32) -> Option<Point> {
    let both = |a: Point, b: &Point| Point { x: choose(a.x, b.x), y: choose(a.y, b.y) };
    dots.first().map(|&first| dots.iter().fold(first, both))
}
