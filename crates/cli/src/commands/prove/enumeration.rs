//! `morpion prove enumeration`.

use anyhow::{Result, bail};
use geometry::Game;
use lab::prove::enumeration::{Enumeration, Event, count};
use lab::view::EnumerationView;

use super::{WorkArgs, check_not_endless, continue_unless};
use crate::files;
use crate::output::{Exit, print, print_json};
use crate::progress::Progress;

/// Count all positions by number of moves, and so find the longest games: 4D, 6D
///
/// Leaves the counts of all parts in the folder, which the program can make again, and no
/// certificate.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let work = args.work;
    work.check_finite()?;
    check_countable(&work.game)?;
    let (game, stop, line) = (&work.game, work.stop_flag()?, Progress::new());
    let counted = count(game, &work.out, work.threads(), &|Event::Progress { done, total }| {
        let share = 100.0 * done as f64 / total as f64;
        line.show(format_args!("{done} of {total} parts counted, {share:.1} %"));
        continue_unless(&stop)
    });
    drop(line);
    let counted = counted.map_err(|error| work.explain(error))?;
    let Enumeration { positions, classes, parts, file } = counted;
    let longest = positions.len() - 1;
    if work.json {
        print_json(&EnumerationView {
            game: game.to_string(),
            by: "enumeration",
            longest,
            positions,
            classes,
            parts,
            journal: files::name(&file),
        })?;
        return Ok(Exit::Success);
    }
    print("moves positions up-to-symmetry")?;
    for (moves, (positions, classes)) in positions.iter().zip(&classes).enumerate() {
        print(format_args!("{moves} {positions} {classes}"))?;
    }
    let all: u128 = positions.iter().sum();
    print(format_args!("{game}: the longest games have {longest} moves; {all} positions"))?;
    Ok(Exit::Success)
}

/// An error if the positions of a game are too many to count them all.
pub(crate) fn check_countable(game: &Game) -> Result<()> {
    check_not_endless(game)?;
    if game.rules.length() == 5 {
        bail!(
            "{game} has far too many positions to count them all; `morpion count {game} --moves 8` \
             counts those after some moves"
        );
    }
    Ok(())
}
