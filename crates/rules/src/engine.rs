//! Engines: the set of types that play one game, and the choice of the fastest that fits.

use geometry::{Game, Move};

use crate::{
    AnnealingWalk, BitLineBoard, BitPlayout, BitPolicyRollout, BitPosition, BitWalk,
    IllegalSequence, LineBoard, PlainLineBoard, PlainPlayout, PlainPolicyRollout, PlainPosition,
    PlainWalk, Playout, PolicyRollout, Position,
};

/// Everything a search needs to play one game.
///
/// Searches are generic over their engine, so that the inner loops are compiled once for each.
pub trait Engine: Clone + Send + Sync + 'static {
    /// Plays moves and takes them back.
    type Position: Position + Send + Sync + 'static;
    /// Draws and erases lines in any order.
    type LineBoard: LineBoard + Send + Sync + 'static;
    /// Plays random games to their end.
    type Playout: Playout<Position = Self::Position> + Send + Sync + 'static;
    /// Takes random steps forward and backward.
    type Walk: AnnealingWalk + Send + Sync + 'static;
    /// Plays games to their end by a policy.
    type PolicyRollout: PolicyRollout + Send + Sync + 'static;

    /// The game that is played.
    fn game(&self) -> &Game;

    /// The position before the first move.
    fn position(&self) -> Self::Position;

    /// The line board before the first move.
    fn line_board(&self) -> Self::LineBoard;

    /// Plays random games from any position of this game.
    fn playout(&self) -> Self::Playout;

    /// A walk that begins after the moves `prefix`, which must be legal.
    fn walk(&self, prefix: &[Move]) -> Self::Walk;

    /// Rollouts that begin after the moves `prefix`, which must be legal.
    fn policy_rollout(&self, prefix: &[Move]) -> Self::PolicyRollout;

    /// The position after some moves.
    fn position_after(&self, moves: &[Move]) -> Result<Self::Position, IllegalSequence> {
        let mut position = self.position();
        position.play_all(moves)?;
        Ok(position)
    }
}

/// The engine for every game, and the reference for [`BitEngine`].
#[derive(Debug, Clone)]
pub struct PlainEngine(Game);

impl PlainEngine {
    /// The plain engine of this game.
    pub fn new(game: Game) -> Self {
        Self(game)
    }
}

impl Engine for PlainEngine {
    type Position = PlainPosition;
    type LineBoard = PlainLineBoard;
    type Playout = PlainPlayout;
    type Walk = PlainWalk<PlainLineBoard>;
    type PolicyRollout = PlainPolicyRollout<PlainLineBoard>;

    fn game(&self) -> &Game {
        &self.0
    }

    fn position(&self) -> PlainPosition {
        PlainPosition::start(self.0.clone())
    }

    fn line_board(&self) -> PlainLineBoard {
        PlainLineBoard::start(self.0.clone())
    }

    fn playout(&self) -> PlainPlayout {
        PlainPlayout::new(self.position())
    }

    fn walk(&self, prefix: &[Move]) -> Self::Walk {
        PlainWalk::new(self.line_board(), prefix)
    }

    fn policy_rollout(&self, prefix: &[Move]) -> Self::PolicyRollout {
        PlainPolicyRollout::new(self.line_board(), prefix)
    }
}

/// The engine for lines of `LENGTH` (4 or 5) from the standard cross.
#[derive(Debug, Clone)]
pub struct BitEngine<const LENGTH: usize, const TOUCHING: bool>(Game);

impl<const LENGTH: usize, const TOUCHING: bool> BitEngine<LENGTH, TOUCHING> {
    /// The engine of this game.
    pub fn new() -> Self {
        Self(BitPosition::<LENGTH, TOUCHING>::start().game().clone())
    }
}

impl<const LENGTH: usize, const TOUCHING: bool> Default for BitEngine<LENGTH, TOUCHING> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const LENGTH: usize, const TOUCHING: bool> Engine for BitEngine<LENGTH, TOUCHING> {
    type Position = BitPosition<LENGTH, TOUCHING>;
    type LineBoard = BitLineBoard<LENGTH, TOUCHING>;
    type Playout = BitPlayout<LENGTH, TOUCHING>;
    type Walk = BitWalk<LENGTH, TOUCHING>;
    type PolicyRollout = BitPolicyRollout<LENGTH, TOUCHING>;

    fn game(&self) -> &Game {
        &self.0
    }

    fn position(&self) -> Self::Position {
        BitPosition::start()
    }

    fn line_board(&self) -> Self::LineBoard {
        BitLineBoard::start()
    }

    fn playout(&self) -> Self::Playout {
        BitPlayout::new()
    }

    fn walk(&self, prefix: &[Move]) -> Self::Walk {
        BitWalk::new(prefix)
    }

    fn policy_rollout(&self, prefix: &[Move]) -> Self::PolicyRollout {
        BitPolicyRollout::new(prefix)
    }
}

/// A generic function of an engine: a closure cannot be generic over types.
pub trait EngineVisitor {
    /// What it returns.
    type Output;

    /// The function.
    fn visit<E: Engine>(self, engine: &E) -> Self::Output;
}

/// Calls `visitor` with the fastest engine for `game`.
pub fn with_engine<V: EngineVisitor>(game: &Game, visitor: V) -> V::Output {
    if game.is_usual() {
        match (game.rules.length(), game.rules.touching()) {
            (5, true) => return visitor.visit(&BitEngine::<5, true>::new()),
            (5, false) => return visitor.visit(&BitEngine::<5, false>::new()),
            (4, true) => return visitor.visit(&BitEngine::<4, true>::new()),
            (4, false) => return visitor.visit(&BitEngine::<4, false>::new()),
            _ => {}
        }
    }
    visitor.visit(&PlainEngine::new(game.clone()))
}

/// Calls `visitor` with the fastest engine for `game` that can play the moves `prefix`: those of a
/// bit engine must stay on its grid.
///
/// Illegal moves are not reported here; the visitor then gets the plain engine.
pub fn with_engine_after<V: EngineVisitor>(game: &Game, prefix: &[Move], visitor: V) -> V::Output {
    if with_engine(game, CanPlay(prefix)) {
        with_engine(game, visitor)
    } else {
        visitor.visit(&PlainEngine::new(game.clone()))
    }
}

struct CanPlay<'a>(&'a [Move]);

impl EngineVisitor for CanPlay<'_> {
    type Output = bool;

    fn visit<E: Engine>(self, engine: &E) -> bool {
        engine.position_after(self.0).is_ok()
    }
}
