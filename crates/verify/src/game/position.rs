//! Legality: which moves a position allows.
//!
//! A position stores its dots and, for each direction, the points that lines have used up. It only
//! ever grows, by legal moves.

use crate::game::grid::PointSet;
use crate::rules::{Direction, Line, Move, Point, Rules};

/// The dots of a game, and what the lines drawn so far have used up.
#[derive(Debug)]
pub(crate) struct Position {
    rules: Rules,
    dots: PointSet,
    used: [PointSet; 4],
}

/// Why a move is illegal. The position is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IllegalMove {
    /// The new dot is not on the line.
    NotOnLine,
    /// The new dot is already there.
    Occupied,
    /// Another dot of the line is missing.
    Missing(Point),
    /// A line in the same direction has used up this point.
    Overlap(Point),
}

impl Position {
    /// A position without dots.
    pub(crate) fn empty(rules: Rules) -> Position {
        Position { rules, dots: PointSet::default(), used: Default::default() }
    }

    /// The position before the first move; the error is the first dot that is listed twice.
    pub(crate) fn new(rules: Rules, start: &[Point]) -> Result<Position, Point> {
        let mut position = Position::empty(rules);
        match start.iter().find(|&&dot| !position.dots.insert(dot)) {
            Some(&dot) => Err(dot),
            None => Ok(position),
        }
    }

    pub(crate) fn rules(&self) -> Rules {
        self.rules
    }

    pub(crate) fn has(&self, dot: Point) -> bool {
        self.dots.contains(dot)
    }

    /// Plays a move if it is legal.
    pub(crate) fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.rules.has(mv.line, mv.new) {
            return Err(IllegalMove::NotOnLine);
        }
        if self.has(mv.new) {
            return Err(IllegalMove::Occupied);
        }
        let missing = self.rules.dots(mv.line).find(|&dot| dot != mv.new && !self.has(dot));
        if let Some(dot) = missing {
            return Err(IllegalMove::Missing(dot));
        }
        self.draw(mv.line).map_err(IllegalMove::Overlap)?;
        self.dots.insert(mv.new);
        Ok(())
    }

    /// Draws a line, whatever dots there are; the error is a point that another line has used up.
    pub(crate) fn draw(&mut self, line: Line) -> Result<(), Point> {
        if let Some(taken) = self.overlap(line) {
            return Err(taken);
        }
        for point in self.rules.uses(line) {
            self.used[line.direction as usize].insert(point);
        }
        Ok(())
    }

    /// The legal moves, each once, given all dots of the position.
    pub(crate) fn moves(&self, dots: impl Iterator<Item = Point>) -> impl Iterator<Item = Move> {
        dots.flat_map(move |dot| {
            Direction::ALL.into_iter().flat_map(move |direction| self.moves_from(dot, direction))
        })
    }

    /// The legal moves whose line has `dot` as its first existing dot.
    ///
    /// There are at most two: the line starts at the dot and has its gap further on, or it starts
    /// one step before the dot and has its gap there. A move may lie beyond the coordinates that a
    /// file can name; the rules have no such limit, so it counts.
    fn moves_from(&self, dot: Point, direction: Direction) -> impl Iterator<Item = Move> {
        let last = i32::from(self.rules.length()) - 1;
        let mut gaps = (1..=last).filter(|&steps| !self.has(dot.walk(direction, steps)));
        let (first_gap, second_gap) = (gaps.next(), gaps.next());

        let gap = first_gap.filter(|_| second_gap.is_none());
        let onwards = gap.map(|steps| Move {
            new: dot.walk(direction, steps),
            line: Line { first: dot, direction },
        });
        let before = dot.walk(direction, -1);
        let open = first_gap.is_none_or(|steps| steps == last) && !self.has(before);
        let backwards =
            open.then_some(Move { new: before, line: Line { first: before, direction } });
        [onwards, backwards].into_iter().flatten().filter(|mv| self.overlap(mv.line).is_none())
    }

    /// The first point that the line would use and another line has used up.
    fn overlap(&self, line: Line) -> Option<Point> {
        self.rules.uses(line).find(|&point| self.used[line.direction as usize].contains(point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::start::Start;

    fn position(rules: &str) -> (Position, Vec<Point>) {
        let rules = Rules::parse(rules).expect("known rules");
        let dots = Start::Cross.dots(rules).into_owned();
        (Position::new(rules, &dots).expect("no dot twice"), dots)
    }

    fn east(x: i32, y: i32) -> Line {
        Line { first: Point { x, y }, direction: Direction::East }
    }

    fn row(dots: std::ops::Range<i32>, rules: &str) -> (Position, Vec<Point>) {
        let dots: Vec<Point> = dots.map(|x| Point { x, y: 0 }).collect();
        let rules = Rules::parse(rules).expect("known rules");
        (Position::new(rules, &dots).expect("no dot twice"), dots)
    }

    /// All sequences of `moves` legal moves.
    fn sequences(rules: &str, moves: u32) -> usize {
        fn count(rules: &str, played: &mut Vec<Move>, moves: u32) -> usize {
            let (mut position, mut dots) = position(rules);
            for &mv in &*played {
                position.play(mv).expect("a legal move");
                dots.push(mv.new);
            }
            let next: Vec<Move> = position.moves(dots.into_iter()).collect();
            if moves == 1 {
                return next.len();
            }
            next.into_iter()
                .map(|mv| {
                    played.push(mv);
                    let below = count(rules, played, moves - 1);
                    played.pop();
                    below
                })
                .sum()
        }
        count(rules, &mut Vec::new(), moves)
    }

    #[test]
    fn the_numbers_of_sequences_are_the_published_ones() {
        let known = [("5T", [28, 748]), ("5D", [28, 740]), ("4T", [40, 1496]), ("4D", [40, 1480])];
        for (rules, counts) in known {
            assert_eq!([1, 2].map(|moves| sequences(rules, moves)), counts, "{rules}");
        }
    }

    #[test]
    fn a_refused_move_changes_nothing() {
        let (mut position, dots) = position("5T");
        let before: Vec<Move> = position.moves(dots.iter().copied()).collect();
        let there = Point { x: 3, y: 0 };
        let far = Point { x: 3, y: 50 };
        assert_eq!(
            position.play(Move { new: there, line: east(3, 0) }),
            Err(IllegalMove::Occupied)
        );
        assert_eq!(position.play(Move { new: far, line: east(3, 0) }), Err(IllegalMove::NotOnLine));
        let near = Point { x: 4, y: 50 };
        assert_eq!(
            position.play(Move { new: far, line: east(3, 50) }),
            Err(IllegalMove::Missing(near))
        );
        assert_eq!(position.moves(dots.iter().copied()).collect::<Vec<_>>(), before);
    }

    #[test]
    fn touching_lines_share_an_end_and_disjoint_ones_do_not() {
        let end = Point { x: 4, y: 0 };
        for (rules, second) in [("5T", Ok(())), ("5D", Err(IllegalMove::Overlap(end)))] {
            let (mut position, _) = row(1..8, rules);
            assert_eq!(position.play(Move { new: Point { x: 0, y: 0 }, line: east(0, 0) }), Ok(()));
            assert_eq!(position.play(Move { new: Point { x: 8, y: 0 }, line: east(4, 0) }), second);
        }
    }

    #[test]
    fn a_row_with_both_ends_open_has_a_move_at_each() {
        let (position, dots) = row(0..4, "5D");
        let ends: Vec<Point> = position.moves(dots.into_iter()).map(|mv| mv.new).collect();
        assert_eq!(ends, [Point { x: 4, y: 0 }, Point { x: -1, y: 0 }]);
    }

    #[test]
    fn a_dot_listed_twice_is_an_error() {
        let dot = Point { x: 1, y: 2 };
        let rules = Rules::parse("5T").expect("known rules");
        assert_eq!(Position::new(rules, &[dot, dot]).err(), Some(dot));
    }
}
