//! Order without order: the rows that make the integer solutions of births exactly the legal games.
//!
//! Take any set of dots off the start, and one of them. If that one is placed, some dot of the set is
//! the first to be placed, and the line that places it has no other dot of the set. So the births of a
//! dot of the set, by lines that have no other, are together at least the marked dot. There is such a
//! row for every set; a solver is given those that its solutions break, found by playing: dots that
//! wait for each other are such a set. (In answer set programming these are loop formulas.)

use std::collections::HashSet;

use geometry::{Move, Point, Rules};

use super::{Model, Row, Says, Sense, Unknown};

/// A set of dots off the start, with one of them marked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The dots, sorted.
    pub dots: Vec<Point>,
    /// One of them.
    pub marked: Point,
}

impl Cut {
    /// What it says, as row `number` of its kind; `None` if its dots are not all on the board and off
    /// the start, in order, with the marked one among them.
    pub(crate) fn row(&self, model: &Model, rules: Rules, number: usize) -> Option<Row> {
        let in_order = self.dots.windows(2).all(|pair| pair[0] < pair[1]);
        let member = |dot: Point| self.dots.binary_search(&dot).is_ok();
        let alone = |birth: Move| birth.line.points(rules).filter(|&dot| member(dot)).count() == 1;
        let mut terms = Vec::new();
        let mut free = 0;
        for (number, column) in model.columns.iter().enumerate() {
            match column.unknown {
                Unknown::Dot(dot) if member(dot) => {
                    free += usize::from(column.low == 0);
                    if dot == self.marked {
                        terms.push((number, -1));
                    }
                }
                Unknown::Birth(birth) if member(birth.dot()) && alone(birth) => {
                    terms.push((number, 1));
                }
                _ => {}
            }
        }
        let valid = in_order && free == self.dots.len() && member(self.marked);
        let says = Says::First(number);
        valid.then_some(Row { says, terms, sense: Sense::AtLeast, right: 0 })
    }
}

/// The cut that an integer solution breaks, given by its births; `None` if they can be played.
///
/// Plays whatever can be played; the dots that are left wait for each other.
pub fn broken(start: &[Point], births: &[Move], rules: Rules) -> Option<Cut> {
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
    use rules::{Board as _, PlainBoard};

    use super::*;
    use crate::model::{Kind, Task};

    /// Every choice of at most one birth for each dot that keeps all rows, as sets of moves.
    fn solutions(model: &Model) -> Vec<Vec<Move>> {
        let mut births: Vec<(Point, Vec<usize>)> = Vec::new();
        for (number, column) in model.columns.iter().enumerate() {
            match column.unknown {
                Unknown::Dot(dot) => births.push((dot, Vec::new())),
                Unknown::Birth(birth) => {
                    let of_dot = births.iter_mut().find(|(dot, _)| *dot == birth.dot());
                    of_dot.expect("dots come first").1.push(number);
                }
                Unknown::Line(_) => unreachable!("no such column"),
            }
        }
        let mut values: Vec<i64> = model.columns.iter().map(|column| column.low).collect();
        let mut found = Vec::new();
        choose(model, &births, 0, &mut values, &mut found);
        found
    }

    fn choose(
        model: &Model,
        births: &[(Point, Vec<usize>)],
        place: usize,
        values: &mut Vec<i64>,
        found: &mut Vec<Vec<Move>>,
    ) {
        let Some((_, choices)) = births.get(place) else {
            if model.rows.iter().all(|row| holds(row, values)) {
                found.push(played(model, values));
            }
            return;
        };
        choose(model, births, place + 1, values, found);
        for &birth in choices {
            (values[place], values[birth]) = (1, 1);
            choose(model, births, place + 1, values, found);
            (values[place], values[birth]) = (0, 0);
        }
    }

    fn holds(row: &Row, values: &[i64]) -> bool {
        let sum: i64 = row.terms.iter().map(|&(column, factor)| factor * values[column]).sum();
        match row.sense {
            Sense::AtMost => sum <= row.right,
            Sense::AtLeast => sum >= row.right,
            Sense::Equal => sum == row.right,
        }
    }

    fn played(model: &Model, values: &[i64]) -> Vec<Move> {
        let columns = model.columns.iter().zip(values);
        let mut moves: Vec<Move> = columns
            .filter_map(|(column, &value)| match column.unknown {
                Unknown::Birth(birth) if value == 1 => Some(birth),
                _ => None,
            })
            .collect();
        moves.sort_unstable();
        moves
    }

    /// All games that stay on these dots, as sets of moves.
    fn games(
        board: &mut PlainBoard,
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
    fn integer_solutions_that_keep_all_cuts_are_the_legal_games() {
        for (name, dots) in [("3D", [(0, 0), (1, 0), (0, 1)]), ("3T", [(0, 0), (1, 1), (2, 1)])] {
            let start = Start::from_dots(dots.map(|(x, y)| Point::new(x, y))).expect("dots");
            let game = Game { rules: name.parse().expect("rules"), start };
            let board = "box:1,1,0,0".parse().expect("a board");
            let task = Task::new(game.clone(), board, Kind::Births);
            let model = task.model().expect("small");
            let mut legal = BTreeSet::new();
            let dots = board.dots(&game.start);
            games(&mut PlainBoard::start(game.clone()), &dots, &mut Vec::new(), &mut legal);
            let (mut playable, mut cuts) = (BTreeSet::new(), Vec::new());
            for moves in solutions(&model) {
                match broken(game.start.dots(), &moves, game.rules) {
                    None => _ = playable.insert(moves),
                    Some(cut) => cuts.push((cut, moves)),
                }
            }
            assert_eq!(playable, legal, "{name}");
            assert!(legal.len() > 10 && !cuts.is_empty(), "{name}: {} {}", legal.len(), cuts.len());
            for (cut, moves) in cuts {
                let row = cut.row(&model, game.rules, 0).expect("a cut");
                let value_of = |moves: &[Move]| -> Vec<i64> {
                    let has = |unknown| match unknown {
                        Unknown::Dot(dot) => moves.iter().any(|mv| mv.dot() == dot),
                        Unknown::Birth(birth) => moves.contains(&birth),
                        Unknown::Line(_) => false,
                    };
                    model.columns.iter().map(|column| i64::from(has(column.unknown))).collect()
                };
                assert!(!holds(&row, &value_of(&moves)), "{name}: {cut:?}");
                assert!(legal.iter().all(|moves| holds(&row, &value_of(moves))), "{name}: {cut:?}");
            }
        }
    }

    #[test]
    fn a_cut_needs_dots_of_its_own() {
        let game = Game::named("4D").expect("a game");
        let task = Task::new(game, "box:0,0,0,0".parse().expect("a board"), Kind::Births);
        let refused = |dots: &[(i32, i32)], marked: (i32, i32)| {
            let dots = dots.iter().map(|&(x, y)| Point::new(x, y)).collect();
            let cut = Cut { dots, marked: Point::new(marked.0, marked.1) };
            Task { cuts: vec![cut], ..task.clone() }.model().is_err()
        };
        assert!(!refused(&[(0, 0), (1, 1)], (1, 1)));
        assert!(refused(&[], (0, 0)));
        assert!(refused(&[(0, 0)], (1, 1)));
        assert!(refused(&[(1, 1), (0, 0)], (0, 0)));
        assert!(refused(&[(0, 0), (2, 0)], (0, 0)));
        assert!(refused(&[(0, 0), (99, 0)], (0, 0)));
    }
}
