//! What of a game is shown, and in which colours; where it lies is left to the kinds of pictures.

use std::collections::HashSet;

use geometry::{Line, Move, Point};
use record::{Play, Record};

use crate::colour::Colour;
use crate::style::{Palette, Style};

/// With more moves than this, nobody reads their numbers.
const MAX_NUMBERS: usize = 10_000;

/// A game and how it looks.
pub(crate) struct GameLook<'a> {
    pub(crate) record: &'a Record,
    pub(crate) style: &'a Style,
    pub(crate) palette: Palette,
    stuck: HashSet<Line>,
}

impl<'a> GameLook<'a> {
    pub(crate) fn new(record: &'a Record, style: &'a Style) -> Self {
        let stuck = style.stuck.iter().copied().collect();
        Self { record, style, palette: Palette::of(style.theme), stuck }
    }

    /// The moves, if the record has an order.
    pub(crate) fn moves(&self) -> &'a [Move] {
        moves(self.record)
    }

    /// The line number `number`, counted from 0.
    pub(crate) fn line(&self, number: usize) -> Line {
        match &self.record.play {
            Play::Moves(moves) => moves[number].line,
            Play::Drawing(lines) => lines[number],
        }
    }

    /// Whether there are numbers to show, and not too many of them.
    pub(crate) fn has_numbers(&self) -> bool {
        self.style.numbers && (1..=MAX_NUMBERS).contains(&self.moves().len())
    }

    /// Whether dots and lines are coloured by their time.
    pub(crate) fn has_times(&self) -> bool {
        self.style.colour_by_time && !self.moves().is_empty()
    }

    /// Whether the line number `number`, counted from 0, is faulty or stuck.
    pub(crate) fn warns(&self, number: usize) -> bool {
        self.style.fault == Some(number + 1)
            || (!self.stuck.is_empty() && self.stuck.contains(&self.line(number)))
    }

    /// The colours of line number `number`, counted from 0: all of it, and the stub at its dot.
    pub(crate) fn line_colours(&self, number: usize) -> (Colour, Colour) {
        if self.warns(number) {
            (self.palette.warning, self.palette.warning)
        } else if let Some(colour) = self.time(number) {
            (colour, colour)
        } else {
            (self.palette.line, self.palette.ring)
        }
    }

    /// The colours of dot number `number`, counted from 0: inside, ring and number.
    pub(crate) fn dot_colours(&self, number: usize) -> (Colour, Colour, Colour) {
        let palette = &self.palette;
        let full = if self.warns(number) { Some(palette.warning) } else { self.time(number) };
        match full {
            Some(colour) => (colour, colour, palette.on(colour)),
            None => (palette.dot, palette.ring, palette.number),
        }
    }

    /// The colour of a move's time, if time is shown.
    fn time(&self, number: usize) -> Option<Colour> {
        let last = self.moves().len().saturating_sub(1).max(1);
        self.has_times().then(|| self.palette.at(number as f64 / last as f64))
    }
}

/// The moves of a record, if it has an order.
pub(crate) fn moves(record: &Record) -> &[Move] {
    match &record.play {
        Play::Moves(moves) => moves,
        Play::Drawing(_) => &[],
    }
}

/// The dots that a record adds to its start: of the moves, or of all lines of a drawing once each.
pub(crate) fn played(record: &Record) -> Vec<Point> {
    match &record.play {
        Play::Moves(moves) => moves.iter().map(|mv| mv.dot()).collect(),
        Play::Drawing(lines) => {
            let (rules, start) = (record.game.rules, record.game.start.dots());
            let mut dots: Vec<Point> = lines.iter().flat_map(|line| line.points(rules)).collect();
            dots.sort_unstable();
            dots.dedup();
            dots.retain(|dot| start.binary_search(dot).is_err());
            dots
        }
    }
}

/// The corners of the box around all dots; the point (0,0) without any.
pub(crate) fn bounds(record: &Record) -> (Point, Point) {
    let found = record.dots().fold(None, |found: Option<(Point, Point)>, dot| {
        let (low, high) = found.unwrap_or((dot, dot));
        let low = Point::new(low.x.min(dot.x), low.y.min(dot.y));
        Some((low, Point::new(high.x.max(dot.x), high.y.max(dot.y))))
    });
    found.unwrap_or((Point::new(0, 0), Point::new(0, 0)))
}
