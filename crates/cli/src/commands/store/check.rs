//! `morpion store check`.

use anyhow::Result;
use serde::Serialize;
use store::Item;

use super::ArchiveArgs;
use crate::output::{Answer, count, print, print_json};
use crate::progress::Progress;

/// Has the judge go through every game and proof of the archive once more
///
/// Names what is not as it was written, by as little as one bit; then the exit code is 1.
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

pub(super) fn run(args: &Args) -> Result<Answer> {
    let archive = args.archive.open()?;
    let line = Progress::new();
    let checked = archive.check(|done, all| line.show(format_args!("{done} of {all} checked")))?;
    drop(line);
    let damages: Vec<DamageRow> = checked
        .damages
        .into_iter()
        .map(|damage| {
            let item = match damage.item {
                Item::Database => "database",
                Item::Game => "game",
                Item::Proof => "proof",
            };
            DamageRow { item, reason: damage.reason }
        })
        .collect();
    let answer = if damages.is_empty() { Answer::Yes } else { Answer::No };
    let row = Row { games: checked.games, proofs: checked.proofs, damages };
    if args.json {
        print_json(&row)?;
        return Ok(answer);
    }
    for DamageRow { item, reason } in &row.damages {
        print(format_args!("{item}: {reason}"))?;
    }
    let all = format!("{} and {}", count(row.games, "game"), count(row.proofs, "proof"));
    print(match row.damages.len() {
        0 => format!("{all}: all as they were judged"),
        damages => format!("{all}: {} damaged", count(damages, "thing")),
    })?;
    Ok(answer)
}
