//! `morpion store import`.

use std::path::PathBuf;

use anyhow::Result;
use lab::import::{Import, ImportError, import};
use lab::view::ImportView;
use store::StoreError;

use super::ArchiveArgs;
use crate::args::FileGame;
use crate::commands::game_file;
use crate::files;
use crate::output::{Exit, note, print, print_json};

const EXAMPLES: &str = "\
Examples:
  morpion store import games proofs
  morpion store import --game 5T record.psol";

/// Add games and proofs to the archive
///
/// Reads proofs, and games of every format. Refused files stay outside, are named, and make the
/// exit code 1. A folder stands for all files in it and its subfolders; files that are neither
/// games nor proofs are skipped, unless they are named like one or name a format of ours.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    archive: ArchiveArgs,

    /// Games, proofs, or folders of them
    #[arg(required = true, value_name = "FILE|DIR")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    game: FileGame,

    /// Print one JSON list: file, verdict, id, what, reason
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<Exit> {
    let game = args.game.game()?;
    let mut archive = args.archive.open_or_create()?;
    let mut exit = Exit::Success;
    let mut views = Vec::new();
    let mut is_full = false;
    'files: for path in &args.files {
        let is_folder = path.is_dir() && !files::is_standard(path);
        let inside = match is_folder {
            true => files::all_in(path)?,
            false => vec![path.clone()],
        };
        for file in inside {
            let name = files::name(&file);
            let view = match import(&mut archive, &file, game.as_ref()) {
                Err(ImportError::Unreadable(_))
                    if is_folder && game_file::is_passed_over(&file) =>
                {
                    continue;
                }
                Err(ImportError::Unreadable(error)) => {
                    let bytes = files::read(&file).unwrap_or_default();
                    let error = game_file::unreadable(&bytes, error);
                    ImportView::rejected(name, "error", format!("{error:#}"))
                }
                Ok(Import::Refused(reason)) => ImportView::rejected(name, "refused", reason),
                Ok(Import::Added { added, id, what, guessed }) => {
                    if let Some(game) = guessed {
                        game_file::note_guess(Some(&file), &game);
                    }
                    ImportView::added(name, added, id, what)
                }
                Err(error) => {
                    is_full = matches!(error, ImportError::Store(StoreError::Full));
                    let reason = format!("{:#}", anyhow::Error::new(error));
                    ImportView::rejected(name, "error", reason)
                }
            };
            exit = exit.max(report(&view, args.json)?);
            views.push(view);
            // Nor is there room for the others.
            if is_full {
                break 'files;
            }
        }
    }
    if args.json {
        print_json(&views)?;
    }
    Ok(exit)
}

fn report(view: &ImportView, json: bool) -> Result<Exit> {
    let ImportView { file, verdict, id, what, reason } = view;
    if let Some(reason) = reason {
        match *verdict == "refused" {
            true => note(format_args!("{file}: refused: {reason}")),
            // Errors of reading name the file themselves.
            false if reason.starts_with(file.as_str()) => note(format_args!("morpion: {reason}")),
            false => note(format_args!("morpion: {file}: {reason}")),
        }
        return Ok(if *verdict == "refused" { Exit::Negative } else { Exit::Error });
    }
    if !json {
        let again = if *verdict == "again" { " (already there)" } else { "" };
        let short: String = id.iter().flat_map(|id| id.chars().take(12)).collect();
        print(format_args!("{short}  {}{again}", what.as_deref().unwrap_or_default()))?;
    }
    Ok(Exit::Success)
}
