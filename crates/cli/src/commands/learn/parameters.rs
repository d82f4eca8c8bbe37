//! `morpion learn parameters`.

use anyhow::Result;
use geometry::Game;
use lab::view::SettingView;
use learn::PRESETS;

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

pub(super) fn run(args: &Args) -> Result<Exit> {
    let rows = SettingView::list(&args.game);
    if args.json {
        print_json(&rows)?;
        return Ok(Exit::Success);
    }
    for preset in PRESETS {
        print(format_args!("--preset {}: {}", preset.name, preset.summary))?;
    }
    print("")?;
    for SettingView { name, meaning, range, default, presets } in rows {
        print(format_args!("-p {name}={default}  ({range}) {meaning}"))?;
        for (preset, value) in PRESETS.iter().zip(presets) {
            if value != default {
                print(format_args!("    --preset {}: {value}", preset.name))?;
            }
        }
    }
    Ok(Exit::Success)
}
