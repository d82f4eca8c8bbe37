//! What a picture is made of: a few kinds of shapes, in pixels, y down.
//!
//! `svg` writes them and `paint` paints them, so both show the same picture.

use crate::colour::Colour;

/// A place or a distance in the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Vector {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

impl Vector {
    pub(crate) const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// This place moved by `other` times `factor`.
    pub(crate) fn plus(self, other: Self, factor: f64) -> Self {
        Self::new(self.x + other.x * factor, self.y + other.y * factor)
    }
}

/// One thing to draw over what was drawn before. Every line has round ends and corners.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    /// A straight line.
    Line { from: Vector, to: Vector, width: f64, colour: Colour },
    /// A round dot, with a ring around it if it has one: its width and colour.
    Disc { centre: Vector, radius: f64, fill: Colour, ring: Option<(f64, Colour)> },
    /// The inside of a path.
    Filled { path: Path, colour: Colour },
    /// A line along a path.
    Stroked { path: Path, width: f64, colour: Colour },
    /// A line of text from the left end of its baseline; `height` is that of a capital.
    Text { content: String, at: Vector, height: f64, colour: Colour },
}

impl Shape {
    /// A filled rectangle.
    pub(crate) fn rectangle(low: Vector, high: Vector, colour: Colour) -> Self {
        let corners = [low, Vector::new(high.x, low.y), high, Vector::new(low.x, high.y)];
        Self::Filled { path: Path::polygon(&corners), colour }
    }
}

/// Straight lines and curves.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Path {
    pub(crate) steps: Vec<Step>,
}

/// One step of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step {
    /// Lift the pen and start here.
    Move(Vector),
    /// A straight line to here.
    Line(Vector),
    /// A cubic curve by way of two control points to the third.
    Curve(Vector, Vector, Vector),
    /// Back to where the pen was set down.
    Close,
}

impl Path {
    /// The closed path through these corners.
    pub(crate) fn polygon(corners: &[Vector]) -> Self {
        let mut path = Self::default();
        for (number, &corner) in corners.iter().enumerate() {
            path.steps.push(if number == 0 { Step::Move(corner) } else { Step::Line(corner) });
        }
        path.steps.push(Step::Close);
        path
    }

    /// Adds a straight line.
    pub(crate) fn line(&mut self, from: Vector, to: Vector) {
        self.steps.extend([Step::Move(from), Step::Line(to)]);
    }

    /// Adds `strokes`, written like the `d` of an SVG path with the commands M, L, H, V, C and Z,
    /// scaled and then moved.
    pub(crate) fn append(&mut self, strokes: &str, scale: f64, right: f64, down: f64) {
        let place = |x: f64, y: f64| Vector::new(x * scale + right, y * scale + down);
        let (mut x, mut y) = (0.0, 0.0);
        let mut rest = strokes;
        while let Some(command) = rest.chars().next() {
            let end =
                rest[1..].find(|c: char| c.is_ascii_uppercase()).map_or(rest.len(), |n| n + 1);
            let numbers: Vec<f64> = rest[1..end]
                .split_whitespace()
                .map(|word| word.parse().expect("glyphs are written with plain numbers"))
                .collect();
            rest = &rest[end..];
            let step = match (command, numbers.as_slice()) {
                ('M' | 'L', &[to_x, to_y]) => {
                    (x, y) = (to_x, to_y);
                    if command == 'M' { Step::Move(place(x, y)) } else { Step::Line(place(x, y)) }
                }
                ('H', &[to_x]) => {
                    x = to_x;
                    Step::Line(place(x, y))
                }
                ('V', &[to_y]) => {
                    y = to_y;
                    Step::Line(place(x, y))
                }
                ('C', &[x1, y1, x2, y2, to_x, to_y]) => {
                    (x, y) = (to_x, to_y);
                    Step::Curve(place(x1, y1), place(x2, y2), place(x, y))
                }
                ('Z', []) => Step::Close,
                _ => unreachable!("glyphs use no other command"),
            };
            self.steps.push(step);
        }
    }

    /// The same path elsewhere.
    pub(crate) fn moved(mut self, right: f64, down: f64) -> Self {
        let moved = |place: Vector| Vector::new(place.x + right, place.y + down);
        for step in &mut self.steps {
            *step = match *step {
                Step::Move(to) => Step::Move(moved(to)),
                Step::Line(to) => Step::Line(moved(to)),
                Step::Curve(one, two, to) => Step::Curve(moved(one), moved(two), moved(to)),
                Step::Close => Step::Close,
            };
        }
        self
    }

    /// The box around the ends of all steps; `None` for an empty path.
    #[cfg(test)]
    pub(crate) fn bounds(&self) -> Option<(Vector, Vector)> {
        let ends = self.steps.iter().filter_map(|step| match *step {
            Step::Move(to) | Step::Line(to) | Step::Curve(_, _, to) => Some(to),
            Step::Close => None,
        });
        ends.fold(None, |found, at| match found {
            None => Some((at, at)),
            Some((low, high)) => Some((
                Vector::new(low.x.min(at.x), low.y.min(at.y)),
                Vector::new(high.x.max(at.x), high.y.max(at.y)),
            )),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_are_read_scaled_and_moved() {
        let mut path = Path::default();
        path.append("M0 1H2V.5L-1 0C0 0 1 1 2 2Z", 10.0, 100.0, 0.0);
        let at = Vector::new;
        let expected = [
            Step::Move(at(100.0, 10.0)),
            Step::Line(at(120.0, 10.0)),
            Step::Line(at(120.0, 5.0)),
            Step::Line(at(90.0, 0.0)),
            Step::Curve(at(100.0, 0.0), at(110.0, 10.0), at(120.0, 20.0)),
            Step::Close,
        ];
        assert_eq!(path.steps, expected);
        assert_eq!(path.bounds(), Some((at(90.0, 0.0), at(120.0, 20.0))));
    }
}
