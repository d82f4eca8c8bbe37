//! The linear program of a node in the hands of the solver.

use std::collections::HashMap;

use solver::{Problem, Row, Session, Solver, SolverError};

use super::program::ExtentProgram;
use crate::branch::Node;
use crate::program::{Sense, VariableMeaning};

/// What a relaxation maximises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Objective {
    /// The number of moves.
    Moves,
    /// Lines less dots, which their count no longer limits: there is a solution almost always, and
    /// if it is below what the cross has, there is no position.
    Surplus,
}

/// Which of the constraints that no position needs are worth their time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Families {
    /// Those of lines between neighbouring levels.
    pub(super) gaps: bool,
    /// Those of diagonals.
    pub(super) corners: bool,
    /// Only those of levels that are known to be reached; the others say nothing more.
    pub(super) reached_only: bool,
}

/// A linear program in the hands of the solver, without what is fixed to 0.
pub(super) struct Relaxation {
    pub(super) session: Session,
    pub(super) objective: Objective,
    pub(super) families: Families,
    /// The variable of each column, and the column of each variable.
    pub(super) columns: Vec<usize>,
    column_of: Vec<Option<u32>>,
    /// The constraints of each row: one, or two that limit the same sum from both sides.
    rows: Vec<(usize, Option<usize>)>,
    row_of: Vec<Option<u32>>,
}

/// The constraint that counts dots and lines.
const COUNT: usize = 0;

impl Relaxation {
    pub(super) fn new(
        solver: Solver,
        shape: &ExtentProgram,
        node: &Node,
        families: Families,
        objective: Objective,
    ) -> Result<Self, SolverError> {
        let variables = 0..node.bounds.len();
        let columns: Vec<usize> = variables.filter(|&it| node.bounds[it].1 > 0).collect();
        let mut column_of = vec![None; node.bounds.len()];
        for (column, &variable) in columns.iter().enumerate() {
            column_of[variable] = Some(column as u32);
        }
        let constraints = &node.program.constraints;
        let mut is_left_out = vec![false; constraints.len()];
        let mut leave_out = |rows: &[Vec<usize>]| {
            rows.iter().flatten().for_each(|&row| is_left_out[row] = true);
        };
        if !families.gaps {
            leave_out(&shape.gaps);
        }
        if !families.corners {
            leave_out(&shape.nonempty[4..]);
        }
        if families.reached_only {
            let levels = shape.nonempty.iter().chain(&shape.gaps).flatten();
            levels.for_each(|&row| is_left_out[row] |= constraints[row].rhs == 0);
        }
        is_left_out[COUNT] = objective == Objective::Surplus;
        let mut at_most = HashMap::new();
        for line in &shape.lattice {
            at_most.insert(line.at_least, line.at_least + 1);
            is_left_out[line.at_least + 1] = true;
        }
        let mut lp_rows = Vec::new();
        let (mut rows, mut row_of) = (Vec::new(), vec![None; constraints.len()]);
        for (number, constraint) in constraints.iter().enumerate() {
            let entries: Vec<(usize, f64)> = constraint
                .terms
                .iter()
                .filter_map(|&(variable, factor)| {
                    column_of[variable].map(|column: u32| (column as usize, factor as f64))
                })
                .collect();
            // A dot that no line uses any more is free; a sum of nothing must still fit.
            let says_nothing = constraint.sense == Sense::AtMost && entries.len() < 2;
            if is_left_out[number] || says_nothing {
                continue;
            }
            let other = at_most.get(&number).copied();
            row_of[number] = Some(rows.len() as u32);
            if let Some(other) = other {
                row_of[other] = Some(rows.len() as u32);
            }
            let (low, high) = limits(node, (number, other));
            rows.push((number, other));
            lp_rows.push(Row { low, high, entries });
        }
        let lp_columns = columns.iter().map(|&variable| {
            let (low, high) = node.bounds[variable];
            let variable = &node.program.variables[variable];
            let cost = match (objective, &variable.meaning) {
                (Objective::Moves, _) => variable.cost as f64,
                (Objective::Surplus, VariableMeaning::Line(_)) => 1.0,
                (Objective::Surplus, _) => -1.0,
            };
            solver::Column { cost, low: low as f64, high: high as f64 }
        });
        let problem = Problem { columns: lp_columns.collect(), rows: lp_rows };
        let mut session = Session::new(solver, &problem)?;
        session.price_by_devex()?;
        Ok(Self { session, objective, families, columns, column_of, rows, row_of })
    }

    /// Whether few of its columns are fixed to 0.
    pub(super) fn is_dense(&self, node: &Node) -> bool {
        /// Below this share of its columns a program is built again.
        const DENSE: f64 = 0.72;
        let open = self.columns.iter().filter(|&&variable| node.bounds[variable].1 > 0);
        open.count() as f64 >= DENSE * self.columns.len() as f64
    }

    pub(super) fn set_bounds(
        &mut self,
        variable: usize,
        (low, high): (i64, i64),
    ) -> Result<(), SolverError> {
        match self.column_of[variable] {
            Some(column) => self.session.set_column(column as usize, low as f64, high as f64),
            None => Ok(()),
        }
    }

    pub(super) fn set_rhs(&mut self, constraint: usize, node: &Node) -> Result<(), SolverError> {
        let Some(row) = self.row_of[constraint] else { return Ok(()) };
        let (low, high) = limits(node, self.rows[row as usize]);
        self.session.set_row(row as usize, low, high)
    }

    /// Multipliers of rows as multipliers of all constraints.
    pub(super) fn duals(&self, of_rows: &[f64], node: &Node) -> Vec<f64> {
        let mut duals = vec![0.0; node.program.constraints.len()];
        for (&(first, second), &dual) in self.rows.iter().zip(of_rows) {
            match second {
                Some(at_most) if dual > 0.0 => duals[at_most] = dual,
                _ => duals[first] = dual,
            }
        }
        if self.objective == Objective::Surplus {
            duals[COUNT] = 1.0;
        }
        duals
    }
}

/// The limits of a row.
fn limits(node: &Node, (first, second): (usize, Option<usize>)) -> (f64, f64) {
    let constraint = &node.program.constraints[first];
    let rhs = constraint.rhs as f64;
    match (constraint.sense, second) {
        (Sense::Equal, _) => (rhs, rhs),
        (Sense::AtMost, _) => (f64::NEG_INFINITY, rhs),
        (Sense::AtLeast, None) => (rhs, f64::INFINITY),
        (Sense::AtLeast, Some(other)) => (rhs, node.program.constraints[other].rhs as f64),
    }
}
