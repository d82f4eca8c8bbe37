//! The content of a file.

use geometry::{Game, Line, Move, Point};

use crate::Provenance;

/// One game, or one drawing, as a file has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// By which rules, from which dots.
    pub game: Game,
    /// The moves, or the lines of a drawing.
    pub play: Play,
    /// What the file claims about itself.
    pub claims: Claims,
    /// Where the game comes from.
    pub provenance: Provenance,
}

/// What was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Play {
    /// Moves in the order played.
    Moves(Vec<Move>),
    /// Lines without an order.
    Drawing(Vec<Line>),
}

/// What a file claims about its own game; for the verifier to check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Claims {
    /// The number of moves.
    pub score: Option<u64>,
    /// Whether no legal move is left.
    pub terminal: Option<bool>,
}

impl Record {
    /// A record of these moves that claims nothing.
    pub fn from_moves(game: Game, moves: Vec<Move>) -> Self {
        Self {
            game,
            play: Play::Moves(moves),
            claims: Claims::default(),
            provenance: Provenance::default(),
        }
    }

    /// A record of these lines, in no order, that claims nothing.
    pub fn from_lines(game: Game, lines: Vec<Line>) -> Self {
        Self {
            game,
            play: Play::Drawing(lines),
            claims: Claims::default(),
            provenance: Provenance::default(),
        }
    }

    /// The lines, in the order of the file.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = Line> + '_ {
        let (moves, lines) = match &self.play {
            Play::Moves(moves) => (moves.as_slice(), &[][..]),
            Play::Drawing(lines) => (&[][..], lines.as_slice()),
        };
        (0..moves.len() + lines.len()).map(|i| moves.get(i).map_or_else(|| lines[i], |mv| mv.line))
    }

    /// Every dot of the start and of the lines; those on several lines come several times.
    pub fn dots(&self) -> impl Iterator<Item = Point> + '_ {
        let rules = self.game.rules;
        let drawn = self.lines().flat_map(move |line| line.points(rules));
        self.game.start.dots().iter().copied().chain(drawn)
    }

    /// The same lines without their order; it claims what the game claimed.
    pub fn to_drawing(&self) -> Self {
        Self { play: Play::Drawing(self.lines().collect()), ..self.clone() }
    }
}
