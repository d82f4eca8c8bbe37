//! `morpion search`.

#[cfg(feature = "learn")]
mod guided;
#[cfg(not(feature = "learn"))]
#[path = "search/unguided.rs"]
mod guided;
mod runs;
mod state;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use evidence::VerifiedRecord;
use geometry::{Game, GameSymmetry, Move};
use hunt::{Checkpoint, Event, HuntBudget, HuntResult, HuntSpec, random_seed};
use lab::best_file::{self, BestFileError, write_if_longer};
use lab::checkpoint_file::CheckpointFile;
use lab::records;
use lab::view::SearchView;
use record::Record;
use search::{METHODS, MethodError, MethodSpec};

use super::game_file;
use crate::args::{GameArgs, all_cores, amount, duration, threads};
use crate::files;
use crate::interrupt::stop_flag;
use crate::output::{Advise, Exit, count, note, print, print_json};
use crate::progress::{ImprovementLog, Progress};

/// The default interval between saves.
const SAVE_EVERY: Duration = Duration::from_secs(15);

const EXAMPLES: &str = "\
Examples:
  morpion search 5D --for 30s -o best.json
  morpion search 5D --runs 8 --for 60s --threads 1 --target 82
  morpion search 4T --method random --playouts 100000 --seed 7 --threads 1 --json
  morpion search 5T --from record.json --keep 90 --for 5m
  morpion search --rules 5T --start dots.txt --target 40
  morpion search 5T --for 8h -o best.json --resume
  morpion search 5T --symmetric --for 5m
  morpion search 5T --method nrpa:level=5 --for 1h -o best.psol
  morpion search 5D --method learned --model model.net -p simulations=50 --for 5m";

/// Search for a long game
///
/// Every game is verified before it counts, and its length is shown beside the record. The same
/// --seed, --playouts and --threads find the same game; a search that ends by the clock on several
/// threads is not repeatable. Ctrl-C stops and keeps the best game. `morpion methods` lists the
/// methods. Games that need not end, like 3T, are cut at 10000 moves.
///
/// With --out best.json the search itself is saved in best.json.state. The same command with
/// --resume continues it after Ctrl-C, a crash or a power cut, and finds what it would have found
/// without the interruption. Without a saved search --resume starts a new one, so the same line can
/// be run after every reboot.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// Search method, one of `morpion methods`, perhaps with parameters: nrpa:level=4
    /// [default: auto]
    #[arg(long)]
    method: Option<String>,

    /// Parameter of the method, e.g. -p replicas=12
    #[arg(short, long = "parameter", value_name = "NAME=VALUE")]
    parameters: Vec<String>,

    /// Only games that are symmetric as a whole: half-turn, quarter-turn, mirror or
    /// diagonal-mirror; by the method temper
    #[arg(long, value_name = "SYMMETRY", num_args = 0..=1, require_equals = true,
        default_missing_value = "half-turn", conflicts_with = "from")]
    symmetric: Option<GameSymmetry>,

    /// Trained network (`morpion learn`): for --method learned, or as the prior of --method nrpa
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// Start from the moves of this game
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Start from only its first N moves
    #[arg(long, value_name = "N", requires = "from")]
    keep: Option<usize>,

    /// Time limit: 90s, 10m, 2h, or a number of seconds [default: 10s, unless --playouts or
    /// --target is given]
    #[arg(long = "for", aliases = ["time", "seconds"], value_name = "TIME", value_parser = duration,
        allow_hyphen_values = true)]
    time: Option<Duration>,

    /// Number of playouts, over all sessions of a resumed search
    #[arg(long, value_name = "N", value_parser = amount)]
    playouts: Option<u64>,

    /// Random seed [default: random, printed]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Number of threads [default: all cores]
    #[arg(long, aliases = ["cores", "jobs"], value_name = "N", value_parser = threads())]
    threads: Option<u32>,

    /// Make N searches with the seeds S, S + 1, ... and print the best, the mean and how many reach
    /// the target; --for and --playouts are for each of them
    #[arg(long, alias = "seeds", value_name = "N", conflicts_with = "resume",
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: Option<u32>,

    /// Stop at a game of N moves; exit code 1 if none is found. If none exists, that is said, and
    /// the search ends after 10s
    #[arg(long, value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..))]
    target: Option<u32>,

    /// Write the best game so far to this file, unless it holds a longer one: .psol, .msr, .svg and
    /// .png by the extension, otherwise native JSON
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Resume the search saved beside --out in FILE.state, if there is one; its method, seed,
    /// threads and first moves stay, --for is the time limit of this session
    #[arg(long, requires = "out")]
    resume: bool,

    /// Interval between saves of the search beside --out [default: 15s]
    #[arg(long, value_name = "TIME", value_parser = save_interval, allow_hyphen_values = true,
        requires = "out")]
    save_every: Option<Duration>,

    /// Print one JSON document: score, game, method, seed, threads, playouts, ...
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let game = args.game.game()?;
    if let Some(out) = &args.out {
        files::check_out(out)?;
        best_file::check_format(out, &game)?;
    }
    let from = match &args.from {
        Some(file) => Some(first_moves(file, &game, args.keep)?),
        None => None,
    };
    if let (Some(file), Some(from)) = (&args.from, &from)
        && is_over(&game, from)
    {
        bail!("--from {}: this game is over; give --keep N to go back", files::name(file));
    }
    let (name, listed) = match args.method.as_deref() {
        Some(text) => match text.split_once(':') {
            Some((name, listed)) => (Some(name), listed.split(',').map(str::to_owned).collect()),
            None => (Some(text), Vec::new()),
        },
        None => (None, Vec::new()),
    };
    let (name, symmetry) = match args.symmetric {
        Some(symmetry) => symmetric(symmetry, &game, name)?,
        None => (name, None),
    };
    let parameters = listed.iter().chain(&args.parameters).cloned().chain(symmetry);
    let parameters: Vec<String> = parameters.collect();
    let given = split_parameters(&parameters)?;
    if let Some(out) = &args.out {
        best_file::read(out, &game).advise("it would be replaced; choose another --out")?;
    }
    let began = Instant::now();
    let guided = guided::method_of(&args, name, &game, from.as_deref(), &given)?;
    let preparation = if guided.is_some() { began.elapsed() } else { Duration::ZERO };
    let file = match args.out.as_deref() {
        Some(out) if guided.is_none() && args.runs.is_none() => CheckpointFile::beside(out)?,
        _ => None,
    };
    let saved = match &file {
        Some(file) if args.resume => state::read(file)?,
        _ => None,
    };
    if let Some(out) = &args.out
        && !file.as_ref().is_some_and(|file| file.is_of(&game))
    {
        best_file::check_kind(out, &game).advise("choose another --out")?;
    }
    let mut spec = match &saved {
        Some(saved) => {
            let asked = state::ResumeFlags {
                game: &game,
                method: name,
                parameters: &given,
                from: from.as_deref(),
                seed: args.seed,
                threads: args.threads,
            };
            asked.check(&saved.spec)?;
            saved.spec.clone()
        }
        None => HuntSpec {
            prefix: from.unwrap_or_default(),
            method: match guided {
                Some(guided) => guided,
                None => method(name.unwrap_or("auto"), &game, &given)?,
            },
            game,
            seed: args.seed.unwrap_or_else(random_seed),
            threads: args.threads.unwrap_or_else(all_cores),
            budget: HuntBudget::default(),
        },
    };
    let impossible = args.target.and_then(|target| records::impossible(&spec.game, target));
    if let (Some(proof), Some(target)) = (&impossible, args.target) {
        note(format_args!("--target {target}: impossible, since {proof}"));
    }
    let unlimited = args.playouts.is_none() && (args.target.is_none() || impossible.is_some());
    spec.budget = HuntBudget {
        playouts: args.playouts,
        time: (args.time.or(unlimited.then_some(Duration::from_secs(10))))
            .map(|time| time.saturating_sub(preparation).max(Duration::from_millis(1))),
        target: args.target.map(|target| target as usize),
    };
    if let Some(file) = &file {
        state::announce(file, args.resume, saved.as_ref());
    }
    if args.out.is_none() && !args.json {
        note("the game will not be saved; --out FILE saves it");
    }
    let stop = stop_flag();
    if let Some(runs) = args.runs {
        return runs::run(&args, spec, runs, &stop);
    }
    let watch = Watch {
        spec: &spec,
        out: args.out.as_deref(),
        file: file.as_ref(),
        is_lost: AtomicBool::new(false),
        is_unsaved: AtomicBool::new(false),
        before: saved.as_ref().map_or(0, Checkpoint::playouts),
        began: Instant::now(),
        stop,
        line: Progress::new(),
        log: ImprovementLog::new(),
    };
    let resumed = saved.is_some();
    let every = file.as_ref().map(|_| args.save_every.unwrap_or(SAVE_EVERY));
    let on = |event: Event<'_>| watch.report(event);
    let find = match saved {
        Some(saved) => {
            let name = || file.as_ref().map_or_else(String::new, CheckpointFile::name);
            hunt::resume(saved, spec.budget, every, &on).with_context(name)?
        }
        None => hunt::run(&spec, every, &on)?,
    };
    let is_lost = watch.is_lost.load(Ordering::Relaxed);
    drop(watch);
    let written = match &args.out {
        Some(out) => match write_if_longer(out, find.game.record(), true) {
            Ok(written) => Some(written),
            Err(error) => {
                // The game must not be lost.
                print(find.game.to_json().trim_end())?;
                let error = anyhow::Error::new(error);
                return Err(error.context("the game found is on standard output"));
            }
        },
        None => None,
    };
    let view = SearchView {
        out: args.out.as_ref().map(|out| files::name(out)),
        state: file.as_ref().map(CheckpointFile::name),
        resumed,
        ..SearchView::new(&spec, &find, written)
    };
    report(&args, &spec, &find, view)?;
    let missed = spec.budget.target.is_some_and(|target| (find.game.score() as usize) < target);
    Ok(match missed {
        _ if is_lost => Exit::Error,
        true => Exit::Negative,
        false => Exit::Success,
    })
}

/// The method that finds symmetric games, and its parameter.
fn symmetric<'a>(
    symmetry: GameSymmetry,
    game: &Game,
    name: Option<&'a str>,
) -> Result<(Option<&'a str>, Option<String>)> {
    if symmetry.group(&game.start).is_none() {
        bail!("--symmetric={symmetry}: the starting dots do not have this symmetry");
    }
    let name = name.filter(|&name| name != "auto").unwrap_or("temper");
    if name != "temper" {
        bail!("--symmetric: the method {name} cannot; use --method temper");
    }
    Ok((Some(name), Some(format!("symmetry={}", symmetry.number()))))
}

/// The interval between saves: below 10 ms a search would do little else.
fn save_interval(text: &str) -> Result<Duration> {
    let interval = duration(text)?;
    if interval < Duration::from_millis(10) {
        bail!("the interval must be at least 10ms");
    }
    Ok(interval)
}

/// The first moves of `--from`, as many as `--keep` says.
fn first_moves(file: &Path, game: &Game, keep: Option<usize>) -> Result<Vec<Move>> {
    best_file::first_moves(file, game, keep).map_err(|error| match (error, keep) {
        (error @ BestFileError::Short { .. }, Some(keep)) => {
            anyhow::Error::new(error).context(format!("--keep {keep}"))
        }
        (error, _) => anyhow::Error::new(error).context("--from"),
    })
}

/// Whether no move is legal after these.
fn is_over(game: &Game, moves: &[Move]) -> bool {
    let record = Record::from_moves(game.clone(), moves.to_vec());
    VerifiedRecord::new(record).is_ok_and(|verified| verified.remaining_moves() == 0)
}

/// The names and values given with -p.
pub(crate) fn split_parameters(given: &[String]) -> Result<Vec<(&str, &str)>> {
    let split = |text: &'_ String| text.split_once('=').is_some();
    if let Some(text) = given.iter().find(|text| !split(text)) {
        bail!("-p {text}: write NAME=VALUE");
    }
    Ok(given.iter().filter_map(|text| text.split_once('=')).collect())
}

fn method(name: &str, game: &Game, given: &[(&str, &str)]) -> Result<MethodSpec> {
    let spec = MethodSpec::named(name, game, given.iter().copied());
    spec.map_err(|error| match error {
        MethodError::Unknown => {
            let near = lab::text::did_you_mean(name, METHODS.iter().map(|info| info.name));
            anyhow!("unknown method `{name}`{near} (`morpion methods` lists all)")
        }
        error => anyhow::Error::new(error).context(format!("--method {name}")),
    })
}

fn report(args: &Args, spec: &HuntSpec, found: &HuntResult, view: SearchView) -> Result<()> {
    if args.json {
        return print_json(&view);
    }
    print(format_args!("{}, verified", game_file::beside_record(&found.game)))?;
    if let (Some(held), Some(out)) = (view.kept, &args.out) {
        let (out, held) = (files::name(out), count(held, "move"));
        note(format_args!("{out} already holds a game of {held}; not replaced"));
    }
    if let (Some(target), Some(false)) = (view.target, view.reached) {
        print(format_args!("the target of {target} moves is missed"))?;
    }
    let info = spec.method.resolved();
    let auto = if spec.method.info().name == "auto" { " (auto)" } else { "" };
    note(format_args!(
        "{}{auto}: {} {} in {:.1} s on {}, seed {}",
        info.name,
        found.playouts,
        info.playout,
        found.wall.as_secs_f64(),
        count(spec.threads as usize, "thread"),
        spec.seed
    ));
    Ok(())
}

/// Shows the progress line, saves each improvement and passes Ctrl-C on.
struct Watch<'a> {
    spec: &'a HuntSpec,
    out: Option<&'a Path>,
    file: Option<&'a CheckpointFile>,
    /// Whether the last checkpoint could not be saved, which was reported.
    is_lost: AtomicBool,
    /// Whether it was said that the game cannot be written.
    is_unsaved: AtomicBool,
    /// Playouts of earlier sessions.
    before: u64,
    began: Instant,
    stop: Arc<AtomicBool>,
    line: Progress,
    log: ImprovementLog,
}

impl Watch<'_> {
    fn report(&self, event: Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Improved(record) => self.save_game(record),
            Event::Progress { best, playouts } => self.show(best, playouts),
            Event::Checkpoint(checkpoint) => {
                if let Some(file) = self.file {
                    state::save(file, checkpoint, &self.is_lost);
                }
            }
            _ => {}
        }
        match self.stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn save_game(&self, record: &Record) {
        let seconds = self.began.elapsed().as_secs_f64();
        let HuntSpec { game, seed, .. } = self.spec;
        let moves = record.lines().len();
        self.log.show(format_args!("{game}: {moves} moves after {seconds:.0} s, seed {seed}"));
        let Some(out) = self.out else { return };
        // It is saved again at the end at the latest.
        if let Err(error) = write_if_longer(out, record, false)
            && !self.is_unsaved.swap(true, Ordering::Relaxed)
        {
            note(format_args!("morpion: {:#}", anyhow::Error::new(error)));
        }
    }

    fn show(&self, best: usize, playouts: u64) {
        let seconds = self.began.elapsed().as_secs_f64();
        let rate = playouts.saturating_sub(self.before) as f64 / seconds / 1000.0;
        let HuntSpec { game, method, budget, .. } = self.spec;
        // Whichever comes first.
        let by_time = budget.time.map(|time| time.as_secs_f64() - seconds);
        let by_playouts =
            budget.playouts.map(|all| all.saturating_sub(playouts) as f64 / (rate * 1000.0));
        let left = [by_time, by_playouts].into_iter().flatten().reduce(f64::min);
        let left = left.filter(|left| left.is_finite());
        let left = left.map_or_else(String::new, |left| format!(", {:.0} s left", left.max(0.0)));
        let what = method.resolved().playout;
        let record = lab::records::record(game);
        let record = record.map_or_else(String::new, |it| format!(" (record {})", it.moves));
        self.line.show(format_args!(
            "{game}: best {best}{record}, {rate:.0}k {what}/s, {seconds:.0} s elapsed{left}"
        ));
    }
}
