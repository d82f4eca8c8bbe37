//! `morpion search`.

#[cfg(feature = "learn")]
mod guided;
#[cfg(not(feature = "learn"))]
#[path = "search/unguided.rs"]
mod guided;
mod state;

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use geometry::{Game, Move};
use hunt::{Find, Hunt, SavedHunt, Watcher, hunt, resume};
use record::{Provenance, Record};
use search::Method;
use serde::Serialize;
use serde_json::Value;

use super::judged;
use crate::args::{GameArgs, MAX_THREADS, all_cores, amount, duration};
use crate::files;
use crate::interrupt::stop_flag;
use crate::output::{Answer, count, note, print, print_json};
use crate::progress::Progress;

/// Looks for a long game
///
/// The judge replays what is found before it counts. The same seed, --playouts and --threads find
/// the same game. Ctrl-C stops and keeps the best. `morpion methods` lists the methods. Games that
/// need not end, like 3T, are cut at 10000 moves.
///
/// With --out best.json the search itself is kept in best.json.state: the same command with --resume
/// goes on where it stood, after Ctrl-C, a crash or a power cut, and finds what it would have found
/// without them. Where there is no state yet --resume begins a new search, so that one line can be run
/// again after every reboot.
///
/// Examples:
///   morpion search 5D --for 30s --out best.json
///   morpion search 4T --method random --playouts 100000 --seed 7 --threads 1 --json
///   morpion search 5T --from record.json --keep 90 --for 5m
///   morpion search --rules 5T --start dots.txt --target 40
///   morpion search 5T --out best.json --for 8h --resume
///   morpion search 5D --method learned --model model.net -p simulations=50 --for 5m
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// How to search: one of `morpion methods` [default: auto]
    #[arg(long)]
    method: Option<String>,

    /// A parameter of the method, like -p replicas=12
    #[arg(short, long = "parameter", value_name = "NAME=VALUE")]
    parameters: Vec<String>,

    /// A trained network, for --method learned, or for --method nrpa to begin with (`morpion learn`)
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// Begin with the moves of this game
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Begin with only its first N moves
    #[arg(long, value_name = "N", requires = "from")]
    keep: Option<usize>,

    /// How long to search: 90s, 10m, 2h, or a number of seconds [default: 10s, unless --playouts or --target
    /// is given]
    #[arg(long = "for", value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    time: Option<Duration>,

    /// How many games to play, in all sessions of a search that is resumed
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = amount)]
    playouts: Option<u64>,

    /// Where every random choice comes from [default: drawn, and printed]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,

    /// How many threads search [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_THREADS)))]
    threads: Option<u32>,

    /// Stop at a game of this many moves; exit code 1 if none was found
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    target: Option<u32>,

    /// Keep the best game so far in this file (native JSON); a longer game of an earlier search stays
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Go on with the search that is kept beside --out, in FILE.state, if there is one: its method, seed,
    /// threads and first moves stay, --for is the time of this session
    #[arg(long, requires = "out")]
    resume: bool,

    /// How often to save the search beside --out [default: 15s]
    #[arg(long, value_name = "TIME", value_parser = pause, allow_hyphen_values = true, requires = "out")]
    save_every: Option<Duration>,

    /// Print one JSON document: score, game, method, seed, threads, playouts, ...
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Found {
    score: u32,
    left: u64,
    game: String,
    start: String,
    method: &'static str,
    parameters: BTreeMap<&'static str, f64>,
    seed: u64,
    threads: u32,
    playouts: u64,
    cpu_seconds: f64,
    wall_seconds: f64,
    verified: bool,
    out: Option<String>,
    /// Where the search itself is kept, to be resumed.
    state: Option<String>,
    /// Whether it went on from there.
    resumed: bool,
    /// The length of the game that `out` keeps instead, if it is as long or longer.
    kept: Option<usize>,
    /// The game itself in the native format, if it was not saved.
    record: Option<Value>,
}

pub(crate) fn run(args: Args) -> Result<Answer> {
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
        held(out, &game)?;
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
    let mut wish = match &saved {
        Some(saved) => {
            let asked = state::Asked {
                game: &game,
                method: args.method.as_deref(),
                parameters: &given,
                from: from.as_deref(),
                seed: args.seed,
                threads: args.threads,
            };
            asked.check(&saved.hunt)?;
            saved.hunt.clone()
        }
        None => Hunt {
            from: from.unwrap_or_default(),
            method: match guided {
                Some(guided) => guided,
                None => method(args.method.as_deref().unwrap_or("auto"), &game, &given)?,
            },
            game,
            seed: args.seed.unwrap_or_else(drawn_seed),
            threads: args.threads.unwrap_or_else(all_cores),
            playouts: None,
            time: None,
            target: None,
        },
    };
    let unlimited = args.playouts.is_none() && args.target.is_none();
    wish.playouts = args.playouts;
    wish.time = args.time.or(unlimited.then_some(Duration::from_secs(10)));
    wish.target = args.target.map(|target| target as usize);
    if let Some(keeper) = &keeper {
        keeper.tell(args.resume, saved.as_ref());
    }
    let stop = stop_flag()?;
    let watch = Watch {
        wish: &wish,
        out: args.out.as_deref(),
        keeper: keeper.as_ref(),
        before: saved.as_ref().map_or(0, SavedHunt::playouts),
        began: Instant::now(),
        stop,
        line: Progress::new(),
    };
    let resumed = saved.is_some();
    let find = match saved {
        Some(mut saved) => {
            saved.hunt = wish.clone();
            let name = || keeper.as_ref().map_or_else(String::new, state::Keeper::name);
            resume(saved, &watch).with_context(name)?
        }
        None => hunt(&wish, &watch)?,
    };
    drop(watch);
    let written = match &args.out {
        Some(out) => match save_longer(out, &find.record, true) {
            Ok(written) => Some(written),
            Err(trouble) => {
                // The game is worth more than clean output.
                print(find.record.to_json().trim_end())?;
                return Err(trouble.context("the game found is on standard output"));
            }
        },
        None => None,
    };
    let kept = keeper.as_ref().map(state::Keeper::name);
    report(&args, &wish, &find, Ending { saved: written, state: kept, resumed })?;
    let missed = wish.target.is_some_and(|target| (find.verified.score() as usize) < target);
    Ok(if missed { Answer::No } else { Answer::Yes })
}

/// How often a search is saved: more often than this, it would do little else.
fn pause(text: &str) -> Result<Duration> {
    let pause = duration(text)?;
    if pause < Duration::from_millis(10) {
        bail!("a search is saved at most every 10ms");
    }
    Ok(pause)
}

/// The names and values given with -p.
pub(crate) fn split_parameters(given: &[String]) -> Result<Vec<(&str, &str)>> {
    let split = |text: &'_ String| text.split_once('=').is_some();
    if let Some(text) = given.iter().find(|text| !split(text)) {
        bail!("-p {text}: write NAME=VALUE");
    }
    Ok(given.iter().filter_map(|text| text.split_once('=')).collect())
}

fn method(name: &str, game: &Game, given: &[(&str, &str)]) -> Result<Method> {
    Method::named(name, game, given.iter().copied()).with_context(|| format!("--method {name}"))
}

/// What became of a game that was to be saved.
#[derive(Clone, Copy)]
pub(crate) enum Saved {
    /// It is in the file.
    Written,
    /// The file keeps a game of so many moves.
    Kept(usize),
}

/// Writes a game unless the file holds one as long by now. A file that holds anything else is not
/// touched.
///
/// At the `last` time a game as long that this very search has written before, in this session or
/// an earlier one, is replaced by what is known of it now.
pub(crate) fn save_longer(out: &Path, record: &Record, last: bool) -> Result<Saved> {
    files::exclusively(out, || {
        let found = record.lines().len();
        if let Some(held) = held(out, &record.game)? {
            let ours = last && is_of_same_search(&held.provenance, &record.provenance);
            if held.score > found || held.score == found && held.score > 0 && !ours {
                return Ok(Saved::Kept(held.score));
            }
        }
        files::write_now(out, record.to_json().as_bytes())?;
        Ok(Saved::Written)
    })
}

fn is_of_same_search(one: &Provenance, other: &Provenance) -> bool {
    let search = |of: &Provenance| {
        let (playouts, cpu_seconds) = (None, None);
        Provenance { playouts, cpu_seconds, ..of.clone() }
    };
    search(one) == search(other)
}

/// The game that a file holds already.
struct Held {
    score: usize,
    provenance: Provenance,
}

fn held(out: &Path, game: &Game) -> Result<Option<Held>> {
    if !out.is_file() {
        return Ok(None);
    }
    let name = files::name(out);
    let held = judged::judge(out, Some(game)).context("choose another --out")?;
    let game = held
        .verdict
        .with_context(|| format!("{name} holds no legal game; choose another --out"))?;
    let provenance = held.record.map(|record| record.provenance).unwrap_or_default();
    Ok(Some(Held { score: game.score() as usize, provenance }))
}

/// The first moves of a game of a file, which must be legal.
fn first_moves(file: &Path, game: &Game, keep: Option<usize>) -> Result<Vec<Move>> {
    let name = files::name(file);
    let found = judged::judge(file, Some(game))?.verdict;
    let mut moves = judged::moves(&found.with_context(|| format!("--from {name}"))?);
    let keep = keep.unwrap_or(moves.len());
    if keep > moves.len() {
        bail!("--keep {keep}: {name} has only {} moves", moves.len());
    }
    moves.truncate(keep);
    Ok(moves)
}

/// A seed from the system's own chance, small enough to be exact in every JSON reader.
pub(crate) fn drawn_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 11
}

/// What became of the game and of the search.
struct Ending {
    saved: Option<Saved>,
    state: Option<String>,
    resumed: bool,
}

fn report(args: &Args, wish: &Hunt, find: &Find, ending: Ending) -> Result<()> {
    let (game, saved) = (&find.verified, ending.saved);
    if args.json {
        let seconds = |time: Duration| (time.as_secs_f64() * 1000.0).round() / 1000.0;
        return print_json(&Found {
            score: game.score(),
            left: game.left(),
            game: game.rules().to_string(),
            start: game.start().to_string(),
            method: wish.method.info().name,
            parameters: wish.method.values().iter().collect(),
            seed: wish.seed,
            threads: wish.threads,
            playouts: find.playouts,
            cpu_seconds: seconds(find.cpu),
            wall_seconds: seconds(find.wall),
            verified: true,
            out: args.out.as_ref().map(|out| files::name(out)),
            state: ending.state,
            resumed: ending.resumed,
            kept: match saved {
                Some(Saved::Kept(held)) => Some(held),
                _ => None,
            },
            record: match saved {
                Some(Saved::Written) => None,
                _ => Some(serde_json::from_str(&find.record.to_json())?),
            },
        });
    }
    print(format_args!("{}, verified", judged::summary(game)))?;
    match (saved, &args.out) {
        (Some(Saved::Kept(held)), Some(out)) => {
            note(format_args!("{} keeps its game of {}", files::name(out), count(held, "move")));
        }
        (None, _) => note("the game is not saved; --out FILE saves it"),
        _ => {}
    }
    note(format_args!(
        "{}: {} {} in {:.1} s on {}, seed {}",
        wish.method.info().name,
        find.playouts,
        wish.method.info().playout,
        find.wall.as_secs_f64(),
        count(wish.threads as usize, "thread"),
        wish.seed
    ));
    Ok(())
}

/// Shows the live line, saves each improvement and passes Ctrl-C on.
struct Watch<'a> {
    wish: &'a Hunt,
    out: Option<&'a Path>,
    keeper: Option<&'a state::Keeper>,
    /// How many playouts earlier sessions have made.
    before: u64,
    began: Instant,
    stop: Arc<AtomicBool>,
    line: Progress,
}

impl Watcher for Watch<'_> {
    fn improved(&self, record: &Record) {
        let Some(out) = self.out else { return };
        // There will be another chance, at the end at the latest.
        if let Err(trouble) = save_longer(out, record, false) {
            note(format_args!("morpion: {trouble:#}"));
        }
    }

    fn stands(&self, best: usize, playouts: u64) {
        let seconds = self.began.elapsed().as_secs_f64();
        let rate = playouts.saturating_sub(self.before) as f64 / seconds / 1000.0;
        let Hunt { game, method, time, playouts: all, .. } = self.wish;
        // Whichever comes first: the time is over, or the playouts are made.
        let by_time = time.map(|time| time.as_secs_f64() - seconds);
        let by_playouts = all.map(|all| all.saturating_sub(playouts) as f64 / (rate * 1000.0));
        let left = [by_time, by_playouts].into_iter().flatten().reduce(f64::min);
        let left = left.filter(|left| left.is_finite());
        let left = left.map_or_else(String::new, |left| format!(", {:.0} s left", left.max(0.0)));
        let what = method.info().playout;
        self.line
            .show(format_args!("{game}: best {best}, {rate:.0}k {what}/s, {seconds:.0} s{left}"));
    }

    fn wants_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn save_every(&self) -> Option<Duration> {
        self.keeper.map(state::Keeper::every)
    }

    fn save(&self, saved: &SavedHunt) {
        if let Some(keeper) = self.keeper {
            keeper.save(saved);
        }
    }
}
