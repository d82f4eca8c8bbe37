//! One game that is repeatedly ruined and recreated.

use geometry::{Move, Point, play_order};
use rules::{LineBoard, LineSet as _};
use serde::{Deserialize, Serialize};

use super::Temper;
use super::dependants::{Dependants, DrawnLine};
use crate::notation::LineList;
use crate::random::{below, unit};
use crate::state::in_range;
use crate::{BudgetMeter, MoveList, Rng, StateError};

#[derive(Debug, Clone)]
pub(super) struct Replica<L: LineBoard> {
    board: L,
    /// The board before the current proposal.
    before: L,
    max_lines: usize,
    /// The drawn lines in a legal order.
    lines: Vec<DrawnLine>,
    /// By id of a drawn line: the offset of its new dot.
    new_dots: Vec<u8>,
    dependants: Dependants,
    buffers: Buffers<L>,
}

/// Buffers that proposals reuse.
#[derive(Debug, Clone)]
struct Buffers<L: LineBoard> {
    /// The indices of the chosen lines.
    chosen: Vec<usize>,
    /// The lines erased: the chosen ones and those lost with them.
    erased: Vec<DrawnLine>,
    /// The lost lines without the chosen ones.
    lost: L::LineSet,
    /// Lost lines that were legal again when they were added.
    back: Vec<u32>,
    legal: Vec<u32>,
    added: Vec<DrawnLine>,
}

impl<L: LineBoard> Replica<L> {
    /// A random finished game.
    ///
    /// Games are cut at `max_lines` lines, and when the time is over.
    pub(super) fn new(
        board: &L,
        max_lines: usize,
        meter: &mut BudgetMeter<'_>,
        rng: &mut Rng,
    ) -> Self {
        let mut replica = Self::empty(board, max_lines);
        replica.complete(false, meter, rng);
        replica.accept();
        replica
    }

    /// The board without lines.
    fn empty(board: &L, max_lines: usize) -> Self {
        Self {
            board: board.clone(),
            before: board.clone(),
            max_lines,
            lines: Vec::new(),
            new_dots: Vec::new(),
            dependants: Dependants::default(),
            buffers: Buffers {
                chosen: Vec::new(),
                erased: Vec::new(),
                lost: L::LineSet::default(),
                back: Vec::new(),
                legal: Vec::new(),
                added: Vec::new(),
            },
        }
    }

    pub(super) fn score(&self) -> usize {
        self.lines.len()
    }

    /// The game in a legal order, after the moves `prefix` that it began with.
    pub(super) fn moves(&self, prefix: &[Move]) -> Vec<Move> {
        let mv = |&(id, new): &DrawnLine| Move::new(self.board.line(id), new);
        let order = play_order(self.board.game(), prefix, self.lines.iter().map(mv));
        order.expect("drawn lines have an order")
    }

    /// Makes a proposal, and accepts or rejects it.
    #[inline(never)]
    pub(super) fn propose(
        &mut self,
        settings: &Temper,
        temperature: f64,
        meter: &mut BudgetMeter<'_>,
        rng: &mut Rng,
    ) {
        if self.lines.is_empty() {
            return;
        }
        self.choose(settings, rng);
        let size = self.dependants.find(&self.buffers.chosen);
        let chosen = self.buffers.chosen.len();
        if !settings.allows((size - chosen) as f64, rng) {
            return;
        }
        self.ruin();
        if chosen == 1 && self.board.legal_count() == 1 {
            // Only the same line can take its place, and all that was lost would be drawn again.
            std::mem::swap(&mut self.board, &mut self.before);
            return;
        }
        let hold = chosen == 1 || unit(rng) < settings.hold;
        self.complete(hold, meter, rng);
        let change = self.buffers.added.len() as f64 - size as f64;
        if change >= 0.0 || unit(rng) < (change / temperature).exp() {
            self.accept();
        } else {
            std::mem::swap(&mut self.board, &mut self.before);
        }
    }

    /// Chooses a few distinct lines.
    fn choose(&mut self, settings: &Temper, rng: &mut Rng) {
        let count = 1 + below(rng, settings.chosen);
        let chosen = &mut self.buffers.chosen;
        chosen.clear();
        if settings.near > 0.0 && unit(rng) < settings.near {
            // Lines whose new dots lie within 3 of the first one's, by rejection sampling.
            let dot = |place: usize| -> Point {
                let (id, new) = self.lines[place];
                self.board.line(id).point(usize::from(new))
            };
            let first = below(rng, self.lines.len());
            let centre = dot(first);
            chosen.push(first);
            for _ in 0..8 * count {
                if chosen.len() >= count {
                    break;
                }
                let place = below(rng, self.lines.len());
                let apart = dot(place) - centre;
                if apart.x.abs().max(apart.y.abs()) <= 3 && !chosen.contains(&place) {
                    chosen.push(place);
                }
            }
        } else {
            for _ in 0..count {
                let place = below(rng, self.lines.len());
                if !chosen.contains(&place) {
                    chosen.push(place);
                }
            }
        }
    }

    /// Erases the chosen lines and those that depend on them.
    fn ruin(&mut self) {
        let Self { board, before, lines, dependants, buffers, .. } = self;
        buffers.erased.clear();
        buffers.lost.clear();
        dependants.for_each_found(|place| {
            buffers.erased.push(lines[place]);
            if !buffers.chosen.contains(&place) {
                buffers.lost.insert(lines[place].0);
            }
        });
        before.clone_from(board);
        board.erase_all(&buffers.erased);
    }

    /// Draws lines until none is legal: lost ones first, then random ones.
    ///
    /// If the chosen lines are held back, they are drawn only when nothing else is legal. A lost
    /// line lacks its own dot and another, so none is legal at first; the board reports when that
    /// changes.
    fn complete(&mut self, hold: bool, meter: &mut BudgetMeter<'_>, rng: &mut Rng) {
        let Self { board, max_lines, lines, buffers, .. } = self;
        let Buffers { chosen, erased, lost, back, legal, added } = buffers;
        let most = *max_lines + erased.len() - lines.len();
        let is_chosen = |id: u32| chosen.iter().any(|&place| lines[place].0 == id);
        back.clear();
        added.clear();
        loop {
            let id = loop {
                match back.pop() {
                    Some(id) if board.is_legal(id) => break id,
                    Some(_) => {}
                    None => {
                        legal.clear();
                        board.append_legal(legal);
                        if legal.is_empty() {
                            return;
                        }
                        let held = || legal.iter().filter(|&&id| is_chosen(id)).count();
                        let hold = hold && held() < legal.len();
                        break loop {
                            let id = legal[below(rng, legal.len())];
                            if !hold || !is_chosen(id) {
                                break id;
                            }
                        };
                    }
                }
            };
            let new = board.draw_reporting_among(id, lost, |id| back.push(id));
            added.push((id, new));
            let look = added.len().is_multiple_of(256);
            if added.len() >= most || look && meter.look().is_break() {
                return;
            }
        }
    }

    /// Sets the game to that of the board.
    fn accept(&mut self) {
        let Self { board, lines, new_dots, dependants, buffers, .. } = self;
        // Often the same lines are drawn again.
        let Buffers { chosen, lost, erased, added, .. } = buffers;
        let was_drawn = |&(id, new): &DrawnLine| {
            let was_lost = lost.contains(id) && new_dots[id as usize] == new;
            was_lost || chosen.iter().any(|&place| lines[place] == (id, new))
        };
        if added.len() == erased.len() && added.iter().all(was_drawn) {
            return;
        }
        new_dots.resize(board.line_count(), 0);
        for &(id, new) in &*added {
            new_dots[id as usize] = new;
        }
        let mut erased = erased.iter();
        let mut next = erased.next();
        lines.retain(|line| {
            let keep = next != Some(line);
            if !keep {
                next = erased.next();
            }
            keep
        });
        lines.extend_from_slice(added);
        dependants.set_game(board, lines);
    }
}

/// The saved state of a replica.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReplicaState {
    /// The drawn lines in a legal order.
    lines: MoveList,
    /// The legal lines, in their order: not empty only if the game was cut.
    legal: LineList,
}

impl<L: LineBoard> Replica<L> {
    /// The state, without the moves that the game began with.
    pub(super) fn saved(&self) -> ReplicaState {
        let line = |&(id, new): &DrawnLine| Move::new(self.board.line(id), new);
        let legal = |n| self.board.line(self.board.nth_legal(n));
        ReplicaState {
            lines: MoveList(self.lines.iter().map(line).collect()),
            legal: LineList((0..self.board.legal_count()).map(legal).collect()),
        }
    }

    /// The replica of a state, on the board after the prefix.
    pub(super) fn restored(
        board: &L,
        max_lines: usize,
        saved: &ReplicaState,
    ) -> Result<Self, StateError> {
        let moves = &saved.lines.0;
        in_range(moves.len() <= max_lines, "length of a game")?;
        let mut replica = Self::empty(board, max_lines);
        let Self { board, buffers, .. } = &mut replica;
        for mv in moves {
            let id = board.line_id(mv.line).filter(|&id| board.is_legal(id));
            let id = id.ok_or(StateError::Undrawable)?;
            let new = board.draw(id);
            if new != mv.offset {
                return Err(StateError::Undrawable);
            }
            buffers.added.push((id, new));
        }
        if !replica.board.arrange_legal(&saved.legal.0) {
            return Err(StateError::Lines);
        }
        replica.accept();
        Ok(replica)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Event, ParameterValues};
    use geometry::{Game, Start};
    use rand::SeedableRng;
    use rules::{BitLineBoard, PlainLineBoard};
    use std::ops::ControlFlow;

    /// A replica that was saved and restored continues as the one that was not.
    fn check<L: LineBoard>(board: &L, max_lines: usize) {
        let values = ParameterValues::parse(super::super::PARAMETERS, board.game(), []);
        let settings = Temper::from(&values.expect("defaults"));
        let mut on = |_: Event<'_>| ControlFlow::Continue(());
        let mut meter = BudgetMeter::new(Budget::default(), &mut on);
        let mut rng = Rng::seed_from_u64(3);
        let mut whole = Replica::new(board, max_lines, &mut meter, &mut rng);
        for _ in 0..20 {
            let mut again = Replica::restored(board, max_lines, &whole.saved()).expect("as saved");
            let mut same = rng.clone();
            for _ in 0..30 {
                whole.propose(&settings, 0.6, &mut meter, &mut rng);
                again.propose(&settings, 0.6, &mut meter, &mut same);
                assert_eq!(whole.saved(), again.saved());
            }
        }
    }

    #[test]
    fn a_restored_replica_continues_as_before_cut_or_not() {
        check(&BitLineBoard::<5, true>::start(), 1000);
        check(&BitLineBoard::<5, false>::start(), 15);
        let game =
            Game { rules: "4D".parse().expect("known"), start: Start::cross(4).expect("in range") };
        check(&PlainLineBoard::start(game.clone()), 1000);
        check(&PlainLineBoard::start(game), 15);
    }
}
