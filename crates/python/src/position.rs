//! A position to play on.

use geometry::Game;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rules::{PlainPosition, Position as _};

use crate::game::{self, StartArgument};
use crate::moves::{self, Move};
use crate::record::Record;
use crate::{error, moves::unwrap};

/// A position of any game from any start, reached by legal moves.
///
/// `start` is `"cross"`, `"cross:6"`, a list of dots or the path of a file of dots; without it the
/// usual cross. A notebook draws the position.
///
/// >>> p = Position("5T")
/// >>> len(p.legal_moves)
/// 28
/// >>> p.play(p.legal_moves[0])
/// >>> p.score, p.is_over
/// (1, False)
#[pyclass(module = "morpion")]
#[derive(Debug, Clone)]
pub(crate) struct Position(PlainPosition);

/// A legal move by its index, or as a value.
#[derive(FromPyObject)]
pub(crate) enum MoveArgument {
    Move(Move),
    Index(isize),
}

impl Position {
    pub(crate) fn after(game: Game, moves: &[geometry::Move]) -> PyResult<Self> {
        let mut position = PlainPosition::start(game);
        position.play_all(moves).map_err(|fault| error::illegal(&fault))?;
        Ok(Self(position))
    }

    pub(crate) fn game(&self) -> &Game {
        self.0.game()
    }

    pub(crate) fn legal(&self) -> &[geometry::Move] {
        self.0.legal()
    }

    pub(crate) fn played(&self) -> Vec<geometry::Move> {
        self.0.moves()
    }

    pub(crate) fn to_record(&self) -> ::record::Record {
        ::record::Record::from_moves(self.game().clone(), self.0.moves())
    }

    fn lines_sorted(&self) -> Vec<geometry::Line> {
        let mut lines: Vec<_> = self.0.moves().iter().map(|mv| mv.line).collect();
        lines.sort_unstable();
        lines
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (game = "5T", moves = Vec::new(), *, start = None))]
    fn new(
        py: Python<'_>,
        game: &str,
        moves: Vec<Move>,
        start: Option<StartArgument>,
    ) -> PyResult<Self> {
        Self::after(game::parse(py, game, start)?, &unwrap(&moves))
    }

    /// The game: `5T`, or `5T from 17 dots`.
    #[getter(game)]
    fn name(&self) -> String {
        self.game().to_string()
    }

    /// The rules, like `5T`.
    #[getter]
    fn rules(&self) -> String {
        self.game().rules.to_string()
    }

    /// The dots before the first move.
    #[getter]
    fn start(&self) -> Vec<(i32, i32)> {
        game::dots(&self.game().start)
    }

    /// The moves played.
    #[getter]
    fn moves(&self) -> Vec<Move> {
        moves::list(&self.0.moves())
    }

    /// The legal moves, in a stable order.
    #[getter]
    fn legal_moves(&self) -> Vec<Move> {
        moves::list(self.0.legal())
    }

    /// Whether no legal move remains.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.legal().is_empty()
    }

    /// The number of moves played.
    #[getter]
    fn score(&self) -> usize {
        self.0.score()
    }

    /// All dots, sorted.
    #[getter]
    fn dots(&self) -> Vec<(i32, i32)> {
        let mut dots = game::dots(&self.game().start);
        dots.extend(self.0.moves().iter().map(|mv| (mv.dot().x, mv.dot().y)));
        dots.sort_unstable();
        dots
    }

    /// The lines drawn, in their order: the dots of each.
    #[getter]
    fn lines(&self) -> Vec<Vec<(i32, i32)>> {
        let rules = self.game().rules;
        let line = |mv: &geometry::Move| mv.line.points(rules).map(|dot| (dot.x, dot.y)).collect();
        self.0.moves().iter().map(line).collect()
    }

    /// A hash of the set of lines: the order they were drawn in does not matter.
    #[getter]
    fn hash(&self) -> u64 {
        self.0.hash()
    }

    /// The images of this position under the symmetries of the start, itself first.
    fn symmetries(&self) -> PyResult<Vec<Self>> {
        let (game, moves) = (self.game(), self.0.moves());
        let image = |symmetry: geometry::Symmetry| {
            let moves: Vec<_> = moves.iter().map(|&mv| symmetry.mv(mv, game.rules)).collect();
            Self::after(game.clone(), &moves)
        };
        game.start.symmetries().into_iter().map(image).collect()
    }

    /// Plays a legal move, given as a `Move` or by its index in `legal_moves`.
    fn play(&mut self, mv: MoveArgument) -> PyResult<()> {
        match mv {
            MoveArgument::Move(Move(mv)) => self.0.play(mv).map_err(|fault| error::illegal(&fault)),
            MoveArgument::Index(index) => {
                let legal = self.0.legal().len();
                let from_end = index.checked_add_unsigned(legal).unwrap_or(-1);
                match usize::try_from(if index < 0 { from_end } else { index }) {
                    Ok(index) if index < legal => {
                        self.0.play_nth(index);
                        Ok(())
                    }
                    _ => {
                        let text = format!("no legal move {index}; there are {legal}, from 0");
                        Err(error::illegal_move(text))
                    }
                }
            }
        }
    }

    /// Takes the last move back and returns it.
    fn undo(&mut self) -> PyResult<Move> {
        let none = || PyIndexError::new_err("cannot take back a move; none was played");
        self.0.undo().map(Move).ok_or_else(none)
    }

    /// A copy, which can be played on by itself.
    fn copy(&self) -> Self {
        self.clone()
    }

    /// The game so far as a record.
    fn record(&self) -> Record {
        Record(self.to_record())
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> Self {
        self.clone()
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<((String, Vec<Move>), Bound<'py, PyDict>)> {
        let named = PyDict::new(py);
        named.set_item("start", self.start())?;
        Ok(((self.rules(), self.moves()), named))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game() == other.game()
            && self.0.hash() == other.0.hash()
            && self.lines_sorted() == other.lines_sorted()
    }

    fn __len__(&self) -> usize {
        self.0.score()
    }

    fn __repr__(&self) -> String {
        let legal = self.0.legal().len();
        format!("<Position {}: {} moves, {legal} legal>", self.game(), self.0.score())
    }

    fn __str__(&self) -> String {
        render::terminal(&self.to_record(), &render::Terminal::default())
    }

    fn _repr_svg_(&self) -> String {
        render::svg(&self.to_record(), &render::Style::default())
    }
}
