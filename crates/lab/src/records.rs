//! What is known of each game, in one table: record, our longest game, bounds in print and here.

use api::OWN_GAMES;
use bound::formula::{self, BoundFormula};
use evidence::verify_file;
use geometry::Game;
use serde::Serialize;

use crate::known::{self, KnownBound};
pub use crate::known::{PrintedBoundView, RecordView, printed_bound};

/// The rows of the table.
const ROWS: [&str; 10] = ["5T", "5D", "4T", "4D", "6T", "6D", "3T", "3D", "2T", "2D"];

/// The record of a game, if one is published.
#[must_use]
pub fn record(game: &Game) -> Option<RecordView> {
    known::published_record(game)
}

/// `" (record 178, Rosin 2011)"`, or nothing if no record is published.
#[must_use]
pub fn beside(game: &Game) -> String {
    let text = |it: RecordView| format!(" (record {}, {} {})", it.moves, it.by, it.year);
    record(game).map(text).unwrap_or_default()
}

/// An upper bound that this program shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UpperBoundView {
    /// No game has more moves.
    pub bound: u64,
    /// The argument: a formula, or the kind of its proof: `cover`, `caps`, `tree`, ...
    pub by: String,
    /// Whether it follows from a certificate or a formula, which anyone can check.
    pub certified: bool,
    /// The file of the proof.
    pub proof: Option<String>,
}

/// The bounds for a game, the least certified one first, then those in print; `proven` is what
/// [`known::bound`] has.
#[must_use]
pub fn upper_bounds(game: &Game, proven: Option<&KnownBound>) -> Vec<UpperBoundView> {
    let mut bounds: Vec<UpperBoundView> = Vec::new();
    bounds.extend(proven.map(|known| UpperBoundView {
        bound: known.bound.into(),
        by: known.file.split('.').nth(1).unwrap_or_default().to_owned(),
        certified: true,
        proof: Some(format!("proofs/{}", known.file)),
    }));
    let formulas = BoundFormula::ALL.iter();
    let formulas = formulas.filter_map(|&formula| formula::bound(game, formula).ok());
    bounds.extend(formulas.map(|bound| UpperBoundView {
        bound: bound.bound,
        by: bound.formula.name().to_owned(),
        certified: true,
        proof: None,
    }));
    bounds.sort_by_key(|bound| bound.bound);
    bounds.extend(printed_bound(game).map(|printed| UpperBoundView {
        bound: printed.bound.into(),
        by: format!("{} {}", printed.by, printed.year),
        certified: false,
        proof: None,
    }));
    bounds
}

/// What shows that no game has so many moves, if that is certified: `4D = 35, by
/// proofs/4D-35.tree.gz`.
#[must_use]
pub fn impossible(game: &Game, moves: u32) -> Option<String> {
    // Verifying proofs takes a moment.
    if record(game).is_some_and(|record| moves <= record.moves) {
        return None;
    }
    let proven = known::bound(game);
    let bounds = upper_bounds(game, proven.as_ref());
    let least = bounds.into_iter().find(|bound| bound.certified)?;
    let (bound, by) = (least.bound, least.proof.unwrap_or(least.by));
    (u64::from(moves) > bound).then(|| match proven.filter(|it| u64::from(it.bound) == bound) {
        Some(known) => format!("{}, by {by}", known.claim),
        None => format!("{game} <= {bound}, by {by}"),
    })
}

/// What is known of a game from its usual cross.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RecordRow {
    /// The rules, like `5T`.
    pub game: String,
    /// The longest published game; none if play need never end.
    pub record: Option<RecordView>,
    /// The length of the longest game found here, verified.
    pub found: Option<u64>,
    /// Its file.
    pub file: Option<String>,
    /// The least upper bound in print.
    pub printed: Option<PrintedBoundView>,
    /// The least upper bound certified here.
    pub certified: Option<UpperBoundView>,
    /// Whether a game found here has as many moves as the certified bound.
    pub optimal: bool,
    /// Whether play need never end, which a proof shows.
    pub endless: bool,
    /// The command that shows it.
    pub command: String,
}

/// The table. Verifies the games and proofs that ship with the program, which takes a moment.
#[must_use]
pub fn rows() -> Vec<RecordRow> {
    let game = |name: &&str| Game::named(name).expect("a known game");
    ROWS.iter().map(game).map(|game| RecordRow::new(&game)).collect()
}

impl RecordRow {
    fn new(game: &Game) -> Self {
        let (own, endless) = (longest(game), known::endless(game));
        let certified = upper_bounds(game, known::bound(game).as_ref());
        let certified = certified.into_iter().find(|bound| bound.certified);
        let built = formula::best(game).and_then(|bound| bound.reached);
        let found = own.as_ref().map(|(moves, _)| u64::from(*moves)).or(built);
        let file = own.map(|(_, file)| file);
        let proof = certified.as_ref().and_then(|bound| bound.proof.clone());
        let proof = proof.or(endless.as_ref().map(|known| format!("proofs/{}", known.file)));
        let files: Vec<String> = file.iter().cloned().chain(proof).collect();
        let command = match files.as_slice() {
            [] => format!("morpion bound {}", game.rules),
            files => format!("morpion verify {}", files.join(" ")),
        };
        Self {
            game: game.rules.to_string(),
            record: record(game),
            optimal: certified.as_ref().is_some_and(|bound| Some(bound.bound) == found),
            found,
            file,
            printed: printed_bound(game),
            certified,
            endless: endless.is_some(),
            command,
        }
    }
}

/// The longest game of this kind that ships with the program, verified, with its file.
#[must_use]
pub fn longest(game: &Game) -> Option<(u32, String)> {
    let name = game.rules.to_string();
    let own = OWN_GAMES.iter().filter(|(rules, ..)| *rules == name && game.is_usual());
    let verified = own.filter_map(|(rules, moves, text)| {
        let verified = verify_file(text.as_bytes(), None).ok()?.verdict.ok()?;
        Some((verified.score(), format!("games/{rules}-{moves}.json")))
    });
    verified.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_are_the_longest_of_the_folder() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
        let mut longest = std::collections::BTreeMap::new();
        for entry in std::fs::read_dir(folder).expect("the games") {
            let bytes = std::fs::read(entry.expect("an entry").path()).expect("a game");
            let game = verify_file(&bytes, None).expect("readable").verdict.expect("legal");
            let best = longest.entry(game.record().game.rules.to_string()).or_insert(0);
            *best = game.score().max(*best);
        }
        for row in rows() {
            let found = longest.get(&row.game).map(|&moves| u64::from(moves));
            assert!(found.is_none() || found == row.found, "{}: embed the longest", row.game);
        }
    }

    #[test]
    fn no_game_is_longer_than_a_bound() {
        for row in rows() {
            let bound = row.certified.as_ref().map(|bound| bound.bound);
            assert_eq!(bound.is_none(), row.endless, "{}", row.game);
            let longest = row.found.max(row.record.map(|record| record.moves.into()));
            assert!(bound.is_none_or(|bound| Some(bound) >= longest), "{}", row.game);
            assert!(row.printed.is_none_or(|it| Some(u64::from(it.bound)) >= longest));
        }
        let optimal: Vec<String> =
            rows().into_iter().filter(|row| row.optimal).map(|row| row.game).collect();
        assert_eq!(optimal, ["4T", "4D", "6T", "6D"]);
    }
}
