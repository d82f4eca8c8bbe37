//! What simulated clusters say, in numbers, words and a picture.

use std::fmt::Write as _;

use render::chart::{Axis, Chart, Look, Mark, Panel, Series};
use render::{Theme, chart::chart};

use super::{Course, Job, Measured, Row, Search, Wish};
use crate::report::{self, table};

/// What comes of it.
#[derive(Debug, Clone)]
pub struct Report {
    /// For people.
    pub markdown: String,
    /// Time against cores.
    pub svg: String,
    /// Every course.
    pub csv: String,
}

/// Puts simulated rows into words, numbers and a picture.
pub fn report(wish: &Wish, measured: &Measured, rows: &[Row]) -> Report {
    let proofs: Vec<&Row> =
        rows.iter().filter(|row| matches!(row.job, Job::Proof { .. })).collect();
    let hunts: Vec<&Row> = rows.iter().filter(|row| matches!(row.job, Job::Hunt { .. })).collect();
    let markdown = format!(
        "# What many cores would do\n\n\
         Simulated from measured times, {} times each with seed {}; every number of a row is the mean. Times on one core and rates of the \
         engine are those of the machine that measured them.\n\n{}\n{}\n## A proof by boards\n\n{}\n\n{}\n## A hunt\n\n{}\n\n{}\n{}",
        wish.repeats,
        wish.seed,
        settings(wish),
        inputs(measured),
        proof_words(wish, measured),
        courses(&proofs, measured),
        HUNT_WORDS,
        courses(&hunts, measured),
        rates(wish, measured),
    );
    let panel = |title: &str, rows: &[&Row]| Panel {
        title: title.to_owned(),
        x: Axis::logarithmic("cores"),
        y: Axis::logarithmic("seconds"),
        series: series(rows, measured),
    };
    let svg = chart(&Chart {
        title: "What many cores would do".to_owned(),
        note: "Time until all is judged, or until the first find is; mean, least and most of the simulated courses"
            .to_owned(),
        panels: vec![panel("A proof by boards", &proofs), panel("A hunt", &hunts)],
        ordered: false,
        theme: Theme::Light,
    });
    Report { markdown, svg, csv: csv(rows, measured) }
}

const HUNT_WORDS: &str = "\
    Independent runs, each as long as those measured, handed out until one reaches the score. A run drawn from the measured ones \
    can be no faster than the fastest of these: beyond some hundred cores that, and the time to hand out the first tasks, is all that is \
    left. Runs that share their bests are not simulated.";

fn settings(wish: &Wish) -> String {
    let cluster = &wish.cluster;
    let rows = [
        ("tasks a second through the engine, out and back", format!("{}", cluster.rate)),
        ("judges", cluster.judges.to_string()),
        ("the judge's time for a board", time(wish.judge_board)),
        ("the judge's time for a game", time(wish.judge_game)),
        ("mean life of a core", time(cluster.lifetime)),
        ("lease of a task whose core died", time(cluster.lease)),
        ("until a dead core is replaced", time(cluster.repair)),
        (
            "tasks on slow cores",
            format!("{} %, {} times as long", cluster.slow_share * 100.0, cluster.slow_factor),
        ),
    ];
    let rows: Vec<Vec<String>> =
        rows.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect();
    table(&["setting", "value"], &rows)
}

fn inputs(measured: &Measured) -> String {
    let (mean, deviation) = measured.board_spread();
    let mut text = format!(
        "Measured: {} boards, {mean:.2} ± {deviation:.2} s for the linear program of one (mean and standard deviation)",
        measured.boards.len()
    );
    for search in &measured.searches {
        let seconds: f64 = search.runs.iter().map(|run| run.seconds).sum();
        let _ = write!(text, "; {} runs of {}, {}", search.runs.len(), search.game, time(seconds));
    }
    text.push_str(".\n");
    text
}

fn proof_words(wish: &Wish, measured: &Measured) -> String {
    let (mean, _) = measured.board_spread();
    let cores = wish.cluster.rate * mean;
    let judged = wish.cluster.judges as f64 / wish.judge_board;
    format!(
        "{} boards. The engine is saturated by {cores:.0} cores if each task is one program, and by so many times more if a task is \
         longer, be it that it has several boards or that a board takes a tree of programs. The judges see {judged:.0} boards a second; so \
         they keep up with {:.0} cores, whatever the engine does. Programs are drawn anew for each node of a tree.",
        wish.boards,
        judged * mean,
    )
}

fn courses(rows: &[&Row], measured: &Measured) -> String {
    let names = [
        "job",
        "cores",
        "time",
        "least to most",
        "core-hours",
        "of them useful",
        "handed out again",
        "engine",
        "judges",
        "limit",
    ];
    let row = |row: &&Row| {
        let mean = |value: fn(&Course) -> f64| mean(row, value);
        let wall = mean(|course| course.wall);
        let (least, most) = spread(row);
        let hours = wall * row.cores as f64 / 3600.0;
        let useful = mean(|course| course.useful) / (wall * row.cores as f64);
        let (engine, judges) = (mean(|course| course.engine), mean(|course| course.judges));
        vec![
            name(&row.job, measured),
            grouped(row.cores),
            time(wall),
            format!("{} to {}", time(least), time(most)),
            short(hours),
            percent(useful),
            format!("{:.0}", mean(|course| course.again as f64)),
            percent(engine),
            percent(judges),
            limit(useful, engine, judges).to_owned(),
        ]
    };
    table(&names, &rows.iter().map(row).collect::<Vec<_>>())
}

/// What keeps it from being faster.
fn limit(useful: f64, engine: f64, judges: f64) -> &'static str {
    match (useful, engine, judges) {
        (_, engine, judges) if engine > 0.8 && engine >= judges => "engine",
        (_, _, judges) if judges > 0.8 => "judges",
        (useful, ..) if useful > 0.8 => "cores",
        _ => "the longest tasks",
    }
}

/// How rare scores are.
fn rates(wish: &Wish, measured: &Measured) -> String {
    let mut rows = Vec::new();
    for search in &measured.searches {
        let mut row = |rate: super::Rate, source: String| {
            let hours = 1.0 / rate.per_second / 3600.0;
            rows.push(vec![search.game.clone(), rate.score.to_string(), source, short(hours)]);
        };
        for rate in search.rates() {
            row(rate, format!("{} of {} runs", rate.reached, search.runs.len()));
        }
        if let Some(rate) = wish.goal.and_then(|goal| search.extrapolated(goal)) {
            let factor = search.factor().unwrap_or(1.0);
            row(rate, format!("extrapolated, a factor of {factor:.2} for each move"));
        }
    }
    format!(
        "\nHow rare scores are. An extrapolated row assumes that every further move goes on being as much rarer as those measured \
         were, which nobody knows and which gets worse where a method has its limit.\n\n{}",
        table(&["game", "score", "from", "core-hours"], &rows)
    )
}

fn series(rows: &[&Row], measured: &Measured) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for row in rows {
        let called = name(&row.job, measured);
        let (low, high) = spread(row);
        let wall = mean(row, |course| course.wall);
        let mark = Mark { x: row.cores as f64, y: wall, low, high };
        match series.iter_mut().find(|series| series.name == called) {
            Some(series) => series.points.push(mark),
            None => {
                let hue = series.len();
                series.push(Series { name: called, hue, look: Look::Line, points: vec![mark] });
            }
        }
    }
    series
}

fn csv(rows: &[Row], measured: &Measured) -> String {
    let mut text = String::from(
        "job,cores,repeat,wall_seconds,useful_seconds,lost_seconds,answered,again,engine,judges\n",
    );
    for row in rows {
        for (repeat, course) in row.courses.iter().enumerate() {
            let Course { wall, useful, lost, answered, again, engine, judges } = course;
            let _ = writeln!(
                text,
                "{},{},{repeat},{wall:.3},{useful:.3},{lost:.3},{answered},{again},{engine:.4},{judges:.4}",
                name(&row.job, measured).replace(',', ""),
                row.cores
            );
        }
    }
    text
}

/// A job in a few words.
pub fn name(job: &Job, measured: &Measured) -> String {
    match job {
        Job::Proof { programs: 1, bundle: 1 } => "one program each".to_owned(),
        Job::Proof { programs: 1, bundle } => format!("{bundle} boards to a task"),
        Job::Proof { programs, .. } => format!("trees of {} programs", grouped(*programs)),
        Job::Hunt { search, target, extrapolated } => {
            let Search { game, .. } = &measured.searches[*search];
            let mark = if *extrapolated { " (extrapolated)" } else { "" };
            format!("{game} {target}{mark}")
        }
    }
}

fn mean(row: &Row, value: fn(&Course) -> f64) -> f64 {
    row.courses.iter().map(value).sum::<f64>() / row.courses.len().max(1) as f64
}

fn spread(row: &Row) -> (f64, f64) {
    let walls = || row.courses.iter().map(|course| course.wall);
    (walls().fold(f64::INFINITY, f64::min), walls().fold(0.0, f64::max))
}

/// A length of time in the unit that suits it, up to days.
fn time(seconds: f64) -> String {
    const DAY: f64 = 86_400.0;
    if seconds >= 2.0 * DAY { format!("{:.1} days", seconds / DAY) } else { report::time(seconds) }
}

fn percent(share: f64) -> String {
    match share * 100.0 {
        share if share >= 9.95 => format!("{share:.0} %"),
        share => format!("{share:.1} %"),
    }
}

/// A number with as many digits as matter.
fn short(value: f64) -> String {
    match value {
        value if value >= 100.0 => grouped(value.round() as u64),
        value if value >= 1.0 => format!("{value:.1}"),
        value => format!("{value:.3}"),
    }
}

/// 1,000,000.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_write_them() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0.0123, 1.25, 1234.5].map(short), ["0.012", "1.2", "1,235"]);
        assert_eq!([0.004, 0.5].map(percent), ["0.4 %", "50 %"]);
    }
}
