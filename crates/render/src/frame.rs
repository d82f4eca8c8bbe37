//! The frame of a picture of a board that is no game: where its points lie, and how its file
//! begins.

use std::fmt::{self, Write};

use geometry::Point;

use crate::colour::Colour;
use crate::shape::Vector;
use crate::svg::{Escaped, Short, open_svg};

/// A board with its measures.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    /// The distance of neighbouring dots.
    pub(crate) cell: f64,
    /// The point of the board that lies at `corner`.
    pub(crate) low: Point,
    pub(crate) corner: Vector,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Frame {
    /// Where a point lies.
    pub(crate) fn place(&self, point: Point) -> Vector {
        let from = point - self.low;
        let steps = Vector::new(f64::from(from.x), f64::from(from.y));
        self.corner.plus(steps, self.cell)
    }

    /// The least and the greatest x and y of some points; zeros without any.
    pub(crate) fn span<'p>(points: impl Iterator<Item = &'p Point> + Clone) -> (Point, Point) {
        let ends = |of: fn(&Point) -> i32| {
            let places = points.clone().map(of);
            (places.clone().min().unwrap_or(0), places.max().unwrap_or(0))
        };
        let ((left, right), (above, below)) = (ends(|point| point.x), ends(|point| point.y));
        (Point::new(left, above), Point::new(right, below))
    }

    /// Writes how an SVG file begins: its size, what it is, and its ground.
    pub(crate) fn open(
        &self,
        title: &str,
        note: &str,
        paper: Colour,
        out: &mut String,
    ) -> fmt::Result {
        let (width, height) = (Short(self.width.ceil()), Short(self.height.ceil()));
        open_svg(out, width, height, "")?;
        writeln!(out, "<title>{}</title>", Escaped(title))?;
        writeln!(out, "<desc>{}</desc>", Escaped(note))?;
        writeln!(out, r#"<path fill="{paper}" d="M0 0h{width}v{height}H0z"/>"#)?;
        writeln!(out, r#"<g stroke-linecap="round" stroke-linejoin="round">"#)
    }
}
