//! `morpion store get`.

use std::path::PathBuf;

use anyhow::Result;
use store::StoreError;

use super::ArchiveArgs;
use crate::files;
use crate::output::{Exit, note, print_bytes};

/// Print a game or a proof as it was verified
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    archive: ArchiveArgs,

    /// Id, or its first digits
    #[arg(value_name = "ID")]
    id: String,

    /// Write to this file
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<Exit> {
    let archive = args.archive.open()?;
    let text = match archive.game(&args.id) {
        Ok(game) => {
            for find in &game.discoveries {
                note(format_args!("found: {}", find.origin));
            }
            game.text
        }
        Err(StoreError::Unknown(_)) => archive.proof(&args.id)?.text,
        Err(other) => return Err(other.into()),
    };
    match &args.out {
        Some(out) => files::write(out, text.as_bytes())?,
        None => print_bytes(text.as_bytes())?,
    }
    Ok(Exit::Success)
}
