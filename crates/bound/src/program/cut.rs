//! Order cuts: constraints that make the integer solutions of births exactly the legal games.
//!
//! Take any set of dots outside the start, and one of them. If that one is placed, some dot of the
//! set is placed first, by a line that has no other dot of the set. So the births of dots of the
//! set, by lines that have no other, sum to at least the marked dot. There is such a constraint for
//! every set; only violated ones are added, found by playing: dots that wait for each other form
//! such a set. (In answer set programming these are loop formulas.)

use std::collections::HashSet;

use geometry::{Move, Point, Rules};

use super::{Constraint, ConstraintKind, LinearProgram, Sense, VariableMeaning};

/// A set of dots outside the start, with one of them marked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The dots, sorted.
    pub dots: Vec<Point>,
    /// One of them.
    pub marked: Point,
}

impl Cut {
    /// The constraint, as the one with this number of its kind; `None` unless its dots are on the
    /// board, outside the start and sorted, with the marked one among them.
    pub(crate) fn constraint(
        &self,
        program: &LinearProgram,
        rules: Rules,
        number: usize,
    ) -> Option<Constraint> {
        let in_order = self.dots.windows(2).all(|pair| pair[0] < pair[1]);
        let member = |dot: Point| self.dots.binary_search(&dot).is_ok();
        let alone = |birth: Move| birth.line.points(rules).filter(|&dot| member(dot)).count() == 1;
        let mut terms = Vec::new();
        let mut free = 0;
        for (index, variable) in program.variables.iter().enumerate() {
            match variable.meaning {
                VariableMeaning::Dot(dot) if member(dot) => {
                    free += usize::from(variable.low == 0);
                    if dot == self.marked {
                        terms.push((index, -1));
                    }
                }
                VariableMeaning::Birth(birth) if member(birth.dot()) && alone(birth) => {
                    terms.push((index, 1));
                }
                _ => {}
            }
        }
        let valid = in_order && free == self.dots.len() && member(self.marked);
        let kind = ConstraintKind::First(number);
        valid.then_some(Constraint { kind, terms, sense: Sense::AtLeast, rhs: 0 })
    }
}

/// The cut that an integer solution violates, given by its births; `None` if they can be played.
///
/// Plays whatever can be played; the remaining dots wait for each other.
#[must_use]
pub fn violated(start: &[Point], births: &[Move], rules: Rules) -> Option<Cut> {
    let mut there: HashSet<Point> = start.iter().copied().collect();
    let mut left = births.to_vec();
    loop {
        let before = left.len();
        left.retain(|birth| {
            let new = birth.dot();
            let plays = birth.line.points(rules).all(|dot| dot == new || there.contains(&dot));
            if plays {
                there.insert(new);
            }
            !plays
        });
        if left.len() == before {
            break;
        }
    }
    let mut dots: Vec<Point> = left.iter().map(|birth| birth.dot()).collect();
    dots.sort_unstable();
    dots.dedup();
    let marked = *dots.first()?;
    Some(Cut { dots, marked })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use geometry::{Game, Start};
    use rules::{PlainPosition, Position as _};

    use super::*;
    use crate::{BoardProblem, Formulation};

    /// Every choice of at most one birth for each dot that satisfies all constraints, as sets of
    /// moves.
    fn solutions(program: &LinearProgram) -> Vec<Vec<Move>> {
        let mut births: Vec<(Point, Vec<usize>)> = Vec::new();
        for (index, variable) in program.variables.iter().enumerate() {
            match variable.meaning {
                VariableMeaning::Dot(dot) => births.push((dot, Vec::new())),
                VariableMeaning::Birth(birth) => {
                    let of_dot = births.iter_mut().find(|(dot, _)| *dot == birth.dot());
                    of_dot.expect("dots come first").1.push(index);
                }
                _ => unreachable!("not in births"),
            }
        }
        let mut values: Vec<i64> = program.variables.iter().map(|variable| variable.low).collect();
        let mut found = Vec::new();
        choose(program, &births, 0, &mut values, &mut found);
        found
    }

    fn choose(
        program: &LinearProgram,
        births: &[(Point, Vec<usize>)],
        place: usize,
        values: &mut Vec<i64>,
        found: &mut Vec<Vec<Move>>,
    ) {
        let Some((_, choices)) = births.get(place) else {
            if program.constraints.iter().all(|row| holds(row, values)) {
                found.push(played(program, values));
            }
            return;
        };
        choose(program, births, place + 1, values, found);
        for &birth in choices {
            (values[place], values[birth]) = (1, 1);
            choose(program, births, place + 1, values, found);
            (values[place], values[birth]) = (0, 0);
        }
    }

    fn holds(row: &Constraint, values: &[i64]) -> bool {
        let sum: i64 = row.terms.iter().map(|&(variable, factor)| factor * values[variable]).sum();
        match row.sense {
            Sense::AtMost => sum <= row.rhs,
            Sense::AtLeast => sum >= row.rhs,
            Sense::Equal => sum == row.rhs,
        }
    }

    fn played(program: &LinearProgram, values: &[i64]) -> Vec<Move> {
        let variables = program.variables.iter().zip(values);
        let mut moves: Vec<Move> = variables
            .filter_map(|(variable, &value)| match variable.meaning {
                VariableMeaning::Birth(birth) if value == 1 => Some(birth),
                _ => None,
            })
            .collect();
        moves.sort_unstable();
        moves
    }

    /// All games that stay on these dots, as sets of moves.
    fn games(
        board: &mut PlainPosition,
        dots: &[Point],
        moves: &mut Vec<Move>,
        found: &mut BTreeSet<Vec<Move>>,
    ) {
        let mut sorted = moves.clone();
        sorted.sort_unstable();
        if !found.insert(sorted) {
            return;
        }
        for mv in board.legal().to_vec() {
            if dots.contains(&mv.dot()) {
                board.play(mv).expect("legal");
                moves.push(mv);
                games(board, dots, moves, found);
                moves.pop();
                board.undo();
            }
        }
    }

    #[test]
    fn integer_solutions_that_satisfy_all_cuts_are_the_legal_games() {
        for (name, dots) in [("3D", [(0, 0), (1, 0), (0, 1)]), ("3T", [(0, 0), (1, 1), (2, 1)])] {
            let start = Start::from_dots(dots.map(|(x, y)| Point::new(x, y))).expect("dots");
            let game = Game { rules: name.parse().expect("rules"), start };
            let board = "box:1,1,0,0".parse().expect("a board");
            let problem = BoardProblem::new(game.clone(), board, Formulation::Births);
            let program = problem.program().expect("small");
            let mut legal = BTreeSet::new();
            let dots = board.dots(&game.start);
            games(&mut PlainPosition::start(game.clone()), &dots, &mut Vec::new(), &mut legal);
            let (mut playable, mut cuts) = (BTreeSet::new(), Vec::new());
            for moves in solutions(&program) {
                match violated(game.start.dots(), &moves, game.rules) {
                    None => _ = playable.insert(moves),
                    Some(cut) => cuts.push((cut, moves)),
                }
            }
            assert_eq!(playable, legal, "{name}");
            assert!(legal.len() > 10 && !cuts.is_empty(), "{name}: {} {}", legal.len(), cuts.len());
            for (cut, moves) in cuts {
                let row = cut.constraint(&program, game.rules, 0).expect("a cut");
                let value_of = |moves: &[Move]| -> Vec<i64> {
                    let has = |meaning| match meaning {
                        VariableMeaning::Dot(dot) => moves.iter().any(|mv| mv.dot() == dot),
                        VariableMeaning::Birth(birth) => moves.contains(&birth),
                        _ => false,
                    };
                    let variables = program.variables.iter();
                    variables.map(|variable| i64::from(has(variable.meaning))).collect()
                };
                assert!(!holds(&row, &value_of(&moves)), "{name}: {cut:?}");
                assert!(legal.iter().all(|moves| holds(&row, &value_of(moves))), "{name}: {cut:?}");
            }
        }
    }

    #[test]
    fn a_cut_needs_dots_outside_the_start() {
        let game = Game::named("4D").expect("a game");
        let board = "box:0,0,0,0".parse().expect("a board");
        let problem = BoardProblem::new(game, board, Formulation::Births);
        let refused = |dots: &[(i32, i32)], marked: (i32, i32)| {
            let dots = dots.iter().map(|&(x, y)| Point::new(x, y)).collect();
            let cut = Cut { dots, marked: Point::new(marked.0, marked.1) };
            BoardProblem { cuts: vec![cut], ..problem.clone() }.program().is_err()
        };
        assert!(!refused(&[(0, 0), (1, 1)], (1, 1)));
        assert!(refused(&[], (0, 0)));
        assert!(refused(&[(0, 0)], (1, 1)));
        assert!(refused(&[(1, 1), (0, 0)], (0, 0)));
        assert!(refused(&[(0, 0), (2, 0)], (0, 0)));
        assert!(refused(&[(0, 0), (99, 0)], (0, 0)));
    }
}
