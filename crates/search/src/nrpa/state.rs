//! The searches under way, as data.
//!
//! A game is its lines in the order drawn; what adaptation needs to know about it is worked out
//! again by replaying them. The weights of all policies are listed along one table of lines.

use rules::{Engine, LegalSpan, PolicyRollout};
use serde::{Deserialize, Serialize};

use super::playout::{PlayedGame, Player};
use super::policy::Policy;
use super::{Candidate, NestedSearch, NrpaRun};
use crate::StateError;
use crate::notation::LineList;
use crate::state::in_range;

/// The most weights that are read, in all policies together: they take 8 bytes each.
const MAX_WEIGHTS: usize = 1 << 26;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NrpaState {
    /// The lines that have a weight in some policy, sorted.
    lines: LineList,
    /// From the highest level down.
    nested: Vec<NestedState>,
    played: u64,
    found: Option<LineList>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NestedState {
    iterations: u64,
    repeats: u64,
    waiting: Vec<CandidateState>,
    next: Vec<CandidateState>,
    /// The index in `next` of the game that was the best before this iteration.
    before: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CandidateState {
    game: LineList,
    /// In the order of the table; those missing at its end are 0.
    weights: Vec<f32>,
}

impl<E: Engine> NrpaRun<E> {
    pub(super) fn saved(&self) -> NrpaState {
        let all =
            || self.nested.iter().flat_map(|nested| nested.waiting.iter().chain(&nested.next));
        let most = all().map(|candidate| candidate.policy.line_count()).max().unwrap_or(0);
        let has_weight = |&line: &u32| all().any(|candidate| candidate.policy.weight(line) != 0.0);
        let mut table: Vec<u32> = (0..most as u32).filter(has_weight).collect();
        table.sort_unstable_by_key(|&line| self.player.line(line));
        let candidate = |candidate: &Candidate| {
            let weights = table.iter().map(|&line| candidate.policy.weight(line)).collect();
            CandidateState { game: self.player.lines_of(&candidate.game), weights }
        };
        let nested = |nested: &NestedSearch| NestedState {
            iterations: nested.iterations,
            repeats: nested.repeats,
            waiting: nested.waiting.iter().map(candidate).collect(),
            next: nested.next.iter().map(candidate).collect(),
            before: nested.before.map(|before| {
                let place =
                    nested.next.iter().position(|candidate| candidate.game.hash() == before);
                place.expect("one that no longer waits is among those found")
            }),
        };
        NrpaState {
            lines: self.player.lines(table.iter().copied()),
            nested: self.nested.iter().map(nested).collect(),
            played: self.played,
            found: self.found.map(|_| self.player.lines(self.player.line_ids_set_aside())),
        }
    }

    pub(super) fn restore_searches(&mut self, saved: &NrpaState) -> Result<(), StateError> {
        let table = self.player.intern_lines(&saved.lines.0).ok_or(StateError::Lines)?;
        let levels = saved.nested.len() as u64;
        in_range(levels <= self.settings.level, "number of levels")?;
        let candidate: usize =
            saved.nested.iter().map(|nested| nested.waiting.len() + nested.next.len()).sum();
        let lines = self.player.line_count();
        in_range(candidate.saturating_mul(lines) <= MAX_WEIGHTS, "number of policies")?;
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

    fn nested_of(
        &mut self,
        saved: &NestedState,
        table: &[u32],
    ) -> Result<NestedSearch, StateError> {
        let settings = self.settings;
        in_range(saved.iterations < settings.iterations, "number of iterations")?;
        in_range(saved.repeats <= saved.iterations, "number of repeats")?;
        in_range((1..=settings.beam).contains(&saved.waiting.len()), "size of a beam")?;
        in_range(saved.before.is_some() != saved.next.is_empty(), "number of games found")?;
        in_range(settings.beam > 1 || saved.next.is_empty(), "number of games found")?;
        let lines = self.player.line_count();
        let mut candidate = |saved: &CandidateState| -> Result<Candidate, StateError> {
            in_range(saved.weights.len() <= table.len(), "number of weights")?;
            let weights = table.iter().copied().zip(saved.weights.iter().copied());
            let policy = Policy::from_weights(lines, weights)
                .ok_or(StateError::Range("weight of a line"))?;
            Ok(Candidate { game: self.player.retraced(&saved.game)?, policy })
        };
        let waiting = saved.waiting.iter().map(&mut candidate).collect::<Result<_, _>>()?;
        let next = saved.next.iter().map(candidate).collect::<Result<Vec<_>, _>>()?;
        let before = match saved.before {
            Some(place) => {
                let candidate = next.get(place).ok_or(StateError::Range("place of a game"))?;
                Some(candidate.game.hash())
            }
            None => None,
        };
        Ok(NestedSearch {
            iterations: saved.iterations,
            repeats: saved.repeats,
            waiting,
            next,
            before,
        })
    }
}

impl<R: PolicyRollout> Player<R> {
    /// The lines of a game in the order drawn.
    fn lines_of(&self, game: &PlayedGame) -> LineList {
        let mut played: Vec<&LegalSpan> = game.spans.iter().filter(|span| span.played).collect();
        played.sort_unstable_by_key(|span| span.to);
        self.lines(played.into_iter().map(|span| span.line))
    }

    /// The game that draws these lines.
    fn retraced(&mut self, lines: &LineList) -> Result<PlayedGame, StateError> {
        self.replay(&lines.0).ok_or(StateError::Undrawable)
    }

    fn lines(&self, numbers: impl Iterator<Item = u32>) -> LineList {
        LineList(numbers.map(|number| self.line(number)).collect())
    }
}
