//! Searches: the result of one, and hunts in progress.

use std::collections::BTreeMap;
use std::time::Duration;

use api::view::native;
use hunt::{HuntResult, HuntSpec};
use serde::Serialize;
use serde_json::Value;

use crate::best_file::BestFileUpdate;
use crate::records::{self, RecordView};

/// The result of a search.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchView {
    /// The number of moves.
    pub score: u32,
    /// The number of legal moves that remain.
    pub left: u64,
    /// The rules, like `5T`.
    pub game: String,
    /// The start, like `cross`.
    pub start: String,
    /// The method.
    pub method: &'static str,
    /// Its parameters.
    pub parameters: BTreeMap<&'static str, f64>,
    /// The random seed.
    pub seed: u64,
    /// The number of threads.
    pub threads: u32,
    /// The number of playouts.
    pub playouts: u64,
    /// The CPU time.
    pub cpu_seconds: f64,
    /// The elapsed time.
    pub wall_seconds: f64,
    /// Always true: only verified games are results.
    pub verified: bool,
    /// The file for the best game.
    pub out: Option<String>,
    /// The checkpoint of the search.
    pub state: Option<String>,
    /// Whether it was resumed from there.
    pub resumed: bool,
    /// The length of the game that `out` already held, if it is as long or longer.
    pub kept: Option<usize>,
    /// The length at which the search was to stop.
    pub target: Option<usize>,
    /// Whether it was reached, if there is a target.
    pub reached: Option<bool>,
    /// The longest published game.
    pub record: Option<RecordView>,
    /// The game in the native format, if it was not saved.
    pub native: Option<Value>,
}

impl SearchView {
    /// What a hunt found; `saved` says what became of it if there is a file for the best game.
    #[must_use]
    pub fn new(spec: &HuntSpec, found: &HuntResult, saved: Option<BestFileUpdate>) -> Self {
        let seconds = |time: Duration| (time.as_secs_f64() * 1000.0).round() / 1000.0;
        let game = &found.game;
        Self {
            score: game.score(),
            left: game.remaining_moves(),
            game: game.verified().rules().to_string(),
            start: game.verified().start().to_string(),
            method: spec.method.info().name,
            parameters: spec.method.values().iter().collect(),
            seed: spec.seed,
            threads: spec.threads,
            playouts: found.playouts,
            cpu_seconds: seconds(found.cpu),
            wall_seconds: seconds(found.wall),
            verified: true,
            out: None,
            state: None,
            resumed: false,
            kept: match saved {
                Some(BestFileUpdate::Kept(score)) => Some(score),
                _ => None,
            },
            target: spec.budget.target,
            reached: spec.budget.target.map(|target| game.score() as usize >= target),
            record: records::record(&spec.game),
            native: match saved {
                Some(BestFileUpdate::Written) => None,
                _ => native(game.record()),
            },
        }
    }
}

/// One of several searches with different seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchRunView {
    /// The random seed.
    pub seed: u64,
    /// The number of moves.
    pub score: u32,
    /// The number of playouts.
    pub playouts: u64,
    /// The CPU time.
    pub cpu_seconds: f64,
    /// The elapsed time.
    pub wall_seconds: f64,
}

impl SearchRunView {
    /// What one search found.
    #[must_use]
    pub fn new(spec: &HuntSpec, found: &HuntResult) -> Self {
        Self {
            seed: spec.seed,
            score: found.game.score(),
            playouts: found.playouts,
            cpu_seconds: found.cpu.as_secs_f64(),
            wall_seconds: found.wall.as_secs_f64(),
        }
    }
}

/// The results of several searches with different seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchRunsView {
    /// The game.
    pub game: String,
    /// The method.
    pub method: &'static str,
    /// Each search.
    pub runs: Vec<SearchRunView>,
    /// The longest game.
    pub best: Option<u32>,
    /// The mean length.
    pub mean: Option<f64>,
    /// The standard error of the mean, from two searches on.
    pub error: Option<f64>,
    /// The target, if one was given.
    pub target: Option<usize>,
    /// How many searches reached it.
    pub reached: Option<usize>,
    /// The file for the best game.
    pub out: Option<String>,
    /// The longest published game.
    pub record: Option<RecordView>,
}

impl SearchRunsView {
    /// Sums up the searches.
    #[must_use]
    pub fn new(spec: &HuntSpec, runs: Vec<SearchRunView>) -> Self {
        let scores: Vec<f64> = runs.iter().map(|run| f64::from(run.score)).collect();
        let n = scores.len() as f64;
        let mean = (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / n);
        let error = mean.filter(|_| scores.len() > 1).map(|mean| {
            let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
            (squares / (n - 1.0) / n).sqrt()
        });
        let target = spec.budget.target;
        let reached = |target| runs.iter().filter(|run| run.score as usize >= target).count();
        Self {
            game: spec.game.to_string(),
            method: spec.method.info().name,
            best: runs.iter().map(|run| run.score).max(),
            mean,
            error,
            target,
            reached: target.map(reached),
            out: None,
            record: records::record(&spec.game),
            runs,
        }
    }
}

/// The state of a hunt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum HuntStatus {
    /// In progress.
    Running,
    /// Stopped on request; it can be resumed.
    Stopped,
    /// It reached its budget or target.
    Done,
    /// It failed.
    Failed,
}

/// A hunt on a server.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HuntView {
    /// Its id.
    pub id: u64,
    /// Grows with every change.
    pub version: u64,
    /// Its state.
    pub status: HuntStatus,
    /// The name of the game.
    pub game: String,
    /// The method requested.
    pub method: &'static str,
    /// The method that does the work, if `method` chose one.
    pub behind: &'static str,
    /// Its parameters.
    pub parameters: BTreeMap<&'static str, f64>,
    /// What `playouts` counts.
    pub playout: &'static str,
    /// The random seed.
    pub seed: u64,
    /// The number of threads.
    pub threads: u32,
    /// The number of first moves given.
    pub from: usize,
    /// The time limit, in seconds.
    pub time: Option<f64>,
    /// The length of the best game.
    pub best: usize,
    /// Legal moves remaining at the end of the best game; known when the hunt is done.
    pub left: Option<u64>,
    /// The number of playouts.
    pub playouts: u64,
    /// Time spent, in seconds.
    pub seconds: f64,
    /// The score and id of the last game added to the archive.
    pub kept: Option<(usize, String)>,
    /// Whether it is saved on disk, so that another server can resume it.
    pub lasts: bool,
    /// Why it failed, or could not be saved.
    pub reason: Option<String>,
    /// The best game in the native format; only in some messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<Value>,
    /// Improvements, as seconds and moves; only in some messages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<Vec<(f64, usize)>>,
}

impl HuntView {
    /// A hunt that starts now.
    #[must_use]
    pub fn new(id: u64, spec: &HuntSpec) -> Self {
        Self {
            id,
            version: 1,
            status: HuntStatus::Running,
            game: spec.game.to_string(),
            method: spec.method.info().name,
            behind: spec.method.resolved().name,
            parameters: spec.method.values().iter().collect(),
            playout: spec.method.info().playout,
            seed: spec.seed,
            threads: spec.threads,
            from: spec.prefix.len(),
            time: spec.budget.time.map(|time| time.as_secs_f64()),
            best: spec.prefix.len(),
            left: None,
            playouts: 0,
            seconds: 0.0,
            kept: None,
            lasts: false,
            reason: None,
            record: None,
            history: None,
        }
    }
}

/// The id of a hunt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HuntIdView {
    /// The id.
    pub id: u64,
}
