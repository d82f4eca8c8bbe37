//! `morpion learn play`.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::Result;
use geometry::Move;
use lab::best_file::write_if_longer;
use lab::training_folder::{network_record, read_network};
use lab::view::{ContestView, PlayerView};
use learn::{Cancelled, Episode, MoveSelection, Network, NetworkFile, SelfPlay};

use crate::args::{all_cores, threads};
use crate::files;
use crate::interrupt::{Interruption, TimeLimit};
use crate::output::{Exit, count, note, print, print_json};

/// Play games with a trained network and with the same network before training
///
/// Both play the same number of games with the same seed. Exit code 0 if the trained network is
/// better on average, beyond its 95 % confidence interval; 1 if not. Both take turns, so that
/// Ctrl-C and --for leave as many games of each to compare.
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

/// How many games are played side by side.
const GROUP: u64 = 32;

/// The games of one side.
#[derive(Default)]
struct Side {
    games: Vec<Episode>,
    /// The longest game, those that did not end included.
    best: Vec<Move>,
    seconds: f64,
}

impl Side {
    fn add(&mut self, (games, seconds): (Vec<Episode>, f64)) {
        self.games.extend(games);
        self.seconds += seconds;
    }
}

pub(super) fn run(args: &Args) -> Result<Exit> {
    let model = read_network(&args.model)?;
    if let Some(out) = &args.out {
        files::check_writable(out)?;
    }
    let stop = args.limit.stop_flag();
    let seed = args.seed.unwrap_or_else(hunt::random_seed);
    let selection =
        MoveSelection { simulations: args.simulations as usize, ..MoveSelection::by_policy() };
    let threads = args.threads.unwrap_or_else(all_cores);
    let self_play = SelfPlay { group: GROUP as usize, threads: threads as usize };
    // The games of a turn and its seconds, unless it was cut.
    let play = |network: &Network, best: &mut Vec<Move>, numbers: Range<u64>| {
        let began = Instant::now();
        let is_over = || stop.load(Ordering::Relaxed);
        let played =
            self_play.play_games(&model.encoder, network, &selection, numbers, seed, &is_over);
        let seconds = began.elapsed().as_secs_f64();
        let is_complete = played.is_ok();
        let games = played.unwrap_or_else(|Cancelled(games)| games);
        for game in &games {
            if game.best.len() > best.len() {
                best.clone_from(&game.best);
            }
        }
        is_complete.then_some((games, seconds))
    };
    let untrained_network = model.untrained();
    let (mut trained, mut untrained) = (Side::default(), Side::default());
    let (mut from, all) = (0, u64::from(args.games));
    while from < all {
        let next = from..all.min(from + GROUP * u64::from(threads));
        // A turn that the other side has not had is not compared.
        let Some(turn) = play(&model.network, &mut trained.best, next.clone()) else { break };
        let other = play(&untrained_network, &mut untrained.best, next.clone());
        let Some(other) = other else { break };
        trained.add(turn);
        untrained.add(other);
        from = next.end;
    }
    let record = network_record(model.encoder.game(), &trained.best, &model)?;
    if let Some(out) = &args.out {
        write_if_longer(out, record.record(), true)?;
    }
    if from == 0 {
        let best = count(trained.best.len(), "move");
        let text = format!(
            "no comparison, since {} of each were not finished; the best so far has {best}",
            count(all.min(GROUP * u64::from(threads)) as usize, "game")
        );
        return Err(Interruption(text).into());
    }
    if from < all {
        note(format_args!("stopped after {from} of {} of each", count(all as usize, "game")));
    }
    let view = |side: &Side| PlayerView::new(&side.games, side.seconds);
    let (trained, untrained) = (view(&trained), view(&untrained));
    let difference = trained.mean - untrained.mean;
    let error = trained.error.hypot(untrained.error);
    let contest = ContestView {
        game: model.encoder.game().to_string(),
        games: from as u32,
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
