//! Linear programs over the dots and lines of a game, and what their duals prove.
//!
//! A program has *columns*, each 0 or 1 in a position (a point has a dot, a line is drawn), and
//! *rows*, sums of columns that are at most, at least or equal to a right-hand side in every
//! position that the claim is about. The verifier generates both from the rules; a proof adds only
//! a scale s >= 0 and an integer dual y_i for each row.
//!
//! If no dual of an "at most" row is negative and none of an "at least" row positive, then
//! y·(Ax) <= y·b for every position x. With costs c, s times the objective c·x is s c·x <= s
//! c·x + y·b - y·(Ax) = y·b + sum over the columns of (s c_j - (yA)_j) x_j, and each term is at
//! most the larger of its values at the bounds of its column. This is weak duality; where y comes
//! from does not matter. All arithmetic is in exact integers.
//!
//! - `columns`: the columns, and the rows that all programs share;
//! - `board`: the program of the games on a board, with its duals in one list;
//! - `lattice_line`: all points in one of the four directions;
//! - `region`: the program of the positions in a region, and `branch`: trees over it.

mod board;
mod branch;
mod columns;
mod lattice_line;
mod region;

use super::budget::Budget;
use super::text::{integer, number};
use crate::fault::ProofFault;
use crate::rules::Point;

pub(crate) use board::BoardProblem;
pub(crate) use branch::verify_tree;
pub(crate) use columns::Formulation;
pub(crate) use lattice_line::LatticeLine;
pub(crate) use region::Region;

/// A sum of columns with factors, and how it compares to its right-hand side.
pub(crate) struct Row {
    sense: Sense,
    right: i64,
    terms: Vec<(usize, i64)>,
}

/// How a sum compares to its right-hand side.
#[derive(Debug, Clone, Copy)]
enum Sense {
    AtMost,
    AtLeast,
    Equal,
}

/// A set of dots off the start, one of them marked. If the marked dot was placed, then the first
/// dot of the set to be placed was placed by a line without any other dot of the set.
#[derive(Debug)]
pub(crate) struct Cut {
    pub(crate) marked: Point,
    pub(crate) dots: Vec<Point>,
}

/// The duals of a leaf: of some rows, counting from 0.
struct SparseDuals {
    scale: i64,
    duals: Vec<(usize, i64)>,
}

impl SparseDuals {
    /// Parses `8 3:1 17:-2 5`: the last is of row 18.
    fn parse(text: &str) -> Option<SparseDuals> {
        let mut words = text.split_ascii_whitespace();
        let scale = integer(words.next()?).filter(|&scale| scale >= 0)?;
        let mut next: Option<usize> = None;
        let duals = words.map(|word| {
            let (row, dual) = match word.split_once(':') {
                Some((row, dual)) => (number(row)?, dual),
                None => (next?, word),
            };
            next = row.checked_add(1);
            Some((row, integer(dual)?))
        });
        Some(SparseDuals { scale, duals: duals.collect::<Option<_>>()? })
    }

    /// Whether all its rows are among the first `rows`, and none is named twice.
    fn names_rows_once(&self, rows: usize) -> bool {
        let mut named: Vec<usize> = self.duals.iter().map(|&(row, _)| row).collect();
        named.sort_unstable();
        named.windows(2).all(|pair| pair[0] < pair[1]) && named.last().is_none_or(|&it| it < rows)
    }
}

/// The scaled objective less rows times their duals: an upper bound on the scaled objective.
struct DualSum<'b> {
    constant: i128,
    /// The factor of each column.
    factors: Vec<i128>,
    budget: &'b mut Budget,
}

impl<'b> DualSum<'b> {
    const FITS: &'static str =
        "there are fewer than 2^27 products of an integer of 64 bits and one of 34";

    /// The scaled objective itself: those of the columns that count, each times the scale.
    fn new(
        scale: i64,
        columns: usize,
        counts: impl Fn(usize) -> bool,
        budget: &'b mut Budget,
    ) -> Result<DualSum<'b>, ProofFault> {
        // Each column is looked at again for the maximum.
        budget.spend_product(columns, 2)?;
        let scale = i128::from(scale);
        let factor = |column| if counts(column) { scale } else { 0 };
        Ok(DualSum { constant: 0, factors: (0..columns).map(factor).collect(), budget })
    }

    /// Adds a dual times (right-hand side less sum) of a row.
    fn add(&mut self, row: &Row, dual: i64) -> Result<(), ProofFault> {
        let allowed = match row.sense {
            Sense::AtMost => dual >= 0,
            Sense::AtLeast => dual <= 0,
            Sense::Equal => true,
        };
        if !allowed {
            return Err(ProofFault::WrongSign);
        }
        self.budget.spend(1 + row.terms.len())?;
        let dual = i128::from(dual);
        let product = |factor: i64| dual.checked_mul(i128::from(factor)).expect(Self::FITS);
        self.constant = self.constant.checked_add(product(row.right)).expect(Self::FITS);
        for &(column, factor) in &row.terms {
            let factors = &mut self.factors[column];
            *factors = factors.checked_sub(product(factor)).expect(Self::FITS);
        }
        Ok(())
    }

    /// The largest value it can take, given the value of each column if that is known.
    fn maximum(self, value: impl Fn(usize) -> Option<i64>) -> i128 {
        let terms =
            self.factors.into_iter().enumerate().map(|(column, factor)| match value(column) {
                Some(value) => factor.checked_mul(i128::from(value)).expect(Self::FITS),
                None => factor.max(0),
            });
        terms.fold(self.constant, |sum, term| sum.checked_add(term).expect(Self::FITS))
    }
}
