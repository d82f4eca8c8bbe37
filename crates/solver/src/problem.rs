//! A linear program as plain data.

use crate::SolverError;

/// Maximise the total cost of the columns, each within its bounds, subject to the rows.
///
/// A missing bound is infinite.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Problem {
    /// The variables.
    pub columns: Vec<Column>,
    /// The constraints.
    pub rows: Vec<Row>,
}

/// A variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Column {
    /// The objective coefficient.
    pub cost: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// A linear constraint with a lower and an upper bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The lower bound of the sum.
    pub low: f64,
    /// The upper bound of the sum.
    pub high: f64,
    /// Columns, each at most once, with their coefficients.
    pub entries: Vec<(usize, f64)>,
}

impl Problem {
    /// Rejects NaN and entries without a column.
    pub(crate) fn check(&self) -> Result<(), SolverError> {
        for (column, Column { cost, low, high }) in self.columns.iter().enumerate() {
            if !cost.is_finite() || low.is_nan() || high.is_nan() {
                return Err(SolverError::Column { column });
            }
        }
        let mut rows = self.rows.iter().enumerate();
        rows.try_for_each(|(index, row)| row.check(index, self.columns.len()))
    }
}

impl Row {
    /// Rejects NaN, repeated columns and columns beyond the `columns` of the problem.
    pub(crate) fn check(&self, index: usize, columns: usize) -> Result<(), SolverError> {
        let mut places: Vec<usize> = self.entries.iter().map(|&(column, _)| column).collect();
        places.sort_unstable();
        let distinct = places.windows(2).all(|pair| pair[0] < pair[1]);
        let in_range = places.last().is_none_or(|&last| last < columns);
        let finite = self.entries.iter().all(|(_, factor)| factor.is_finite());
        match distinct && in_range && finite && !self.low.is_nan() && !self.high.is_nan() {
            true => Ok(()),
            false => Err(SolverError::Row { row: index }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_rows_and_columns_are_reported_by_index() {
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
