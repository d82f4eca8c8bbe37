//! A problem inside the solver, kept there so that small changes are solved from a warm start.

use std::ffi::CString;
use std::path::Path;
use std::time::Duration;

use crate::SolverError;
use crate::library::{Handle, Solver};
use crate::problem::{Problem, Row};

/// How to solve a problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolveOptions {
    /// The algorithm.
    pub method: LpMethod,
    /// Give up after this time.
    pub time_limit: Option<Duration>,
    /// Stop after this many simplex iterations; the value is then a bound.
    pub iteration_limit: Option<u32>,
    /// Stop the dual simplex method as soon as the value is known to be at most this.
    pub cutoff: Option<f64>,
    /// If the problem is infeasible, find out why, by the simplex method if need be.
    pub ray: bool,
}

impl SolveOptions {
    /// This method, without limits.
    pub const fn new(method: LpMethod) -> Self {
        Self { method, time_limit: None, iteration_limit: None, cutoff: None, ray: true }
    }
}

/// An algorithm for linear programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LpMethod {
    /// Interior point without crossover to a vertex: the fastest for one large problem.
    InteriorPoint,
    /// Dual simplex, from the basis of the last solve: the fastest after a small change.
    DualSimplex,
    /// A first-order method (PDLP).
    FirstOrder,
}

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SolveStatus {
    /// Solved to the tolerances of the solver.
    Optimal,
    /// No values satisfy all rows.
    Infeasible,
    /// The objective has no upper bound.
    Unbounded,
    /// One of the last two.
    InfeasibleOrUnbounded,
    /// The time limit was reached.
    TimeLimit,
    /// The iteration limit was reached.
    IterationLimit,
    /// The value is at most the cutoff; the duals show it.
    Cutoff,
    /// Anything else; the numbers may still be useful.
    Unclear,
}

/// What the solver reports.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// How it ended. Unless [`SolveStatus::Optimal`], the numbers are those of the last iterate.
    pub status: SolveStatus,
    /// The objective value.
    pub value: f64,
    /// The values of the columns.
    pub columns: Vec<f64>,
    /// The rate at which the value grows with the active bound of each row: positive where the
    /// upper bound is active, negative where the lower one is, zero where neither is.
    pub duals: Vec<f64>,
    /// If infeasible and known, a Farkas certificate with the signs of [`Solution::duals`]: no
    /// point within the column bounds makes this combination of rows as small as that of their
    /// bounds.
    pub ray: Option<Vec<f64>>,
}

impl Solver {
    /// Solves a problem once.
    pub fn solve(self, problem: &Problem, options: &SolveOptions) -> Result<Solution, SolverError> {
        Session::new(self, problem)?.solve(options)
    }
}

/// A simplex basis of a [`Session`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Basis {
    columns: Vec<i32>,
    rows: Vec<i32>,
}

/// A problem that can be changed and solved again. It belongs to one thread.
pub struct Session {
    handle: Handle,
    /// -1 if the solver minimises the negated objective, 1 if the problem came from a file.
    sign: f64,
}

impl Session {
    /// Passes a problem to the solver.
    pub fn new(solver: Solver, problem: &Problem) -> Result<Self, SolverError> {
        problem.check()?;
        let mut session = Self::empty(solver)?;
        session.handle.pass(problem)?;
        Ok(Self { sign: -1.0, ..session })
    }

    /// Reads a problem from an `.mps` or `.lp` file, minimised if the file says so.
    pub fn read(solver: Solver, path: &Path) -> Result<Self, SolverError> {
        let error = || SolverError::File { file: path.display().to_string() };
        let file = CString::new(path.as_os_str().as_encoded_bytes()).map_err(|_| error())?;
        let mut session = Self::empty(solver)?;
        session.handle.read(&file).map_err(|_| error())?;
        Ok(session)
    }

    fn empty(solver: Solver) -> Result<Self, SolverError> {
        let mut handle = solver.handle();
        handle.set_bool(c"output_flag", false)?;
        // All sessions of a process share one scheduler; any other count makes later solves fail.
        handle.set_int(c"threads", 1)?;
        Ok(Self { handle, sign: 1.0 })
    }

    /// Prices by Devex weights in the simplex method; before the first solve.
    ///
    /// The weights of steepest edges, which are the default, take as long to compute for a new
    /// basis as some hundred iterations: too long where each solve is short.
    pub fn price_by_devex(&mut self) -> Result<(), SolverError> {
        self.handle.set_int(c"simplex_dual_edge_weight_strategy", 1)
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.handle.columns()
    }

    /// The number of rows.
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

    /// Changes the bounds of a row.
    pub fn set_row(&mut self, row: usize, low: f64, high: f64) -> Result<(), SolverError> {
        match row < self.rows() && !low.is_nan() && !high.is_nan() {
            true => self.handle.set_row(row, low, high),
            false => Err(SolverError::Row { row }),
        }
    }

    /// Changes the objective coefficient of a column.
    pub fn set_cost(&mut self, column: usize, cost: f64) -> Result<(), SolverError> {
        match column < self.columns() && cost.is_finite() {
            true => self.handle.set_cost(column, self.sign * cost),
            false => Err(SolverError::Column { column }),
        }
    }

    /// How precise interior point has to be, relative to the value; 1e-8 unless set.
    pub fn set_tolerance(&mut self, tolerance: f64) -> Result<(), SolverError> {
        self.handle.set_double(c"ipm_optimality_tolerance", tolerance)
    }

    /// Appends a row.
    pub fn add_row(&mut self, row: &Row) -> Result<(), SolverError> {
        row.check(self.rows(), self.columns())?;
        self.handle.add_row(row)
    }

    /// The basis after the last solve.
    pub fn basis(&self) -> Result<Basis, SolverError> {
        let (columns, rows) = self.handle.basis()?;
        Ok(Basis { columns, rows })
    }

    /// Makes the next simplex solve start from this basis.
    ///
    /// # Panics
    /// If the session has another number of columns or rows than when the basis was taken.
    pub fn set_basis(&mut self, basis: &Basis) -> Result<(), SolverError> {
        self.handle.set_basis(&basis.columns, &basis.rows)
    }

    /// Solves the problem as it is now. Dual simplex starts from the last basis.
    pub fn solve(&mut self, options: &SolveOptions) -> Result<Solution, SolverError> {
        let method = match options.method {
            LpMethod::InteriorPoint => c"ipx",
            LpMethod::DualSimplex => c"simplex",
            LpMethod::FirstOrder => c"pdlp",
        };
        let limit = options.time_limit.map_or(f64::INFINITY, |limit| limit.as_secs_f64());
        self.handle.set_string(c"solver", method)?;
        self.handle.set_string(c"run_crossover", c"off")?;
        self.handle.set_double(c"time_limit", limit)?;
        let iterations = options.iteration_limit.and_then(|limit| i32::try_from(limit).ok());
        self.handle.set_int(c"simplex_iteration_limit", iterations.unwrap_or(i32::MAX))?;
        let cutoff = options.cutoff.map_or(f64::INFINITY, |cutoff| self.sign * cutoff);
        self.handle.set_double(c"objective_bound", cutoff)?;
        self.handle.run()?;
        if self.status() == SolveStatus::Unclear && options.method != LpMethod::DualSimplex {
            // Without a vertex, postsolve cannot always restore what presolve removed.
            self.run_without_presolve()?;
        }
        let status = self.status();
        let (columns, mut duals) = self.handle.solution()?;
        duals.iter_mut().for_each(|dual| *dual *= self.sign);
        let mut ray = match status {
            SolveStatus::Infeasible if options.ray => self.ray()?,
            _ => None,
        };
        ray.iter_mut().flatten().for_each(|factor| *factor = -*factor);
        Ok(Solution { status, value: self.sign * self.handle.value(), columns, duals, ray })
    }

    /// The dual ray; simplex without presolve finds one where presolve or other methods do not.
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

    fn status(&self) -> SolveStatus {
        match self.handle.status() {
            7 => SolveStatus::Optimal,
            8 => SolveStatus::Infeasible,
            9 => SolveStatus::InfeasibleOrUnbounded,
            10 => SolveStatus::Unbounded,
            11 => SolveStatus::Cutoff,
            13 => SolveStatus::TimeLimit,
            14 => SolveStatus::IterationLimit,
            _ => SolveStatus::Unclear,
        }
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session with {} columns and {} rows", self.columns(), self.rows())
    }
}
