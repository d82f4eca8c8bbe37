//! What proofs claim, and what the verifier has found proven.

use std::fmt;

use super::board::Board;
use super::endless::EndlessPlay;
use crate::fault::ProofFault;
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::start::Start;

/// A claim about all games of some rules.
///
/// Prints as `5D <= 121`, `4D = 35`, or as a sentence. A claim by itself is not evidence: only
/// [`ProvenClaim`] is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// No game from the usual cross has more moves.
    AtMost {
        /// The rules of the games.
        rules: Rules,
        /// The upper bound.
        moves: u32,
    },
    /// The longest games from the usual cross have this many moves.
    Exactly {
        /// The rules of the games.
        rules: Rules,
        /// The length of the longest games.
        moves: u32,
    },
    /// No game on a board has more moves.
    OnBoard {
        /// The rules of the games.
        rules: Rules,
        /// The dots they start from.
        start: Start,
        /// Where all their dots lie: a box lies around the start, other boards may be moved,
        /// turned and mirrored.
        board: Board,
        /// Whether only games are meant that reach every side of the board.
        exact: bool,
        /// The upper bound; `None` if there is no such game.
        moves: Option<u128>,
    },
    /// A bound on condition: a game from the usual cross with more moves reaches, turned or
    /// mirrored, one of these bounding boxes. If there are none, no game has more moves.
    Reaches {
        /// The rules of the games.
        rules: Rules,
        /// The upper bound of games that reach none of the boxes.
        moves: u32,
        /// The boxes, one of each eight images, by how many rows and columns they reach beyond
        /// the start: above, right, below, left.
        boxes: Vec<[u32; 4]>,
    },
    /// Play that never has to end.
    Endless(EndlessPlay),
}

impl Claim {
    /// The rules of the games.
    #[must_use]
    pub fn rules(&self) -> Rules {
        match self {
            Claim::AtMost { rules, .. }
            | Claim::Exactly { rules, .. }
            | Claim::OnBoard { rules, .. }
            | Claim::Reaches { rules, .. } => *rules,
            Claim::Endless(play) => play.rules(),
        }
    }

    /// The dots that the games start from.
    #[must_use]
    pub fn start(&self) -> &Start {
        match self {
            Claim::AtMost { .. } | Claim::Exactly { .. } | Claim::Reaches { .. } => &Start::Cross,
            Claim::OnBoard { start, .. } => start,
            Claim::Endless(play) => play.start(),
        }
    }

    /// The number of moves that no game from this start exceeds, on whatever board.
    #[must_use]
    pub fn upper_bound(&self) -> Option<u32> {
        match self {
            Claim::AtMost { moves, .. } | Claim::Exactly { moves, .. } => Some(*moves),
            Claim::Reaches { moves, boxes, .. } => boxes.is_empty().then_some(*moves),
            Claim::OnBoard { .. } | Claim::Endless(_) => None,
        }
    }

    /// The bounding boxes on which the claim is conditional: a longer game reaches one of them.
    #[must_use]
    pub fn boxes_left(&self) -> &[[u32; 4]] {
        match self {
            Claim::Reaches { boxes, .. } => boxes,
            _ => &[],
        }
    }

    /// The claim as a sentence: the second line of a proof in a text format.
    #[must_use]
    pub fn statement(&self) -> String {
        match self {
            Claim::AtMost { rules, moves } => {
                format!("{rules}: no game has more than {moves} moves")
            }
            Claim::Exactly { rules, moves } => {
                format!("{rules} = {moves}: a game has {moves} moves, and none has more")
            }
            claim => claim.to_string(),
        }
    }

    /// Refuses a proof whose second line is not the statement of its claim.
    pub(super) fn check_statement(&self, line: &str) -> Result<(), Refusal> {
        let wanted = self.statement();
        match line == wanted {
            true => Ok(()),
            false => Err(ProofFault::FalseWords { wanted }.into()),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::AtMost { rules, moves } => write!(f, "{rules} <= {moves}"),
            Claim::Exactly { rules, moves } => write!(f, "{rules} = {moves}"),
            Claim::OnBoard { rules, start, board, exact, moves } => {
                let games = match (board, exact) {
                    (Board::Box(_), false) => format!("dots all lie in {board} around the start"),
                    (Board::Box(_), true) => format!("bounding box is {board} around the start"),
                    (_, false) => format!("dots all lie on {board} (moved, turned or mirrored)"),
                    (_, true) => format!("octagonal hull is {board} (moved, turned or mirrored)"),
                };
                let game = start.with_rules(*rules);
                match moves {
                    None => write!(f, "{game}: there is no game whose {games}"),
                    Some(moves) => {
                        write!(f, "{game}: no game whose {games} has more than {moves} moves")
                    }
                }
            }
            Claim::Reaches { rules, moves, boxes } => match boxes.len() {
                0 => write!(f, "{rules}: no game has more than {moves} moves"),
                count => {
                    let plural = if count == 1 { "box" } else { "boxes" };
                    write!(f, "{rules}: every game of more than {moves} moves comes, ")?;
                    write!(f, "turned or mirrored, to one of {count} {plural}")
                }
            },
            Claim::Endless(play) => write!(f, "{play}: endless"),
        }
    }
}

/// Bounding boxes, each by how many rows and columns it reaches beyond the start: above, right,
/// below, left. Prints as `4,3,1,2 4,3,2,2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoxList<'a>(pub &'a [[u32; 4]]);

impl fmt::Display for BoxList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, [above, right, below, left]) in self.0.iter().enumerate() {
            let space = if number == 0 { "" } else { " " };
            write!(f, "{space}{above},{right},{below},{left}")?;
        }
        Ok(())
    }
}

/// The size of a proof. What a format does not have is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ProofStats {
    /// Boards with a certificate.
    pub boards: usize,
    /// Ranges of hulls that are bounded by the sizes of lattice lines.
    pub ranges: usize,
    /// Branch-and-bound trees.
    pub trees: usize,
    /// The leaves of all trees.
    pub leaves: usize,
    /// Rounds of endless play that were replayed.
    pub rounds: u32,
    /// The steps that verifying it took (see [`allowed_steps`](crate::allowed_steps)).
    pub steps: u64,
}

/// A claim that the verifier has found proven. Only [`verify_proof`](crate::verify_proof) makes
/// one. Prints as its claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvenClaim {
    claim: Claim,
    stats: ProofStats,
}

impl ProvenClaim {
    pub(super) fn new(claim: Claim, stats: ProofStats) -> ProvenClaim {
        ProvenClaim { claim, stats }
    }

    /// The same with the steps that verifying it took.
    pub(super) fn with_steps(self, steps: u64) -> ProvenClaim {
        ProvenClaim { stats: ProofStats { steps, ..self.stats }, ..self }
    }

    /// What is proven.
    #[must_use]
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// How large the proof is.
    #[must_use]
    pub fn stats(&self) -> ProofStats {
        self.stats
    }
}

impl fmt::Display for ProvenClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.claim.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statements are part of the formats: files contain them word for word.
    #[test]
    fn claims_have_their_frozen_words() {
        let rules = Rules::parse("5D").expect("known rules");
        let at_most = Claim::AtMost { rules, moves: 133 };
        assert_eq!(at_most.to_string(), "5D <= 133");
        assert_eq!(at_most.statement(), "5D: no game has more than 133 moves");
        let exactly = Claim::Exactly { rules, moves: 82 };
        assert_eq!(exactly.to_string(), "5D = 82");
        assert_eq!(exactly.statement(), "5D = 82: a game has 82 moves, and none has more");
        let none = Claim::Reaches { rules, moves: 121, boxes: Vec::new() };
        assert_eq!(none.to_string(), "5D: no game has more than 121 moves");
        let boxes = vec![[0, 0, 0, 14], [0, 0, 1, 13]];
        assert_eq!(BoxList(&boxes).to_string(), "0,0,0,14 0,0,1,13");
        let reaches = Claim::Reaches { rules, moves: 110, boxes };
        let words =
            "5D: every game of more than 110 moves comes, turned or mirrored, to one of 2 boxes";
        assert_eq!(
            (reaches.to_string(), reaches.statement()),
            (words.to_owned(), words.to_owned())
        );
        let bounds = [at_most, exactly, none, reaches].map(|claim| claim.upper_bound());
        assert_eq!(bounds, [Some(133), Some(82), Some(121), None]);
    }

    #[test]
    fn bounds_on_boards_have_their_frozen_words() {
        let claim = |start, board, exact, moves| {
            let rules = Rules::parse("5T").expect("known rules");
            let board = Board::parse(board).expect("a board");
            Claim::OnBoard { rules, start, board, exact, moves }.statement()
        };
        assert_eq!(
            claim(Start::Cross, "box:1,1,1,1", false, Some(78)),
            "5T: no game whose dots all lie in box:1,1,1,1 around the start has more than 78 moves"
        );
        assert_eq!(
            claim(Start::CrossOfSide(6), "box:0,0,0,0", true, None),
            "5T from cross:6: there is no game whose bounding box is box:0,0,0,0 around the start"
        );
        assert_eq!(
            claim(Start::Cross, "square:10", false, Some(64)),
            "5T: no game whose dots all lie on square:10 (moved, turned or mirrored) has more \
             than 64 moves"
        );
        assert_eq!(
            claim(Start::Cross, "octagon:3,3,3,3,3,3,3,3", true, Some(0)),
            "5T: no game whose octagonal hull is octagon:3,3,3,3,3,3,3,3 (moved, turned or \
             mirrored) has more than 0 moves"
        );
    }
}
