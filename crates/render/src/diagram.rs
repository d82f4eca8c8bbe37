//! Plans: dot patterns made of parts, each in its colour, with their names.
//!
//! Only SVG. A plan may have hundreds of thousands of dots, so each part is a few paths: a dot is a
//! line without length, which round ends make visible. What the parts mean is the caller's matter.

use std::fmt::{self, Write};

use geometry::{Line, Point, Rules};

use crate::frame::Frame;
use crate::glyphs;
use crate::shape::{Path, Shape, Step, Vector};
use crate::style::{Palette, Theme};
use crate::svg::group;

/// A dot pattern made of parts.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternDiagram {
    /// Above the picture.
    pub title: String,
    /// Smaller, under the title; may be empty.
    pub note: String,
    /// How long the lines are.
    pub rules: Rules,
    /// The parts, the first below the others.
    pub parts: Vec<DiagramPart>,
    /// Names for places.
    pub names: Vec<DiagramLabel>,
    /// Dark on light or light on dark.
    pub theme: Theme,
}

/// Dots that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct DiagramPart {
    /// In the legend; parts of the same name share the entry.
    pub name: String,
    /// The number of its colour.
    pub hue: usize,
    /// The dots.
    pub dots: Vec<Point>,
    /// Points where dots may come.
    pub holes: Vec<Point>,
    /// Lines that may be drawn.
    pub lines: Vec<Line>,
}

/// A word beside a point.
#[derive(Debug, Clone, PartialEq)]
pub struct DiagramLabel {
    /// The point.
    pub at: Point,
    /// The word.
    pub word: String,
    /// The number of its colour.
    pub hue: usize,
}

/// The edge of the picture.
const EDGE: f64 = 20.0;
/// The height of a line of the legend.
const LEGEND: f64 = 22.0;

/// Draws a plan as SVG.
pub fn diagram(plan: &PatternDiagram) -> String {
    let mut out = String::new();
    Sheet::new(plan).write(&mut out).expect("writing to a string does not fail");
    out
}

/// A plan with its measures.
struct Sheet<'a> {
    plan: &'a PatternDiagram,
    palette: Palette,
    frame: Frame,
}

impl<'a> Sheet<'a> {
    fn new(plan: &'a PatternDiagram) -> Self {
        let parts = plan.parts.iter().flat_map(|part| part.dots.iter().chain(&part.holes));
        let (low, high) = Frame::span(parts.chain(plan.names.iter().map(|name| &name.at)));
        let (left, right, above, below) = (low.x, high.x, low.y, high.y);
        let span = f64::from((right - left).max(below - above).max(1));
        // Small plans are drawn large, and no plan larger than a wall.
        let cell = (900.0 / span).clamp(6.0, 24.0);
        let mut names: Vec<&str> = plan.parts.iter().map(|part| &*part.name).collect();
        names.sort_unstable();
        names.dedup();
        let notes = 1.0 + plan.note.lines().count() as f64;
        let top = EDGE + LEGEND * (notes + names.len() as f64) + 2.0 * cell;
        let longest = [&*plan.title].into_iter().chain(plan.note.lines()).chain(names);
        let words = longest.map(|text| glyphs::width(text, 10.0) * 1.1 + 40.0);
        // Names stand to the right of their points.
        let named = plan.names.iter().map(|name| {
            f64::from(name.at.x - left) * cell + glyphs::width(&name.word, name_height(cell)) * 1.2
        });
        let board = f64::from(right - left) * cell + 2.0 * cell;
        let width = words.chain(named).fold(board, f64::max) + 2.0 * EDGE;
        let height = top + f64::from(below - above) * cell + 2.0 * cell + EDGE;
        let palette = Palette::of(plan.theme);
        let frame = Frame { cell, low, corner: Vector::new(EDGE + cell, top), width, height };
        Self { plan, palette, frame }
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        self.frame.open(
            &plain(&self.plan.title),
            &plain(&self.plan.note),
            self.palette.paper,
            out,
        )?;
        for part in &self.plan.parts {
            group(&class(&part.name), self.part(part), out)?;
        }
        group("names", self.names(), out)?;
        group("caption", self.caption(), out)?;
        writeln!(out, "</g>\n</svg>")
    }

    fn part(&self, part: &DiagramPart) -> Vec<Shape> {
        let colour = self.palette.hue(part.hue);
        let mut lines = Path::default();
        for &line in &part.lines {
            let end = line.end(self.plan.rules);
            lines.line(self.frame.place(line.start), self.frame.place(end));
        }
        let pale = colour.mix(self.palette.paper, 0.6);
        let (dots, holes) = (self.points(&part.dots), self.points(&part.holes));
        let stroked = |path: &Path, share: f64, colour| Shape::Stroked {
            path: path.clone(),
            width: share * self.frame.cell,
            colour,
        };
        vec![
            stroked(&lines, 0.14, pale),
            stroked(&holes, 0.62, colour),
            stroked(&holes, 0.38, self.palette.paper),
            stroked(&dots, 0.5, colour),
        ]
    }

    /// A line without length at every point.
    fn points(&self, points: &[Point]) -> Path {
        let mut path = Path::default();
        for &point in points {
            let at = self.frame.place(point);
            path.steps.extend([Step::Move(at), Step::Line(at)]);
        }
        path
    }

    fn names(&self) -> impl Iterator<Item = Shape> {
        let (cell, height) = (self.frame.cell, name_height(self.frame.cell));
        self.plan.names.iter().map(move |name| {
            // From the middle of the next point to where the text begins, on its base line.
            let begin = match self.free_side(name) {
                Some((right, down)) => {
                    let width = glyphs::width(&name.word, height);
                    Vector::new(f64::from(right) * cell - 0.5 * width, f64::from(down) * cell)
                        .plus(Vector::new(0.0, 0.35 * height), 1.0)
                }
                None => Vector::new(0.55 * cell, -0.45 * cell),
            };
            Shape::Text {
                content: plain(&name.word),
                at: self.frame.place(name.at).plus(begin, 1.0),
                height,
                colour: self.palette.hue(name.hue).mix(self.palette.start, 0.4),
            }
        })
    }

    /// The way to a point beside a name's own that nothing is drawn on, if the name is one letter;
    /// longer ones stand to the right in any case.
    fn free_side(&self, name: &DiagramLabel) -> Option<(i32, i32)> {
        const SIDES: [(i32, i32); 8] =
            [(1, -1), (1, 0), (1, 1), (-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1)];
        let drawn = |point: Point| {
            let parts = self.plan.parts.iter();
            parts.flat_map(|part| part.dots.iter().chain(&part.holes)).any(|it| *it == point)
        };
        let is_letter = name.word.chars().count() == 1;
        let free = |&(x, y): &(i32, i32)| !drawn(Point::new(name.at.x + x, name.at.y + y));
        SIDES.into_iter().filter(|_| is_letter).find(free)
    }

    fn caption(&self) -> Vec<Shape> {
        let mut shapes = Vec::new();
        let mut y = EDGE + 12.0;
        let text = |content: &str, x: f64, y: f64, height: f64, colour| Shape::Text {
            content: plain(content),
            at: Vector::new(x, y),
            height,
            colour,
        };
        shapes.push(text(&self.plan.title, EDGE, y, 12.0, self.palette.start));
        for line in self.plan.note.lines() {
            y += LEGEND;
            shapes.push(text(line, EDGE, y, 9.0, self.palette.caption));
        }
        let mut seen: Vec<&str> = Vec::new();
        for part in &self.plan.parts {
            if seen.contains(&&*part.name) {
                continue;
            }
            seen.push(&part.name);
            y += LEGEND;
            let centre = Vector::new(EDGE + 6.0, y - 4.5);
            let fill = self.palette.hue(part.hue);
            shapes.push(Shape::Disc { centre, radius: 6.0, fill, ring: None });
            shapes.push(text(&part.name, EDGE + 20.0, y, 9.0, self.palette.caption));
        }
        shapes
    }
}

fn name_height(cell: f64) -> f64 {
    (0.85 * cell).max(7.0)
}

/// A word for the class of a group.
fn class(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// Text without characters that XML cannot hold.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || c > '\u{ffef}' { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Direction;
    use roxmltree::Document;

    fn sample() -> PatternDiagram {
        let point = Point::new;
        let part = |name: &str, hue, x| DiagramPart {
            name: name.to_owned(),
            hue,
            dots: vec![point(x, 0), point(x + 1, 0)],
            holes: vec![point(x + 2, 0)],
            lines: vec![Line::new(point(x, 0), Direction::East)],
        };
        PatternDiagram {
            title: "a <plan>\u{1}".to_owned(),
            note: "one\ntwo".to_owned(),
            rules: Rules::new(3, true).expect("3T"),
            parts: vec![part("wire & more", 0, 0), part("wire & more", 0, 9), part("tap", 1, 20)],
            names: vec![DiagramLabel { at: point(20, 0), word: "x1".to_owned(), hue: 1 }],
            theme: Theme::Light,
        }
    }

    #[test]
    fn parts_of_one_name_share_an_entry_and_every_dot_is_drawn() {
        let text = diagram(&sample());
        let document = Document::parse(&text).expect("well-formed");
        let in_class = |name: &str| {
            let group = document.descendants().find(move |n| n.attribute("class") == Some(name));
            group.expect("a group").descendants().filter(|n| n.has_tag_name("path")).count()
        };
        assert_eq!(in_class("tap"), 4);
        let discs = document.descendants().filter(|node| node.has_tag_name("circle")).count();
        assert_eq!(discs, 2);
        let dots = text.matches("h0").count();
        assert_eq!(dots, 3 * (2 + 2), "two dots, and a hole drawn twice, for each part");
        assert_eq!(document.descendants().filter(|n| n.has_tag_name("text")).count(), 6);
    }

    #[test]
    fn the_letter_of_a_port_covers_no_dot() {
        let mut plan = sample();
        let place = |plan: &PatternDiagram| {
            let text = diagram(plan);
            let document = Document::parse(&text).expect("well-formed");
            let named = document.descendants().find(|node| node.text() == Some("a"));
            let named = named.and_then(|node| node.ancestors().find(|it| it.has_attribute("x")));
            let named = named.expect("a name with a place");
            let number = |name| named.attribute(name).and_then(|it| it.parse::<f64>().ok());
            (number("x").expect("a number"), number("y").expect("a number"))
        };
        plan.names = vec![DiagramLabel { at: Point::new(0, 0), word: "a".to_owned(), hue: 1 }];
        let free = place(&plan);
        plan.parts[0].holes.push(Point::new(1, -1));
        let (x, y) = place(&plan);
        assert!(x >= free.0 - 1.0 && y > free.1 + 24.0, "{free:?} ({x}, {y})");
    }

    #[test]
    fn a_plan_of_nothing_is_a_picture() {
        let empty =
            PatternDiagram { parts: vec![], names: vec![], note: String::new(), ..sample() };
        Document::parse(&diagram(&empty)).expect("well-formed");
    }
}
