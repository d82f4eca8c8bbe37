//! `morpion bound --table`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use bound::formula::{self, PublishedRow, TABLE};
use evidence::FileCheck;
use geometry::{Game, Rules};
use lab::known;
use serde::Serialize;

use crate::commands::judged;
use crate::files;
use crate::output::{Exit, note, print, print_json};

/// One game from the cross.
#[derive(Serialize)]
struct Row {
    k: usize,
    game: String,
    dots: usize,
    /// The longest game in the paper.
    published_game: Option<u32>,
    /// The upper bound in the paper.
    published_bound: Option<u32>,
    /// The bound by the best formula.
    bound: Option<u64>,
    by: Option<&'static str>,
    /// The least bound of which a proof comes with the program.
    proven: Option<u32>,
    /// Whether a game as long as the bound was played to find it.
    exact: bool,
    /// The proof that there is no bound.
    endless: Option<String>,
    /// The longest game in the folder that the verifier accepts.
    best: Option<u32>,
    file: Option<String>,
}

/// Prints section 3 of Demaine et al. (2006) beside our formulas and the games at hand.
pub(super) fn print_table(games: &Path, json: bool) -> Result<Exit> {
    let best = best_games(games)?;
    let rows: Vec<Row> = TABLE.iter().map(|published| row(*published, &best)).collect();
    if json {
        print_json(&rows)?;
    } else {
        print(in_words(&rows, games))?;
    }
    Ok(Exit::Success)
}

fn row(published: PublishedRow, best: &BTreeMap<String, (u32, String)>) -> Row {
    let rules = Rules::new(published.k + 1, published.touching).expect("the table is within range");
    let game = Game::from_cross(rules);
    let bound = formula::best(&game);
    let best = best.get(&rules.to_string());
    Row {
        k: published.k,
        game: rules.to_string(),
        dots: game.start.dots().len(),
        published_game: published.range.map(|(game, _)| game),
        published_bound: published.range.map(|(_, bound)| bound),
        bound: bound.as_ref().map(|bound| bound.bound),
        by: bound.as_ref().map(|bound| bound.formula.name()),
        proven: known::bound(&game).map(|known| known.bound),
        exact: bound.as_ref().is_some_and(|bound| bound.reached == Some(bound.bound)),
        endless: known::endless(&game).map(|proof| proof.to_string()),
        best: best.map(|(moves, _)| *moves),
        file: best.map(|(_, file)| file.clone()),
    }
}

/// For each of the rules, the longest verified game from the usual cross in a folder.
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
        match judged::judge(path, None) {
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

fn in_words(rows: &[Row], games: &Path) -> String {
    let text =
        |number: Option<u32>| number.map_or("endless".to_owned(), |number| number.to_string());
    let mut lines = vec![
        "games from the cross A_k; 2006: Demaine, Demaine, Langerman, Langerman".to_owned(),
        format!(
            "{:>2} {:<5}{:>5}{:>10}{:>11}   {:<30}{}",
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
        let bound = match (&row.endless, row.bound) {
            (Some(_), _) => "endless, proven".to_owned(),
            (None, Some(bound)) => {
                let exact = if row.exact { ", exact" } else { "" };
                let less = row.proven.map_or(String::new(), |proven| format!(", {proven} proven"));
                format!("{bound} by {}{exact}{less}", row.by.unwrap_or_default())
            }
            (None, None) => "none known".to_owned(),
        };
        let best = match (row.best, &row.file) {
            (Some(best), Some(file)) => format!("{best} ({file})"),
            _ if row.endless.is_some() => "-".to_owned(),
            _ => format!("none in {}", files::name(games)),
        };
        lines.push(format!(
            "{:>2} {:<5}{:>5}{:>10}{:>11}   {bound:<30}{best}",
            row.k,
            row.game,
            row.dots,
            text(row.published_game),
            text(row.published_bound),
        ));
    }
    let proofs = rows.iter().filter_map(|row| row.endless.as_ref());
    lines.extend(proofs.map(|proof| format!("   {proof}")));
    lines.join("\n")
}
