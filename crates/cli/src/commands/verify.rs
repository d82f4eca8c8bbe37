//! `morpion verify`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use geometry::Game;
use serde::Serialize;

use super::judged::{self, Judged};
use crate::args::FileGame;
use crate::files;
use crate::output::{Answer, note, print, print_json};

/// Says whether games are legal, how long they are and whether moves are left
///
/// Reads every format: native JSON, Pentasol, MSR, text, and pictures (SVG, PNG) made by morpion.
/// A drawing without an order is legal if there is an order in which it can be played.
///
/// Examples:
///   morpion verify best.json
///   morpion verify --game 5T record.psol
///   morpion verify --json *.svg
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
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
    fn of_trouble(file: &Path, trouble: &anyhow::Error) -> Self {
        Self {
            file: files::name(file),
            verdict: "trouble",
            game: None,
            start: None,
            moves: None,
            left: None,
            reason: Some(format!("{trouble:#}")),
            fault: None,
            number: None,
        }
    }
}

pub(crate) fn run(args: Args) -> Result<Answer> {
    let game = args.game.game()?;
    let mut answer = Answer::Yes;
    let mut rows = Vec::new();
    for file in &args.files {
        match verify(file, game.as_ref()) {
            Ok((row, text)) => {
                if row.verdict != "legal" {
                    answer = answer.max(Answer::No);
                }
                if !args.json {
                    print(format_args!("{}: {text}", row.file))?;
                }
                rows.push(row);
            }
            Err(trouble) => {
                note(format_args!("morpion: {trouble:#}"));
                answer = Answer::Trouble;
                rows.push(Row::of_trouble(file, &trouble));
            }
        }
    }
    if args.json {
        print_json(&rows)?;
    }
    Ok(answer)
}

fn verify(file: &Path, game: Option<&Game>) -> Result<(Row, String)> {
    let Judged { record, verdict } = judged::judge(file, game)?;
    let file = files::name(file);
    Ok(match verdict {
        Ok(game) => {
            let text = format!("legal: {}", judged::summary(&game));
            let row = Row {
                file,
                verdict: "legal",
                game: Some(game.rules().to_string()),
                start: Some(game.start().to_string()),
                moves: Some(game.score() as usize),
                left: Some(game.left()),
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
