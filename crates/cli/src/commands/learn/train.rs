//! `morpion learn train` and `morpion learn resume`.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use geometry::{Game, Move};
use lab::training_folder::{TrainingFolder, network_record};
use lab::view::TrainingView;
use learn::{CurvePoint, Event, PRESETS, TrainError, TrainingRun, TrainingSettings};
use store::Archive;

use crate::args::{GameArgs, all_cores, amount, duration, threads};
use crate::commands::game_file;
use crate::commands::search::split_parameters;
use crate::files;
use crate::interrupt::stop_flag;
use crate::output::{Exit, count, note, print, print_json};
use crate::progress::Progress;

/// Start a training run
///
/// Without a preset the parameters are those of Table I of Wang et al. (2020), meant for a week on
/// eight GPUs; `--preset small` learns on two cores in an hour or two. `morpion learn parameters`
/// lists them all.
#[derive(clap::Args)]
pub(super) struct TrainArgs {
    #[command(flatten)]
    game: GameArgs,

    /// Named set of parameters, one of `morpion learn parameters`
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,

    /// Parameter of learning, e.g. -p episodes=100
    #[arg(short, long = "parameter", value_name = "NAME=VALUE")]
    parameters: Vec<String>,

    /// Additional games to learn from: legal games of the same rules and start
    #[arg(long = "teacher", value_name = "FILE", num_args = 1..)]
    teachers: Vec<PathBuf>,

    /// Random seed [default: random, printed]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Folder for the training run
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    #[command(flatten)]
    session: Session,
}

/// Resume a training run
///
/// The weights at the end are the same as without the interruption, unless parameters are changed.
#[derive(clap::Args)]
pub(super) struct ResumeArgs {
    /// Folder of the training run
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Total number of iterations
    #[arg(long, value_name = "N", value_parser = amount)]
    iterations: Option<u64>,

    /// Change a parameter, e.g. -p rate=0.0005; the shape of the network is fixed
    #[arg(short, long = "parameter", value_name = "NAME=VALUE")]
    parameters: Vec<String>,

    #[command(flatten)]
    session: Session,
}

#[derive(clap::Args)]
struct Session {
    /// Time limit: 90s, 10m, 2h [default: until all iterations are done]
    #[arg(long = "for", value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    time: Option<Duration>,

    /// Number of threads [default: all cores]; the weights do not depend on it
    #[arg(long, value_name = "N", value_parser = threads())]
    threads: Option<u32>,

    /// Also store every best game in this archive (`morpion store`)
    #[arg(long, value_name = "DIR")]
    archive: Option<PathBuf>,

    /// Print one JSON document at the end
    #[arg(long)]
    json: bool,
}

impl Session {
    fn best_games(&self) -> Result<Option<BestGames>> {
        self.archive.as_deref().map(BestGames::open).transpose()
    }
}

pub(super) fn train(args: &TrainArgs) -> Result<Exit> {
    let game = args.game.game()?;
    let given = split_parameters(&args.parameters)?;
    let settings = match &args.preset {
        Some(name) => {
            let preset = PRESETS.iter().find(|preset| preset.name == name.as_str());
            let preset = preset.with_context(|| {
                let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
                format!("unknown preset `{name}`; the presets are {}", names.join(", "))
            })?;
            TrainingSettings::preset(preset, &game, given)
        }
        None => TrainingSettings::read(&game, given),
    };
    let settings = settings.context("-p")?;
    let teachers = args.teachers.iter().map(|file| teacher(file, &game)).collect::<Result<_>>()?;
    let seed = args.seed.unwrap_or_else(hunt::random_seed);
    let training = TrainingRun::new(&game, settings, seed, teachers)?;
    TrainingFolder::check_new(&args.out)?;
    // An archive that cannot be used leaves no folder behind.
    let best_games = args.session.best_games()?;
    let folder = TrainingFolder::create(&args.out)?;
    folder.save(&training)?;
    continue_training(training, &folder, &args.session, best_games)
}

pub(super) fn resume(args: &ResumeArgs) -> Result<Exit> {
    let folder = TrainingFolder::existing(&args.folder)?;
    let mut training = folder.read()?;
    for (name, value) in split_parameters(&args.parameters)? {
        training.change(name, value).context("-p")?;
    }
    if let Some(iterations) = args.iterations {
        training.change("iterations", &iterations.to_string()).context("--iterations")?;
    }
    if !args.parameters.is_empty() || args.iterations.is_some() {
        folder.save(&training)?;
    }
    let done = count(training.curve().len(), "iteration");
    note(format_args!("resuming {} after {done}", folder.name()));
    let best_games = args.session.best_games()?;
    continue_training(training, &folder, &args.session, best_games)
}

/// The moves of a teacher's game, which must be legal.
fn teacher(file: &Path, game: &Game) -> Result<Vec<Move>> {
    let name = files::name(file);
    let file = game_file::verify(file, Some(game))?;
    Ok(file.verdict.with_context(|| format!("--teacher {name}"))?.moves().to_vec())
}

fn continue_training(
    mut training: TrainingRun,
    folder: &TrainingFolder,
    session: &Session,
    mut best_games: Option<BestGames>,
) -> Result<Exit> {
    let threads = session.threads.unwrap_or_else(all_cores) as usize;
    let began = Instant::now();
    let watch = Watch {
        name: training.game().to_string(),
        last: std::sync::Mutex::new(training.curve().last().copied()),
        deadline: session.time.map(|time| began + time),
        stop: stop_flag(),
        line: Progress::new(),
    };
    while !training.is_over() {
        let iteration = training.iterations() + 1;
        match training.iterate(threads, &|event| watch.on(iteration, event)) {
            Ok(()) => {
                folder.save(&training)?;
                if let Some(best_games) = &mut best_games {
                    best_games.add(&training)?;
                }
                watch.done(training.curve().last().copied());
            }
            Err(TrainError::Cancelled) => break,
            Err(error) => {
                let done = training.iterations();
                let name = folder.name();
                bail!("{error}; {name} holds the training run as of iteration {done}");
            }
        }
    }
    drop(watch);
    let seconds = began.elapsed().as_secs_f64();
    report(&training, folder, session.json, seconds)?;
    Ok(Exit::Success)
}

/// The archive that also receives the best games.
struct BestGames {
    archive: Archive,
    /// How many moves the last one had.
    best: usize,
}

impl BestGames {
    fn open(folder: &Path) -> Result<Self> {
        let archive = Archive::open_or_create(folder).context("--archive")?;
        Ok(Self { archive, best: 0 })
    }

    /// Adds the best game so far, if it is longer than the last one.
    fn add(&mut self, training: &TrainingRun) -> Result<()> {
        let best = training.best();
        if best.len() > self.best {
            let game = network_record(training.game(), best, &training.model())?;
            // A resumed training run has added it before.
            if self.archive.game(&game.id().to_string()).is_err() {
                let origin = format!("learn, iteration {}", training.iterations());
                self.archive.add_game(&game, &origin).context("--archive")?;
            }
            self.best = best.len();
        }
        Ok(())
    }
}

fn report(training: &TrainingRun, folder: &TrainingFolder, json: bool, seconds: f64) -> Result<()> {
    let last = training.curve().last();
    let view = TrainingView::new(training, folder.name(), seconds);
    if json {
        return print_json(&view);
    }
    let TrainingView { game, iterations, best, .. } = &view;
    let done = count(*iterations as usize, "iteration");
    match last {
        Some(entry) => print(format_args!(
            "{game}: {done}, best game {best} moves, verified; last mean {:.2} +- {:.2}",
            entry.mean, entry.error
        ))?,
        None => print(format_args!(
            "{game}: {done}; an unfinished iteration starts over, so allow more time"
        ))?,
    }
    if let Some(entry) = last {
        note(speeds(entry));
    }
    let name = folder.name();
    if training.is_over() {
        note(format_args!("complete; `morpion learn report {name}` shows the curve"));
    } else {
        note(format_args!("`morpion learn resume {name}` continues"));
    }
    note(format_args!("seed {}", training.seed()));
    Ok(())
}

fn speeds(entry: &CurvePoint) -> String {
    format!(
        "{:.1} games/s, {:.0} positions/s, {:.0} samples/s",
        entry.games_per_second(),
        entry.positions_per_second(),
        entry.samples_per_second()
    )
}

/// Shows the progress line and passes on Ctrl-C and the time limit.
struct Watch {
    name: String,
    last: std::sync::Mutex<Option<CurvePoint>>,
    deadline: Option<Instant>,
    stop: Arc<AtomicBool>,
    line: Progress,
}

impl Watch {
    fn done(&self, entry: Option<CurvePoint>) {
        *self.last.lock().expect("no thread panics holding this") = entry;
    }

    fn on(&self, iteration: u64, event: Event) -> ControlFlow<()> {
        if self.stop.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
        {
            return ControlFlow::Break(());
        }
        let doing = match event {
            Event::SelfPlay { done, total } => format!("game {done} of {total}"),
            Event::Learning { done, total } => format!("position {done} of {total}"),
            _ => "one game with tree search".to_owned(),
        };
        let last = *self.last.lock().expect("no thread panics holding this");
        let before = last.map_or_else(String::new, |entry| {
            let CurvePoint { mean, error, best, threshold, .. } = entry;
            format!(
                "; mean {mean:.1} +- {error:.1}, r_alpha {threshold}, best {best}; {}",
                speeds(&entry)
            )
        });
        self.line.show(format_args!("{}: iteration {iteration}, {doing}{before}", self.name));
        ControlFlow::Continue(())
    }
}
