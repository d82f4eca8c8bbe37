//! The searches under way, as data.
//!
//! A game is its lines in the order drawn; what adaptation needs to know of it is found again by
//! drawing them. The weights of all policies are listed along one table of lines.

use rules::{LegalSpan, PolicyRollout};
use serde::{Deserialize, Serialize};

use super::playout::{Game, Player};
use super::policy::Policy;
use super::{Kept, Nested, Search};
use crate::BadState;
use crate::notation::Lines;
use crate::state::in_range;

/// The most weights that are read, in all policies together: they take 8 bytes each.
const MOST_WEIGHTS: usize = 1 << 26;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Saved {
    /// The lines that have a weight in some policy, sorted.
    lines: Lines,
    /// From the highest level down.
    nested: Vec<SavedNested>,
    played: u64,
    found: Option<Lines>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedNested {
    iterations: u64,
    repeats: u64,
    waiting: Vec<SavedKept>,
    next: Vec<SavedKept>,
    /// Which of `next` has the game that was the best before this iteration.
    before: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedKept {
    game: Lines,
    /// In the order of the table; those that are missing at its end are 0.
    weights: Vec<f32>,
}

impl<R: PolicyRollout> Search<'_, R> {
    pub(super) fn saved(&self) -> Saved {
        let all =
            || self.nested.iter().flat_map(|nested| nested.waiting.iter().chain(&nested.next));
        let most = all().map(|kept| kept.policy.lines()).max().unwrap_or(0);
        let has_weight = |&line: &u32| all().any(|kept| kept.policy.weight(line) != 0.0);
        let mut table: Vec<u32> = (0..most as u32).filter(has_weight).collect();
        table.sort_unstable_by_key(|&line| self.player.line(line));
        let kept = |kept: &Kept| {
            let weights = table.iter().map(|&line| kept.policy.weight(line)).collect();
            SavedKept { game: self.player.drawn(&kept.game), weights }
        };
        let nested = |nested: &Nested| SavedNested {
            iterations: nested.iterations,
            repeats: nested.repeats,
            waiting: nested.waiting.iter().map(kept).collect(),
            next: nested.next.iter().map(kept).collect(),
            before: nested.before.map(|before| {
                let place = nested.next.iter().position(|kept| kept.game.hash() == before);
                place.expect("one that waits no more is among those found")
            }),
        };
        Saved {
            lines: self.player.lines(table.iter().copied()),
            nested: self.nested.iter().map(nested).collect(),
            played: self.played,
            found: self.found.map(|_| self.player.lines(self.player.drawn_aside())),
        }
    }

    pub(super) fn take_up(&mut self, saved: &Saved) -> Result<(), BadState> {
        let table = self.player.intern_lines(&saved.lines.0).ok_or(BadState::Lines)?;
        let levels = saved.nested.len() as u64;
        in_range(levels <= self.settings.level, "number of levels")?;
        let kept: usize =
            saved.nested.iter().map(|nested| nested.waiting.len() + nested.next.len()).sum();
        let lines = self.player.line_count();
        in_range(kept.saturating_mul(lines) <= MOST_WEIGHTS, "number of policies")?;
        for nested in &saved.nested {
            let nested = self.nested_of(nested, &table)?;
            self.nested.push(nested);
        }
        in_range(saved.played < self.settings.playouts, "number of games played")?;
        let begun = saved.played > 0;
        let found = saved.found.is_some() && levels == self.settings.level;
        in_range(if begun { found } else { saved.found.is_none() }, "number of games played")?;
        self.played = saved.played;
        if let Some(game) = &saved.found {
            self.found = Some(self.player.retraced(game)?.score());
            self.player.set_aside();
        }
        Ok(())
    }

    fn nested_of(&mut self, saved: &SavedNested, table: &[u32]) -> Result<Nested, BadState> {
        let settings = self.settings;
        in_range(saved.iterations < settings.iterations, "number of iterations")?;
        in_range(saved.repeats <= saved.iterations, "number of repeats")?;
        in_range((1..=settings.beam).contains(&saved.waiting.len()), "size of a beam")?;
        in_range(saved.before.is_some() != saved.next.is_empty(), "number of games found")?;
        in_range(settings.beam > 1 || saved.next.is_empty(), "number of games found")?;
        let lines = self.player.line_count();
        let mut kept = |saved: &SavedKept| -> Result<Kept, BadState> {
            in_range(saved.weights.len() <= table.len(), "number of weights")?;
            let weights = table.iter().copied().zip(saved.weights.iter().copied());
            let policy = Policy::of(lines, weights).ok_or(BadState::Range("weight of a line"))?;
            Ok(Kept { game: self.player.retraced(&saved.game)?, policy })
        };
        let waiting = saved.waiting.iter().map(&mut kept).collect::<Result<_, _>>()?;
        let next = saved.next.iter().map(kept).collect::<Result<Vec<_>, _>>()?;
        let before = match saved.before {
            Some(place) => {
                let kept = next.get(place).ok_or(BadState::Range("place of a game"))?;
                Some(kept.game.hash())
            }
            None => None,
        };
        Ok(Nested { iterations: saved.iterations, repeats: saved.repeats, waiting, next, before })
    }
}

impl<R: PolicyRollout> Player<R> {
    /// The lines of a game in the order drawn.
    fn drawn(&self, game: &Game) -> Lines {
        let mut played: Vec<&LegalSpan> =
            game.legal_spans.iter().filter(|span| span.played).collect();
        played.sort_unstable_by_key(|span| span.to);
        self.lines(played.into_iter().map(|span| span.line))
    }

    /// The game that draws these lines.
    fn retraced(&mut self, lines: &Lines) -> Result<Game, BadState> {
        self.replay(&lines.0).ok_or(BadState::Undrawable)
    }

    fn lines(&self, numbers: impl Iterator<Item = u32>) -> Lines {
        Lines(numbers.map(|number| self.line(number)).collect())
    }
}
