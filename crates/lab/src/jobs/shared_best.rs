//! What the hunts of one group share: results before their end (`morpion-result/1`).
//!
//! A hunt publishes its best game as soon as it has one, so that it is stored whatever happens to
//! its worker, and reads how long the best of all is: when that reaches the target, it ends.
//! Anybody may publish anything; readers verify it.

use geometry::Game;
use queue::Name;
use record::Record;

use super::result::{JobResult, verified_score};
use super::{Job, Work};

/// The key under which the hunts of a group, of one game, publish: 32 hexadecimal digits.
pub(super) fn key(job: &Job) -> Option<Name> {
    let Work::Hunt { hunt, share: Some(group) } = job.work() else { return None };
    let key = evidence::Id::from_text(&format!("{group}\n{}", evidence::game_key(&hunt.game)));
    Some(key.as_str()[..32].parse().expect("digits are a name"))
}

/// A game before the end of its hunt, as it is published.
pub(super) fn message(job: &Job, best: &Record) -> Vec<u8> {
    let mut result = JobResult::new(job, 0.0);
    result.playouts = best.provenance.playouts;
    result.game = Some(best.to_json());
    result.to_bytes()
}

/// How long a published game is; 0 if it is not a legal one of this game.
pub(super) fn score(bytes: &[u8], game: &Game) -> u32 {
    verified_score(bytes, game).unwrap_or(0)
}
