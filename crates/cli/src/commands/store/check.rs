//! `morpion store check`.

use anyhow::Result;
use lab::view::{AuditView, DamageView};

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

    /// Print one JSON document: games, proofs, damages, outdated
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<Exit> {
    let archive = args.archive.open()?;
    let line = Progress::new();
    let checked = archive.audit(|done, all| line.show(format_args!("{done} of {all} verified")))?;
    drop(line);
    let view = AuditView::from(checked);
    let exit = if view.damages.is_empty() { Exit::Success } else { Exit::Negative };
    if args.json {
        print_json(&view)?;
        return Ok(exit);
    }
    for DamageView { item, reason } in &view.damages {
        print(format_args!("{item}: {reason}"))?;
    }
    for id in &view.outdated {
        print(format_args!(
            "proof {id}: as it was written, in a version of its format that only earlier programs \
             verify"
        ))?;
    }
    let all = format!("{} and {}", count(view.games, "game"), count(view.proofs, "proof"));
    print(match view.damages.len() {
        0 => format!("{all}: all intact"),
        damages => format!("{all}: {} damaged", count(damages, "item")),
    })?;
    Ok(exit)
}
