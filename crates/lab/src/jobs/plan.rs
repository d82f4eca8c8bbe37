//! Plans: a TOML file that says what is wanted (`docs/runs.md`).

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use bound::{Board, BoardError, BoardProblem, FamilyError, Formulation, HullFamily, Octagon};
use geometry::{Game, UnknownGame};
use record::StartFault;
use search::{Method, UnknownMethod};
use serde::Deserialize;
use store::Attempts;

use super::{Task, Work};
use crate::text::{BadDuration, parse_duration};
use hunt::Hunt;

/// What is wanted, expanded to tasks.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What tells it from other plans: depends on its name and its tasks.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// The file.
    pub text: String,
    /// How many mishaps a task survives.
    pub attempts: Attempts,
    /// What is to be done, each once.
    pub tasks: Vec<Task>,
}

/// Why a text is no plan.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BadPlan {
    /// Larger than any plan.
    #[error("a plan of more than {} bytes", Plan::MOST_BYTES)]
    TooLarge,
    /// Not the TOML expected; says the line.
    #[error("{0}")]
    Malformed(String),
    /// Nothing to do.
    #[error("there is nothing to do in it: add a [[hunt]] or a [[proof]]")]
    Empty,
    /// More tasks than are kept.
    #[error("more than {} tasks", Plan::MOST_TASKS)]
    TooMany,
    /// One of its entries makes no sense.
    #[error("{kind} number {number}: {fault}")]
    Entry {
        /// `hunt` or `proof`.
        kind: &'static str,
        /// Which, counting from 1.
        number: usize,
        /// What is wrong.
        fault: EntryFault,
    },
}

/// What is wrong with an entry of a plan.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EntryFault {
    /// No such game.
    #[error(transparent)]
    Game(#[from] UnknownGame),
    /// No such start.
    #[error(transparent)]
    Start(#[from] StartFault),
    /// No such method, or not its parameters.
    #[error("method: {0}")]
    Method(#[from] UnknownMethod),
    /// No length of time.
    #[error("time: {0}")]
    Time(#[from] BadDuration),
    /// A hunt that would never end.
    #[error("it would never end: give playouts, a time or a target")]
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
    /// No such board.
    #[error("board `{name}`: {fault}")]
    Board {
        /// Its name.
        name: String,
        /// Why not.
        fault: BoardError,
    },
    /// No boards, or two ways of naming them.
    #[error("name either boards = [...] or octagons = \"maximal\"")]
    Boards,
    /// No family of octagons.
    #[error(transparent)]
    Family(#[from] FamilyError),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<String>,
    /// How often a task may fail, or its result be refused.
    attempts: Option<u32>,
    /// How many workers may vanish with it.
    losses: Option<u32>,
    #[serde(default)]
    hunt: Vec<HuntEntry>,
    #[serde(default)]
    proof: Vec<ProofEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HuntEntry {
    game: String,
    #[serde(default = "usual_start")]
    start: String,
    #[serde(default = "usual_method")]
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
    /// The group of hunts that tell each other their bests.
    share: Option<String>,
}

/// A parameter, as TOML has numbers.
#[derive(Deserialize)]
#[serde(untagged)]
enum Value {
    Whole(i64),
    Real(f64),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProofEntry {
    game: String,
    #[serde(default = "usual_start")]
    start: String,
    #[serde(default)]
    boards: Vec<String>,
    octagons: Option<Octagons>,
    /// Boards with so few dots that no game on them has more moves are left out.
    target: Option<u32>,
    model: Option<ModelName>,
    #[serde(default)]
    exact: bool,
    /// Only so many of the boards.
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

fn usual_start() -> String {
    "cross".to_owned()
}

fn usual_method() -> String {
    "auto".to_owned()
}

fn one() -> u64 {
    1
}

impl Plan {
    /// The most bytes of a file.
    pub const MOST_BYTES: usize = 16 << 20;
    /// The most tasks.
    pub const MOST_TASKS: usize = 1_000_000;

    /// Reads a plan; `name` is what it is called if it does not say.
    pub fn read(text: &str, name: &str) -> Result<Self, BadPlan> {
        if text.len() > Self::MOST_BYTES {
            return Err(BadPlan::TooLarge);
        }
        let file: File = toml::from_str(text)
            .map_err(|error| BadPlan::Malformed(error.to_string().trim_end().to_owned()))?;
        let mut tasks = Vec::new();
        for (number, entry) in (1..).zip(&file.hunt) {
            let fault = |fault| BadPlan::Entry { kind: "hunt", number, fault };
            entry.expand(&mut tasks).map_err(fault)?;
            too_many(&tasks)?;
        }
        for (number, entry) in (1..).zip(&file.proof) {
            let fault = |fault| BadPlan::Entry { kind: "proof", number, fault };
            entry.expand(&mut tasks).map_err(fault)?;
            too_many(&tasks)?;
        }
        if tasks.is_empty() {
            return Err(BadPlan::Empty);
        }
        let usual = Attempts::default();
        let attempts = Attempts {
            failures: file.attempts.unwrap_or(usual.failures).max(1),
            losses: file.losses.unwrap_or(usual.losses).max(1),
        };
        let name = file.name.unwrap_or_else(|| name.to_owned());
        Ok(Self { attempts, ..Self::of_tasks(&name, text, tasks) })
    }

    /// The plan of these tasks.
    pub fn of_tasks(name: &str, text: &str, mut tasks: Vec<Task>) -> Self {
        let mut seen = HashSet::new();
        tasks.retain(|task| seen.insert(task.id().to_owned()));
        let ids: Vec<&str> = tasks.iter().map(Task::id).collect();
        let mut id = evidence::Id::of_text(&format!("{name}\n{}", ids.join("\n"))).to_string();
        id.truncate(32);
        let (name, text) = (name.to_owned(), text.to_owned());
        Self { id, name, text, attempts: Attempts::default(), tasks }
    }

    /// Whether some task needs a solver.
    pub fn needs_solver(&self) -> bool {
        self.tasks.iter().any(|task| matches!(task.work(), Work::Board(_)))
    }
}

fn too_many(tasks: &[Task]) -> Result<(), BadPlan> {
    match tasks.len() > Plan::MOST_TASKS {
        true => Err(BadPlan::TooMany),
        false => Ok(()),
    }
}

/// The game of these names.
fn game(rules: &str, start: &str) -> Result<Game, EntryFault> {
    let game = Game::named(rules)?;
    let start = record::parse_start_name(start, game.rules)?;
    Ok(Game { start, ..game })
}

fn in_range(name: &'static str, value: u64, most: u64) -> Result<u64, EntryFault> {
    match (1..=most).contains(&value) {
        true => Ok(value),
        false => Err(EntryFault::Range { name, least: 1, most }),
    }
}

impl HuntEntry {
    fn expand(&self, tasks: &mut Vec<Task>) -> Result<(), EntryFault> {
        let game = game(&self.game, &self.start)?;
        let parameters: Vec<(&str, String)> = self
            .parameters
            .iter()
            .map(|(name, value)| match value {
                Value::Whole(number) => (name.as_str(), number.to_string()),
                Value::Real(number) => (name.as_str(), number.to_string()),
            })
            .collect();
        let given = parameters.iter().map(|(name, value)| (*name, value.as_str()));
        let method = Method::named(&self.method, &game, given)?;
        let time: Option<Duration> = self.time.as_deref().map(parse_duration).transpose()?;
        if self.playouts.is_none() && time.is_none() && self.target.is_none() {
            return Err(EntryFault::Endless);
        }
        let most = u64::from(u32::MAX);
        let playouts =
            self.playouts.map(|n| in_range("playouts", n, i64::MAX as u64)).transpose()?;
        let target = self.target.map(|n| in_range("target", n, most)).transpose()?;
        let repetitions = in_range("repetitions", self.repetitions, Plan::MOST_TASKS as u64)?;
        let last = self.seed.checked_add(repetitions - 1);
        let last = last.ok_or(EntryFault::Range { name: "seed", least: 0, most: u64::MAX })?;
        let hunt = Hunt {
            game,
            from: Vec::new(),
            method,
            seed: self.seed,
            threads: in_range("threads", self.threads, 1024)? as u32,
            playouts,
            time,
            target: target.map(|target| target as usize),
        };
        let share = self.share.clone();
        if share.as_ref().is_some_and(|group| group.len() > MOST_GROUP_BYTES) {
            let most = MOST_GROUP_BYTES as u64;
            return Err(EntryFault::Range { name: "the length of share", least: 0, most });
        }
        let with = |seed| {
            let hunt = Box::new(Hunt { seed, ..hunt.clone() });
            Task::new(Work::Hunt { hunt, share: share.clone() })
        };
        tasks.extend((self.seed..=last).map(with));
        Ok(())
    }
}

impl ProofEntry {
    fn expand(&self, tasks: &mut Vec<Task>) -> Result<(), EntryFault> {
        let game = game(&self.game, &self.start)?;
        let mut boards = match (&self.boards[..], &self.octagons) {
            ([], Some(Octagons::Maximal)) => maximal(&game)?,
            ([_, ..], None) => self.named()?,
            _ => return Err(EntryFault::Boards),
        };
        if let Some(target) = self.target {
            let dots = target as usize + game.start.dots().len();
            boards.retain(|board| board.size(&game.start) > dots);
        }
        boards.truncate(self.limit.unwrap_or(usize::MAX));
        tasks.extend(boards.into_iter().map(|board| {
            let formulation = match &self.model {
                Some(ModelName::Lines) => Formulation::Lines,
                Some(ModelName::Births) => Formulation::Births,
                None => Formulation::for_board(&board),
            };
            let task = BoardProblem {
                exact: self.exact,
                ..BoardProblem::new(game.clone(), board, formulation)
            };
            Task::new(Work::Board(Box::new(task)))
        }));
        Ok(())
    }

    fn named(&self) -> Result<Vec<Board>, EntryFault> {
        let parse = |name: &String| {
            let short = || name.chars().take(80).flat_map(char::escape_debug).collect();
            name.parse().map_err(|fault| EntryFault::Board { name: short(), fault })
        };
        self.boards.iter().map(parse).collect()
    }
}

/// The octagons of a game's family that no other one holds, the largest first.
fn maximal(game: &Game) -> Result<Vec<Board>, EntryFault> {
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
    fn a_plan_expands_to_tasks_that_stay_the_same() {
        let plan = Plan::read(PLAN, "file").expect("a plan");
        assert_eq!((plan.name.as_str(), plan.attempts.failures), ("evening", 5));
        let summaries: Vec<String> = plan.tasks.iter().map(Task::summary).collect();
        assert_eq!(summaries[0], "hunt of 5D by temper, seed 10");
        assert_eq!(summaries[2], "hunt of 5D by temper, seed 12");
        assert_eq!(summaries[3], "hunt of 4T from cross:4 by auto, seed 1");
        // A square of 100 dots holds no more than 64 moves, and so no certificate is needed.
        assert_eq!(summaries[4..], ["bound of 5T on square:12"]);
        assert!(plan.needs_solver());
        let again = Plan::read(&format!("# a note\n{PLAN}"), "other").expect("a plan");
        assert_eq!(again.id, plan.id);
        let ids = |plan: &Plan| plan.tasks.iter().map(|t| t.id().to_owned()).collect::<Vec<_>>();
        assert_eq!(ids(&again), ids(&plan));
        let more =
            Plan::read(&PLAN.replace("repetitions = 3", "repetitions = 4"), "").expect("one");
        assert_ne!(more.id, plan.id);
        assert_eq!(ids(&more)[..3], ids(&plan)[..3]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (from, to, told) in [
            ("attempts = 5", "atempts = 5", "line 3"),
            ("seed = 10", "seeds = 10", "line 9"),
            ("seed = 10", "seed = -10", "line 9"),
            ("\"5D\"", "\"5X\"", "hunt number 1: unknown game"),
            ("\"temper\"", "\"tempo\"", "hunt number 1: method: no such method"),
            ("near = 0.25", "nearly = 0.25", "nearly"),
            ("\"2m\"", "\"2 minutes\"", "hunt number 1: time"),
            ("repetitions = 3", "repetitions = 0", "repetitions must be"),
            ("repetitions = 3", "repetitions = 2000000", "repetitions must be"),
            ("time = \"10s\"", "", "hunt number 2: it would never end"),
            ("cross:4", "square:4", "hunt number 2"),
            ("square:12", "squire:12", "proof number 1: board `squire:12`"),
            ("target = 70", "octagons = \"maximal\"", "proof number 1: name either"),
        ] {
            let text = PLAN.replacen(from, to, 1);
            assert_ne!(text, PLAN);
            let no = Plan::read(&text, "file").expect_err(told).to_string();
            assert!(no.contains(told), "{no}: {told}");
        }
        assert!(matches!(Plan::read("", "file"), Err(BadPlan::Empty)));
    }

    #[test]
    fn tasks_that_are_named_twice_are_done_once() {
        let hunt = "[[hunt]]\ngame = \"5T\"\nplayouts = 5\nrepetitions = 2\n";
        let plan = Plan::read(&format!("{hunt}{hunt}"), "twice").expect("a plan");
        assert_eq!(plan.tasks.len(), 2);
    }
}
