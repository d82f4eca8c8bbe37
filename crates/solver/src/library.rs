//! The C library of HiGHS, loaded at run time: the one place with `unsafe` in it.
//!
//! [`Solver`] is the library, [`Handle`] one of its models; both are safe to use with any
//! arguments. The signatures are those of `highs_c_api.h` of HiGHS 1.15.
#![allow(unsafe_code, reason = "a foreign library is called here and nowhere else")]

use std::ffi::{CStr, CString, c_char, c_double, c_int, c_void};
use std::path::Path;

use libloading::Library;

use crate::SolverError;
use crate::problem::{Column, Problem, Row};

/// Status and other codes of the library.
const ERROR: c_int = -1;
const ROW_WISE: c_int = 2;
const MINIMISE: c_int = 1;

/// Declares the functions that are called, and a function that looks them all up.
macro_rules! functions {
    ($($name:ident: $symbol:literal, fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions of the library.
        struct Functions {
            $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Functions {
            /// Looks up every symbol.
            fn load(library: &Library) -> Result<Self, libloading::Error> {
                Ok(Self {
                    // SAFETY: the library's header gives its functions these signatures; that it is
                    // that library is checked by its version before any other function is called.
                    $($name: unsafe { *library.get($symbol)? },)*
                })
            }
        }
    };
}

functions! {
    version: b"Highs_version\0", fn() -> *const c_char;
    create: b"Highs_create\0", fn() -> *mut c_void;
    destroy: b"Highs_destroy\0", fn(*mut c_void);
    size_of_int: b"Highs_getSizeofHighsInt\0", fn(*const c_void) -> c_int;
    set_bool: b"Highs_setBoolOptionValue\0", fn(*mut c_void, *const c_char, c_int) -> c_int;
    set_int: b"Highs_setIntOptionValue\0", fn(*mut c_void, *const c_char, c_int) -> c_int;
    set_double: b"Highs_setDoubleOptionValue\0", fn(*mut c_void, *const c_char, c_double) -> c_int;
    set_string: b"Highs_setStringOptionValue\0", fn(
        *mut c_void, *const c_char, *const c_char
    ) -> c_int;
    pass: b"Highs_passLp\0", fn(
        *mut c_void, c_int, c_int, c_int, c_int, c_int, c_double,
        *const c_double, *const c_double, *const c_double, *const c_double, *const c_double,
        *const c_int, *const c_int, *const c_double
    ) -> c_int;
    read: b"Highs_readModel\0", fn(*mut c_void, *const c_char) -> c_int;
    columns: b"Highs_getNumCol\0", fn(*const c_void) -> c_int;
    rows: b"Highs_getNumRow\0", fn(*const c_void) -> c_int;
    set_column: b"Highs_changeColBounds\0", fn(*mut c_void, c_int, c_double, c_double) -> c_int;
    set_row: b"Highs_changeRowBounds\0", fn(*mut c_void, c_int, c_double, c_double) -> c_int;
    set_cost: b"Highs_changeColCost\0", fn(*mut c_void, c_int, c_double) -> c_int;
    add_row: b"Highs_addRow\0", fn(
        *mut c_void, c_double, c_double, c_int, *const c_int, *const c_double
    ) -> c_int;
    clear_clocks: b"Highs_zeroAllClocks\0", fn(*const c_void) -> c_int;
    basis: b"Highs_getBasis\0", fn(*const c_void, *mut c_int, *mut c_int) -> c_int;
    set_basis: b"Highs_setBasis\0", fn(*mut c_void, *const c_int, *const c_int) -> c_int;
    run: b"Highs_run\0", fn(*mut c_void) -> c_int;
    status: b"Highs_getModelStatus\0", fn(*const c_void) -> c_int;
    value: b"Highs_getObjectiveValue\0", fn(*const c_void) -> c_double;
    solution: b"Highs_getSolution\0", fn(
        *const c_void, *mut c_double, *mut c_double, *mut c_double, *mut c_double
    ) -> c_int;
    ray: b"Highs_getDualRay\0", fn(*const c_void, *mut c_int, *mut c_double) -> c_int;
}

/// The HiGHS library. Copies refer to the same library; any thread may use it with its own
/// sessions.
#[derive(Clone, Copy)]
pub struct Solver {
    functions: &'static Functions,
}

impl Solver {
    /// Loads the library from a file, or by a name that the dynamic loader knows: `libhighs.so.1`.
    ///
    /// It stays loaded until the process ends, because its threads do.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, SolverError> {
        let file = path.as_ref().display().to_string();
        let load_error = |error: libloading::Error| SolverError::Library {
            file: file.clone(),
            // The error itself only says which function failed.
            reason: std::error::Error::source(&error)
                .map_or_else(|| error.to_string(), ToString::to_string),
        };
        // SAFETY: loading runs the initialisers of the library; those of HiGHS only set up its
        // data. Naming another file is the responsibility of the caller, as with any program it
        // runs.
        let library = unsafe { Library::new(path.as_ref()) }.map_err(load_error)?;
        let functions = Functions::load(&library).map_err(load_error)?;
        // SAFETY: the function takes nothing and returns a string that the library owns for the
        // life of the process.
        let version = unsafe { CStr::from_ptr((functions.version)()) };
        let found = version.to_string_lossy().into_owned();
        std::mem::forget(library);
        let solver = Self { functions: Box::leak(Box::new(functions)) };
        let handle = solver.handle();
        // SAFETY: the handle is a live model of this library.
        let size = unsafe { (functions_of(&handle).size_of_int)(handle.highs) };
        match found.starts_with("1.") && size == size_of::<c_int>() as c_int {
            true => Ok(solver),
            false => Err(SolverError::Version { file, found }),
        }
    }

    /// The version of the library: `1.15.1`.
    pub fn version(&self) -> String {
        // SAFETY: as in `open`.
        unsafe { CStr::from_ptr((self.functions.version)()) }.to_string_lossy().into_owned()
    }

    /// A new, empty model.
    pub(crate) fn handle(self) -> Handle {
        // SAFETY: the function takes nothing; what it returns is destroyed when the handle is
        // dropped.
        let highs = unsafe { (self.functions.create)() };
        assert!(!highs.is_null(), "the library makes a model or throws");
        Handle { solver: self, highs }
    }
}

impl std::fmt::Debug for Solver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HiGHS {}", self.version())
    }
}

fn functions_of(handle: &Handle) -> &'static Functions {
    handle.solver.functions
}

/// One model of the library. It belongs to one thread.
pub(crate) struct Handle {
    solver: Solver,
    /// From `create`, alive until dropped; only ever passed to the library's own functions.
    highs: *mut c_void,
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the model is alive, and nobody can use it after this.
        unsafe { (functions_of(self).destroy)(self.highs) }
    }
}

/// Calls a function of the library on the handle's live model and turns its status into a result.
macro_rules! call {
    ($handle:expr, $name:ident $(, $argument:expr)*) => {{
        // SAFETY: the model is alive and this thread's alone; every pointer among the arguments is
        // a slice or text that outlives the call, with the length that the function reads or
        // writes.
        let status = unsafe { (functions_of($handle).$name)($handle.highs $(, $argument)*) };
        match status {
            ERROR => Err(SolverError::Failed { function: stringify!($name) }),
            _ => Ok(()),
        }
    }};
}

impl Handle {
    pub(crate) fn set_bool(&mut self, option: &CStr, value: bool) -> Result<(), SolverError> {
        call!(self, set_bool, option.as_ptr(), c_int::from(value))
    }

    pub(crate) fn set_int(&mut self, option: &CStr, value: i32) -> Result<(), SolverError> {
        call!(self, set_int, option.as_ptr(), value)
    }

    pub(crate) fn set_double(&mut self, option: &CStr, value: f64) -> Result<(), SolverError> {
        call!(self, set_double, option.as_ptr(), value)
    }

    pub(crate) fn set_string(&mut self, option: &CStr, value: &CStr) -> Result<(), SolverError> {
        call!(self, set_string, option.as_ptr(), value.as_ptr())
    }

    /// Passes a checked problem, as minimisation of the negated costs: some methods of the library
    /// confuse signs when they maximise.
    pub(crate) fn pass(&mut self, problem: &Problem) -> Result<(), SolverError> {
        let of_columns = |number: fn(&Column) -> f64| -> Vec<f64> {
            problem.columns.iter().map(number).collect()
        };
        let (costs, lows, highs) =
            (of_columns(|c| -c.cost), of_columns(|c| c.low), of_columns(|c| c.high));
        let of_rows =
            |number: fn(&Row) -> f64| -> Vec<f64> { problem.rows.iter().map(number).collect() };
        let (row_lows, row_highs) = (of_rows(|row| row.low), of_rows(|row| row.high));
        let (mut starts, mut indices, mut factors) = (Vec::new(), Vec::new(), Vec::new());
        for row in &problem.rows {
            starts.push(int(indices.len()));
            indices.extend(row.entries.iter().map(|&(column, _)| int(column)));
            factors.extend(row.entries.iter().map(|&(_, factor)| factor));
        }
        starts.push(int(indices.len()));
        call!(
            self,
            pass,
            int(costs.len()),
            int(row_lows.len()),
            int(indices.len()),
            ROW_WISE,
            MINIMISE,
            0.0,
            costs.as_ptr(),
            lows.as_ptr(),
            highs.as_ptr(),
            row_lows.as_ptr(),
            row_highs.as_ptr(),
            starts.as_ptr(),
            indices.as_ptr(),
            factors.as_ptr()
        )
    }

    /// Reads a problem in the format of the file extension.
    pub(crate) fn read(&mut self, file: &CString) -> Result<(), SolverError> {
        call!(self, read, file.as_ptr())
    }

    pub(crate) fn columns(&self) -> usize {
        // SAFETY: the model is alive.
        unsafe { (functions_of(self).columns)(self.highs) as usize }
    }

    pub(crate) fn rows(&self) -> usize {
        // SAFETY: the model is alive.
        unsafe { (functions_of(self).rows)(self.highs) as usize }
    }

    pub(crate) fn set_column(
        &mut self,
        column: usize,
        low: f64,
        high: f64,
    ) -> Result<(), SolverError> {
        call!(self, set_column, int(column), low, high)
    }

    /// Changes the bounds of a row that exists.
    pub(crate) fn set_row(&mut self, row: usize, low: f64, high: f64) -> Result<(), SolverError> {
        call!(self, set_row, int(row), low, high)
    }

    pub(crate) fn set_cost(&mut self, column: usize, cost: f64) -> Result<(), SolverError> {
        call!(self, set_cost, int(column), cost)
    }

    /// Adds a checked row.
    pub(crate) fn add_row(&mut self, row: &Row) -> Result<(), SolverError> {
        let indices: Vec<c_int> = row.entries.iter().map(|&(column, _)| int(column)).collect();
        let factors: Vec<f64> = row.entries.iter().map(|&(_, factor)| factor).collect();
        call!(
            self,
            add_row,
            row.low,
            row.high,
            int(indices.len()),
            indices.as_ptr(),
            factors.as_ptr()
        )
    }

    /// The status codes of all columns and rows in the current basis.
    pub(crate) fn basis(&self) -> Result<(Vec<c_int>, Vec<c_int>), SolverError> {
        let (mut columns, mut rows) = (vec![0; self.columns()], vec![0; self.rows()]);
        call!(self, basis, columns.as_mut_ptr(), rows.as_mut_ptr())?;
        Ok((columns, rows))
    }

    /// Sets the basis from which simplex starts.
    pub(crate) fn set_basis(
        &mut self,
        columns: &[c_int],
        rows: &[c_int],
    ) -> Result<(), SolverError> {
        let fits = columns.len() == self.columns() && rows.len() == self.rows();
        assert!(fits, "a basis has all columns and rows");
        call!(self, set_basis, columns.as_ptr(), rows.as_ptr())
    }

    /// Solves it, with the clock reset.
    pub(crate) fn run(&mut self) -> Result<(), SolverError> {
        call!(self, clear_clocks)?;
        call!(self, run)
    }

    /// The status code of the last run.
    pub(crate) fn status(&self) -> i32 {
        // SAFETY: the model is alive.
        unsafe { (functions_of(self).status)(self.highs) }
    }

    pub(crate) fn value(&self) -> f64 {
        // SAFETY: the model is alive.
        unsafe { (functions_of(self).value)(self.highs) }
    }

    /// The values of the columns and the duals of the rows.
    pub(crate) fn solution(&self) -> Result<(Vec<f64>, Vec<f64>), SolverError> {
        let (columns, rows) = (self.columns(), self.rows());
        let (mut numbers, mut costs) = (vec![0.0; columns], vec![0.0; columns]);
        let (mut sums, mut duals) = (vec![0.0; rows], vec![0.0; rows]);
        call!(
            self,
            solution,
            numbers.as_mut_ptr(),
            costs.as_mut_ptr(),
            sums.as_mut_ptr(),
            duals.as_mut_ptr()
        )?;
        Ok((numbers, duals))
    }

    /// A Farkas certificate of infeasibility, if known.
    pub(crate) fn ray(&self) -> Result<Option<Vec<f64>>, SolverError> {
        let (mut known, mut ray) = (0, vec![0.0; self.rows()]);
        call!(self, ray, &raw mut known, ray.as_mut_ptr())?;
        Ok((known != 0).then_some(ray))
    }
}

/// An index as the library counts.
fn int(number: usize) -> c_int {
    c_int::try_from(number).expect("a problem has fewer than 2^31 entries")
}
