//! Plans: TOML files that say what is to be done (`docs/reference/plan-file.md`).

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroU32;
use std::time::Duration;

use bound::{Board, BoardError, BoardProblem, FamilyError, Formulation, HullFamily, Octagon};
use geometry::{Game, ParseGameError};
use hunt::{HuntBudget, HuntSpec};
use queue::{Name, QueueOptions};
use record::StartFault;
use search::{MethodError, MethodSpec};
use serde::Deserialize;
use store::RetryLimits;

use super::{Job, MOST_RESULT_BYTES, Work};
use crate::text::{ParseDurationError, parse_duration};

/// A plan, expanded to jobs.
#[derive(Debug, Clone)]
pub struct JobPlan {
    /// Identifies it; depends on its name and its jobs.
    pub id: Name,
    /// Its name, for people.
    pub name: String,
    /// The file.
    pub text: String,
    /// How often a job is retried.
    pub limits: RetryLimits,
    /// What is to be done, each once.
    pub jobs: Vec<Job>,
}

/// Why a text is not a plan.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// Larger than any plan.
    #[error("a plan of more than {} bytes", JobPlan::MOST_BYTES)]
    TooLarge,
    /// Not the TOML expected; the message has the line.
    #[error("{0}")]
    Malformed(String),
    /// Nothing to do.
    #[error("the plan is empty; add a [[hunt]] or a [[proof]]")]
    Empty,
    /// More jobs than an archive takes.
    #[error("more than {} tasks", JobPlan::MOST_JOBS)]
    TooMany,
    /// One of its entries is invalid.
    #[error("{kind} number {number}: {error}")]
    Entry {
        /// `hunt` or `proof`.
        kind: &'static str,
        /// Which, counting from 1.
        number: usize,
        /// What is wrong.
        error: PlanEntryError,
    },
}

/// Why an entry of a plan is invalid.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlanEntryError {
    /// Unknown game.
    #[error(transparent)]
    Game(#[from] ParseGameError),
    /// Invalid start.
    #[error(transparent)]
    Start(#[from] StartFault),
    /// Unknown method or parameter.
    #[error("method `{name}`: {error}")]
    Method {
        /// The method.
        name: String,
        /// Why.
        error: MethodError,
    },
    /// Invalid duration.
    #[error("time: {0}")]
    Time(#[from] ParseDurationError),
    /// A hunt that would never end.
    #[error("it would never end; give playouts, a time or a target")]
    Endless,
    /// A number out of range.
    #[error("{name} must be from {least} to {most}")]
    Range {
        /// Its name.
        name: &'static str,
        /// The least.
        least: u64,
        /// The most.
        most: u64,
    },
    /// Invalid board.
    #[error("board `{name}`: {error}")]
    Board {
        /// Its name.
        name: String,
        /// Why.
        error: BoardError,
    },
    /// No boards, or two ways to list them.
    #[error("give either boards = [...] or octagons = \"maximal\"")]
    Boards,
    /// The game has no family of octagons.
    #[error(transparent)]
    Family(#[from] FamilyError),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<String>,
    /// How often a job may fail, or its result be refused.
    attempts: Option<NonZeroU32>,
    /// How many workers may be lost with it.
    losses: Option<NonZeroU32>,
    #[serde(default)]
    hunt: Vec<HuntEntry>,
    #[serde(default)]
    proof: Vec<ProofEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HuntEntry {
    game: String,
    #[serde(default = "default_start")]
    start: String,
    #[serde(default = "default_method")]
    method: String,
    #[serde(default)]
    parameters: BTreeMap<String, Value>,
    /// The seed of the first hunt; the others follow.
    #[serde(default = "one")]
    seed: u64,
    #[serde(default = "one")]
    repetitions: u64,
    #[serde(default = "one")]
    threads: u64,
    playouts: Option<u64>,
    time: Option<String>,
    target: Option<u64>,
    /// The group of hunts that share their bests.
    share: Option<String>,
}

/// A parameter: TOML has two kinds of numbers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Integer(i64),
    Float(f64),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProofEntry {
    game: String,
    #[serde(default = "default_start")]
    start: String,
    #[serde(default)]
    boards: Vec<String>,
    octagons: Option<Octagons>,
    /// Boards with too few dots for a game of more moves are left out.
    target: Option<u32>,
    model: Option<ModelName>,
    #[serde(default)]
    exact: bool,
    /// At most this many boards.
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Octagons {
    Maximal,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum ModelName {
    Lines,
    Births,
}

/// The longest name of a group of hunts.
const MOST_GROUP_BYTES: usize = 100;

fn default_start() -> String {
    "cross".to_owned()
}

fn default_method() -> String {
    "auto".to_owned()
}

fn one() -> u64 {
    1
}

impl JobPlan {
    /// The most bytes of a file.
    pub const MOST_BYTES: usize = 16 << 20;
    /// The most jobs.
    pub const MOST_JOBS: usize = 1_000_000;

    /// Reads a plan; `name` is its name if the file has none.
    pub fn parse(text: &str, name: &str) -> Result<Self, PlanError> {
        if text.len() > Self::MOST_BYTES {
            return Err(PlanError::TooLarge);
        }
        let file: File = toml::from_str(text).map_err(|error| malformed(&error))?;
        let mut jobs = Vec::new();
        for (number, entry) in (1..).zip(&file.hunt) {
            let invalid = |error| PlanError::Entry { kind: "hunt", number, error };
            entry.expand(&mut jobs).map_err(invalid)?;
            check_count(&jobs)?;
        }
        for (number, entry) in (1..).zip(&file.proof) {
            let invalid = |error| PlanError::Entry { kind: "proof", number, error };
            entry.expand(&mut jobs).map_err(invalid)?;
            check_count(&jobs)?;
        }
        if jobs.is_empty() {
            return Err(PlanError::Empty);
        }
        let default = RetryLimits::default();
        let limits = RetryLimits {
            failures: file.attempts.map_or(default.failures, NonZeroU32::get),
            losses: file.losses.map_or(default.losses, NonZeroU32::get),
        };
        let name = file.name.unwrap_or_else(|| name.to_owned());
        Ok(Self { limits, ..Self::new(&name, text, jobs) })
    }

    /// The plan of these jobs.
    pub fn new(name: &str, text: &str, mut jobs: Vec<Job>) -> Self {
        let mut seen = HashSet::new();
        jobs.retain(|job| seen.insert(job.id().clone()));
        let ids: Vec<&str> = jobs.iter().map(|job| job.id().as_str()).collect();
        let id = evidence::Id::from_text(&format!("{name}\n{}", ids.join("\n")));
        let id = id.as_str()[..32].parse().expect("digits are a name");
        // It is shown to people, within lines of other words.
        let (name, text) = (crate::text::escape(name), text.to_owned());
        Self { id, name, text, limits: RetryLimits::default(), jobs }
    }

    /// Whether some job needs a solver.
    pub fn needs_solver(&self) -> bool {
        self.jobs.iter().any(|job| matches!(job.work(), Work::Board(_)))
    }

    /// The options of a queue for this plan.
    pub fn queue_options(&self, lease: Duration, replicas: usize) -> QueueOptions {
        QueueOptions {
            lease,
            deliveries: self.limits.losses.into(),
            largest_reply: MOST_RESULT_BYTES as u64,
            replicas,
        }
    }
}

/// What the reader of TOML says, in words of a plan.
fn malformed(error: &toml::de::Error) -> PlanError {
    const WORDS: [(&str, &str); 4] = [
        ("expected a nonzero u32", "expected an integer, at least 1"),
        ("expected u64", "expected an integer, at least 0"),
        ("expected u32", "expected an integer, at least 0"),
        ("expected a string", "expected a text in quotes, like \"5T\" or \"10s\""),
    ];
    let mut text = error.to_string().trim_end().to_owned();
    for (standard, words) in WORDS {
        if let Some(start) = text.strip_suffix(standard) {
            text = format!("{start}{words}");
        }
    }
    PlanError::Malformed(text)
}

fn check_count(jobs: &[Job]) -> Result<(), PlanError> {
    match jobs.len() > JobPlan::MOST_JOBS {
        true => Err(PlanError::TooMany),
        false => Ok(()),
    }
}

/// The game with this start.
fn game(rules: &str, start: &str) -> Result<Game, PlanEntryError> {
    let game = Game::named(rules)?;
    let start = record::parse_start_name(start, game.rules)?;
    Ok(Game { start, ..game })
}

fn in_range(name: &'static str, value: u64, most: u64) -> Result<u64, PlanEntryError> {
    match (1..=most).contains(&value) {
        true => Ok(value),
        false => Err(PlanEntryError::Range { name, least: 1, most }),
    }
}

impl HuntEntry {
    fn expand(&self, jobs: &mut Vec<Job>) -> Result<(), PlanEntryError> {
        let game = game(&self.game, &self.start)?;
        let parameters: Vec<(&str, String)> = self
            .parameters
            .iter()
            .map(|(name, value)| match value {
                Value::Integer(number) => (name.as_str(), number.to_string()),
                Value::Float(number) => (name.as_str(), number.to_string()),
            })
            .collect();
        let given = parameters.iter().map(|(name, value)| (*name, value.as_str()));
        let method = MethodSpec::named(&self.method, &game, given);
        let name = || self.method.clone();
        let method = method.map_err(|error| PlanEntryError::Method { name: name(), error })?;
        let time: Option<Duration> = self.time.as_deref().map(parse_duration).transpose()?;
        if self.playouts.is_none() && time.is_none() && self.target.is_none() {
            return Err(PlanEntryError::Endless);
        }
        let most = u64::from(u32::MAX);
        let playouts =
            self.playouts.map(|n| in_range("playouts", n, i64::MAX as u64)).transpose()?;
        let target = self.target.map(|n| in_range("target", n, most)).transpose()?;
        let repetitions = in_range("repetitions", self.repetitions, JobPlan::MOST_JOBS as u64)?;
        let last = self.seed.checked_add(repetitions - 1);
        let last = last.ok_or(PlanEntryError::Range { name: "seed", least: 0, most: u64::MAX })?;
        let hunt = HuntSpec {
            game,
            prefix: Vec::new(),
            method,
            seed: self.seed,
            threads: in_range("threads", self.threads, 1024)? as u32,
            budget: HuntBudget { playouts, time, target: target.map(|target| target as usize) },
        };
        let share = self.share.clone();
        if share.as_ref().is_some_and(|group| group.len() > MOST_GROUP_BYTES) {
            let most = MOST_GROUP_BYTES as u64;
            return Err(PlanEntryError::Range { name: "the length of share", least: 0, most });
        }
        let with = |seed| {
            let hunt = Box::new(HuntSpec { seed, ..hunt.clone() });
            Job::new(Work::Hunt { hunt, share: share.clone() })
        };
        jobs.extend((self.seed..=last).map(with));
        Ok(())
    }
}

impl ProofEntry {
    fn expand(&self, jobs: &mut Vec<Job>) -> Result<(), PlanEntryError> {
        let game = game(&self.game, &self.start)?;
        let mut boards = match (&self.boards[..], &self.octagons) {
            ([], Some(Octagons::Maximal)) => maximal(&game)?,
            ([_, ..], None) => self.named()?,
            _ => return Err(PlanEntryError::Boards),
        };
        if let Some(target) = self.target {
            let dots = target as usize + game.start.dots().len();
            boards.retain(|board| board.size(&game.start) > dots);
        }
        boards.truncate(self.limit.unwrap_or(usize::MAX));
        jobs.extend(boards.into_iter().map(|board| {
            let formulation = match &self.model {
                Some(ModelName::Lines) => Formulation::Lines,
                Some(ModelName::Births) => Formulation::Births,
                None => Formulation::for_board(&board),
            };
            let problem = BoardProblem {
                exact: self.exact,
                ..BoardProblem::new(game.clone(), board, formulation)
            };
            Job::new(Work::Board(Box::new(problem)))
        }));
        Ok(())
    }

    fn named(&self) -> Result<Vec<Board>, PlanEntryError> {
        let parse = |name: &String| {
            let short = || name.chars().take(80).flat_map(char::escape_debug).collect();
            name.parse().map_err(|error| PlanEntryError::Board { name: short(), error })
        };
        self.boards.iter().map(parse).collect()
    }
}

/// The octagons of a game's family that no other contains, the largest first.
fn maximal(game: &Game) -> Result<Vec<Board>, PlanEntryError> {
    let family = HullFamily::new(game)?;
    let mut found: Vec<Octagon> = Vec::new();
    family.for_each_class(|octagon| {
        if family.is_maximal(&octagon) {
            found.push(octagon);
        }
    });
    found.sort_by_key(|octagon| std::cmp::Reverse(octagon.area()));
    Ok(found.into_iter().map(Board::Octagon).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = r#"
name = "evening"
attempts = 5

[[hunt]]
game = "5D"
method = "temper"
parameters = { replicas = 3, near = 0.25 }
seed = 10
repetitions = 3
playouts = 1000
time = "2m"
target = 82

[[hunt]]
game = "4T"
start = "cross:4"
time = "10s"

[[proof]]
game = "5T"
boards = ["square:10", "square:12", "octagon:3,4,3,4,3,4,3,4"]
target = 70
"#;

    #[test]
    fn a_plan_expands_to_the_same_jobs_every_time() {
        let plan = JobPlan::parse(PLAN, "file").expect("a plan");
        assert_eq!((plan.name.as_str(), plan.limits.failures), ("evening", 5));
        let summaries: Vec<String> = plan.jobs.iter().map(Job::summary).collect();
        assert_eq!(summaries[0], "hunt of 5D by temper, seed 10");
        assert_eq!(summaries[2], "hunt of 5D by temper, seed 12");
        assert_eq!(summaries[3], "hunt of 4T from cross:4 by auto, seed 1");
        // A square of 100 dots holds at most 64 moves, so no certificate is needed.
        assert_eq!(summaries[4..], ["bound of 5T on square:12"]);
        assert!(plan.needs_solver());
        let again = JobPlan::parse(&format!("# a note\n{PLAN}"), "other").expect("a plan");
        assert_eq!(again.id, plan.id);
        let ids = |plan: &JobPlan| plan.jobs.iter().map(|job| job.id().clone()).collect::<Vec<_>>();
        assert_eq!(ids(&again), ids(&plan));
        let more =
            JobPlan::parse(&PLAN.replace("repetitions = 3", "repetitions = 4"), "").expect("one");
        assert_ne!(more.id, plan.id);
        assert_eq!(ids(&more)[..3], ids(&plan)[..3]);
    }

    #[test]
    fn the_name_of_a_plan_forges_no_line_of_output() {
        let text = "name = \"a\\nb: 9 of 9 tasks done\\u001b[2J\"\n[[hunt]]\ngame = \"5D\"\n\
                    method = \"random\"\nplayouts = 1\n";
        let plan = JobPlan::parse(text, "plan").expect("a plan");
        assert_eq!(plan.name, "a\\nb: 9 of 9 tasks done\\u{1b}[2J");
    }

    #[test]
    fn an_error_names_its_place() {
        for (from, to, reason) in [
            ("attempts = 5", "atempts = 5", "line 3"),
            ("seed = 10", "seeds = 10", "line 9"),
            ("seed = 10", "seed = -10", "line 9"),
            ("\"5D\"", "\"5X\"", "hunt number 1: unknown game"),
            ("\"temper\"", "\"tempo\"", "hunt number 1: method `tempo`: no such method"),
            ("near = 0.25", "nearly = 0.25", "nearly"),
            ("\"2m\"", "\"2 minutes\"", "hunt number 1: time"),
            ("repetitions = 3", "repetitions = 0", "repetitions must be"),
            ("repetitions = 3", "repetitions = 2000000", "repetitions must be"),
            ("time = \"10s\"", "", "hunt number 2: it would never end"),
            ("cross:4", "square:4", "hunt number 2"),
            ("square:12", "squire:12", "proof number 1: board `squire:12`"),
            ("target = 70", "octagons = \"maximal\"", "proof number 1: give either"),
        ] {
            let text = PLAN.replacen(from, to, 1);
            assert_ne!(text, PLAN);
            let error = JobPlan::parse(&text, "file").expect_err(reason).to_string();
            assert!(error.contains(reason), "{error}: {reason}");
        }
        assert!(matches!(JobPlan::parse("", "file"), Err(PlanError::Empty)));
    }

    #[test]
    fn a_job_that_is_listed_twice_is_done_once() {
        let hunt = "[[hunt]]\ngame = \"5T\"\nplayouts = 5\nrepetitions = 2\n";
        let plan = JobPlan::parse(&format!("{hunt}{hunt}"), "twice").expect("a plan");
        assert_eq!(plan.jobs.len(), 2);
    }
}
