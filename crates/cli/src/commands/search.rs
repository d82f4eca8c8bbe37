//! `morpion search`.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use geometry::{Game, Move};
use record::Record;
use run::{Find, Hunt, Watcher, hunt};
use search::Method;
use serde::Serialize;
use serde_json::Value;

use super::judged;
use crate::args::{GameArgs, MAX_THREADS, all_cores, duration};
use crate::files;
use crate::output::{Answer, count, note, print, print_json};
use crate::progress::Progress;

/// Looks for a long game
///
/// The judge replays what is found before it counts. The same seed, --playouts and --threads find
/// the same game. Ctrl-C stops and keeps the best. `morpion methods` lists the methods. Games that
/// need not end, like 3T, are cut at 10000 moves.
///
/// Examples:
///   morpion search 5D --for 30s --out best.json
///   morpion search 4T --method random --playouts 100000 --seed 7 --threads 1 --json
///   morpion search 5T --from record.json --keep 90 --for 5m
///   morpion search --rules 5T --start dots.txt --target 40
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// How to search: one of `morpion methods`
    #[arg(long, default_value = "auto")]
    method: String,

    /// A parameter of the method, like -p replicas=12
    #[arg(short, long = "parameter", value_name = "NAME=VALUE")]
    parameters: Vec<String>,

    /// Begin with the moves of this game
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Begin with only its first N moves
    #[arg(long, value_name = "N", requires = "from")]
    keep: Option<usize>,

    /// How long to search: 90s, 10m, 2h, or a number of seconds [default: 10s, unless --playouts or --target
    /// is given]
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<Duration>,

    /// How many games to play
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,

    /// Where every random choice comes from [default: drawn, and printed]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// How many threads search [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_THREADS)))]
    threads: Option<u32>,

    /// Stop at a game of this many moves; exit code 1 if none was found
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    target: Option<u32>,

    /// Keep the best game so far in this file (native JSON); a longer game of an earlier search stays
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

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
    let method = method(&args, &game)?;
    let from = match &args.from {
        Some(file) => first_moves(file, &game, args.keep)?,
        None => Vec::new(),
    };
    if let Some(out) = &args.out {
        held(out, &game)?;
    }
    let unlimited = args.playouts.is_none() && args.target.is_none();
    let wish = Hunt {
        game: game.clone(),
        from,
        method,
        seed: args.seed.unwrap_or_else(drawn_seed),
        threads: args.threads.unwrap_or_else(all_cores),
        playouts: args.playouts,
        time: args.time.or(unlimited.then_some(Duration::from_secs(10))),
        target: args.target.map(|target| target as usize),
    };
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    ctrlc::set_handler(move || asked.store(true, Ordering::Relaxed))
        .context("cannot listen to Ctrl-C")?;
    let watch = Watch {
        wish: &wish,
        out: args.out.as_deref(),
        began: Instant::now(),
        stop,
        line: Progress::new(),
        ours: AtomicUsize::new(0),
    };
    let find = hunt(&wish, &watch)?;
    let ours = watch.ours.load(Ordering::Relaxed);
    drop(watch);
    let saved = match &args.out {
        Some(out) => match save_longer(out, &find.record, ours) {
            Ok(saved) => Some(saved),
            Err(trouble) => {
                // The game is worth more than clean output.
                print(find.record.to_json().trim_end())?;
                return Err(trouble.context("the game found is on standard output"));
            }
        },
        None => None,
    };
    report(&args, &wish, &find, saved)?;
    let missed = wish.target.is_some_and(|target| (find.verified.score() as usize) < target);
    Ok(if missed { Answer::No } else { Answer::Yes })
}

fn method(args: &Args, game: &Game) -> Result<Method> {
    let split = |text: &'_ String| -> Result<(String, String)> {
        let pair = text.split_once('=').with_context(|| format!("-p {text}: write NAME=VALUE"))?;
        Ok((pair.0.to_owned(), pair.1.to_owned()))
    };
    let given: Vec<(String, String)> = args.parameters.iter().map(split).collect::<Result<_>>()?;
    let given = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Method::named(&args.method, game, given).with_context(|| format!("--method {}", args.method))
}

/// What became of a game that was to be saved.
#[derive(Clone, Copy)]
enum Saved {
    /// It is in the file.
    Written,
    /// The file keeps a game of so many moves.
    Kept(usize),
}

/// Writes a game unless the file holds one as long by now. A file that holds anything else is not
/// touched.
///
/// `ours` is the length of the game that this search has written there before: that one is replaced
/// by itself with all that is known of it at the end.
fn save_longer(out: &Path, record: &Record, ours: usize) -> Result<Saved> {
    files::exclusively(out, || {
        let (held, found) = (held(out, &record.game)?, record.lines().len());
        if held > found || held == found && held > 0 && held != ours {
            return Ok(Saved::Kept(held));
        }
        files::write_now(out, record.to_json().as_bytes())?;
        Ok(Saved::Written)
    })
}

/// How long the game is that `out` holds already.
fn held(out: &Path, game: &Game) -> Result<usize> {
    if !out.is_file() {
        return Ok(0);
    }
    let name = files::name(out);
    let held = judged::judge(out, Some(game)).context("choose another --out")?.verdict;
    let held = held.with_context(|| format!("{name} holds no legal game; choose another --out"))?;
    Ok(held.score() as usize)
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
fn drawn_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 11
}

fn report(args: &Args, wish: &Hunt, find: &Find, saved: Option<Saved>) -> Result<()> {
    let game = &find.verified;
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
        "{}: {} {} in {:.1} s on {} threads, seed {}",
        wish.method.info().name,
        find.playouts,
        wish.method.info().playout,
        find.wall.as_secs_f64(),
        wish.threads,
        wish.seed
    ));
    Ok(())
}

/// Shows the live line, saves each improvement and passes Ctrl-C on.
struct Watch<'a> {
    wish: &'a Hunt,
    out: Option<&'a Path>,
    began: Instant,
    stop: Arc<AtomicBool>,
    line: Progress,
    /// The length of the game that was last written to `out`.
    ours: AtomicUsize,
}

impl Watcher for Watch<'_> {
    fn improved(&self, record: &Record) {
        let Some(out) = self.out else { return };
        match save_longer(out, record, self.ours.load(Ordering::Relaxed)) {
            Ok(Saved::Written) => self.ours.store(record.lines().len(), Ordering::Relaxed),
            Ok(Saved::Kept(_)) => {}
            // There will be another chance, at the end at the latest.
            Err(trouble) => note(format_args!("morpion: {trouble:#}")),
        }
    }

    fn stands(&self, best: usize, playouts: u64) {
        let seconds = self.began.elapsed().as_secs_f64();
        let rate = playouts as f64 / seconds / 1000.0;
        let Hunt { game, method, time, .. } = self.wish;
        let left = time.map_or_else(String::new, |time| {
            format!(", {:.0} s left", (time.as_secs_f64() - seconds).max(0.0))
        });
        let what = method.info().playout;
        self.line
            .show(format_args!("{game}: best {best}, {rate:.0}k {what}/s, {seconds:.0} s{left}"));
    }

    fn wants_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
