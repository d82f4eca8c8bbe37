//! The exceptions of `morpion._errors`, with the messages of the libraries.

use std::error::Error;

use pyo3::PyErr;
use pyo3::exceptions::PyRuntimeError;

mod python {
    pyo3::import_exception!(morpion._errors, CountError);
    pyo3::import_exception!(morpion._errors, FormulaError);
    pyo3::import_exception!(morpion._errors, GameError);
    pyo3::import_exception!(morpion._errors, IllegalMoveError);
    pyo3::import_exception!(morpion._errors, MethodError);
    pyo3::import_exception!(morpion._errors, ReadError);
    pyo3::import_exception!(morpion._errors, RefusedError);
    pyo3::import_exception!(morpion._errors, SearchError);
    pyo3::import_exception!(morpion._errors, WriteError);
}

/// The message of an error and of what caused it, as the command line prints it.
fn message(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.ends_with(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}

/// Not a game, or not a start.
pub(crate) fn game(error: &dyn Error) -> PyErr {
    python::GameError::new_err(message(error))
}

/// A move, or an action, that is not legal.
pub(crate) fn illegal(error: &dyn Error) -> PyErr {
    illegal_move(message(error))
}

/// A move, or an action, that is not legal, in words.
pub(crate) fn illegal_move(text: String) -> PyErr {
    python::IllegalMoveError::new_err(text)
}

/// A file that cannot be read.
pub(crate) fn read(error: &dyn Error) -> PyErr {
    python::ReadError::new_err(message(error))
}

/// A record that cannot be written, or drawn, like this.
pub(crate) fn write(error: &dyn Error) -> PyErr {
    write_in_words(message(error))
}

/// A record that cannot be written, in words.
pub(crate) fn write_in_words(text: String) -> PyErr {
    python::WriteError::new_err(text)
}

/// A game or a proof that the verifier refuses: what it says, the fault and the move.
pub(crate) fn refused(refusal: &evidence::Refusal) -> PyErr {
    let text = refusal.to_string();
    python::RefusedError::new_err((text, refusal.fault.name(), refusal.number()))
}

/// No such method, or parameter.
pub(crate) fn method(error: &dyn Error) -> PyErr {
    python::MethodError::new_err(message(error))
}

/// A search that cannot be run or resumed.
pub(crate) fn search(error: &dyn Error) -> PyErr {
    python::SearchError::new_err(message(error))
}

/// A count or an exhaustive search that is too large.
pub(crate) fn count(error: &dyn Error) -> PyErr {
    python::CountError::new_err(message(error))
}

/// A formula without a pattern, or a model that is none.
pub(crate) fn formula(error: &dyn Error) -> PyErr {
    python::FormulaError::new_err(message(error))
}

/// A thread that panicked: a bug in this program.
pub(crate) fn panicked() -> PyErr {
    PyRuntimeError::new_err("the work on another thread panicked, which is a bug in this program")
}
