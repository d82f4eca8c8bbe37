//! `morpion methods`.

use anyhow::Result;
use geometry::Game;
use search::{Kind, METHODS, Parameter};
use serde::Serialize;

use crate::output::{Answer, print, print_json};

/// Lists the methods of search with their parameters, defaults and sources
///
/// Examples:
///   morpion methods
///   morpion methods 5T --json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Show the defaults for this game
    #[arg(default_value = "5T")]
    game: Game,

    /// Print one JSON list
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    summary: &'static str,
    source: &'static str,
    playout: &'static str,
    parameters: Vec<ParameterRow>,
}

#[derive(Serialize)]
struct ParameterRow {
    name: &'static str,
    meaning: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    min: f64,
    max: f64,
    default: f64,
}

pub(crate) fn run(args: Args) -> Result<Answer> {
    let rows: Vec<Row> = METHODS
        .iter()
        .chain([&learn::INFO])
        .map(|info| Row {
            name: info.name,
            summary: info.summary,
            source: info.source,
            playout: info.playout,
            parameters: info.parameters.iter().map(|p| parameter(p, &args.game)).collect(),
        })
        .collect();
    if args.json {
        print_json(&rows)?;
        return Ok(Answer::Yes);
    }
    for row in rows {
        print(format_args!("{}: {}", row.name, row.summary))?;
        print(format_args!("    source: {}", row.source))?;
        print(format_args!("    --playouts counts {}", row.playout))?;
        for ParameterRow { name, meaning, min, max, default, .. } in row.parameters {
            print(format_args!("    -p {name}={default}  ({min} to {max}) {meaning}"))?;
        }
        print("")?;
    }
    Ok(Answer::Yes)
}

fn parameter(parameter: &Parameter, game: &Game) -> ParameterRow {
    let (kind, min, max) = match parameter.kind {
        Kind::Integer { min, max } => ("integer", min as f64, max as f64),
        Kind::Real { min, max } => ("real", min, max),
    };
    let default = parameter.default.of(game);
    let Parameter { name, meaning, .. } = *parameter;
    ParameterRow { name, meaning, kind, min, max, default }
}
