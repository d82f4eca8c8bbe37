//! Shapes as pixels.

use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, PixmapMut, Stroke, Transform,
};

use crate::colour::Colour;
use crate::error::RenderError;
use crate::glyphs;
use crate::picture::Picture;
use crate::shape::{Path, Shape, Step};

/// An empty canvas for a picture whose coordinates are multiplied with `scale`.
pub(crate) fn canvas(picture: &Picture<'_>, scale: f64, limit: u64) -> Result<Pixmap, RenderError> {
    // A float too large for an integer becomes the largest one, so nothing overflows here.
    let side = |length: f64| ((length * scale).round() as u64).max(1);
    let (width, height) = (side(picture.width), side(picture.height));
    let pixmap = if width.saturating_mul(height) <= limit {
        Pixmap::new(width as u32, height as u32)
    } else {
        None
    };
    pixmap.ok_or(RenderError::TooLarge { width, height, limit })
}

/// A colour as the painter wants it.
pub(crate) fn ink(colour: Colour) -> tiny_skia::Color {
    tiny_skia::Color::from_rgba8(colour.red, colour.green, colour.blue, 255)
}

/// Paints a shape over what is there.
pub(crate) fn paint(shape: &Shape, transform: Transform, canvas: &mut PixmapMut<'_>) {
    match shape {
        Shape::Line { from, to, width, colour } => {
            let mut path = Path::default();
            path.line(*from, *to);
            stroke(&path, *width, *colour, transform, canvas);
        }
        Shape::Disc { centre, radius, fill: colour, ring } => {
            let (x, y, radius) = (centre.x as f32, centre.y as f32, *radius as f32);
            let Some(circle) = PathBuilder::from_circle(x, y, radius) else { return };
            canvas.fill_path(&circle, &brush(*colour), FillRule::Winding, transform, None);
            if let Some((width, colour)) = ring {
                canvas.stroke_path(&circle, &brush(*colour), &pen(*width), transform, None);
            }
        }
        Shape::Filled { path, colour } => {
            if let Some(path) = outline(path) {
                canvas.fill_path(&path, &brush(*colour), FillRule::Winding, transform, None);
            }
        }
        Shape::Stroked { path, width, colour } => stroke(path, *width, *colour, transform, canvas),
        Shape::Text { content, at, height, colour } => {
            let (path, _) = glyphs::text(content, *height);
            stroke(&path.moved(at.x, at.y), height * 0.12, *colour, transform, canvas);
        }
    }
}

fn stroke(path: &Path, width: f64, colour: Colour, at: Transform, canvas: &mut PixmapMut<'_>) {
    if let Some(path) = outline(path) {
        canvas.stroke_path(&path, &brush(colour), &pen(width), at, None);
    }
}

fn brush(colour: Colour) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(ink(colour));
    paint
}

fn pen(width: f64) -> Stroke {
    Stroke {
        width: width as f32,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        ..Stroke::default()
    }
}

fn outline(path: &Path) -> Option<tiny_skia::Path> {
    let mut builder = PathBuilder::new();
    for step in &path.steps {
        match *step {
            Step::Move(to) => builder.move_to(to.x as f32, to.y as f32),
            Step::Line(to) => builder.line_to(to.x as f32, to.y as f32),
            Step::Curve(one, two, to) => builder.cubic_to(
                one.x as f32,
                one.y as f32,
                two.x as f32,
                two.y as f32,
                to.x as f32,
                to.y as f32,
            ),
            Step::Close => builder.close(),
        }
    }
    builder.finish()
}
