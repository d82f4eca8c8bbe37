//! `morpion verify`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use evidence::FileCheck;
use geometry::Game;
use serde::Serialize;

use super::judged;
use crate::args::FileGame;
use crate::files;
use crate::output::{Exit, note, print, print_json};

const EXAMPLES: &str = "\
Examples:
  morpion verify best.json
  morpion verify --game 5T record.psol
  morpion verify --json *.svg";

/// Check games: legality, length, remaining moves
///
/// Reads every format: native JSON, Pentasol, MSR, text, and pictures (SVG, PNG) made by morpion. A
/// drawing without an order is legal if its lines can be played in some order.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Game files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    game: FileGame,

    /// Print one JSON list: file, verdict, game, start, moves, left, reason, fault, move
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Row {
    file: String,
    verdict: &'static str,
    game: Option<String>,
    start: Option<String>,
    moves: Option<usize>,
    left: Option<u64>,
    reason: Option<String>,
    fault: Option<&'static str>,
    #[serde(rename = "move")]
    number: Option<u32>,
}

impl Row {
    fn from_error(file: &Path, error: &anyhow::Error) -> Self {
        Self {
            file: files::name(file),
            verdict: "error",
            game: None,
            start: None,
            moves: None,
            left: None,
            reason: Some(format!("{error:#}")),
            fault: None,
            number: None,
        }
    }
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let game = args.game.game()?;
    let mut exit = Exit::Success;
    let mut rows = Vec::new();
    for file in &args.files {
        match verify(file, game.as_ref()) {
            Ok((row, text)) => {
                if row.verdict != "legal" {
                    exit = exit.max(Exit::Negative);
                }
                if !args.json {
                    print(format_args!("{}: {text}", row.file))?;
                }
                rows.push(row);
            }
            Err(error) => {
                note(format_args!("morpion: {error:#}"));
                exit = Exit::Error;
                rows.push(Row::from_error(file, &error));
            }
        }
    }
    if args.json {
        print_json(&rows)?;
    }
    Ok(exit)
}

fn verify(file: &Path, game: Option<&Game>) -> Result<(Row, String)> {
    let FileCheck { record, verdict, .. } = judged::judge(file, game)?;
    let file = files::name(file);
    Ok(match verdict {
        Ok(game) => {
            let text = format!("legal: {game}");
            let row = Row {
                file,
                verdict: "legal",
                game: Some(game.verified().rules().to_string()),
                start: Some(game.verified().start().to_string()),
                moves: Some(game.score() as usize),
                left: Some(game.remaining_moves()),
                reason: None,
                fault: None,
                number: None,
            };
            (row, text)
        }
        Err(refusal) => {
            let record = record.ok();
            let row = Row {
                file,
                verdict: "refused",
                game: record.as_ref().map(|record| record.game.rules.to_string()),
                start: record.as_ref().map(|record| record.game.start_name()),
                moves: record.as_ref().map(|record| record.lines().len()),
                left: None,
                reason: Some(refusal.to_string()),
                fault: Some(refusal.fault.name()),
                number: refusal.number(),
            };
            let line = judged::ends_of_fault(&refusal, record.as_ref());
            let name = record.map_or_else(String::new, |record| format!("{}, ", record.game));
            (row, format!("refused: {name}{refusal}{line}"))
        }
    })
}
