//! The input of a network: a square board around the start as binary planes, and numbered actions.
//!
//! Every place of the board has these planes, each 0 or 1: on the board (1); a dot (1); for each of
//! the eight ways out of a dot, whether a line runs there (8); for each direction and each number
//! of the new dot on its line, whether that move is legal here, with the new dot at this place (4
//! times the line length). A move beyond the edge is not encoded and cannot be played.

use geometry::{Direction, Game, Move, Point, Symmetry};
use rules::Position;

use crate::tensor::Grid;

/// A square board for a game, with the start in its middle.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoder {
    game: Game,
    side: usize,
    /// The point at the upper left.
    corner: Point,
    merged: bool,
}

/// A position as a network sees it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Observation {
    /// Where the ones are, but for the plane that is always 1 on the board: row times planes plus
    /// plane.
    pub(crate) ones: Vec<u32>,
    /// The actions, each once: row times actions plus number of the action at its place.
    pub(crate) actions: Vec<u32>,
}

/// A position with what its actions mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedPosition {
    /// The position.
    pub observation: Observation,
    /// The moves on the board: which of the legal ones, and the number of its action.
    pub(crate) moves: Vec<(u32, u32)>,
    /// Whether a move beyond the edge would be legal.
    pub(crate) is_truncated: bool,
}

/// A symmetry of the start and of the board, as it acts on positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SymmetryAction {
    rows: Vec<u32>,
    planes: Vec<u32>,
    actions: Vec<u32>,
}

/// Planes before those of legal moves: the board, dots, ways.
const WAYS: usize = 2;
const LEGAL: usize = WAYS + 8;

impl Encoder {
    /// The largest side of a board.
    pub const MAX_SIDE: usize = 64;

    /// A board of this side around the start of a game; `merged` if moves with the same new dot are
    /// one action, whatever their lines.
    pub fn new(game: &Game, side: usize, merged: bool) -> Result<Self, EncoderError> {
        let (low, high) = game.start.bounds().ok_or(EncoderError::NoDots)?;
        let needed = (high.x - low.x).max(high.y - low.y) as usize + 1;
        if !(needed..=Self::MAX_SIDE).contains(&side) {
            return Err(EncoderError::Side { side, needed });
        }
        let before = |low: i32, high: i32| low - (side as i32 - (high - low + 1)) / 2;
        let corner = Point::new(before(low.x, high.x), before(low.y, high.y));
        Ok(Self { game: game.clone(), side, corner, merged })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Places along each edge.
    pub fn side(&self) -> usize {
        self.side
    }

    /// How many planes a position has.
    pub fn planes(&self) -> usize {
        LEGAL + self.kinds()
    }

    /// How many actions each place has.
    pub fn actions(&self) -> usize {
        if self.merged { 1 } else { self.kinds() }
    }

    /// Directions times numbers of the new dot.
    fn kinds(&self) -> usize {
        Direction::ALL.len() * self.game.rules.length()
    }

    fn kind(&self, mv: Move) -> usize {
        mv.line.direction as usize * self.game.rules.length() + usize::from(mv.offset)
    }

    /// The row of a point; `None` beyond the edge.
    fn row(&self, point: Point) -> Option<u32> {
        let Point { x, y } = point - self.corner;
        let inside = 0..self.side as i32;
        (inside.contains(&x) && inside.contains(&y))
            .then(|| (y as usize * (self.side + 1) + x as usize) as u32)
    }

    /// Whether the new dot of a move is on the board.
    pub fn contains(&self, mv: Move) -> bool {
        self.row(mv.dot()).is_some()
    }

    /// How a board looks to a network. Its moves must have stayed on this board.
    pub fn encode<B: Position>(&self, board: &B) -> EncodedPosition {
        let (planes, actions) = (self.planes() as u32, self.actions() as u32);
        let row = |point| self.row(point).expect("a move beyond the edge is not played");
        let mut ones = Vec::with_capacity(512);
        for &dot in self.game.start.dots() {
            ones.push(row(dot) * planes + 1);
        }
        for mv in board.moves() {
            ones.push(row(mv.dot()) * planes + 1);
            let forward = (WAYS + mv.line.direction as usize) as u32;
            for offset in 1..self.game.rules.length() {
                ones.push(row(mv.line.point(offset - 1)) * planes + forward);
                ones.push(row(mv.line.point(offset)) * planes + forward + 4);
            }
        }
        let mut encoded = EncodedPosition {
            observation: Observation { ones, actions: Vec::new() },
            moves: Vec::with_capacity(board.legal().len()),
            is_truncated: board.is_truncated(),
        };
        for (number, &code) in (0..).zip(board.legal()) {
            let mv = board.decode(code);
            let Some(row) = self.row(mv.dot()) else {
                encoded.is_truncated = true;
                continue;
            };
            let kind = self.kind(mv) as u32;
            let Observation { ones, actions: all } = &mut encoded.observation;
            ones.push(row * planes + LEGAL as u32 + kind);
            let action = row * actions + if self.merged { 0 } else { kind };
            let place = all.iter().position(|&other| other == action).unwrap_or_else(|| {
                all.push(action);
                all.len() - 1
            });
            encoded.moves.push((number, place as u32));
        }
        // Lines that meet in a dot may run the same way out of it only in opposite directions, so
        // nothing is there twice.
        encoded
    }

    /// The symmetries of the start that also are symmetries of this board, the identity first.
    pub(crate) fn symmetry_actions(&self) -> Vec<SymmetryAction> {
        let far = self.corner + Point::new(1, 1) * (self.side as i32 - 1);
        let of_board = Symmetry::of_box(self.corner, far);
        let of_start = self.game.start.symmetries().into_iter();
        of_start.filter(|turn| of_board.contains(turn)).map(|turn| self.turn(turn)).collect()
    }

    fn turn(&self, symmetry: Symmetry) -> SymmetryAction {
        let grid = Grid { side: self.side };
        let width = grid.width();
        let mut rows = vec![u32::MAX; grid.rows()];
        for row in grid.places() {
            let point = self.corner + Point::new((row % width) as i32, (row / width) as i32);
            rows[row] = self.row(symmetry.point(point)).expect("the board is mapped onto itself");
        }
        // Where each direction goes, and whether a line is then named from its other end.
        let origin = symmetry.point(Point::new(0, 0));
        let goes = Direction::ALL.map(|direction| {
            let step = symmetry.point(direction.step()) - origin;
            let found = Direction::ALL.into_iter().find_map(|other| match other.step() {
                same if same == step => Some((other as usize, false)),
                opposite if opposite * -1 == step => Some((other as usize, true)),
                _ => None,
            });
            found.expect("symmetries keep directions")
        });
        let length = self.game.rules.length();
        let kinds: Vec<u32> = (0..self.kinds())
            .map(|kind| {
                let (direction, reversed) = goes[kind / length];
                let offset = kind % length;
                let offset = if reversed { length - 1 - offset } else { offset };
                (direction * length + offset) as u32
            })
            .collect();
        let ways = (0..8).map(|way| {
            let (direction, reversed) = goes[way % 4];
            let backward = (way >= 4) != reversed;
            (WAYS + direction + if backward { 4 } else { 0 }) as u32
        });
        let mut planes = vec![0, 1];
        planes.extend(ways);
        planes.extend(kinds.iter().map(|kind| kind + LEGAL as u32));
        SymmetryAction { rows, planes, actions: if self.merged { vec![0] } else { kinds } }
    }
}

impl EncodedPosition {
    /// How many moves there are on the board.
    pub fn choices(&self) -> usize {
        self.moves.len()
    }

    /// The policy in which every action is as likely as any other.
    pub fn uniform_policy(&self) -> Vec<f32> {
        let count = self.observation.actions.len();
        vec![1.0 / count as f32; count]
    }

    /// The probability of each move from those of the actions: moves of one action share it
    /// equally.
    pub(crate) fn move_probabilities(&self, policy: &[f32]) -> Vec<f32> {
        let mut counts = vec![0u32; policy.len()];
        self.moves.iter().for_each(|&(_, action)| counts[action as usize] += 1);
        let share =
            |&(_, action): &(u32, u32)| policy[action as usize] / counts[action as usize] as f32;
        self.moves.iter().map(share).collect()
    }

    /// The probability of each action from those of the moves.
    pub(crate) fn action_probabilities(&self, shares: &[f32]) -> Vec<f32> {
        let mut policy = vec![0.0; self.observation.actions.len()];
        for (&(_, action), share) in self.moves.iter().zip(shares) {
            policy[action as usize] += share;
        }
        policy
    }
}

impl SymmetryAction {
    /// The position turned; its actions keep their order.
    pub(crate) fn position(&self, position: &Observation) -> Observation {
        let turn = |codes: &[u32], planes: &[u32]| {
            let count = planes.len() as u32;
            let code = |&code: &u32| {
                self.rows[(code / count) as usize] * count + planes[(code % count) as usize]
            };
            codes.iter().map(code).collect()
        };
        Observation {
            ones: turn(&position.ones, &self.planes),
            actions: turn(&position.actions, &self.actions),
        }
    }
}

/// Why there is no such board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncoderError {
    /// A start without dots has no middle.
    #[error("the start has no dots")]
    NoDots,
    /// Too small for the start, or too large.
    #[error(
        "a board of side {side} does not do: the start needs {needed}, and {} is the most",
        Encoder::MAX_SIDE
    )]
    Side {
        /// The side asked for.
        side: usize,
        /// What the start takes.
        needed: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Start;
    use proptest::prelude::*;
    use rules::PlainPosition;

    fn encoder(name: &str, side: usize, merged: bool) -> Encoder {
        Encoder::new(&Game::named(name).expect("known"), side, merged).expect("a board")
    }

    #[test]
    fn the_start_stands_in_the_middle() {
        let encoder = encoder("5D", 16, false);
        let board = PlainPosition::start(encoder.game().clone());
        let encoded = encoder.encode(&board);
        assert_eq!(encoded.observation.ones.len(), 36 + 28);
        assert_eq!((encoded.moves.len(), encoded.observation.actions.len()), (28, 28));
        assert_eq!(encoder.row(Point::new(0, 0)), Some(3 * 17 + 3));
        assert_eq!(
            (encoder.row(Point::new(12, 12)), encoder.row(Point::new(13, 0))),
            (Some(15 * 17 + 15), None)
        );
        assert_eq!(encoder.planes(), 30);
    }

    #[test]
    fn lines_through_the_same_new_dot_are_one_action_if_merged() {
        let rules = "5D".parse().expect("known");
        let arms = [(1, 0), (2, 0), (3, 0), (4, 0), (0, 1), (0, 2), (0, 3), (0, 4)];
        let dots = arms.map(|(x, y)| Point::new(x, y));
        let game = Game { rules, start: Start::from_dots(dots).expect("few dots") };
        let board = PlainPosition::start(game.clone());
        let here = board.legal().iter().filter(|mv| mv.dot() == Point::new(0, 0)).count();
        assert_eq!(here, 2);
        for (merged, actions) in [(false, board.legal().len()), (true, board.legal().len() - 1)] {
            let encoder = Encoder::new(&game, 12, merged).expect("a board");
            let encoded = encoder.encode(&board);
            assert_eq!(
                (encoded.moves.len(), encoded.observation.actions.len()),
                (board.legal().len(), actions)
            );
            let even = vec![1.0 / actions as f32; actions];
            let shares = encoded.move_probabilities(&even);
            assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-6);
            for (sum, even) in encoded.action_probabilities(&shares).iter().zip(&even) {
                assert!((sum - even).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn moves_beyond_the_edge_are_not_seen() {
        let encoder = encoder("5T", 10, false);
        let encoded = encoder.encode(&PlainPosition::start(encoder.game().clone()));
        assert!(encoded.is_truncated && !encoded.moves.is_empty() && encoded.moves.len() < 28);
    }

    #[test]
    fn boards_too_small_or_too_large_are_refused() {
        let game = Game::named("5D").expect("known");
        for side in [0, 9, 65] {
            let expected = EncoderError::Side { side, needed: 10 };
            assert_eq!(Encoder::new(&game, side, false), Err(expected));
        }
        let start = Start::from_dots([]).expect("no dots");
        let game = Game { start, ..game };
        assert_eq!(Encoder::new(&game, 20, false), Err(EncoderError::NoDots));
    }

    #[test]
    fn a_board_that_is_not_centred_has_fewer_symmetries() {
        assert_eq!(encoder("5D", 20, false).symmetry_actions().len(), 8);
        assert_eq!(encoder("5D", 21, false).symmetry_actions().len(), 2);
        assert_eq!(encoder("4T", 21, false).symmetry_actions().len(), 8);
    }

    /// A game of random moves that stay on the board.
    fn played(encoder: &Encoder, choices: &[u16]) -> Vec<Move> {
        let mut board = PlainPosition::start(encoder.game().clone());
        for &choice in choices {
            let moves = encoder.encode(&board).moves;
            if moves.is_empty() {
                break;
            }
            board.play_nth(moves[usize::from(choice) % moves.len()].0 as usize);
        }
        board.moves()
    }

    proptest! {
        #[test]
        fn symmetries_commute_with_seeing(
            name in prop::sample::select(vec!["5T", "5D", "4T", "4D", "3D"]),
            merged: bool,
            choices in prop::collection::vec(any::<u16>(), 0..40),
        ) {
            let encoder = encoder(name, 22 - usize::from(name.starts_with('4')), merged);
            let moves = played(&encoder, &choices);
            let rules = encoder.game().rules;
            let see = |moves: &[Move]| {
                let mut board = PlainPosition::start(encoder.game().clone());
                moves.iter().for_each(|&mv| board.play(mv).expect("legal"));
                encoder.encode(&board).observation
            };
            let sorted = |mut position: Observation| {
                position.ones.sort_unstable();
                position.actions.sort_unstable();
                position
            };
            let symmetries = encoder.game().start.symmetries();
            let turns = encoder.symmetry_actions();
            prop_assert_eq!(turns.len(), 8);
            for (symmetry, turn) in symmetries.into_iter().zip(turns) {
                let turned: Vec<Move> = moves.iter().map(|&mv| symmetry.mv(mv, rules)).collect();
                prop_assert_eq!(sorted(turn.position(&see(&moves))), sorted(see(&turned)));
            }
        }
    }
}
