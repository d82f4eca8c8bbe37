//! `morpion store export`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use lab::view::ExportView;
use store::{Archive, ProofFilter};
use verify::ProofFormat;

use super::{ArchiveArgs, FilterArgs};
use crate::files;
use crate::output::{Exit, note, print, print_json};

/// Write games or proofs as files into a folder
///
/// A game file is named like 5T-168-3f9c2a4b1d7e.json: game, length, first digits of the id. Proofs
/// are compressed and named after their format, like 4D-game-3f9c2a4b1d7e.tree.gz.
/// Existing files of the same name are replaced.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    archive: ArchiveArgs,

    /// Output folder
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    #[command(flatten)]
    filter: FilterArgs,

    /// Write proofs instead; --game and --limit apply
    #[arg(long, conflicts_with_all = ["least", "method"])]
    proofs: bool,

    /// Print one JSON list: file, id
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<Exit> {
    let archive = args.archive.open()?;
    let folder = &args.folder;
    files::create_folder(folder)?;
    let rows: Vec<ExportView> =
        if args.proofs { proofs(&archive, args, folder)? } else { games(&archive, args, folder)? };
    if args.json {
        print_json(&rows)?;
    } else {
        if rows.is_empty() {
            note("no such games or proofs");
        }
        for row in rows {
            print(row.file)?;
        }
    }
    Ok(Exit::Success)
}

fn games(archive: &Archive, args: &Args, folder: &Path) -> Result<Vec<ExportView>> {
    let mut rows = Vec::new();
    for entry in archive.games(&args.filter.filter())? {
        let name = format!("{}-{}-{}.json", entry.game, entry.score, entry.id.short());
        let file = folder.join(name.replace([' ', ':'], "-"));
        files::write(&file, archive.game(entry.id.as_str())?.text.as_bytes())?;
        rows.push(ExportView { file: files::name(&file), id: entry.id.to_string() });
    }
    Ok(rows)
}

fn proofs(archive: &Archive, args: &Args, folder: &Path) -> Result<Vec<ExportView>> {
    let filter =
        ProofFilter { game: args.filter.game.clone(), kind: None, limit: args.filter.limit };
    let mut rows = Vec::new();
    for entry in archive.proofs(&filter)? {
        let stored = archive.proof(entry.id.as_str())?;
        let of = entry.board.unwrap_or_else(|| entry.kind.to_string());
        let name = format!("{}-{of}-{}", entry.game, entry.id.short());
        let name = name.replace([' ', ':', ','], "-");
        let suffix =
            ProofFormat::of(&stored.text).map_or(".json".to_owned(), ProofFormat::file_suffix);
        let bytes = match suffix.ends_with(".gz") {
            true => &stored.file[..],
            false => stored.text.as_bytes(),
        };
        let file = folder.join(format!("{name}{suffix}"));
        files::write(&file, bytes)?;
        rows.push(ExportView { file: files::name(&file), id: entry.id.to_string() });
    }
    Ok(rows)
}
