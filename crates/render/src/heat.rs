//! Boards in shades: dots and lines that are there in part, as solutions of linear programs have
//! them.
//!
//! Only SVG. The share of a dot or a line, from 0 to 1, is how much of its colour it has; what is
//! hardly there is left out. Where the shares come from is the caller's matter.

use std::fmt::{self, Write};

use geometry::{Line, Point, Rules};

use crate::frame::Frame;
use crate::glyphs;
use crate::shape::{Path, Shape, Vector};
use crate::style::{Palette, Theme};
use crate::svg::group;

/// Dots and lines with their shares.
#[derive(Debug, Clone, PartialEq)]
pub struct FractionalBoard {
    /// Above the board.
    pub title: String,
    /// Smaller, under the title, line by line; may be empty.
    pub note: String,
    /// How long the lines are.
    pub rules: Rules,
    /// All dots of the board.
    pub dots: Vec<(Point, f64)>,
    /// The lines.
    pub lines: Vec<(Line, f64)>,
    /// The corners of an outline around it, in order; may be empty.
    pub outline: Vec<Point>,
    /// Dark on light or light on dark.
    pub theme: Theme,
}

/// The edge of the picture.
const EDGE: f64 = 24.0;
/// The height of a line of text.
const TEXT: f64 = 20.0;
/// What has less of a share is not drawn.
const LEAST: f64 = 0.01;

/// Draws a board in shades as SVG.
pub fn heat(shades: &FractionalBoard) -> String {
    let mut out = String::new();
    Sheet::new(shades).write(&mut out).expect("writing to a string does not fail");
    out
}

/// A board with its measures.
struct Sheet<'a> {
    shades: &'a FractionalBoard,
    palette: Palette,
    frame: Frame,
}

impl<'a> Sheet<'a> {
    fn new(shades: &'a FractionalBoard) -> Self {
        let dots = shades.dots.iter().map(|(dot, _)| dot);
        let (low, high) = Frame::span(dots.chain(&shades.outline));
        let (left, right, above, below) = (low.x, high.x, low.y, high.y);
        let span = f64::from((right - left).max(below - above).max(1));
        let cell = (800.0 / span).clamp(4.0, 24.0);
        let lines = 1 + shades.note.lines().count();
        let top = EDGE + TEXT * lines as f64 + cell;
        let words = [&*shades.title].into_iter().chain(shades.note.lines());
        let words = words.map(|text| glyphs::width(text, 10.0) * 1.2);
        let board = f64::from(right - left) * cell + 2.0 * cell;
        let width = words.fold(board, f64::max) + 2.0 * EDGE;
        let height = top + f64::from(below - above) * cell + cell + EDGE;
        let palette = Palette::of(shades.theme);
        let frame = Frame { cell, low, corner: Vector::new(EDGE + cell, top), width, height };
        Self { shades, palette, frame }
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        self.frame.open(&self.shades.title, &self.shades.note, self.palette.paper, out)?;
        group("outline", self.outline(), out)?;
        group("lines", self.lines(), out)?;
        group("dots", self.dots(), out)?;
        group("caption", self.caption(), out)?;
        writeln!(out, "</g>\n</svg>")
    }

    fn outline(&self) -> Option<Shape> {
        let corners: Vec<Vector> =
            self.shades.outline.iter().map(|&corner| self.frame.place(corner)).collect();
        let width = 0.5 * self.frame.cell;
        let path = || Path::polygon(&corners);
        (!corners.is_empty()).then(|| Shape::Stroked {
            path: path(),
            width,
            colour: self.palette.grid,
        })
    }

    /// Those with the larger shares last, so that nothing pale hides them.
    fn lines(&self) -> impl Iterator<Item = Shape> {
        let mut lines: Vec<&(Line, f64)> =
            self.shades.lines.iter().filter(|(_, share)| *share >= LEAST).collect();
        lines.sort_by(|a, b| a.1.total_cmp(&b.1));
        lines.into_iter().map(|&(line, share)| Shape::Line {
            from: self.frame.place(line.start),
            to: self.frame.place(line.end(self.shades.rules)),
            width: 0.16 * self.frame.cell,
            colour: self.palette.paper.mix(self.palette.line, share.min(1.0)),
        })
    }

    /// A dot that is there in part is as large as its share, too.
    fn dots(&self) -> impl Iterator<Item = Shape> {
        self.shades.dots.iter().map(|&(dot, share)| {
            let share = share.clamp(0.0, 1.0);
            Shape::Disc {
                centre: self.frame.place(dot),
                radius: (0.08 + 0.2 * share) * self.frame.cell,
                fill: self.palette.grid.mix(self.palette.start, share),
                ring: None,
            }
        })
    }

    fn caption(&self) -> Vec<Shape> {
        let text = |content: &str, line: usize, height, colour| Shape::Text {
            content: content.to_owned(),
            at: Vector::new(EDGE, EDGE + 10.0 + TEXT * line as f64),
            height,
            colour,
        };
        let title = text(&self.shades.title, 0, 11.0, self.palette.start);
        let notes = (1..).zip(self.shades.note.lines());
        let notes = notes.map(|(line, note)| text(note, line, 8.5, self.palette.caption));
        [title].into_iter().chain(notes).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Direction;

    fn example() -> FractionalBoard {
        let dots = (0..6).map(|x| (Point::new(x, 0), f64::from(x) / 5.0)).collect();
        let line = |x| Line::new(Point::new(x, 0), Direction::East);
        FractionalBoard {
            title: "a < b".to_owned(),
            note: "one\ntwo".to_owned(),
            rules: Rules::new(5, true).expect("5T"),
            dots,
            lines: vec![(line(0), 0.5), (line(1), 0.001)],
            outline: vec![Point::new(0, 0), Point::new(5, 0), Point::new(5, 1)],
            theme: Theme::Light,
        }
    }

    #[test]
    fn what_is_hardly_there_is_left_out() {
        let text = heat(&example());
        roxmltree::Document::parse(&text).expect("well-formed");
        assert_eq!(text.matches("<circle").count(), 6, "{text}");
        let mut more = example();
        more.lines[1].1 = 0.3;
        assert!(heat(&more).len() > text.len());
    }

    #[test]
    fn an_empty_board_has_a_picture() {
        let empty = FractionalBoard {
            dots: Vec::new(),
            lines: Vec::new(),
            outline: Vec::new(),
            ..example()
        };
        roxmltree::Document::parse(&heat(&empty)).expect("well-formed");
    }
}
