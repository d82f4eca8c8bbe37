//! A cluster as a discrete-event simulation.
//!
//! Cores request tasks from a broker, which serves one request at a time; a finished task returns
//! through the broker to the verifiers. A core may be slow for a task, or fail during it: then the
//! task is re-queued when its lease expires. Events are handled in the order of time.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

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
#[derive(Debug, Clone, Copy, Default, PartialEq)]
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
    Simulation::new(cluster, work, rng).run()
}

/// A run under way.
struct Simulation<'a, 't> {
    cluster: &'a Cluster,
    work: &'a mut Work<'t>,
    rng: &'a mut Rng,
    events: BinaryHeap<Scheduled>,
    /// How many events were scheduled.
    scheduled: u64,
    /// New cores without a first task.
    starting: u64,
    /// Cores without a task, which wait and cost the broker nothing.
    idle: u64,
    /// The tasks that wait; unlimited if a target ends the work.
    waiting: Option<u64>,
    /// When the broker is free, and how long it was busy.
    broker_free: f64,
    broker_busy: f64,
    /// When each verifier is free, and how long all were busy.
    verifiers: Vec<f64>,
    verifier_busy: f64,
    result: SimulatedRun,
}

impl<'a, 't> Simulation<'a, 't> {
    fn new(cluster: &'a Cluster, work: &'a mut Work<'t>, rng: &'a mut Rng) -> Self {
        let starting = work.tasks.map_or(cluster.cores, |tasks| tasks.min(cluster.cores));
        Self {
            cluster,
            rng,
            events: BinaryHeap::new(),
            scheduled: 0,
            starting,
            idle: cluster.cores - starting,
            waiting: work.tasks,
            broker_free: 0.0,
            broker_busy: 0.0,
            verifiers: vec![0.0; cluster.verifiers.max(1)],
            verifier_busy: 0.0,
            result: SimulatedRun::default(),
            work,
        }
    }

    fn run(mut self) -> SimulatedRun {
        self.schedule(0.0, Action::CoreStarts);
        while let Some(Scheduled { time, action, .. }) = self.events.pop() {
            match action {
                Action::CoreStarts => self.request(time, true),
                Action::Request => self.request(time, false),
                Action::Result(seconds, found) => {
                    if self.accept(time, seconds, found).is_break() {
                        break;
                    }
                }
                Action::LeaseExpires => self.requeue(time),
            }
        }
        let Self { mut result, broker_busy, verifier_busy, verifiers, .. } = self;
        result.broker = (broker_busy / result.wall).min(1.0);
        result.verifiers = (verifier_busy / result.wall / verifiers.len() as f64).min(1.0);
        result
    }

    fn schedule(&mut self, time: f64, action: Action) {
        self.scheduled += 1;
        self.events.push(Scheduled { time, number: self.scheduled, action });
    }

    /// When the broker has served a message that arrives at this time.
    fn served(&mut self, time: f64) -> f64 {
        let message = 0.5 / self.cluster.rate;
        self.broker_free = self.broker_free.max(time) + message;
        self.broker_busy += message;
        self.broker_free
    }

    /// A core requests a task, perhaps its first.
    fn request(&mut self, time: f64, is_first: bool) {
        match &mut self.waiting {
            Some(0) => {
                // Faster cores took the tasks of those that wait.
                self.idle += if is_first { self.starting } else { 1 };
                return;
            }
            Some(count) => *count -= 1,
            None => {}
        }
        let start = self.served(time);
        if is_first {
            self.starting -= 1;
            if self.starting > 0 {
                self.schedule(start, Action::CoreStarts);
            }
        }
        let cluster = self.cluster;
        let (seconds, found) = (self.work.sample)(self.rng);
        let slow = unit(self.rng) < cluster.slow_share;
        let seconds = if slow { seconds * cluster.slow_factor } else { seconds };
        let dies = exponential(self.rng) * cluster.lifetime;
        if dies < seconds {
            self.result.lost += dies;
            self.schedule(start + dies + cluster.lease, Action::LeaseExpires);
            self.schedule(start + dies + cluster.repair, Action::Request);
        } else {
            self.schedule(start + seconds, Action::Result(seconds, found));
        }
    }

    /// A result is verified; breaks if it is the last.
    fn accept(&mut self, time: f64, seconds: f64, found: bool) -> ControlFlow<()> {
        let there = self.served(time);
        let verifier = self.verifiers.iter_mut().min_by(|one, other| one.total_cmp(other));
        let verifier = verifier.expect("there is a verifier");
        *verifier = verifier.max(there) + self.work.verification;
        self.verifier_busy += self.work.verification;
        let result = &mut self.result;
        result.finished += 1;
        result.useful += seconds;
        result.wall = result.wall.max(*verifier);
        if found || self.work.tasks == Some(result.finished) {
            result.wall = *verifier;
            return ControlFlow::Break(());
        }
        self.schedule(time, Action::Request);
        ControlFlow::Continue(())
    }

    /// The task of a failed core waits again; an idle core takes it.
    fn requeue(&mut self, time: f64) {
        self.result.requeued += 1;
        if let Some(count) = &mut self.waiting {
            *count += 1;
            if self.idle > 0 {
                self.idle -= 1;
                self.schedule(time, Action::Request);
            }
        }
    }
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
