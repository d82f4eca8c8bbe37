//! The layout for lines of 5 and more. The nodes of wires are the multiples of a unit; rails keep
//! to those of even class, columns to those of odd class, (x + y) / unit mod 2, so that crossing is
//! free.

use geometry::Point;

use super::{Atom, Draft, LayoutError, PartKind, Spacing, fold};
use crate::cnf::Literal;
use crate::gadget::lattice;
use crate::row::Row;

/// How high above the first variable the checkers are, in units.
const CHECKERS: i32 = -4;
/// Where the first clause is.
const FIRST_CLAUSE: i32 = 4;
/// From the rail of a variable down to that of its negation.
const NEGATION: i32 = 6;
/// From the beginning of a tap to its end.
const TAP: (i32, i32) = (6, 5);

pub(super) fn place(
    draft: &mut Draft,
    spacing: Spacing,
    treasure: usize,
) -> Result<(), LayoutError> {
    let unit = draft.unit();
    draft.check_room(spacing.clause * unit, spacing.variable * unit)?;
    let mut lattice = Lattice { unit, spacing, draft };
    lattice.place_variables()?;
    lattice.place_clauses()?;
    // The treasure is folded above the whole pattern.
    let last = lattice.draft.0.last() as usize;
    let right = lattice.across(last) + 7;
    let from = lattice.node(right - 1, CHECKERS);
    draft.treasure(from, fold(right - 1, 1, 2..=right - 2), treasure)
}

struct Lattice<'a> {
    unit: i32,
    spacing: Spacing,
    draft: &'a mut Draft,
}

impl Lattice<'_> {
    /// The node so many units to the right and down.
    fn node(&self, across: i32, down: i32) -> Point {
        Point::new(across, down) * self.unit
    }

    /// Where clause `clause` is, in units.
    fn across(&self, clause: usize) -> i32 {
        FIRST_CLAUSE + self.spacing.clause * clause as i32
    }

    /// Where the rail of a literal is, in units.
    fn down(&self, literal: Literal) -> i32 {
        let negation = if literal.is_positive() { 0 } else { NEGATION };
        self.spacing.variable * (literal.variable() as i32 - 1) + negation
    }

    fn place_variables(&mut self) -> Result<(), LayoutError> {
        for literals in self.draft.variables() {
            let at = self.node(0, self.down(literals[0]));
            let choice = lattice::variable(self.unit).map(|row| row.moved(at));
            self.draft.choice(literals, choice)?;
            for literal in literals {
                self.place_rail(literal)?;
            }
        }
        Ok(())
    }

    /// The rail of a literal, as far as its last clause, and a tap for each clause.
    fn place_rail(&mut self, literal: Literal) -> Result<(), LayoutError> {
        let (y, atom, unit) = (self.down(literal), Atom::Literal(literal), self.unit);
        let uses = self.draft.uses(literal);
        let Some(&last) = uses.last() else { return Ok(()) };
        let from = self.draft.0.rows.len();
        // The peaks of one rail and the valleys of the other face each other.
        let turned = if literal.is_positive() { -1 } else { 1 };
        if !literal.is_positive() {
            let at = self.node(0, y - NEGATION);
            for row in lattice::shift(unit) {
                self.draft.lay(row.moved(at), atom);
            }
            let down = [(0, -2), (1, -1), (0, 0)].map(|(x, up)| self.node(x, y + up));
            self.draft.wire(down, atom);
        }
        let across = self.across(last);
        let height = |x: i32| if x % 2 == 0 { y } else { y + turned };
        self.draft.wire((0..=across).map(|x| Point::new(x, height(x)) * unit), atom);
        let ports = [self.draft.chosen(literal), self.node(across, y)];
        self.draft.part(PartKind::Rail, atom, from, ports)?;
        for clause in uses {
            self.place_tap(literal, clause)?;
        }
        Ok(())
    }

    /// From the rail of a literal to the column of a clause; a negation's tap is upside down.
    fn place_tap(&mut self, literal: Literal, clause: usize) -> Result<(), LayoutError> {
        let from = self.draft.0.rows.len();
        let (x, y, atom) = (self.across(clause), self.down(literal), Atom::Literal(literal));
        let at = self.node(x, y);
        for (number, row) in lattice::tap(self.unit).into_iter().enumerate() {
            let row = if literal.is_positive() { row } else { row.flipped() };
            let atom = match number {
                0..=4 => Some(atom),
                5 => None,
                _ => Some(Atom::Clause(clause as u32)),
            };
            self.draft.lay(row.moved(at), atom);
        }
        let end = self.node(x + TAP.0, y + Self::tapped(literal));
        self.draft.part(PartKind::Tap, atom, from, [at, end])
    }

    /// How far below its rail a tap ends.
    fn tapped(literal: Literal) -> i32 {
        if literal.is_positive() { TAP.1 } else { -TAP.1 }
    }

    fn place_clauses(&mut self) -> Result<(), LayoutError> {
        for clause in 0..self.draft.0.instance.clauses.len() {
            let (x, number, unit) = (self.across(clause), clause as u32, self.unit);
            let (satisfied, all) = (Atom::Clause(number), Atom::All(number));
            let joined = self.draft.0.instance.clauses[clause].iter();
            let joined = joined.map(|&literal| self.down(literal) + Self::tapped(literal));
            let lowest = joined.max().expect("no clause is empty");
            let from = self.draft.0.rows.len();
            let node = |y: i32| Point::new(if y % 2 == 0 { x + 5 } else { x + 6 }, y) * unit;
            self.draft.wire((CHECKERS + 1..=lowest).map(node), satisfied);
            let ports = [node(lowest), node(CHECKERS + 1)];
            self.draft.part(PartKind::Column, satisfied, from, ports)?;

            let (from, at) = (self.draft.0.rows.len(), self.node(x + 4, CHECKERS));
            let rows: Vec<(Row, Option<Atom>)> = match number.checked_sub(1) {
                None => {
                    let atoms = [Some(satisfied), None, Some(all), Some(all), Some(all)];
                    lattice::first_checker(unit).into_iter().zip(atoms).collect()
                }
                Some(before) => {
                    let before = Some(Atom::All(before));
                    let atoms = [before, Some(satisfied), None, Some(all), Some(all), Some(all)];
                    lattice::checker(unit).into_iter().zip(atoms).collect()
                }
            };
            for (row, atom) in rows {
                self.draft.lay(row.moved(at), atom);
            }
            if number < self.draft.0.last() {
                let next = self.across(clause + 1) + 3;
                let height = |x: i32| if x % 2 == 0 { CHECKERS } else { CHECKERS - 1 };
                self.draft.wire((x + 6..=next).map(|x| Point::new(x, height(x)) * unit), all);
            }
            let ports = [node(CHECKERS + 1), self.node(x + 6, CHECKERS)];
            self.draft.part(PartKind::Checker, all, from, ports)?;
        }
        Ok(())
    }
}
