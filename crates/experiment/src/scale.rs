//! A discrete-event simulation of a cluster: broker throughput, stragglers, node failures, lease
//! expiry, verification.
//!
//! [`Measurements`] are the CPU times of boards and searches on one machine, from the files of
//! other experiments. [`scale`] simulates each [`ClusterJob`] on each number of cores, [`report`]
//! makes the page. The same seed gives the same numbers.

mod measurements;
mod report;
mod simulate;

pub use measurements::MeasurementsError;
pub(crate) use measurements::{
    HuntFile, MeasuredSearch, Measurements, ParseHuntFileError, ScoreRate,
};
pub(crate) use report::report;
pub(crate) use simulate::{Cluster, SimulatedRun};

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use rand::{Rng as _, SeedableRng};
use search::Rng;

use crate::error::ExperimentError;
use crate::output::{OutputFolder, ResultsView, ViewDetails, WallTimeView};
use crate::request::Request;
use crate::{Event, OnEvent};

use simulate::{Work, simulate};

/// Measured on the machine that docs/notes/scale.md describes.
const BOARDS: &str = include_str!("../data/boards.csv");
const HUNTS: [(&str, &[u64]); 2] = [
    (include_str!("../data/5D-5min.csv"), &[82]),
    (include_str!("../data/5T-30min.csv"), &[167, 169]),
];

/// The number of maximal octagons (`morpion bound 5T --boards`).
const MAXIMAL_BOARDS: u64 = 90_397;

/// The options of a simulation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ScaleOptions {
    /// The cluster, except its number of cores.
    pub cluster: Cluster,
    /// The numbers of cores, one row each.
    pub cores: Vec<u64>,
    /// The number of boards of a proof.
    pub boards: u64,
    /// The linear programs per board, one job each.
    pub programs: Vec<u64>,
    /// The boards per task, one job each.
    pub bundles: Vec<u64>,
    /// The verification time of a board's certificate, in seconds.
    pub verify_board: f64,
    /// The verification time of a game, in seconds.
    pub verify_game: f64,
    /// A score beyond those measured, whose rate is extrapolated.
    pub goal: Option<u64>,
    /// How often each row is simulated.
    pub repeats: u32,
    /// The random seed.
    pub seed: u64,
}

/// The work of a cluster.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ClusterJob {
    /// Certificates for all boards.
    Proof {
        /// Linear programs per board.
        programs: u64,
        /// Boards per task.
        bundle: u64,
    },
    /// A game of `target` moves, by independent runs.
    Hunt {
        /// The index of the search.
        search: usize,
        /// The number of moves.
        target: u64,
        /// Whether the rate is extrapolated.
        extrapolated: bool,
    },
}

/// One job on one number of cores.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ScaleRow {
    /// The job.
    pub job: ClusterJob,
    /// The number of cores.
    pub cores: u64,
    /// The simulated runs.
    pub runs: Vec<SimulatedRun>,
}

/// Simulates every job on every number of cores; calls `on` with the numbers of finished and of all
/// rows, and stops early on `Break`.
pub(crate) fn scale(
    options: &ScaleOptions,
    measurements: &Measurements,
    on: &mut dyn FnMut(usize, usize) -> ControlFlow<()>,
) -> Vec<ScaleRow> {
    let jobs = jobs(options, measurements);
    let total = jobs.len() * options.cores.len();
    let mut rows = Vec::with_capacity(total);
    for (number, job) in jobs.iter().enumerate() {
        for &cores in &options.cores {
            if on(rows.len(), total).is_break() {
                return rows;
            }
            let run = |repeat: u32| {
                // An own stream for each row, so that rows are independent of each other.
                let salt = (number as u64) << 40 ^ cores << 8 ^ u64::from(repeat);
                let mut rng =
                    Rng::seed_from_u64(options.seed ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let cluster = Cluster { cores, ..options.cluster.clone() };
                simulate(&cluster, &mut work(job, options, measurements), &mut rng)
            };
            let runs = (0..options.repeats).map(run).collect();
            rows.push(ScaleRow { job: job.clone(), cores, runs });
        }
    }
    rows
}

fn jobs(options: &ScaleOptions, measurements: &Measurements) -> Vec<ClusterJob> {
    let mut jobs = Vec::new();
    for &programs in &options.programs {
        // Long tasks gain nothing from bundling.
        let bundles = options.bundles.iter().filter(|&&bundle| programs == 1 || bundle == 1);
        jobs.extend(bundles.map(|&bundle| ClusterJob::Proof { programs, bundle }));
    }
    for (search, known) in measurements.searches.iter().enumerate() {
        for &target in &known.targets {
            jobs.push(ClusterJob::Hunt { search, target, extrapolated: false });
        }
        if let Some(goal) = options.goal.filter(|&goal| known.extrapolated(goal).is_some()) {
            jobs.push(ClusterJob::Hunt { search, target: goal, extrapolated: true });
        }
    }
    jobs
}

/// The tasks of a job.
fn work<'a>(job: &ClusterJob, options: &ScaleOptions, measurements: &'a Measurements) -> Work<'a> {
    match *job {
        ClusterJob::Proof { programs, bundle } => Work {
            tasks: Some(options.boards.div_ceil(bundle)),
            verification: options.verify_board * bundle as f64,
            sample: Box::new(move |rng| {
                let count = programs * bundle;
                // The sum of many samples is nearly normal.
                let seconds = if count <= 100 {
                    (0..count).map(|_| *pick(&measurements.boards, rng)).sum()
                } else {
                    let (mean, deviation) = measurements.board_spread();
                    let many = count as f64;
                    (many * mean + many.sqrt() * deviation * normal(rng)).max(0.0)
                };
                (seconds, false)
            }),
        },
        ClusterJob::Hunt { search, target, extrapolated } => {
            let known = &measurements.searches[search];
            let rate = extrapolated.then(|| known.extrapolated(target)).flatten();
            Work {
                tasks: None,
                verification: options.verify_game,
                sample: Box::new(move |rng| {
                    let run = pick(&known.runs, rng);
                    let Some(rate) = rate else {
                        let reached = run.reached(target);
                        return (reached.unwrap_or(run.seconds), reached.is_some());
                    };
                    // Not before the best measured score, then at a constant rate.
                    let reached = known.floor() + exponential(rng) / rate.per_second;
                    (reached.min(run.seconds), reached <= run.seconds)
                }),
            }
        }
    }
}

/// `experiment scale`.
pub(crate) fn run(request: &Request, on: OnEvent<'_>) -> Result<Vec<ResultsView>, ExperimentError> {
    let quick = request.is_quick();
    let seconds = |name: &str| request.time(name).map(|time| time.as_secs_f64());
    let usual = Cluster::default();
    let cluster = Cluster {
        rate: request.get("rate").unwrap_or(usual.rate),
        verifiers: request.get("verifiers").unwrap_or(usual.verifiers),
        lease: seconds("lease").unwrap_or(usual.lease),
        lifetime: seconds("life").unwrap_or(usual.lifetime),
        slow_share: request.get("slow").map_or(usual.slow_share, |percent: f64| percent / 100.0),
        ..usual
    };
    let cores: &[u64] = if quick { &[100, 10_000] } else { &[100, 10_000, 1_000_000] };
    let options = ScaleOptions {
        cluster,
        cores: request.integers("cores").unwrap_or_else(|| cores.to_vec()),
        boards: MAXIMAL_BOARDS,
        programs: vec![1, 1000],
        bundles: vec![1, 10, 100],
        verify_board: seconds("verify-board").unwrap_or(0.001),
        verify_game: seconds("verify-game").unwrap_or(0.001),
        goal: request.get("goal"),
        repeats: request.get("repeats").unwrap_or(if quick { 2 } else { 10 }),
        seed: request.seed(),
    };
    let measurements = measurements(request)?;
    let folder = OutputFolder::new(request.out(), "scale");
    folder.create()?;
    let mut interrupted = None;
    let rows = scale(&options, &measurements, &mut |done, total| {
        let (experiment, unit) = ("scale", "clusters");
        let next = on(Event::Progress { experiment, unit, done, total, remaining: None });
        if next.is_break() {
            interrupted = Some((done, total));
        }
        next
    });
    if let Some((done, total)) = interrupted {
        let (experiment, unit, file) = ("scale", "clusters", folder.path("csv"));
        return Err(ExperimentError::Interrupted { experiment, unit, done, total, file });
    }
    let report = report(&options, &measurements, &rows);
    folder.write("csv", &report.csv)?;
    folder.write("md", &report.markdown)?;
    folder.write("svg", &report.svg)?;
    let row = |row: &ScaleRow| WallTimeView {
        job: row.job.name(&measurements),
        cores: row.cores,
        wall_seconds: row.mean(|run| run.wall),
    };
    Ok(vec![folder.view(ViewDetails::Scale { rows: rows.iter().map(row).collect() })])
}

/// The measurements of the files given, or those that come with the program.
fn measurements(request: &Request) -> Result<Measurements, ExperimentError> {
    let read = |path: &Path| {
        let failed = |error| ExperimentError::File(path.to_owned(), error);
        std::fs::read_to_string(path).map_err(failed)
    };
    let path = request.get::<PathBuf>("boards");
    let boards = path.as_deref().map(read).transpose()?;
    let mut hunts: Vec<(String, Vec<u64>)> = Vec::new();
    for HuntFile { path, score } in request.all("hunt").unwrap_or_default() {
        let (text, scores) = (read(&path)?, vec![score]);
        MeasuredSearch::read(&text, &scores)
            .map_err(|error| ExperimentError::Measurements(path, error))?;
        hunts.push((text, scores));
    }
    if hunts.is_empty() {
        hunts = HUNTS.map(|(text, scores)| (text.to_owned(), scores.to_vec())).into();
    }
    let measured = Measurements::read(boards.as_deref().unwrap_or(BOARDS), &hunts);
    // The hunts were read above, and what comes with the program is in order.
    measured.map_err(|error| ExperimentError::Measurements(path.unwrap_or_default(), error))
}

/// A random element.
fn pick<'a, T>(from: &'a [T], rng: &mut Rng) -> &'a T {
    let place = (unit(rng) * from.len() as f64) as usize;
    &from[place.min(from.len() - 1)]
}

/// Uniform on [0, 1).
fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Exponential with mean 1.
fn exponential(rng: &mut Rng) -> f64 {
    -(1.0 - unit(rng)).ln()
}

/// Normal with mean 0 and variance 1 (Box and Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    (2.0 * exponential(rng)).sqrt() * (std::f64::consts::TAU * unit(rng)).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured() -> Measurements {
        let hunts = "game,method,repeat,seed,score,playouts,cpu_seconds,improvements\n\
                     5D,auto,0,1,82,1,9.0,1.0:70 5.0:80 9.0:82\n\
                     5D,auto,1,2,81,1,20.0,2.0:75 6.0:81\n";
        let boards = "of,board,value,cpu_seconds,descent\nmaximal,1,1,1.0,\nmaximal,2,1,3.0,\n";
        Measurements::read(boards, &[(hunts.to_owned(), vec![82])]).expect("measured")
    }

    fn options() -> ScaleOptions {
        ScaleOptions {
            cluster: Cluster { cores: 0, ..Cluster::default() },
            cores: vec![1, 100],
            boards: 1000,
            programs: vec![1],
            bundles: vec![1],
            verify_board: 0.001,
            verify_game: 0.001,
            goal: Some(83),
            repeats: 2,
            seed: 7,
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_courses_and_another_gives_others() {
        let run = |seed| {
            scale(&ScaleOptions { seed, ..options() }, &measured(), &mut |_, _| {
                ControlFlow::Continue(())
            })
        };
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
    }

    #[test]
    fn a_hundred_cores_do_the_work_of_one_in_about_a_hundredth_of_the_time() {
        let perfect = Cluster { lifetime: f64::INFINITY, slow_share: 0.0, ..Cluster::default() };
        let rows =
            scale(&ScaleOptions { cluster: perfect, ..options() }, &measured(), &mut |_, _| {
                ControlFlow::Continue(())
            });
        let wall = |row: &ScaleRow| row.runs[0].wall;
        let ratio = wall(&rows[0]) / wall(&rows[1]);
        assert!((80.0..=100.5).contains(&ratio), "{ratio}");
        // A thousand boards of two seconds each, give or take.
        assert!((1800.0..2200.0).contains(&wall(&rows[0])), "{}", wall(&rows[0]));
    }

    #[test]
    fn normal_samples_have_mean_0_and_variance_1() {
        let mut rng = Rng::seed_from_u64(3);
        let samples: Vec<f64> = (0..20_000).map(|_| normal(&mut rng)).collect();
        let mean = samples.iter().sum::<f64>() / 2e4;
        let variance = samples.iter().map(|sample| sample * sample).sum::<f64>() / 2e4;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    }
}
