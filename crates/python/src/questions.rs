//! The questions of the command line, answered as the JSON of its views.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ::bound::formula;
use ::search::exhaustive::{self, ExhaustiveOptions, Part};
use api::view::{FileVerdictView, KnownGameView, OrderView, ProofView};
use evidence::{AnyCheck, GameOrder, NativeFile, VerifiedRecord};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rules::count::{CountKind, CountOptions};
use serde::Serialize;

use crate::error;
use crate::game::{self, StartArgument};
use crate::record::Record;
use crate::source::Source;
use crate::wait::{wait, wait_or_leave};

/// A view as JSON.
pub(crate) fn json(view: &impl Serialize) -> String {
    serde_json::to_string(view).expect("a view has a JSON form")
}

/// The verdict on a game or a proof: its view, what the verifier says, and the game if it is legal.
#[pyfunction]
#[pyo3(signature = (source, game = None, *, start = None))]
pub(crate) fn verify(
    py: Python<'_>,
    source: Source<'_>,
    game: Option<&str>,
    start: Option<StartArgument>,
) -> PyResult<(String, String, Option<Record>)> {
    let (bytes, game) = (source.bytes(py)?, game::optional(py, game, start)?);
    let check = wait_or_leave(py, move || evidence::verify_any(&bytes, game.as_ref()))?;
    Ok(match check.map_err(|fault| error::read(&fault))? {
        AnyCheck::Game(check) => {
            let view = FileVerdictView::new(&check.verdict, check.record.as_ref().ok());
            match check.verdict {
                Ok(game) => (json(&view), game.to_string(), Some(Record(game.into_record()))),
                Err(refusal) => (json(&view), refusal.to_string(), None),
            }
        }
        AnyCheck::Proof(verdict) => {
            let words = match &verdict {
                Ok(proven) => proven.to_string(),
                Err(refusal) => refusal.to_string(),
            };
            (json(&ProofView::new(&verdict)), words, None)
        }
    })
}

/// An order in which lines can be drawn: its view, and the game if there is one.
#[pyfunction]
#[pyo3(signature = (source, game = None, *, start = None))]
pub(crate) fn order(
    py: Python<'_>,
    source: Source<'_>,
    game: Option<&str>,
    start: Option<StartArgument>,
) -> PyResult<(String, Option<Record>)> {
    let (bytes, game) = (source.bytes(py)?, game::optional(py, game, start)?);
    let file = NativeFile::read(&bytes, game.as_ref()).map_err(|fault| error::read(&fault))?;
    let text = file.text;
    let found = wait_or_leave(py, move || GameOrder::find(&text))?;
    Ok(match found {
        Err(refusal) if refusal.is_malformed() => return Err(error::read(&refusal)),
        Err(refusal) => {
            (json(&OrderView::refused(file.record.ok().as_ref(), refusal.to_string())), None)
        }
        Ok(GameOrder::Ordered { game, order }) => {
            let view = OrderView::ordered(&game, &order);
            (json(&view), Some(Record(game.into_record())))
        }
        Ok(GameOrder::Stuck { stuck }) => {
            let record = file.record.map_err(|fault| error::read(&fault))?;
            (json(&OrderView::stuck(&record, &stuck)), None)
        }
    })
}

/// The number of positions after 0, 1, ..., `moves` moves.
#[pyfunction]
#[pyo3(signature = (game, moves, kind, threads, memory, start = None))]
pub(crate) fn count(
    py: Python<'_>,
    game: &str,
    moves: u16,
    kind: &str,
    threads: usize,
    memory: u64,
    start: Option<StartArgument>,
) -> PyResult<Vec<u128>> {
    let game = game::parse(py, game, start)?;
    let kind = match kind {
        "classes" => CountKind::Classes,
        "positions" => CountKind::Positions,
        "sequences" => CountKind::Sequences,
        _ => {
            let text = format!("no kind `{kind}`; there is classes, positions, sequences");
            return Err(PyValueError::new_err(text));
        }
    };
    if threads == 0 {
        return Err(PyValueError::new_err("threads: at least 1"));
    }
    let options = CountOptions { threads, memory, progress: &|_| {} };
    let work = move || rules::count::count(&game, kind, moves.into(), options);
    wait_or_leave(py, work)?.map_err(|fault| error::count(&fault))
}

/// What is known of a game: its view, the least certified bound with its name and its proof, and
/// the argument of the best formula.
#[pyfunction]
#[pyo3(signature = (game, start = None))]
pub(crate) fn bound(
    py: Python<'_>,
    game: &str,
    start: Option<StartArgument>,
) -> PyResult<(String, Option<u64>, Option<String>, Option<String>, Vec<String>, bool)> {
    let game = game::parse(py, game, start)?;
    wait_or_leave(py, move || {
        let formula = formula::best(&game);
        let known = api::known::bound(&game);
        let view = json(&KnownGameView::new(&game, known.as_ref().map(|known| known.bound)));
        let argument = formula.as_ref().map(|best| best.argument.clone()).unwrap_or_default();
        let endless = api::known::endless(&game).is_some();
        let least = formula.map(|best| (best.bound, best.formula.name().to_owned(), None));
        let least = match (known, least) {
            (Some(known), least)
                if least.as_ref().is_none_or(|least| u64::from(known.bound) <= least.0) =>
            {
                let kind = known.file.split('.').nth(1).unwrap_or_default().to_owned();
                Some((known.bound.into(), kind, Some(known.file.to_owned())))
            }
            (_, least) => least,
        };
        let (bound, by, proof) = match least {
            Some((bound, by, proof)) => (Some(bound), Some(by), proof),
            None => (None, None, None),
        };
        (view, bound, by, proof, argument, endless)
    })
}

/// Famous scores and the games that the program has found: the view of each, and its game.
#[pyfunction]
pub(crate) fn records() -> PyResult<(String, Vec<(String, usize, Record)>)> {
    let rows = api::records().map_err(|fault| error::read(&fault))?;
    let own = |&(game, _, text): &(&str, u32, &str)| {
        let record = ::record::read(text.as_bytes(), None).map_err(|fault| error::read(&fault))?;
        let moves = record.lines().len();
        Ok((game.to_owned(), moves, Record(record)))
    };
    Ok((json(&rows), api::OWN_GAMES.iter().map(own).collect::<PyResult<_>>()?))
}

/// The bytes of a proof that comes with the program; its name is in the answer of `bound`.
#[pyfunction]
pub(crate) fn proof<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyBytes>> {
    let unknown = || {
        let known: Vec<&str> = api::known::proofs().collect();
        PyKeyError::new_err(format!("no proof `{name}`; there is {}", known.join(", ")))
    };
    api::known::proof(name).map(|bytes| PyBytes::new(py, bytes)).ok_or_else(unknown)
}

/// The search methods, with their defaults for a game.
#[pyfunction]
#[pyo3(signature = (game, start = None))]
pub(crate) fn methods(
    py: Python<'_>,
    game: &str,
    start: Option<StartArgument>,
) -> PyResult<String> {
    Ok(json(&api::view::methods(&game::parse(py, game, start)?)))
}

/// The longest game that begins with the first `keep` moves of a game, which is verified first.
#[pyfunction]
#[pyo3(signature = (source, keep, game = None, *, start = None))]
pub(crate) fn endgame(
    py: Python<'_>,
    source: Source<'_>,
    keep: usize,
    game: Option<&str>,
    start: Option<StartArgument>,
) -> PyResult<(usize, Record)> {
    let (bytes, game) = (source.bytes(py)?, game::optional(py, game, start)?);
    let check =
        evidence::verify_file(&bytes, game.as_ref()).map_err(|fault| error::read(&fault))?;
    let given = check.verdict.map_err(|refusal| error::refused(&refusal))?;
    let score = given.moves().len();
    if keep > score {
        let text = format!("keep {keep}: the game has only {score} moves");
        return Err(PyValueError::new_err(text));
    }
    let stopped = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stopped);
    let work = move || {
        let part = Part { played: given.moves()[..keep].to_vec(), excluded: Vec::new() };
        let on = || match asked.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let options = ExhaustiveOptions { on: &on, ..ExhaustiveOptions::QUIET };
        let longest = exhaustive::longest(given.game(), &part, options)?;
        if longest == score {
            return Ok(given.into_record());
        }
        let moves = exhaustive::longest_game(given.game(), &part, longest, options)?;
        Ok(::record::Record::from_moves(given.game().clone(), moves))
    };
    let stop = || {
        stopped.store(true, Ordering::Relaxed);
        Some(())
    };
    let (found, outcome) = wait(py, work, |_| Ok(()), stop)?;
    outcome?;
    let found: Result<_, exhaustive::ExhaustiveError> = found.ok_or_else(error::panicked)?;
    let record = found.map_err(|fault| error::count(&fault))?;
    let verified = VerifiedRecord::new(record).map_err(|refusal| error::refused(&refusal))?;
    Ok((score, Record(verified.into_record())))
}
