//! Files that the judge has accepted, as evidence in types.

use std::fmt;

use geometry::{Direction, Game, Line, Move, Point, Rules, Start};
use record::{Claims, Provenance, Record};
use verify::{Proof, Refusal, VerifiedGame};

use crate::identity::Id;

/// A game file together with the judge's verdict on it. Only [`JudgedGame::judge`] makes one.
#[derive(Debug, Clone)]
pub struct JudgedGame {
    id: Id,
    record: Record,
    text: String,
    verified: VerifiedGame,
}

/// Why a file does not enter the archive.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NotAccepted {
    /// The judge refuses it.
    #[error("the judge refuses it: {0}")]
    Refused(Refusal),
    /// It says more of itself than can be kept.
    #[error(transparent)]
    Unreadable(#[from] record::ReadError),
    /// It proves something that has no place here.
    #[error("the archive has no place for a proof that {0}")]
    NoPlace(String),
}

impl From<Refusal> for NotAccepted {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl JudgedGame {
    /// Has a file in the native format judged.
    ///
    /// What is kept is the same game in the usual writing: a drawing in an order in which it can be played,
    /// and with a claim of its length and of whether it is over. That text, too, has been judged.
    pub fn judge(text: &str) -> Result<Self, NotAccepted> {
        let first = verify::judge(text)?;
        let read = record::read(text.as_bytes(), None)?;
        let mut record = Record::of_moves(read.game, moves(&first));
        let terminal = Some(first.left() == 0);
        record.claims = Claims { score: Some(u64::from(first.score())), terminal };
        record.provenance = read.provenance;
        let text = record.to_json();
        let verified = verify::judge(&text)?;
        let lines: Vec<Line> = record.lines().collect();
        Ok(Self { id: Id::of_lines(&record.game, &lines), record, text, verified })
    }

    /// What it is called in the archive.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// By which rules, from which dots.
    pub fn game(&self) -> &Game {
        &self.record.game
    }

    /// Who found it, and how.
    pub fn provenance(&self) -> &Provenance {
        &self.record.provenance
    }

    /// The file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What the judge found.
    pub fn verified(&self) -> &VerifiedGame {
        &self.verified
    }
}

/// A proof together with what the judge found it to prove. Only [`CheckedProof::check`] makes one.
#[derive(Debug, Clone)]
pub struct CheckedProof {
    id: Id,
    text: String,
    proof: Proof,
    subject: Subject,
}

/// What a proof is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofKind {
    /// How long games on a board can be.
    Board,
    /// How long games can be, wherever their dots lie.
    Game,
    /// That play need never end.
    Endless,
    /// Which boxes long games come to.
    Boxes,
}

impl ProofKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Board, Self::Game, Self::Endless, Self::Boxes];

    /// `board`, `game`, `endless` or `boxes`.
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

/// What a proof is about.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Its kind.
    pub kind: ProofKind,
    /// Which game.
    pub game: Game,
    /// Which board, if any.
    pub board: Option<String>,
    /// The most moves, if it says so.
    pub bound: Option<i64>,
}

impl CheckedProof {
    /// Has a proof checked.
    pub fn check(text: String) -> Result<Self, NotAccepted> {
        let proof = verify::check(&text)?;
        let subject = subject(&proof).ok_or_else(|| NotAccepted::NoPlace(proof.claim()))?;
        Ok(Self { id: Id::of_text(&text), text, proof, subject })
    }

    /// What it is called in the archive.
    pub fn id(&self) -> &Id {
        &self.id
    }

    /// The file, uncompressed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it proves.
    pub fn proof(&self) -> &Proof {
        &self.proof
    }

    /// Which game it is about.
    pub fn game(&self) -> &Game {
        &self.subject.game
    }

    /// Which board it is about, if any: its name, with `exact` in front if games are meant that meet all its
    /// sides.
    pub fn board(&self) -> Option<&str> {
        self.subject.board.as_deref()
    }

    /// What it is about.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }
}

/// What a proof is about, if it is of a kind that is known here.
fn subject(proof: &Proof) -> Option<Subject> {
    // A bound beyond what the archive can write down is worth nothing, but true.
    let number = |bound: i128| Some(i64::try_from(bound).unwrap_or(i64::MAX));
    Some(match proof {
        Proof::Board(proven) => {
            let exact = if proven.exact() { "exact " } else { "" };
            Subject {
                kind: ProofKind::Board,
                game: to_game(proven.rules(), proven.start()),
                board: Some(format!("{exact}{}", proven.board())),
                bound: number(proven.bound()),
            }
        }
        Proof::Game(proven) => Subject {
            kind: ProofKind::Game,
            game: to_game(proven.rules(), &verify::Start::Cross),
            board: None,
            bound: number(proven.bound().into()),
        },
        Proof::Optimum(proven) => Subject {
            kind: ProofKind::Game,
            game: to_game(proven.rules(), &verify::Start::Cross),
            board: None,
            bound: number(proven.moves().into()),
        },
        Proof::Boxes(proven) => Subject {
            kind: if proven.left().is_empty() { ProofKind::Game } else { ProofKind::Boxes },
            game: to_game(proven.rules(), &verify::Start::Cross),
            board: None,
            bound: number(proven.bound().into()),
        },
        Proof::Endless(proven) => Subject {
            kind: ProofKind::Endless,
            game: to_game(proven.rules(), proven.start()),
            board: None,
            bound: None,
        },
        _ => return None,
    })
}

/// The judge's game in the words of `geometry`.
fn to_game(rules: verify::Rules, start: &verify::Start) -> Game {
    let known: Rules = rules.to_string().parse().expect("the same rules");
    let dots = start.dots(rules);
    let start = Start::from_dots(dots.iter().map(|dot| Point::new(dot.x, dot.y)));
    Game { rules: known, start: start.expect("the judge has the same limits") }
}

/// The judge's moves in the words of `geometry`.
pub fn moves(game: &VerifiedGame) -> Vec<Move> {
    game.moves().iter().map(|&mv| to_move(mv)).collect()
}

fn to_move(mv: verify::Move) -> Move {
    let point = |p: verify::Point| Point::new(p.x, p.y);
    let direction = Direction::named(mv.line.direction.name()).expect("the same four directions");
    let line = Line::new(point(mv.line.first), direction);
    let along = point(mv.new) - line.start;
    Move::new(line, along.x.abs().max(along.y.abs()) as u8)
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
            [drawing, game].map(|text| JudgedGame::judge(&text).expect("a legal game"));
        assert_eq!(drawing.id(), game.id());
        assert!(drawing.text().contains("\"moves\"") && drawing.text().contains("\"score\": 2"));
        assert_eq!(game.provenance().author.as_deref(), Some("me"));
        assert_eq!(game.verified().score(), 2);
    }

    #[test]
    fn an_illegal_game_is_no_evidence() {
        let moves = r#"{"new":[4,3],"line":[[3,3],"E"]}"#;
        let refused = JudgedGame::judge(&format!(r#"{HEAD},"moves":[{moves}]}}"#));
        assert!(matches!(refused, Err(NotAccepted::Refused(_))), "{refused:?}");
        assert!(CheckedProof::check("morpion-bound/1\n".to_owned()).is_err());
    }
}
