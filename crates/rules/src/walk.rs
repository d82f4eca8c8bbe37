//! Walks over positions, one line at a time, forward and backward.

use std::collections::HashMap;

use geometry::{Line, Move, Point, play_order};

use crate::LineBoard;

/// A random walk over positions: each step draws a legal line, or erases a removable one, whose new
/// dot no other line uses.
///
/// Lines that were there at the beginning are never erased. All randomness comes from the function
/// passed in, which returns 64 random bits.
pub trait AnnealingWalk: Clone {
    /// A line to draw or erase.
    type Step: Copy;

    /// The number of lines drawn since the beginning.
    fn score(&self) -> usize;

    /// Whether nothing can be drawn or erased.
    fn is_stuck(&self) -> bool;

    /// The game in a legal order, after the moves `prefix` that it began with.
    fn moves(&self, prefix: &[Move]) -> Vec<Move>;

    /// Chooses a step (Hyyrö and Poranen 2007, Algorithm 3.1): uniformly one of the legal and the
    /// removable lines. A removable one is accepted with probability `backward` / 2^32, or if
    /// nothing is legal; otherwise a legal line is chosen uniformly instead. Unless `forward`, no
    /// line counts as legal. `None` if there is nothing to do.
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

    /// The lists from which steps are sampled, in order: the legal lines, and the new dots of the
    /// removable ones. They may contain others, which sampling skips.
    fn lists(&self) -> (Vec<Line>, Vec<Point>);

    /// Turns a walk that has just begun into one that has drawn `moves`, given in a legal order,
    /// and samples from these lists; `None` if these cannot be its lists.
    fn arranged(self, moves: &[Move], lines: &[Line], dots: &[Point]) -> Option<Self>;
}

/// A number below `bound` from the upper 32 of 64 random bits.
#[inline(always)]
pub(crate) fn below(random: u64, bound: usize) -> usize {
    (((random >> 32) * bound as u64) >> 32) as usize
}

/// No line.
const NONE: u32 = u32::MAX;

/// A step of a [`PlainWalk`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Draws the line of this id.
    Draw(u32),
    /// Erases it.
    Erase(u32),
}

/// A walk on any line board, and the reference for the bit engine's.
#[derive(Debug, Clone)]
pub struct PlainWalk<L> {
    board: L,
    legal: IndexedSet,
    removable: IndexedSet,
    /// The number of lines drawn.
    score: usize,
    /// By id of a drawn line: the offset of its new dot.
    new: Vec<u8>,
    /// By dot id: the number of lines that use it, and the line that placed it.
    dots: Vec<Dot>,
    length: u8,
}

#[derive(Debug, Clone, Copy)]
struct Dot {
    users: u32,
    maker: u32,
}

impl<L: LineBoard> PlainWalk<L> {
    /// A walk that begins after the moves `prefix`, which must be legal.
    pub fn new(mut board: L, prefix: &[Move]) -> Self {
        board.draw_all(prefix);
        let mut walk = Self {
            legal: IndexedSet::default(),
            removable: IndexedSet::default(),
            score: 0,
            new: Vec::new(),
            dots: Vec::new(),
            length: board.game().rules.length() as u8,
            board,
        };
        walk.grow();
        for n in 0..walk.board.legal_count() {
            walk.legal.insert(walk.board.nth_legal(n));
        }
        walk
    }

    #[inline(always)]
    fn draw(&mut self, line: u32) {
        let Self { board, legal, .. } = self;
        let new = board.draw_reporting(line, |line, is_legal| {
            if is_legal { legal.insert(line) } else { legal.remove(line) }
        });
        self.grow();
        self.score += 1;
        self.new[line as usize] = new;
        for offset in 0..self.length {
            let dot = &mut self.dots[self.board.dot_id(line, offset)];
            dot.users += 1;
            if offset == new {
                dot.maker = line;
            } else if dot.users == 2 && dot.maker != NONE {
                self.removable.remove(dot.maker);
            }
        }
        self.removable.insert(line);
    }

    #[inline(always)]
    fn erase(&mut self, line: u32) {
        let new = self.new[line as usize];
        let Self { board, legal, .. } = self;
        board.erase_reporting(line, new, |line, is_legal| {
            if is_legal { legal.insert(line) } else { legal.remove(line) }
        });
        self.grow();
        self.score -= 1;
        self.removable.remove(line);
        for offset in 0..self.length {
            let dot = &mut self.dots[self.board.dot_id(line, offset)];
            dot.users -= 1;
            if offset == new {
                dot.maker = NONE;
            } else if dot.users == 1 && dot.maker != NONE {
                self.removable.insert(dot.maker);
            }
        }
    }

    /// The new dot of a drawn line.
    fn new_dot(&self, number: u32) -> Point {
        self.board.line(number).point(usize::from(self.new[number as usize]))
    }

    /// Makes room for the lines and dots that have ids by now.
    #[inline(always)]
    fn grow(&mut self) {
        if self.new.len() < self.board.line_count() {
            self.new.resize(self.board.line_count(), 0);
            self.legal.place.resize(self.board.line_count(), NONE);
            self.removable.place.resize(self.board.line_count(), NONE);
            self.dots.resize(self.board.dot_count(), Dot { users: 0, maker: NONE });
        }
    }
}

impl<L: LineBoard> AnnealingWalk for PlainWalk<L> {
    type Step = Step;

    fn score(&self) -> usize {
        self.score
    }

    fn is_stuck(&self) -> bool {
        self.legal.list.is_empty() && self.removable.list.is_empty()
    }

    fn moves(&self, prefix: &[Move]) -> Vec<Move> {
        let drawn = self.dots.iter().map(|dot| dot.maker).filter(|&maker| maker != NONE);
        let mut moves: Vec<Move> =
            drawn.map(|line| Move::new(self.board.line(line), self.new[line as usize])).collect();
        // By coordinates, so that the order does not depend on how dots came by their ids.
        moves.sort_unstable_by_key(|mv| (mv.dot().y, mv.dot().x));
        play_order(self.board.game(), prefix, moves).expect("drawn lines have an order")
    }

    #[inline(always)]
    fn choose(
        &mut self,
        forward: bool,
        backward: u64,
        mut random: impl FnMut() -> u64,
    ) -> Option<Step> {
        let legal = if forward { self.legal.list.len() } else { 0 };
        let removable = self.removable.list.len();
        if legal + removable == 0 {
            return None;
        }
        let bits = random();
        let choice = below(bits, legal + removable);
        Some(if choice < legal {
            Step::Draw(self.legal.list[choice])
        } else if legal == 0 || bits & 0xffff_ffff < backward {
            Step::Erase(self.removable.list[choice - legal])
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
        let line = |&number: &u32| self.board.line(number);
        (
            self.legal.list.iter().map(line).collect(),
            self.removable.list.iter().map(|&number| self.new_dot(number)).collect(),
        )
    }

    fn arranged(mut self, moves: &[Move], lines: &[Line], dots: &[Point]) -> Option<Self> {
        for mv in moves {
            let number = self.board.line_id(mv.line).filter(|&line| self.board.is_legal(line))?;
            self.draw(number);
            if self.new[number as usize] != mv.offset {
                return None;
            }
        }
        let order = lines.iter().map(|&line| self.board.line_id(line)).collect::<Option<_>>()?;
        let removable = self.removable.list.iter().map(|&number| (self.new_dot(number), number));
        let removable: HashMap<Point, u32> = removable.collect();
        let removable_order =
            dots.iter().map(|dot| removable.get(dot).copied()).collect::<Option<_>>()?;
        let whole = self.legal.arrange(order) && self.removable.arrange(removable_order);
        whole.then_some(self)
    }
}

/// A set of lines that can be sampled uniformly.
#[derive(Debug, Clone, Default)]
struct IndexedSet {
    list: Vec<u32>,
    /// By line id: its index in the list.
    place: Vec<u32>,
}

impl IndexedSet {
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

    /// Puts the members into this order; `false` if these are not the members.
    fn arrange(&mut self, order: Vec<u32>) -> bool {
        let is_member = |&line: &u32| self.place.get(line as usize).is_some_and(|&p| p != NONE);
        if order.len() != self.list.len() || !order.iter().all(is_member) {
            return false;
        }
        for (place, &line) in (0..).zip(&order) {
            self.place[line as usize] = place;
        }
        // A line that occurs twice has its second place.
        let each_once = (0..).zip(&order).all(|(place, &line)| self.place[line as usize] == place);
        self.list = order;
        each_once
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::bits::testing::random;
    use crate::{BitLineBoard, BitWalk, PlainLineBoard, PlainPosition, Position};
    use geometry::{Game, Line};

    /// The inside of a walk, for tests.
    pub(crate) trait Inspect: AnnealingWalk {
        fn legal_lines(&self) -> Vec<Line>;
        fn removable_lines(&self) -> Vec<Line>;
        /// The line of a step.
        fn line(&self, step: Self::Step) -> Line;
    }

    impl<L: LineBoard> Inspect for PlainWalk<L> {
        fn legal_lines(&self) -> Vec<Line> {
            self.legal.list.iter().map(|&line| self.board.line(line)).collect()
        }

        fn removable_lines(&self) -> Vec<Line> {
            self.removable.list.iter().map(|&line| self.board.line(line)).collect()
        }

        fn line(&self, step: Step) -> Line {
            let (Step::Draw(line) | Step::Erase(line)) = step;
            self.board.line(line)
        }
    }

    fn sorted(mut lines: Vec<Line>) -> Vec<Line> {
        lines.sort_unstable();
        lines
    }

    /// exp(-1/3) of 2^32.
    const BACKWARD: u64 = 3_077_500_000;

    /// Compares the lists of a walk with the definition, on the plain position.
    fn check_position<W: Inspect>(walk: &W, game: &Game, from: &[Move]) {
        let moves = walk.moves(from);
        assert_eq!(moves.len(), from.len() + walk.score());
        let mut position = PlainPosition::start(game.clone());
        for &mv in &moves {
            position.play(mv).expect("legal");
        }
        let expected = position.legal().iter().map(|mv| mv.line).collect();
        assert_eq!(sorted(walk.legal_lines()), sorted(expected));
        // A move is removable if its dot lies on no other line, and it was not there at the
        // beginning.
        let uses = |line: Line, dot| line.offset_of(dot, game.rules).is_some();
        let is_removable = |mv: &&Move| {
            !moves.iter().any(|other| other.line != mv.line && uses(other.line, mv.dot()))
        };
        let expected = moves[from.len()..].iter().filter(is_removable).map(|mv| mv.line).collect();
        assert_eq!(sorted(walk.removable_lines()), sorted(expected));
        assert_eq!(
            walk.is_stuck(),
            walk.legal_lines().is_empty() && walk.removable_lines().is_empty()
        );
    }

    fn check<W: Inspect>(game: &Game, begin: impl Fn(&[Move]) -> W, every: usize) {
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
        // Backward only.
        while let Some(next) = walk.choose(false, BACKWARD, &mut random) {
            assert!(W::erases(next));
            walk.take(next);
        }
        assert_eq!(walk.moves(from), from);
        check_position(&walk, game, from);
    }

    fn check_fast<const LENGTH: usize, const TOUCHING: bool>() {
        let game = BitLineBoard::<LENGTH, TOUCHING>::start().game().clone();
        check(&game, BitWalk::<LENGTH, TOUCHING>::new, 7);
        check(&game, |from| PlainWalk::new(BitLineBoard::<LENGTH, TOUCHING>::start(), from), 100);
    }

    #[test]
    fn forward_and_backward_moves_are_what_the_paper_says() {
        check_fast::<5, true>();
        check_fast::<5, false>();
        check_fast::<4, true>();
        check_fast::<4, false>();
        for name in ["5D", "6T"] {
            let game = Game::named(name).expect("known");
            check(&game, |from| PlainWalk::new(PlainLineBoard::start(game.clone()), from), 100);
        }
    }

    /// Compares the frequencies of choices from one position with their probabilities.
    fn check_choices<W: Inspect>(mut walk: W, seed: u64) {
        let mut random = random(seed);
        for _ in 0..500 {
            let next = walk.choose(true, BACKWARD, &mut random).expect("there is always a step");
            walk.take(next);
        }
        let (legal, removable) = (walk.legal_lines(), walk.removable_lines());
        let all = (legal.len() + removable.len()) as f64;
        let back = BACKWARD as f64 / (1u64 << 32) as f64;
        let instead = removable.len() as f64 * (1.0 - back) / legal.len() as f64;
        let mut counts = vec![0.0; legal.len() + removable.len()];
        const SAMPLES: f64 = 30_000.0;
        for _ in 0..SAMPLES as usize {
            let mut copy = walk.clone();
            let step = copy.choose(true, BACKWARD, &mut random).expect("there is a step");
            let line = walk.line(step);
            let found = if W::erases(step) {
                legal.len() + removable.iter().position(|&other| other == line).expect("removable")
            } else {
                legal.iter().position(|&other| other == line).expect("legal")
            };
            counts[found] += 1.0;
        }
        let expected = |i| SAMPLES / all * if i < legal.len() { 1.0 + instead } else { back };
        let terms =
            counts.iter().enumerate().map(|(i, count)| (count - expected(i)).powi(2) / expected(i));
        let (sum, free) = (terms.sum::<f64>(), all - 1.0);
        assert!(sum < free + 5.0 * (2.0 * free).sqrt(), "{sum} {free}");
    }

    #[test]
    fn steps_are_as_likely_as_the_paper_says() {
        for seed in 0..2 {
            check_choices(BitWalk::<5, true>::new(&[]), seed);
            check_choices(BitWalk::<5, false>::new(&[]), seed);
            check_choices(BitWalk::<4, true>::new(&[]), seed);
            check_choices(BitWalk::<4, false>::new(&[]), seed);
        }
        check_choices(PlainWalk::new(BitLineBoard::<5, true>::start(), &[]), 5);
    }
}
