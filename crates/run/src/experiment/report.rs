//! From rows to what people read: Markdown, a chart, and the comparisons one by one.

mod anytime;
mod best;
mod figure;
mod long;
mod markdown;
mod prefix;
mod table;

use std::time::Duration;

use super::journal::Row;
use super::plan::Plan;
use super::statistics::{LEVEL, Published, Summary, Verdict, compare};

pub use anytime::{Targets, anytime};
pub use best::{Best, best};
pub use figure::figure;
pub use long::long;
pub use prefix::prefix;
pub use table::{table1, table2};

/// What comes of an experiment.
#[derive(Debug, Clone)]
pub struct Report {
    /// For people.
    pub markdown: String,
    /// A picture of it.
    pub svg: String,
    /// Every mean, beside the published one if there is one.
    pub comparisons: Vec<Comparison>,
    /// What the text of the paper claims, and whether it holds here.
    pub claims: Vec<Claim>,
}

/// A mean of ours beside a published one.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// Which cell, in words.
    pub what: String,
    /// Ours.
    pub ours: Summary,
    /// The mean processor time of our runs.
    pub seconds: f64,
    /// Theirs.
    pub theirs: Option<Published>,
    /// The mean time of their runs on their machine.
    pub their_seconds: Option<f64>,
    /// What the test says; nothing without a published mean or with a single run.
    pub verdict: Option<Verdict>,
}

/// Something that the paper says in words, or a best score.
#[derive(Debug, Clone)]
pub struct Claim {
    /// About what.
    pub what: String,
    /// What the paper says.
    pub published: String,
    /// What was found here.
    pub found: String,
    /// Whether the two agree, where that can be said.
    pub agrees: Option<bool>,
}

/// The rows of a plan.
#[derive(Debug, Clone, Copy)]
pub struct Results<'a> {
    /// What was run.
    pub plan: &'a Plan,
    /// What came out, in the order of the plan.
    pub rows: &'a [Row],
}

impl<'a> Results<'a> {
    fn of(self, cell: usize) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter(move |row| row.run.cell == cell)
    }

    fn summary(self, cell: usize) -> Option<Summary> {
        Summary::of(self.of(cell).map(|row| row.score))
    }

    /// The mean processor time of a cell in seconds.
    fn seconds(self, cell: usize) -> f64 {
        let (count, total) = self
            .of(cell)
            .fold((0u32, Duration::ZERO), |(count, total), row| (count + 1, total + row.cpu));
        total.as_secs_f64() / f64::from(count.max(1))
    }

    /// The processor time of all runs in seconds.
    fn cpu(self) -> f64 {
        self.rows.iter().map(|row| row.cpu.as_secs_f64()).sum()
    }

    fn comparison(
        self,
        cell: usize,
        what: String,
        printed: Option<super::paper::Printed>,
    ) -> Option<Comparison> {
        let ours = self.summary(cell)?;
        let theirs = printed.map(super::paper::Printed::published);
        Some(Comparison {
            what,
            ours,
            seconds: self.seconds(cell),
            theirs,
            their_seconds: printed.map(|printed| printed.seconds),
            verdict: theirs.and_then(|theirs| compare(&ours, theirs)),
        })
    }

    /// The number of the cell with these values.
    fn cell(self, values: &[&str]) -> Option<usize> {
        self.plan.cells.iter().position(|cell| cell.values == values)
    }

    /// The command that finds the game of a row again.
    fn command(self, row: &Row) -> String {
        let cell = &self.plan.cells[row.run.cell];
        let info = cell.method.info();
        let mut command = format!("morpion search {} --method {}", cell.game, info.name);
        for (parameter, (name, value)) in cell.method.values().iter().filter_map(|pair| {
            info.parameters.iter().find(|parameter| parameter.name == pair.0).zip(Some(pair))
        }) {
            if value != parameter.default.of(&cell.game) {
                command.push_str(&format!(" -p {name}={value}"));
            }
        }
        if !cell.from.is_empty() {
            command.push_str(&format!(" --from FILE --keep {}", cell.from.len()));
        }
        let Row { seed, playouts, .. } = row;
        command.push_str(&format!(" --playouts {playouts} --seed {seed} --threads 1"));
        command
    }

    /// The first of the longest games among some rows.
    fn longest(rows: impl Iterator<Item = &'a Row>) -> Option<&'a Row> {
        rows.fold(None, |best: Option<&Row>, row| match best {
            Some(best) if best.score >= row.score => Some(best),
            _ => Some(row),
        })
    }
}

impl Comparison {
    /// `agrees`, `differs`, or nothing where there is nothing to say.
    pub fn word(&self) -> Option<&'static str> {
        self.verdict.map(|verdict| if verdict.agrees { "agrees" } else { "differs" })
    }
}

/// How many comparisons differ, and how many would by chance alone.
fn tally(comparisons: &[Comparison]) -> String {
    let tested = comparisons.iter().filter(|comparison| comparison.verdict.is_some()).count();
    let differs = comparisons.iter().filter(|comparison| comparison.word() == Some("differs"));
    format!(
        "**{} of {tested} published means differ from ours** at the level of {LEVEL}; chance alone would make at most \
         {:.1} differ on average.",
        differs.count(),
        LEVEL * tested as f64
    )
}
