//! From a formula to dots: a crossbar of gadgets.
//!
//! Each variable has a choice of two rails that run to the right, one per literal; each clause has
//! a column, to which taps join its literals; the columns run up to a chain of checkers, and the
//! last checker starts the treasure, a long wire folded above everything. Rails and columns cross
//! wherever they meet. How gadgets are placed for this is the matter of each [`Family`].
//!
//! A layout is a plan. That it does what it should is for `certify` to find out, from its dots.

mod lattice;
mod tile;

use std::collections::HashMap;
use std::ops::{Range, RangeInclusive};

use geometry::{COORDINATE_LIMIT, Move, Point, Start};

use crate::cnf::Literal;
use crate::family::{Family, LengthError};
use crate::instance::Instance;
use crate::row::{Row, sorted_dots};

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

/// How far apart things are: in units of a wire, or in points with lines of 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spacing {
    /// From one variable down to the next.
    pub variable: i32,
    /// From one clause to the next on its right.
    pub clause: i32,
}

/// What a part of the pattern is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartKind {
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

impl PartKind {
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
pub struct LayoutPart {
    /// What it is.
    pub kind: PartKind,
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
    pub(crate) parts: Vec<LayoutPart>,
    /// For each variable the moves that make it true and false.
    pub(crate) choices: Vec<[Move; 2]>,
    /// The holes of the treasure; the first is the last checker's.
    pub(crate) treasure: Vec<Point>,
    /// A hole with two meanings: then this is no layout.
    pub(crate) clash: Option<Point>,
}

impl Layout {
    /// Lays out an instance with lines of this length and a treasure of so many units.
    pub fn new(
        length: usize,
        instance: Instance,
        spacing: Spacing,
        treasure: usize,
    ) -> Result<Self, LayoutError> {
        let family = Family::for_length(length)?;
        let mut draft = Draft::new(length, instance);
        match family {
            Family::Tile => tile::place(&mut draft, spacing, treasure)?,
            Family::Lattice => lattice::place(&mut draft, spacing, treasure)?,
        }
        Ok(draft.0)
    }

    /// The dots, sorted.
    pub fn dots(&self) -> Vec<Point> {
        sorted_dots(&self.rows)
    }

    /// How many dots a line has.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The design that it follows.
    pub fn family(&self) -> Family {
        Family::for_length(self.length).expect("there is no layout without a design")
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
    pub fn parts(&self) -> &[LayoutPart] {
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
    pub fn name(&self, part: &LayoutPart) -> String {
        let instance = &self.instance;
        let clause = |number: u32| match instance.origins[number as usize] {
            Some(origin) => format!("clause {origin}"),
            None => "the helping clause".to_owned(),
        };
        match (part.kind, part.of) {
            (PartKind::Variable, Atom::Literal(literal)) => {
                format!("variable {}", instance.name(literal))
            }
            (PartKind::Tap, Atom::Literal(literal)) => {
                let to = match self.meaning(part.ports[1]) {
                    Some(Atom::Clause(number)) => clause(number),
                    _ => unreachable!("a tap ends at the column of its clause"),
                };
                format!("tap from {} to {to}", instance.name(literal))
            }
            (_, Atom::Literal(literal)) => format!("rail of {}", instance.name(literal)),
            (PartKind::Treasure, _) => "treasure".to_owned(),
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
    #[error(transparent)]
    Length(#[from] LengthError),
    /// The pattern would not fit into a file.
    #[error(
        "the pattern would have more than {} dots or reach beyond {COORDINATE_LIMIT}: take a \
         smaller formula or gap",
        Start::MAX_DOTS
    )]
    TooLarge,
}

/// A layout to which rows are still added.
struct Draft(Layout);

impl Draft {
    fn new(length: usize, instance: Instance) -> Self {
        Self(Layout {
            length,
            instance,
            rows: Vec::new(),
            labels: HashMap::new(),
            parts: Vec::new(),
            choices: Vec::new(),
            treasure: Vec::new(),
            clash: None,
        })
    }

    /// How far the ends of a unit are apart.
    fn unit(&self) -> i32 {
        self.0.length as i32 - 1
    }

    /// Refuses, before anything is laid, what will not fit: so many points for each clause across
    /// and for each variable down.
    fn check_room(&self, across: i32, down: i32) -> Result<(), LayoutError> {
        let size = |count: usize, each: i32| (count as i64 + 2) * i64::from(each);
        let width = size(self.0.instance.clauses.len(), across);
        let height = size(self.0.instance.names.len(), down);
        let fits = width.max(height) <= i64::from(COORDINATE_LIMIT);
        if fits { Ok(()) } else { Err(LayoutError::TooLarge) }
    }

    /// Refuses more rows than there may be dots for; each has a few that no other has.
    fn check_rows(&self, more: usize) -> Result<(), LayoutError> {
        let most = Start::MAX_DOTS / (self.0.length - 3);
        let fits = self.0.rows.len().saturating_add(more) <= most;
        if fits { Ok(()) } else { Err(LayoutError::TooLarge) }
    }

    /// Lays a row whose holes mean `atom`; without one they get their meaning from other rows.
    fn lay(&mut self, row: Row, atom: impl Into<Option<Atom>>) {
        if let Some(atom) = atom.into() {
            for hole in row.holes() {
                let found = *self.0.labels.entry(hole).or_insert(atom);
                if found != atom {
                    self.0.clash = Some(hole);
                }
            }
        }
        self.0.rows.push(row);
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

    /// Lays the two lines of a variable.
    fn choice(&mut self, [yes, no]: [Literal; 2], rows: [Row; 2]) -> Result<(), LayoutError> {
        let from = self.0.rows.len();
        let choices = rows.map(|row| row.filling(row.holes().next().expect("one hole")));
        for (row, literal) in rows.into_iter().zip([yes, no]) {
            self.lay(row, Atom::Literal(literal));
        }
        self.0.choices.push(choices);
        self.part(PartKind::Variable, Atom::Literal(yes), from, choices.map(Move::dot))
    }

    /// Ends a part that began at row `from`.
    fn part(
        &mut self,
        kind: PartKind,
        of: Atom,
        from: usize,
        ports: [Point; 2],
    ) -> Result<(), LayoutError> {
        self.check_rows(0)?;
        let rows = from..self.0.rows.len();
        if !rows.is_empty() {
            self.0.parts.push(LayoutPart { kind, of, ports, rows });
        }
        Ok(())
    }

    /// The literals of each variable, the positive one first.
    fn variables(&self) -> impl Iterator<Item = [Literal; 2]> + use<> {
        let variables = 1..=self.0.instance.names.len() as i32;
        variables.map(|number| [number, -number].map(|n| Literal::new(n).expect("not 0")))
    }

    /// The clauses with this literal.
    fn uses(&self, literal: Literal) -> Vec<usize> {
        let clauses = self.0.instance.clauses.iter().enumerate();
        clauses.filter(|(_, clause)| clause.contains(&literal)).map(|(number, _)| number).collect()
    }

    /// The hole that the line of a literal fills.
    fn chosen(&self, literal: Literal) -> Point {
        let choices = self.0.choices[literal.variable() as usize - 1];
        choices[usize::from(!literal.is_positive())].dot()
    }

    /// A wire from the last checker along these steps, each one unit.
    fn treasure(
        &mut self,
        from: Point,
        steps: impl Iterator<Item = Point>,
        units: usize,
    ) -> Result<(), LayoutError> {
        self.check_rows(units)?;
        let (all, first) = (Atom::All(self.0.last()), self.0.rows.len());
        let (mut at, unit) = (from, self.unit());
        self.0.treasure.push(at);
        for step in steps.take(units) {
            let next = at + step * unit;
            if next.y < -COORDINATE_LIMIT + 64 {
                return Err(LayoutError::TooLarge);
            }
            self.lay(Row::joining(at, next), all);
            self.0.treasure.push(next);
            at = next;
        }
        self.part(PartKind::Treasure, all, first, [from, at])
    }
}

/// The steps of a wire that runs to and fro between two columns, each way above the one before. It
/// begins in column `x`, to the right (`way` 1) or to the left (-1).
fn fold(mut x: i32, mut way: i32, columns: RangeInclusive<i32>) -> impl Iterator<Item = Point> {
    // The steps of a turn that are still to be made.
    let mut turn = 0;
    let mut rising = true;
    std::iter::repeat_with(move || {
        let step = match turn {
            0 => Point::new(way, if rising { -1 } else { 1 }),
            2 => Point::new(way, -1),
            _ => Point::new(-way, -1),
        };
        x += step.x;
        // A turn begins after a rise that leaves no room for another; it takes three steps.
        match turn {
            0 if rising && !columns.contains(&(x + way)) => turn = 3,
            0 => rising = !rising,
            1 => (turn, way, rising) = (0, -way, false),
            _ => turn -= 1,
        }
        step
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cnf::Formula;

    fn layout(length: usize) -> Layout {
        let formula = Formula::read(b"p cnf 7 2\n3 7 0\n-3 -7 0\n").expect("DIMACS");
        let spacing = Family::for_length(length).expect("a design").spacing();
        Layout::new(length, Instance::new(&formula), spacing, 60).expect("small")
    }

    #[test]
    fn every_part_has_a_name_and_its_ports_are_holes() {
        for length in Family::LENGTHS {
            let layout = layout(length);
            let names: Vec<String> = layout.parts().iter().map(|part| layout.name(part)).collect();
            for name in
                ["variable 7", "rail of -3", "tap from -7 to clause 2", "checker of clause 1"]
            {
                assert!(names.iter().any(|found| found == name), "{name}: {names:?}");
            }
            for part in layout.parts() {
                let rows = &layout.rows()[part.rows.clone()];
                for port in part.ports {
                    let has = |row: &Row| row.holes().any(|hole| hole == port);
                    assert!(rows.iter().any(has), "{part:?}");
                }
            }
            assert_eq!(layout.treasure().len(), 61);
        }
    }

    #[test]
    fn rails_and_columns_keep_to_nodes_of_their_class() {
        for length in 5..=16 {
            let (layout, unit) = (layout(length), length as i32 - 1);
            for part in layout.parts() {
                let odd = match part.kind {
                    PartKind::Column => 1,
                    PartKind::Treasure => 0,
                    _ => continue,
                };
                for hole in layout.rows()[part.rows.clone()].iter().flat_map(|row| row.holes()) {
                    assert_eq!((hole.x + hole.y).rem_euclid(2 * unit), odd * unit, "{hole}");
                }
            }
        }
    }

    #[test]
    fn what_is_too_large_is_refused_before_it_is_built() {
        let one = vec![Literal::new(1).expect("not 0")];
        for length in Family::LENGTHS {
            let spacing = Family::for_length(length).expect("a design").spacing();
            let wide = Formula::new(1, vec![one.clone(); 40_000]).expect("few enough");
            let wide = Layout::new(length, Instance::new(&wide), spacing, 1);
            assert_eq!(wide.map(|_| ()), Err(LayoutError::TooLarge), "{length}");
            let small = Formula::new(1, vec![one.clone()]).expect("few enough");
            let long = Layout::new(length, Instance::new(&small), spacing, usize::MAX);
            assert_eq!(long.map(|_| ()), Err(LayoutError::TooLarge), "{length}");
        }
    }
}
