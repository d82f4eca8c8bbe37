//! What many cores would do: a simulation of a cluster, fed with what was measured on one machine.
//!
//! [`Measured`] has the processor time of boards and of hunts, from files that experiments write.
//! `simulate` plays a cluster through, event by event: an engine that hands out
//! so many tasks a second, cores that are slow or die, leases that end, judges. [`scale`] does so for
//! each [`Job`] and number of cores; [`report`] tells it. The same seed gives the same numbers.

mod measured;
mod report;
mod simulate;

pub use measured::{BadMeasured, Measured, Rate, Search};
pub use report::{Report, name, report};
pub use simulate::{Cluster, Course};

use rand::{Rng as _, SeedableRng};
use search::Rng;

use simulate::{Work, simulate};

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Wish {
    /// The cluster, but for its number of cores.
    pub cluster: Cluster,
    /// How many cores it has, one row each.
    pub cores: Vec<u64>,
    /// How many boards a proof has.
    pub boards: u64,
    /// How many linear programs each takes, one job each.
    pub programs: Vec<u64>,
    /// How many boards go into one task, one job each.
    pub bundles: Vec<u64>,
    /// How long the judge takes for a board's certificate, in seconds.
    pub judge_board: f64,
    /// How long the judge takes for a game, in seconds.
    pub judge_game: f64,
    /// A score beyond those measured, for which the rate is extrapolated.
    pub goal: Option<u64>,
    /// How often each row is simulated.
    pub repeats: u32,
    /// Where all chance comes from.
    pub seed: u64,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Job {
    /// Certificates for all boards.
    Proof {
        /// Linear programs for each.
        programs: u64,
        /// Boards in one task.
        bundle: u64,
    },
    /// A game of so many moves, by independent runs.
    Hunt {
        /// Which search.
        search: usize,
        /// How many moves.
        target: u64,
        /// Whether nobody has measured that.
        extrapolated: bool,
    },
}

/// One job on so many cores.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What was done.
    pub job: Job,
    /// On how many cores.
    pub cores: u64,
    /// How it went, each time.
    pub courses: Vec<Course>,
}

/// Simulates every job on every number of cores; calls `told` before each row.
pub fn scale(wish: &Wish, measured: &Measured, mut told: impl FnMut(usize, usize)) -> Vec<Row> {
    let jobs = jobs(wish, measured);
    let total = jobs.len() * wish.cores.len();
    let mut rows = Vec::with_capacity(total);
    for (number, job) in jobs.iter().enumerate() {
        for &cores in &wish.cores {
            told(rows.len(), total);
            let course = |repeat: u32| {
                // A stream for each row, so that other rows can be left out.
                let salt = (number as u64) << 40 ^ cores << 8 ^ u64::from(repeat);
                let mut rng =
                    Rng::seed_from_u64(wish.seed ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let cluster = Cluster { cores, ..wish.cluster.clone() };
                simulate(&cluster, &mut work(job, wish, measured), &mut rng)
            };
            let courses = (0..wish.repeats).map(course).collect();
            rows.push(Row { job: job.clone(), cores, courses });
        }
    }
    rows
}

fn jobs(wish: &Wish, measured: &Measured) -> Vec<Job> {
    let mut jobs = Vec::new();
    for &programs in &wish.programs {
        // Long tasks gain nothing from being bundled.
        let bundles = wish.bundles.iter().filter(|&&bundle| programs == 1 || bundle == 1);
        jobs.extend(bundles.map(|&bundle| Job::Proof { programs, bundle }));
    }
    for (search, known) in measured.searches.iter().enumerate() {
        for &target in &known.targets {
            jobs.push(Job::Hunt { search, target, extrapolated: false });
        }
        if let Some(goal) = wish.goal.filter(|&goal| known.extrapolated(goal).is_some()) {
            jobs.push(Job::Hunt { search, target: goal, extrapolated: true });
        }
    }
    jobs
}

/// A job as the simulation wants it.
fn work<'a>(job: &Job, wish: &Wish, measured: &'a Measured) -> Work<'a> {
    match *job {
        Job::Proof { programs, bundle } => Work {
            tasks: Some(wish.boards.div_ceil(bundle)),
            judge: wish.judge_board * bundle as f64,
            draw: Box::new(move |rng| {
                let count = programs * bundle;
                // Many draws by their mean and variance: what matters is their sum.
                let seconds = if count <= 100 {
                    (0..count).map(|_| *pick(&measured.boards, rng)).sum()
                } else {
                    let (mean, deviation) = measured.board_spread();
                    let many = count as f64;
                    (many * mean + many.sqrt() * deviation * normal(rng)).max(0.0)
                };
                (seconds, false)
            }),
        },
        Job::Hunt { search, target, extrapolated } => {
            let known = &measured.searches[search];
            let rate = extrapolated.then(|| known.extrapolated(target)).flatten();
            Work {
                tasks: None,
                judge: wish.judge_game,
                draw: Box::new(move |rng| {
                    let run = pick(&known.runs, rng);
                    let Some(rate) = rate else {
                        let reached = run.reached(target);
                        return (reached.unwrap_or(run.seconds), reached.is_some());
                    };
                    // No sooner than the best that was measured, then at an even rate.
                    let reached = known.floor() + exponential(rng) / rate.per_second;
                    (reached.min(run.seconds), reached <= run.seconds)
                }),
            }
        }
    }
}

/// One of these.
fn pick<'a, T>(from: &'a [T], rng: &mut Rng) -> &'a T {
    let place = (unit(rng) * from.len() as f64) as usize;
    &from[place.min(from.len() - 1)]
}

/// From 0 to 1, 1 excluded.
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

    fn measured() -> Measured {
        let hunts = "game,method,repeat,seed,score,playouts,cpu_seconds,improvements\n\
                     5D,auto,0,1,82,1,9.0,1.0:70 5.0:80 9.0:82\n\
                     5D,auto,1,2,81,1,20.0,2.0:75 6.0:81\n";
        let boards = "of,board,value,cpu_seconds,descent\nmaximal,1,1,1.0,\nmaximal,2,1,3.0,\n";
        Measured::read(boards, &[(hunts, vec![82])]).expect("measured")
    }

    fn wish() -> Wish {
        Wish {
            cluster: Cluster { cores: 0, ..Cluster::default() },
            cores: vec![1, 100],
            boards: 1000,
            programs: vec![1],
            bundles: vec![1],
            judge_board: 0.001,
            judge_game: 0.001,
            goal: Some(83),
            repeats: 2,
            seed: 7,
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_courses_and_another_gives_others() {
        let run = |seed| scale(&Wish { seed, ..wish() }, &measured(), |_, _| ());
        assert_eq!(run(7), run(7));
        assert_ne!(run(7), run(8));
    }

    #[test]
    fn a_hundred_cores_do_the_work_of_one_in_about_a_hundredth_of_the_time() {
        let perfect = Cluster { lifetime: f64::INFINITY, slow_share: 0.0, ..Cluster::default() };
        let rows = scale(&Wish { cluster: perfect, ..wish() }, &measured(), |_, _| ());
        let wall = |row: &Row| row.courses[0].wall;
        let ratio = wall(&rows[0]) / wall(&rows[1]);
        assert!((80.0..=100.5).contains(&ratio), "{ratio}");
        // A thousand boards of two seconds each, give or take.
        assert!((1800.0..2200.0).contains(&wall(&rows[0])), "{}", wall(&rows[0]));
    }

    #[test]
    fn a_normal_draw_has_mean_0_and_variance_1() {
        let mut rng = Rng::seed_from_u64(3);
        let draws: Vec<f64> = (0..20_000).map(|_| normal(&mut rng)).collect();
        let mean = draws.iter().sum::<f64>() / 2e4;
        let variance = draws.iter().map(|draw| draw * draw).sum::<f64>() / 2e4;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    }
}
