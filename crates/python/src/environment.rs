//! The environments of `learn` on arrays of NumPy, changed in place.

use learn::{AgentBoard, EnvironmentArrays, EnvironmentRules, StepError};
use numpy::{PyArray1, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArrayDyn};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::error;
use crate::game::{self, StartArgument};
use crate::moves::{self, Move};
use crate::record::Record;

/// Games side by side, each with an action at every step; see `morpion.gym`.
#[pyclass(module = "morpion._core")]
pub(crate) struct VectorEnvironment(learn::VectorEnvironment);

/// The arrays of an environment, borrowed for one call.
struct Borrowed<'py> {
    observations: PyReadwriteArrayDyn<'py, u8>,
    masks: PyReadwriteArrayDyn<'py, i8>,
    rewards: PyReadwriteArray1<'py, f64>,
    terminated: PyReadwriteArray1<'py, bool>,
    truncated: PyReadwriteArray1<'py, bool>,
    scores: PyReadwriteArray1<'py, i64>,
    last: Option<PyReadwriteArrayDyn<'py, u8>>,
}

/// In the order of the arguments: observations, masks, rewards, terminated, truncated, scores and,
/// if wanted, the last observations of games that have ended.
type Arrays<'py> = (
    PyReadwriteArrayDyn<'py, u8>,
    PyReadwriteArrayDyn<'py, i8>,
    PyReadwriteArray1<'py, f64>,
    PyReadwriteArray1<'py, bool>,
    PyReadwriteArray1<'py, bool>,
    PyReadwriteArray1<'py, i64>,
    Option<PyReadwriteArrayDyn<'py, u8>>,
);

impl<'py> Borrowed<'py> {
    fn new(arrays: Arrays<'py>) -> Self {
        let (observations, masks, rewards, terminated, truncated, scores, last) = arrays;
        Self { observations, masks, rewards, terminated, truncated, scores, last }
    }

    fn slices(&mut self) -> PyResult<EnvironmentArrays<'_>> {
        let last = self.last.as_mut().map(|array| array.as_slice_mut());
        Ok(EnvironmentArrays {
            observations: self.observations.as_slice_mut()?,
            masks: self.masks.as_slice_mut()?,
            rewards: self.rewards.as_slice_mut()?,
            terminated: self.terminated.as_slice_mut()?,
            truncated: self.truncated.as_slice_mut()?,
            scores: self.scores.as_slice_mut()?,
            final_observations: last.transpose()?,
        })
    }
}

fn refuse(fault: StepError) -> PyErr {
    match fault {
        StepError::Illegal { .. } => error::illegal(&fault),
        other => PyValueError::new_err(other.to_string()),
    }
}

#[pymethods]
impl VectorEnvironment {
    #[new]
    #[pyo3(signature = (
        game, games, *, side = None, merged = false, autoreset = true, illegal_ends = false,
        start = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        py: Python<'_>,
        game: &str,
        games: usize,
        side: Option<usize>,
        merged: bool,
        autoreset: bool,
        illegal_ends: bool,
        start: Option<StartArgument>,
    ) -> PyResult<Self> {
        let most = learn::VectorEnvironment::MAX_GAMES;
        if !(1..=most).contains(&games) {
            return Err(PyValueError::new_err(format!("the number of games: from 1 to {most}")));
        }
        let game = game::parse(py, game, start)?;
        let board = AgentBoard::new(&game, side, merged).map_err(|fault| error::game(&fault))?;
        let rules = EnvironmentRules { autoreset, illegal_ends };
        Ok(Self(learn::VectorEnvironment::new(board, games, rules, 0)))
    }

    /// The number of actions.
    #[getter]
    fn actions(&self) -> usize {
        self.0.board().actions()
    }

    /// Places along each edge of the board.
    #[getter]
    fn side(&self) -> usize {
        self.0.board().side()
    }

    /// Gives game i the random generator of `seed + i`.
    fn seed(&mut self, seed: u64) {
        self.0.seed(seed);
    }

    /// Starts the games again, or those of `which`.
    #[pyo3(signature = (arrays, which = None))]
    fn reset(
        &mut self,
        py: Python<'_>,
        arrays: Arrays<'_>,
        which: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<()> {
        let mut borrowed = Borrowed::new(arrays);
        let mut slices = borrowed.slices()?;
        let which = which.as_ref().map(|array| array.as_slice()).transpose()?;
        py.detach(|| self.0.reset(which, &mut slices)).map_err(refuse)
    }

    /// Plays one action in every game.
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        arrays: Arrays<'_>,
    ) -> PyResult<()> {
        let mut borrowed = Borrowed::new(arrays);
        let mut slices = borrowed.slices()?;
        let actions = actions.as_slice()?;
        // For a single game, letting other threads in costs more than the step.
        let stepped = match actions.len() {
            1 => self.0.step(actions, &mut slices),
            _ => py.detach(|| self.0.step(actions, &mut slices)),
        };
        stepped.map_err(refuse)
    }

    /// Samples a legal action uniformly for every game.
    fn sample(&mut self, mut actions: PyReadwriteArray1<'_, i64>) -> PyResult<()> {
        self.0.sample(actions.as_slice_mut()?).map_err(refuse)
    }

    /// The legal actions of all games end to end, and where each begins and the last ends.
    fn legal_actions<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>) {
        let (mut offsets, mut actions) = (vec![0], Vec::new());
        for game in 0..self.0.games() {
            actions.extend(self.0.legal_actions(game).iter().map(|&action| i64::from(action)));
            offsets.push(actions.len() as i64);
        }
        (PyArray1::from_vec(py, offsets), PyArray1::from_vec(py, actions))
    }

    /// The game so far as a record.
    fn record(&self, game: usize) -> PyResult<Record> {
        if game >= self.0.games() {
            let games = self.0.games();
            return Err(PyIndexError::new_err(format!("no game {game}; there are {games}")));
        }
        let moves = self.0.moves(game);
        Ok(Record(::record::Record::from_moves(self.0.board().game().clone(), moves)))
    }

    /// The action of a move.
    fn action(&self, mv: Move) -> PyResult<usize> {
        let beyond = || PyValueError::new_err("the move is not wholly on the board");
        self.0.board().action(mv.0).ok_or_else(beyond)
    }

    /// The legal moves of a game that an action stands for.
    fn moves(&self, game: usize, action: usize) -> PyResult<Vec<Move>> {
        let position = self.record(game)?.position()?;
        let meant = |mv: &geometry::Move| self.0.board().action(*mv) == Some(action);
        let legal: Vec<geometry::Move> = position.legal().iter().copied().filter(meant).collect();
        Ok(moves::list(&legal))
    }
}
