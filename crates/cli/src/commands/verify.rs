//! `morpion verify`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use evidence::FileCheck;
use geometry::Game;
use lab::view::{FileVerdictView, ProofView, VerdictView};
use verify::{BoxList, FORMATS};

use super::game_file;
use crate::args::FileGame;
use crate::files;
use crate::output::{Exit, note, print, print_json};

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

    /// Print one JSON list: of games file, verdict, game, start, moves, left, reason, fault, move;
    /// of proofs file, verdict, claim, reason, fault, boxes_left
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
    view: VerdictView,
    text: String,
    is_accepted: bool,
}

fn verify(file: &Path, game: Option<&Game>, verbose: bool) -> Result<Verdict> {
    let bytes = files::read(file)?;
    match verify::read(&bytes[..]) {
        Ok(text) if verify::is_proof(&text) => verify_proof(file, &text, verbose),
        // Compressed data that is not a proof, or is damaged.
        Err(error) if bytes.starts_with(&[0x1f, 0x8b]) => {
            Err(anyhow::Error::new(error).context(files::name(file)))
        }
        _ => verify_game(file, &bytes, game),
    }
}

fn verify_proof(file: &Path, text: &str, verbose: bool) -> Result<Verdict> {
    let verdict = verify::verify_proof(text);
    if let Err(refusal) = &verdict
        && refusal.is_malformed()
    {
        return Err(anyhow::Error::new(refusal.clone()).context(files::name(file)));
    }
    let view = ProofView { file: Some(files::name(file)), ..ProofView::new(&verdict) };
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
    Ok(Verdict { is_accepted: verdict.is_ok(), view: VerdictView::Proof(view), text })
}

fn verify_game(file: &Path, bytes: &[u8], game: Option<&Game>) -> Result<Verdict> {
    let FileCheck { record, verdict, .. } =
        game_file::verify_bytes(bytes, game).with_context(|| files::name(file))?;
    let record = record.ok();
    let view = FileVerdictView {
        file: Some(files::name(file)),
        ..FileVerdictView::new(&verdict, record.as_ref())
    };
    let text = match &verdict {
        Ok(game) => format!("legal: {game}"),
        Err(refusal) => {
            let line = game_file::faulty_line(refusal, record.as_ref());
            let name = record.map_or_else(String::new, |record| format!("{}, ", record.game));
            format!("refused: {name}{refusal}{line}")
        }
    };
    Ok(Verdict { is_accepted: verdict.is_ok(), view: VerdictView::Game(view), text })
}

fn error_view(path: &Path, error: &anyhow::Error) -> VerdictView {
    let file = Some(files::name(path));
    VerdictView::Game(FileVerdictView { file, ..FileVerdictView::error(format!("{error:#}")) })
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
