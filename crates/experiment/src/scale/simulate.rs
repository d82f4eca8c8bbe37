//! A cluster as a discrete-event simulation.
//!
//! Cores request tasks from a broker, which serves one request at a time; a finished task returns
//! through the broker to the verifiers. A core may be slow for a task, or fail during it: then the
//! task is re-queued when its lease expires. Events are handled in the order of time.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use search::Rng;

use super::{exponential, unit};

/// A cluster. Times are in seconds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cluster {
    /// The number of cores.
    pub cores: u64,
    /// Tasks per second through the broker, both ways.
    pub rate: f64,
    /// The number of verifiers.
    pub verifiers: usize,
    /// The time until the task of a failed core is re-queued.
    pub lease: f64,
    /// The mean time to failure of a core.
    pub lifetime: f64,
    /// The time until a failed core is replaced.
    pub repair: f64,
    /// The share of tasks on slow cores.
    pub slow_share: f64,
    /// The slowdown of a slow core.
    pub slow_factor: f64,
}

impl Default for Cluster {
    fn default() -> Self {
        Self {
            cores: 1,
            rate: 6000.0,
            verifiers: 1,
            lease: 30.0,
            lifetime: 1000.0 * 3600.0,
            repair: 300.0,
            slow_share: 0.01,
            slow_factor: 4.0,
        }
    }
}

/// Samples the seconds of a task, and whether it reaches the target.
pub(super) type Sample<'a> = Box<dyn FnMut(&mut Rng) -> (f64, bool) + 'a>;

/// The tasks of a cluster.
pub(super) struct Work<'a> {
    /// The number of tasks; unlimited if a target ends the work.
    pub(super) tasks: Option<u64>,
    /// The verification time of a result.
    pub(super) verification: f64,
    /// The next task.
    pub(super) sample: Sample<'a>,
}

/// A simulated run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SimulatedRun {
    /// The time until the last result, or the one that reaches the target, is verified.
    pub wall: f64,
    /// The CPU time of finished tasks.
    pub useful: f64,
    /// The CPU time of tasks whose core failed.
    pub lost: f64,
    /// The number of finished tasks.
    pub finished: u64,
    /// The number of re-queued tasks.
    pub requeued: u64,
    /// The utilisation of the broker.
    pub broker: f64,
    /// The utilisation of the verifiers.
    pub verifiers: f64,
}

enum Action {
    /// The next new core gets its first task: those that wait do not hold up results.
    CoreStarts,
    /// A core requests a task.
    Request,
    /// A core has finished a task: its seconds, and whether it reaches the target.
    Result(f64, bool),
    /// The lease of a failed core expires.
    LeaseExpires,
}

struct Scheduled {
    time: f64,
    /// Ties are resolved in order of scheduling.
    number: u64,
    action: Action,
}

/// Simulates one run.
pub(super) fn simulate(cluster: &Cluster, work: &mut Work<'_>, rng: &mut Rng) -> SimulatedRun {
    let mut events = BinaryHeap::new();
    let mut number = 0;
    let mut add = |events: &mut BinaryHeap<Scheduled>, time, action| {
        number += 1;
        events.push(Scheduled { time, number, action });
    };
    // Cores without a task wait and cost the broker nothing.
    let mut starting = work.tasks.map_or(cluster.cores, |tasks| tasks.min(cluster.cores));
    let mut idle = cluster.cores - starting;
    add(&mut events, 0.0, Action::CoreStarts);
    let mut waiting = work.tasks;
    let message = 0.5 / cluster.rate;
    let (mut broker_free, mut broker_busy, mut verifier_busy) = (0.0_f64, 0.0, 0.0);
    let mut verifiers = vec![0.0_f64; cluster.verifiers.max(1)];
    let mut run = SimulatedRun {
        wall: 0.0,
        useful: 0.0,
        lost: 0.0,
        finished: 0,
        requeued: 0,
        broker: 0.0,
        verifiers: 0.0,
    };
    while let Some(Scheduled { time, action, .. }) = events.pop() {
        let served = |free: &mut f64, busy: &mut f64| {
            *free = free.max(time) + message;
            *busy += message;
            *free
        };
        match action {
            Action::CoreStarts | Action::Request => {
                let starts = matches!(action, Action::CoreStarts);
                match &mut waiting {
                    Some(0) => {
                        // Faster cores took the tasks of those that wait.
                        idle += if starts { starting } else { 1 };
                        continue;
                    }
                    Some(count) => *count -= 1,
                    None => {}
                }
                let start = served(&mut broker_free, &mut broker_busy);
                if starts {
                    starting -= 1;
                    if starting > 0 {
                        add(&mut events, start, Action::CoreStarts);
                    }
                }
                let (seconds, found) = (work.sample)(rng);
                let slow = unit(rng) < cluster.slow_share;
                let seconds = if slow { seconds * cluster.slow_factor } else { seconds };
                let dies = exponential(rng) * cluster.lifetime;
                if dies < seconds {
                    run.lost += dies;
                    add(&mut events, start + dies + cluster.lease, Action::LeaseExpires);
                    add(&mut events, start + dies + cluster.repair, Action::Request);
                } else {
                    add(&mut events, start + seconds, Action::Result(seconds, found));
                }
            }
            Action::Result(seconds, found) => {
                let there = served(&mut broker_free, &mut broker_busy);
                let verifier = verifiers
                    .iter_mut()
                    .min_by(|one, other| one.total_cmp(other))
                    .expect("there is a verifier");
                *verifier = verifier.max(there) + work.verification;
                verifier_busy += work.verification;
                run.finished += 1;
                run.useful += seconds;
                run.wall = run.wall.max(*verifier);
                if found || work.tasks == Some(run.finished) {
                    run.wall = *verifier;
                    break;
                }
                add(&mut events, time, Action::Request);
            }
            Action::LeaseExpires => {
                run.requeued += 1;
                if let Some(count) = &mut waiting {
                    *count += 1;
                    if idle > 0 {
                        idle -= 1;
                        add(&mut events, time, Action::Request);
                    }
                }
            }
        }
    }
    run.broker = (broker_busy / run.wall).min(1.0);
    run.verifiers = (verifier_busy / run.wall / verifiers.len() as f64).min(1.0);
    run
}

impl PartialEq for Scheduled {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Scheduled {}

impl PartialOrd for Scheduled {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Scheduled {
    /// The earliest is the greatest: a heap pops its greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        other.time.total_cmp(&self.time).then(other.number.cmp(&self.number))
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn perfect(cores: u64) -> Cluster {
        let lifetime = f64::INFINITY;
        Cluster { cores, rate: 1000.0, lifetime, slow_share: 0.0, ..Cluster::default() }
    }

    fn run(cluster: &Cluster, tasks: u64, seconds: f64, verification: f64) -> SimulatedRun {
        let sample = Box::new(move |_: &mut Rng| (seconds, false));
        let mut work = Work { tasks: Some(tasks), verification, sample };
        simulate(cluster, &mut work, &mut Rng::seed_from_u64(1))
    }

    #[track_caller]
    fn about(value: f64, expected: f64) {
        assert!((value / expected - 1.0).abs() < 0.02, "{value} is not about {expected}");
    }

    #[test]
    fn one_core_takes_as_long_as_its_tasks() {
        let run = run(&perfect(1), 100, 2.0, 0.0);
        about(run.wall, 200.0);
        assert_eq!((run.finished, run.requeued), (100, 0));
    }

    #[test]
    fn short_tasks_saturate_the_broker() {
        let run = run(&perfect(10_000), 50_000, 0.1, 0.0);
        about(run.wall, 50.0);
        about(run.broker, 1.0);
    }

    #[test]
    fn a_slow_verifier_is_the_bottleneck_and_two_are_twice_as_fast() {
        about(run(&perfect(1000), 2000, 0.1, 0.1).wall, 200.0);
        let two = Cluster { verifiers: 2, ..perfect(1000) };
        about(run(&two, 2000, 0.1, 0.1).wall, 100.0);
    }

    #[test]
    fn tasks_of_failed_cores_are_requeued() {
        let mortal = Cluster { lifetime: 50.0, lease: 5.0, repair: 1.0, ..perfect(20) };
        let run = run(&mortal, 1000, 10.0, 0.0);
        assert_eq!(run.finished, 1000);
        assert!(run.requeued > 100, "{run:?}");
        assert!(run.wall > 550.0, "{run:?}");
        about(run.useful, 10_000.0);
    }

    #[test]
    fn a_hunt_ends_with_the_first_success() {
        let mut tries = 0;
        let sample = Box::new(|_: &mut Rng| {
            tries += 1;
            (10.0, tries == 25)
        });
        let mut work = Work { tasks: None, verification: 0.0, sample };
        let run = simulate(&perfect(10), &mut work, &mut Rng::seed_from_u64(1));
        about(run.wall, 30.0);
        assert_eq!(run.finished, 25);
    }
}
