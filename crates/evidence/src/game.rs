//! Games that the verifier has accepted.

use std::fmt;

use geometry::{Game, Line, Move};
use record::{Claims, Play, Provenance, Record};
use verify::{OrderResult, Refusal, VerifiedGame};

use crate::convert;
use crate::identity::Id;

/// A game that the verifier has accepted, as a record in canonical form: its moves in a legal
/// order, its score and whether it is terminal as claims.
///
/// Prints as `5T, 178 moves, no legal moves remain`.
#[derive(Debug, Clone)]
pub struct VerifiedRecord {
    record: Record,
    verified: VerifiedGame,
}

/// Why a file is not accepted as evidence.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VerifyError {
    /// The verifier refuses it.
    #[error("the verifier refuses it: {0}")]
    Refused(Refusal),
    /// The verifier accepts it, but it cannot be read as a record.
    #[error(transparent)]
    Unreadable(#[from] record::ReadError),
    /// It proves something that the archive has no kind for.
    #[error("the archive has no place for a proof that {0}")]
    NoPlace(String),
}

/// By hand, since the message includes the refusal, which should not be printed again as the
/// source.
impl From<Refusal> for VerifyError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl VerifiedRecord {
    /// Verifies a record. Its claims must be true; missing ones are added. A drawing is put in an
    /// order in which it can be played.
    pub fn new(record: Record) -> Result<Self, Refusal> {
        let verified = verify::verify_game(&record.to_json())?;
        Ok(Self::from_verdict(record.game, record.provenance, verified))
    }

    /// Verifies the text of a native file.
    pub fn parse(text: &str) -> Result<Self, VerifyError> {
        let verified = verify::verify_game(text)?;
        let record = record::read(text.as_bytes(), None)?;
        Ok(Self::from_verdict(record.game, record.provenance, verified))
    }

    /// The record of a game that has just been verified.
    pub(crate) fn from_verdict(game: Game, provenance: Provenance, verified: VerifiedGame) -> Self {
        let mut record = Record::from_moves(game, convert::moves(&verified));
        let terminal = Some(verified.remaining_moves() == 0);
        record.claims = Claims { score: Some(u64::from(verified.score())), terminal };
        record.provenance = provenance;
        Self { record, verified }
    }

    /// The same game with another provenance, which has no part in its verification.
    #[must_use]
    pub fn with_provenance(mut self, provenance: Provenance) -> Self {
        self.record.provenance = provenance;
        self
    }

    /// The game as a record.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The rules and the start.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.record.game
    }

    /// Who found it, and how.
    #[must_use]
    pub fn provenance(&self) -> &Provenance {
        &self.record.provenance
    }

    /// The moves, in a legal order.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        match &self.record.play {
            Play::Moves(moves) => moves,
            Play::Drawing(_) => unreachable!("a verified record has an order"),
        }
    }

    /// The number of moves.
    #[must_use]
    pub fn score(&self) -> u32 {
        self.verified.score()
    }

    /// How many legal moves remain at the end.
    #[must_use]
    pub fn remaining_moves(&self) -> u64 {
        self.verified.remaining_moves()
    }

    /// The identity of the game up to symmetry and the order of its moves.
    #[must_use]
    pub fn id(&self) -> Id {
        let lines: Vec<Line> = self.record.lines().collect();
        Id::from_lines(&self.record.game, &lines)
    }

    /// The game as a native file.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.record.to_json()
    }

    /// The result of the verifier, in its own types.
    #[must_use]
    pub fn verified(&self) -> &VerifiedGame {
        &self.verified
    }

    /// The record, without the evidence.
    #[must_use]
    pub fn into_record(self) -> Record {
        self.record
    }
}

impl fmt::Display for VerifiedRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.verified.fmt(f)
    }
}

/// Whether the lines of a file can be played, and how.
#[derive(Debug, Clone)]
pub enum GameOrder {
    /// They can.
    Ordered {
        /// The game in the order found; it has no provenance.
        game: Box<VerifiedRecord>,
        /// For each move its place in the file's list, counting from 0.
        order: Vec<u32>,
    },
    /// They cannot, in any order.
    Stuck {
        /// The lines that remain, by their place in the file's list, counting from 0.
        stuck: Vec<u32>,
    },
}

impl GameOrder {
    /// Finds an order for the lines of a native file; the order in the file is ignored.
    pub fn find(text: &str) -> Result<Self, Refusal> {
        Ok(match verify::order(text)? {
            OrderResult::Ordered { game, order, .. } => {
                let known = convert::game(game.rules(), game.start());
                let provenance = Provenance::default();
                let game = VerifiedRecord::from_verdict(known, provenance, game);
                Self::Ordered { game: Box::new(game), order }
            }
            OrderResult::Stuck { stuck, .. } => Self::Stuck { stuck },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = r#"{"format":"morpion-game/1","rules":"5T","start":"cross""#;

    #[test]
    fn a_drawing_and_its_game_are_one() {
        let drawing = format!(r#"{HEAD},"lines":[[[3,-1],"S"],[[3,0],"E"]]}}"#);
        let moves = r#"{"new":[7,0],"line":[[3,0],"E"]},{"new":[3,-1],"line":[[3,-1],"S"]}"#;
        let game = format!(r#"{HEAD},"moves":[{moves}],"provenance":{{"author":"me"}}}}"#);
        let [drawing, game] =
            [drawing, game].map(|text| VerifiedRecord::parse(&text).expect("a legal game"));
        assert_eq!(drawing.id(), game.id());
        let json = drawing.to_json();
        assert!(json.contains("\"moves\"") && json.contains("\"score\": 2"), "{json}");
        assert_eq!(game.provenance().author.as_deref(), Some("me"));
        assert_eq!((game.score(), game.moves().len()), (2, 2));
    }

    #[test]
    fn the_canonical_record_is_accepted_as_it_is() {
        let moves = r#"{"new":[7,0],"line":[[3,0],[7,0]]}"#;
        let game = VerifiedRecord::parse(&format!(r#"{HEAD},"moves":[{moves}]}}"#)).expect("legal");
        let again = VerifiedRecord::parse(&game.to_json()).expect("legal");
        assert_eq!((again.to_json(), again.verified()), (game.to_json(), game.verified()));
        let other = Provenance { author: Some("me".to_owned()), ..Provenance::default() };
        assert!(again.with_provenance(other).to_json().contains("\"me\""));
    }

    #[test]
    fn an_illegal_game_or_a_false_claim_is_not_evidence() {
        let moves = r#"{"new":[4,3],"line":[[3,3],"E"]}"#;
        let refused = VerifiedRecord::parse(&format!(r#"{HEAD},"moves":[{moves}]}}"#));
        assert!(matches!(refused, Err(VerifyError::Refused(_))), "{refused:?}");
        let mut record = Record::from_moves(Game::named("5T").expect("a game"), Vec::new());
        record.claims.score = Some(1);
        assert!(VerifiedRecord::new(record).is_err());
    }
}
