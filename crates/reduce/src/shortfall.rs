//! Where a game stops that is too short.

use std::collections::{HashMap, HashSet};

use geometry::{Direction, Line, Point, Rules};

use crate::layout::{Atom, LayoutPart, PartKind};
use crate::pattern::Pattern;

/// What a game from a pattern leaves undone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shortfall {
    /// The clauses of the formula, from 1, whose columns bring no dot to their checkers.
    pub clauses: Vec<usize>,
    /// The clauses of the formula, from 1, whose checkers have no dot at their way out.
    pub checkers: Vec<usize>,
    /// How many units of the treasure have been drawn.
    pub treasure: usize,
    /// Where wires stop, in the order of the layout.
    pub stops: Vec<Stop>,
}

/// A hole that stays empty although the intended line lacks nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// The part of the pattern, in words.
    pub part: String,
    /// The hole.
    pub hole: Point,
    /// A drawn line that the intended one would overlap; without one it can still be drawn.
    pub blocked_by: Option<Line>,
}

impl Pattern {
    /// Where a game of these lines stops.
    pub fn shortfall(&self, rules: Rules, lines: impl IntoIterator<Item = Line>) -> Shortfall {
        let mut board = Board { rules, dots: HashSet::new(), used: HashMap::new() };
        for line in lines {
            board.dots.extend(line.points(rules));
            board.used.extend(line.marks(rules).map(|mark| (mark, line)));
        }
        let layout = self.layout();
        let mut shortfall = Shortfall::default();
        for part in layout.parts() {
            if let (PartKind::Checker, Atom::All(number)) = (part.kind, part.of)
                && let Some(origin) = layout.instance().origins[number as usize]
            {
                let dry = part.ports.map(|port| !board.dots.contains(&port));
                shortfall.clauses.extend(dry[0].then_some(origin));
                shortfall.checkers.extend(dry[1].then_some(origin));
            }
            shortfall.stops.extend(self.stops_in(part, &board));
        }
        let treasure = layout.treasure().iter().skip(1);
        shortfall.treasure = treasure.filter(|&hole| board.dots.contains(hole)).count();
        shortfall
    }

    fn stops_in(&self, part: &LayoutPart, board: &Board) -> Vec<Stop> {
        let layout = self.layout();
        let stop = |hole: Point, blocked_by| Stop { part: layout.name(part), hole, blocked_by };
        if part.kind == PartKind::Variable {
            // One of its two lines is enough.
            let open = part.ports.iter().all(|port| !board.dots.contains(port));
            return open.then(|| stop(part.ports[0], None)).into_iter().collect();
        }
        let rows = layout.rows()[part.rows.clone()].iter();
        rows.filter_map(|row| {
            let mut holes = row.holes().filter(|hole| !board.dots.contains(hole));
            let (Some(hole), None) = (holes.next(), holes.next()) else { return None };
            Some(stop(hole, board.line_in_the_way(row.line)))
        })
        .collect()
    }
}

/// A game as it ended.
struct Board {
    rules: Rules,
    dots: HashSet<Point>,
    /// The line that uses up each point or segment.
    used: HashMap<(Point, Direction), Line>,
}

impl Board {
    fn line_in_the_way(&self, line: Line) -> Option<Line> {
        line.marks(self.rules).find_map(|mark| self.used.get(&mark).copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assignment, Formula};
    use geometry::{Game, Move};
    use rules::{PlainPosition, Position};

    fn pattern(length: usize) -> Pattern {
        let formula = Formula::read(b"p cnf 2 2\n1 2 0\n-1 -2 0\n").expect("DIMACS");
        Pattern::compile(formula, length, 1.0, &mut |_| ()).expect("certified")
    }

    fn shortfall(pattern: &Pattern, moves: &[Move]) -> Shortfall {
        pattern.shortfall(pattern.rules(false), moves.iter().map(|mv| mv.line))
    }

    #[test]
    fn an_empty_game_stops_at_the_variables_and_a_whole_one_nowhere() {
        for length in [4, 5, 9] {
            let pattern = pattern(length);
            let nothing = shortfall(&pattern, &[]);
            assert_eq!((&nothing.clauses[..], &nothing.checkers[..]), (&[1, 2][..], &[1, 2][..]));
            let parts: Vec<&str> = nothing.stops.iter().map(|stop| &*stop.part).collect();
            assert_eq!(parts, ["variable 1", "variable 2"], "{length}");
            let model = Assignment::read(b"v 1 -2 0", 2).expect("a model");
            let all = shortfall(&pattern, &pattern.play(&model));
            let treasure = pattern.layout().treasure().len() - 1;
            assert_eq!(all, Shortfall { treasure, ..Shortfall::default() }, "{length}");
        }
    }

    #[test]
    fn a_model_that_leaves_a_clause_false_leaves_its_checker_untriggered() {
        let pattern = pattern(4);
        let model = Assignment::read(b"v 1 2 0", 2).expect("a model");
        let found = shortfall(&pattern, &pattern.play(&model));
        assert_eq!((&found.clauses[..], &found.checkers[..]), (&[2][..], &[2][..]));
        assert_eq!((found.treasure, found.stops), (0, vec![]));
    }

    #[test]
    fn a_line_in_the_way_is_named() {
        for length in [4, 5] {
            let pattern = pattern(length);
            let (start, rules) = (pattern.start().clone(), pattern.rules(false));
            let model = Assignment::read(b"v 1 -2 0", 2).expect("a model");
            // The first line of the rail of 1 is drawn backwards.
            let moves = pattern.play(&model);
            let mut board = PlainPosition::start(Game { rules, start });
            board.play(moves[0]).expect("the line of variable 1");
            let next = moves[1].line;
            let backwards = board.legal().iter().copied().find(|mv| {
                mv.line.direction == next.direction
                    && mv.line.overlaps(next, rules)
                    && mv.line != next
            });
            board.play(backwards.expect("junk")).expect("legal");
            let found = shortfall(&pattern, &board.moves());
            let stop = found.stops.iter().find(|stop| stop.part == "rail of 1").expect("a stop");
            assert_eq!(stop.blocked_by, backwards.map(|mv| mv.line), "{length}");
            assert_eq!(stop.hole, moves[1].dot());
            let open = found.stops.iter().find(|stop| stop.part == "variable 2").expect("open");
            assert_eq!(open.blocked_by, None);
        }
    }
}
