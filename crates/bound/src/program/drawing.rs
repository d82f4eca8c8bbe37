//! Programs of symmetric drawings, and drawings from the solutions of solvers.

use std::collections::{BTreeMap, BTreeSet};

use geometry::{Direction, Line, Point, Rules, Symmetry};

use super::{Constraint, ConstraintKind, LinearProgram, Sense, VariableMeaning};

/// A symmetry that a drawing may have, about the centre of its board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DrawingSymmetry {
    /// Turned by 180 degrees.
    HalfTurn,
    /// Turned by 90 degrees.
    QuarterTurn,
    /// Left and right exchanged.
    LeftRight,
    /// Top and bottom exchanged.
    TopBottom,
    /// Reflected in the diagonal from the top left.
    Falling,
    /// Reflected in the diagonal from the bottom left.
    Rising,
}

impl DrawingSymmetry {
    /// The symmetry of a box, if it has it: where the top left and the top right corner go.
    fn of_box(self, low: Point, high: Point) -> Option<Symmetry> {
        let [right_top, left_bottom] = [Point::new(high.x, low.y), Point::new(low.x, high.y)];
        let (left, right) = match self {
            Self::HalfTurn => (high, left_bottom),
            Self::QuarterTurn => (right_top, high),
            Self::LeftRight => (right_top, low),
            Self::TopBottom => (left_bottom, high),
            Self::Falling => (low, left_bottom),
            Self::Rising => (high, right_top),
        };
        let goes = |it: &Symmetry| it.point(low) == left && it.point(right_top) == right;
        Symmetry::of_box(low, high).into_iter().find(goes)
    }
}

impl LinearProgram {
    /// Adds that dots and lines have a symmetry; which dot of a line is new need not have it.
    pub fn add_symmetry(
        &mut self,
        symmetry: DrawingSymmetry,
        rules: Rules,
    ) -> Result<(), SymmetryError> {
        let mut dots: BTreeMap<Point, usize> = BTreeMap::new();
        let mut lines: BTreeMap<Line, Vec<usize>> = BTreeMap::new();
        for (index, variable) in self.variables.iter().enumerate() {
            let line = match variable.meaning {
                VariableMeaning::Dot(dot) => {
                    dots.insert(dot, index);
                    continue;
                }
                VariableMeaning::Turn(_) => continue,
                VariableMeaning::Line(line) => line,
                VariableMeaning::Birth(birth) => birth.line,
            };
            lines.entry(line).or_default().push(index);
        }
        let corner = |pick: fn(i32, i32) -> i32| {
            let both = |a: Point, b: Point| Point::new(pick(a.x, b.x), pick(a.y, b.y));
            dots.keys().copied().reduce(both).ok_or(SymmetryError)
        };
        let symmetry =
            symmetry.of_box(corner(i32::min)?, corner(i32::max)?).ok_or(SymmetryError)?;
        // Each pair of images once.
        let mut equal: BTreeSet<Vec<(usize, i64)>> = BTreeSet::new();
        let mut equate = |one: &[usize], image: &[usize]| {
            let (first, second) = if one <= image { (one, image) } else { (image, one) };
            let first = first.iter().map(|&index| (index, 1));
            let second = second.iter().map(|&index| (index, -1));
            if one != image {
                equal.insert(first.chain(second).collect());
            }
        };
        for (dot, &index) in &dots {
            let image = *dots.get(&symmetry.point(*dot)).ok_or(SymmetryError)?;
            if self.variables[index].low != self.variables[image].low {
                return Err(SymmetryError);
            }
            equate(&[index], &[image]);
        }
        for (line, indices) in &lines {
            equate(indices, lines.get(&symmetry.line(*line, rules)).ok_or(SymmetryError)?);
        }
        for (number, terms) in equal.into_iter().enumerate() {
            let kind = ConstraintKind::Symmetric(number);
            self.constraints.push(Constraint { kind, terms, sense: Sense::Equal, rhs: 0 });
        }
        Ok(())
    }
}

/// The board, or the start on it, does not have a symmetry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the board or the start on it does not have this symmetry")]
pub struct SymmetryError;

/// The lines of a solution that a solver wrote: names of variables, as in the files of
/// [`LinearProgram::to_text`], each followed by its value.
///
/// That is what HiGHS, SCIP, Gurobi and CBC write; what else there is on a line is passed over, and
/// so are the dual values of HiGHS.
pub fn drawing_of_solution(text: &str) -> Result<Vec<Line>, SolutionError> {
    let mut lines = BTreeSet::new();
    let mut known = false;
    for (number, row) in (1..).zip(text.lines()) {
        if row.starts_with("# Dual") {
            break;
        }
        let mut words = row.split_whitespace();
        let Some(line) = words.find_map(named_line) else { continue };
        known = true;
        let value = words.find_map(|word| word.parse::<f64>().ok());
        match value.ok_or(SolutionError::NoValue { number })? {
            value if value.abs() < 1e-4 => {}
            value if (value - 1.0).abs() < 1e-4 => {
                lines.insert(line);
            }
            value => return Err(SolutionError::Fraction { number, value }),
        }
    }
    if known { Ok(lines.into_iter().collect()) } else { Err(SolutionError::NoLines) }
}

/// The line of a name like `line_E_3_m1` or `birth_SE_m2_4_3`.
fn named_line(word: &str) -> Option<Line> {
    let words: Vec<&str> = word.split('_').collect();
    let (["line", direction, x, y] | ["birth", direction, x, y, _]) = words[..] else {
        return None;
    };
    let number = |word: &str| word.replacen('m', "-", 1).parse::<i32>().ok();
    let start = Point::new(number(x)?, number(y)?);
    start.within_limit().then_some(Line::new(start, Direction::named(direction)?))
}

/// Why a solution is not a drawing.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SolutionError {
    /// A line without a value.
    #[error("row {number}: a line without a value")]
    NoValue {
        /// The row of the file, from 1.
        number: usize,
    },
    /// A value that is neither 0 nor 1.
    #[error("row {number}: the value {value} is neither 0 nor 1; write the program with --integer")]
    Fraction {
        /// The row of the file, from 1.
        number: usize,
        /// The value.
        value: f64,
    },
    /// Nothing is named like a line.
    #[error("no variables like line_E_3_m1 or birth_SE_m2_4_3; was it solved from --write?")]
    NoLines,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_of_four_solvers_are_the_same_drawing() {
        let texts = [
            "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 1\n\
             # Columns 3\ndot_3_m1 1\nline_E_3_m1 1\nbirth_SE_m2_4_3 0\n# Rows 0\n\
             # Dual solution values\nline_E_3_m1 0.5\n",
            "solution status: optimal\nobjective value: 1\nline_E_3_m1 1 \t(obj:1)\n",
            "# Objective value = 1\nline_E_3_m1 1\nbirth_SE_m2_4_3 1e-09\n",
            "Optimal - objective value 1.0\n 0 dot_3_m1 1 0\n 1 line_E_3_m1 0.9999999 1\n",
        ];
        let line = Line::new(Point::new(3, -1), Direction::East);
        for text in texts {
            assert_eq!(drawing_of_solution(text), Ok(vec![line]), "{text}");
        }
    }

    #[test]
    fn fractions_and_other_files_are_rejected() {
        let fault = |text| drawing_of_solution(text).expect_err("no drawing");
        assert_eq!(fault("line_E_3_m1 0.5"), SolutionError::Fraction { number: 1, value: 0.5 });
        assert_eq!(fault("\nline_E_3_m1"), SolutionError::NoValue { number: 2 });
        for text in ["", "x1 1\n", "line_X_3_4 1", "line_E_99999999_4 1", "line_E_3"] {
            assert_eq!(fault(text), SolutionError::NoLines, "{text}");
        }
    }
}
