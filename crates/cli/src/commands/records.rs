//! `morpion records`.

use anyhow::{Result, bail};
use geometry::Game;
use lab::records::{RecordRow, rows};

use crate::output::{Exit, print, print_json};

const EXAMPLES: &str = "\
Examples:
  morpion records
  morpion records 5T
  morpion records --json";

/// Show what is known of each game: record, bounds in print, what is found and certified here
///
/// The games and proofs that ship with the program are verified for it. The last column is the
/// command that shows the result.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Show only this game
    #[arg(value_name = "GAME")]
    game: Option<Game>,

    /// Print one JSON list: game, record, found, file, printed, certified, optimal, endless,
    /// command
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let mut rows = rows();
    if let Some(game) = args.game {
        let name = game.to_string();
        rows.retain(|row| row.game.split(", ").any(|one| one == name));
        if rows.is_empty() {
            bail!("{game} is not in the table; `morpion bound {game}` says what is known of it");
        }
    }
    if args.json {
        print_json(&rows)?;
        return Ok(Exit::Success);
    }
    let titles =
        ["game", "longest known", "found here", "bound in print", "certified here", "show it"];
    let mut table = vec![titles.map(str::to_owned)];
    table.extend(rows.iter().map(cells));
    let width = |column: usize| {
        table.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..titles.len()).map(width).collect();
    for row in &table {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
        print(cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(Exit::Success)
}

fn cells(row: &RecordRow) -> [String; 6] {
    let endless = || if row.endless { "endless" } else { "-" }.to_owned();
    let record = row.record.map(|it| format!("{}, {} {}", it.moves, it.by, it.year));
    let printed = row.printed.map(|it| {
        let unsure = if it.evidence == "no certificate" { ", no certificate" } else { "" };
        format!("{}, {} {}{unsure}", it.bound, it.by, it.year)
    });
    let certified = row.certified.as_ref().map(|it| {
        let optimal = if row.optimal { ", optimal" } else { "" };
        format!("{} by {}{optimal}", it.bound, it.by)
    });
    [
        row.game.clone(),
        record.unwrap_or_else(endless),
        row.found.map_or_else(endless, |found| found.to_string()),
        printed.unwrap_or_else(endless),
        certified.unwrap_or_else(endless),
        row.command.clone(),
    ]
}
