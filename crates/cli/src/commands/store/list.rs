//! `morpion store list` and `best`.

use anyhow::Result;
use geometry::Game;
use lab::view::{BestView, GameView, ProofEntryView};
use store::{GameEntry, ProofFilter};

use super::{ArchiveArgs, FilterArgs};
use crate::output::{Exit, count, note, print, print_json};

/// List games, the longest first, or proofs
#[derive(clap::Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    archive: ArchiveArgs,

    #[command(flatten)]
    filter: FilterArgs,

    /// List proofs instead; --game and --limit apply
    #[arg(long, conflicts_with_all = ["least", "method"])]
    proofs: bool,

    /// Print one JSON list
    #[arg(long)]
    json: bool,
}

/// Show the longest game and the lowest proven bound of each game
#[derive(clap::Args)]
pub(crate) struct BestArgs {
    #[command(flatten)]
    archive: ArchiveArgs,

    /// Print one JSON list
    #[arg(long)]
    json: bool,
}

pub(super) fn list(args: &ListArgs) -> Result<Exit> {
    let archive = args.archive.open()?;
    if args.proofs {
        let filter =
            ProofFilter { game: args.filter.game.clone(), kind: None, limit: args.filter.limit };
        let proofs = archive.proofs(&filter)?;
        if args.json {
            print_json(&proofs.into_iter().map(ProofEntryView::from).collect::<Vec<_>>())?;
        } else {
            if proofs.is_empty() {
                note("no such proofs");
            }
            for entry in proofs {
                print(format_args!("{}  {}", entry.id.short(), entry.claim))?;
            }
        }
        return Ok(Exit::Success);
    }
    let games = archive.games(&args.filter.filter())?;
    if args.json {
        print_json(&games.into_iter().map(GameView::from).collect::<Vec<_>>())?;
    } else {
        if games.is_empty() {
            note(format_args!("no such games{}", args.filter.unknown_method()));
        }
        for entry in games {
            print(line(&entry))?;
        }
    }
    Ok(Exit::Success)
}

pub(super) fn best(args: &BestArgs) -> Result<Exit> {
    let rows = BestView::list(&args.archive.open()?)?;
    if args.json {
        print_json(&rows)?;
        return Ok(Exit::Success);
    }
    for BestView { game, best, bound } in rows {
        let found = best.map_or_else(
            || "no game".to_owned(),
            |best| {
                let record = best_record(&game);
                format!("{}{record} [{}]", count(best.score as usize, "move"), &best.id[..12])
            },
        );
        let proven = bound.map_or_else(String::new, |bound| format!("; {}, proven", bound.claim));
        print(format_args!("{game}: {found}{proven}"))?;
    }
    Ok(Exit::Success)
}

/// The record of a game, by its name.
fn best_record(game: &str) -> String {
    Game::named(game).map_or_else(|_| String::new(), |game| lab::records::beside(&game))
}

/// A game in one line.
pub(super) fn line(entry: &GameEntry) -> String {
    let GameEntry { id, game, score, left, discoveries, provenance, .. } = entry;
    let end = if *left == 0 { "" } else { ", not terminal" };
    let moves = count(*score as usize, "move");
    let by = match (&provenance.author, &provenance.method, provenance.seed) {
        (Some(author), _, _) => format!(" by {author}"),
        (None, Some(method), Some(seed)) => format!(" by {method}, seed {seed}"),
        (None, Some(method), None) => format!(" by {method}"),
        (None, None, _) => String::new(),
    };
    let again =
        if *discoveries > 1 { format!(", found {discoveries} times") } else { String::new() };
    // What a file says of itself may hold anything.
    let by: String = by.chars().filter(|letter| !letter.is_control()).take(80).collect();
    format!("{}  {game}, {moves}{end}{by}{again}", id.short())
}
