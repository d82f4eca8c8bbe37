//! What hunts of one group tell each other: results before their end (`morpion-result/1`).
//!
//! A hunt tells its best game as soon as it has one, so that it is kept whatever becomes of its worker, and hears how long
//! the best of all is: when that reaches its target, it need not go on. Anybody may tell anything;
//! who hears it asks the judge.

use geometry::Game;
use record::Record;

use super::result::{TaskResult, judged_score};
use super::{Task, Work};

/// Where the hunts of a group, of one game, tell each other their bests: 32 hexadecimal digits.
pub(super) fn key(task: &Task) -> Option<String> {
    let Work::Hunt { hunt, share: Some(group) } = task.work() else { return None };
    let key = evidence::Id::of_text(&format!("{group}\n{}", evidence::game_key(&hunt.game)));
    let mut key = key.to_string();
    key.truncate(32);
    Some(key)
}

/// A game in the hands of its finder, as it is told.
pub(super) fn told(task: &Task, best: &Record) -> Vec<u8> {
    let mut result = TaskResult::new(task, 0.0);
    result.playouts = best.provenance.playouts;
    result.game = Some(best.to_json());
    result.to_bytes()
}

/// How long a game is that somebody told; 0 if it is none of this game.
pub(super) fn score(bytes: &[u8], game: &Game) -> u32 {
    judged_score(bytes, game).unwrap_or(0)
}
