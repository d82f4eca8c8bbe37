//! One game as a file, in any format.

use std::path::PathBuf;

use api::{ConvertRequest, write_record};
use evidence::NativeFile;
use geometry::Line;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};
use record::Play;

use crate::game::{self, StartArgument};
use crate::moves::{self, Move, unwrap};
use crate::position::Position;
use crate::source::{Source, write_bytes};
use crate::{error, position};

/// The endings of files, and the formats they stand for.
const ENDINGS: [(&str, &str); 8] = [
    ("json", "json"),
    ("psol", "pentasol"),
    ("msr", "msr"),
    ("txt", "text"),
    ("tex", "tex"),
    ("svg", "svg"),
    ("png", "png"),
    ("gif", "gif"),
];

/// A game, or a drawing without an order, as a file has it; whether it is legal, `verify` decides.
///
/// >>> record = Record("5T", [Move((7, 0), ((3, 0), "E"))])
/// >>> Record.read(record.convert("svg")) == record
/// True
#[pyclass(frozen, eq, module = "morpion")]
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Record(pub(crate) ::record::Record);

#[pymethods]
impl Record {
    #[new]
    #[pyo3(signature = (game = "5T", moves = Vec::new(), *, start = None))]
    fn new(
        py: Python<'_>,
        game: &str,
        moves: Vec<Move>,
        start: Option<StartArgument>,
    ) -> PyResult<Self> {
        let game = game::parse(py, game, start)?;
        Ok(Self(::record::Record::from_moves(game, unwrap(&moves))))
    }

    /// Reads a file of any format: its path, or its content as bytes.
    ///
    /// `game` is for files that do not name theirs.
    #[classmethod]
    #[pyo3(signature = (source, game = None, *, start = None))]
    fn read(
        cls: &Bound<'_, PyType>,
        source: Source<'_>,
        game: Option<&str>,
        start: Option<StartArgument>,
    ) -> PyResult<Self> {
        let py = cls.py();
        let game = game::optional(py, game, start)?;
        let bytes = source.bytes(py)?;
        let record = NativeFile::read(&bytes, game.as_ref()).and_then(|file| file.record);
        record.map(Self).map_err(|fault| error::read(&fault))
    }

    /// The game: `5T`, or `5T from 17 dots`.
    #[getter]
    fn game(&self) -> String {
        self.0.game.to_string()
    }

    /// The rules, like `5T`.
    #[getter]
    fn rules(&self) -> String {
        self.0.game.rules.to_string()
    }

    /// The dots before the first move.
    #[getter]
    fn start(&self) -> Vec<(i32, i32)> {
        game::dots(&self.0.game.start)
    }

    /// Whether this is a drawing: lines without an order.
    #[getter]
    fn is_drawing(&self) -> bool {
        matches!(self.0.play, Play::Drawing(_))
    }

    /// The moves; none of a drawing, which `order` turns into a game.
    #[getter]
    pub(crate) fn moves(&self) -> Vec<Move> {
        match &self.0.play {
            Play::Moves(moves) => moves::list(moves),
            Play::Drawing(_) => Vec::new(),
        }
    }

    /// The lines in the order of the file: the dots of each.
    #[getter]
    fn lines(&self) -> Vec<Vec<(i32, i32)>> {
        let rules = self.0.game.rules;
        let line = |line: Line| line.points(rules).map(|dot| (dot.x, dot.y)).collect();
        self.0.lines().map(line).collect()
    }

    /// The number of moves, or lines.
    #[getter]
    fn score(&self) -> usize {
        self.0.lines().len()
    }

    /// The same lines without their order.
    fn drawing(&self) -> Self {
        Self(self.0.to_drawing())
    }

    /// The position after the last move.
    pub(crate) fn position(&self) -> PyResult<Position> {
        match &self.0.play {
            Play::Moves(moves) => position::Position::after(self.0.game.clone(), moves),
            Play::Drawing(_) => Err(error::illegal(&api::ApiError::Drawing)),
        }
    }

    /// The game as a native file.
    fn to_json(&self) -> String {
        self.0.to_json()
    }

    /// The bytes of a file: `json`, `pentasol`, `msr`, `text`, `tex`, `svg`, `png` or `gif`.
    ///
    /// SVG and PNG carry their game. `theme` is `light` or `dark`; `colours` shows moves from early
    /// to late, `numbers` their numbers; `width` is in pixels.
    #[pyo3(signature = (format, *, theme = None, colours = None, numbers = None, width = None))]
    fn convert<'py>(
        &self,
        py: Python<'py>,
        format: &str,
        theme: Option<String>,
        colours: Option<bool>,
        numbers: Option<bool>,
        width: Option<u32>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        if !ENDINGS.iter().any(|(_, known)| *known == format) {
            let known: Vec<&str> = ENDINGS.iter().map(|(_, format)| *format).collect();
            let known = known.join(", ");
            return Err(error::write_in_words(format!("no format `{format}`; there is {known}")));
        }
        let request = ConvertRequest { game: None, theme, colours, numbers, width };
        let file = py.detach(|| write_record(&self.0, format, &request));
        Ok(PyBytes::new(py, &file.map_err(|fault| error::write(&fault))?.bytes))
    }

    /// Writes a file; the format follows from its ending, unless it is named. See `convert`.
    #[pyo3(signature = (
        path, format = None, *, theme = None, colours = None, numbers = None, width = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn write(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        theme: Option<String>,
        colours: Option<bool>,
        numbers: Option<bool>,
        width: Option<u32>,
    ) -> PyResult<()> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let by_ending = || ENDINGS.iter().find(|(known, _)| *known == ending).map(|it| it.1);
        let Some(format) = format.or_else(by_ending) else {
            let known: Vec<String> = ENDINGS.iter().map(|(it, _)| format!(".{it}")).collect();
            let (path, known) = (path.display(), known.join(" "));
            return Err(error::write_in_words(format!(
                "cannot tell the format from `{path}`; supported: {known}, or pass format"
            )));
        };
        let bytes = self.convert(py, format, theme, colours, numbers, width)?;
        write_bytes(py, &path, bytes.as_bytes())
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let read = slf.get_type().getattr("read")?;
        Ok((read, (PyBytes::new(slf.py(), slf.get().0.to_json().as_bytes()),)))
    }

    fn __len__(&self) -> usize {
        self.0.lines().len()
    }

    fn __repr__(&self) -> String {
        let what = if self.is_drawing() { "lines without an order" } else { "moves" };
        format!("<Record {}: {} {what}>", self.0.game, self.score())
    }

    fn __str__(&self) -> String {
        render::terminal(&self.0, &render::Terminal::default())
    }

    fn _repr_svg_(&self) -> String {
        render::svg(&self.0, &render::Style::default())
    }
}
