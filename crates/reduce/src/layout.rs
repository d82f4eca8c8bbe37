//! From a formula to dots: a crossbar of gadgets.
//!
//! Each variable has a choice of two rails that run to the right, one per literal; each clause has
//! a column, to which taps join its literals; the columns run up to a chain of checkers, and the
//! last checker starts the treasure, a long wire folded above everything. Rails and columns cross
//! wherever they meet: their nodes lie on lattices of different class, so that crossing is free.
//!
//! A layout is a plan. That it does what it should is for `certify` to find out, from its dots.

use std::collections::HashMap;
use std::ops::Range;

use geometry::{COORDINATE_LIMIT, Move, Point, Start};

use crate::cnf::Literal;
use crate::gadget::{Gadget, Library};
use crate::instance::Instance;
use crate::row::Row;

/// What a dot in a hole means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Atom {
    /// This literal is true.
    Literal(Literal),
    /// This clause, counted from 0, is satisfied.
    Clause(u32),
    /// This clause and all before it are satisfied.
    All(u32),
}

/// How far apart things are, in units of a wire. The defaults are the smallest that work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spacing {
    /// From one variable down to the next.
    pub variable: i32,
    /// From one clause to the next on its right.
    pub clause: i32,
}

impl Default for Spacing {
    fn default() -> Self {
        Self { variable: 10, clause: 8 }
    }
}

/// What a part of the pattern is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Two lines of which one can be drawn.
    Variable,
    /// The wire of a literal.
    Rail,
    /// From a rail to a column.
    Tap,
    /// The wire of a clause.
    Column,
    /// An AND of a clause with those before it.
    Checker,
    /// The long wire at the end.
    Treasure,
}

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Variable => "variable",
            Self::Rail => "rail",
            Self::Tap => "tap",
            Self::Column => "column",
            Self::Checker => "checker",
            Self::Treasure => "treasure",
        }
    }
}

/// A part of the pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub kind: Kind,
    /// Which one.
    pub of: Atom,
    /// Where it begins and ends: two holes.
    pub ports: [Point; 2],
    /// Its rows among those of the layout.
    pub rows: Range<usize>,
}

/// A formula laid out: rows of dots and holes, and what each hole means.
#[derive(Debug, Clone)]
pub struct Layout {
    /// How many dots a line has.
    pub(crate) length: usize,
    pub(crate) instance: Instance,
    pub(crate) rows: Vec<Row>,
    pub(crate) labels: HashMap<Point, Atom>,
    pub(crate) parts: Vec<Part>,
    /// For each variable the moves that make it true and false.
    pub(crate) choices: Vec<[Move; 2]>,
    /// The holes of the treasure; the first is the last checker's.
    pub(crate) treasure: Vec<Point>,
    /// A hole with two meanings: then this is no layout.
    pub(crate) clash: Option<Point>,
}

impl Layout {
    /// Lays out an instance with lines of 5 or 6 dots and a treasure of so many units.
    pub fn new(
        length: usize,
        instance: Instance,
        measures: Spacing,
        treasure: usize,
    ) -> Result<Self, LayoutError> {
        let library = Library::for_length(length).ok_or(LayoutError::Length(length))?;
        let mut builder = Builder::new(library, instance, measures)?;
        builder.place_variables()?;
        builder.place_clauses()?;
        builder.place_treasure(treasure)?;
        Ok(builder.layout)
    }

    /// The dots, sorted.
    pub fn dots(&self) -> Vec<Point> {
        let mut dots: Vec<Point> = self.rows.iter().flat_map(|row| row.dots()).collect();
        dots.sort_unstable();
        dots.dedup();
        dots
    }

    /// How many dots a line has.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The formula behind it.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// The lines that are meant to be drawn.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The parts, in the order of their rows.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// For each variable the moves that make it true and false.
    pub fn choices(&self) -> &[[Move; 2]] {
        &self.choices
    }

    /// The holes of the treasure in their order; the first is the last checker's.
    pub fn treasure(&self) -> &[Point] {
        &self.treasure
    }

    /// What a dot in this hole means.
    pub fn meaning(&self, hole: Point) -> Option<Atom> {
        self.labels.get(&hole).copied()
    }

    /// A part in words.
    pub fn name(&self, part: &Part) -> String {
        let instance = &self.instance;
        let clause = |number: u32| match instance.origins[number as usize] {
            Some(origin) => format!("clause {origin}"),
            None => "the helping clause".to_owned(),
        };
        match (part.kind, part.of) {
            (Kind::Variable, Atom::Literal(literal)) => {
                format!("variable {}", instance.name(literal))
            }
            (Kind::Tap, Atom::Literal(literal)) => {
                let to = match self.meaning(part.ports[1]) {
                    Some(Atom::Clause(number)) => clause(number),
                    _ => unreachable!("a tap ends at the column of its clause"),
                };
                format!("tap from {} to {to}", instance.name(literal))
            }
            (_, Atom::Literal(literal)) => format!("rail of {}", instance.name(literal)),
            (Kind::Treasure, _) => "treasure".to_owned(),
            (_, Atom::Clause(number)) => format!("column of {}", clause(number)),
            (_, Atom::All(number)) => format!("checker of {}", clause(number)),
        }
    }

    /// The last clause.
    pub(crate) fn last(&self) -> u32 {
        self.instance.clauses.len() as u32 - 1
    }
}

/// Why there is no layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// No gadgets for lines of this length.
    #[error("there are gadgets for lines of 5 and 6 dots, not of {0}")]
    Length(usize),
    /// The pattern would not fit into a file.
    #[error(
        "the pattern would have more than {} dots or reach beyond {COORDINATE_LIMIT}: take a smaller formula or gap",
        Start::MAX_DOTS
    )]
    TooLarge,
}

/// How high above the first variable the checkers are, in units.
const CHECKERS: i32 = -4;
/// Where the first clause is.
const FIRST_CLAUSE: i32 = 4;
/// From the rail of a variable down to that of its negation.
const NEGATION: i32 = 6;
/// From the beginning of a tap to its end.
const TAP: (i32, i32) = (6, 5);

struct Builder {
    library: Library,
    /// How far the ends of a unit are apart; the nodes of wires lie on multiples of this.
    unit: i32,
    measures: Spacing,
    layout: Layout,
}

impl Builder {
    fn new(library: Library, instance: Instance, measures: Spacing) -> Result<Self, LayoutError> {
        let unit = library.length as i32 - 1;
        let size = |count: usize, each: i32| (count as i64 + 2) * i64::from(each * unit);
        let width = size(instance.clauses.len(), measures.clause);
        let height = size(instance.names.len(), measures.variable);
        if width.max(height) > i64::from(COORDINATE_LIMIT) {
            return Err(LayoutError::TooLarge);
        }
        let layout = Layout {
            length: library.length,
            instance,
            rows: Vec::new(),
            labels: HashMap::new(),
            parts: Vec::new(),
            choices: Vec::new(),
            treasure: Vec::new(),
            clash: None,
        };
        Ok(Self { library, unit, measures, layout })
    }

    /// The node so many units to the right and down.
    fn node(&self, across: i32, down: i32) -> Point {
        Point::new(across, down) * self.unit
    }

    /// Where clause `clause` is, in units.
    fn across(&self, clause: usize) -> i32 {
        FIRST_CLAUSE + self.measures.clause * clause as i32
    }

    /// Where the rail of a literal is, in units.
    fn down(&self, literal: Literal) -> i32 {
        let negation = if literal.is_positive() { 0 } else { NEGATION };
        self.measures.variable * (literal.variable() as i32 - 1) + negation
    }

    /// Lays a row whose holes mean `atom`.
    fn lay(&mut self, row: Row, atom: Atom) {
        for hole in row.holes() {
            let found = *self.layout.labels.entry(hole).or_insert(atom);
            if found != atom {
                self.layout.clash = Some(hole);
            }
        }
        self.layout.rows.push(row);
    }

    /// Lays the rows of a gadget; those for which there is no meaning get theirs from the others.
    fn place(&mut self, gadget: &Gadget, at: Point, meaning: impl Fn(usize) -> Option<Atom>) {
        for (number, row) in gadget.rows.iter().enumerate() {
            match meaning(number) {
                Some(atom) => self.lay(row.moved(at), atom),
                None => self.layout.rows.push(row.moved(at)),
            }
        }
    }

    /// Lays a wire through these nodes.
    fn wire(&mut self, nodes: impl IntoIterator<Item = Point>, atom: Atom) {
        let mut nodes = nodes.into_iter();
        let Some(mut last) = nodes.next() else { return };
        for node in nodes {
            self.lay(Row::joining(last, node), atom);
            last = node;
        }
    }

    /// Ends a part that began at row `from`.
    fn part(
        &mut self,
        kind: Kind,
        of: Atom,
        from: usize,
        ports: [Point; 2],
    ) -> Result<(), LayoutError> {
        let rows = from..self.layout.rows.len();
        // No row adds more than four dots, and few add less than three.
        if rows.end > Start::MAX_DOTS / 3 {
            return Err(LayoutError::TooLarge);
        }
        if !rows.is_empty() {
            self.layout.parts.push(Part { kind, of, ports, rows });
        }
        Ok(())
    }

    fn place_variables(&mut self) -> Result<(), LayoutError> {
        for variable in 1..=self.layout.instance.names.len() as i32 {
            let [yes, no] = [variable, -variable].map(|n| Literal::new(n).expect("not 0"));
            let (from, at) = (self.layout.rows.len(), self.node(0, self.down(yes)));
            self.place(self.library.variable, at, |row| Some(Atom::Literal([yes, no][row])));
            let filling = |row: Row| row.filling(row.holes().next().expect("one hole"));
            let choices = [from, from + 1].map(|row| filling(self.layout.rows[row]));
            self.layout.choices.push(choices);
            self.part(Kind::Variable, Atom::Literal(yes), from, choices.map(Move::dot))?;
            for literal in [yes, no] {
                self.place_rail(literal)?;
            }
        }
        Ok(())
    }

    /// The rail of a literal, as far as its last clause, and a tap for each clause.
    fn place_rail(&mut self, literal: Literal) -> Result<(), LayoutError> {
        let (y, atom) = (self.down(literal), Atom::Literal(literal));
        let clauses = self.layout.instance.clauses.iter().enumerate();
        let uses: Vec<usize> =
            clauses.filter(|(_, clause)| clause.contains(&literal)).map(|(j, _)| j).collect();
        let Some(&last) = uses.last() else { return Ok(()) };
        let from = self.layout.rows.len();
        // The peaks of one rail and the valleys of the other face each other.
        let turned = if literal.is_positive() { -1 } else { 1 };
        if !literal.is_positive() {
            self.place(self.library.shift, self.node(0, y - NEGATION), |_| Some(atom));
            let down = [(0, -2), (1, -1), (0, 0)].map(|(x, up)| self.node(x, y + up));
            self.wire(down, atom);
        }
        let across = self.across(last);
        let unit = self.unit;
        let height = |x: i32| if x % 2 == 0 { y } else { y + turned };
        self.wire((0..=across).map(|x| Point::new(x, height(x)) * unit), atom);
        let first = self.layout.choices[literal.variable() as usize - 1];
        let first = first[usize::from(!literal.is_positive())].dot();
        self.part(Kind::Rail, atom, from, [first, self.node(across, y)])?;
        for clause in uses {
            self.place_tap(literal, clause)?;
        }
        Ok(())
    }

    /// From the rail of a literal to the column of a clause; a negation's tap is upside down.
    fn place_tap(&mut self, literal: Literal, clause: usize) -> Result<(), LayoutError> {
        let from = self.layout.rows.len();
        let (x, y, atom) = (self.across(clause), self.down(literal), Atom::Literal(literal));
        let at = self.node(x, y);
        for (number, &row) in self.library.tap.rows.iter().enumerate() {
            let row = if literal.is_positive() { row } else { row.flipped() }.moved(at);
            match number {
                0..=4 => self.lay(row, atom),
                5 => self.layout.rows.push(row),
                _ => self.lay(row, Atom::Clause(clause as u32)),
            }
        }
        let end = self.node(x + TAP.0, y + Self::tapped(literal));
        self.part(Kind::Tap, atom, from, [at, end])
    }

    /// How far below its rail a tap ends.
    fn tapped(literal: Literal) -> i32 {
        if literal.is_positive() { TAP.1 } else { -TAP.1 }
    }

    fn place_clauses(&mut self) -> Result<(), LayoutError> {
        for clause in 0..self.layout.instance.clauses.len() {
            let (x, number) = (self.across(clause), clause as u32);
            let (satisfied, all) = (Atom::Clause(number), Atom::All(number));
            let joined = self.layout.instance.clauses[clause].iter();
            let joined = joined.map(|&literal| self.down(literal) + Self::tapped(literal));
            let lowest = joined.max().expect("no clause is empty");
            let (from, unit) = (self.layout.rows.len(), self.unit);
            let node = |y: i32| Point::new(if y % 2 == 0 { x + 5 } else { x + 6 }, y) * unit;
            self.wire((CHECKERS + 1..=lowest).map(node), satisfied);
            self.part(Kind::Column, satisfied, from, [node(lowest), node(CHECKERS + 1)])?;

            let (from, at) = (self.layout.rows.len(), self.node(x + 4, CHECKERS));
            match number.checked_sub(1) {
                None => self.place(self.library.first_checker, at, |row| match row {
                    0 => Some(satisfied),
                    1 => None,
                    _ => Some(all),
                }),
                Some(before) => self.place(self.library.checker, at, |row| match row {
                    0 => Some(Atom::All(before)),
                    1 => Some(satisfied),
                    2 => None,
                    _ => Some(all),
                }),
            }
            if clause + 1 < self.layout.instance.clauses.len() {
                let next = self.across(clause + 1) + 3;
                let height = |x: i32| if x % 2 == 0 { CHECKERS } else { CHECKERS - 1 };
                self.wire((x + 6..=next).map(|x| Point::new(x, height(x)) * unit), all);
            }
            let ports = [node(CHECKERS + 1), self.node(x + 6, CHECKERS)];
            self.part(Kind::Checker, all, from, ports)?;
        }
        Ok(())
    }

    /// A wire from the last checker, folded above the whole pattern.
    fn place_treasure(&mut self, units: usize) -> Result<(), LayoutError> {
        let all = Atom::All(self.layout.last());
        let from = self.layout.rows.len();
        let right = self.across(self.layout.last() as usize) + 7;
        let mut at = Point::new(right - 1, CHECKERS);
        self.layout.treasure.push(at * self.unit);
        // To the right (1) or left (-1); the steps of a turn that are still to be made.
        let (mut way, mut turn) = (1, 0);
        let mut rising = true;
        for _ in 0..units {
            let step = match turn {
                0 => Point::new(way, if rising { -1 } else { 1 }),
                2 => Point::new(way, -1),
                _ => Point::new(-way, -1),
            };
            let next = at + step;
            if next.y * self.unit < -COORDINATE_LIMIT + 64 {
                return Err(LayoutError::TooLarge);
            }
            self.lay(Row::joining(at * self.unit, next * self.unit), all);
            self.layout.treasure.push(next * self.unit);
            at = next;
            // A turn begins after a rise that leaves no room for another; it takes three steps.
            match turn {
                0 if rising && !(2..=right - 2).contains(&(at.x + way)) => turn = 3,
                0 => rising = !rising,
                1 => (turn, way, rising) = (0, -way, false),
                _ => turn -= 1,
            }
        }
        let first = self.layout.treasure[0];
        self.part(Kind::Treasure, all, from, [first, at * self.unit])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cnf::Formula;

    fn layout(length: usize) -> Layout {
        let formula = Formula::read(b"p cnf 7 2\n3 7 0\n-3 -7 0\n").expect("DIMACS");
        let instance = Instance::new(&formula);
        Layout::new(length, instance, Spacing::default(), 60).expect("small")
    }

    #[test]
    fn every_part_has_a_name_and_its_ports_are_holes() {
        let layout = layout(5);
        let names: Vec<String> = layout.parts().iter().map(|part| layout.name(part)).collect();
        for name in ["variable 7", "rail of -3", "tap from -7 to clause 2", "checker of clause 1"] {
            assert!(names.iter().any(|found| found == name), "{name}: {names:?}");
        }
        for part in layout.parts() {
            let rows = &layout.rows()[part.rows.clone()];
            for port in part.ports {
                assert!(rows.iter().any(|row| row.holes().any(|hole| hole == port)), "{part:?}");
            }
        }
        assert_eq!(layout.treasure().len(), 61);
    }

    #[test]
    fn rails_and_columns_keep_to_nodes_of_their_class() {
        for length in [5, 6] {
            let (layout, unit) = (layout(length), length as i32 - 1);
            for part in layout.parts() {
                let odd = match part.kind {
                    Kind::Column => 1,
                    Kind::Treasure => 0,
                    _ => continue,
                };
                for hole in layout.rows()[part.rows.clone()].iter().flat_map(|row| row.holes()) {
                    assert_eq!((hole.x + hole.y).rem_euclid(2 * unit), odd * unit, "{hole}");
                }
            }
        }
    }

    #[test]
    fn what_is_too_wide_is_refused_before_it_is_built() {
        let one = vec![Literal::new(1).expect("not 0")];
        let formula = Formula::new(1, vec![one; 40_000]).expect("few enough");
        let wide = Layout::new(5, Instance::new(&formula), Spacing::default(), 1);
        assert_eq!(wide.map(|_| ()), Err(LayoutError::TooLarge));
    }
}
