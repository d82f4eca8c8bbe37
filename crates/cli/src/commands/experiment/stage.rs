//! Where experiments are run: progress, Ctrl-C, files and what is printed at the end.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use experiment::report::{Claim, Comparison, Report, Results};
use experiment::{Audience, Ending, Journal, Plan, Row, Standing, conduct};
use serde::Serialize;

use crate::files;
use crate::interrupt::stop_flag;
use crate::output::{Exit, note, print as print_line, print_json};
use crate::progress::Progress;

/// An experiment, its folder, and how it is told.
pub(super) struct Part {
    pub(super) plan: Plan,
    out: PathBuf,
    report: Box<dyn Fn(Results<'_>) -> Report>,
}

impl Part {
    pub(super) fn new(
        plan: Plan,
        out: PathBuf,
        report: impl Fn(Results<'_>) -> Report + 'static,
    ) -> Self {
        Self { plan, out, report: Box::new(report) }
    }

    /// Its file of results.
    pub(super) fn csv(&self) -> PathBuf {
        self.out.join(format!("{}.csv", self.plan.name))
    }
}

/// Runs parts until they are done or somebody presses Ctrl-C.
pub(super) struct Stage {
    threads: u32,
    stop: Arc<AtomicBool>,
}

impl Stage {
    pub(super) fn new(threads: u32) -> Result<Self> {
        let stop = stop_flag()?;
        Ok(Self { threads, stop })
    }

    /// Finds out before any work whether all parts can be begun or gone on with.
    pub(super) fn check(&self, parts: &[Part]) -> Result<()> {
        for part in parts {
            make_folder(&part.out)?;
            Journal::open(&part.plan, &part.csv())?;
        }
        Ok(())
    }

    /// Makes the runs that are missing; nothing if it was stopped.
    pub(super) fn run(&self, part: &Part) -> Result<Option<Vec<Row>>> {
        let name = part.plan.name;
        let watch = Watch { name, stop: &self.stop, line: Progress::new() };
        let ending = conduct(&part.plan, &part.csv(), self.threads, &watch)?;
        drop(watch);
        Ok(match ending {
            Ending::Done(rows) => Some(rows),
            Ending::Stopped { done, total } => {
                note(format_args!(
                    "{name}: stopped; {done} of {total} runs are kept in {}, the same command goes on",
                    files::name(&part.csv())
                ));
                None
            }
        })
    }

    /// Writes what people read.
    pub(super) fn publish(&self, part: &Part, rows: &[Row]) -> Result<Told> {
        let results = Results { plan: &part.plan, rows };
        write(&part.out, part.plan.name, (part.report)(results), &[results])
    }
}

/// Makes a folder, with those around it.
pub(super) fn make_folder(folder: &Path) -> Result<()> {
    let context = || format!("cannot make the folder {}", files::name(folder));
    std::fs::create_dir_all(folder).with_context(context)
}

/// Writes the Markdown and the picture of a report.
pub(super) fn write(
    out: &Path,
    name: &'static str,
    report: Report,
    results: &[Results<'_>],
) -> Result<Told> {
    let path = |ending: &str| out.join(format!("{name}.{ending}"));
    files::write(&path("md"), report.markdown.as_bytes())?;
    files::write(&path("svg"), report.svg.as_bytes())?;
    let rows = || results.iter().flat_map(|results| results.rows);
    let settings = |results: &Results<'_>| results.plan.settings.clone();
    Ok(Told {
        experiment: name,
        settings: match results {
            [one] => settings(one).into_iter().collect(),
            _ => BTreeMap::new(),
        },
        runs: rows().count(),
        cpu_seconds: rounded(rows().map(|row| row.cpu.as_secs_f64()).sum()),
        csv: files::name(&path("csv")),
        markdown: files::name(&path("md")),
        svg: files::name(&path("svg")),
        comparisons: report.comparisons.iter().map(ComparisonRow::of).collect(),
        claims: report.claims.into_iter().map(ClaimRow::of).collect(),
    })
}

/// What is printed of an experiment.
#[derive(Serialize)]
pub(super) struct Told {
    experiment: &'static str,
    settings: BTreeMap<&'static str, String>,
    runs: usize,
    cpu_seconds: f64,
    csv: String,
    markdown: String,
    svg: String,
    comparisons: Vec<ComparisonRow>,
    claims: Vec<ClaimRow>,
}

#[derive(Serialize)]
struct ComparisonRow {
    what: String,
    runs: usize,
    mean: f64,
    standard_error: Option<f64>,
    least: u64,
    longest: u64,
    cpu_seconds: f64,
    published: Option<f64>,
    published_seconds: Option<f64>,
    p: Option<f64>,
    verdict: Option<&'static str>,
}

impl ComparisonRow {
    fn of(comparison: &Comparison) -> Self {
        let Comparison { what, ours, seconds, theirs, their_seconds, verdict } = comparison;
        Self {
            what: what.clone(),
            runs: ours.count,
            mean: ours.mean,
            standard_error: ours.error(),
            least: ours.min,
            longest: ours.max,
            cpu_seconds: rounded(*seconds),
            published: theirs.map(|theirs| theirs.mean),
            published_seconds: *their_seconds,
            p: verdict.map(|verdict| verdict.p),
            verdict: comparison.word(),
        }
    }
}

#[derive(Serialize)]
struct ClaimRow {
    what: String,
    published: String,
    found: String,
    verdict: Option<&'static str>,
}

impl ClaimRow {
    fn of(claim: Claim) -> Self {
        let Claim { what, published, found, agrees } = claim;
        let word = |agrees| if agrees { "agrees" } else { "differs" };
        Self { what, published, found, verdict: agrees.map(word) }
    }
}

/// Prints what came of one experiment, or a list of several.
pub(super) fn print(told: &[Told], json: bool, list: bool) -> Result<Exit> {
    match told {
        [one] if json && !list => print_json(one)?,
        _ if json => print_json(&told)?,
        _ => {
            for told in told {
                print_line(sentence(told))?;
            }
        }
    }
    Ok(Exit::Success)
}

fn sentence(told: &Told) -> String {
    let count = |word: &str, verdicts: &mut dyn Iterator<Item = Option<&'static str>>| {
        verdicts.filter(|verdict| *verdict == Some(word)).count()
    };
    let mut text = format!("{}: {} runs", told.experiment, told.runs);
    let of_means = || told.comparisons.iter().map(|row| row.verdict);
    let of_claims = || told.claims.iter().map(|row| row.verdict);
    for (what, agrees, differs) in [
        ("means", count("agrees", &mut of_means()), count("differs", &mut of_means())),
        ("claims", count("agrees", &mut of_claims()), count("differs", &mut of_claims())),
    ] {
        if agrees + differs > 0 {
            text.push_str(&format!("; of {} published {what} {agrees} agree", agrees + differs));
        }
    }
    format!("{text}; {}", told.markdown)
}

fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// Shows the live line and passes Ctrl-C on.
struct Watch<'a> {
    name: &'static str,
    stop: &'a AtomicBool,
    line: Progress,
}

impl Audience for Watch<'_> {
    fn stands(&self, standing: &Standing) {
        let Standing { done, total, left } = standing;
        let left = left.map_or_else(String::new, |left| match left.as_secs() {
            seconds if seconds >= 5400 => format!(", {:.1} h left", seconds as f64 / 3600.0),
            seconds if seconds >= 90 => format!(", {} min left", seconds / 60),
            seconds => format!(", {seconds} s left"),
        });
        self.line.show(format_args!("{}: {done} of {total} runs{left}", self.name));
    }

    fn wants_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
