//! A search that can be watched, stopped, saved and resumed.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hunt::{Checkpoint, Event, HuntBudget, HuntError, HuntResult, HuntSpec};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use search::MethodSpec;

use crate::error;
use crate::game::{self, StartArgument};
use crate::position::Position;
use crate::record::Record;
use crate::source::{read_bytes, write_bytes};
use crate::wait::wait;

/// How often a running search has a checkpoint that `save` can write.
const CHECKPOINT: Duration = Duration::from_secs(10);

/// A search for long games, by any method, on any number of threads.
///
/// `game` is a name, with `start` as for `Position`, or a `Position` to play on from. The same
/// seed, playouts and threads find the same game; without a seed one is chosen. `run` searches
/// and can be called again to resume; the best game is kept whatever ends it, Ctrl-C included.
///
/// >>> s = Search("5D", method="nmcs", parameters={"level": 1}, seed=1)
/// >>> s.run(playouts=500).score >= 40
/// True
#[pyclass(frozen, module = "morpion")]
pub(crate) struct Search {
    spec: HuntSpec,
    progress: Arc<Progress>,
    is_running: AtomicBool,
}

/// What the threads of the search share with its owner.
#[derive(Default)]
struct Progress {
    stop: AtomicBool,
    playouts: AtomicU64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    checkpoint: Option<Checkpoint>,
    record: Option<::record::Record>,
    improvements: Vec<::record::Record>,
    cpu: Duration,
    wall: Duration,
}

#[derive(FromPyObject)]
pub(crate) enum GameArgument<'py> {
    Name(String),
    Position(PyRef<'py, Position>),
}

/// A value of a parameter.
#[derive(FromPyObject)]
pub(crate) enum Value {
    Integer(i64),
    Real(f64),
    Text(String),
}

impl Progress {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes an event of the search, from any of its threads.
    fn receive(&self, event: Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Improved(record) => {
                let mut state = self.state();
                let longest = state.record.as_ref().map_or(0, |best| best.lines().len());
                if record.lines().len() > longest {
                    state.record = Some(record.clone());
                    state.improvements.push(record.clone());
                }
            }
            Event::Progress { playouts, .. } => self.playouts.store(playouts, Ordering::Relaxed),
            Event::Checkpoint(checkpoint) => self.state().checkpoint = Some(checkpoint.clone()),
            _ => {}
        }
        match self.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

impl Search {
    fn of(spec: HuntSpec) -> Self {
        Self { spec, progress: Arc::default(), is_running: AtomicBool::new(false) }
    }

    /// The budget of one run; its playouts come on top of those made.
    fn budget(
        &self,
        seconds: Option<f64>,
        playouts: Option<u64>,
        target: Option<usize>,
    ) -> PyResult<HuntBudget> {
        let time = seconds.map(Duration::try_from_secs_f64).transpose();
        let time = time.map_err(|fault| PyValueError::new_err(format!("seconds: {fault}")))?;
        let done = self.progress.state().checkpoint.as_ref().map_or(0, Checkpoint::playouts);
        Ok(HuntBudget { playouts: playouts.map(|more| done.saturating_add(more)), time, target })
    }

    /// The search itself, on a thread of its own.
    fn work(
        &self,
        budget: HuntBudget,
    ) -> impl FnOnce() -> Result<HuntResult, HuntError> + Send + 'static {
        let progress = Arc::clone(&self.progress);
        let spec = HuntSpec { budget, ..self.spec.clone() };
        let checkpoint = progress.state().checkpoint.clone();
        move || {
            let on = |event: Event<'_>| progress.receive(event);
            match checkpoint {
                Some(checkpoint) => hunt::resume(checkpoint, budget, Some(CHECKPOINT), &on),
                None => hunt::run(&spec, Some(CHECKPOINT), &on),
            }
        }
    }

    fn finish(&self, result: Result<HuntResult, HuntError>) -> PyResult<()> {
        let result = result.map_err(|fault| error::search(&fault))?;
        self.progress.playouts.store(result.playouts, Ordering::Relaxed);
        let mut state = self.progress.state();
        (state.cpu, state.wall) = (result.cpu, result.wall);
        state.record = Some(result.game.into_record());
        Ok(())
    }
}

#[pymethods]
impl Search {
    #[new]
    #[pyo3(signature = (
        game = GameArgument::Name("5T".to_owned()), method = "auto", *,
        parameters = BTreeMap::new(), seed = None, threads = 1, start = None
    ))]
    fn new(
        py: Python<'_>,
        game: GameArgument<'_>,
        method: &str,
        parameters: BTreeMap<String, Value>,
        seed: Option<u64>,
        threads: u32,
        start: Option<StartArgument>,
    ) -> PyResult<Self> {
        let (game, prefix) = match game {
            GameArgument::Name(name) => (game::parse(py, &name, start)?, Vec::new()),
            GameArgument::Position(_) if start.is_some() => {
                return Err(PyValueError::new_err("a position has its own start"));
            }
            GameArgument::Position(position) => (position.game().clone(), position.played()),
        };
        if !(1..=HuntSpec::MAX_THREADS).contains(&threads) {
            let text = format!("threads: from 1 to {}", HuntSpec::MAX_THREADS);
            return Err(PyValueError::new_err(text));
        }
        let texts: Vec<(String, String)> = parameters
            .into_iter()
            .map(|(name, value)| {
                let text = match value {
                    Value::Integer(value) => value.to_string(),
                    Value::Real(value) => value.to_string(),
                    Value::Text(value) => value,
                };
                (name, text)
            })
            .collect();
        let given = texts.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let method = MethodSpec::named(method, &game, given);
        let method = method.map_err(|fault| error::method(&fault))?;
        let seed = seed.unwrap_or_else(hunt::random_seed);
        Ok(Self::of(HuntSpec {
            game,
            prefix,
            method,
            seed,
            threads,
            budget: HuntBudget::default(),
        }))
    }

    /// Resumes a search that was saved: the path of its file, or its bytes.
    #[classmethod]
    fn load(cls: &Bound<'_, PyType>, path: PathBuf) -> PyResult<Self> {
        let bytes = read_bytes(cls.py(), &path)?;
        let checkpoint = cls.py().detach(|| Checkpoint::from_bytes(&bytes));
        let checkpoint = checkpoint.map_err(|fault| error::search(&fault))?;
        let search = Self::of(checkpoint.spec.clone());
        search.progress.playouts.store(checkpoint.playouts(), Ordering::Relaxed);
        let mut state = search.progress.state();
        state.record = Some(checkpoint.record());
        state.wall = checkpoint.wall();
        state.checkpoint = Some(checkpoint);
        drop(state);
        Ok(search)
    }

    /// Searches until the first limit, or until `stop` is called or Ctrl-C pressed if there is
    /// none, and returns itself. Each run adds to the ones before.
    ///
    /// `on_improve(score, moves)` is called with each longer game, `on_progress(score, playouts)`
    /// about 20 times a second. An exception in a callback ends the search.
    #[pyo3(signature = (
        *, seconds = None, playouts = None, target = None, on_improve = None, on_progress = None
    ))]
    fn run<'py>(
        slf: &Bound<'py, Self>,
        seconds: Option<f64>,
        playouts: Option<u64>,
        target: Option<usize>,
        on_improve: Option<Bound<'py, PyAny>>,
        on_progress: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let search = slf.get();
        let budget = search.budget(seconds, playouts, target)?;
        if search.is_running.swap(true, Ordering::Relaxed) {
            return Err(PyRuntimeError::new_err("the search is running; stop it first"));
        }
        let progress = &search.progress;
        progress.stop.store(false, Ordering::Relaxed);
        let tick = |_py: Python<'_>| {
            let news = std::mem::take(&mut progress.state().improvements);
            if let Some(callback) = &on_improve {
                for record in news {
                    let moves = Record(record).moves();
                    callback.call1((moves.len(), moves))?;
                }
            }
            if let Some(callback) = &on_progress {
                callback.call1((search.score(), search.playouts()))?;
            }
            Ok(())
        };
        let stop = || {
            progress.stop.store(true, Ordering::Relaxed);
            Some(())
        };
        let ended = wait(slf.py(), search.work(budget), tick, stop);
        search.is_running.store(false, Ordering::Relaxed);
        let (result, outcome) = ended?;
        search.finish(result.ok_or_else(error::panicked)?)?;
        outcome?;
        Ok(slf.clone())
    }

    /// Stops a run, from another thread or from a callback.
    fn stop(&self) {
        self.progress.stop.store(true, Ordering::Relaxed);
    }

    /// Saves the search, from which `load` resumes it as if it had never stopped.
    ///
    /// While it runs, what is saved is up to ten seconds old.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let checkpoint = self.progress.state().checkpoint.clone();
        let Some(checkpoint) = checkpoint else {
            return Err(PyRuntimeError::new_err("nothing to save yet; run the search first"));
        };
        let bytes = py.detach(|| checkpoint.to_bytes()).map_err(|fault| error::search(&fault))?;
        write_bytes(py, &path, &bytes)
    }

    /// The game that is searched.
    #[getter]
    fn game(&self) -> String {
        self.spec.game.to_string()
    }

    /// The method.
    #[getter]
    fn method(&self) -> &'static str {
        self.spec.method.info().name
    }

    /// The values of all parameters of the method.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        for (name, value) in self.spec.method.values().iter() {
            values.set_item(name, value)?;
        }
        Ok(values)
    }

    /// The random seed.
    #[getter]
    fn seed(&self) -> u64 {
        self.spec.seed
    }

    /// The number of threads.
    #[getter]
    fn threads(&self) -> u32 {
        self.spec.threads
    }

    /// The best game so far, with its provenance; the verifier has replayed it when a run ends.
    #[getter]
    fn record(&self) -> Record {
        let best = self.progress.state().record.clone();
        Record(best.unwrap_or_else(|| self.spec.record(self.spec.prefix.clone(), 0)))
    }

    /// The number of moves of the best game so far.
    #[getter]
    fn score(&self) -> usize {
        let state = self.progress.state();
        state.record.as_ref().map_or(self.spec.prefix.len(), |best| best.lines().len())
    }

    /// The number of playouts so far.
    #[getter]
    fn playouts(&self) -> u64 {
        self.progress.playouts.load(Ordering::Relaxed)
    }

    /// The CPU time of the process during the runs that have ended.
    #[getter]
    fn cpu_seconds(&self) -> f64 {
        self.progress.state().cpu.as_secs_f64()
    }

    /// The wall-clock time of the runs that have ended.
    #[getter]
    fn wall_seconds(&self) -> f64 {
        self.progress.state().wall.as_secs_f64()
    }

    fn __repr__(&self) -> String {
        let (name, score, playouts) = (self.method(), self.score(), self.playouts());
        format!("<Search {} by {name}: {score} moves, {playouts} playouts>", self.game())
    }

    fn _repr_svg_(&self) -> String {
        render::svg(&self.record().0, &render::Style::default())
    }
}
