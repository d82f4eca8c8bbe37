//! `morpion check`.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use serde::Serialize;
use verify::{Proof, ReadError, Refusal};

use crate::files;
use crate::output::{Exit, note, print, print_json};

/// Has the judge go through proofs
///
/// A proof claims something about all games: that play from a start need never end, or that no game, or no
/// game on a board, has more than so many moves, or that one with more must come to some boxes. The judge replays what it takes by its own rules, makes the rows of
/// a linear program again by itself, adds up in whole numbers, and trusts nothing else. A folder stands
/// for the .json, .cert.gz, .cover.gz, .caps.gz, .hull.gz, .tree.gz and .boxes.gz files in it and in its folders. Games are for `morpion verify`.
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
    /// The boxes that a longer game comes to.
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
                    let claim = proof.claim();
                    let boxes_left = proof.left().to_vec();
                    if !args.json {
                        print(format_args!("{name}: {claim}, proven"))?;
                        if !boxes_left.is_empty() {
                            print(format_args!("  left: {}", verify::boxes_in_words(&boxes_left)))?;
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

/// What the judge says of one file. What is no proof at all is trouble.
fn check(file: &Path) -> Result<Result<Proof, Refusal>> {
    let text = if files::is_standard(file) {
        verify::read(std::io::stdin().lock())
    } else {
        File::open(file).map_err(ReadError::from).and_then(verify::read)
    };
    let text = text?;
    match verify::check(&text) {
        Err(refusal) if !verify::is_proof(&text) => {
            bail!(
                "no proof: it begins with none of morpion-bound/, morpion-hull/, morpion-cover/, \
                 morpion-caps/, morpion-tree/ and morpion-boxes/, and is no JSON of the format morpion-endless/1 ({refusal})"
            )
        }
        Err(refusal) if refusal.is_malformed() => Err(refusal.into()),
        verdict => Ok(verdict),
    }
}

/// The file itself, or all .json, .cert.gz, .cover.gz, .caps.gz, .hull.gz, .tree.gz and .boxes.gz files in a folder and its folders, in order.
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
    [&b".json"[..], b".cert.gz", b".cover.gz", b".caps.gz", b".hull.gz", b".tree.gz", b".boxes.gz"]
        .iter()
        .any(|ending| name.ends_with(ending))
}
