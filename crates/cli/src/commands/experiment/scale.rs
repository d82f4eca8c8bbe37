//! `morpion experiment scale`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use experiment::scale::{self, Cluster, Measured, Wish};
use serde::Serialize;

use super::stage::make_folder;
use crate::args::duration;
use crate::files;
use crate::output::{Exit, print, print_json};
use crate::progress::Progress;

/// What comes with the program: measured on the machine that docs/scale.md names.
const BOARDS: &str = include_str!("../../../../../docs/experiments/scale/boards.csv");
const HUNTS: [(&str, &[u64]); 2] = [
    (include_str!("../../../../../docs/experiments/5D-5min/anytime.csv"), &[82]),
    (include_str!("../../../../../docs/experiments/5T-30min/anytime.csv"), &[167, 169]),
];

/// A simulated cluster.
#[derive(clap::Args)]
pub(super) struct ScaleArgs {
    /// Fewer repeats and fewer cores: over within seconds, for a look
    #[arg(long)]
    quick: bool,

    /// Where all chance comes from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How many cores the cluster has [default: 100,10000,1000000]
    #[arg(long, value_name = "N,N,...", value_delimiter = ',', value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    cores: Vec<u64>,

    /// How often each row is simulated [default: 10, or 2 with --quick]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeats: Option<u32>,

    /// Times of boards, as `morpion experiment boards` writes them [default: a sample that comes with the program]
    #[arg(long, value_name = "FILE.csv")]
    boards: Option<PathBuf>,

    /// Times of hunts, as `morpion experiment anytime` writes them, and the score to hunt for; may be given several times
    #[arg(long = "hunt", value_name = "FILE.csv:SCORE")]
    hunts: Vec<String>,

    /// A score beyond those measured, whose rate is extrapolated [default: 172]
    #[arg(long, value_name = "N")]
    goal: Option<u64>,

    /// Tasks a second through the queue's engine, out and back (`cargo run --release -p morpion-queue --example rate` measures it)
    #[arg(long, value_name = "N", default_value_t = 6000.0)]
    rate: f64,

    /// How many judges look at answers at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    judges: u64,

    /// How long the judge takes for a board's certificate
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1ms")]
    judge_board: Duration,

    /// How long the judge takes for a game
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1ms")]
    judge_game: Duration,

    /// How long a core lives on average
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1000h")]
    life: Duration,

    /// How long a task of a dead core is waited for
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s")]
    lease: Duration,

    /// The share of tasks on slow cores, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 1.0)]
    slow: f64,

    /// The folder for the results
    #[arg(long, value_name = "DIR", default_value = "out/scale")]
    out: PathBuf,

    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

/// How many maximal octagons there are (`morpion bound 5T --boards`).
const MAXIMAL: u64 = 90_397;

/// How many times longer a task on a slow core takes.
const SLOW: f64 = 4.0;

impl ScaleArgs {
    fn wish(&self) -> Result<Wish> {
        if !(self.rate.is_finite() && self.rate > 0.0) {
            bail!("--rate {}: more than 0", self.rate);
        }
        if !(0.0..=100.0).contains(&self.slow) {
            bail!("--slow {}: from 0 to 100", self.slow);
        }
        let usual: &[u64] = if self.quick { &[100, 10_000] } else { &[100, 10_000, 1_000_000] };
        let cluster = Cluster {
            rate: self.rate,
            judges: usize::try_from(self.judges).context("--judges")?,
            lease: self.lease.as_secs_f64(),
            lifetime: self.life.as_secs_f64(),
            slow_share: self.slow / 100.0,
            slow_factor: SLOW,
            ..Cluster::default()
        };
        Ok(Wish {
            cluster,
            cores: if self.cores.is_empty() { usual.to_vec() } else { self.cores.clone() },
            boards: MAXIMAL,
            programs: vec![1, 1000],
            bundles: vec![1, 10, 100],
            judge_board: self.judge_board.as_secs_f64(),
            judge_game: self.judge_game.as_secs_f64(),
            goal: Some(self.goal.unwrap_or(172)),
            repeats: self.repeats.unwrap_or(if self.quick { 2 } else { 10 }),
            seed: self.seed,
        })
    }

    fn measured(&self) -> Result<Measured> {
        let read = |file: &PathBuf| -> Result<String> {
            String::from_utf8(files::read(file)?).with_context(|| files::name(file))
        };
        let boards = self.boards.as_ref().map(read).transpose()?;
        let mut hunts = Vec::new();
        for hunt in &self.hunts {
            let (file, score) = hunt
                .rsplit_once(':')
                .with_context(|| format!("--hunt {hunt}: write FILE.csv:SCORE"))?;
            let score =
                score.parse().with_context(|| format!("--hunt {hunt}: write FILE.csv:SCORE"))?;
            hunts.push((read(&PathBuf::from(file))?, vec![score]));
        }
        let given: Vec<(&str, Vec<u64>)> = if hunts.is_empty() {
            HUNTS.map(|(text, targets)| (text, targets.to_vec())).into()
        } else {
            hunts.iter().map(|(text, targets)| (text.as_str(), targets.clone())).collect()
        };
        Measured::read(boards.as_deref().unwrap_or(BOARDS), &given).context("--boards, --hunt")
    }
}

#[derive(Serialize)]
struct Told {
    experiment: &'static str,
    rows: Vec<ToldRow>,
    csv: String,
    markdown: String,
    svg: String,
}

#[derive(Serialize)]
struct ToldRow {
    job: String,
    cores: u64,
    wall_seconds: f64,
}

pub(super) fn run(args: &ScaleArgs) -> Result<Exit> {
    let (wish, measured) = (args.wish()?, args.measured()?);
    make_folder(&args.out)?;
    let line = Progress::new();
    let rows = scale::scale(&wish, &measured, |done, total| {
        line.show(format_args!("scale: {done} of {total} clusters simulated"));
    });
    drop(line);
    let report = scale::report(&wish, &measured, &rows);
    let path = |ending: &str| args.out.join(format!("scale.{ending}"));
    files::write(&path("csv"), report.csv.as_bytes())?;
    files::write(&path("md"), report.markdown.as_bytes())?;
    files::write(&path("svg"), report.svg.as_bytes())?;
    let markdown = files::name(&path("md"));
    if !args.json {
        print(format_args!("scale: {} clusters simulated; {markdown}", rows.len()))?;
        return Ok(Exit::Success);
    }
    let row = |row: &scale::Row| ToldRow {
        job: scale::name(&row.job, &measured),
        cores: row.cores,
        wall_seconds: row.courses.iter().map(|course| course.wall).sum::<f64>()
            / row.courses.len() as f64,
    };
    print_json(&Told {
        experiment: "scale",
        rows: rows.iter().map(row).collect(),
        csv: files::name(&path("csv")),
        markdown,
        svg: files::name(&path("svg")),
    })?;
    Ok(Exit::Success)
}
