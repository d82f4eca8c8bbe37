//! `morpion methods`.

use anyhow::{Result, bail};
use geometry::Game;
use lab::text::did_you_mean;
use lab::view::{ParameterView, methods};

use crate::output::{Exit, print, print_json};

const EXAMPLES: &str = "\
Examples:
  morpion methods
  morpion methods nrpa
  morpion methods 5D --json";

/// List the search methods with parameters, defaults and sources
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Show only this method, or the defaults for this game [default: all, for 5T]
    #[arg(value_name = "METHOD|GAME")]
    choice: Option<String>,

    /// Print one JSON list
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let choice = args.choice.as_deref().unwrap_or("5T");
    let game = choice.parse::<Game>();
    let default = Game::named("5T")?;
    let defaults_for = game.as_ref().unwrap_or(&default);
    let rows = methods(defaults_for).into_iter();
    #[cfg(feature = "learn")]
    let rows = rows.chain([lab::view::MethodView::new(&learn::INFO, defaults_for)]);
    let mut rows: Vec<_> = rows.collect();
    if game.is_err() {
        // Of a game there is no method near.
        let near = match choice.starts_with(|first: char| first.is_ascii_digit()) {
            true => "; games are named like 5T or 5D".to_owned(),
            false => did_you_mean(choice, rows.iter().map(|row| row.name)),
        };
        rows.retain(|row| row.name == choice);
        if rows.is_empty() {
            bail!("unknown method or game `{choice}`{near} (`morpion methods` lists all)");
        }
    }
    if args.json {
        print_json(&rows)?;
        return Ok(Exit::Success);
    }
    for row in rows {
        print(format_args!("{}: {}", row.name, row.summary))?;
        print(format_args!("    source: {}", row.source))?;
        print(format_args!("    --playouts counts {}", row.playout))?;
        for ParameterView { name, meaning, min, max, default, .. } in row.parameters {
            print(format_args!("    -p {name}={default}  ({min} to {max}) {meaning}"))?;
        }
        print("")?;
    }
    Ok(Exit::Success)
}
