//! `morpion search`.

#[cfg(feature = "learn")]
mod guided;
#[cfg(not(feature = "learn"))]
#[path = "search/unguided.rs"]
mod guided;
mod state;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use geometry::{Game, Move};
use hunt::{Checkpoint, Event, HuntBudget, HuntResult, HuntSpec, random_seed};
use lab::best_file::{self, BestFileError, write_if_longer};
use lab::view::SearchView;
use record::Record;
use search::MethodSpec;

use crate::args::{GameArgs, all_cores, amount, duration, threads};
use crate::files;
use crate::interrupt::stop_flag;
use crate::output::{Exit, count, note, print, print_json};
use crate::progress::Progress;

const EXAMPLES: &str = "\
Examples:
  morpion search 5D --for 30s --out best.json
  morpion search 4T --method random --playouts 100000 --seed 7 --threads 1 --json
  morpion search 5T --from record.json --keep 90 --for 5m
  morpion search --rules 5T --start dots.txt --target 40
  morpion search 5T --out best.json --for 8h --resume
  morpion search 5D --method learned --model model.net -p simulations=50 --for 5m";

/// Search for a long game
///
/// Every game is verified before it counts. The same --seed, --playouts and --threads find the same
/// game; a search that ends by the clock on several threads is not repeatable. Ctrl-C stops and
/// keeps the best game. `morpion methods` lists the methods. Games that need not end, like 3T, are
/// cut at 10000 moves.
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

    /// Search method, one of `morpion methods` [default: auto]
    #[arg(long)]
    method: Option<String>,

    /// Parameter of the method, e.g. -p replicas=12
    #[arg(short, long = "parameter", value_name = "NAME=VALUE")]
    parameters: Vec<String>,

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
    #[arg(long = "for", value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    time: Option<Duration>,

    /// Number of playouts, over all sessions of a resumed search
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = amount)]
    playouts: Option<u64>,

    /// Random seed [default: random, printed]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Number of threads [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads())]
    threads: Option<u32>,

    /// Stop at a game of N moves; exit code 1 if none is found
    #[arg(long, value_name = "N", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..))]
    target: Option<u32>,

    /// Write the best game so far to this file (native JSON), unless it holds a longer one
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
        files::check_writable(out)?;
    }
    let from = match &args.from {
        Some(file) => Some(first_moves(file, &game, args.keep)?),
        None => None,
    };
    let given = split_parameters(&args.parameters)?;
    if let Some(out) = &args.out {
        best_file::read(out, &game).context("choose another --out")?;
    }
    let guided = guided::method_of(&args, &game, from.as_deref(), &given)?;
    let keeper = match args.out.as_deref() {
        Some(out) if guided.is_none() => state::Keeper::beside(out, args.save_every)?,
        _ => None,
    };
    let saved = match &keeper {
        Some(keeper) if args.resume => keeper.read()?,
        _ => None,
    };
    let mut spec = match &saved {
        Some(saved) => {
            let asked = state::ResumeFlags {
                game: &game,
                method: args.method.as_deref(),
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
                None => method(args.method.as_deref().unwrap_or("auto"), &game, &given)?,
            },
            game,
            seed: args.seed.unwrap_or_else(random_seed),
            threads: args.threads.unwrap_or_else(all_cores),
            budget: HuntBudget::default(),
        },
    };
    let unlimited = args.playouts.is_none() && args.target.is_none();
    spec.budget = HuntBudget {
        playouts: args.playouts,
        time: args.time.or(unlimited.then_some(Duration::from_secs(10))),
        target: args.target.map(|target| target as usize),
    };
    if let Some(keeper) = &keeper {
        keeper.announce(args.resume, saved.as_ref());
    }
    let stop = stop_flag()?;
    let watch = Watch {
        spec: &spec,
        out: args.out.as_deref(),
        keeper: keeper.as_ref(),
        before: saved.as_ref().map_or(0, Checkpoint::playouts),
        began: Instant::now(),
        stop,
        line: Progress::new(),
    };
    let resumed = saved.is_some();
    let every = keeper.as_ref().map(state::Keeper::every);
    let on = |event: Event<'_>| watch.report(event);
    let find = match saved {
        Some(saved) => {
            let name = || keeper.as_ref().map_or_else(String::new, state::Keeper::name);
            hunt::resume(saved, spec.budget, every, &on).with_context(name)?
        }
        None => hunt::run(&spec, every, &on)?,
    };
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
        state: keeper.as_ref().map(state::Keeper::name),
        resumed,
        ..SearchView::new(&spec, &find, written)
    };
    report(&args, &spec, &find, view)?;
    let missed = spec.budget.target.is_some_and(|target| (find.game.score() as usize) < target);
    Ok(if missed { Exit::Negative } else { Exit::Success })
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

/// The names and values given with -p.
pub(crate) fn split_parameters(given: &[String]) -> Result<Vec<(&str, &str)>> {
    let split = |text: &'_ String| text.split_once('=').is_some();
    if let Some(text) = given.iter().find(|text| !split(text)) {
        bail!("-p {text}: write NAME=VALUE");
    }
    Ok(given.iter().filter_map(|text| text.split_once('=')).collect())
}

fn method(name: &str, game: &Game, given: &[(&str, &str)]) -> Result<MethodSpec> {
    MethodSpec::named(name, game, given.iter().copied()).with_context(|| format!("--method {name}"))
}

fn report(args: &Args, spec: &HuntSpec, found: &HuntResult, view: SearchView) -> Result<()> {
    if args.json {
        return print_json(&view);
    }
    print(format_args!("{}, verified", found.game))?;
    match (view.kept, &args.out) {
        (Some(held), Some(out)) => {
            let (out, held) = (files::name(out), count(held, "move"));
            note(format_args!("{out} already holds a game of {held}; not replaced"));
        }
        (_, None) => note("the game is not saved; use --out FILE to save it"),
        _ => {}
    }
    let info = spec.method.info();
    note(format_args!(
        "{}: {} {} in {:.1} s on {}, seed {}",
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
    keeper: Option<&'a state::Keeper>,
    /// Playouts of earlier sessions.
    before: u64,
    began: Instant,
    stop: Arc<AtomicBool>,
    line: Progress,
}

impl Watch<'_> {
    fn report(&self, event: Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Improved(record) => self.save_game(record),
            Event::Progress { best, playouts } => self.show(best, playouts),
            Event::Checkpoint(checkpoint) => {
                if let Some(keeper) = self.keeper {
                    keeper.save(checkpoint);
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
        let Some(out) = self.out else { return };
        // It is saved again at the end at the latest.
        if let Err(error) = write_if_longer(out, record, false) {
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
        let what = method.info().playout;
        self.line
            .show(format_args!("{game}: best {best}, {rate:.0}k {what}/s, {seconds:.0} s{left}"));
    }
}
