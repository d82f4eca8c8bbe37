//! `morpion bound --table`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use evidence::FileCheck;
use lab::view::{BoundRow, bound_rows};

use crate::commands::game_file;
use crate::files;
use crate::output::{Exit, note, print, print_json};

/// Prints section 3 of Demaine et al. (2006) beside our formulas and the games at hand.
pub(super) fn print_table(games: &Path, json: bool) -> Result<Exit> {
    let best = best_games(games)?;
    let mut rows = bound_rows();
    for row in &mut rows {
        let best = best.get(&row.game);
        row.best = best.map(|(moves, _)| *moves);
        row.file = best.map(|(_, file)| file.clone());
    }
    if json {
        print_json(&rows)?;
    } else {
        print(in_words(&rows, games))?;
    }
    Ok(Exit::Success)
}

/// The longest verified game from the usual cross in a folder, with its file, by rules.
fn best_games(folder: &Path) -> Result<BTreeMap<String, (u32, String)>> {
    let mut best = BTreeMap::new();
    if !folder.is_dir() {
        note(format_args!("{}: no such folder, so no games to compare", files::name(folder)));
        return Ok(best);
    }
    let entries = fs::read_dir(folder).with_context(|| files::name(folder))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "json"))
    {
        match game_file::verify(path, None) {
            Ok(FileCheck { verdict: Ok(game), .. }) => {
                let usual = *game.verified().start() == verify::Start::Cross;
                let rules = game.verified().rules().to_string();
                let longest = best.get(&rules).map_or(0, |&(moves, _)| moves);
                if usual && game.score() > longest {
                    best.insert(rules, (game.score(), files::name(path)));
                }
            }
            Ok(FileCheck { verdict: Err(refusal), .. }) => {
                note(format_args!("{}: refused: {refusal}", files::name(path)));
            }
            Err(error) => note(format_args!("passed over: {error:#}")),
        }
    }
    Ok(best)
}

fn in_words(rows: &[BoundRow], games: &Path) -> String {
    let text =
        |number: Option<u32>| number.map_or("endless".to_owned(), |number| number.to_string());
    let mut lines = vec![
        "games from the cross A_k; 2006: Demaine, Demaine, Langerman, Langerman".to_owned(),
        format!(
            "{:>2} {:<5}{:>5}{:>10}{:>11}   {:<36}{}",
            "k",
            "game",
            "dots",
            "best 2006",
            "bound 2006",
            "bound by formula",
            "best game verified here"
        ),
    ];
    for row in rows {
        let bound = match (row.endless, row.bound) {
            (true, _) => "endless, proven".to_owned(),
            (false, Some(bound)) => {
                let exact = if row.exact { ", exact" } else { "" };
                let less = row.proven.map_or(String::new(), |proven| format!(", {proven} proven"));
                format!("{bound} by {}{exact}{less}", row.by.unwrap_or_default())
            }
            (false, None) => "none known".to_owned(),
        };
        let best = match (row.best, &row.file) {
            (Some(best), Some(file)) => format!("{best} ({file})"),
            _ if row.endless => "-".to_owned(),
            _ => format!("none in {}", files::name(games)),
        };
        lines.push(format!(
            "{:>2} {:<5}{:>5}{:>10}{:>11}   {bound:<36}{best}",
            row.k,
            row.game,
            row.dots,
            text(row.published_game),
            text(row.published_bound),
        ));
    }
    for row in rows.iter().filter(|row| row.endless) {
        if let (Some(claim), Some(proof)) = (&row.claim, &row.proof) {
            lines.push(format!("   {claim}, proven by proofs/{proof}"));
        }
    }
    lines.join("\n")
}
