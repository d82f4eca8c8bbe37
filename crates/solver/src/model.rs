//! A problem in the solver's hands.

use std::ffi::CString;
use std::path::Path;
use std::time::Duration;

use crate::SolverError;
use crate::library::{Handle, Solver};
use crate::problem::{Problem, Row};

/// How to solve a problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// By which method.
    pub method: Method,
    /// After what time to give up.
    pub time_limit: Option<Duration>,
    /// After how many steps of the simplex method to give up; the value is a bound then.
    pub step_limit: Option<u32>,
}

impl Settings {
    /// By this method, however long it takes.
    pub const fn by(method: Method) -> Self {
        Self { method, time_limit: None, step_limit: None }
    }
}

/// A method for linear programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Interior point, without the step to a vertex of the polytope: the fastest for one large problem.
    InteriorPoint,
    /// Dual simplex: goes on from where the model was solved last, so the fastest for a small change.
    DualSimplex,
    /// A first-order method (PDLP).
    FirstOrder,
}

/// How solving ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// Solved, to the tolerances of the solver.
    Optimal,
    /// No numbers keep all rows.
    Infeasible,
    /// The value can be made as large as one likes.
    Unbounded,
    /// One of the last two.
    InfeasibleOrUnbounded,
    /// The time was up.
    TimeLimit,
    /// The steps were done.
    StepLimit,
    /// Something else; what is there may still be of use.
    Unclear,
}

/// What the solver says.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// How it ended. With any but [`Status::Optimal`] the numbers are what there was at the end.
    pub status: Status,
    /// The sum of cost times number.
    pub value: f64,
    /// The numbers of the columns.
    pub columns: Vec<f64>,
    /// For each row, by how much the value would grow for every unit by which the bound that holds it
    /// back were raised: positive where the upper bound does, negative where the lower one does, and
    /// nothing where neither does.
    pub duals: Vec<f64>,
    /// If infeasible and known: factors of the rows, with the signs of [`Solution::duals`], such that
    /// the sum of the rows times these factors cannot be as small as the same sum of their bounds, for
    /// any numbers within the bounds of the columns.
    pub ray: Option<Vec<f64>>,
}

impl Solver {
    /// Solves a problem once.
    pub fn solve(self, problem: &Problem, settings: &Settings) -> Result<Solution, SolverError> {
        Model::new(self, problem)?.solve(settings)
    }
}

/// Where the simplex method stands in a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Basis {
    columns: Vec<i32>,
    rows: Vec<i32>,
}

/// A problem that can be changed and solved again. It belongs to one thread.
pub struct Model {
    handle: Handle,
    /// -1 if the solver minimises what is to be maximised, 1 if it has its problem from a file.
    sign: f64,
}

impl Model {
    /// Hands a problem to the solver.
    pub fn new(solver: Solver, problem: &Problem) -> Result<Self, SolverError> {
        problem.check()?;
        let mut model = Self::empty(solver)?;
        model.handle.pass(problem)?;
        Ok(Self { sign: -1.0, ..model })
    }

    /// Has the solver read a problem from a file, `.mps` or `.lp`. What such a file asks to minimise is
    /// minimised.
    pub fn read(solver: Solver, path: &Path) -> Result<Self, SolverError> {
        let trouble = || SolverError::File { file: path.display().to_string() };
        let file = CString::new(path.as_os_str().as_encoded_bytes()).map_err(|_| trouble())?;
        let mut model = Self::empty(solver)?;
        model.handle.read(&file).map_err(|_| trouble())?;
        Ok(model)
    }

    fn empty(solver: Solver) -> Result<Self, SolverError> {
        let mut handle = solver.handle();
        handle.set_bool(c"output_flag", false)?;
        // All models of a process share one scheduler: any other number, once, and later solves fail.
        handle.set_int(c"threads", 1)?;
        Ok(Self { handle, sign: 1.0 })
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        self.handle.columns()
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.handle.rows()
    }

    /// Changes the bounds of a column.
    pub fn set_column(&mut self, column: usize, low: f64, high: f64) -> Result<(), SolverError> {
        match column < self.columns() && !low.is_nan() && !high.is_nan() {
            true => self.handle.set_column(column, low, high),
            false => Err(SolverError::Column { column }),
        }
    }

    /// Changes what one unit of a column is worth.
    pub fn set_cost(&mut self, column: usize, cost: f64) -> Result<(), SolverError> {
        match column < self.columns() && cost.is_finite() {
            true => self.handle.set_cost(column, self.sign * cost),
            false => Err(SolverError::Column { column }),
        }
    }

    /// Adds a row after all others.
    pub fn add_row(&mut self, row: &Row) -> Result<(), SolverError> {
        row.check(self.rows(), self.columns())?;
        self.handle.add_row(row)
    }

    /// Keeps the first `count` rows and forgets the others.
    pub fn truncate_rows(&mut self, count: usize) -> Result<(), SolverError> {
        if count < self.rows() { self.handle.remove_rows(count) } else { Ok(()) }
    }

    /// Where the simplex method stands after the last solve.
    pub fn basis(&self) -> Result<Basis, SolverError> {
        let (columns, rows) = self.handle.basis()?;
        Ok(Basis { columns, rows })
    }

    /// Goes back to where it stood then, when there were as many columns and rows as now.
    ///
    /// # Panics
    /// If there were not.
    pub fn go_back(&mut self, basis: &Basis) -> Result<(), SolverError> {
        self.handle.set_basis(&basis.columns, &basis.rows)
    }

    /// Solves it as it is now. Dual simplex goes on from where the last solve ended.
    pub fn solve(&mut self, settings: &Settings) -> Result<Solution, SolverError> {
        let method = match settings.method {
            Method::InteriorPoint => c"ipx",
            Method::DualSimplex => c"simplex",
            Method::FirstOrder => c"pdlp",
        };
        let limit = settings.time_limit.map_or(f64::INFINITY, |limit| limit.as_secs_f64());
        self.handle.set_string(c"solver", method)?;
        self.handle.set_string(c"run_crossover", c"off")?;
        self.handle.set_double(c"time_limit", limit)?;
        let steps = settings.step_limit.and_then(|steps| i32::try_from(steps).ok());
        self.handle.set_int(c"simplex_iteration_limit", steps.unwrap_or(i32::MAX))?;
        self.handle.run()?;
        if self.status() == Status::Unclear && settings.method != Method::DualSimplex {
            // What presolve takes away it cannot always put back without a vertex.
            self.run_without_presolve()?;
        }
        let status = self.status();
        let (columns, mut duals) = self.handle.solution()?;
        duals.iter_mut().for_each(|dual| *dual *= self.sign);
        let mut ray = match status {
            Status::Infeasible => self.ray()?,
            _ => None,
        };
        ray.iter_mut().flatten().for_each(|factor| *factor = -*factor);
        Ok(Solution { status, value: self.sign * self.handle.value(), columns, duals, ray })
    }

    /// Why there is no solution. Simplex from scratch knows, where presolve or other methods do not.
    fn ray(&mut self) -> Result<Option<Vec<f64>>, SolverError> {
        if let Some(ray) = self.handle.ray()? {
            return Ok(Some(ray));
        }
        self.handle.set_string(c"solver", c"simplex")?;
        self.run_without_presolve()?;
        self.handle.ray()
    }

    fn run_without_presolve(&mut self) -> Result<(), SolverError> {
        self.handle.set_string(c"presolve", c"off")?;
        self.handle.run()?;
        self.handle.set_string(c"presolve", c"choose")
    }

    fn status(&self) -> Status {
        match self.handle.status() {
            7 => Status::Optimal,
            8 => Status::Infeasible,
            9 => Status::InfeasibleOrUnbounded,
            10 => Status::Unbounded,
            13 => Status::TimeLimit,
            14 => Status::StepLimit,
            _ => Status::Unclear,
        }
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Model of {} columns and {} rows", self.columns(), self.rows())
    }
}
