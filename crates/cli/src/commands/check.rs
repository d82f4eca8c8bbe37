//! `morpion check`.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::Serialize;
use verify::{BoxList, FORMATS, ProvenClaim, ReadError, Refusal};

use crate::files;
use crate::output::{Exit, note, print, print_json};

/// Verify proofs
///
/// A proof claims something about all games: that play from a start never has to end, that no game,
/// or no game on a board, has more than N moves, or that a longer one must reach certain bounding
/// boxes. The verifier replays moves by its own rules, generates the rows of every linear program
/// itself, evaluates the duals in exact integers, and trusts nothing else. A folder stands for the
/// proofs (.json, .cert.gz, .cover.gz, ...) in it and in its subfolders.
///
/// Examples:
///   morpion check proofs
///   morpion check certificates/5T-square-20-lines.cert.gz
///   morpion check --json proofs/endless/4D-7-dots.json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Proofs, or folders with proofs; `-` is standard input
    #[arg(required = true, value_name = "FILE|DIR")]
    files: Vec<PathBuf>,

    /// Print one JSON list: file, verdict, claim, reason, fault, boxes_left
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    file: String,
    verdict: &'static str,
    claim: Option<String>,
    reason: Option<String>,
    fault: Option<&'static str>,
    /// The bounding boxes, one of which a longer game reaches.
    boxes_left: Vec<[u32; 4]>,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let mut exit = Exit::Success;
    let mut rows = Vec::new();
    for path in &args.files {
        let proofs = match proofs_in(path) {
            Ok(proofs) => proofs,
            Err(error) => {
                note(format_args!("morpion: {error:#}"));
                exit = Exit::Error;
                rows.push(row(path, "error", None, Some(format!("{error:#}"))));
                continue;
            }
        };
        for file in proofs {
            let name = files::name(&file);
            match check(&file) {
                Ok(Ok(proof)) => {
                    let claim = proof.to_string();
                    let boxes_left = proof.claim().boxes_left().to_vec();
                    if !args.json {
                        print(format_args!("{name}: {claim}, proven"))?;
                        if !boxes_left.is_empty() {
                            print(format_args!("  left: {}", BoxList(&boxes_left)))?;
                        }
                    }
                    rows.push(Row { boxes_left, ..row(&file, "proven", Some(claim), None) });
                }
                Ok(Err(refusal)) => {
                    exit = exit.max(Exit::Negative);
                    if !args.json {
                        print(format_args!("{name}: refused: {refusal}"))?;
                    }
                    let fault = Some(refusal.fault.name());
                    rows.push(Row {
                        fault,
                        ..row(&file, "refused", None, Some(refusal.to_string()))
                    });
                }
                Err(error) => {
                    note(format_args!("morpion: {name}: {error:#}"));
                    exit = Exit::Error;
                    rows.push(row(&file, "error", None, Some(format!("{error:#}"))));
                }
            }
        }
    }
    if args.json {
        print_json(&rows)?;
    }
    Ok(exit)
}

fn row(file: &Path, verdict: &'static str, claim: Option<String>, reason: Option<String>) -> Row {
    Row { file: files::name(file), verdict, claim, reason, fault: None, boxes_left: Vec::new() }
}

/// Verifies one file. It is an error if the file is not a proof at all.
fn check(file: &Path) -> Result<Result<ProvenClaim, Refusal>> {
    let text = if files::is_standard(file) {
        verify::read(std::io::stdin().lock())
    } else {
        File::open(file).map_err(ReadError::from).and_then(verify::read)
    };
    let text = text?;
    match verify::verify_proof(&text) {
        Err(refusal) if !verify::is_proof(&text) => {
            let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
            bail!("not a proof: its format is none of {} ({refusal})", names.join(", "))
        }
        Err(refusal) if refusal.is_malformed() => Err(refusal.into()),
        verdict => Ok(verdict),
    }
}

/// The file itself, or all proofs in a folder and its subfolders, in order.
fn proofs_in(path: &Path) -> Result<Vec<PathBuf>> {
    if files::is_standard(path) || !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = files::all_in(path)?;
    found.retain(|file| is_proof_name(file));
    if found.is_empty() {
        bail!("{}: no proof in this folder", files::name(path));
    }
    Ok(found)
}

fn is_proof_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    FORMATS.iter().any(|format| name.ends_with(format.file_suffix().as_bytes()))
}
