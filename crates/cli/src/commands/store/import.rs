//! `morpion store import`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use evidence::{FileCheck, VerifiedProof, VerifyError};
use geometry::Game;
use serde::Serialize;
use store::{Archive, Insertion};

use super::ArchiveArgs;
use crate::args::FileGame;
use crate::commands::judged;
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
/// games nor proofs are skipped.
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

#[derive(Serialize)]
struct Row {
    file: String,
    /// `new`, `again`, `refused` or `error`.
    verdict: &'static str,
    id: Option<String>,
    what: Option<String>,
    reason: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<Exit> {
    let game = args.game.game()?;
    let mut archive = args.archive.open_or_create()?;
    let mut exit = Exit::Success;
    let mut rows = Vec::new();
    for path in &args.files {
        let is_folder = path.is_dir() && !files::is_standard(path);
        let inside = match is_folder {
            true => files::all_in(path)?,
            false => vec![path.clone()],
        };
        for file in inside {
            let row = match import(&mut archive, &file, game.as_ref()) {
                Ok(Imported::Other) if is_folder => continue,
                Ok(Imported::Other) => {
                    Row::not(&file, "error", "neither a game nor a proof".to_owned())
                }
                Ok(Imported::Refused(reason)) => Row::not(&file, "refused", reason),
                Ok(Imported::Added(added, id, what)) => {
                    let verdict = if added == Insertion::New { "new" } else { "again" };
                    let file = files::name(&file);
                    Row { file, verdict, id: Some(id), what: Some(what), reason: None }
                }
                Err(error) => Row::not(&file, "error", format!("{error:#}")),
            };
            exit = exit.max(report(&row, args.json)?);
            rows.push(row);
        }
    }
    if args.json {
        print_json(&rows)?;
    }
    Ok(exit)
}

impl Row {
    fn not(file: &Path, verdict: &'static str, reason: String) -> Self {
        Self { file: files::name(file), verdict, id: None, what: None, reason: Some(reason) }
    }
}

fn report(row: &Row, json: bool) -> Result<Exit> {
    let Row { file, verdict, id, what, reason } = row;
    if let Some(reason) = reason {
        note(format_args!("morpion: {file}: {verdict}: {reason}"));
        return Ok(if *verdict == "refused" { Exit::Negative } else { Exit::Error });
    }
    if !json {
        let again = if *verdict == "again" { " (already there)" } else { "" };
        let short: String = id.iter().flat_map(|id| id.chars().take(12)).collect();
        print(format_args!("{short}  {}{again}", what.as_deref().unwrap_or_default()))?;
    }
    Ok(Exit::Success)
}

/// What became of a file.
enum Imported {
    Added(Insertion, String, String),
    Refused(String),
    /// It is neither a game nor a proof.
    Other,
}

fn import(archive: &mut Archive, file: &Path, game: Option<&Game>) -> Result<Imported> {
    let origin = format!("imported from {}", files::name(file));
    let bytes = files::read(file)?;
    if let Ok(text) = verify::read(&bytes[..])
        && verify::is_proof(&text)
    {
        let proof = match VerifiedProof::new(text) {
            Ok(proof) => proof,
            Err(no) => return Ok(Imported::Refused(no.to_string())),
        };
        let added = archive.add_proof(&proof, &origin)?;
        return Ok(Imported::Added(added, proof.id().to_string(), proof.to_string()));
    }
    let Ok(file) = judged::native(&bytes, game) else { return Ok(Imported::Other) };
    let FileCheck { record, verdict, .. } = file.verify();
    let verified = match verdict {
        Ok(verified) => verified,
        // No reader understands it.
        Err(refusal) if refusal.is_malformed() && record.is_err() => return Ok(Imported::Other),
        Err(refusal) => return Ok(Imported::Refused(VerifyError::from(refusal).to_string())),
    };
    if let Err(error) = record {
        return Ok(Imported::Refused(error.to_string()));
    }
    let added = archive.add_game(&verified, &origin).context("cannot be added")?;
    Ok(Imported::Added(added, verified.id().to_string(), verified.to_string()))
}
