//! A linear program as plain data.

use crate::SolverError;

/// Find numbers for the columns, within their bounds, that keep every row within its bounds and make
/// the sum of cost times number as large as possible.
///
/// A bound that is not there is an infinite one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Problem {
    /// The unknowns.
    pub columns: Vec<Column>,
    /// What must hold.
    pub rows: Vec<Row>,
}

/// An unknown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Column {
    /// What one unit of it is worth.
    pub cost: f64,
    /// The least it may be.
    pub low: f64,
    /// The most it may be.
    pub high: f64,
}

/// The sum of some entries times their columns lies between two bounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The least the sum may be.
    pub low: f64,
    /// The most it may be.
    pub high: f64,
    /// Columns, each at most once, with their factors.
    pub entries: Vec<(usize, f64)>,
}

impl Problem {
    /// Whether every number is one and every entry has its column.
    pub(crate) fn check(&self) -> Result<(), SolverError> {
        for (column, Column { cost, low, high }) in self.columns.iter().enumerate() {
            if !cost.is_finite() || low.is_nan() || high.is_nan() {
                return Err(SolverError::Column { column });
            }
        }
        let mut rows = self.rows.iter().enumerate();
        rows.try_for_each(|(number, row)| row.check(number, self.columns.len()))
    }
}

impl Row {
    /// Whether this makes sense as row `number` of a problem with so many columns.
    pub(crate) fn check(&self, number: usize, columns: usize) -> Result<(), SolverError> {
        let mut places: Vec<usize> = self.entries.iter().map(|&(column, _)| column).collect();
        places.sort_unstable();
        let distinct = places.windows(2).all(|pair| pair[0] < pair[1]);
        let in_range = places.last().is_none_or(|&last| last < columns);
        let finite = self.entries.iter().all(|(_, factor)| factor.is_finite());
        match distinct && in_range && finite && !self.low.is_nan() && !self.high.is_nan() {
            true => Ok(()),
            false => Err(SolverError::Row { row: number }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn senseless_rows_and_columns_are_told_by_number() {
        let column = Column { cost: 1.0, low: 0.0, high: 1.0 };
        let row = |entries: &[(usize, f64)]| Row { low: 0.0, high: 1.0, entries: entries.to_vec() };
        let problem = |rows| Problem { columns: vec![column; 2], rows };
        assert_eq!(problem(vec![row(&[(1, 1.0), (0, 2.0)]), row(&[])]).check(), Ok(()));
        for bad in [row(&[(2, 1.0)]), row(&[(0, 1.0), (0, 1.0)]), row(&[(0, f64::NAN)])] {
            let refused = problem(vec![row(&[(0, 1.0)]), bad]).check();
            assert_eq!(refused, Err(SolverError::Row { row: 1 }));
        }
        let bad = Column { low: f64::NAN, ..column };
        let refused = Problem { columns: vec![column, bad], rows: Vec::new() }.check();
        assert_eq!(refused, Err(SolverError::Column { column: 1 }));
    }
}
