//! The plain position: any rules, any start, sets of points. The reference for the bit engine.

use std::collections::HashSet;

use geometry::{Direction, Game, Line, Move, Point};

use crate::position::{Position, line_key};

/// A position of any game, limited only by [`geometry::COORDINATE_LIMIT`].
#[derive(Debug, Clone)]
pub struct PlainPosition {
    game: Game,
    dots: HashSet<Point>,
    /// The marks used by the lines: see [`Line::marks`].
    used: HashSet<(Point, Direction)>,
    legal: Vec<Move>,
    played: Vec<PlayedMove>,
    hash: u64,
    /// The score at which a legal move was first left out.
    truncated_at: Option<usize>,
}

/// A move and what it changed in the list of legal moves.
#[derive(Debug, Clone)]
struct PlayedMove {
    mv: Move,
    /// The moves it made illegal, with their index in the list before.
    removed: Vec<(usize, Move)>,
    /// The number of moves it made legal.
    added: usize,
}

impl PlainPosition {
    /// The position before the first move.
    pub fn start(game: Game) -> Self {
        let mut position = Self {
            dots: game.start.dots().iter().copied().collect(),
            game,
            used: HashSet::new(),
            legal: Vec::new(),
            played: Vec::new(),
            hash: 0,
            truncated_at: None,
        };
        // Of a legal line, the first point or the second has a dot.
        for &dot in position.game.clone().start.dots() {
            for direction in Direction::ALL {
                position.consider(Line::new(dot, direction));
                let before = dot - direction.step();
                if !position.dots.contains(&before) {
                    position.consider(Line::new(before, direction));
                }
            }
        }
        position.legal.sort_unstable_by_key(|mv| (mv.line.direction, mv.line.start));
        position
    }

    /// Adds `line` to the legal moves if exactly one of its dots is missing and it overlaps
    /// nothing.
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
            self.truncated_at.get_or_insert(self.played.len());
        }
    }
}

impl Position for PlainPosition {
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
        self.used.extend(mv.line.marks(self.game.rules));
        self.hash ^= line_key(mv.line);

        let mut removed = Vec::new();
        let mut legal = std::mem::take(&mut self.legal);
        let mut place = 0;
        legal.retain(|&other| {
            let stays = other.dot() != dot && !other.line.overlaps(mv.line, self.game.rules);
            if !stays {
                removed.push((place, other));
            }
            place += 1;
            stays
        });
        self.legal = legal;
        let kept = self.legal.len();
        let before = index - removed.iter().filter(|&&(place, _)| place < index).count();
        self.played.push(PlayedMove { mv, removed, added: 0 });
        for direction in Direction::ALL {
            for offset in (0..self.game.rules.length()).rev() {
                self.consider(Line::new(dot - direction.step() * offset as i32, direction));
            }
        }
        self.played.last_mut().expect("just pushed").added = self.legal.len() - kept;
        before
    }

    fn undo(&mut self) -> Option<Move> {
        let PlayedMove { mv, removed, added } = self.played.pop()?;
        self.legal.truncate(self.legal.len() - added);
        for (place, other) in removed {
            self.legal.insert(place, other);
        }
        for mark in mv.line.marks(self.game.rules) {
            self.used.remove(&mark);
        }
        self.dots.remove(&mv.dot());
        self.hash ^= line_key(mv.line);
        self.truncated_at = self.truncated_at.filter(|&score| score <= self.played.len());
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
        line.marks(self.game.rules).any(|mark| self.used.contains(&mark))
    }

    fn hash(&self) -> u64 {
        self.hash
    }

    fn is_truncated(&self) -> bool {
        self.truncated_at.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::IllegalMove;
    use geometry::Start;
    use proptest::prelude::*;

    fn position(name: &str) -> PlainPosition {
        PlainPosition::start(Game::named(name).expect("a known game"))
    }

    #[test]
    fn a_refused_move_changes_nothing() {
        let mut position = position("5D");
        let far = Line::new(Point::new(40, 40), Direction::East);
        assert_eq!(position.play(Move::new(far, 0)), Err(IllegalMove::Missing(Point::new(41, 40))));
        let top = Line::new(Point::new(3, 0), Direction::East);
        assert_eq!(position.play(Move::new(top, 2)), Err(IllegalMove::Occupied(Point::new(5, 0))));
        assert_eq!(position.play(Move::new(top, 5)), Err(IllegalMove::OffLine(5)));
        assert_eq!(position.score(), 0);
        position.play(Move::new(top, 4)).expect("legal");
        let longer = Line::new(Point::new(4, 0), Direction::East);
        assert_eq!(position.play(Move::new(longer, 4)), Err(IllegalMove::Overlap(longer)));
    }

    #[test]
    fn touching_lines_share_an_end_and_disjoint_ones_do_not() {
        let start =
            Start::from_dots((0..9).filter(|&x| x != 4 && x != 8).map(|x| Point::new(x, 0)));
        for (name, playable) in [("5T", true), ("5D", false)] {
            let rules = name.parse().expect("known rules");
            let mut position =
                PlainPosition::start(Game { rules, start: start.clone().expect("few dots") });
            let first = Line::new(Point::new(0, 0), Direction::East);
            position.play(Move::new(first, 4)).expect("legal");
            let second = Line::new(Point::new(4, 0), Direction::East);
            assert_eq!(position.play(Move::new(second, 4)).is_ok(), playable, "{name}");
        }
    }

    #[test]
    fn a_move_beyond_the_coordinate_limit_is_left_out_and_the_list_truncated() {
        let edge = geometry::COORDINATE_LIMIT;
        let start = Start::from_dots((0..4).map(|i| Point::new(edge - i, 0))).expect("few dots");
        let mut position =
            PlainPosition::start(Game { rules: "5T".parse().expect("known"), start });
        assert!(position.is_truncated());
        assert_eq!(position.legal().len(), 1);
        let beyond = Move::new(Line::new(Point::new(edge - 3, 0), Direction::East), 4);
        assert_eq!(position.play(beyond), Err(IllegalMove::OffGrid(Point::new(edge + 1, 0))));
    }

    #[test]
    fn lines_of_six_and_more_end_after_exactly_twelve_moves() {
        for name in ["6T", "6D", "7T", "8D", "11D", "16T"] {
            for seed in 0..20 {
                let mut position = position(name);
                let mut state: usize = seed;
                while !position.legal().is_empty() {
                    state =
                        state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    position.play_nth((state >> 33) % position.legal().len());
                }
                assert_eq!(position.score(), 12, "{name}");
            }
        }
    }

    #[test]
    fn lines_of_two_and_three_last_for_thousands_of_moves() {
        for (name, moves) in [("2T", 2000), ("2D", 2000), ("3T", 10_000), ("3D", 10_000)] {
            let mut position = position(name);
            for _ in 0..moves {
                // The newest move: a path that runs away from where it has been.
                position.play_nth(position.legal().len() - 1);
            }
            assert_eq!(position.score(), moves, "{name}");
        }
    }

    proptest! {
        #[test]
        fn undo_restores_everything(
            name in prop::sample::select(vec!["2D", "3T", "4D", "5T", "5D", "6T"]),
            choices in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
        ) {
            let mut position = position(name);
            let mut trail = Vec::new();
            for choice in choices {
                if position.legal().is_empty() { break; }
                let (dots, used) = (position.dots.clone(), position.used.clone());
                trail.push((position.legal().to_vec(), position.hash(), dots, used));
                position.play_nth(choice.index(position.legal().len()));
            }
            while let Some((legal, hash, dots, used)) = trail.pop() {
                position.undo().expect("a move to take back");
                prop_assert_eq!(position.legal(), legal);
                prop_assert_eq!(position.hash(), hash);
                prop_assert_eq!(&position.dots, &dots);
                prop_assert_eq!(&position.used, &used);
            }
            prop_assert_eq!(position.undo(), None);
        }

        #[test]
        fn the_list_is_exactly_what_the_definition_says(
            name in prop::sample::select(vec!["3D", "4T", "4D", "5T", "5D"]),
            choices in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        ) {
            let mut position = position(name);
            for choice in choices {
                if position.legal().is_empty() { break; }
                position.play_nth(choice.index(position.legal().len()));
            }
            let rules = position.game().rules;
            let mut defined = Vec::new();
            for x in -12..22 {
                for y in -12..22 {
                    for direction in Direction::ALL {
                        let line = Line::new(Point::new(x, y), direction);
                        let missing: Vec<_> = (0..rules.length())
                            .filter(|&offset| !position.has_dot(line.point(offset)))
                            .collect();
                        let shares = position.moves().iter().any(|other| {
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
            let mut listed = position.legal().to_vec();
            listed.sort_unstable();
            defined.sort_unstable();
            prop_assert_eq!(listed, defined);
        }
    }
}
