//! One game that is ruined and recreated again and again.

use geometry::{Move, Point};
use rules::{LineBoard, LineSet as _, ordered};
use serde::{Deserialize, Serialize};

use super::Temper;
use super::dependants::{Dependants, Drawn};
use crate::chance::{below, unit};
use crate::notation::Lines;
use crate::state::in_range;
use crate::{BadState, Meter, Moves, Rng};

#[derive(Debug, Clone)]
pub(super) struct Replica<L: LineBoard> {
    board: L,
    /// The board before the current proposal.
    before: L,
    longest: usize,
    /// The drawn lines in a legal order.
    lines: Vec<Drawn>,
    /// By number of a drawn line: which of its dots is new.
    news: Vec<u8>,
    dependants: Dependants,
    // Working space of a proposal.
    work: Work<L>,
}

#[derive(Debug, Clone)]
struct Work<L: LineBoard> {
    /// The places of the chosen lines.
    chosen: Vec<usize>,
    /// Lines that are erased: the chosen ones and those lost with them.
    erased: Vec<Drawn>,
    /// Lost lines, but not the chosen ones.
    lost: L::LineSet,
    /// Lost lines that could be drawn again when they came here.
    back: Vec<u32>,
    legal: Vec<u32>,
    added: Vec<Drawn>,
}

impl<L: LineBoard> Replica<L> {
    /// A random finished game.
    ///
    /// Games are cut at `longest` lines, and when the time is over.
    pub(super) fn new(board: &L, longest: usize, meter: &mut Meter<'_>, rng: &mut Rng) -> Self {
        let mut replica = Self::empty(board, longest);
        replica.complete(false, meter, rng);
        replica.accept();
        replica
    }

    /// Nothing but the board.
    fn empty(board: &L, longest: usize) -> Self {
        Self {
            board: board.clone(),
            before: board.clone(),
            longest,
            lines: Vec::new(),
            news: Vec::new(),
            dependants: Dependants::default(),
            work: Work {
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

    /// The game in a legal order, after the moves `from` that it began with.
    pub(super) fn moves(&self, from: &[Move]) -> Vec<Move> {
        let mv = |&(number, new): &Drawn| Move::new(self.board.line(number), new);
        ordered(self.board.game(), from, self.lines.iter().map(mv))
    }

    /// Ruins and recreates; keeps what comes of it or not.
    #[inline(never)]
    pub(super) fn propose(
        &mut self,
        settings: &Temper,
        temperature: f64,
        meter: &mut Meter<'_>,
        rng: &mut Rng,
    ) {
        if self.lines.is_empty() {
            return;
        }
        self.choose(settings, rng);
        let size = self.dependants.find(&self.work.chosen);
        let chosen = self.work.chosen.len();
        if !settings.allows((size - chosen) as f64, rng) {
            return;
        }
        self.ruin();
        if chosen == 1 && self.board.legal_count() == 1 {
            // Nothing but the same line can take its place, and all that was lost comes back.
            std::mem::swap(&mut self.board, &mut self.before);
            return;
        }
        let hold = chosen == 1 || unit(rng) < settings.hold;
        self.complete(hold, meter, rng);
        let change = self.work.added.len() as f64 - size as f64;
        if change >= 0.0 || unit(rng) < (change / temperature).exp() {
            self.accept();
        } else {
            std::mem::swap(&mut self.board, &mut self.before);
        }
    }

    /// Chooses a few lines, all different.
    fn choose(&mut self, settings: &Temper, rng: &mut Rng) {
        let count = 1 + below(rng, settings.chosen);
        let chosen = &mut self.work.chosen;
        chosen.clear();
        if settings.near > 0.0 && unit(rng) < settings.near {
            // Lines whose new dots lie within 3 of the first one's, by trial.
            let dot = |place: usize| -> Point {
                let (number, new) = self.lines[place];
                self.board.line(number).point(usize::from(new))
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

    /// Erases the chosen lines and those that go with them.
    fn ruin(&mut self) {
        let Self { board, before, lines, dependants, work, .. } = self;
        work.erased.clear();
        work.lost.clear();
        dependants.each_found(|place| {
            work.erased.push(lines[place]);
            if !work.chosen.contains(&place) {
                work.lost.insert(lines[place].0);
            }
        });
        before.clone_from(board);
        board.erase_all(&work.erased);
    }

    /// Draws lines until none can be drawn: lost ones first, then at random.
    ///
    /// If the chosen lines are held back, they are drawn only when nothing else can be. A lost line
    /// lacks its own dot and another, so none can be drawn at first; the board tells when that
    /// changes.
    fn complete(&mut self, hold: bool, meter: &mut Meter<'_>, rng: &mut Rng) {
        let Self { board, longest, lines, work, .. } = self;
        let Work { chosen, erased, lost, back, legal, added } = work;
        let most = *longest + erased.len() - lines.len();
        let is_chosen = |number: u32| chosen.iter().any(|&place| lines[place].0 == number);
        back.clear();
        added.clear();
        loop {
            let number = loop {
                match back.pop() {
                    Some(number) if board.is_legal(number) => break number,
                    Some(_) => {}
                    None => {
                        legal.clear();
                        board.append_legal(legal);
                        if legal.is_empty() {
                            return;
                        }
                        let held = || legal.iter().filter(|&&number| is_chosen(number)).count();
                        let hold = hold && held() < legal.len();
                        break loop {
                            let number = legal[below(rng, legal.len())];
                            if !hold || !is_chosen(number) {
                                break number;
                            }
                        };
                    }
                }
            };
            let new = board.draw_reporting_among(number, lost, |number| back.push(number));
            added.push((number, new));
            let look = added.len().is_multiple_of(256);
            if added.len() >= most || look && meter.look().is_break() {
                return;
            }
        }
    }

    /// Makes the game that of the board.
    fn accept(&mut self) {
        let Self { board, lines, news, dependants, work, .. } = self;
        // The same lines again, as often happens.
        let Work { chosen, lost, erased, added, .. } = work;
        let was_drawn = |&(number, new): &Drawn| {
            let was_lost = lost.contains(number) && news[number as usize] == new;
            was_lost || chosen.iter().any(|&place| lines[place] == (number, new))
        };
        if added.len() == erased.len() && added.iter().all(was_drawn) {
            return;
        }
        news.resize(board.line_count(), 0);
        for &(number, new) in &*added {
            news[number as usize] = new;
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
        dependants.learn(board, lines);
    }
}

/// A replica as data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedReplica {
    /// The drawn lines in a legal order.
    lines: Moves,
    /// What can be drawn, in its order: something only if the game was cut.
    legal: Lines,
}

impl<L: LineBoard> Replica<L> {
    /// The replica as data, less the moves that it began with.
    pub(super) fn saved(&self) -> SavedReplica {
        let line = |&(number, new): &Drawn| Move::new(self.board.line(number), new);
        let legal = |n| self.board.line(self.board.nth_legal(n));
        SavedReplica {
            lines: Moves(self.lines.iter().map(line).collect()),
            legal: Lines((0..self.board.legal_count()).map(legal).collect()),
        }
    }

    /// The replica of such data, on the board after the moves `from`.
    pub(super) fn restored(
        board: &L,
        longest: usize,
        saved: &SavedReplica,
    ) -> Result<Self, BadState> {
        let moves = &saved.lines.0;
        in_range(moves.len() <= longest, "length of a game")?;
        let mut replica = Self::empty(board, longest);
        let Self { board, work, .. } = &mut replica;
        for mv in moves {
            let number = board.line_id(mv.line).filter(|&number| board.is_legal(number));
            let number = number.ok_or(BadState::Undrawable)?;
            let new = board.draw(number);
            if new != mv.offset {
                return Err(BadState::Undrawable);
            }
            work.added.push((number, new));
        }
        if !replica.board.arrange_legal(&saved.legal.0) {
            return Err(BadState::Lines);
        }
        replica.accept();
        Ok(replica)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Unwatched, Values};
    use geometry::{Game, Start};
    use rand::SeedableRng;
    use rules::{BitLineBoard, PlainLineBoard};

    /// A replica that was saved and restored goes on as the one that was not.
    fn check<L: LineBoard>(board: &L, longest: usize) {
        let values = Values::read(super::super::PARAMETERS, board.game(), []).expect("defaults");
        let settings = Temper::of(&values);
        let mut observer = Unwatched;
        let mut meter = Meter::new(Budget::default(), &mut observer);
        let mut rng = Rng::seed_from_u64(3);
        let mut whole = Replica::new(board, longest, &mut meter, &mut rng);
        for _ in 0..20 {
            let mut again = Replica::restored(board, longest, &whole.saved()).expect("as saved");
            let mut same = rng.clone();
            for _ in 0..30 {
                whole.propose(&settings, 0.6, &mut meter, &mut rng);
                again.propose(&settings, 0.6, &mut meter, &mut same);
                assert_eq!(whole.saved(), again.saved());
            }
        }
    }

    #[test]
    fn a_restored_replica_goes_on_as_before_cut_or_not() {
        check(&BitLineBoard::<5, true>::start(), 1000);
        check(&BitLineBoard::<5, false>::start(), 15);
        let game =
            Game { rules: "4D".parse().expect("known"), start: Start::cross(4).expect("in range") };
        check(&PlainLineBoard::start(game.clone()), 1000);
        check(&PlainLineBoard::start(game), 15);
    }
}
