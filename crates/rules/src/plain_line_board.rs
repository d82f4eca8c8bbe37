//! The plain line board: any rules, any start. The reference for the bit engine.

use std::collections::{HashMap, HashSet};

use geometry::{Direction, Game, Line, Point};

use crate::line_board::{LineBoard, LineSet};
use crate::{PlainPosition, Position};

/// A line board of any game.
#[derive(Debug)]
pub struct PlainLineBoard {
    game: Game,
    dots: HashSet<Point>,
    used: HashSet<(Point, Direction)>,
    legal: Vec<u32>,
    /// By line id: its index in `legal`, if it is there.
    places: Vec<Option<usize>>,
    /// Every line that was ever legal, and its id.
    lines: Vec<Line>,
    ids: HashMap<Line, u32>,
    /// Every dot of those lines, and its id.
    dot_ids: HashMap<Point, usize>,
}

impl PlainLineBoard {
    /// The board before the first line.
    pub fn start(game: Game) -> Self {
        let mut board = Self {
            dots: game.start.dots().iter().copied().collect(),
            used: HashSet::new(),
            legal: Vec::new(),
            places: Vec::new(),
            lines: Vec::new(),
            ids: HashMap::new(),
            dot_ids: HashMap::new(),
            game,
        };
        for mv in PlainPosition::start(board.game.clone()).legal() {
            board.update(mv.line, &mut |_, _| {});
        }
        board
    }

    /// The offset of a line's missing dot, if exactly one is missing.
    fn gap(&self, line: Line) -> Option<u8> {
        let mut gaps =
            (0..).zip(line.points(self.game.rules)).filter(|(_, p)| !self.dots.contains(p));
        match (gaps.next(), gaps.next()) {
            (Some((gap, dot)), None) if dot.within_limit() => Some(gap),
            _ => None,
        }
    }

    /// The id of a line, the next free one if it has none.
    fn id_of(&mut self, line: Line) -> u32 {
        let next = self.lines.len() as u32;
        let id = *self.ids.entry(line).or_insert(next);
        if id == next {
            self.lines.push(line);
            self.places.push(None);
            for dot in line.points(self.game.rules) {
                let next = self.dot_ids.len();
                self.dot_ids.entry(dot).or_insert(next);
            }
        }
        id
    }

    /// Updates whether a line is legal, and reports a change.
    fn update(&mut self, line: Line, on_change: &mut impl FnMut(u32, bool)) {
        let blocked = line.marks(self.game.rules).any(|mark| self.used.contains(&mark));
        if self.gap(line).is_some() && !blocked {
            let id = self.id_of(line);
            if self.places[id as usize].is_none() {
                self.places[id as usize] = Some(self.legal.len());
                self.legal.push(id);
                on_change(id, true);
            }
        } else if let Some(&id) = self.ids.get(&line)
            && let Some(place) = self.places[id as usize].take()
        {
            self.legal.swap_remove(place);
            if let Some(&moved) = self.legal.get(place) {
                self.places[moved as usize] = Some(place);
            }
            on_change(id, false);
        }
    }

    /// Updates every line that contains `dot`, and those of its row that `line` blocks.
    fn update_around(&mut self, line: Line, dot: Point, mut on_change: impl FnMut(u32, bool)) {
        self.update_through(dot, &mut on_change);
        self.update_along(line, &mut on_change);
    }

    /// Updates every line that contains `dot`.
    fn update_through(&mut self, dot: Point, on_change: &mut impl FnMut(u32, bool)) {
        let length = self.game.rules.length() as i32;
        for direction in Direction::ALL {
            for offset in 0..length {
                self.update(Line::new(dot - direction.step() * offset, direction), on_change);
            }
        }
    }

    /// Updates every line that `line` blocks.
    fn update_along(&mut self, line: Line, on_change: &mut impl FnMut(u32, bool)) {
        let length = self.game.rules.length() as i32;
        for offset in 1 - length..length {
            let start = line.start + line.direction.step() * offset;
            self.update(Line::new(start, line.direction), on_change);
        }
    }
}

impl LineBoard for PlainLineBoard {
    type LineSet = HashSet<u32>;

    fn game(&self) -> &Game {
        &self.game
    }

    fn line_count(&self) -> usize {
        self.lines.len()
    }

    fn line(&self, id: u32) -> Line {
        self.lines[id as usize]
    }

    fn line_id(&self, line: Line) -> Option<u32> {
        self.ids.get(&line).copied()
    }

    fn intern(&mut self, line: Line) -> Option<u32> {
        let fits = line.start.within_limit() && line.end(self.game.rules).within_limit();
        fits.then(|| self.id_of(line))
    }

    fn dot_count(&self) -> usize {
        self.dot_ids.len()
    }

    fn dot_id(&self, id: u32, offset: u8) -> usize {
        self.dot_ids[&self.line(id).point(usize::from(offset))]
    }

    fn legal_count(&self) -> usize {
        self.legal.len()
    }

    fn nth_legal(&self, n: usize) -> u32 {
        self.legal[n]
    }

    fn arrange_legal(&mut self, order: &[Line]) -> bool {
        let legal = |&line: &Line| self.line_id(line).filter(|&id| self.is_legal(id));
        let Some(ids) = order.iter().map(legal).collect::<Option<Vec<u32>>>() else {
            return false;
        };
        let different: HashSet<u32> = ids.iter().copied().collect();
        if ids.len() != self.legal.len() || different.len() != ids.len() {
            return false;
        }
        for (place, &id) in ids.iter().enumerate() {
            self.places[id as usize] = Some(place);
        }
        self.legal = ids;
        true
    }

    fn is_legal(&self, id: u32) -> bool {
        self.places[id as usize].is_some()
    }

    fn draw_reporting(&mut self, id: u32, on_change: impl FnMut(u32, bool)) -> u8 {
        let line = self.line(id);
        let new = self.gap(line).expect("a legal line lacks one dot");
        let dot = line.point(usize::from(new));
        self.dots.insert(dot);
        self.used.extend(line.marks(self.game.rules));
        self.update_around(line, dot, on_change);
        new
    }

    fn erase_reporting(&mut self, id: u32, new: u8, on_change: impl FnMut(u32, bool)) {
        let line = self.line(id);
        let dot = line.point(usize::from(new));
        self.dots.remove(&dot);
        for mark in line.marks(self.game.rules) {
            self.used.remove(&mark);
        }
        self.update_around(line, dot, on_change);
    }

    fn has_dot(&self, line: u32, offset: u8) -> bool {
        self.dots.contains(&self.line(line).point(usize::from(offset)))
    }

    fn is_unblocked(&self, line: u32) -> bool {
        !self.line(line).marks(self.game.rules).any(|mark| self.used.contains(&mark))
    }

    fn draw_without_dot(&mut self, line: u32) {
        let line = self.line(line);
        self.used.extend(line.marks(self.game.rules));
        self.update_along(line, &mut |_, _| {});
    }

    fn erase_keeping_dot(&mut self, line: u32) {
        let line = self.line(line);
        for mark in line.marks(self.game.rules) {
            self.used.remove(&mark);
        }
        self.update_along(line, &mut |_, _| {});
    }

    fn place_free_dot(&mut self, line: u32, offset: u8) {
        let dot = self.line(line).point(usize::from(offset));
        self.dots.insert(dot);
        self.update_through(dot, &mut |_, _| {});
    }

    fn remove_free_dot(&mut self, line: u32, offset: u8) {
        let dot = self.line(line).point(usize::from(offset));
        self.dots.remove(&dot);
        self.update_through(dot, &mut |_, _| {});
    }
}

impl LineSet for HashSet<u32> {
    fn insert(&mut self, id: u32) {
        self.insert(id);
    }

    fn contains(&self, id: u32) -> bool {
        self.contains(&id)
    }

    fn clear(&mut self) {
        self.clear();
    }
}

impl Clone for PlainLineBoard {
    fn clone(&self) -> Self {
        Self {
            game: self.game.clone(),
            dots: self.dots.clone(),
            used: self.used.clone(),
            legal: self.legal.clone(),
            places: self.places.clone(),
            lines: self.lines.clone(),
            ids: self.ids.clone(),
            dot_ids: self.dot_ids.clone(),
        }
    }

    /// Copies the lines; both boards are of one game.
    ///
    /// A board that knows all lines of the other by the same ids keeps the additional ones it
    /// knows, so that an id means the same line for as long as games are played on it.
    fn clone_from(&mut self, source: &Self) {
        self.dots.clone_from(&source.dots);
        self.used.clone_from(&source.used);
        self.legal.clone_from(&source.legal);
        if !self.lines.starts_with(&source.lines) {
            self.lines.clone_from(&source.lines);
            self.ids.clone_from(&source.ids);
            self.dot_ids.clone_from(&source.dot_ids);
        }
        self.places.clone_from(&source.places);
        self.places.resize(self.lines.len(), None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Start;

    fn random_game(board: &mut PlainLineBoard, mut random: usize) {
        while board.legal_count() > 0 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            board.draw(board.nth_legal((random >> 33) % board.legal_count()));
        }
    }

    #[test]
    fn an_id_means_the_same_line_from_game_to_game() {
        let start = Start::cross(3).expect("in range");
        let start = PlainLineBoard::start(Game { rules: "5D".parse().expect("known"), start });
        let mut board = start.clone();
        let mut known: Vec<Line> = Vec::new();
        for game in 0..10 {
            board.clone_from(&start);
            assert_eq!(board.legal, start.legal);
            random_game(&mut board, game);
            assert!(board.lines.starts_with(&known));
            known.clone_from(&board.lines);
        }
        assert!(known.len() > start.lines.len());
        let mut other = start.clone();
        random_game(&mut other, 99);
        board.clone_from(&other);
        assert!(board.lines.starts_with(&other.lines) && board.dots == other.dots);
    }

    #[test]
    fn legal_lines_take_any_order_but_no_other_lines() {
        let mut board = PlainLineBoard::start(Game::named("6T").expect("known"));
        let mut order: Vec<Line> =
            (0..board.legal_count()).map(|n| board.line(board.nth_legal(n))).collect();
        order.reverse();
        assert!(board.arrange_legal(&order));
        assert_eq!(board.line(board.nth_legal(0)), order[0]);
        assert!(!board.arrange_legal(&order[1..]));
        order[1] = order[0];
        assert!(!board.arrange_legal(&order));
        let far = Line::new(Point::new(1 << 20, 0), Direction::East);
        assert_eq!(board.intern(far), None);
    }
}
