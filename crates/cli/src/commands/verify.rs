//! `morpion verify`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use evidence::{AnyCheck, FileCheck, Refusal};
use geometry::Game;
use lab::alignment::{Alignment, align};
use lab::records;
use lab::view::{FileResultView, FileVerdictView, ProofView, VerdictView};
use record::Record;
use verify::{BoxList, FORMATS, Fault, GameFault, ProvenClaim};

use super::game_file;
use crate::args::FileGame;
use crate::files;
use crate::output::{Exit, count, note, print, print_json};

/// The extensions of games in folders; those of proofs are in [`FORMATS`].
const EXTENSIONS: [&str; 5] = [".json", ".psol", ".msr", ".svg", ".png"];

const EXAMPLES: &str = "\
Examples:
  morpion verify best.json
  morpion verify --game 5T record.psol
  morpion verify games proofs
  morpion verify --json certificates/5T-square-20-lines.cert.gz";

/// Check games and proofs
///
/// Games are read in every format: native JSON, Pentasol, MSR, text, and pictures (SVG, PNG) made
/// by morpion. A drawing without an order is legal if its lines can be played in some order.
///
/// A proof makes a claim about all games: an upper bound, an optimum, a bound on a board, a
/// conditional bound (a longer game must reach one of the listed bounding boxes), or endless play.
/// The verifier rebuilds the rows of every linear program and adds up in integers; it trusts
/// nothing else in the file.
///
/// A folder stands for the games and proofs in it and its subfolders.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Games, proofs, or folders of them; `-` for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    game: FileGame,

    /// List the bounding boxes of conditional bounds
    #[arg(short, long)]
    verbose: bool,

    /// Print one JSON list: of games file, verdict, game, start, moves, left, reason, fault, move,
    /// record; of proofs file, verdict, claim, reason, fault, boxes_left
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let game = args.game.game()?;
    let mut exit = Exit::Success;
    let mut views = Vec::new();
    for path in &args.paths {
        let files = match files_in(path) {
            Ok(files) => files,
            Err(error) => {
                note(format_args!("morpion: {error:#}"));
                exit = Exit::Error;
                views.push(error_view(path, &error));
                continue;
            }
        };
        for file in files {
            match verify(&file, game.as_ref(), args.verbose) {
                Ok(Verdict { view, text, is_accepted }) => {
                    if !is_accepted {
                        exit = exit.max(Exit::Negative);
                    }
                    if !args.json {
                        print(format_args!("{}: {text}", files::name(&file)))?;
                    }
                    views.push(view);
                }
                Err(error) => {
                    note(format_args!("morpion: {error:#}"));
                    exit = Exit::Error;
                    views.push(error_view(&file, &error));
                }
            }
        }
    }
    if args.json {
        print_json(&views)?;
    }
    Ok(exit)
}

/// A verdict for machines and for people.
struct Verdict {
    view: FileResultView,
    text: String,
    is_accepted: bool,
}

fn verify(file: &Path, game: Option<&Game>, verbose: bool) -> Result<Verdict> {
    let check = evidence::verify_any(&files::read(file)?, game);
    Ok(match check.with_context(|| files::name(file))? {
        AnyCheck::Proof(verdict) => proof_verdict(file, &verdict, verbose),
        AnyCheck::Game(check) => game_verdict(file, *check),
    })
}

fn proof_verdict(file: &Path, verdict: &Result<ProvenClaim, Refusal>, verbose: bool) -> Verdict {
    let view = ProofView { file: Some(files::name(file)), ..ProofView::new(verdict) };
    let mut text = match (&view.claim, &view.reason) {
        (Some(claim), _) => format!("{claim}, {}", view.verdict),
        (None, reason) => format!("refused: {}", reason.as_deref().unwrap_or_default()),
    };
    if view.verdict == "conditional" {
        let boxes = match verbose {
            true => format!("\n  left: {}", BoxList(&view.boxes_left)),
            false => " (list the boxes with --verbose)".to_owned(),
        };
        text += &boxes;
    }
    let view = FileResultView::Proof(VerdictView::Proof(view));
    Verdict { is_accepted: verdict.is_ok(), view, text }
}

fn game_verdict(file: &Path, check: FileCheck) -> Verdict {
    let FileCheck { record, verdict, guessed, .. } = check;
    if let Some(game) = guessed {
        game_file::note_guess(&game);
    }
    let record = record.ok();
    let view = FileVerdictView {
        file: Some(files::name(file)),
        ..FileVerdictView::new(&verdict, record.as_ref())
    };
    let known = verdict.as_ref().ok().and_then(|game| records::record(game.game()));
    let text = match &verdict {
        Ok(game) => format!("legal: {}", game_file::beside_record(game)),
        Err(refusal) => {
            let line = game_file::faulty_line(refusal, record.as_ref());
            let name = record.as_ref().map_or_else(String::new, |it| format!("{}, ", it.game));
            let hint = hint(refusal, record.as_ref());
            format!("refused: {name}{refusal}{line}{hint}")
        }
    };
    Verdict { is_accepted: verdict.is_ok(), view: FileResultView::game(view, known), text }
}

/// What could be meant, if a drawing cannot be played as it is.
fn hint(refusal: &Refusal, record: Option<&Record>) -> String {
    let nothing_fits = |record: &&Record| match &refusal.fault {
        Fault::Game(GameFault::Stuck { stuck, .. }) => stuck.len() == record.lines().len(),
        _ => false,
    };
    let aligned = record.filter(nothing_fits).and_then(align);
    aligned.map_or_else(String::new, |Alignment { change, game, .. }| {
        let lines = count(game.score() as usize, "line");
        format!("; {change}, all {lines} fit: `morpion order` writes that game")
    })
}

fn error_view(path: &Path, error: &anyhow::Error) -> FileResultView {
    let file = Some(files::name(path));
    let view = FileVerdictView { file, ..FileVerdictView::error(format!("{error:#}")) };
    FileResultView::game(view, None)
}

/// The file itself, or the games and proofs in a folder and its subfolders, in order.
fn files_in(path: &Path) -> Result<Vec<PathBuf>> {
    if files::is_standard(path) || !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = files::all_in(path)?;
    found.retain(|file| {
        let name = file.file_name().unwrap_or_default().as_encoded_bytes();
        EXTENSIONS.iter().any(|extension| name.ends_with(extension.as_bytes()))
            || FORMATS.iter().any(|format| name.ends_with(format.file_suffix().as_bytes()))
    });
    if found.is_empty() {
        bail!("{}: no game or proof in this folder", files::name(path));
    }
    Ok(found)
}
