//! The block relaxation as a linear program.
//!
//! Dots and lines are as in the relaxation of a plain board. For each direction a unit of flow
//! passes the lattice lines from the first nonempty one to the last, through one size of each. A
//! step between sizes that differ by little is an edge of its own; the others share two chains, up
//! and down the sizes of the next line, since what the segments between them lose depends on the
//! difference alone.
//!
//! Where sizes are mixed, near the rim, links tie dots and lines to them: k dots of a lattice line
//! have at most k dots, and at most as many as its size says; a segment has at most one line, and
//! none if there are fewer than five dots.
//!
//! A mixture of hulls may be any mixture of first and last lattice lines in every direction on its
//! own. So the hulls that count are columns of their own, and where flows begin and end is tied to
//! where the sides of the hulls are.

use std::collections::HashMap;

use solver::{Column, Problem, Row};

use super::field::{
    DIRECTIONS, Field, SEGMENTS, capacity, counts, is_diagonal, least_runs, slope, weight,
};
use super::multipliers::Multipliers;
use super::{HullPlace, HullRange, SIDES, START_DOTS, SizeRanges, sides_of};

/// The sizes of each lattice line that a program knows, by direction and line.
pub(super) type KnownSizes = [Vec<Vec<i64>>; DIRECTIONS];

/// How many lattice lines from the rim have links; further inside sizes are hardly mixed.
const LINKED_LINES: usize = 8;

/// How many dots in the middle of a lattice line are linked to its size.
const LINKED_DOTS: [usize; 7] = [2, 3, 5, 7, 9, 11, 13];

/// The sizes that mostly suffice: those of few runs, the smallest and the largest.
pub(super) fn usual_sizes(field: &Field, ranges: &SizeRanges) -> KnownSizes {
    std::array::from_fn(|direction| {
        let sizes = |line| {
            let full = field.size(direction, line);
            let (least, most) = ranges.get(direction, line);
            let all = || least.max(1)..=most.min(full);
            let is_usual = |size: &i64| {
                size % 4 == 1
                    || size % 4 == 2 && (full - size <= 13 || *size == 6)
                    || *size <= 4
                    || full - size <= 4
            };
            let usual: Vec<i64> = all().filter(is_usual).collect();
            if usual.len() < 3 { all().collect() } else { usual }
        };
        (0..field.lines(direction)).map(sizes).collect()
    })
}

/// A linear program with what its rows stand for.
pub(super) struct BlockProgram<'a> {
    pub(super) problem: Problem,
    field: &'a Field,
    range: HullRange,
    balance: usize,
    blocks: Vec<BlockRows>,
    /// The row of a use, with its direction and dot.
    uses: Vec<(usize, usize, usize)>,
    /// The row of a link, with its direction and dot.
    links: Vec<(usize, usize, usize)>,
    /// The columns of lines that have a segment, by direction, lattice line and segment.
    covering: [Vec<Vec<Vec<usize>>>; DIRECTIONS],
    /// The rows that tie where a side is to the hulls, by side and steps inside the board.
    sides: [Vec<usize>; SIDES],
    /// The column of each hull: its share.
    pub(super) hull_columns: Vec<usize>,
    /// The column of each size of a lattice line, by direction and line.
    pub(super) size_columns: [Vec<Vec<(i64, usize)>>; DIRECTIONS],
}

/// The rows of a direction.
struct BlockRows {
    sizes: Vec<usize>,
    runs: Vec<usize>,
    segments: Vec<Vec<usize>>,
}

impl<'a> BlockProgram<'a> {
    pub(super) fn new(
        field: &'a Field,
        range: &HullRange,
        places: &[HullPlace],
        ranges: &SizeRanges,
        known: &KnownSizes,
    ) -> Self {
        let mut program = Self {
            problem: Problem::default(),
            field,
            range: *range,
            balance: 0,
            blocks: Vec::new(),
            uses: Vec::new(),
            links: Vec::new(),
            covering: [const { Vec::new() }; DIRECTIONS],
            sides: [const { Vec::new() }; SIDES],
            hull_columns: Vec::new(),
            size_columns: [const { Vec::new() }; DIRECTIONS],
        };
        for _ in &field.dots {
            program.column(0.0, 1.0);
        }
        program.balance = program.row(START_DOTS as f64, START_DOTS as f64);
        for direction in 0..DIRECTIONS {
            let lines = field.lines(direction);
            let pairs = |program: &mut Self| (1..lines).map(|_| program.row_at_most(0.0)).collect();
            let rows = BlockRows {
                sizes: (0..lines).map(|_| program.row(0.0, 0.0)).collect(),
                runs: (0..lines).map(|_| program.row(0.0, f64::INFINITY)).collect(),
                segments: (0..counts(direction)).map(|_| pairs(&mut program)).collect(),
            };
            program.blocks.push(rows);
        }
        program.add_dots();
        program.add_lines();
        program.add_hulls(range, places);
        let slack = range.by_direction();
        for direction in 0..DIRECTIONS {
            Flow::add(&mut program, direction, slack[direction], ranges, &known[direction]);
        }
        program.add_links();
        program
    }

    fn column(&mut self, cost: f64, high: f64) -> usize {
        self.problem.columns.push(Column { cost, low: 0.0, high });
        self.problem.columns.len() - 1
    }

    fn row(&mut self, low: f64, high: f64) -> usize {
        self.problem.rows.push(Row { low, high, entries: Vec::new() });
        self.problem.rows.len() - 1
    }

    fn row_at_most(&mut self, high: f64) -> usize {
        self.row(f64::NEG_INFINITY, high)
    }

    fn entry(&mut self, row: usize, column: usize, factor: f64) {
        self.problem.rows[row].entries.push((column, factor));
    }

    fn add_dots(&mut self) {
        for dot in 0..self.field.dots.len() {
            self.entry(self.balance, dot, 1.0);
            for direction in 0..DIRECTIONS {
                let line = self.field.number[direction][dot] as usize;
                self.entry(self.blocks[direction].sizes[line], dot, 1.0);
                self.entry(self.blocks[direction].runs[line], dot, 1.0);
                for count in 0..counts(direction) {
                    if let Some(&row) = self.blocks[direction].segments[count].get(line) {
                        self.entry(row, dot, -slope(direction, count) as f64);
                    }
                }
            }
        }
    }

    fn add_lines(&mut self) {
        let field = self.field;
        for along in 0..DIRECTIONS {
            for (number, dots) in field.lattice[along].iter().enumerate() {
                let mut covering: Vec<Vec<usize>> = vec![Vec::new(); dots.len()];
                for window in 0..dots.len().saturating_sub(SEGMENTS) {
                    let line = self.column(1.0, f64::INFINITY);
                    self.entry(self.balance, line, -1.0);
                    self.entry(self.blocks[along].runs[number], line, -(SEGMENTS as f64));
                    covering[window..window + SEGMENTS].iter_mut().for_each(|it| it.push(line));
                    self.count_segments(along, &dots[window..window + SEGMENTS], line);
                }
                for (place, lines) in covering.iter().enumerate().filter(|(_, it)| !it.is_empty()) {
                    for dot in [dots[place], dots[place + 1]] {
                        let row = self.row_at_most(0.0);
                        self.uses.push((row, along, dot as usize));
                        self.entry(row, dot as usize, -1.0);
                        lines.iter().for_each(|&line| self.entry(row, line, 1.0));
                    }
                }
                self.covering[along].push(covering);
            }
        }
    }

    /// Adds the hulls with their shares, and rows that tie them to the ends of flows.
    fn add_hulls(&mut self, range: &HullRange, places: &[HullPlace]) {
        for (side, &slack) in range.slack.iter().enumerate().filter(|(_, slack)| **slack > 0) {
            self.sides[side] = (0..=slack).map(|_| self.row(0.0, 0.0)).collect();
        }
        for place in places {
            let column = self.column(0.0, f64::INFINITY);
            self.hull_columns.push(column);
            for (side, &steps) in place.iter().enumerate() {
                if let Some(&row) = self.sides[side].get(steps as usize) {
                    self.entry(row, column, -1.0);
                }
            }
        }
    }

    /// Ties an edge to a side that is so many steps inside.
    fn add_end(&mut self, side: usize, steps: usize, edge: usize) {
        if let Some(&row) = self.sides[side].get(steps) {
            self.entry(row, edge, 1.0);
        }
    }

    /// Ties dots and lines near the rim to the sizes of their lattice lines.
    fn add_links(&mut self) {
        for direction in 0..DIRECTIONS {
            let lines = self.field.lines(direction);
            for line in (0..lines).filter(|line| (*line).min(lines - 1 - line) < LINKED_LINES) {
                let dots = &self.field.lattice[direction][line];
                if dots.len() <= SEGMENTS + 1 {
                    continue;
                }
                let with_lines = |size: i64| i64::from(size > SEGMENTS as i64);
                let limit = self.share(direction, line, with_lines);
                for columns in self.covering[direction][line].clone() {
                    let row = self.row_at_most(0.0);
                    self.entry(row, limit, -1.0);
                    columns.into_iter().for_each(|column| self.entry(row, column, 1.0));
                }
                for few in LINKED_DOTS.into_iter().filter(|few| *few < dots.len()) {
                    let limit = self.share(direction, line, |size| size.min(few as i64));
                    let row = self.row_at_most(0.0);
                    self.entry(row, limit, -1.0);
                    let from = (dots.len() - few) / 2;
                    for &dot in &dots[from..from + few] {
                        self.entry(row, dot as usize, 1.0);
                        self.links.push((row, direction, dot as usize));
                    }
                }
            }
        }
    }

    /// A column for the mean of what the sizes of a lattice line are worth.
    fn share(&mut self, direction: usize, line: usize, worth: impl Fn(i64) -> i64) -> usize {
        let mean = self.column(0.0, f64::INFINITY);
        let row = self.row(0.0, 0.0);
        self.entry(row, mean, -1.0);
        let sizes = self.size_columns[direction].get(line).cloned().unwrap_or_default();
        for (size, column) in sizes.into_iter().filter(|(size, _)| worth(*size) != 0) {
            self.entry(row, column, worth(size) as f64);
        }
        mean
    }

    /// Counts the segments of a line, which start at these dots, in the other directions.
    fn count_segments(&mut self, along: usize, dots: &[u32], line: usize) {
        for direction in (0..DIRECTIONS).filter(|&direction| direction != along) {
            for count in 0..counts(direction) {
                let weight = weight(direction, count, along) as f64;
                for &dot in dots.iter().filter(|_| weight != 0.0) {
                    let pair = self.field.between(direction, dot as usize, along);
                    self.entry(self.blocks[direction].segments[count][pair], line, weight);
                }
            }
        }
    }

    /// The multipliers that duals suggest.
    pub(super) fn multipliers(&self, duals: &[f64]) -> Multipliers<f64> {
        let field = self.field;
        let dual = |row: &usize| duals[*row];
        let positive = |pairs: &Vec<usize>| pairs.iter().map(|row| dual(row).max(0.0)).collect();
        let segments: [Vec<Vec<f64>>; DIRECTIONS] = std::array::from_fn(|direction| {
            self.blocks[direction].segments.iter().map(positive).collect()
        });
        // What a dot of a lattice line is worth to the sizes of its direction.
        let worth: [Vec<f64>; DIRECTIONS] = std::array::from_fn(|direction| {
            let rows = &self.blocks[direction];
            let sizes = rows.sizes.iter().map(dual);
            let runs = rows.runs.iter().map(|row| (-dual(row)).max(0.0));
            let mut worth: Vec<f64> = sizes.zip(runs).map(|(size, runs)| size - runs).collect();
            for (count, pairs) in segments[direction].iter().enumerate() {
                let slope = slope(direction, count) as f64;
                worth.iter_mut().zip(pairs).for_each(|(worth, pair)| *worth -= slope * pair);
            }
            worth
        });
        let mut used = vec![[0.0; DIRECTIONS]; field.dots.len()];
        for (row, direction, dot) in &self.uses {
            used[*dot][*direction] += dual(row).max(0.0);
        }
        for (row, direction, dot) in &self.links {
            used[*dot][*direction] -= dual(row).max(0.0);
        }
        let balance = dual(&self.balance);
        let mut prices = [const { Vec::new() }; DIRECTIONS - 1];
        for (dot, used) in used.iter().enumerate() {
            let own: [f64; DIRECTIONS] = std::array::from_fn(|direction| {
                worth[direction][field.number[direction][dot] as usize] - used[direction]
            });
            let rest = -balance - own.iter().sum::<f64>();
            for (prices, own) in prices.iter_mut().zip(own) {
                prices.push(own + rest / DIRECTIONS as f64);
            }
        }
        let sides = std::array::from_fn(|side| match &self.sides[side][..] {
            [] => vec![0.0; self.range.slack[side] as usize + 1],
            rows => rows.iter().map(dual).collect(),
        });
        Multipliers { scale: 1.0, balance, sides, segments, prices }
    }
}

/// A junction of a flow: a size of a lattice line before or after it is passed, a place in the
/// chains that lead to it, or an empty lattice line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Junction {
    In(usize, i64),
    Out(usize, i64),
    Up(usize, i64),
    Down(usize, i64),
    Gap(usize),
}

struct Flow<'p, 'a> {
    program: &'p mut BlockProgram<'a>,
    direction: usize,
    /// Sizes of adjacent lattice lines that differ by less have an edge of their own.
    near: i64,
    junctions: HashMap<Junction, usize>,
}

/// How a flow leaves the lattice lines before the last one.
#[derive(Clone, Copy)]
struct Exits {
    /// For good: the side, and how many steps it is then inside.
    end: Option<(usize, usize)>,
    /// Over an empty lattice line.
    gap: bool,
}

impl<'p, 'a> Flow<'p, 'a> {
    fn add(
        program: &'p mut BlockProgram<'a>,
        direction: usize,
        slack: (usize, usize),
        ranges: &SizeRanges,
        known: &[Vec<i64>],
    ) {
        let start = program.row(1.0, 1.0);
        let (first, last_side) = sides_of(direction);
        let near = if is_diagonal(direction) { 1 } else { 2 };
        let mut flow = Self { program, direction, near, junctions: HashMap::new() };
        let lines = known.len();
        let may_be_empty = |line: usize| ranges.get(direction, line).0 == 0;
        let last = lines - 1 - slack.1.min(lines - 1);
        let ends = |line: usize| line >= last && (line + 1..lines).all(may_be_empty);
        let gap_at = |line: usize| {
            is_diagonal(direction) && line > 0 && line + 1 < lines && may_be_empty(line)
        };
        for (line, sizes) in known.iter().enumerate() {
            let Some(&least) = sizes.first() else { continue };
            if line <= slack.0 && (0..line).all(may_be_empty) {
                let column = flow.edge(None, Some(Junction::Up(line, least)));
                flow.program.entry(start, column, 1.0);
                flow.program.add_end(first, line, column);
            }
            if line > 1 && gap_at(line - 1) {
                flow.edge(Some(Junction::Gap(line - 1)), Some(Junction::Up(line, least)));
            }
            flow.add_sizes(line, sizes);
            let Some(next) = known.get(line + 1) else {
                for &size in sizes {
                    let edge = flow.edge(Some(Junction::Out(line, size)), None);
                    flow.program.add_end(last_side, 0, edge);
                }
                continue;
            };
            let end = ends(line).then_some((last_side, lines - 1 - line));
            flow.add_steps(line, sizes, next, Exits { end, gap: gap_at(line + 1) });
        }
    }

    /// The sizes of a lattice line, and the chains that lead to them.
    fn add_sizes(&mut self, line: usize, sizes: &[i64]) {
        for (index, &size) in sizes.iter().enumerate() {
            self.pass(line, size);
            self.edge(Some(Junction::Up(line, size)), Some(Junction::In(line, size)));
            if let Some(&larger) = sizes.get(index + 1) {
                self.edge(Some(Junction::Up(line, size)), Some(Junction::Up(line, larger)));
            }
            if line > 0 {
                self.edge(Some(Junction::Down(line, size)), Some(Junction::In(line, size)));
                if let Some(&larger) = sizes.get(index + 1) {
                    let (from, to) = (Junction::Down(line, larger), Junction::Down(line, size));
                    let edge = self.edge(Some(from), Some(to));
                    self.lose_dots(line - 1, edge, larger - size);
                }
            }
        }
    }

    /// The steps from the sizes of a lattice line to those of the next, and past it.
    fn add_steps(&mut self, line: usize, sizes: &[i64], others: &[i64], exits: Exits) {
        let (direction, near, next) = (self.direction, self.near, line + 1);
        let bottom = others.first().copied();
        if let Some(bottom) = bottom {
            self.leave(line, Junction::Down(next, bottom), bottom, exits);
        }
        for &size in sizes {
            let from = Junction::Out(line, size);
            if bottom.is_none_or(|bottom| size - near < bottom) {
                self.leave(line, from, size, exits);
            }
            for &other in others.iter().filter(|&&other| (other - size).abs() < near) {
                let edge = self.edge(Some(from), Some(Junction::In(next, other)));
                self.lose(line, edge, |count| {
                    slope(direction, count) * size - capacity(direction, count, size, other)
                });
            }
            if let Some(&other) = others.iter().find(|&&other| other >= size + near) {
                self.edge(Some(from), Some(Junction::Up(next, other)));
            }
            if let Some(&other) = others.iter().rfind(|&&other| other <= size - near) {
                let edge = self.edge(Some(from), Some(Junction::Down(next, other)));
                self.lose_dots(line, edge, size - other);
            }
        }
    }

    /// From the next line on there may be nothing, or a gap and then more.
    fn leave(&mut self, line: usize, from: Junction, dots: i64, exits: Exits) {
        if let Some((side, steps)) = exits.end {
            let edge = self.edge(Some(from), None);
            self.lose_dots(line, edge, dots);
            self.program.add_end(side, steps, edge);
        }
        if exits.gap {
            let edge = self.edge(Some(from), Some(Junction::Gap(line + 1)));
            self.lose_dots(line, edge, dots);
        }
    }

    /// The edge through a size of a line.
    fn pass(&mut self, line: usize, size: i64) {
        let edge = self.edge(Some(Junction::In(line, size)), Some(Junction::Out(line, size)));
        let rows = &self.program.blocks[self.direction];
        let (sizes, runs) = (rows.sizes[line], rows.runs[line]);
        self.program.entry(sizes, edge, -(size as f64));
        self.program.entry(runs, edge, -(least_runs(size) as f64));
        let columns = &mut self.program.size_columns[self.direction];
        columns.resize(columns.len().max(line + 1), Vec::new());
        columns[line].push((size, edge));
    }

    fn edge(&mut self, from: Option<Junction>, to: Option<Junction>) -> usize {
        let column = self.program.column(0.0, f64::INFINITY);
        for (junction, factor) in [(from, -1.0), (to, 1.0)] {
            if let Some(junction) = junction {
                let program = &mut *self.program;
                let row = *self.junctions.entry(junction).or_insert_with(|| program.row(0.0, 0.0));
                self.program.entry(row, column, factor);
            }
        }
        column
    }

    /// Counts what an edge with so many dots fewer loses of the segments after a line.
    fn lose_dots(&mut self, line: usize, edge: usize, dots: i64) {
        let direction = self.direction;
        self.lose(line, edge, |count| slope(direction, count) * dots);
    }

    /// Counts what an edge loses of the segments after a line.
    fn lose(&mut self, line: usize, edge: usize, loss: impl Fn(usize) -> i64) {
        for count in 0..counts(self.direction) {
            let row = self.program.blocks[self.direction].segments[count][line];
            let loss = loss(count);
            if loss != 0 {
                self.program.entry(row, edge, loss as f64);
            }
        }
    }
}
