//! The plain board: any rules, any start, sets of points. The reference for the fast one.

use std::collections::HashSet;

use geometry::{Direction, Game, Line, Move, Point};

use crate::board::{Board, line_key};

/// A board for every game, growing as needed up to [`geometry::COORDINATE_LIMIT`].
#[derive(Debug, Clone)]
pub struct PlainBoard {
    game: Game,
    dots: HashSet<Point>,
    /// What the lines have used up: see [`PlainBoard::marks`].
    used: HashSet<(Point, Direction)>,
    legal: Vec<Move>,
    played: Vec<Played>,
    hash: u64,
    /// The score at which a legal move was first left out.
    clipped_at: Option<usize>,
}

/// A move and what it changed in the list of legal moves.
#[derive(Debug, Clone)]
struct Played {
    mv: Move,
    /// Moves it made illegal, with their place in the list before.
    removed: Vec<(usize, Move)>,
    /// How many moves it made legal.
    born: usize,
}

impl PlainBoard {
    /// The board before the first move.
    pub fn start(game: Game) -> Self {
        let mut board = Self {
            dots: game.start.dots().iter().copied().collect(),
            game,
            used: HashSet::new(),
            legal: Vec::new(),
            played: Vec::new(),
            hash: 0,
            clipped_at: None,
        };
        // The first dot of a playable line that is there is its first or its second point.
        for &dot in board.game.clone().start.dots() {
            for direction in Direction::ALL {
                board.consider(Line::new(dot, direction));
                let before = dot - direction.step();
                if !board.dots.contains(&before) {
                    board.consider(Line::new(before, direction));
                }
            }
        }
        board.legal.sort_unstable_by_key(|mv| (mv.line.direction, mv.line.start));
        board
    }

    /// What `line` uses up, so that no later line may use it again.
    ///
    /// Touching rules forbid a shared segment, disjoint ones a shared dot. A segment is named by
    /// its first dot, so both rules become one set of `(dot, direction)` marks; a touching line
    /// leaves its last dot free.
    fn marks(&self, line: Line) -> impl Iterator<Item = (Point, Direction)> + use<> {
        let rules = self.game.rules;
        let count = rules.length() - usize::from(rules.touching());
        line.points(rules).take(count).map(move |point| (point, line.direction))
    }

    /// Whether two lines use up the same mark.
    fn share_marks(&self, one: Line, other: Line) -> bool {
        let rules = self.game.rules;
        let reach = rules.length() as i32 - i32::from(rules.touching());
        let apart = other.start - one.start;
        let step = one.direction.step();
        let count = apart.x * step.x + if step.x == 0 { apart.y } else { 0 };
        one.direction == other.direction && count.abs() < reach && step * count == apart
    }

    /// Adds `line` to the legal moves if exactly one of its dots is missing and nothing overlaps.
    fn consider(&mut self, line: Line) {
        let rules = self.game.rules;
        let mut missing = (0..rules.length()).filter(|&i| !self.dots.contains(&line.point(i)));
        let (Some(offset), None) = (missing.next(), missing.next()) else { return };
        if self.overlaps(line) {
            return;
        }
        let mv = Move::new(line, offset as u8);
        if mv.dot().within_limit() {
            self.legal.push(mv);
        } else {
            self.clipped_at.get_or_insert(self.played.len());
        }
    }
}

impl Board for PlainBoard {
    type Code = Move;

    fn game(&self) -> &Game {
        &self.game
    }

    fn legal(&self) -> &[Move] {
        &self.legal
    }

    fn decode(&self, code: Move) -> Move {
        code
    }

    fn play_nth(&mut self, index: usize) -> usize {
        let mv = self.legal[index];
        let dot = mv.dot();
        self.dots.insert(dot);
        self.used.extend(self.marks(mv.line));
        self.hash ^= line_key(mv.line);

        let mut removed = Vec::new();
        let mut legal = std::mem::take(&mut self.legal);
        let mut place = 0;
        legal.retain(|&other| {
            let stays = other.dot() != dot && !self.share_marks(other.line, mv.line);
            if !stays {
                removed.push((place, other));
            }
            place += 1;
            stays
        });
        self.legal = legal;
        let kept = self.legal.len();
        let before = index - removed.iter().filter(|&&(place, _)| place < index).count();
        self.played.push(Played { mv, removed, born: 0 });
        for direction in Direction::ALL {
            for offset in (0..self.game.rules.length()).rev() {
                self.consider(Line::new(dot - direction.step() * offset as i32, direction));
            }
        }
        self.played.last_mut().expect("just pushed").born = self.legal.len() - kept;
        before
    }

    fn undo(&mut self) -> Option<Move> {
        let Played { mv, removed, born } = self.played.pop()?;
        self.legal.truncate(self.legal.len() - born);
        for (place, other) in removed {
            self.legal.insert(place, other);
        }
        for mark in self.marks(mv.line) {
            self.used.remove(&mark);
        }
        self.dots.remove(&mv.dot());
        self.hash ^= line_key(mv.line);
        self.clipped_at = self.clipped_at.filter(|&score| score <= self.played.len());
        Some(mv)
    }

    fn moves(&self) -> Vec<Move> {
        self.played.iter().map(|played| played.mv).collect()
    }

    fn score(&self) -> usize {
        self.played.len()
    }

    fn has_dot(&self, point: Point) -> bool {
        self.dots.contains(&point)
    }

    fn overlaps(&self, line: Line) -> bool {
        self.marks(line).any(|mark| self.used.contains(&mark))
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn is_clipped(&self) -> bool {
        self.clipped_at.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::IllegalMove;
    use geometry::Start;
    use proptest::prelude::*;

    fn board(name: &str) -> PlainBoard {
        PlainBoard::start(Game::named(name).expect("a known game"))
    }

    #[test]
    fn a_refused_move_changes_nothing() {
        let mut board = board("5D");
        let far = Line::new(Point::new(40, 40), Direction::East);
        assert_eq!(board.play(Move::new(far, 0)), Err(IllegalMove::Missing(Point::new(41, 40))));
        let top = Line::new(Point::new(3, 0), Direction::East);
        assert_eq!(board.play(Move::new(top, 2)), Err(IllegalMove::Occupied(Point::new(5, 0))));
        assert_eq!(board.play(Move::new(top, 5)), Err(IllegalMove::OffLine(5)));
        assert_eq!(board.score(), 0);
        board.play(Move::new(top, 4)).expect("legal");
        let longer = Line::new(Point::new(4, 0), Direction::East);
        assert_eq!(board.play(Move::new(longer, 4)), Err(IllegalMove::Overlap(longer)));
    }

    #[test]
    fn touching_lines_share_an_end_and_disjoint_ones_do_not() {
        let start =
            Start::from_dots((0..9).filter(|&x| x != 4 && x != 8).map(|x| Point::new(x, 0)));
        for (name, playable) in [("5T", true), ("5D", false)] {
            let rules = name.parse().expect("known rules");
            let mut board =
                PlainBoard::start(Game { rules, start: start.clone().expect("few dots") });
            let first = Line::new(Point::new(0, 0), Direction::East);
            board.play(Move::new(first, 4)).expect("legal");
            let second = Line::new(Point::new(4, 0), Direction::East);
            assert_eq!(board.play(Move::new(second, 4)).is_ok(), playable, "{name}");
        }
    }

    #[test]
    fn a_move_beyond_the_coordinate_limit_is_left_out_and_said_so() {
        let edge = geometry::COORDINATE_LIMIT;
        let start = Start::from_dots((0..4).map(|i| Point::new(edge - i, 0))).expect("few dots");
        let mut board = PlainBoard::start(Game { rules: "5T".parse().expect("known"), start });
        assert!(board.is_clipped());
        assert_eq!(board.legal().len(), 1);
        let beyond = Move::new(Line::new(Point::new(edge - 3, 0), Direction::East), 4);
        assert_eq!(board.play(beyond), Err(IllegalMove::NoRoom(Point::new(edge + 1, 0))));
    }

    #[test]
    fn lines_of_six_and_more_end_after_exactly_twelve_moves() {
        for name in ["6T", "6D", "7T", "8D", "11D", "16T"] {
            for seed in 0..20 {
                let mut board = board(name);
                let mut state: usize = seed;
                while !board.legal().is_empty() {
                    state =
                        state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    board.play_nth((state >> 33) % board.legal().len());
                }
                assert_eq!(board.score(), 12, "{name}");
            }
        }
    }

    #[test]
    fn lines_of_two_and_three_go_on_for_thousands_of_moves() {
        for (name, moves) in [("2T", 2000), ("2D", 2000), ("3T", 10_000), ("3D", 10_000)] {
            let mut board = board(name);
            for _ in 0..moves {
                // The newest move: a path that runs away from where it has been.
                board.play_nth(board.legal().len() - 1);
            }
            assert_eq!(board.score(), moves, "{name}");
        }
    }

    proptest! {
        #[test]
        fn undo_restores_everything(
            name in prop::sample::select(vec!["2D", "3T", "4D", "5T", "5D", "6T"]),
            choices in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
        ) {
            let mut board = board(name);
            let mut trail = Vec::new();
            for choice in choices {
                if board.legal().is_empty() { break; }
                trail.push((board.legal().to_vec(), board.hash(), board.dots.clone(), board.used.clone()));
                board.play_nth(choice.index(board.legal().len()));
            }
            while let Some((legal, hash, dots, used)) = trail.pop() {
                board.undo().expect("a move to take back");
                prop_assert_eq!(board.legal(), legal);
                prop_assert_eq!(board.hash(), hash);
                prop_assert_eq!(&board.dots, &dots);
                prop_assert_eq!(&board.used, &used);
            }
            prop_assert_eq!(board.undo(), None);
        }

        #[test]
        fn the_list_is_exactly_what_the_definition_says(
            name in prop::sample::select(vec!["3D", "4T", "4D", "5T", "5D"]),
            choices in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        ) {
            let mut board = board(name);
            for choice in choices {
                if board.legal().is_empty() { break; }
                board.play_nth(choice.index(board.legal().len()));
            }
            let rules = board.game().rules;
            let mut defined = Vec::new();
            for x in -12..22 {
                for y in -12..22 {
                    for direction in Direction::ALL {
                        let line = Line::new(Point::new(x, y), direction);
                        let missing: Vec<_> = (0..rules.length())
                            .filter(|&offset| !board.has_dot(line.point(offset)))
                            .collect();
                        let shares = board.moves().iter().any(|other| {
                            let common = other.line.points(rules)
                                .filter(|&p| line.offset_of(p, rules).is_some())
                                .count();
                            let allowed = usize::from(rules.touching());
                            other.line.direction == direction && common > allowed
                        });
                        if missing.len() == 1 && !shares {
                            defined.push(Move::new(line, missing[0] as u8));
                        }
                    }
                }
            }
            let mut listed = board.legal().to_vec();
            listed.sort_unstable();
            defined.sort_unstable();
            prop_assert_eq!(listed, defined);
        }
    }
}
