//! A cluster, event by event.
//!
//! Cores ask an engine for tasks, which hands out one after the other; a finished task goes back
//! through the engine to judges. A core may be slow for a task; it may die on it, and then the task
//! is handed out again when its lease is over. Events are taken in the order of time, so that the
//! engine serves who comes first.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use search::Rng;

use super::{exponential, unit};

/// A cluster. Times are in seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Cluster {
    /// How many cores work.
    pub cores: u64,
    /// How many tasks go through the engine in a second, out and back.
    pub rate: f64,
    /// How many judges look at answers.
    pub judges: usize,
    /// How long a task of a dead core is waited for.
    pub lease: f64,
    /// How long a core lives on average.
    pub lifetime: f64,
    /// How long it takes until a dead core is replaced.
    pub repair: f64,
    /// The share of tasks that meet a slow core.
    pub slow_share: f64,
    /// How many times longer these take.
    pub slow_factor: f64,
}

impl Default for Cluster {
    fn default() -> Self {
        Self {
            cores: 1,
            rate: 6000.0,
            judges: 1,
            lease: 30.0,
            lifetime: 1000.0 * 3600.0,
            repair: 300.0,
            slow_share: 0.01,
            slow_factor: 4.0,
        }
    }
}

/// Draws the seconds of a task, and whether it finds what is looked for.
pub(super) type Draw<'a> = Box<dyn FnMut(&mut Rng) -> (f64, bool) + 'a>;

/// What a cluster has to do.
pub(super) struct Work<'a> {
    /// How many tasks there are; without end if there is something to be found.
    pub(super) tasks: Option<u64>,
    /// What the judge takes for an answer.
    pub(super) judge: f64,
    /// The next task.
    pub(super) draw: Draw<'a>,
}

/// How it went.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Course {
    /// Until the last answer is judged, or until what was looked for is.
    pub wall: f64,
    /// Processor time of tasks that were answered.
    pub useful: f64,
    /// Processor time of tasks whose core died.
    pub lost: f64,
    /// Tasks answered.
    pub answered: u64,
    /// Tasks handed out again.
    pub again: u64,
    /// The share of the time in which the engine was at work.
    pub engine: f64,
    /// The share of the time in which the judges were at work.
    pub judges: f64,
}

enum What {
    /// The next core that has had no task yet is given its first one: those in line do not hold up
    /// answers.
    Starts,
    /// A core asks for work.
    Asks,
    /// A core has finished a task, which took so long and found it or not.
    Answers(f64, bool),
    /// The lease of a dead core is over.
    Returns,
}

struct Event {
    time: f64,
    /// Among events of the same time the first comes first.
    number: u64,
    what: What,
}

/// Plays it through.
pub(super) fn simulate(cluster: &Cluster, work: &mut Work<'_>, rng: &mut Rng) -> Course {
    let mut events = BinaryHeap::new();
    let mut number = 0;
    let mut add = |events: &mut BinaryHeap<Event>, time, what| {
        number += 1;
        events.push(Event { time, number, what });
    };
    // Those for whom there is no task wait and cost the engine nothing.
    let mut starting = work.tasks.map_or(cluster.cores, |tasks| tasks.min(cluster.cores));
    let mut idle = cluster.cores - starting;
    add(&mut events, 0.0, What::Starts);
    let mut waiting = work.tasks;
    let message = 0.5 / cluster.rate;
    let (mut engine_free, mut engine_busy, mut judge_busy) = (0.0_f64, 0.0, 0.0);
    let mut judges = vec![0.0_f64; cluster.judges.max(1)];
    let mut course = Course {
        wall: 0.0,
        useful: 0.0,
        lost: 0.0,
        answered: 0,
        again: 0,
        engine: 0.0,
        judges: 0.0,
    };
    while let Some(Event { time, what, .. }) = events.pop() {
        let served = |free: &mut f64, busy: &mut f64| {
            *free = free.max(time) + message;
            *busy += message;
            *free
        };
        match what {
            What::Starts | What::Asks => {
                let starts = matches!(what, What::Starts);
                match &mut waiting {
                    Some(0) => {
                        // Others were faster than those still in line.
                        idle += if starts { starting } else { 1 };
                        continue;
                    }
                    Some(count) => *count -= 1,
                    None => {}
                }
                let start = served(&mut engine_free, &mut engine_busy);
                if starts {
                    starting -= 1;
                    if starting > 0 {
                        add(&mut events, start, What::Starts);
                    }
                }
                let (seconds, found) = (work.draw)(rng);
                let slow = unit(rng) < cluster.slow_share;
                let seconds = if slow { seconds * cluster.slow_factor } else { seconds };
                let dies = exponential(rng) * cluster.lifetime;
                if dies < seconds {
                    course.lost += dies;
                    add(&mut events, start + dies + cluster.lease, What::Returns);
                    add(&mut events, start + dies + cluster.repair, What::Asks);
                } else {
                    add(&mut events, start + seconds, What::Answers(seconds, found));
                }
            }
            What::Answers(seconds, found) => {
                let there = served(&mut engine_free, &mut engine_busy);
                let judge = judges
                    .iter_mut()
                    .min_by(|one, other| one.total_cmp(other))
                    .expect("there is a judge");
                *judge = judge.max(there) + work.judge;
                judge_busy += work.judge;
                course.answered += 1;
                course.useful += seconds;
                course.wall = course.wall.max(*judge);
                if found || work.tasks == Some(course.answered) {
                    course.wall = *judge;
                    break;
                }
                add(&mut events, time, What::Asks);
            }
            What::Returns => {
                course.again += 1;
                if let Some(count) = &mut waiting {
                    *count += 1;
                    if idle > 0 {
                        idle -= 1;
                        add(&mut events, time, What::Asks);
                    }
                }
            }
        }
    }
    course.engine = (engine_busy / course.wall).min(1.0);
    course.judges = (judge_busy / course.wall / judges.len() as f64).min(1.0);
    course
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Event {}

impl PartialOrd for Event {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Event {
    /// The earliest is the greatest, as a heap gives its greatest.
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

    fn run(cluster: &Cluster, tasks: u64, seconds: f64, judge: f64) -> Course {
        let draw = Box::new(move |_: &mut Rng| (seconds, false));
        let mut work = Work { tasks: Some(tasks), judge, draw };
        simulate(cluster, &mut work, &mut Rng::seed_from_u64(1))
    }

    #[track_caller]
    fn about(value: f64, expected: f64) {
        assert!((value / expected - 1.0).abs() < 0.02, "{value} is not about {expected}");
    }

    #[test]
    fn one_core_takes_as_long_as_its_tasks() {
        let course = run(&perfect(1), 100, 2.0, 0.0);
        about(course.wall, 200.0);
        assert_eq!((course.answered, course.again), (100, 0));
    }

    #[test]
    fn tasks_shorter_than_the_engine_can_hand_out_wait_for_the_engine() {
        let course = run(&perfect(10_000), 50_000, 0.1, 0.0);
        about(course.wall, 50.0);
        about(course.engine, 1.0);
    }

    #[test]
    fn a_slow_judge_keeps_everybody_waiting_and_two_half_as_long() {
        about(run(&perfect(1000), 2000, 0.1, 0.1).wall, 200.0);
        let two = Cluster { judges: 2, ..perfect(1000) };
        about(run(&two, 2000, 0.1, 0.1).wall, 100.0);
    }

    #[test]
    fn what_dead_cores_held_is_done_by_others() {
        let mortal = Cluster { lifetime: 50.0, lease: 5.0, repair: 1.0, ..perfect(20) };
        let course = run(&mortal, 1000, 10.0, 0.0);
        assert_eq!(course.answered, 1000);
        assert!(course.again > 100, "{course:?}");
        assert!(course.wall > 550.0, "{course:?}");
        about(course.useful, 10_000.0);
    }

    #[test]
    fn a_hunt_ends_with_the_first_find() {
        let mut tries = 0;
        let draw = Box::new(|_: &mut Rng| {
            tries += 1;
            (10.0, tries == 25)
        });
        let mut work = Work { tasks: None, judge: 0.0, draw };
        let course = simulate(&perfect(10), &mut work, &mut Rng::seed_from_u64(1));
        about(course.wall, 30.0);
        assert_eq!(course.answered, 25);
    }
}
