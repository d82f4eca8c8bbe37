//! `morpion solve GAME --by enumeration`.

use anyhow::{Context, Result, bail};
use rules::count::partition::{self, WeightedPart};
use serde::Serialize;

use super::Args;
use crate::files;
use crate::interrupt::stop_flag;
use crate::journal::{Journal, conduct};
use crate::output::{Exit, print, print_json};
use crate::progress::Progress;

/// Into how many parts all positions are cut at least.
const PARTS: usize = 1000;

#[derive(Serialize)]
struct Row {
    game: String,
    by: &'static str,
    longest: usize,
    /// By number of moves.
    positions: Vec<u128>,
    /// By number of moves, those alike by symmetry counted once.
    classes: Vec<u128>,
    parts: usize,
    journal: String,
}

pub(super) fn run(args: &Args) -> Result<Exit> {
    let game = &args.game;
    let parts = partition::parts(game, PARTS);
    let path = args.out.join(format!("{game}.parts"));
    let stop = stop_flag()?;
    let work = format!("morpion-parts/1 positions {game} in {} parts", parts.len());
    let (journal, results) = Journal::open(&path, &work, parts.len())?;
    let line = Progress::new();
    let progress = |done: usize| {
        let share = 100.0 * done as f64 / parts.len() as f64;
        line.show(format_args!("{done} of {} parts counted, {share:.1} %", parts.len()));
    };
    let work = |part: usize| {
        let counts = partition::count(game, &parts[part].part)?;
        Ok(counts.iter().map(u128::to_string).collect::<Vec<String>>().join(" "))
    };
    let kept = (Some(journal), results);
    let results = conduct(parts.len(), args.threads(), kept, &stop, &progress, &work)?;
    drop(line);
    if results.len() < parts.len() {
        bail!("interrupted; the same command goes on from {}", files::name(&path));
    }
    let mut positions: Vec<u128> = Vec::new();
    for (part, counts) in results {
        let counts: Result<Vec<u128>, _> = counts.split(' ').map(str::parse).collect();
        let counts = counts.with_context(|| format!("{}: part {part}", files::name(&path)))?;
        add(&mut positions, &counts, &parts[part]);
    }
    let classes = rules::count::classes_from_positions(game, positions.clone())?;
    let longest = positions.len() - 1;
    if args.json {
        print_json(&Row {
            game: game.to_string(),
            by: "enumeration",
            longest,
            positions,
            classes,
            parts: parts.len(),
            journal: files::name(&path),
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

/// Adds the counts of a part as often as it stands for one.
fn add(sum: &mut Vec<u128>, counts: &[u128], WeightedPart { weight, .. }: &WeightedPart) {
    sum.resize(sum.len().max(counts.len()), 0);
    for (sum, count) in sum.iter_mut().zip(counts) {
        *sum += u128::from(*weight) * count;
    }
}
