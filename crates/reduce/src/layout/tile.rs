//! The layout for lines of 4: one tile for each literal and clause. A tile has a piece of the rail
//! and a piece of the column, which cross in it, and a tap if the literal is in the clause.
//!
//! Nodes have no classes here: three dots in a row are easily had where wires come close, so each
//! piece has its own way through the tile.

use geometry::Point;

use super::{Atom, Draft, LayoutError, PartKind, Spacing, fold};
use crate::cnf::Literal;
use crate::gadget::tile;
use crate::row::Row;

pub(super) fn place(
    draft: &mut Draft,
    spacing: Spacing,
    treasure: usize,
) -> Result<(), LayoutError> {
    draft.check_room(spacing.clause, spacing.variable)?;
    let mut tiles = Tiles { spacing, pieces: Pieces::new(), draft };
    tiles.place_variables()?;
    tiles.place_clauses()?;
    let from = tiles.at(tiles.draft.0.last() as usize, 0) + tile::OUT;
    draft.treasure(from, treasure_steps(from), treasure)
}

/// To the right of all checkers, up, and then to and fro above them.
fn treasure_steps(from: Point) -> impl Iterator<Item = Point> {
    let [se, ne, nw] = [Point::new(1, 1), Point::new(1, -1), Point::new(-1, -1)];
    let right = [se, ne, se, ne, se, ne, se];
    let up = [ne, nw, ne, nw, ne, nw, ne, nw, ne, nw, ne];
    let x = right.iter().chain(&up).map(|step| step.x).sum();
    let left = 1 - from.x / 3;
    right.into_iter().chain(up).chain(fold(x, -1, left..=x - 1))
}

/// The pieces of the tile, read once.
struct Pieces {
    rail_in: Vec<Row>,
    rail_on: Vec<Row>,
    column_in: Vec<Row>,
    column_on: Vec<Row>,
    tap_literal: Vec<Row>,
    tap_and: Vec<Row>,
    tap_clause: Vec<Row>,
}

impl Pieces {
    fn new() -> Self {
        let rows = |piece| tile::rows(piece).collect();
        Self {
            rail_in: rows(tile::RAIL_IN),
            rail_on: rows(tile::RAIL_ON),
            column_in: rows(tile::COLUMN_IN),
            column_on: rows(tile::COLUMN_ON),
            tap_literal: rows(tile::TAP_LITERAL),
            tap_and: rows(tile::TAP_AND),
            tap_clause: rows(tile::TAP_CLAUSE),
        }
    }
}

struct Tiles<'a> {
    spacing: Spacing,
    pieces: Pieces,
    draft: &'a mut Draft,
}

impl Tiles<'_> {
    /// The origin of the tile of a clause in a row of tiles.
    fn at(&self, clause: usize, row: i32) -> Point {
        Point::new(self.spacing.clause * clause as i32, self.spacing.variable / 2 * row)
    }

    /// The row of tiles of a literal.
    fn row(literal: Literal) -> i32 {
        2 * (literal.variable() as i32 - 1) + i32::from(!literal.is_positive())
    }

    fn place_variables(&mut self) -> Result<(), LayoutError> {
        let choice: Vec<Row> = tile::rows(tile::CHOICE).collect();
        let ways = [tile::YES, tile::NO].map(|way| tile::rows(way).collect::<Vec<Row>>());
        for literals in self.draft.variables() {
            let at = self.at(0, Self::row(literals[0]));
            self.draft.choice(literals, [choice[0].moved(at), choice[1].moved(at)])?;
            for (literal, way) in literals.into_iter().zip(&ways) {
                self.place_rail(literal, way, at)?;
            }
        }
        Ok(())
    }

    /// The way from the variable, the rail of a literal as far as its last clause, and its taps.
    fn place_rail(
        &mut self,
        literal: Literal,
        way: &[Row],
        variable: Point,
    ) -> Result<(), LayoutError> {
        let (row, atom) = (Self::row(literal), Atom::Literal(literal));
        let uses = self.draft.uses(literal);
        let Some(&last) = uses.last() else { return Ok(()) };
        let from = self.draft.0.rows.len();
        lay(self.draft, way, variable, Some(atom));
        for clause in 0..=last {
            let at = self.at(clause, row);
            lay(self.draft, &self.pieces.rail_in, at, Some(atom));
            if clause < last {
                lay(self.draft, &self.pieces.rail_on, at, Some(atom));
            }
        }
        let ports = [self.draft.chosen(literal), self.at(last, row) + tile::BRANCH];
        self.draft.part(PartKind::Rail, atom, from, ports)?;
        for clause in uses {
            let (from, at) = (self.draft.0.rows.len(), self.at(clause, row));
            let satisfied = Atom::Clause(clause as u32);
            lay(self.draft, &self.pieces.tap_literal, at, Some(atom));
            lay(self.draft, &self.pieces.tap_and, at, None);
            lay(self.draft, &self.pieces.tap_clause, at, Some(satisfied));
            self.draft.part(PartKind::Tap, atom, from, [at + tile::BRANCH, at + tile::JOINT])?;
        }
        Ok(())
    }

    fn place_clauses(&mut self) -> Result<(), LayoutError> {
        for clause in 0..self.draft.0.instance.clauses.len() {
            let number = clause as u32;
            let (satisfied, all) = (Atom::Clause(number), Atom::All(number));
            let literals = self.draft.0.instance.clauses[clause].iter();
            let lowest = literals.map(|&l| Self::row(l)).max().expect("no clause is empty");
            let (from, top) = (self.draft.0.rows.len(), self.at(clause, 0));
            self.lay_piece(tile::TOP, top, Some(satisfied));
            for row in 0..=lowest {
                let at = self.at(clause, row);
                lay(self.draft, &self.pieces.column_in, at, Some(satisfied));
                if row < lowest {
                    lay(self.draft, &self.pieces.column_on, at, Some(satisfied));
                }
            }
            let ports = [self.at(clause, lowest) + tile::JOINT, top + tile::CHECKED];
            self.draft.part(PartKind::Column, satisfied, from, ports)?;

            let from = self.draft.0.rows.len();
            match number.checked_sub(1) {
                None => self.lay_piece(tile::FIRST_AND, top, None),
                Some(before) => {
                    self.lay_piece(tile::CHECKER_AND, top, None);
                    self.lay_piece(tile::CHECKER_BEFORE, top, Some(Atom::All(before)));
                }
            }
            self.lay_piece(tile::CHECKER_CLAUSE, top, Some(satisfied));
            self.lay_piece(tile::CHECKER_ALL, top, Some(all));
            if number < self.draft.0.last() {
                self.lay_piece(tile::CHAIN, top, Some(all));
            }
            let ports = [top + tile::CHECKED, top + tile::OUT];
            self.draft.part(PartKind::Checker, all, from, ports)?;
        }
        Ok(())
    }

    fn lay_piece(&mut self, piece: &str, at: Point, atom: Option<Atom>) {
        for row in tile::rows(piece) {
            self.draft.lay(row.moved(at), atom);
        }
    }
}

fn lay(draft: &mut Draft, rows: &[Row], at: Point, atom: Option<Atom>) {
    for row in rows {
        draft.lay(row.moved(at), atom);
    }
}
