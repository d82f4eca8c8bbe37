//! Walks over positions, one line at a time, forward and backward.

use std::collections::HashMap;

use geometry::{Line, Move, Point};

use crate::{Sheet, ordered};

/// A position that changes by one line at a time: one is drawn, or one whose dot no other line uses
/// (a loose one) is erased.
///
/// Lines that were there at the beginning are never erased. Every draw of chance comes from the
/// function passed in, which gives 64 random bits.
pub trait Walk: Clone {
    /// What can be done next.
    type Step: Copy;

    /// How many lines have been drawn since the beginning.
    fn score(&self) -> usize;

    /// Whether nothing can be drawn and nothing be erased.
    fn is_stuck(&self) -> bool;

    /// The game in a legal order, after the moves `from` that it began with.
    fn moves(&self, from: &[Move]) -> Vec<Move>;

    /// Chooses a step (Hyyrö and Poranen 2007, Algorithm 3.1): one of the legal lines or of the loose
    /// ones, all alike. If it is loose and anything is legal, it is kept with probability
    /// `backward` / 2^32 only, and otherwise one of the legal lines chosen instead, all alike. Unless
    /// `forward`, nothing counts as legal. `None` if there is nothing to do.
    ///
    /// The step must be taken before another is chosen.
    fn choose(
        &mut self,
        forward: bool,
        backward: u64,
        random: impl FnMut() -> u64,
    ) -> Option<Self::Step>;

    /// Whether a step erases a line.
    fn erases(step: Self::Step) -> bool;

    /// Takes the step just chosen.
    fn take(&mut self, step: Self::Step);

    /// The lists from which steps are drawn, in order: what can be drawn, and the new dots of what can
    /// be erased. They may hold more, which a draw passes over.
    fn lists(&self) -> (Vec<Line>, Vec<Point>);

    /// Makes a walk that has just begun one that has drawn `moves` since, given in a legal order, and
    /// draws from these lists; `None` if that cannot be.
    fn arranged(self, moves: &[Move], lines: &[Line], dots: &[Point]) -> Option<Self>;
}

/// A number below `bound` from the upper 32 of some random bits.
#[inline(always)]
pub(crate) fn below(random: u64, bound: usize) -> usize {
    (((random >> 32) * bound as u64) >> 32) as usize
}

/// No line.
const NONE: u32 = u32::MAX;

/// A step of a [`SheetWalk`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Draws the line of this number.
    Draw(u32),
    /// Erases it.
    Erase(u32),
}

/// A walk on any sheet. The reference for the fast one.
#[derive(Debug, Clone)]
pub struct SheetWalk<S> {
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

impl<S: Sheet> SheetWalk<S> {
    /// A walk that begins after the moves `from`.
    pub fn new(mut sheet: S, from: &[Move]) -> Self {
        for mv in from {
            let number = sheet.number(mv.line).filter(|&number| sheet.is_legal(number));
            sheet.draw(number.expect("the first moves are legal"));
        }
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

    /// The new dot of a drawn line.
    fn new_dot(&self, number: u32) -> Point {
        self.sheet.line(number).point(usize::from(self.new[number as usize]))
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

impl<S: Sheet> Walk for SheetWalk<S> {
    type Step = Step;

    fn score(&self) -> usize {
        self.score
    }

    fn is_stuck(&self) -> bool {
        self.legal.list.is_empty() && self.loose.list.is_empty()
    }

    fn moves(&self, from: &[Move]) -> Vec<Move> {
        let drawn = self.dots.iter().map(|dot| dot.maker).filter(|&maker| maker != NONE);
        let mut moves: Vec<Move> =
            drawn.map(|line| Move::new(self.sheet.line(line), self.new[line as usize])).collect();
        // By place, so that the order does not depend on how the sheet came to number its dots.
        moves.sort_unstable_by_key(|mv| (mv.dot().y, mv.dot().x));
        ordered(self.sheet.game(), from, moves)
    }

    #[inline(always)]
    fn choose(
        &mut self,
        forward: bool,
        backward: u64,
        mut random: impl FnMut() -> u64,
    ) -> Option<Step> {
        let legal = if forward { self.legal.list.len() } else { 0 };
        let loose = self.loose.list.len();
        if legal + loose == 0 {
            return None;
        }
        let bits = random();
        let choice = below(bits, legal + loose);
        Some(if choice < legal {
            Step::Draw(self.legal.list[choice])
        } else if legal == 0 || bits & 0xffff_ffff < backward {
            Step::Erase(self.loose.list[choice - legal])
        } else {
            Step::Draw(self.legal.list[below(random(), legal)])
        })
    }

    #[inline(always)]
    fn erases(step: Step) -> bool {
        matches!(step, Step::Erase(_))
    }

    #[inline(always)]
    fn take(&mut self, step: Step) {
        match step {
            Step::Draw(line) => self.draw(line),
            Step::Erase(line) => self.erase(line),
        }
    }

    fn lists(&self) -> (Vec<Line>, Vec<Point>) {
        let line = |&number: &u32| self.sheet.line(number);
        (
            self.legal.list.iter().map(line).collect(),
            self.loose.list.iter().map(|&number| self.new_dot(number)).collect(),
        )
    }

    fn arranged(mut self, moves: &[Move], lines: &[Line], dots: &[Point]) -> Option<Self> {
        for mv in moves {
            let number = self.sheet.number(mv.line).filter(|&line| self.sheet.is_legal(line))?;
            self.draw(number);
            if self.new[number as usize] != mv.offset {
                return None;
            }
        }
        let order = lines.iter().map(|&line| self.sheet.number(line)).collect::<Option<_>>()?;
        let loose = self.loose.list.iter().map(|&number| (self.new_dot(number), number));
        let loose: HashMap<Point, u32> = loose.collect();
        let loose_order = dots.iter().map(|dot| loose.get(dot).copied()).collect::<Option<_>>()?;
        let whole = self.legal.arrange(order) && self.loose.arrange(loose_order);
        whole.then_some(self)
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
pub(crate) mod tests {
    use super::*;
    use crate::fast::testing::random;
    use crate::{Board, FastSheet, FastWalk, PlainBoard, PlainSheet};
    use geometry::{Game, Line};

    /// What tests want to know of a walk.
    pub(crate) trait Open: Walk {
        fn legal_lines(&self) -> Vec<Line>;
        fn loose_lines(&self) -> Vec<Line>;
        /// The line of a step.
        fn line(&self, step: Self::Step) -> Line;
    }

    impl<S: Sheet> Open for SheetWalk<S> {
        fn legal_lines(&self) -> Vec<Line> {
            self.legal.list.iter().map(|&line| self.sheet.line(line)).collect()
        }

        fn loose_lines(&self) -> Vec<Line> {
            self.loose.list.iter().map(|&line| self.sheet.line(line)).collect()
        }

        fn line(&self, step: Step) -> Line {
            let (Step::Draw(line) | Step::Erase(line)) = step;
            self.sheet.line(line)
        }
    }

    fn sorted(mut lines: Vec<Line>) -> Vec<Line> {
        lines.sort_unstable();
        lines
    }

    /// exp(-1/3) of 2^32.
    const BACKWARD: u64 = 3_077_500_000;

    /// Holds what a walk says against the definition, on the plain board.
    fn check_position<W: Open>(walk: &W, game: &Game, from: &[Move]) {
        let moves = walk.moves(from);
        assert_eq!(moves.len(), from.len() + walk.score());
        let mut board = PlainBoard::start(game.clone());
        for &mv in &moves {
            board.play(mv).expect("legal");
        }
        let expected = board.legal().iter().map(|mv| mv.line).collect();
        assert_eq!(sorted(walk.legal_lines()), sorted(expected));
        // A move is loose if its dot lies on no other line, and it was not there at the beginning.
        let uses = |line: Line, dot| line.offset_of(dot, game.rules).is_some();
        let is_loose = |mv: &&Move| {
            !moves.iter().any(|other| other.line != mv.line && uses(other.line, mv.dot()))
        };
        let expected = moves[from.len()..].iter().filter(is_loose).map(|mv| mv.line).collect();
        assert_eq!(sorted(walk.loose_lines()), sorted(expected));
        assert_eq!(walk.is_stuck(), walk.legal_lines().is_empty() && walk.loose_lines().is_empty());
    }

    fn check<W: Open>(game: &Game, begin: impl Fn(&[Move]) -> W, every: usize) {
        let mut walk = begin(&[]);
        let mut random = random(1);
        for step in 0..3000 {
            let next = walk.choose(true, BACKWARD, &mut random).expect("there is always a step");
            walk.take(next);
            if step % every == 0 {
                check_position(&walk, game, &[]);
            }
        }
        let from = walk.moves(&[]);
        let from = &from[..from.len() / 2];
        let mut walk = begin(from);
        check_position(&walk, game, from);
        for _ in 0..300 {
            let next = walk.choose(true, BACKWARD, &mut random).expect("there is always a step");
            walk.take(next);
        }
        check_position(&walk, game, from);
        // Only back.
        while let Some(next) = walk.choose(false, BACKWARD, &mut random) {
            assert!(W::erases(next));
            walk.take(next);
        }
        assert_eq!(walk.moves(from), from);
        check_position(&walk, game, from);
    }

    fn check_fast<const LENGTH: usize, const TOUCHING: bool>() {
        let game = FastSheet::<LENGTH, TOUCHING>::start().game().clone();
        check(&game, FastWalk::<LENGTH, TOUCHING>::new, 7);
        check(&game, |from| SheetWalk::new(FastSheet::<LENGTH, TOUCHING>::start(), from), 100);
    }

    #[test]
    fn forward_and_backward_moves_are_what_the_paper_says() {
        check_fast::<5, true>();
        check_fast::<5, false>();
        check_fast::<4, true>();
        check_fast::<4, false>();
        for name in ["5D", "6T"] {
            let game = Game::named(name).expect("known");
            check(&game, |from| SheetWalk::new(PlainSheet::start(game.clone()), from), 100);
        }
    }

    /// Chooses again and again from one position and compares how often with how likely.
    fn check_choices<W: Open>(mut walk: W, seed: u64) {
        let mut random = random(seed);
        for _ in 0..500 {
            let next = walk.choose(true, BACKWARD, &mut random).expect("there is always a step");
            walk.take(next);
        }
        let (legal, loose) = (walk.legal_lines(), walk.loose_lines());
        let all = (legal.len() + loose.len()) as f64;
        let back = BACKWARD as f64 / (1u64 << 32) as f64;
        let instead = loose.len() as f64 * (1.0 - back) / legal.len() as f64;
        let mut counts = vec![0.0; legal.len() + loose.len()];
        const DRAWS: f64 = 30_000.0;
        for _ in 0..DRAWS as usize {
            let mut copy = walk.clone();
            let step = copy.choose(true, BACKWARD, &mut random).expect("there is a step");
            let line = walk.line(step);
            let found = if W::erases(step) {
                legal.len() + loose.iter().position(|&other| other == line).expect("loose")
            } else {
                legal.iter().position(|&other| other == line).expect("legal")
            };
            counts[found] += 1.0;
        }
        let expected = |i| DRAWS / all * if i < legal.len() { 1.0 + instead } else { back };
        let terms =
            counts.iter().enumerate().map(|(i, count)| (count - expected(i)).powi(2) / expected(i));
        let (sum, free) = (terms.sum::<f64>(), all - 1.0);
        assert!(sum < free + 5.0 * (2.0 * free).sqrt(), "{sum} {free}");
    }

    #[test]
    fn steps_are_as_likely_as_the_paper_says() {
        for seed in 0..2 {
            check_choices(FastWalk::<5, true>::new(&[]), seed);
            check_choices(FastWalk::<5, false>::new(&[]), seed);
            check_choices(FastWalk::<4, true>::new(&[]), seed);
            check_choices(FastWalk::<4, false>::new(&[]), seed);
        }
        check_choices(SheetWalk::new(FastSheet::<5, true>::start(), &[]), 5);
    }
}
