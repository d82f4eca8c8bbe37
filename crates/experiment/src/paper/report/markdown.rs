//! Markdown shared by the reports.

use std::fmt::Write as _;

use super::{Comparison, ExperimentResults, PaperClaim};
use crate::paper::designs::PARAMETERS;
use crate::statistics::{Agreement, LEVEL, ScoreSummary};

/// A table: column names, then rows.
pub(crate) fn table(names: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!("| {} |\n|{}\n", names.join(" | "), "---|".repeat(names.len()));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}

/// Ours and theirs, one row per comparison; `keys` are the first columns.
pub(super) fn comparisons(keys: &[&str], rows: &[(Vec<String>, &Comparison)]) -> String {
    let names =
        [keys, &["ours", "runs", "published", "difference", "p", "verdict", "CPU s", "Athlon64 s"]]
            .concat();
    let row = |(values, comparison): &(Vec<String>, &Comparison)| {
        let Comparison { ours, theirs, test, .. } = comparison;
        let published = theirs.map_or_else(String::new, |theirs| format!("{:.1}", theirs.mean));
        let difference =
            theirs.map_or_else(String::new, |theirs| format!("{:+.2}", ours.mean - theirs.mean));
        let mut row = values.clone();
        row.extend([
            mean(ours),
            ours.count.to_string(),
            published,
            difference,
            test.map_or_else(String::new, |test| probability(test.p)),
            comparison.verdict().unwrap_or_default().to_owned(),
            seconds(comparison.seconds),
            comparison.their_seconds.map_or_else(String::new, |time| format!("{time}")),
        ]);
        row
    };
    table(&names, &rows.iter().map(row).collect::<Vec<_>>())
}

/// What the paper says and what was found.
pub(super) fn claims(claims: &[PaperClaim]) -> String {
    let row = |claim: &PaperClaim| {
        let verdict = claim.verdict().unwrap_or(Agreement::CannotTell.name()).to_owned();
        vec![claim.what.clone(), claim.published.clone(), claim.found.clone(), verdict]
    };
    let mut rows: Vec<Vec<String>> = claims.iter().map(row).collect();
    let mut names = vec!["what", "the paper", "here", "verdict"];
    if claims.iter().all(|claim| claim.agrees.is_none()) {
        names.pop();
        rows.iter_mut().for_each(|row| row.truncate(names.len()));
    }
    table(&names, &rows)
}

/// `59.40 ± 0.22`: a mean and its standard error.
pub(super) fn mean(summary: &ScoreSummary) -> String {
    match summary.error() {
        Some(error) => format!("{:.2} ± {error:.2}", summary.mean),
        None => format!("{:.2}", summary.mean),
    }
}

pub(super) fn probability(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { format!("{p:.4}") }
}

/// Seconds with three significant digits.
pub(super) fn seconds(seconds: f64) -> String {
    match seconds {
        s if s >= 100.0 => format!("{s:.0}"),
        s if s >= 10.0 => format!("{s:.1}"),
        s if s >= 1.0 => format!("{s:.2}"),
        s => format!("{s:.4}"),
    }
}

/// A time in a suitable unit.
pub(crate) fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 5400.0 => format!("{:.1} h", s / 3600.0),
        s if s >= 90.0 => format!("{:.1} min", s / 60.0),
        s if s >= 0.1 => format!("{s:.1} s"),
        s => format!("{:.0} ms", s * 1000.0),
    }
}

/// `1 run`, `3 runs`.
pub(super) fn runs(count: usize) -> String {
    if count == 1 { "1 run".to_owned() } else { format!("{count} runs") }
}

/// A number, powers of ten from 10^4 on as such.
pub(super) fn size(size: u64) -> String {
    let power = size.checked_ilog10().unwrap_or(0);
    if power >= 4 && size == 10u64.pow(power) { format!("10^{power}") } else { size.to_string() }
}

/// What was run.
pub(super) fn what_was_run(results: ExperimentResults<'_>) -> String {
    let design = results.design;
    let mut text = format!(
        "{} in {} of CPU time by `morpion {}`; the verifier replayed every game before its score \
         counted. Settings: ",
        runs(results.rows.len()),
        time(results.cpu()),
        env!("CARGO_PKG_VERSION"),
    );
    let shown = design.settings.iter().filter(|(name, _)| *name != PARAMETERS);
    let settings: Vec<String> = shown.map(|(name, value)| format!("{name} {value}")).collect();
    let _ =
        write!(text, "{}; {} of each cell. ", settings.join("; "), runs(design.repeats as usize));
    let _ = writeln!(
        text,
        "All of them are in [{0}.csv]({0}.csv), each with its seed; [{0}.svg]({0}.svg) shows them.",
        design.name
    );
    text
}

/// The test behind the verdict on a mean.
pub(super) fn the_test() -> String {
    format!(
        "## The test\n\n\
         The paper gives means of 20 runs, rounded to 0.1, without standard errors. If both \
         programs do the same, their runs have the same variance as ours, so the difference of \
         the means has the standard error √(s²/n + s²/20), where s is the standard deviation \
         of our n runs. A mean *differs* if the two-sided p-value of Student's t with n − 1 \
         degrees of freedom, for the difference less 0.05 for rounding, is below {LEVEL}; \
         otherwise it *agrees*, or the test *cannot tell*: where n is so small that a difference \
         of s would not be significant. Integers with a mean of 34.8 cannot all be equal, so s² is \
         at least f (1 − f) · 20/19, where f is the fraction of the published mean; that matters \
         only if nearly all of our runs have the same score. With many comparisons about one in a \
         hundred differs at random. The standard error of our mean follows ±. Times are for \
         information only: CPU seconds of one thread here, seconds of an AMD Athlon64 3200+ \
         there.\n"
    )
}

/// How to reproduce the longest games.
pub(super) fn again(results: ExperimentResults<'_>, rows: &[&super::RunResult]) -> String {
    let mut text = "## The longest games\n\nThese commands reproduce them:\n\n```sh\n".to_owned();
    for row in rows {
        let _ = writeln!(text, "{}  # {} moves", results.command(row), row.score);
    }
    text.push_str("```\n");
    text
}
