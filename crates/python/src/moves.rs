//! A move, as a value.

use geometry::{Direction, Line, Point};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error;

/// A move: a new dot, and the line through it, given by its first dot and its direction.
///
/// Directions are `E`, `S`, `SE` and `NE`; x grows right, y grows down.
///
/// >>> mv = Move((7, 0), ((3, 0), "E"))
/// >>> mv.dot, mv.line
/// ((7, 0), ((3, 0), 'E'))
#[pyclass(frozen, eq, hash, ord, from_py_object, module = "morpion")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Move(pub(crate) geometry::Move);

#[pymethods]
impl Move {
    #[new]
    fn new(dot: (i32, i32), line: ((i32, i32), String)) -> PyResult<Self> {
        let ((x, y), name) = line;
        let direction = Direction::named(&name).ok_or_else(|| {
            PyValueError::new_err(format!("no direction `{name}`; there is E, S, SE, NE"))
        })?;
        let (dot, line) = (Point::new(dot.0, dot.1), Line::new(Point::new(x, y), direction));
        if !dot.within_limit() || !line.start.within_limit() {
            return Err(error::illegal(&record::MoveFault::TooFar));
        }
        let longest = geometry::Rules::new(geometry::Rules::MAX_LENGTH, true);
        match line.offset_of(dot, longest.expect("the longest line is one")) {
            Some(offset) => Ok(Self(geometry::Move::new(line, offset as u8))),
            None => Err(error::illegal(&record::MoveFault::OffLine(dot))),
        }
    }

    /// The new dot.
    #[getter]
    fn dot(&self) -> (i32, i32) {
        let dot = self.0.dot();
        (dot.x, dot.y)
    }

    /// The line: its first dot and its direction.
    #[getter]
    fn line(&self) -> ((i32, i32), &'static str) {
        let Line { start, direction } = self.0.line;
        ((start.x, start.y), direction.name())
    }

    fn __getnewargs__(&self) -> ((i32, i32), ((i32, i32), &'static str)) {
        (self.dot(), self.line())
    }

    fn __repr__(&self) -> String {
        let ((x, y), direction) = self.line();
        let dot = self.0.dot();
        format!("Move(({}, {}), (({x}, {y}), '{direction}'))", dot.x, dot.y)
    }
}

/// Moves for Python.
pub(crate) fn list(moves: &[geometry::Move]) -> Vec<Move> {
    moves.iter().map(|&mv| Move(mv)).collect()
}

/// Moves from Python.
pub(crate) fn unwrap(moves: &[Move]) -> Vec<geometry::Move> {
    moves.iter().map(|mv| mv.0).collect()
}
