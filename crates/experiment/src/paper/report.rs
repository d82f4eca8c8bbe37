//! Reports of the published experiments: Markdown, a chart, and every comparison.

mod anytime;
mod best;
mod figure;
mod long;
mod markdown;
mod nested;
mod prefix;
mod table;

use std::time::Duration;

use super::published::PrintedMean;
use crate::design::ExperimentDesign;
use crate::journal::RunResult;
use crate::statistics::{Agreement, LEVEL, PublishedMean, ScoreSummary, TestResult, compare};

pub(crate) use anytime::anytime;
pub(crate) use best::best;
pub(crate) use figure::figure;
pub(crate) use long::long;
pub(crate) use markdown::{table, time};
pub(crate) use nested::{nmcs, nrpa};
pub(crate) use prefix::prefix;
pub(crate) use table::{readings, table1, table2};

/// The report of an experiment.
#[derive(Debug, Clone)]
pub(crate) struct PaperReport {
    /// The page.
    pub markdown: String,
    /// The chart.
    pub svg: String,
    /// Every mean, with the published one if there is one.
    pub comparisons: Vec<Comparison>,
    /// The claims of the paper's text, and whether they hold here.
    pub claims: Vec<PaperClaim>,
}

/// A mean of ours beside a published one.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The cell, in words.
    pub what: String,
    /// Ours.
    pub ours: ScoreSummary,
    /// The mean CPU time of our runs.
    pub seconds: f64,
    /// Theirs.
    pub theirs: Option<PublishedMean>,
    /// The mean time of their runs on their machine.
    pub their_seconds: Option<f64>,
    /// The test; none without a published mean or with a single run.
    pub test: Option<TestResult>,
}

/// A statement of the paper, or a best score.
#[derive(Debug, Clone)]
pub struct PaperClaim {
    /// The subject.
    pub what: String,
    /// What the paper says.
    pub published: String,
    /// What was found here.
    pub found: String,
    /// Whether the two agree, if that can be decided.
    pub agrees: Option<bool>,
}

/// The rows of a design.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExperimentResults<'a> {
    /// The design.
    pub design: &'a ExperimentDesign,
    /// Its results, in the order of the design.
    pub rows: &'a [RunResult],
}

impl<'a> ExperimentResults<'a> {
    fn of(self, cell: usize) -> impl Iterator<Item = &'a RunResult> {
        self.rows.iter().filter(move |row| row.run.cell == cell)
    }

    fn summary(self, cell: usize) -> Option<ScoreSummary> {
        ScoreSummary::new(self.of(cell).map(|row| row.score))
    }

    /// The mean CPU seconds of a cell.
    fn seconds(self, cell: usize) -> f64 {
        let (count, total) = self
            .of(cell)
            .fold((0u32, Duration::ZERO), |(count, total), row| (count + 1, total + row.cpu));
        total.as_secs_f64() / f64::from(count.max(1))
    }

    /// The CPU seconds of all runs.
    fn cpu(self) -> f64 {
        self.rows.iter().map(|row| row.cpu.as_secs_f64()).sum()
    }

    fn comparison(
        self,
        cell: usize,
        what: String,
        printed: Option<PrintedMean>,
    ) -> Option<Comparison> {
        let theirs = printed.map(PrintedMean::published);
        let their_seconds = printed.map(|printed| printed.seconds);
        Some(Comparison { their_seconds, ..self.compared(cell, what, theirs)? })
    }

    /// A mean and a published one whose time is unknown.
    fn compared(
        self,
        cell: usize,
        what: String,
        theirs: Option<PublishedMean>,
    ) -> Option<Comparison> {
        let ours = self.summary(cell)?;
        Some(Comparison {
            what,
            ours,
            seconds: self.seconds(cell),
            theirs,
            their_seconds: None,
            test: theirs.and_then(|theirs| compare(&ours, theirs)),
        })
    }

    /// The index of the cell with these values.
    fn cell(self, values: &[&str]) -> Option<usize> {
        self.design.cells.iter().position(|cell| cell.values == values)
    }

    /// The command that reproduces the game of a row.
    fn command(self, row: &RunResult) -> String {
        let cell = &self.design.cells[row.run.cell];
        let info = cell.method.info();
        let mut command = format!("morpion search {}", cell.game.rules);
        if !cell.game.is_usual() {
            command.push_str(" --start FILE");
        }
        command.push_str(&format!(" --method {}", info.name));
        for (parameter, (name, value)) in cell.method.values().iter().filter_map(|pair| {
            info.parameters.iter().find(|parameter| parameter.name == pair.0).zip(Some(pair))
        }) {
            if value != parameter.default.for_game(&cell.game) {
                command.push_str(&format!(" -p {name}={value}"));
            }
        }
        if !cell.from.is_empty() {
            command.push_str(&format!(" --from FILE --keep {}", cell.from.len()));
        }
        let RunResult { seed, playouts, .. } = row;
        command.push_str(&format!(" --playouts {playouts} --seed {seed} --threads 1"));
        command
    }

    /// The first of the longest games among some rows.
    fn longest(rows: impl Iterator<Item = &'a RunResult>) -> Option<&'a RunResult> {
        rows.fold(None, |best: Option<&RunResult>, row| match best {
            Some(best) if best.score >= row.score => Some(best),
            _ => Some(row),
        })
    }
}

impl Comparison {
    /// `agrees`, `differs` or `cannot tell`; none without a published mean.
    #[must_use]
    pub fn verdict(&self) -> Option<&'static str> {
        let agreement = self.test.map_or(Agreement::CannotTell, |test| test.agreement);
        self.theirs.map(|_| agreement.name())
    }
}

impl PaperClaim {
    /// `agrees` or `differs`, if that can be decided.
    #[must_use]
    pub fn verdict(&self) -> Option<&'static str> {
        self.agrees.map(verdict)
    }
}

fn verdict(agrees: bool) -> &'static str {
    if agrees { Agreement::Agrees.name() } else { Agreement::Differs.name() }
}

/// How many comparisons differ, how many would at random, and in which direction.
fn tally(comparisons: &[Comparison]) -> String {
    let tested = comparisons.iter().filter(|comparison| comparison.test.is_some()).count();
    let verdicts = |of: Agreement| {
        comparisons.iter().filter(move |it| it.test.is_some_and(|test| test.agreement == of))
    };
    let differs = verdicts(Agreement::Differs).count();
    let few = match verdicts(Agreement::CannotTell).count() {
        0 => String::new(),
        few => format!(
            " **{few} cannot tell**: there are too few runs to see a difference of one standard \
             deviation."
        ),
    };
    let side = |sign: f64| {
        let beyond = |comparison: &&Comparison| {
            comparison
                .theirs
                .is_some_and(|theirs| sign * (comparison.ours.mean - theirs.mean) > theirs.rounding)
        };
        comparisons.iter().filter(beyond).count()
    };
    format!(
        "**{differs} of {tested} published means differ from ours** at the significance level \
         {LEVEL}; at most {:.1} would differ at random on average.{few} Beyond rounding, ours is \
         higher in {} cells and lower in {}.",
        LEVEL * tested as f64,
        side(1.0),
        side(-1.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Improvement;
    use crate::paper::choice::ScoreTargets;
    use crate::paper::designs::{self, PaperOptions, PrefixOptions};
    use crate::paper::published;
    use roxmltree::Document;

    fn options() -> PaperOptions {
        PaperOptions { quick: false, repeats: Some(20), sizes: None, seed: 1 }
    }

    /// Rows as if every run of a cell had the score that `score` says, one more or one less.
    fn rows(design: &ExperimentDesign, score: impl Fn(&[String]) -> f64) -> Vec<RunResult> {
        let row = |run: crate::design::RunIndex| {
            let middle = score(&design.cells[run.cell].values);
            // Integers around the middle whose mean is close to it.
            let part = (middle - middle.floor()) * 20.0;
            let up = f64::from(run.repeat % 20) + 0.5 < part;
            let score = middle.floor() as u64 + u64::from(up);
            let sway = [1, 0, 2, 1][run.repeat as usize % 4];
            let score = score + sway - 1;
            RunResult {
                run,
                seed: design.seed_of(run),
                score,
                playouts: 100,
                cpu: Duration::from_millis(5),
                improvements: vec![Improvement { at: Duration::from_millis(2), score }],
            }
        };
        design.runs().map(row).collect()
    }

    fn printed(values: &[String]) -> f64 {
        let size = values[2].parse().expect("a size");
        let first = published::table1(&values[0], &values[1], size);
        first.or_else(|| published::table2(&values[0], size)).expect("a published cell").mean
    }

    fn check(report: &PaperReport) {
        Document::parse(&report.svg).expect("well-formed");
        for line in report.markdown.lines().filter(|line| line.starts_with('|')) {
            assert!(line.ends_with('|'), "{line}");
        }
    }

    #[test]
    fn the_published_means_agree_with_themselves_and_others_differ() {
        for (design, report) in [
            (designs::table1(&options()), table1 as fn(ExperimentResults<'_>) -> PaperReport),
            (designs::table2(&options()), table2),
        ] {
            let same = rows(&design, printed);
            let outcome = report(ExperimentResults { design: &design, rows: &same });
            check(&outcome);
            assert_eq!(outcome.comparisons.len(), design.cells.len());
            assert!(outcome.comparisons.iter().all(|row| row.verdict() == Some("agrees")));
            assert!(outcome.markdown.contains("**0 of "), "{}", outcome.markdown);
            let other = rows(&design, |values| printed(values) + 3.0);
            let outcome = report(ExperimentResults { design: &design, rows: &other });
            assert!(outcome.comparisons.iter().all(|row| row.verdict() == Some("differs")));
        }
    }

    #[test]
    fn nested_search_is_compared_with_as_many_games_as_ours() {
        let design = designs::nmcs(&options());
        let published = |values: &[String]| {
            published::nested(&values[0], values[1].parse().expect("a level")).expect("published")
        };
        for (shift, word) in [(0.0, "agrees"), (3.0, "differs")] {
            let rows = rows(&design, |values| published(values) + shift);
            let report = nmcs(ExperimentResults { design: &design, rows: &rows });
            check(&report);
            assert_eq!(report.comparisons.len(), 4);
            assert!(report.comparisons.iter().all(|row| row.verdict() == Some(word)));
        }
    }

    #[test]
    fn the_claims_about_the_figures_are_tested() {
        let design = designs::fig4(&options());
        // As the paper says: flat from 1.0 on in 4D, best between 3.0 and 5.0 in 4T.
        let shape = |values: &[String]| {
            let temperature: f64 = values[1].parse().expect("a temperature");
            match values[0].as_str() {
                "4D" if temperature < 1.0 => 25.0,
                "4D" => 33.0,
                _ => 60.0 - 3.0 * (temperature - 3.6).abs(),
            }
        };
        let same = rows(&design, shape);
        let report = figure(ExperimentResults { design: &design, rows: &same });
        check(&report);
        assert_eq!(report.claims.len(), 4 * (3 + 2));
        assert!(
            report.claims.iter().all(|claim| claim.agrees == Some(true)),
            "{:#?}",
            report.claims
        );
        // Reversed: cold is good, and 4T likes it hot.
        let turned = rows(&design, |values| 90.0 - shape(values));
        let report = figure(ExperimentResults { design: &design, rows: &turned });
        assert!(report.claims.iter().any(|claim| claim.agrees == Some(false)));
    }

    #[test]
    fn table_3_is_the_best_of_all() {
        let plans =
            [designs::table1(&options()), designs::table2(&options()), designs::fig4(&options())];
        let all: Vec<Vec<RunResult>> = plans.iter().map(|design| rows(design, |_| 30.0)).collect();
        let results: Vec<ExperimentResults<'_>> = plans
            .iter()
            .zip(&all)
            .map(|(design, rows)| ExperimentResults { design, rows })
            .collect();
        let best = best(&results);
        check(&best.report);
        assert_eq!(best.csv.lines().count(), 1 + 12);
        let sa = best.csv.lines().find(|line| line.starts_with("4D,sa,")).expect("a row");
        // Table 2 has 4 cells of 4D, Figure 4 has 200, each with 20 runs.
        assert!(sa.starts_with("4D,sa,31,35,4080,20.400,table2,"), "{sa}");
        assert!(sa.contains("morpion search 4D --method sa"), "{sa}");
    }

    #[test]
    fn long_and_prefix_and_anytime_are_reported() {
        let design = designs::long(&options());
        let report = long(ExperimentResults { design: &design, rows: &rows(&design, |_| 74.0) });
        check(&report);
        assert_eq!(
            report.claims.iter().map(|claim| claim.agrees).collect::<Vec<_>>(),
            [Some(true), Some(false)]
        );
        let game = geometry::Game::named("5T").expect("known");
        let prefix_options = PrefixOptions {
            game: game.clone(),
            moves: vec![],
            keep: None,
            steps: None,
            temperature: None,
        };
        let design = designs::prefix(&prefix_options, &options()).expect("a design");
        check(&prefix(ExperimentResults { design: &design, rows: &rows(&design, |_| 60.0) }, 170));
        let specs = ["temper", "sa:t0=4"].map(|spec| spec.parse().expect("a method"));
        let design = designs::anytime(
            &[game],
            &specs,
            Duration::from_secs(1),
            &ScoreTargets::default(),
            &options(),
        )
        .expect("a design");
        let targets = ScoreTargets(vec!["61".parse().expect("a target")]);
        let report = anytime(
            ExperimentResults { design: &design, rows: &rows(&design, |_| 60.0) },
            &targets,
        );
        check(&report);
        assert!(report.markdown.contains("| 5 of 20 |"), "{}", report.markdown);
    }
}
