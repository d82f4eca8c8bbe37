//! Training runs that the pages start, stop and resume: one at a time, in the folders that the
//! command line names. Every iteration is saved, so that a run outlives its server.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;

use geometry::Game;
use lab::training_folder::TrainingFolder;
use lab::view::TrainingRunView;
use learn::{PRESETS, TrainError, TrainingRun, TrainingSettings};

use crate::refusal::Refusal;

/// The parameters of a run that is started here; the command line has others.
const PRESET: &str = "small";

/// The training runs, and the one that is running here.
pub(crate) struct Trainings {
    folders: Vec<PathBuf>,
    current: Mutex<Option<Current>>,
}

struct Current {
    name: String,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Trainings {
    pub(crate) fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders, current: Mutex::new(None) }
    }

    /// All training runs, the latest change first.
    pub(crate) fn list(&self) -> Vec<TrainingRunView> {
        let running = self.current().as_ref().map(|current| current.name.clone());
        let mut runs = lab::training_runs(&self.folders);
        for run in &mut runs {
            run.running = running.as_ref() == Some(&run.name);
        }
        runs
    }

    /// Starts a training run in a folder of its own; gives back its name. `log` gets a line if it
    /// fails later.
    pub(crate) fn start(
        &self,
        game: &Game,
        log: impl Fn(&str) + Send + 'static,
    ) -> Result<String, Refusal> {
        let mut current = self.vacant()?;
        let is_run = |folder: &&PathBuf| folder.join("training.state").exists();
        let home = self.folders.iter().find(|folder| !is_run(folder)).ok_or(Refusal::NoTraining)?;
        let preset = PRESETS.iter().find(|preset| preset.name == PRESET).expect("a preset");
        let settings = TrainingSettings::preset(preset, game, [])?;
        let training = TrainingRun::new(game, settings, hunt::random_seed(), Vec::new())?;
        let name = |number: &u32| format!("{}-{number}", game.rules);
        let name = (1..).map(|number| name(&number)).find(|name| !home.join(name).exists());
        let name = name.expect("a number that is free");
        let folder = TrainingFolder::create(&home.join(&name))?;
        folder.save(&training)?;
        *current = Some(Current::start(name.clone(), training, folder, log)?);
        Ok(name)
    }

    /// Resumes a training run of the list.
    pub(crate) fn resume(
        &self,
        name: &str,
        log: impl Fn(&str) + Send + 'static,
    ) -> Result<(), Refusal> {
        let mut current = self.vacant()?;
        let folder = lab::training_run_folder(&self.folders, name).ok_or(Refusal::NotFound)?;
        let folder = TrainingFolder::existing(&folder)?;
        let training = folder.read()?;
        *current = Some(Current::start(name.to_owned(), training, folder, log)?);
        Ok(())
    }

    /// Stops the run of this name; what it has learnt since its last iteration is lost.
    pub(crate) fn stop(&self, name: &str) -> Result<(), Refusal> {
        let mut current = self.current();
        match current.take_if(|current| current.name == name) {
            Some(current) => current.stop(),
            None => return Err(Refusal::TrainingIs("not running here")),
        }
        Ok(())
    }

    /// Stops whatever is running.
    pub(crate) fn stop_all(&self) {
        if let Some(current) = self.current().take() {
            current.stop();
        }
    }

    /// The run that is running; one that has ended is none.
    fn current(&self) -> MutexGuard<'_, Option<Current>> {
        let mut current = self.current.lock().expect("nothing panics while it holds this");
        if current.as_ref().is_some_and(|current| current.thread.is_finished()) {
            *current = None;
        }
        current
    }

    /// The place of the run that is running, if it is free.
    fn vacant(&self) -> Result<MutexGuard<'_, Option<Current>>, Refusal> {
        let current = self.current();
        match *current {
            Some(_) => Err(Refusal::TrainingIs("running; stop it first")),
            None => Ok(current),
        }
    }
}

impl Current {
    fn start(
        name: String,
        mut training: TrainingRun,
        folder: TrainingFolder,
        log: impl Fn(&str) + Send + 'static,
    ) -> Result<Self, Refusal> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        // Half the cores, so that the machine can still be used.
        let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get() / 2);
        let train = move || {
            let on = |_| match stopped.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            };
            while !training.is_over() && on(()).is_continue() {
                match training.iterate(threads.max(1), &|_| on(())) {
                    Ok(()) => {
                        if let Err(error) = folder.save(&training) {
                            return log(&format!("training {}: {error}", folder.name()));
                        }
                    }
                    Err(TrainError::Cancelled) => return,
                    Err(error) => return log(&format!("training {}: {error}", folder.name())),
                }
            }
        };
        let thread = std::thread::Builder::new().name("training".to_owned()).spawn(train);
        let thread = thread.map_err(|_| Refusal::Busy("no thread is free"))?;
        Ok(Self { name, stop, thread })
    }

    /// Ends it and waits until its folder is free.
    fn stop(self) {
        self.stop.store(true, Ordering::Relaxed);
        // If it has panicked, the folder holds its last iteration all the same.
        let _ = self.thread.join();
    }
}
