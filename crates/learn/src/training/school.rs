//! What is learnt from a game: lessons, one for each of its positions.

use std::collections::HashSet;

use geometry::Move;
use rules::Position;
use search::Rng;

use super::Episode;
use crate::frame::{Frame, Seen, Turn};
use crate::network::Lesson;
use search::random::below_wide as below;

/// Where a lesson comes from.
pub(super) enum Source<'a> {
    Episode(&'a Episode),
    /// A good game, only its moves.
    Shown(&'a [Move]),
}

impl Source<'_> {
    pub(super) fn len(&self) -> usize {
        self.moves().len()
    }

    fn moves(&self) -> &[Move] {
        match self {
            Self::Episode(episode) => &episode.moves,
            Self::Shown(moves) => moves,
        }
    }

    /// The ranked reward.
    fn ranked(&self) -> i8 {
        match self {
            Self::Episode(episode) => episode.ranked,
            Self::Shown(_) => 1,
        }
    }

    /// How much its policy matters.
    pub(super) fn weight(&self, imitate: bool) -> f32 {
        if imitate && self.ranked() < 0 { 0.0 } else { 1.0 }
    }
}

/// Makes lessons.
pub(super) struct School<'a, B> {
    /// Before the first move.
    pub(super) board: B,
    pub(super) frame: &'a Frame,
    /// Symmetries to draw from; none for positions as they are.
    pub(super) turns: Vec<Turn>,
    pub(super) imitate: bool,
    /// Whether games that are imitated are sets of lines, in any order.
    pub(super) whole: bool,
}

impl<B: Position> School<'_, B> {
    /// The lesson of the position before move number `step`.
    pub(super) fn lesson(&self, source: &Source<'_>, step: usize, rng: &mut Rng) -> Lesson {
        let (seen, policy) = match source {
            Source::Episode(episode) if !self.imitate => {
                let seen = self.frame.see(&self.after(&episode.moves[..step]));
                let policy = seen.sums(&episode.policies[step]);
                (seen, policy)
            }
            _ if self.whole => self.any_of(source.moves(), step, rng),
            _ => self.next_of(source.moves(), step),
        };
        let position = if self.turns.is_empty() {
            seen.position
        } else {
            self.turns[below(rng, self.turns.len())].position(&seen.position)
        };
        let weight = source.weight(self.imitate);
        Lesson { position, policy, value: source.ranked().into(), weight }
    }

    fn after(&self, moves: &[Move]) -> B {
        let mut board = self.board.clone();
        for &mv in moves {
            board.play(mv).expect("games that are learnt are legal");
        }
        board
    }

    /// The position before a move of a game, and that move as the policy to learn.
    fn next_of(&self, moves: &[Move], step: usize) -> (Seen, Vec<f32>) {
        let board = self.after(&moves[..step]);
        self.toward(&board, |mv| mv == moves[step])
    }

    /// A position that a game may come to after so many of its moves, in an order drawn by chance. How long
    /// a game becomes depends on its lines alone, so the policy to learn is all its moves that are legal
    /// there, evenly.
    fn any_of(&self, moves: &[Move], step: usize, rng: &mut Rng) -> (Seen, Vec<f32>) {
        let mut board = self.board.clone();
        let mut left: HashSet<Move> = moves.iter().copied().collect();
        for _ in 0..step {
            let mut open = board.legal().to_vec();
            open.retain(|&code| left.contains(&board.decode(code)));
            let chosen = board.decode(open[below(rng, open.len())]);
            left.remove(&chosen);
            board.play(chosen).expect("it is legal");
        }
        self.toward(&board, |mv| left.contains(&mv))
    }

    /// What is seen of a position, and the policy that likes some of its moves, all alike.
    fn toward(&self, board: &B, likes: impl Fn(Move) -> bool) -> (Seen, Vec<f32>) {
        let seen = self.frame.see(board);
        let is_liked =
            |&(number, _): &(u32, u32)| likes(board.decode(board.legal()[number as usize]));
        let liked: Vec<bool> = seen.moves.iter().map(is_liked).collect();
        let share = 1.0 / liked.iter().filter(|&&liked| liked).count().max(1) as f32;
        let shares: Vec<f32> = liked.iter().map(|&liked| if liked { share } else { 0.0 }).collect();
        let policy = seen.sums(&shares);
        (seen, policy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Game;
    use rand::SeedableRng;
    use rules::{BitEngine, Engine};

    /// A frame, and a game on it.
    fn game() -> (Frame, Vec<Move>) {
        let mut board = BitEngine::<5, false>::new().position();
        let mut rng = Rng::seed_from_u64(3);
        while !board.legal().is_empty() {
            board.play_nth(below(&mut rng, board.legal().len()));
        }
        let frame = Frame::new(&Game::named("5D").expect("known"), 30, false).expect("a board");
        (frame, board.moves())
    }

    fn school(frame: &Frame, whole: bool) -> School<'_, impl Position> {
        let board = BitEngine::<5, false>::new().position();
        School { board, frame, turns: Vec::new(), imitate: true, whole }
    }

    #[test]
    fn a_game_as_a_set_of_lines_teaches_all_its_moves_that_are_legal() {
        let (frame, moves) = game();
        let school = school(&frame, true);
        let mut rng = Rng::seed_from_u64(1);
        let mut several = 0;
        for step in 0..moves.len() {
            let Lesson { policy, weight, .. } =
                school.lesson(&Source::Shown(&moves), step, &mut rng);
            let liked: Vec<f32> = policy.iter().copied().filter(|&share| share > 0.0).collect();
            assert!(liked.iter().all(|&share| (share * liked.len() as f32 - 1.0).abs() < 1e-6));
            assert!(!liked.is_empty() && weight == 1.0, "step {step}");
            several += usize::from(liked.len() > 1);
        }
        assert!(several > moves.len() / 2, "{several} of {}", moves.len());
        // At the start all first moves of the game that need no other are open.
        let first = school.lesson(&Source::Shown(&moves), 0, &mut rng).policy;
        let legal = school.board.legal().iter().map(|&code| school.board.decode(code));
        let open = legal.filter(|mv| moves.contains(mv)).count();
        assert_eq!(first.iter().filter(|&&share| share > 0.0).count(), open);
    }

    #[test]
    fn orders_are_drawn_anew_and_otherwise_kept() {
        let (frame, moves) = game();
        let seen = |whole: bool| {
            let school = school(&frame, whole);
            let mut rng = Rng::seed_from_u64(2);
            let half = moves.len() / 2;
            let lesson = |_| school.lesson(&Source::Shown(&moves), half, &mut rng).position.ones;
            let seen: Vec<_> = (0..10).map(lesson).collect();
            seen.iter().collect::<HashSet<_>>().len()
        };
        assert_eq!(seen(false), 1);
        assert!(seen(true) > 5);
    }
}
