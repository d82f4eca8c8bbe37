//! One game that is ruined and recreated again and again.

use geometry::{Move, Point};
use rules::{Sheet, ordered};
use serde::{Deserialize, Serialize};

use super::Temper;
use crate::chance::{below, unit};
use crate::notation::Lines;
use crate::state::{draw_checked, in_range};
use crate::{BadState, Meter, Moves, Rng};

#[derive(Debug, Clone)]
pub(super) struct Replica<S> {
    sheet: S,
    /// The sheet before the current proposal.
    before: S,
    longest: usize,
    /// The drawn lines.
    lines: Vec<u32>,
    /// By number of a line: its place in `lines`, and which of its dots is new.
    known: Vec<Known>,
    /// Goes up with every proposal, to mark lines without clearing marks.
    now: u32,
    // Working space of a proposal.
    /// Lines that are erased: first the chosen ones, then those lost with them.
    erased: Vec<(u32, u8)>,
    added: Vec<(u32, u8)>,
    /// Lost lines that could be drawn again when they came here.
    back: Vec<u32>,
    near: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Known {
    place: u32,
    /// The proposal that last erased it.
    marked: u32,
    new: u8,
    dot: Point,
}

impl Default for Known {
    fn default() -> Self {
        Self { place: 0, marked: 0, new: 0, dot: Point::new(0, 0) }
    }
}

impl<S: Sheet> Replica<S> {
    /// A random finished game.
    ///
    /// Games are cut at `longest` lines, and when the time is over.
    pub(super) fn new(sheet: &S, longest: usize, meter: &mut Meter<'_>, rng: &mut Rng) -> Self {
        let mut replica = Self::empty(sheet, longest);
        replica.complete(0, false, false, meter, rng);
        replica.accept();
        replica
    }

    /// Nothing but the sheet.
    fn empty(sheet: &S, longest: usize) -> Self {
        // Proposals count from 1, so that a line never erased is not marked by the first.
        let mut replica = Self {
            sheet: sheet.clone(),
            before: sheet.clone(),
            longest,
            lines: Vec::new(),
            known: Vec::new(),
            now: 1,
            erased: Vec::new(),
            added: Vec::new(),
            back: Vec::new(),
            near: Vec::new(),
        };
        replica.known.resize(sheet.line_numbers(), Known::default());
        replica
    }

    pub(super) fn score(&self) -> usize {
        self.lines.len()
    }

    /// The game in a legal order, after the moves `from` that it began with.
    pub(super) fn moves(&self, from: &[Move]) -> Vec<Move> {
        let line =
            |&number: &u32| Move::new(self.sheet.line(number), self.known[number as usize].new);
        ordered(self.sheet.game(), from, self.lines.iter().map(line))
    }

    /// Ruins and recreates; keeps what comes of it or not.
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
        if self.now == u32::MAX {
            self.known.iter_mut().for_each(|known| known.marked = 0);
            self.now = 0;
        }
        self.now += 1;
        self.erased.clear();
        self.added.clear();
        let count = 1 + below(rng, settings.chosen);
        if settings.near > 0.0 && unit(rng) < settings.near {
            self.choose_near(count, rng);
        } else {
            for _ in 0..count {
                let number = self.lines[below(rng, self.lines.len())];
                self.doom(number);
            }
        }
        let chosen = self.erased.len();
        let most = settings.loss / unit(rng).powf(settings.tail);
        let mut next = 0;
        while let Some(&(number, new)) = self.erased.get(next) {
            if (self.erased.len() - chosen) as f64 > most {
                return;
            }
            next += 1;
            let Self { sheet, known, erased, now, .. } = self;
            sheet.users(number, new, |user| {
                let known = &mut known[user as usize];
                if known.marked != *now {
                    known.marked = *now;
                    erased.push((user, known.new));
                }
            });
        }
        self.before.clone_from(&self.sheet);
        self.sheet.erase_all(&self.erased);
        let hold = unit(rng) < settings.hold;
        let return_lost = unit(rng) < settings.return_lost;
        self.complete(chosen, hold, return_lost, meter, rng);
        let change = self.added.len() as f64 - self.erased.len() as f64;
        if change >= 0.0 || unit(rng) < (change / temperature).exp() {
            self.accept();
        } else {
            std::mem::swap(&mut self.sheet, &mut self.before);
        }
    }

    /// Chooses up to `count` lines whose new dots lie within 3 of one of them.
    fn choose_near(&mut self, count: usize, rng: &mut Rng) {
        let centre = self.known[self.lines[below(rng, self.lines.len())] as usize].dot;
        self.near.clear();
        for &number in &self.lines {
            let apart = self.known[number as usize].dot - centre;
            if apart.x.abs().max(apart.y.abs()) <= 3 {
                self.near.push(number);
            }
        }
        for _ in 0..count {
            let number = self.near[below(rng, self.near.len())];
            self.doom(number);
        }
    }

    fn doom(&mut self, number: u32) {
        let known = &mut self.known[number as usize];
        if known.marked != self.now {
            known.marked = self.now;
            self.erased.push((number, known.new));
        }
    }

    /// Draws lines until none can be drawn: lost ones first, then at random.
    ///
    /// The first `chosen` of the erased lines were not lost but chosen; if they are held back, they
    /// are drawn only when nothing else can be. A lost line lacks its own dot and another, so none
    /// can be drawn at first; the sheet tells when that changes.
    fn complete(
        &mut self,
        chosen: usize,
        hold: bool,
        return_lost: bool,
        meter: &mut Meter<'_>,
        rng: &mut Rng,
    ) {
        let most = self.longest + self.erased.len() - self.lines.len();
        let Self { sheet, known, now, erased, added, back, .. } = self;
        let chosen = &erased[..chosen];
        let is_chosen = |number: u32| chosen.iter().any(|&(other, _)| other == number);
        back.clear();
        loop {
            let number = loop {
                match back.pop() {
                    Some(number) if sheet.is_legal(number) => break number,
                    Some(_) => {}
                    None => {
                        let legal = sheet.legal_count();
                        if legal == 0 {
                            return;
                        }
                        let held = || chosen.iter().filter(|(number, _)| sheet.is_legal(*number));
                        let hold = hold && held().count() < legal;
                        break loop {
                            let number = sheet.nth_legal(below(rng, legal));
                            if !hold || !is_chosen(number) {
                                break number;
                            }
                        };
                    }
                }
            };
            let new = sheet.draw_watched(number, |number, legal| {
                let lost = known.get(number as usize).is_some_and(|known| known.marked == *now);
                if return_lost && legal && lost && !is_chosen(number) {
                    back.push(number);
                }
            });
            added.push((number, new));
            let look = added.len().is_multiple_of(256);
            if added.len() >= most || look && meter.look().is_break() {
                return;
            }
        }
    }

    /// Makes the list of lines that of the sheet.
    fn accept(&mut self) {
        for &(number, _) in &self.erased {
            let place = self.known[number as usize].place as usize;
            self.lines.swap_remove(place);
            if let Some(&moved) = self.lines.get(place) {
                self.known[moved as usize].place = place as u32;
            }
        }
        if self.known.len() < self.sheet.line_numbers() {
            self.known.resize(self.sheet.line_numbers(), Known::default());
        }
        for &(number, new) in &self.added {
            let known = &mut self.known[number as usize];
            known.place = self.lines.len() as u32;
            known.new = new;
            known.dot = self.sheet.line(number).point(usize::from(new));
            self.lines.push(number);
        }
    }
}

/// A replica as data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedReplica {
    /// The drawn lines in the order from which is drawn, which is no order of play.
    lines: Moves,
    /// What can be drawn, in its order: something only if the game was cut.
    legal: Lines,
}

impl<S: Sheet> Replica<S> {
    /// The replica as data, less the moves that it began with.
    pub(super) fn saved(&self) -> SavedReplica {
        let line =
            |&number: &u32| Move::new(self.sheet.line(number), self.known[number as usize].new);
        let legal = |n| self.sheet.line(self.sheet.nth_legal(n));
        SavedReplica {
            lines: Moves(self.lines.iter().map(line).collect()),
            legal: Lines((0..self.sheet.legal_count()).map(legal).collect()),
        }
    }

    /// The replica of such data, on the sheet after the moves `from`.
    pub(super) fn restored(
        sheet: &S,
        from: &[Move],
        longest: usize,
        saved: &SavedReplica,
    ) -> Result<Self, BadState> {
        let moves = &saved.lines.0;
        in_range(moves.len() <= longest, "length of a game")?;
        let mut replica = Self::empty(sheet, longest);
        draw_checked(&mut replica.sheet, |sheet| sheet, S::draw, from, moves)?;
        if !replica.sheet.arrange_legal(&saved.legal.0) {
            return Err(BadState::Lines);
        }
        let number = |mv: &Move| replica.sheet.number(mv.line).map(|number| (number, mv.offset));
        replica.added = moves.iter().filter_map(number).collect();
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
    use rules::{FastSheet, PlainSheet};

    /// A replica that was saved and restored goes on as the one that was not.
    fn check<S: Sheet>(sheet: &S, longest: usize) {
        let values = Values::read(super::super::PARAMETERS, sheet.game(), []).expect("defaults");
        let settings = Temper::of(&values);
        let mut observer = Unwatched;
        let mut meter = Meter::new(Budget::default(), &mut observer);
        let mut rng = Rng::seed_from_u64(3);
        let mut whole = Replica::new(sheet, longest, &mut meter, &mut rng);
        for _ in 0..20 {
            let mut again =
                Replica::restored(sheet, &[], longest, &whole.saved()).expect("as saved");
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
        check(&FastSheet::<5, true>::start(), 1000);
        check(&FastSheet::<5, false>::start(), 15);
        let game =
            Game { rules: "4D".parse().expect("known"), start: Start::cross(4).expect("in range") };
        check(&PlainSheet::start(game.clone()), 1000);
        check(&PlainSheet::start(game), 15);
    }
}
