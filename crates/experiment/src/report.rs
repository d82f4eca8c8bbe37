//! From rows to what people read: Markdown, a chart, and the comparisons one by one.

mod anytime;
mod best;
mod figure;
mod long;
mod markdown;
mod nested;
mod prefix;
mod table;

use std::time::Duration;

use super::journal::Row;
use super::plan::Plan;
use super::statistics::{LEVEL, Published, Summary, Verdict, compare};

pub use anytime::anytime;
pub use best::{Best, best};
pub use figure::figure;
pub use long::long;
pub(crate) use markdown::{table, time};
pub use nested::nmcs;
pub use prefix::prefix;
pub use table::{readings, table1, table2};

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
        let theirs = printed.map(super::paper::Printed::published);
        let their_seconds = printed.map(|printed| printed.seconds);
        Some(Comparison { their_seconds, ..self.compared(cell, what, theirs)? })
    }

    /// A mean beside a published one whose time is not known.
    fn compared(self, cell: usize, what: String, theirs: Option<Published>) -> Option<Comparison> {
        let ours = self.summary(cell)?;
        Some(Comparison {
            what,
            ours,
            seconds: self.seconds(cell),
            theirs,
            their_seconds: None,
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
        let mut command = format!("morpion search {}", cell.game.rules);
        if !cell.game.is_usual() {
            command.push_str(" --start FILE");
        }
        command.push_str(&format!(" --method {}", info.name));
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

/// How many comparisons differ, how many would by chance alone, and on which side ours lie.
fn tally(comparisons: &[Comparison]) -> String {
    let tested = comparisons.iter().filter(|comparison| comparison.verdict.is_some()).count();
    let differs = comparisons.iter().filter(|comparison| comparison.word() == Some("differs"));
    let side = |sign: f64| {
        let beyond = |comparison: &&Comparison| {
            comparison
                .theirs
                .is_some_and(|theirs| sign * (comparison.ours.mean - theirs.mean) > theirs.rounding)
        };
        comparisons.iter().filter(beyond).count()
    };
    format!(
        "**{} of {tested} published means differ from ours** at the level of {LEVEL}; chance alone would make at most \
         {:.1} differ on average. Beyond rounding, ours is higher in {} cells and lower in {}.",
        differs.count(),
        LEVEL * tested as f64,
        side(1.0),
        side(-1.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Improvement;
    use crate::paper;
    use crate::plans::{self, Choice, Prefix, Targets};
    use roxmltree::Document;

    fn choice() -> Choice {
        Choice { quick: false, repeats: Some(20), sizes: None, seed: 1 }
    }

    /// Rows as if every run of a cell had the score that `score` says, one more or one less.
    fn rows(plan: &Plan, score: impl Fn(&[String]) -> f64) -> Vec<Row> {
        let row = |run: crate::RunId| {
            let middle = score(&plan.cells[run.cell].values);
            // Whole numbers round the middle whose mean is close to it.
            let part = (middle - middle.floor()) * 20.0;
            let up = f64::from(run.repeat % 20) + 0.5 < part;
            let score = middle.floor() as u64 + u64::from(up);
            let sway = [1, 0, 2, 1][run.repeat as usize % 4];
            let score = score + sway - 1;
            Row {
                run,
                seed: plan.seed_of(run),
                score,
                playouts: 100,
                cpu: Duration::from_millis(5),
                improvements: vec![Improvement { at: Duration::from_millis(2), score }],
            }
        };
        plan.runs().map(row).collect()
    }

    fn printed(values: &[String]) -> f64 {
        let size = values[2].parse().expect("a size");
        let first = paper::table1(&values[0], &values[1], size);
        first.or_else(|| paper::table2(&values[0], size)).expect("a published cell").mean
    }

    fn check(report: &Report) {
        Document::parse(&report.svg).expect("well-formed");
        for line in report.markdown.lines().filter(|line| line.starts_with('|')) {
            assert!(line.ends_with('|'), "{line}");
        }
    }

    #[test]
    fn the_published_means_agree_with_themselves_and_others_differ() {
        for (plan, report) in [
            (plans::table1(&choice()), table1 as fn(Results<'_>) -> Report),
            (plans::table2(&choice()), table2),
        ] {
            let same = rows(&plan, printed);
            let told = report(Results { plan: &plan, rows: &same });
            check(&told);
            assert_eq!(told.comparisons.len(), plan.cells.len());
            assert!(told.comparisons.iter().all(|row| row.word() == Some("agrees")));
            assert!(told.markdown.contains("**0 of "), "{}", told.markdown);
            let other = rows(&plan, |values| printed(values) + 3.0);
            let told = report(Results { plan: &plan, rows: &other });
            assert!(told.comparisons.iter().all(|row| row.word() == Some("differs")));
        }
    }

    #[test]
    fn nested_search_is_compared_with_as_many_games_as_ours() {
        let plan = plans::nmcs(&choice());
        let published = |values: &[String]| {
            paper::nested(&values[0], values[1].parse().expect("a level")).expect("published")
        };
        for (shift, word) in [(0.0, "agrees"), (3.0, "differs")] {
            let rows = rows(&plan, |values| published(values) + shift);
            let told = nmcs(Results { plan: &plan, rows: &rows });
            check(&told);
            assert_eq!(told.comparisons.len(), 4);
            assert!(told.comparisons.iter().all(|row| row.word() == Some(word)));
        }
    }

    #[test]
    fn the_text_about_the_figures_is_compared() {
        let plan = plans::fig4(&choice());
        // As the paper says: flat from 1.0 on in 4D, best between 3.0 and 5.0 in 4T.
        let shape = |values: &[String]| {
            let temperature: f64 = values[1].parse().expect("a temperature");
            match values[0].as_str() {
                "4D" if temperature < 1.0 => 25.0,
                "4D" => 33.0,
                _ => 60.0 - 3.0 * (temperature - 3.6).abs(),
            }
        };
        let same = rows(&plan, shape);
        let told = figure(Results { plan: &plan, rows: &same });
        check(&told);
        assert_eq!(told.claims.len(), 4 * (3 + 2));
        assert!(told.claims.iter().all(|claim| claim.agrees == Some(true)), "{:#?}", told.claims);
        // Turned round: cold is good, and 4T likes it hot.
        let turned = rows(&plan, |values| 90.0 - shape(values));
        let told = figure(Results { plan: &plan, rows: &turned });
        assert!(told.claims.iter().any(|claim| claim.agrees == Some(false)));
    }

    #[test]
    fn table_3_is_the_best_of_all() {
        let plans = [plans::table1(&choice()), plans::table2(&choice()), plans::fig4(&choice())];
        let all: Vec<Vec<Row>> = plans.iter().map(|plan| rows(plan, |_| 30.0)).collect();
        let results: Vec<Results<'_>> =
            plans.iter().zip(&all).map(|(plan, rows)| Results { plan, rows }).collect();
        let best = best(&results);
        check(&best.report);
        assert_eq!(best.csv.lines().count(), 1 + 12);
        let sa = best.csv.lines().find(|line| line.starts_with("4D,sa,")).expect("a row");
        // Table 2 has 4 cells of 4D, Figure 4 has 200, each with 20 runs.
        assert!(sa.starts_with("4D,sa,31,35,4080,20.400,table2,"), "{sa}");
        assert!(sa.contains("morpion search 4D --method sa"), "{sa}");
    }

    #[test]
    fn long_and_prefix_and_anytime_are_told() {
        let plan = plans::long(&choice());
        let told = long(Results { plan: &plan, rows: &rows(&plan, |_| 74.0) });
        check(&told);
        assert_eq!(
            told.claims.iter().map(|claim| claim.agrees).collect::<Vec<_>>(),
            [Some(true), Some(false)]
        );
        let game = geometry::Game::named("5T").expect("known");
        let wish = Prefix {
            game: game.clone(),
            moves: vec![],
            keep: None,
            steps: None,
            temperature: None,
        };
        let plan = plans::prefix(&wish, &choice()).expect("a plan");
        check(&prefix(Results { plan: &plan, rows: &rows(&plan, |_| 60.0) }, 170));
        let specs = ["temper", "sa:t0=4"].map(|spec| spec.parse().expect("a method"));
        let plan =
            plans::anytime(&[game], &specs, Duration::from_secs(1), &Targets::default(), &choice())
                .expect("a plan");
        let targets = Targets(vec![(None, 61)]);
        let told = anytime(Results { plan: &plan, rows: &rows(&plan, |_| 60.0) }, &targets);
        check(&told);
        assert!(told.markdown.contains("| 5 of 20 |"), "{}", told.markdown);
    }
}
