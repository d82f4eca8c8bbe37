//! `morpion learn play`.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::{Result, bail};
use lab::best_file::write_if_longer;
use lab::training_folder::{network_record, read_network};
use lab::view::{ContestView, PlayerView};
use learn::{Episode, MoveSelection, Network, NetworkFile, SelfPlay};

use crate::args::{all_cores, threads};
use crate::files;
use crate::interrupt::TimeLimit;
use crate::output::{Exit, note, print, print_json};

/// Play games with a trained network and with the same network before training
///
/// Both play the same number of games with the same seed. Exit code 0 if the trained network is
/// better on average, beyond its 95 % confidence interval; 1 if not.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Network file, or the state of a training run
    #[arg(long, value_name = "FILE")]
    model: PathBuf,

    /// Number of games for each
    #[arg(long, value_name = "N", default_value_t = 100,
        value_parser = clap::value_parser!(u32).range(2..=10_000_000))]
    games: u32,

    /// Tree search simulations per move; 0 for the policy alone
    #[arg(long, value_name = "M", default_value_t = 0,
        value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    simulations: u32,

    /// Random seed [default: random, printed]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    #[command(flatten)]
    limit: TimeLimit,

    /// Number of threads [default: all cores]; the games do not depend on it
    #[arg(long, value_name = "N", value_parser = threads())]
    threads: Option<u32>,

    /// Write the best game to this file (native JSON), unless it holds a longer one
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<Exit> {
    let model = read_network(&args.model)?;
    if let Some(out) = &args.out {
        files::check_writable(out)?;
    }
    let stop = args.limit.stop_flag()?;
    let seed = args.seed.unwrap_or_else(hunt::random_seed);
    let selection =
        MoveSelection { simulations: args.simulations as usize, ..MoveSelection::by_policy() };
    let self_play =
        SelfPlay { group: 32, threads: args.threads.unwrap_or_else(all_cores) as usize };
    let play = |network: &Network| -> Result<(Vec<Episode>, PlayerView)> {
        let began = Instant::now();
        let is_over = || stop.load(Ordering::Relaxed);
        let games = args.games as usize;
        let played =
            self_play.play_games(&model.encoder, network, &selection, games, seed, &is_over);
        let Some(played) = played else { bail!("stopped") };
        let side = PlayerView::new(&played, began.elapsed().as_secs_f64());
        Ok((played, side))
    };
    let (games, trained) = play(&model.network)?;
    let (_, untrained) = play(&model.untrained())?;
    let best = games.iter().map(|game| &game.best).max_by_key(|best| best.len());
    let best = best.map_or(&[][..], |best| best);
    let record = network_record(model.encoder.game(), best, &model)?;
    if let Some(out) = &args.out {
        write_if_longer(out, record.record(), true)?;
    }
    let difference = trained.mean - untrained.mean;
    let error = trained.error.hypot(untrained.error);
    let contest = ContestView {
        game: model.encoder.game().to_string(),
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
    report(&contest, &model, args.json)?;
    Ok(if contest.better { Exit::Success } else { Exit::Negative })
}

fn report(contest: &ContestView, model: &NetworkFile, json: bool) -> Result<()> {
    if json {
        return print_json(contest);
    }
    let sides = [("trained", &contest.trained), ("untrained", &contest.untrained)];
    for (name, side) in sides {
        let PlayerView { mean, error, best, cut, games_per_second, positions_per_second } = side;
        print(format_args!(
            "{name:<9}  mean {mean:.2} +- {error:.2}, best {best}, cut off {cut}; \
             {games_per_second:.1} games/s, {positions_per_second:.0} positions/s"
        ))?;
    }
    let ContestView { game, games, difference, error, .. } = contest;
    let verdict = if contest.better { "better" } else { "not better" };
    print(format_args!(
        "{game}: {verdict} after {} iterations: {difference:+.2} +- {error:.2} moves over {games} \
         games",
        model.iterations
    ))?;
    note(format_args!("seed {}", contest.seed));
    Ok(())
}
