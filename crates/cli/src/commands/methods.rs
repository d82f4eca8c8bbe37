//! `morpion methods`.

use anyhow::Result;
use geometry::Game;
use lab::view::{ParameterView, methods};

use crate::output::{Exit, print, print_json};

const EXAMPLES: &str = "\
Examples:
  morpion methods
  morpion methods 5T --json";

/// List the search methods with parameters, defaults and sources
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Show the defaults for this game
    #[arg(default_value = "5T")]
    game: Game,

    /// Print one JSON list
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let rows = methods(&args.game).into_iter();
    #[cfg(feature = "learn")]
    let rows = rows.chain([lab::view::MethodView::new(&learn::INFO, &args.game)]);
    let rows: Vec<_> = rows.collect();
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
