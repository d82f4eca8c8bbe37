//! What is read: a record, a position, the bytes of a file, or its path.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::position::Position;
use crate::record::Record;

/// Where a game or a proof comes from.
#[derive(FromPyObject)]
pub(crate) enum Source<'py> {
    Record(Bound<'py, Record>),
    Position(Bound<'py, Position>),
    Bytes(PyBackedBytes),
    Path(PathBuf),
}

impl Source<'_> {
    /// The file.
    pub(crate) fn bytes(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        Ok(match self {
            Self::Record(record) => record.get().0.to_json().into_bytes(),
            Self::Position(position) => position.borrow().to_record().to_json().into_bytes(),
            Self::Bytes(bytes) => bytes.to_vec(),
            Self::Path(path) => read_bytes(py, path)?,
        })
    }
}

/// Reads a file by Python's `open`, whose errors name the file.
pub(crate) fn read_bytes(py: Python<'_>, path: &Path) -> PyResult<Vec<u8>> {
    let file = py.import("builtins")?.call_method1("open", (path, "rb"))?;
    let bytes = file.call_method0("read");
    file.call_method0("close")?;
    bytes?.extract()
}

/// Replaces a file as a whole: it is never half written.
pub(crate) fn write_bytes(py: Python<'_>, path: &Path, bytes: &[u8]) -> PyResult<()> {
    let mut name = Cow::Borrowed(path.file_name().unwrap_or_default());
    name.to_mut().push(".part");
    let part = path.with_file_name(&name);
    let file = py.import("builtins")?.call_method1("open", (&part, "wb"))?;
    let written = file.call_method1("write", (PyBytes::new(py, bytes),));
    file.call_method0("close")?;
    written?;
    py.import("os")?.call_method1("replace", (part, path)).map(drop)
}
