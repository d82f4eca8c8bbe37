//! Certificates: what a solver suggests in floats, made checkable in whole numbers.
//!
//! Any factors of the rows prove a bound, if they are not negative for rows that hold a sum down and
//! not positive for rows that hold it up: the value of a solution is at most the sum of the factors times
//! the right-hand sides, and what is left of the costs after taking off the factors times the rows, each
//! column as large or as small as its bounds allow. The solver's duals make this bound least; rounded at
//! a scale they are whole numbers, and the bound is off by little. The format is `morpion-bound/1` of
//! `docs/formats.md`; the judge makes the rows again and has the last word.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::{Compression, GzBuilder};
use geometry::{Game, Point};

use crate::Board;
use crate::model::{Kind, Model, Sense, Task};

/// What is claimed, and the numbers that show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// Which games are bounded, and by which rows.
    pub task: Task,
    /// The most moves; -1 if there are no such games at all.
    pub bound: i128,
    /// What the duals are to be divided by.
    pub scale: i64,
    /// A factor for each row.
    pub duals: Vec<i64>,
}

impl Certificate {
    /// Rounds the duals of a solution with this value, at the least scale at which the bound is the
    /// value rounded down; or else at the scale that gives the least bound.
    pub fn from_duals(task: &Task, model: &Model, duals: &[f64], value: f64) -> Self {
        const SCALES: [i64; 8] =
            [1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 20, 1 << 24, 1 << 28, 1 << 32];
        let mut best: Option<Self> = None;
        for scale in SCALES {
            let duals = rounded(model, duals, scale as f64);
            let bound = bound(model, scale, &duals);
            if best.as_ref().is_none_or(|best| bound < best.bound) {
                best = Some(Self { task: task.clone(), bound, scale, duals });
            }
            if bound as f64 <= value.floor() {
                break;
            }
        }
        best.expect("there are scales")
    }

    /// Rounds the ray of a model without a solution, so that the bound is less than nothing; `None` if
    /// the ray is too vague.
    pub fn from_ray(task: &Task, model: &Model, ray: &[f64]) -> Option<Self> {
        let size = ray.iter().fold(0.0, |size: f64, factor| size.max(factor.abs()));
        (10..40).step_by(5).find_map(|bits| {
            let duals = rounded(model, ray, f64::from(bits).exp2() / size);
            let bound = bound(model, 1, &duals);
            (bound < 0).then(|| Self { task: task.clone(), bound, scale: 1, duals })
        })
    }

    /// What it claims, in words.
    pub fn claim(&self) -> String {
        self.task.claim(self.bound)
    }

    /// The certificate of all games on a board that a text is of, if its model is that of lines. Its
    /// numbers are as they are: whether they show anything is the judge's to say.
    pub fn of_lines(game: &Game, text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let mut after =
            |word: &str| lines.find_map(|line| line.strip_prefix(word)?.strip_prefix(' '));
        let board: Board = after("board")?.parse().ok()?;
        (after("model")? == Kind::Lines.name()).then_some(())?;
        let bound = after("bound")?.parse().ok()?;
        let scale = after("scale")?.parse().ok()?;
        let count: usize = after("duals")?.parse().ok()?;
        let duals = lines.flat_map(str::split_whitespace).map(|number| number.parse().ok());
        let duals: Vec<i64> = duals.collect::<Option<_>>()?;
        let task = Task::new(game.clone(), board, Kind::Lines);
        (duals.len() == count).then_some(Self { task, bound, scale, duals })
    }

    /// The text of its file.
    pub fn to_text(&self) -> String {
        let Task { game, board, kind, exact, cuts, .. } = &self.task;
        let start = match game.start.cross_side() {
            Some(_) => game.start_name(),
            None => listed(game.start.dots()),
        };
        let mut lines = vec![
            "morpion-bound/1".to_owned(),
            self.claim(),
            format!("rules {}", game.rules),
            format!("start {start}").trim_end().to_owned(),
            format!("board {board}"),
            format!("model {kind}"),
        ];
        lines.extend(exact.then(|| "exact".to_owned()));
        lines.extend(
            cuts.iter().map(|cut| format!("cut {} {}", listed(&[cut.marked]), listed(&cut.dots))),
        );
        lines.push(format!("bound {}", self.bound));
        let mut text = lines.join("\n") + "\n";
        write_duals(&mut text, self.scale, &self.duals);
        text
    }

    /// The bytes of its file: the text, compressed with gzip. The same certificate gives the same bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        compressed(&self.to_text())
    }
}

/// Writes boards with their numbers, which come last in a proof for a whole game.
pub(crate) fn write_boards(text: &mut String, certificates: &[Certificate]) {
    writeln!(text, "boards {}", certificates.len()).expect("a text takes what is written");
    for certificate in certificates {
        writeln!(text, "board {}", certificate.task.board).expect("a text takes what is written");
        write_duals(text, certificate.scale, &certificate.duals);
    }
}

/// Writes the scale and the duals, which come last in a certificate.
pub(crate) fn write_duals(text: &mut String, scale: i64, duals: &[i64]) {
    write!(text, "scale {scale}\nduals {}", duals.len()).expect("a text takes what is written");
    for (number, dual) in duals.iter().enumerate() {
        let space = if number % 16 == 0 { '\n' } else { ' ' };
        write!(text, "{space}{dual}").expect("a text takes what is written");
    }
    text.push('\n');
}

/// A text compressed with gzip; the same text gives the same bytes.
pub(crate) fn compressed(text: &str) -> Vec<u8> {
    let mut file = GzBuilder::new().write(Vec::new(), Compression::best());
    let written = file.write_all(text.as_bytes()).and_then(|()| file.finish());
    written.expect("memory takes what is written")
}

/// `3,-1 4,0`.
pub(crate) fn listed(dots: &[Point]) -> String {
    let dots: Vec<String> = dots.iter().map(|dot| format!("{},{}", dot.x, dot.y)).collect();
    dots.join(" ")
}

/// Factors times a scale as whole numbers, with the signs that the rows allow.
fn rounded(model: &Model, factors: &[f64], scale: f64) -> Vec<i64> {
    let rounded = |(sense, factor): (Sense, &f64)| {
        let number = (factor * scale).round() as i64;
        match sense {
            Sense::AtMost => number.max(0),
            Sense::AtLeast => number.min(0),
            Sense::Equal => number,
        }
    };
    model.rows.iter().map(|row| row.sense).zip(factors).map(rounded).collect()
}

/// The bound that these duals show, rounded down; -1 if it is any less than nothing.
pub fn bound(model: &Model, scale: i64, duals: &[i64]) -> i128 {
    let wide = i128::from;
    let mut left: Vec<i128> =
        model.columns.iter().map(|column| wide(scale) * wide(column.cost)).collect();
    let mut total = 0;
    for (row, &dual) in model.rows.iter().zip(duals) {
        total += wide(dual) * wide(row.right);
        for &(column, factor) in &row.terms {
            left[column] -= wide(dual) * wide(factor);
        }
    }
    for (column, left) in model.columns.iter().zip(left) {
        total += (left * wide(column.low)).max(left * wide(column.high));
    }
    total.div_euclid(wide(scale)).max(-1)
}

#[cfg(test)]
mod tests {
    use geometry::Game;

    use super::*;
    use crate::model::Kind;

    fn task() -> Task {
        let game = Game::named("5T").expect("a game");
        Task::new(game, "square:10".parse().expect("a board"), Kind::Lines)
    }

    #[test]
    fn without_duals_every_line_counts_and_the_balance_alone_counts_dots() {
        let model = task().model().expect("small");
        let mut duals = vec![0; model.rows.len()];
        assert_eq!(bound(&model, 1, &duals), 192);
        // Lines are dots less 36, of which there are at most 100.
        duals[0] = -1;
        assert_eq!(bound(&model, 1, &duals), 64);
    }

    #[test]
    fn rounding_keeps_the_signs_that_rows_allow() {
        let model = Task { exact: true, ..task() }.model().expect("small");
        let duals = rounded(&model, &vec![-0.26; model.rows.len()], 10.0);
        assert_eq!((duals[0], duals[1], duals[duals.len() - 1]), (-3, 0, -3));
        let duals = rounded(&model, &vec![0.26; model.rows.len()], 10.0);
        assert_eq!((duals[0], duals[1], duals[duals.len() - 1]), (3, 3, 0));
    }

    #[test]
    fn a_certificate_opens_with_what_it_claims() {
        let model = task().model().expect("small");
        let mut suggestion = vec![0.0; model.rows.len()];
        suggestion[0] = -1.0;
        let certificate = Certificate::from_duals(&task(), &model, &suggestion, 64.0);
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
