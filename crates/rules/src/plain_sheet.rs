//! The plain sheet: any rules, any start. The reference for the fast one.

use std::collections::{HashMap, HashSet};

use geometry::{Direction, Game, Line, Point};

use crate::sheet::{Lines, Sheet};
use crate::{Board, PlainBoard};

/// A sheet for every game.
#[derive(Debug)]
pub struct PlainSheet {
    game: Game,
    dots: HashSet<Point>,
    used: HashSet<(Point, Direction)>,
    legal: Vec<u32>,
    /// By number of a line: its place in `legal`, if it is there.
    places: Vec<Option<usize>>,
    /// Every line that was ever legal, and its number.
    lines: Vec<Line>,
    numbers: HashMap<Line, u32>,
    /// Every dot of those lines, and its number.
    dot_numbers: HashMap<Point, usize>,
}

impl PlainSheet {
    /// The sheet with only the start on it.
    pub fn start(game: Game) -> Self {
        let mut sheet = Self {
            dots: game.start.dots().iter().copied().collect(),
            used: HashSet::new(),
            legal: Vec::new(),
            places: Vec::new(),
            lines: Vec::new(),
            numbers: HashMap::new(),
            dot_numbers: HashMap::new(),
            game,
        };
        for mv in PlainBoard::start(sheet.game.clone()).legal() {
            sheet.look_at(mv.line, &mut |_, _| {});
        }
        sheet
    }

    fn marks(&self, line: Line) -> impl Iterator<Item = (Point, Direction)> + use<> {
        let rules = self.game.rules;
        let count = rules.length() - usize::from(rules.touching());
        line.points(rules).take(count).map(move |point| (point, line.direction))
    }

    /// The number of a line's one missing dot, if exactly one is missing.
    fn gap(&self, line: Line) -> Option<u8> {
        let mut gaps =
            (0..).zip(line.points(self.game.rules)).filter(|(_, p)| !self.dots.contains(p));
        match (gaps.next(), gaps.next()) {
            (Some((gap, dot)), None) if dot.within_limit() => Some(gap),
            _ => None,
        }
    }

    /// The number of a line, the next one if it has none.
    fn number_of(&mut self, line: Line) -> u32 {
        let next = self.lines.len() as u32;
        let number = *self.numbers.entry(line).or_insert(next);
        if number == next {
            self.lines.push(line);
            self.places.push(None);
            for dot in line.points(self.game.rules) {
                let next = self.dot_numbers.len();
                self.dot_numbers.entry(dot).or_insert(next);
            }
        }
        number
    }

    /// Finds out anew whether a line can be drawn, and tells if that has changed.
    fn look_at(&mut self, line: Line, watch: &mut impl FnMut(u32, bool)) {
        let blocked = self.marks(line).any(|mark| self.used.contains(&mark));
        if self.gap(line).is_some() && !blocked {
            let number = self.number_of(line);
            if self.places[number as usize].is_none() {
                self.places[number as usize] = Some(self.legal.len());
                self.legal.push(number);
                watch(number, true);
            }
        } else if let Some(&number) = self.numbers.get(&line)
            && let Some(place) = self.places[number as usize].take()
        {
            self.legal.swap_remove(place);
            if let Some(&moved) = self.legal.get(place) {
                self.places[moved as usize] = Some(place);
            }
            watch(number, false);
        }
    }

    /// Looks at every line that contains `dot`, and at those of its row that a line through it blocks.
    fn look_around(&mut self, line: Line, dot: Point, mut watch: impl FnMut(u32, bool)) {
        let length = self.game.rules.length() as i32;
        for direction in Direction::ALL {
            for offset in 0..length {
                self.look_at(Line::new(dot - direction.step() * offset, direction), &mut watch);
            }
        }
        for offset in 1 - length..length {
            let start = line.start + line.direction.step() * offset;
            self.look_at(Line::new(start, line.direction), &mut watch);
        }
    }
}

impl Sheet for PlainSheet {
    type Lines = HashSet<u32>;

    fn game(&self) -> &Game {
        &self.game
    }

    fn line_numbers(&self) -> usize {
        self.lines.len()
    }

    fn line(&self, number: u32) -> Line {
        self.lines[number as usize]
    }

    fn number(&self, line: Line) -> Option<u32> {
        self.numbers.get(&line).copied()
    }

    fn number_anyway(&mut self, line: Line) -> Option<u32> {
        let fits = line.start.within_limit() && line.end(self.game.rules).within_limit();
        fits.then(|| self.number_of(line))
    }

    fn dot_numbers(&self) -> usize {
        self.dot_numbers.len()
    }

    fn dot_number(&self, number: u32, offset: u8) -> usize {
        self.dot_numbers[&self.line(number).point(usize::from(offset))]
    }

    fn legal_count(&self) -> usize {
        self.legal.len()
    }

    fn nth_legal(&self, n: usize) -> u32 {
        self.legal[n]
    }

    fn arrange_legal(&mut self, order: &[Line]) -> bool {
        let legal = |&line: &Line| self.number(line).filter(|&number| self.is_legal(number));
        let Some(numbers) = order.iter().map(legal).collect::<Option<Vec<u32>>>() else {
            return false;
        };
        let different: HashSet<u32> = numbers.iter().copied().collect();
        if numbers.len() != self.legal.len() || different.len() != numbers.len() {
            return false;
        }
        for (place, &number) in numbers.iter().enumerate() {
            self.places[number as usize] = Some(place);
        }
        self.legal = numbers;
        true
    }

    fn is_legal(&self, number: u32) -> bool {
        self.places[number as usize].is_some()
    }

    fn draw_watched(&mut self, number: u32, watch: impl FnMut(u32, bool)) -> u8 {
        let line = self.line(number);
        let new = self.gap(line).expect("a legal line lacks one dot");
        let dot = line.point(usize::from(new));
        self.dots.insert(dot);
        self.used.extend(self.marks(line));
        self.look_around(line, dot, watch);
        new
    }

    fn erase_watched(&mut self, number: u32, new: u8, watch: impl FnMut(u32, bool)) {
        let line = self.line(number);
        let dot = line.point(usize::from(new));
        self.dots.remove(&dot);
        for mark in self.marks(line) {
            self.used.remove(&mark);
        }
        self.look_around(line, dot, watch);
    }
}

impl Lines for HashSet<u32> {
    fn insert(&mut self, number: u32) {
        self.insert(number);
    }

    fn contains(&self, number: u32) -> bool {
        self.contains(&number)
    }

    fn clear(&mut self) {
        self.clear();
    }
}

impl Clone for PlainSheet {
    fn clone(&self) -> Self {
        Self {
            game: self.game.clone(),
            dots: self.dots.clone(),
            used: self.used.clone(),
            legal: self.legal.clone(),
            places: self.places.clone(),
            lines: self.lines.clone(),
            numbers: self.numbers.clone(),
            dot_numbers: self.dot_numbers.clone(),
        }
    }

    /// Copies the drawing; both sheets are of one game.
    ///
    /// A sheet that knows all lines of the other by the same numbers keeps those it knows besides,
    /// so that a number means the same line for as long as games are played on it.
    fn clone_from(&mut self, source: &Self) {
        self.dots.clone_from(&source.dots);
        self.used.clone_from(&source.used);
        self.legal.clone_from(&source.legal);
        if !self.lines.starts_with(&source.lines) {
            self.lines.clone_from(&source.lines);
            self.numbers.clone_from(&source.numbers);
            self.dot_numbers.clone_from(&source.dot_numbers);
        }
        self.places.clone_from(&source.places);
        self.places.resize(self.lines.len(), None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Start;

    fn random_game(sheet: &mut PlainSheet, mut chance: usize) {
        while sheet.legal_count() > 0 {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            sheet.draw(sheet.nth_legal((chance >> 33) % sheet.legal_count()));
        }
    }

    #[test]
    fn a_number_means_the_same_line_from_game_to_game() {
        let start = Start::cross(3).expect("in range");
        let start = PlainSheet::start(Game { rules: "5D".parse().expect("known"), start });
        let mut sheet = start.clone();
        let mut known: Vec<Line> = Vec::new();
        for game in 0..10 {
            sheet.clone_from(&start);
            assert_eq!(sheet.legal, start.legal);
            random_game(&mut sheet, game);
            assert!(sheet.lines.starts_with(&known));
            known.clone_from(&sheet.lines);
        }
        assert!(known.len() > start.lines.len());
        let mut other = start.clone();
        random_game(&mut other, 99);
        sheet.clone_from(&other);
        assert!(sheet.lines.starts_with(&other.lines) && sheet.dots == other.dots);
    }

    #[test]
    fn legal_lines_take_any_order_but_no_other_lines() {
        let mut sheet = PlainSheet::start(Game::named("6T").expect("known"));
        let mut order: Vec<Line> =
            (0..sheet.legal_count()).map(|n| sheet.line(sheet.nth_legal(n))).collect();
        order.reverse();
        assert!(sheet.arrange_legal(&order));
        assert_eq!(sheet.line(sheet.nth_legal(0)), order[0]);
        assert!(!sheet.arrange_legal(&order[1..]));
        order[1] = order[0];
        assert!(!sheet.arrange_legal(&order));
        let far = Line::new(Point::new(1 << 20, 0), Direction::East);
        assert_eq!(sheet.number_anyway(far), None);
    }
}
