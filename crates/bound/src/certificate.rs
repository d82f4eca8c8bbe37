//! Certificates: what a solver suggests in floats, made verifiable in integers.
//!
//! The duals of the solver make the bound of weak duality least (`program/dual.rs`). Rounded at a
//! scale they are integers, and the bound is off by little. The format is `morpion-bound/1` of
//! `docs/reference/certificates.md`; the verifier builds the constraints again and has the last
//! word.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::{Compression, GzBuilder};
use geometry::Point;

use crate::BoardProblem;
use crate::program::LinearProgram;

/// A claim on the games of a board, and the numbers that prove it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// Which games are bounded, and by which constraints.
    pub problem: BoardProblem,
    /// The maximum number of moves; -1 if there are no such games.
    pub bound: i128,
    /// The common denominator of the duals.
    pub scale: i64,
    /// A multiplier for each constraint.
    pub duals: Vec<i64>,
}

impl Certificate {
    /// Rounds duals at the smallest scale at which the bound is at most `value`, rounded down; or
    /// else at the scale that gives the least bound.
    #[must_use]
    pub fn from_duals(
        problem: &BoardProblem,
        program: &LinearProgram,
        duals: &[f64],
        value: f64,
    ) -> Self {
        const SCALES: [i64; 8] =
            [1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 20, 1 << 24, 1 << 28, 1 << 32];
        let mut best: Option<Self> = None;
        for scale in SCALES {
            let duals: Vec<i64> = program.round_duals(duals, scale as f64).collect();
            let bound = dual_bound(program, scale, &duals);
            if best.as_ref().is_none_or(|best| bound < best.bound) {
                best = Some(Self { problem: problem.clone(), bound, scale, duals });
            }
            if bound as f64 <= value.floor() {
                break;
            }
        }
        best.expect("there are scales")
    }

    /// Rounds the ray of an infeasible program, so that the bound is negative; `None` if the ray is
    /// too imprecise.
    #[must_use]
    pub fn from_ray(problem: &BoardProblem, program: &LinearProgram, ray: &[f64]) -> Option<Self> {
        let size = ray.iter().fold(0.0, |size: f64, factor| size.max(factor.abs()));
        (10..40).step_by(5).find_map(|bits| {
            let duals: Vec<i64> = program.round_duals(ray, f64::from(bits).exp2() / size).collect();
            let bound = dual_bound(program, 1, &duals);
            (bound < 0).then(|| Self { problem: problem.clone(), bound, scale: 1, duals })
        })
    }

    /// What it claims, in words.
    #[must_use]
    pub fn claim(&self) -> String {
        self.problem.claim(self.bound)
    }

    /// The text of its file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let BoardProblem { game, board, formulation, exact, cuts, .. } = &self.problem;
        let start = match game.start.cross_side() {
            Some(_) => game.start_name(),
            None => point_list(game.start.dots()),
        };
        let mut lines = vec![
            "morpion-bound/1".to_owned(),
            self.claim(),
            format!("rules {}", game.rules),
            format!("start {start}").trim_end().to_owned(),
            format!("board {board}"),
            format!("model {formulation}"),
        ];
        lines.extend(exact.then(|| "exact".to_owned()));
        lines.extend(
            cuts.iter()
                .map(|cut| format!("cut {} {}", point_list(&[cut.marked]), point_list(&cut.dots))),
        );
        lines.push(format!("bound {}", self.bound));
        let mut text = lines.join("\n") + "\n";
        write_duals(&mut text, self.scale, &self.duals);
        text
    }

    /// The bytes of its file: the text, compressed with gzip. Equal certificates give equal bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        compressed(&self.to_text())
    }
}

/// The bound that these duals prove, rounded down; -1 if it is negative.
#[must_use]
pub fn dual_bound(program: &LinearProgram, scale: i64, duals: &[i64]) -> i128 {
    let bounds = |variable: usize| {
        let variable = &program.variables[variable];
        (variable.low, variable.high)
    };
    let duals = duals.iter().copied().enumerate();
    let value = program.evaluate_duals(scale, duals, bounds);
    value.total.div_euclid(i128::from(scale)).max(-1)
}

/// Writes boards with their duals, the last part of a proof for a whole game.
pub(crate) fn write_boards(text: &mut String, certificates: &[Certificate]) {
    writeln!(text, "boards {}", certificates.len()).expect(INFALLIBLE);
    for certificate in certificates {
        writeln!(text, "board {}", certificate.problem.board).expect(INFALLIBLE);
        write_duals(text, certificate.scale, &certificate.duals);
    }
}

/// Writes the scale and the duals, the last part of a certificate.
pub(crate) fn write_duals(text: &mut String, scale: i64, duals: &[i64]) {
    write!(text, "scale {scale}\nduals {}", duals.len()).expect(INFALLIBLE);
    for (number, dual) in duals.iter().enumerate() {
        let space = if number % 16 == 0 { '\n' } else { ' ' };
        write!(text, "{space}{dual}").expect(INFALLIBLE);
    }
    text.push('\n');
}

/// A text compressed with gzip; equal texts give equal bytes.
pub(crate) fn compressed(text: &str) -> Vec<u8> {
    let mut file = GzBuilder::new().write(Vec::new(), Compression::best());
    let written = file.write_all(text.as_bytes()).and_then(|()| file.finish());
    written.expect("writing to memory succeeds")
}

/// `3,-1 4,0`.
pub(crate) fn point_list(dots: &[Point]) -> String {
    let dots: Vec<String> = dots.iter().map(|dot| format!("{},{}", dot.x, dot.y)).collect();
    dots.join(" ")
}

/// Why writing cannot fail.
pub(crate) const INFALLIBLE: &str = "writing to a string succeeds";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Formulation;
    use geometry::Game;

    fn problem() -> BoardProblem {
        let game = Game::named("5T").expect("a game");
        BoardProblem::new(game, "square:10".parse().expect("a board"), Formulation::Lines)
    }

    #[test]
    fn without_duals_every_line_counts_and_the_balance_alone_counts_dots() {
        let program = problem().program().expect("small");
        let mut duals = vec![0; program.constraints.len()];
        assert_eq!(dual_bound(&program, 1, &duals), 192);
        // Lines are dots minus 36, of which there are at most 100.
        duals[0] = -1;
        assert_eq!(dual_bound(&program, 1, &duals), 64);
    }

    #[test]
    fn rounding_keeps_the_signs_that_constraints_allow() {
        let program = BoardProblem { exact: true, ..problem() }.program().expect("small");
        let rounded = |dual: f64| -> Vec<i64> {
            program.round_duals(&vec![dual; program.constraints.len()], 10.0).collect()
        };
        let duals = rounded(-0.26);
        assert_eq!((duals[0], duals[1], duals[duals.len() - 1]), (-3, 0, -3));
        let duals = rounded(0.26);
        assert_eq!((duals[0], duals[1], duals[duals.len() - 1]), (3, 3, 0));
    }

    #[test]
    fn a_certificate_opens_with_what_it_claims() {
        let program = problem().program().expect("small");
        let mut suggestion = vec![0.0; program.constraints.len()];
        suggestion[0] = -1.0;
        let certificate = Certificate::from_duals(&problem(), &program, &suggestion, 64.0);
        assert_eq!((certificate.bound, certificate.scale), (64, 1024));
        let text = certificate.to_text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "morpion-bound/1");
        assert_eq!(lines[1], certificate.claim());
        assert_eq!(lines[2..6], ["rules 5T", "start cross", "board square:10", "model lines"]);
        assert_eq!(lines[6..9], ["bound 64", "scale 1024", "duals 637"]);
        assert!(lines[9].starts_with("-1024 0 0 "));
    }
}
