//! One game that is ruined and recreated again and again.

use geometry::Move;
use rules::{Sheet, ordered};

use super::Temper;
use crate::Rng;
use crate::chance::{below, unit};

#[derive(Debug, Clone)]
pub(super) struct Replica<S> {
    sheet: S,
    /// The sheet before the current proposal.
    before: S,
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
}

#[derive(Debug, Clone, Copy, Default)]
struct Known {
    place: u32,
    marked: u32,
    new: u8,
}

impl<S: Sheet> Replica<S> {
    /// A random finished game.
    pub(super) fn new(sheet: &S, rng: &mut Rng) -> Self {
        let mut replica = Self {
            sheet: sheet.clone(),
            before: sheet.clone(),
            lines: Vec::new(),
            known: Vec::new(),
            now: 0,
            erased: Vec::new(),
            added: Vec::new(),
        };
        replica.complete(0, false, rng);
        replica.accept();
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
    pub(super) fn propose(&mut self, settings: &Temper, temperature: f64, rng: &mut Rng) {
        if self.lines.is_empty() {
            return;
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
        for &(number, new) in &self.erased {
            self.sheet.erase(number, new);
        }
        let hold_back = unit(rng) < settings.hold;
        self.complete(chosen, hold_back, rng);
        let change = self.added.len() as f64 - self.erased.len() as f64;
        if change >= 0.0 || unit(rng) < (change / temperature).exp() {
            self.accept();
        } else {
            std::mem::swap(&mut self.sheet, &mut self.before);
        }
    }

    /// Chooses up to `count` lines whose new dots lie within 3 of one of them.
    fn choose_near(&mut self, count: usize, rng: &mut Rng) {
        let centre = self.dot(self.lines[below(rng, self.lines.len())]);
        let mut near = Vec::new();
        for &number in &self.lines {
            let apart = self.dot(number) - centre;
            if apart.x.abs().max(apart.y.abs()) <= 3 {
                near.push(number);
            }
        }
        for _ in 0..count {
            let number = near[below(rng, near.len())];
            self.doom(number);
        }
    }

    fn dot(&self, number: u32) -> geometry::Point {
        self.sheet.line(number).point(usize::from(self.known[number as usize].new))
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
    /// are drawn only when nothing else can be.
    fn complete(&mut self, chosen: usize, hold_back: bool, rng: &mut Rng) {
        loop {
            let legal = self.sheet.legal_count();
            if legal == 0 {
                return;
            }
            let (held, lost) = self.erased.split_at(chosen);
            let number = match lost.iter().find(|&&(number, _)| self.sheet.is_legal(number)) {
                Some(&(number, _)) => number,
                None => {
                    let is_held =
                        |number| hold_back && held.iter().any(|&(other, _)| other == number);
                    let held =
                        held.iter().filter(|&&(number, _)| self.sheet.is_legal(number)).count();
                    loop {
                        let number = self.sheet.nth_legal(below(rng, legal));
                        if held == legal || !is_held(number) {
                            break number;
                        }
                    }
                }
            };
            let new = self.sheet.draw(number);
            self.added.push((number, new));
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
            self.lines.push(number);
        }
    }
}
