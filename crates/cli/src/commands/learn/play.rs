//! `morpion learn play`.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{Result, bail};
use learn::{Model, Network, Played, Style, Team, interval};
use serde::Serialize;

use super::{judged_record, read_model};
use crate::args::{MAX_THREADS, all_cores};
use crate::commands::search::{drawn_seed, save_longer};
use crate::files;
use crate::interrupt::stop_flag;
use crate::output::{Answer, note, print, print_json};

/// Lets a trained network play, beside the same network before its training
///
/// Both play the same number of games with the same seed. Exit code 0 if the trained one is better on
/// average, beyond its 95 % interval; 1 if not.
#[derive(clap::Args)]
pub(super) struct Args {
    /// A model, or the state of a training
    #[arg(long, value_name = "FILE")]
    model: PathBuf,

    /// How many games each plays
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    games: u32,

    /// Simulations of a tree search for each move; 0: the policy of the network alone
    #[arg(long, value_name = "M", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    simulations: u32,

    /// Where every random choice comes from [default: drawn, and printed]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// How many threads play [default: all cores]; the games do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_THREADS)))]
    threads: Option<u32>,

    /// Keep the best game in this file (native JSON); a longer game stays
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Contest {
    game: String,
    games: u32,
    simulations: u32,
    seed: u64,
    iterations: u64,
    trained: Side,
    untrained: Side,
    /// How much better the trained one is on average, and the half length of the 95 % interval.
    difference: f64,
    error: f64,
    better: bool,
    verified: bool,
    out: Option<String>,
}

#[derive(Serialize)]
struct Side {
    mean: f64,
    error: f64,
    best: usize,
    cut: usize,
    games_per_second: f64,
    positions_per_second: f64,
}

pub(super) fn run(args: &Args) -> Result<Answer> {
    let model = read_model(&args.model)?;
    if let Some(out) = &args.out {
        files::check_writable(out)?;
    }
    let stop = stop_flag()?;
    let seed = args.seed.unwrap_or_else(drawn_seed);
    let style = Style { simulations: args.simulations as usize, ..Style::by_policy() };
    let team = Team { group: 32, threads: args.threads.unwrap_or_else(all_cores) as usize };
    let play = |network: &Network| -> Result<(Vec<Played>, Side)> {
        let began = Instant::now();
        let is_over = || stop.load(Ordering::Relaxed);
        let games = args.games as usize;
        let played = team.play_games(&model.frame, network, &style, games, seed, &is_over);
        let Some(played) = played else { bail!("stopped") };
        let side = side(&played, began.elapsed().as_secs_f64());
        Ok((played, side))
    };
    let (games, trained) = play(&model.network)?;
    let (_, untrained) = play(&model.untrained())?;
    let best = games.iter().map(|game| &game.best).max_by_key(|best| best.len());
    let best = best.map_or(&[][..], |best| best);
    let record = judged_record(model.frame.game(), best, &model)?;
    if let Some(out) = &args.out {
        save_longer(out, &record, true)?;
    }
    let difference = trained.mean - untrained.mean;
    let error = trained.error.hypot(untrained.error);
    let contest = Contest {
        game: model.frame.game().to_string(),
        games: args.games,
        simulations: args.simulations,
        seed,
        iterations: model.iterations,
        trained,
        untrained,
        difference,
        error,
        better: difference > error,
        verified: true,
        out: args.out.as_ref().map(|out| files::name(out)),
    };
    tell(&contest, &model, args.json)?;
    Ok(if contest.better { Answer::Yes } else { Answer::No })
}

fn side(games: &[Played], seconds: f64) -> Side {
    let lengths: Vec<f64> = games.iter().map(|game| game.moves.len() as f64).collect();
    let (mean, error) = interval(&lengths);
    let positions: u64 = games.iter().map(|game| game.positions).sum();
    Side {
        mean,
        error,
        best: games.iter().map(|game| game.best.len()).max().unwrap_or(0),
        cut: games.iter().filter(|game| game.is_cut).count(),
        games_per_second: games.len() as f64 / seconds,
        positions_per_second: positions as f64 / seconds,
    }
}

fn tell(contest: &Contest, model: &Model, json: bool) -> Result<()> {
    if json {
        return print_json(contest);
    }
    let sides = [("trained", &contest.trained), ("untrained", &contest.untrained)];
    for (name, side) in sides {
        let Side { mean, error, best, cut, games_per_second, positions_per_second } = side;
        print(format_args!(
            "{name:<9}  mean {mean:.2} +- {error:.2}, best {best}, cut off {cut}; \
             {games_per_second:.1} games/s, {positions_per_second:.0} positions/s"
        ))?;
    }
    let Contest { game, games, difference, error, .. } = contest;
    let verdict = if contest.better { "better" } else { "not better" };
    print(format_args!(
        "{game}: after {} iterations {verdict}: {difference:+.2} +- {error:.2} moves over {games} games",
        model.iterations
    ))?;
    note(format_args!("seed {}", contest.seed));
    Ok(())
}
