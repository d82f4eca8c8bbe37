//! Games by name: known results, records, search methods, proofs.

use serde::Serialize;

use crate::view::{KnownGameView, MethodView, ProofView};
use crate::{ApiError, PlayError, known, link, named};

/// The games that the program has found itself: the rules, the moves, the file `games/5T-175.json`.
pub const OWN_GAMES: [(&str, u32, &str); 6] = [
    ("5T", 175, include_str!("../data/games/5T-175.json")),
    ("5T", 169, include_str!("../data/games/5T-169.json")),
    ("5T", 168, include_str!("../data/games/5T-168.json")),
    ("5D", 82, include_str!("../data/games/5D-82.json")),
    ("4T", 62, include_str!("../data/games/4T-62.json")),
    ("4D", 35, include_str!("../data/games/4D-35.json")),
];

/// Scores that were published: the rules, the moves, who, when.
const SCORES: [(&str, u32, &str, u32); 6] = [
    ("5T", 178, "Rosin", 2011),
    ("5T", 170, "Bruneau", 1976),
    ("5D", 82, "Rosin", 2010),
    ("5D", 68, "A. Langerman", 1999),
    ("4T", 62, "Hyyrö, Poranen", 2007),
    ("4D", 35, "Hyyrö, Poranen", 2007),
];

/// A famous score, or a game of ours to replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordGameView {
    /// The rules, like `5T`.
    pub game: &'static str,
    /// The number of moves.
    pub moves: u32,
    /// Who found it; `None` for games of this program.
    pub author: Option<&'static str>,
    /// When it was published.
    pub year: Option<u32>,
    /// The link of a game of this program.
    pub link: Option<String>,
}

/// Famous scores, and the games that the program has found itself; the longest first.
pub fn records() -> Result<Vec<RecordGameView>, ApiError> {
    let mut records: Vec<RecordGameView> = Vec::new();
    for (game, moves, author, year) in SCORES {
        let (author, year) = (Some(author), Some(year));
        records.push(RecordGameView { game, moves, author, year, link: None });
    }
    for (game, moves, text) in OWN_GAMES {
        let link = Some(link(text.as_bytes())?.link);
        records.push(RecordGameView { game, moves, author: None, year: None, link });
    }
    records.sort_by_key(|record| std::cmp::Reverse(record.moves));
    Ok(records)
}

/// A game from the usual cross; `proven` is the bound of a proof that has been verified.
pub fn game(name: &str, proven: Option<u32>) -> Result<KnownGameView, ApiError> {
    Ok(KnownGameView::new(&named(name)?, proven))
}

/// The search methods, with their defaults for a game.
pub fn methods(name: &str) -> Result<Vec<MethodView>, ApiError> {
    Ok(crate::view::methods(&named(name)?))
}

/// Verifies the file of a proof, as it is or compressed by gzip.
pub fn verify_proof_file(file: &[u8]) -> Result<ProofView, ApiError> {
    let text = verify::read(file).map_err(|error| match error {
        verify::ReadError::Refused(refusal) => ApiError::Refused(refusal),
        other => ApiError::NotAccepted(other.to_string().into()),
    })?;
    Ok(ProofView::new(&verify::verify_proof(&text)))
}

/// Verifies a proof that comes with the program.
pub fn verify_proof(name: &str) -> Result<ProofView, ApiError> {
    Ok(ProofView::new(&known::verify(name).ok_or(PlayError::NotFound)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_games_are_legal_and_as_long_as_they_say() {
        for (game, moves, text) in OWN_GAMES {
            let verdict = crate::verify(text.as_bytes(), None).expect("a game").verdict;
            assert_eq!((verdict.verdict, verdict.moves), ("legal", Some(moves as usize)));
            assert_eq!(verdict.game.as_deref(), Some(game));
        }
        for record in records().expect("legal").into_iter().filter_map(|record| record.link) {
            assert!(crate::open_link(&record).is_ok(), "{record}");
        }
    }

    #[test]
    fn the_published_records_are_those_known() {
        for (name, ..) in SCORES {
            let best = SCORES.iter().filter(|score| score.0 == name).map(|score| score.1).max();
            let known = known::published_record(&named(name).expect("a game"));
            assert_eq!(known.map(|record| record.moves), best, "{name}");
        }
    }
}
