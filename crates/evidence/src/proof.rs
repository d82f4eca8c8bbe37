//! Proofs that the verifier has accepted.

use std::fmt;

use geometry::Game;
use verify::{Claim, ProvenClaim};

use crate::convert;
use crate::game::VerifyError;
use crate::identity::Id;

/// The text of a proof together with what it proves. Prints as its claim.
#[derive(Debug, Clone)]
pub struct VerifiedProof {
    text: String,
    proven: ProvenClaim,
    subject: Subject,
}

/// What a proof is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofKind {
    /// How long games on a board can be.
    Board,
    /// How long games can be, wherever their dots lie.
    Game,
    /// That play never has to end.
    Endless,
    /// Which bounding boxes long games reach.
    Boxes,
}

impl ProofKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Board, Self::Game, Self::Endless, Self::Boxes];

    /// `board`, `game`, `endless` or `boxes`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::Game => "game",
            Self::Endless => "endless",
            Self::Boxes => "boxes",
        }
    }
}

impl fmt::Display for ProofKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The game, board and bound of a claim.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The kind of claim.
    pub kind: ProofKind,
    /// The rules and the start.
    pub game: Game,
    /// The name of the board, if any, with `exact` in front if games are meant that reach all its
    /// sides.
    pub board: Option<String>,
    /// The upper bound, if any; -1 if there is no such game.
    pub bound: Option<i64>,
}

impl VerifiedProof {
    /// Verifies the text of a proof.
    pub fn new(text: String) -> Result<Self, VerifyError> {
        let proven = verify::verify_proof(&text)?;
        let subject =
            subject(proven.claim()).ok_or_else(|| VerifyError::NoPlace(proven.to_string()))?;
        Ok(Self { text, proven, subject })
    }

    /// The identity of the proof: that of its text.
    #[must_use]
    pub fn id(&self) -> Id {
        Id::from_text(&self.text)
    }

    /// The file, uncompressed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it proves.
    #[must_use]
    pub fn claim(&self) -> &Claim {
        self.proven.claim()
    }

    /// What it is about.
    #[must_use]
    pub fn subject(&self) -> &Subject {
        &self.subject
    }
}

impl fmt::Display for VerifiedProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.proven.fmt(f)
    }
}

/// The game that a claim is about.
#[must_use]
pub fn game_of(claim: &Claim) -> Game {
    convert::game(claim.rules(), claim.start())
}

/// The subject of a claim, if it is of a kind that is known here.
fn subject(claim: &Claim) -> Option<Subject> {
    let game = game_of(claim);
    let whole_game = |kind, bound| Subject { kind, game: game.clone(), board: None, bound };
    Some(match claim {
        Claim::AtMost { moves, .. } | Claim::Exactly { moves, .. } => {
            whole_game(ProofKind::Game, Some(i64::from(*moves)))
        }
        Claim::Reaches { moves, boxes, .. } => {
            let kind = if boxes.is_empty() { ProofKind::Game } else { ProofKind::Boxes };
            whole_game(kind, Some(i64::from(*moves)))
        }
        Claim::Endless(_) => whole_game(ProofKind::Endless, None),
        Claim::OnBoard { board, exact, moves, .. } => {
            let exact = if *exact { "exact " } else { "" };
            // A larger bound than the archive can store is useless, but true.
            let bound = moves.map_or(-1, |moves| i64::try_from(moves).unwrap_or(i64::MAX));
            let board = Some(format!("{exact}{board}"));
            Subject { kind: ProofKind::Board, board, ..whole_game(ProofKind::Board, Some(bound)) }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_proof_is_not_evidence() {
        let refused = VerifiedProof::new("morpion-bound/1\n".to_owned());
        assert!(matches!(refused, Err(VerifyError::Refused(_))), "{refused:?}");
    }
}
