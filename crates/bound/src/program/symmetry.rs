//! Symmetry reduction: one variable for all that are images of each other.
//!
//! If a symmetry maps the variables of a program to variables and its constraints to constraints,
//! the images of a solution are solutions, and so is their average, which is constant on every
//! orbit. So one variable and one constraint of each orbit suffice. The dual of such a constraint
//! belongs to its whole orbit and is divided equally, so certificates need not know of any of this.

use std::collections::HashMap;

use geometry::{Point, Rules, Symmetry};
use solver::Solution;

use super::{Constraint, LinearProgram, Variable, VariableMeaning};

/// A program reduced by its symmetries.
#[derive(Debug, Clone, PartialEq)]
pub struct SymmetryReduced {
    /// The reduced problem, with the same value.
    pub problem: solver::Problem,
    /// For each constraint of the program, its row of the reduced problem and the orbit size.
    rows: Vec<(usize, usize)>,
    /// For each variable of the program, its column of the reduced problem.
    columns: Vec<usize>,
}

impl SymmetryReduced {
    /// The solution of the program from that of the reduced problem. Missing values become 0.
    #[must_use]
    pub fn lift(&self, solution: Solution) -> Solution {
        let value = |&column: &usize| solution.columns.get(column).copied().unwrap_or(0.0);
        Solution {
            columns: self.columns.iter().map(value).collect(),
            duals: self.lift_duals(&solution.duals),
            ray: solution.ray.as_ref().map(|ray| self.lift_duals(ray)),
            ..solution
        }
    }

    fn lift_duals(&self, duals: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|&(row, size)| duals[row] / size as f64).collect()
    }
}

impl LinearProgram {
    /// Merges variables and constraints along all symmetries of the board that the program has.
    #[must_use]
    pub fn reduce_by_symmetry(&self, rules: Rules) -> SymmetryReduced {
        let maps = self.symmetries(rules);
        let variable_maps: Vec<&[usize]> =
            maps.iter().map(|(variables, _)| &variables[..]).collect();
        let constraint_maps: Vec<&[usize]> = maps.iter().map(|(_, rows)| &rows[..]).collect();
        let columns = orbits(self.variables.len(), &variable_maps);
        let rows = orbits(self.constraints.len(), &constraint_maps);

        let full = self.to_solver();
        let mut problem = solver::Problem::default();
        for (index, column) in full.columns.into_iter().enumerate() {
            match problem.columns.get_mut(columns[index].0) {
                Some(orbit) => orbit.cost += column.cost,
                None => problem.columns.push(column),
            }
        }
        for (index, row) in full.rows.into_iter().enumerate() {
            if rows[index].0 < problem.rows.len() {
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
        SymmetryReduced { problem, rows, columns }
    }

    /// Where each symmetry of the program takes the variables and the constraints.
    fn symmetries(&self, rules: Rules) -> Vec<(Vec<usize>, Vec<usize>)> {
        let indices: HashMap<VariableMeaning, usize> =
            self.variables.iter().map(|variable| variable.meaning).zip(0..).collect();
        let constraints = self.constraints.iter();
        let same_constraints: HashMap<_, usize> =
            constraints.map(|row| (&row.terms[..], row.sense, row.rhs)).zip(0..).collect();
        let maps = self.board_symmetries().into_iter().filter_map(|symmetry| {
            let variable = |variable: &Variable| {
                let image = *indices.get(&image(variable.meaning, symmetry, rules))?;
                let same = (self.variables[image].low, self.variables[image].high)
                    == (variable.low, variable.high);
                same.then_some(image)
            };
            let variables: Vec<usize> =
                self.variables.iter().map(variable).collect::<Option<_>>()?;
            let constraint = |row: &Constraint| {
                let terms = row.terms.iter();
                let mut image: Vec<(usize, i64)> =
                    terms.map(|&(variable, factor)| (variables[variable], factor)).collect();
                image.sort_unstable();
                same_constraints.get(&(&image[..], row.sense, row.rhs)).copied()
            };
            let rows: Vec<usize> =
                self.constraints.iter().map(constraint).collect::<Option<_>>()?;
            Some((variables, rows))
        });
        maps.collect()
    }

    /// The symmetries of the bounding box of the board.
    fn board_symmetries(&self) -> Vec<Symmetry> {
        let dots = || {
            self.variables.iter().filter_map(|variable| match variable.meaning {
                VariableMeaning::Dot(dot) => Some(dot),
                _ => None,
            })
        };
        let low = dots().reduce(|a, b| Point::new(a.x.min(b.x), a.y.min(b.y)));
        let high = dots().reduce(|a, b| Point::new(a.x.max(b.x), a.y.max(b.y)));
        low.zip(high).map_or_else(Vec::new, |(low, high)| Symmetry::of_box(low, high))
    }
}

/// For each member the number of its orbit, in order of appearance, and the size of the orbit.
///
/// A repeated constraint is mapped to its copy, so both are in one orbit.
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

/// The image of a variable under a symmetry.
fn image(meaning: VariableMeaning, symmetry: Symmetry, rules: Rules) -> VariableMeaning {
    match meaning {
        VariableMeaning::Dot(dot) => VariableMeaning::Dot(symmetry.point(dot)),
        VariableMeaning::Line(line) => VariableMeaning::Line(symmetry.line(line, rules)),
        VariableMeaning::Birth(birth) => VariableMeaning::Birth(symmetry.mv(birth, rules)),
        VariableMeaning::Turn(dot) => VariableMeaning::Turn(symmetry.point(dot)),
    }
}

#[cfg(test)]
mod tests {
    use geometry::Game;

    use crate::{BoardProblem, Formulation};

    fn sizes(game: &str, board: &str, formulation: Formulation, exact: bool) -> [usize; 4] {
        let game = Game::named(game).expect("a game");
        let (rules, board) = (game.rules, board.parse().expect("a board"));
        let problem = BoardProblem { exact, ..BoardProblem::new(game, board, formulation) };
        let program = problem.program().expect("small");
        let reduced = program.reduce_by_symmetry(rules).problem;
        let (variables, constraints) = (program.variables.len(), program.constraints.len());
        [variables, reduced.columns.len(), constraints, reduced.rows.len()]
    }

    #[test]
    fn a_program_is_reduced_by_the_symmetries_of_its_board() {
        let [all, reduced, ..] = sizes("5T", "square:20", Formulation::Lines, false);
        assert!(reduced < all / 7, "{all} {reduced}");
        let [all, reduced, rows, kept] = sizes("5D", "box:1,1,1,1", Formulation::Births, true);
        assert!(reduced < all / 7 && kept < rows / 7, "{all} {reduced} {rows} {kept}");
        let [all, reduced, ..] = sizes("5D", "box:3,2,2,2", Formulation::Births, false);
        assert!(reduced < all * 6 / 10 && reduced >= all / 2, "{all} {reduced}");
        let [all, reduced, rows, kept] = sizes("5D", "box:4,2,1,0", Formulation::Births, false);
        assert_eq!((reduced, kept), (all, rows));
    }
}
