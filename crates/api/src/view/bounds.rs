//! Known results: records, bounds, proofs.

use bound::formula::{self, PublishedRow, TABLE};
use geometry::{Game, Rules};
use record::DotJson;
use serde::Serialize;

use super::game;
use crate::known::{self, LargeProof, PrintedBoundView, RecordView};

/// What is known of a game from its usual cross.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoundRow {
    /// The side of the cross.
    pub k: usize,
    /// The rules, like `5T`.
    pub game: String,
    /// The number of dots of the start.
    pub dots: usize,
    /// The longest game of Demaine et al. (2006).
    pub published_game: Option<u32>,
    /// The upper bound of Demaine et al. (2006).
    pub published_bound: Option<u32>,
    /// The longest published game.
    pub in_print: Option<PublishedView>,
    /// The bound by the best formula.
    pub bound: Option<u64>,
    /// The formula.
    pub by: Option<&'static str>,
    /// Its argument, one step per line.
    pub argument: Vec<String>,
    /// The lowest bound with a shipped proof.
    pub proven: Option<u32>,
    /// Whether the lowest bound, by formula or proof, is the length of a known game: of one that
    /// the formula constructs, or of the longest published one.
    pub exact: bool,
    /// What the proof shows.
    pub claim: Option<String>,
    /// The name of the proof in the folder `proofs`.
    pub proof: Option<String>,
    /// The SHA-256 of that proof, in hexadecimal digits.
    pub sha256: Option<String>,
    /// Where that proof is, if it is too large for the program.
    pub large: Option<LargeProofView>,
    /// The least upper bound in print, whether it can be checked or not.
    pub printed: Option<PrintedBoundView>,
    /// Whether play need never end.
    pub endless: bool,
    /// The longest verified game at hand, where games were given.
    pub best: Option<u32>,
    /// Its file.
    pub file: Option<String>,
}

/// The rows of the table of Demaine et al. (2006). Verifies the shipped proofs, which takes a
/// moment.
#[must_use]
pub fn bound_rows() -> Vec<BoundRow> {
    TABLE.iter().map(BoundRow::new).collect()
}

impl BoundRow {
    fn new(published: &PublishedRow) -> Self {
        let rules = Rules::new(published.k + 1, published.touching);
        let game = Game::from_cross(rules.expect("the table is within range"));
        let bound = formula::best(&game);
        let (proven, endless) = (known::bound(&game), known::endless(&game));
        let in_print = known::published_record(&game);
        let lowest = [
            bound.as_ref().map(|bound| bound.bound),
            proven.as_ref().map(|known| u64::from(known.bound)),
        ];
        let lowest = lowest.into_iter().flatten().min();
        let reached = [
            bound.as_ref().and_then(|bound| bound.reached),
            in_print.map(|published| u64::from(published.moves)),
        ];
        let claim = proven.as_ref().map(|known| known.claim.clone());
        // The pages verify what is embedded.
        let is_embedded = |file: &str| known::proofs().any(|name| name == file);
        let proof = proven.as_ref().map(|known| known.file.to_owned());
        let proof = proof.filter(|file| is_embedded(file));
        let proof = proof.or_else(|| endless.as_ref().map(|known| known.file.to_owned()));
        let large = proven.as_ref().and_then(|known| known::large(known.file));
        Self {
            k: published.k,
            game: game.rules.to_string(),
            dots: game.start.dots().len(),
            published_game: published.range.map(|(game, _)| game),
            published_bound: published.range.map(|(_, bound)| bound),
            exact: lowest.is_some() && reached.contains(&lowest),
            in_print: in_print.map(PublishedView::from),
            bound: bound.as_ref().map(|bound| bound.bound),
            by: bound.as_ref().map(|bound| bound.formula.name()),
            argument: bound.map(|bound| bound.argument).unwrap_or_default(),
            proven: proven.map(|known| known.bound),
            claim: claim.or_else(|| endless.as_ref().map(|known| known.claim.clone())),
            sha256: proof.as_deref().and_then(known::proof).map(known::sha256),
            proof,
            large: large.map(LargeProofView::from),
            printed: known::printed_bound(&game),
            endless: endless.is_some(),
            best: None,
            file: None,
        }
    }
}

/// A proof that is too large for the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LargeProofView {
    /// Its name in the folder `proofs`.
    pub file: &'static str,
    /// The hash of the file, in hexadecimal digits.
    pub sha256: &'static str,
}

impl From<&LargeProof> for LargeProofView {
    fn from(&LargeProof { file, sha256, .. }: &LargeProof) -> Self {
        Self { file, sha256 }
    }
}

/// A published game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PublishedView {
    /// The number of moves.
    pub moves: u32,
    /// Who found it, and when.
    pub by: String,
}

impl From<RecordView> for PublishedView {
    fn from(RecordView { moves, by, year }: RecordView) -> Self {
        Self { moves, by: format!("{by} {year}") }
    }
}

/// A game and its known results.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnownGameView {
    /// The rules, like `5T`.
    pub rules: String,
    /// Dots per line.
    pub length: usize,
    /// Whether lines may touch.
    pub touching: bool,
    /// The dots of the start.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::schema::Dot>"))]
    pub start: Vec<DotJson>,
    /// The longest published game.
    pub in_print: Option<PublishedView>,
    /// The bound by the best formula.
    pub bound: Option<u64>,
    /// The lowest bound with a shipped proof.
    pub proven: Option<u32>,
    /// Whether a shipped proof shows that play need never end.
    pub endless: bool,
}

impl KnownGameView {
    /// A game; `proven` is the bound of a proof that has been verified.
    #[must_use]
    pub fn new(game: &Game, proven: Option<u32>) -> Self {
        Self {
            rules: game.rules.to_string(),
            length: game.rules.length(),
            touching: game.rules.touching(),
            start: game::start(game),
            in_print: known::published_record(game).map(PublishedView::from),
            bound: formula::best(game).map(|bound| bound.bound),
            proven,
            endless: known::endless(game).is_some(),
        }
    }
}

/// The LP of a board: its optimum, the verified bound, and a picture of the solution.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LpSolutionView {
    /// The optimum, in floating point.
    pub value: f64,
    /// The verified claim, in integers.
    pub claim: String,
    /// The fractional solution as SVG.
    pub picture: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_means_that_a_known_game_reaches_the_lowest_bound() {
        for row in bound_rows() {
            let lowest = row.bound.into_iter().chain(row.proven.map(u64::from)).min();
            if let Some(published) = &row.in_print {
                assert!(lowest.is_none_or(|lowest| lowest >= published.moves.into()));
                let equal = lowest == Some(published.moves.into());
                assert!(!equal || row.exact, "{}", row.game);
            }
            let expected =
                matches!(&*row.game, "4D" | "4T") || row.game.starts_with(['6', '7', '8', '9']);
            assert_eq!(row.exact, expected, "{}", row.game);
        }
    }
}
