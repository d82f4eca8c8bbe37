//! `morpion verify`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use evidence::{AnyCheck, FileCheck, Refusal};
use geometry::Game;
use lab::records;
use lab::view::{FileResultView, FileVerdictView, ProofView, VerdictView};
use verify::{BoxList, ProvenClaim};

use super::game_file;
use crate::args::FileGame;
use crate::files;
use crate::interrupt::ResultList;
use crate::output::{Exit, count, note, print};

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
/// A folder stands for all files in it and its subfolders; those that are neither games nor proofs,
/// and neither are named like one nor name a format of ours, are skipped.
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
    let results = ResultList::new(args.json, |files| {
        let files = count(files, "file");
        format!("the verdicts on {files} are printed, the rest is not verified")
    });
    let add = |view: FileResultView| results.push(view);
    for path in &args.paths {
        let is_folder = path.is_dir() && !files::is_standard(path);
        let mut is_empty = is_folder;
        let files = match files_in(path) {
            Ok(files) => files,
            Err(error) => {
                note(format_args!("morpion: {error:#}"));
                exit = Exit::Error;
                add(error_view(path, &error));
                continue;
            }
        };
        for file in files {
            let verdict = verify(&file, game.as_ref(), args.verbose);
            if is_folder && verdict.is_err() && game_file::is_passed_over(&file) {
                continue;
            }
            is_empty = false;
            match verdict {
                Ok(Verdict { view, text, is_accepted }) => {
                    if !is_accepted {
                        exit = exit.max(Exit::Negative);
                    }
                    if !args.json {
                        print(format_args!("{}: {text}", files::name(&file)))?;
                    }
                    add(view);
                }
                Err(error) => {
                    note(format_args!("morpion: {error:#}"));
                    exit = Exit::Error;
                    add(error_view(&file, &error));
                }
            }
        }
        if is_empty {
            let error = anyhow!("{}: no game or proof in this folder", files::name(path));
            note(format_args!("morpion: {error:#}"));
            exit = Exit::Error;
            add(error_view(path, &error));
        }
    }
    results.finish()?;
    Ok(exit)
}

/// A verdict for machines and for people.
struct Verdict {
    view: FileResultView,
    text: String,
    is_accepted: bool,
}

fn verify(file: &Path, game: Option<&Game>, verbose: bool) -> Result<Verdict> {
    let bytes = files::read(file)?;
    let check = evidence::verify_any(&bytes, game);
    let check = check.map_err(|error| game_file::unreadable(&bytes, error));
    let check = check.with_context(|| files::name(file))?;
    if let (AnyCheck::Proof(Ok(claim)), Some(asked)) = (&check, game) {
        let proven = evidence::game_of(claim.claim());
        if proven != *asked {
            bail!("{}: the proof is about {proven}, not about {asked}", files::name(file));
        }
    }
    Ok(match check {
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
        game_file::note_guess(Some(file), &game);
    }
    let record = record.ok();
    let mut view = FileVerdictView {
        file: Some(files::name(file)),
        ..FileVerdictView::new(&verdict, record.as_ref())
    };
    let known = verdict.as_ref().ok().and_then(|game| records::record(game.game()));
    let text = match &verdict {
        Ok(game) => format!("legal: {}", game_file::beside_record(game)),
        Err(refusal) => {
            let name = record.as_ref().map_or_else(String::new, |it| format!("{}, ", it.game));
            let line = game_file::faulty_line(refusal, record.as_ref());
            let hint = game_file::hint(refusal, record.as_ref());
            view.reason = Some(format!("{refusal}{hint}"));
            format!("refused: {name}{refusal}{line}{hint}")
        }
    };
    let view = FileResultView::game(view, known);
    Verdict { is_accepted: verdict.is_ok(), view, text }
}

fn error_view(path: &Path, error: &anyhow::Error) -> FileResultView {
    let file = Some(files::name(path));
    let view = FileVerdictView { file, ..FileVerdictView::error(format!("{error:#}")) };
    FileResultView::game(view, None)
}

/// The file itself, or all files in a folder and its subfolders, in order.
fn files_in(path: &Path) -> Result<Vec<PathBuf>> {
    if files::is_standard(path) || !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    Ok(files::all_in(path)?)
}
