//! `morpion store list` and `best`.

use anyhow::Result;
use evidence::ProofKind;
use record::Provenance;
use serde::Serialize;
use store::{Archive, GameEntry, ProofEntry, ProofFilter};

use super::{ArchiveArgs, FilterArgs};
use crate::output::{Exit, count, print, print_json};

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

/// A game, for machines.
#[derive(Serialize)]
pub(super) struct GameRow {
    id: String,
    game: String,
    score: u32,
    left: u64,
    finds: u32,
    added: i64,
    provenance: Provenance,
}

impl GameRow {
    pub(super) fn new(entry: GameEntry) -> Self {
        let GameEntry { id, game, score, left, added, discoveries: finds, provenance } = entry;
        Self { id: id.to_string(), game, score, left, finds, added, provenance }
    }
}

/// A proof, for machines.
#[derive(Serialize)]
pub(super) struct ProofRow {
    id: String,
    kind: &'static str,
    game: String,
    board: Option<String>,
    bound: Option<i64>,
    claim: String,
    origin: String,
    added: i64,
}

impl ProofRow {
    pub(super) fn new(entry: ProofEntry) -> Self {
        let ProofEntry { id, kind, game, board, bound, claim, origin, added, .. } = entry;
        Self { id: id.to_string(), kind: kind.name(), game, board, bound, claim, origin, added }
    }
}

#[derive(Serialize)]
struct BestRow {
    game: String,
    /// The longest game; none if only bounds are known.
    best: Option<GameRow>,
    /// The least bound for the whole game.
    bound: Option<ProofRow>,
}

pub(super) fn list(args: &ListArgs) -> Result<Exit> {
    let archive = args.archive.open()?;
    if args.proofs {
        let filter =
            ProofFilter { game: args.filter.game.clone(), kind: None, limit: args.filter.limit };
        let proofs = archive.proofs(&filter)?;
        if args.json {
            print_json(&proofs.into_iter().map(ProofRow::new).collect::<Vec<_>>())?;
        } else {
            for entry in proofs {
                print(format_args!("{}  {}", entry.id.short(), entry.claim))?;
            }
        }
        return Ok(Exit::Success);
    }
    let games = archive.games(&args.filter.filter())?;
    if args.json {
        print_json(&games.into_iter().map(GameRow::new).collect::<Vec<_>>())?;
    } else {
        for entry in games {
            print(line(&entry))?;
        }
    }
    Ok(Exit::Success)
}

pub(super) fn best(args: &BestArgs) -> Result<Exit> {
    let rows = bests(&args.archive.open()?)?;
    if args.json {
        print_json(&rows)?;
        return Ok(Exit::Success);
    }
    for BestRow { game, best, bound } in rows {
        let found = best.map_or_else(
            || "no game".to_owned(),
            |best| format!("{} ({})", count(best.score as usize, "move"), &best.id[..12]),
        );
        let proven = bound.map_or_else(String::new, |bound| format!("; {}, proven", bound.claim));
        print(format_args!("{game}: {found}{proven}"))?;
    }
    Ok(Exit::Success)
}

/// The longest game and the least bound of every game there is.
fn bests(archive: &Archive) -> Result<Vec<BestRow>> {
    let filter = ProofFilter { kind: Some(ProofKind::Game), ..ProofFilter::default() };
    let mut rows: Vec<BestRow> = Vec::new();
    for entry in archive.best_games()? {
        let game = entry.game.clone();
        rows.push(BestRow { game, best: Some(GameRow::new(entry)), bound: None });
    }
    // The least bound of a game comes first.
    for entry in archive.proofs(&filter)? {
        let at = rows.iter().position(|row| row.game == entry.game).unwrap_or_else(|| {
            rows.push(BestRow { game: entry.game.clone(), best: None, bound: None });
            rows.len() - 1
        });
        rows[at].bound.get_or_insert_with(|| ProofRow::new(entry));
    }
    Ok(rows)
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
