//! `morpion learn parameters`.

use anyhow::Result;
use geometry::Game;
use learn::{PARAMETERS, PRESETS, Settings};
use serde::Serialize;

use crate::output::{Exit, print, print_json};

/// List the parameters of learning with their defaults, and the presets
#[derive(clap::Args)]
pub(super) struct Args {
    /// Show the defaults for this game
    #[arg(default_value = "5D")]
    game: Game,

    /// Print one JSON list
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    meaning: &'static str,
    range: String,
    default: f64,
    /// The value in each preset.
    presets: Vec<f64>,
}

pub(super) fn run(args: &Args) -> Result<Exit> {
    let presets: Vec<Settings> = PRESETS
        .iter()
        .map(|preset| Settings::preset(preset, &args.game, []))
        .collect::<Result<_, _>>()?;
    let row = |parameter: &search::Parameter| Row {
        name: parameter.name,
        meaning: parameter.meaning,
        range: parameter.range.to_string(),
        default: parameter.default.for_game(&args.game),
        presets: presets.iter().map(|preset| preset.values().real(parameter.name)).collect(),
    };
    let rows: Vec<Row> = PARAMETERS.iter().map(row).collect();
    if args.json {
        print_json(&rows)?;
        return Ok(Exit::Success);
    }
    for preset in PRESETS {
        print(format_args!("--preset {}: {}", preset.name, preset.summary))?;
    }
    print("")?;
    for Row { name, meaning, range, default, presets } in rows {
        print(format_args!("-p {name}={default}  ({range}) {meaning}"))?;
        for (preset, value) in PRESETS.iter().zip(presets) {
            if value != default {
                print(format_args!("    --preset {}: {value}", preset.name))?;
            }
        }
    }
    Ok(Exit::Success)
}
