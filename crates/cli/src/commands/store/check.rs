//! `morpion store check`.

use anyhow::Result;
use serde::Serialize;
use store::Damage;

use super::ArchiveArgs;
use crate::output::{Exit, count, print, print_json};
use crate::progress::Progress;

/// Verify every game and proof of the archive again
///
/// Reports anything that differs from what was written, by as little as one bit; then the exit code
/// is 1.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    archive: ArchiveArgs,

    /// Print one JSON document: games, proofs, damages
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    games: usize,
    proofs: usize,
    damages: Vec<DamageRow>,
}

#[derive(Serialize)]
struct DamageRow {
    /// `database`, `game` or `proof`.
    item: &'static str,
    reason: String,
}

pub(super) fn run(args: &Args) -> Result<Exit> {
    let archive = args.archive.open()?;
    let line = Progress::new();
    let checked = archive.audit(|done, all| line.show(format_args!("{done} of {all} verified")))?;
    drop(line);
    let damages: Vec<DamageRow> = checked
        .damages
        .into_iter()
        .map(|Damage { item, reason }| DamageRow { item: item.name(), reason })
        .collect();
    let exit = if damages.is_empty() { Exit::Success } else { Exit::Negative };
    let row = Row { games: checked.games, proofs: checked.proofs, damages };
    if args.json {
        print_json(&row)?;
        return Ok(exit);
    }
    for DamageRow { item, reason } in &row.damages {
        print(format_args!("{item}: {reason}"))?;
    }
    let all = format!("{} and {}", count(row.games, "game"), count(row.proofs, "proof"));
    print(match row.damages.len() {
        0 => format!("{all}: all intact"),
        damages => format!("{all}: {} damaged", count(damages, "item")),
    })?;
    Ok(exit)
}
