//! Pieces of Markdown that several reports share.

use std::fmt::Write as _;

use super::{Claim, Comparison, Results};
use crate::plans::PARAMETERS;
use crate::statistics::{LEVEL, Summary};

/// A table: names of columns, then rows.
pub(crate) fn table(names: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!("| {} |\n|{}\n", names.join(" | "), "---|".repeat(names.len()));
    for row in rows {
        let _ = writeln!(text, "| {} |", row.join(" | "));
    }
    text
}

/// Ours beside theirs, one row for each comparison; `keys` are the columns before.
pub(super) fn comparisons(keys: &[&str], rows: &[(Vec<String>, &Comparison)]) -> String {
    let names =
        [keys, &["ours", "runs", "published", "difference", "p", "verdict", "CPU s", "Athlon64 s"]]
            .concat();
    let row = |(values, comparison): &(Vec<String>, &Comparison)| {
        let Comparison { ours, theirs, verdict, .. } = comparison;
        let published = theirs.map_or_else(String::new, |theirs| format!("{:.1}", theirs.mean));
        let difference =
            theirs.map_or_else(String::new, |theirs| format!("{:+.2}", ours.mean - theirs.mean));
        let mut row = values.clone();
        row.extend([
            mean(ours),
            ours.count.to_string(),
            published,
            difference,
            verdict.map_or_else(String::new, |verdict| probability(verdict.p)),
            comparison.word().unwrap_or_default().to_owned(),
            seconds(comparison.seconds),
            comparison.their_seconds.map_or_else(String::new, |time| format!("{time}")),
        ]);
        row
    };
    table(&names, &rows.iter().map(row).collect::<Vec<_>>())
}

/// What the paper says beside what was found.
pub(super) fn claims(claims: &[Claim]) -> String {
    let word = |claim: &Claim| match claim.agrees {
        Some(true) => "agrees".to_owned(),
        Some(false) => "differs".to_owned(),
        None => String::new(),
    };
    let row = |claim: &Claim| {
        vec![claim.what.clone(), claim.published.clone(), claim.found.clone(), word(claim)]
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
pub(super) fn mean(summary: &Summary) -> String {
    match summary.error() {
        Some(error) => format!("{:.2} ± {error:.2}", summary.mean),
        None => format!("{:.2}", summary.mean),
    }
}

pub(super) fn probability(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { format!("{p:.4}") }
}

/// Seconds with three digits that matter.
pub(super) fn seconds(seconds: f64) -> String {
    match seconds {
        s if s >= 100.0 => format!("{s:.0}"),
        s if s >= 10.0 => format!("{s:.1}"),
        s if s >= 1.0 => format!("{s:.2}"),
        s => format!("{s:.4}"),
    }
}

/// A length of time in the unit that suits it.
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

/// A large number as people write it: powers of ten as such.
pub(super) fn size(size: u64) -> String {
    let power = size.checked_ilog10().unwrap_or(0);
    if power >= 4 && size == 10u64.pow(power) { format!("10^{power}") } else { size.to_string() }
}

/// What was run, in a sentence and a list.
pub(super) fn what_was_run(results: Results<'_>) -> String {
    let plan = results.plan;
    let mut text = format!(
        "{} in {} of processor time, made by `morpion {}`; every game was replayed by the judge before its score \
         counted. Settings: ",
        runs(results.rows.len()),
        time(results.cpu()),
        env!("CARGO_PKG_VERSION"),
    );
    let told = plan.settings.iter().filter(|(name, _)| *name != PARAMETERS);
    let settings: Vec<String> = told.map(|(name, value)| format!("{name} {value}")).collect();
    let _ = write!(text, "{}; {} of each cell. ", settings.join("; "), runs(plan.repeats as usize));
    let _ = writeln!(
        text,
        "All of them are in [{0}.csv]({0}.csv), each with its seed; [{0}.svg]({0}.svg) shows them.",
        plan.name
    );
    text
}

/// The test that a verdict on a mean comes from.
pub(super) fn the_test() -> String {
    format!(
        "## The test\n\n\
         The paper gives means of 20 runs, rounded to 0.1, without their spread. If both programs do the same, their runs \
         spread like ours, so the difference of the means has the standard error √(s²/n + s²/20), s being the standard \
         deviation of our n runs. A mean *differs* if the difference, less 0.05 for rounding, is so large in units of this \
         error that Student's t with n − 1 degrees of freedom is beyond it on either side with a probability p below \
         {LEVEL}; otherwise it *agrees*. Whole numbers with a mean of 34.8 cannot all be alike, so s² is taken to be at \
         least f (1 − f) · 20/19, f being the fraction of the published mean; that matters only where nearly all of our \
         runs end alike. With many comparisons some differ by chance alone, about one in a hundred. After ± stands the \
         standard error of our mean. Times are for information only: processor seconds of one thread here, seconds of an \
         AMD Athlon64 3200+ there.\n"
    )
}

/// How to find a game again.
pub(super) fn again(results: Results<'_>, rows: &[&super::Row]) -> String {
    let mut text = "## The longest games\n\nEach can be found again:\n\n```sh\n".to_owned();
    for row in rows {
        let _ = writeln!(text, "{}  # {} moves", results.command(row), row.score);
    }
    text.push_str("```\n");
    text
}
