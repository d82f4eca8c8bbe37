//! A walk over positions, one line at a time, forward and backward.

use geometry::Move;
use rand::Rng as _;
use rules::{Sheet, ordered};
use serde::{Deserialize, Serialize};

use crate::chance::below;
use crate::notation::Lines;
use crate::state::{draw_checked, in_range};
use crate::{BadState, Moves, Rng};

/// No line.
const NONE: u32 = u32::MAX;

/// What to do next.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Draw(u32),
    Erase(u32),
    /// There is nothing to do.
    Stay,
}

/// A position with the lines that can be drawn and those that can be erased.
#[derive(Debug, Clone)]
pub(super) struct Walk<S> {
    sheet: S,
    legal: Members,
    loose: Members,
    /// How many lines are drawn.
    score: usize,
    /// By number of a drawn line: which of its dots is new.
    new: Vec<u8>,
    /// By number of a dot: how many lines use it, and which line brought it.
    dots: Vec<Dot>,
    length: u8,
}

#[derive(Debug, Clone, Copy)]
struct Dot {
    users: u32,
    maker: u32,
}

impl<S: Sheet> Walk<S> {
    /// A walk that begins here; what is drawn already is never erased.
    pub(super) fn new(sheet: S) -> Self {
        let mut walk = Self {
            legal: Members::default(),
            loose: Members::default(),
            score: 0,
            new: Vec::new(),
            dots: Vec::new(),
            length: sheet.game().rules.length() as u8,
            sheet,
        };
        walk.grow();
        for n in 0..walk.sheet.legal_count() {
            walk.legal.insert(walk.sheet.nth_legal(n));
        }
        walk
    }

    /// How likely a loose line is erased, as a bound on 32 random bits.
    pub(super) fn chance_of_erasing(temperature: f64) -> u64 {
        ((-1.0 / temperature).exp() * (1u64 << 32) as f64) as u64
    }

    /// How many lines have been drawn since the beginning.
    pub(super) fn score(&self) -> usize {
        self.score
    }

    /// Whether nothing can be drawn and nothing be erased.
    pub(super) fn is_stuck(&self) -> bool {
        self.legal.list.is_empty() && self.loose.list.is_empty()
    }

    /// The game in a legal order, after the moves `from` that it began with.
    pub(super) fn moves(&self, from: &[Move]) -> Vec<Move> {
        let drawn = self.dots.iter().map(|dot| dot.maker).filter(|&maker| maker != NONE);
        let mut moves: Vec<Move> =
            drawn.map(|line| Move::new(self.sheet.line(line), self.new[line as usize])).collect();
        // By place, so that the order does not depend on how the sheet came to number its dots.
        moves.sort_unstable_by_key(|mv| (mv.dot().y, mv.dot().x));
        ordered(self.sheet.game(), from, moves)
    }

    /// Chooses a step: a forward move, or perhaps a backward one. Games of `most` moves only go back.
    #[inline(always)]
    pub(super) fn choose(&self, backward: u64, most: usize, rng: &mut Rng) -> Step {
        let legal = if self.score < most { self.legal.list.len() } else { 0 };
        let loose = self.loose.list.len();
        if legal + loose == 0 {
            return Step::Stay;
        }
        let choice = below(rng, legal + loose);
        if choice < legal {
            Step::Draw(self.legal.list[choice])
        } else if legal == 0 || u64::from(rng.next_u32()) < backward {
            Step::Erase(self.loose.list[choice - legal])
        } else {
            Step::Draw(self.legal.list[below(rng, legal)])
        }
    }

    #[inline(always)]
    pub(super) fn take(&mut self, step: Step) {
        match step {
            Step::Draw(line) => self.draw(line),
            Step::Erase(line) => self.erase(line),
            Step::Stay => {}
        }
    }

    #[inline(always)]
    fn draw(&mut self, line: u32) {
        let Self { sheet, legal, .. } = self;
        let new = sheet.draw_watched(line, |line, is_legal| {
            if is_legal { legal.insert(line) } else { legal.remove(line) }
        });
        self.grow();
        self.score += 1;
        self.new[line as usize] = new;
        for offset in 0..self.length {
            let dot = &mut self.dots[self.sheet.dot_number(line, offset)];
            dot.users += 1;
            if offset == new {
                dot.maker = line;
            } else if dot.users == 2 && dot.maker != NONE {
                self.loose.remove(dot.maker);
            }
        }
        self.loose.insert(line);
    }

    #[inline(always)]
    fn erase(&mut self, line: u32) {
        let new = self.new[line as usize];
        let Self { sheet, legal, .. } = self;
        sheet.erase_watched(line, new, |line, is_legal| {
            if is_legal { legal.insert(line) } else { legal.remove(line) }
        });
        self.grow();
        self.score -= 1;
        self.loose.remove(line);
        for offset in 0..self.length {
            let dot = &mut self.dots[self.sheet.dot_number(line, offset)];
            dot.users -= 1;
            if offset == new {
                dot.maker = NONE;
            } else if dot.users == 1 && dot.maker != NONE {
                self.loose.insert(dot.maker);
            }
        }
    }

    /// Makes room for the lines and dots the sheet knows by now.
    #[inline(always)]
    fn grow(&mut self) {
        if self.new.len() < self.sheet.line_numbers() {
            self.new.resize(self.sheet.line_numbers(), 0);
            self.legal.place.resize(self.sheet.line_numbers(), NONE);
            self.loose.place.resize(self.sheet.line_numbers(), NONE);
            self.dots.resize(self.sheet.dot_numbers(), Dot { users: 0, maker: NONE });
        }
    }
}

/// A walk as data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedWalk {
    /// What is drawn, after the moves that it began with.
    moves: Moves,
    /// What can be drawn and what erased, in the order from which is drawn.
    legal: Lines,
    loose: Lines,
}

impl<S: Sheet> Walk<S> {
    /// The walk as data, less the moves `from` that it began with.
    pub(super) fn saved(&self, from: &[Move]) -> SavedWalk {
        let lines = |members: &Members| {
            Lines(members.list.iter().map(|&line| self.sheet.line(line)).collect())
        };
        SavedWalk {
            moves: Moves(self.moves(from).split_off(from.len())),
            legal: lines(&self.legal),
            loose: lines(&self.loose),
        }
    }

    /// The walk of such data, on the sheet after the moves `from`.
    pub(super) fn restored(
        sheet: S,
        from: &[Move],
        most: usize,
        saved: &SavedWalk,
    ) -> Result<Self, BadState> {
        in_range(saved.moves.0.len() <= most, "length of a game")?;
        let mut walk = Self::new(sheet);
        let draw = |walk: &mut Self, line: u32| {
            walk.draw(line);
            walk.new[line as usize]
        };
        draw_checked(&mut walk, |walk| &walk.sheet, draw, from, &saved.moves.0)?;
        let Self { sheet, legal, loose, .. } = &mut walk;
        let arranged = |members: &mut Members, order: &Lines| {
            let numbers = order.0.iter().map(|&line| sheet.number(line));
            numbers.collect::<Option<Vec<u32>>>().is_some_and(|order| members.arrange(order))
        };
        if !arranged(legal, &saved.legal) || !arranged(loose, &saved.loose) {
            return Err(BadState::Lines);
        }
        Ok(walk)
    }
}

/// A set of lines from which one can be drawn evenly.
#[derive(Debug, Clone, Default)]
struct Members {
    list: Vec<u32>,
    /// By number of a line: its place in the list.
    place: Vec<u32>,
}

impl Members {
    #[inline(always)]
    fn insert(&mut self, line: u32) {
        if self.place.len() <= line as usize {
            self.place.resize(line as usize + 1, NONE);
        }
        self.place[line as usize] = self.list.len() as u32;
        self.list.push(line);
    }

    #[inline(always)]
    fn remove(&mut self, line: u32) {
        let place = std::mem::replace(&mut self.place[line as usize], NONE) as usize;
        let last = self.list.pop().expect("the line is a member");
        if last != line {
            self.list[place] = last;
            self.place[last as usize] = place as u32;
        }
    }

    /// Gives the members this order; `false` if they are others.
    fn arrange(&mut self, order: Vec<u32>) -> bool {
        let is_member = |&line: &u32| self.place.get(line as usize).is_some_and(|&p| p != NONE);
        if order.len() != self.list.len() || !order.iter().all(is_member) {
            return false;
        }
        for (place, &line) in (0..).zip(&order) {
            self.place[line as usize] = place;
        }
        // One that is named twice has the place of its second name.
        let each_once = (0..).zip(&order).all(|(place, &line)| self.place[line as usize] == place);
        self.list = order;
        each_once
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rules::{Board, FastSheet, Kit, Plain, PlainBoard, PlainSheet};

    fn check<S: Sheet>(sheet: S) {
        let mut walk = Walk::new(sheet);
        let mut rng = Rng::seed_from_u64(1);
        let backward = Walk::<S>::chance_of_erasing(3.0);
        for step in 0..3000 {
            let next = walk.choose(backward, 10_000, &mut rng);
            walk.take(next);
            if step % 100 != 0 {
                continue;
            }
            let moves = walk.moves(&[]);
            assert_eq!(moves.len(), walk.score());
            let mut board = PlainBoard::start(walk.sheet.game().clone());
            for &mv in &moves {
                board.play(mv).expect("legal");
            }
            let mut legal: Vec<_> =
                walk.legal.list.iter().map(|&line| walk.sheet.line(line)).collect();
            let mut expected: Vec<_> = board.legal().iter().map(|mv| mv.line).collect();
            legal.sort_unstable();
            expected.sort_unstable();
            assert_eq!(legal, expected);
            // A move is loose if its dot lies on no other line.
            let rules = walk.sheet.game().rules;
            let is_loose = |mv: &&Move| {
                !moves.iter().any(|other| {
                    other.line != mv.line && other.line.offset_of(mv.dot(), rules).is_some()
                })
            };
            let mut expected: Vec<_> = moves.iter().filter(is_loose).map(|mv| mv.line).collect();
            let mut loose: Vec<_> =
                walk.loose.list.iter().map(|&line| walk.sheet.line(line)).collect();
            loose.sort_unstable();
            expected.sort_unstable();
            assert_eq!(loose, expected);
        }
    }

    #[test]
    fn forward_and_backward_moves_are_what_the_paper_says() {
        check(FastSheet::<5, true>::start());
        check(FastSheet::<5, false>::start());
        check(FastSheet::<4, true>::start());
        check(FastSheet::<4, false>::start());
        check(PlainSheet::start(
            Plain::new(geometry::Game::named("5D").expect("known")).game().clone(),
        ));
        check(PlainSheet::start(geometry::Game::named("6T").expect("known")));
    }
}
