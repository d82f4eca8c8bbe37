//! `morpion store get`.

use std::path::PathBuf;

use anyhow::{Result, bail};
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

    /// Write to this file; a proof is compressed if its name ends in .gz
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<Exit> {
    if let Some(out) = &args.out {
        files::check_out(out)?;
    }
    if args.id.is_empty() {
        bail!("no id given; `morpion store list` shows ids");
    }
    let archive = args.archive.open()?;
    let is_compressed =
        args.out.as_ref().is_some_and(|out| out.extension().is_some_and(|it| it == "gz"));
    let bytes = match archive.game(&args.id) {
        Ok(game) => {
            for find in &game.discoveries {
                note(format_args!("found: {}", find.origin));
            }
            if let Some(out) = &args.out {
                files::check_writable(out)?;
            }
            game.text.into_bytes()
        }
        Err(StoreError::Unknown(_)) => {
            let proof = archive.proof(&args.id)?;
            if is_compressed { proof.file } else { proof.text.into_bytes() }
        }
        Err(other) => return Err(other.into()),
    };
    match &args.out {
        Some(out) => files::write(out, &bytes)?,
        None => print_bytes(&bytes)?,
    }
    Ok(Exit::Success)
}
