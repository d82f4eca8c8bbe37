//! Symmetric boards: one unknown for all that are images of each other.
//!
//! If a symmetry maps the columns of a model onto columns and its rows onto rows, the images of a
//! solution are solutions, and so is their average, which is the same on every orbit. So it is enough to
//! solve for one column and to keep one row of each orbit. The dual of such a row is that of its whole
//! orbit, to be shared out evenly: certificates know nothing of all this.

use std::collections::HashMap;

use geometry::{Line, Move, Point, Rules, Symmetry};

use super::{Model, Unknown};

/// A model folded along its symmetries.
#[derive(Debug, Clone, PartialEq)]
pub struct Folded {
    /// What is left to solve, with the same value.
    pub problem: solver::Problem,
    /// The row of the problem that stands for each row of the model, and for how many of them.
    rows: Vec<(usize, usize)>,
    /// The column of the problem that stands for each column of the model.
    columns: Vec<usize>,
}

impl Folded {
    /// Numbers for the columns of the model from those of the folded problem; 0 where there is none.
    pub fn unfold_columns(&self, columns: &[f64]) -> Vec<f64> {
        self.columns.iter().map(|&column| columns.get(column).copied().unwrap_or(0.0)).collect()
    }

    /// Duals or a ray of the model from those of the folded problem.
    pub fn unfold(&self, duals: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|&(row, size)| duals[row] / size as f64).collect()
    }
}

impl Model {
    /// Folds the model along all symmetries of its board that it has.
    pub fn folded(&self, rules: Rules) -> Folded {
        let maps = self.symmetries(rules);
        let column_maps: Vec<&[usize]> = maps.iter().map(|(columns, _)| &columns[..]).collect();
        let row_maps: Vec<&[usize]> = maps.iter().map(|(_, rows)| &rows[..]).collect();
        let columns = orbits(self.columns.len(), &column_maps);
        let rows = orbits(self.rows.len(), &row_maps);

        let full = self.problem();
        let mut problem = solver::Problem::default();
        for (number, column) in full.columns.into_iter().enumerate() {
            match problem.columns.get_mut(columns[number].0) {
                Some(orbit) => orbit.cost += column.cost,
                None => problem.columns.push(column),
            }
        }
        for (number, row) in full.rows.into_iter().enumerate() {
            if rows[number].0 < problem.rows.len() {
                continue;
            }
            let mut factors: HashMap<usize, f64> = HashMap::new();
            for (column, factor) in row.entries {
                *factors.entry(columns[column].0).or_default() += factor;
            }
            let mut entries: Vec<(usize, f64)> = factors.into_iter().collect();
            entries.sort_unstable_by_key(|&(column, _)| column);
            problem.rows.push(solver::Row { entries, ..row });
        }
        let columns = columns.into_iter().map(|(orbit, _)| orbit).collect();
        Folded { problem, rows, columns }
    }

    /// Where each symmetry of the model takes the columns and the rows.
    fn symmetries(&self, rules: Rules) -> Vec<(Vec<usize>, Vec<usize>)> {
        let places: HashMap<Unknown, usize> =
            self.columns.iter().map(|column| column.unknown).zip(0..).collect();
        let same_rows: HashMap<_, usize> =
            self.rows.iter().map(|row| (&row.terms[..], row.sense, row.right)).zip(0..).collect();
        let maps = self.board_symmetries().into_iter().filter_map(|symmetry| {
            let column = |column: &super::Column| {
                let image = *places.get(&image(column.unknown, symmetry, rules))?;
                let same = (self.columns[image].low, self.columns[image].high)
                    == (column.low, column.high);
                same.then_some(image)
            };
            let columns: Vec<usize> = self.columns.iter().map(column).collect::<Option<_>>()?;
            let row = |row: &super::Row| {
                let mut image: Vec<(usize, i64)> =
                    row.terms.iter().map(|&(column, factor)| (columns[column], factor)).collect();
                image.sort_unstable();
                same_rows.get(&(&image[..], row.sense, row.right)).copied()
            };
            let rows: Vec<usize> = self.rows.iter().map(row).collect::<Option<_>>()?;
            Some((columns, rows))
        });
        maps.collect()
    }

    /// The symmetries of the rectangle around the board.
    fn board_symmetries(&self) -> Vec<Symmetry> {
        let dots = || {
            self.columns.iter().filter_map(|column| match column.unknown {
                Unknown::Dot(dot) => Some(dot),
                _ => None,
            })
        };
        let low = dots().reduce(|a, b| Point::new(a.x.min(b.x), a.y.min(b.y)));
        let high = dots().reduce(|a, b| Point::new(a.x.max(b.x), a.y.max(b.y)));
        low.zip(high).map_or_else(Vec::new, |(low, high)| Symmetry::of_box(low, high))
    }
}

/// Numbers the orbits as they come up; for each member the number of its orbit and that one's size.
///
/// A row that is there twice is mapped where its double is, so both are in one orbit.
fn orbits(count: usize, maps: &[&[usize]]) -> Vec<(usize, usize)> {
    let least = |member| maps.iter().map(|map| map[member]).min().expect("the identity is one");
    let mut numbers = HashMap::new();
    let mut sizes = Vec::new();
    let mut found = Vec::with_capacity(count);
    for member in 0..count {
        let number = *numbers.entry(least(member)).or_insert(sizes.len());
        if number == sizes.len() {
            sizes.push(0);
        }
        sizes[number] += 1;
        found.push(number);
    }
    found.into_iter().map(|number| (number, sizes[number])).collect()
}

/// Where a symmetry takes what a column stands for.
fn image(unknown: Unknown, symmetry: Symmetry, rules: Rules) -> Unknown {
    match unknown {
        Unknown::Dot(dot) => Unknown::Dot(symmetry.point(dot)),
        Unknown::Line(line) => Unknown::Line(symmetry.line(line, rules)),
        Unknown::Birth(birth) => {
            let line: Line = symmetry.line(birth.line, rules);
            let offset = line.offset_of(symmetry.point(birth.dot()), rules);
            let offset = offset.expect("a dot stays on its line");
            Unknown::Birth(Move::new(line, offset as u8))
        }
    }
}

#[cfg(test)]
mod tests {
    use geometry::{Direction, Game};

    use crate::model::{Kind, LatticeLine, Supposed, Task};

    fn sizes(game: &str, board: &str, kind: Kind, exact: bool) -> [usize; 4] {
        let game = Game::named(game).expect("a game");
        let rules = game.rules;
        let task = Task { exact, ..Task::new(game, board.parse().expect("a board"), kind) };
        let model = task.model().expect("small");
        let folded = model.folded(rules).problem;
        [model.columns.len(), folded.columns.len(), model.rows.len(), folded.rows.len()]
    }

    #[test]
    fn a_board_is_folded_along_its_own_symmetries() {
        let [columns, folded, ..] = sizes("5T", "square:20", Kind::Lines, false);
        assert!(folded < columns / 7, "{columns} {folded}");
        let [columns, folded, rows, kept] = sizes("5D", "box:1,1,1,1", Kind::Births, true);
        assert!(folded < columns / 7 && kept < rows / 7, "{columns} {folded} {rows} {kept}");
        let [columns, folded, ..] = sizes("5D", "box:3,2,2,2", Kind::Births, false);
        assert!(folded < columns * 6 / 10 && folded >= columns / 2, "{columns} {folded}");
        let [columns, folded, rows, kept] = sizes("5D", "box:4,2,1,0", Kind::Births, false);
        assert_eq!((folded, kept), (columns, rows));
    }

    #[test]
    fn rows_that_differ_only_in_their_right_side_are_told_apart() {
        let game = Game::named("5T").expect("a game");
        let rules = game.rules;
        let board = "octagon:3,3,3,3,3,3,3,3".parse().expect("a board");
        let whole = Task { exact: true, ..Task::new(game, board, Kind::Lines) };
        let columns = |task: &Task| {
            let folded = task.model().expect("small").folded(rules).problem;
            folded.columns.len()
        };
        // Once it has a run, as every row of a hull; and then two.
        let middle = LatticeLine { direction: Direction::East, place: 4 };
        let case = Task { supposed: vec![Supposed::Runs(middle, 2)], ..whole.clone() };
        assert!(columns(&case) > columns(&whole) * 3 / 2, "left and right are still the same");
    }
}
