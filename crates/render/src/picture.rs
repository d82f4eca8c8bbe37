//! Where everything of a game lies in a picture, and as which shapes it is drawn.

use geometry::{Line, Move, Point};
use record::Record;

use crate::caption;
use crate::colour::Colour;
use crate::error::RenderError;
use crate::glyphs;
use crate::look::{GameLook, bounds, played};
use crate::png::Size;
use crate::shape::{Path, Shape, Vector};
use crate::style::{Palette, Style};

/// The longest side of a board, in pixels before any scaling.
const MAX_SIDE: f64 = 4096.0;
/// Cells smaller than this, in pixels, show neither the grid nor how lines end.
const SMALL_CELL: f64 = 5.0;
/// Numbers in cells smaller than this, in pixels, cannot be read.
const READABLE_CELL: f64 = 17.0;
/// With more lines than this, nobody sees how they end.
const MAX_FINE_LINES: usize = 20_000;
/// The radius of the smallest dot, in pixels.
const SPECK: f64 = 0.8;
/// The width of a line in cells.
const LINE_WIDTH: f64 = 0.1;
/// How much wider a line in a warning or accent colour is.
const EMPHASIS: f64 = 1.7;

/// A game laid out for drawing.
pub(crate) struct Picture<'a> {
    pub(crate) look: GameLook<'a>,
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// The place of the point (0,0).
    origin: Vector,
    cell: f64,
    /// Whether dots carry their numbers.
    numbers: bool,
    /// Whether lines show their ends.
    fine: bool,
    /// Where the board ends and the caption begins.
    floor: f64,
    /// The height of a capital letter of the caption.
    letter: f64,
}

impl<'a> Picture<'a> {
    /// Lays a game out in the style's cell size, or a smaller one if the board is too large for it.
    pub(crate) fn new(record: &'a Record, style: &'a Style) -> Self {
        let wanted = if style.cell.is_finite() { style.cell } else { Style::default().cell };
        Self::with_cell(record, style, wanted.clamp(4.0, 400.0))
    }

    /// The layout for a size in pixels, and the factor of its coordinates.
    ///
    /// A larger picture is only magnified. A smaller one has a layout of its own, without details
    /// that could not be seen.
    pub(crate) fn for_pixels(
        record: &'a Record,
        style: &'a Style,
        size: Size,
    ) -> Result<(Self, f64), RenderError> {
        let mut picture = Self::new(record, style);
        let scale = |picture: &Self| match size {
            Size::Scale(scale) => scale,
            Size::Width(width) => f64::from(width) / picture.width,
        };
        let mut factor = scale(&picture);
        if !(factor.is_finite() && factor > 0.0) {
            return Err(RenderError::NoSize);
        }
        if factor < 1.0 {
            picture = Self::with_cell(record, style, picture.cell * factor);
            factor = if let Size::Scale(_) = size { 1.0 } else { scale(&picture) };
        }
        picture.numbers &= picture.cell * factor >= READABLE_CELL;
        Ok((picture, factor))
    }

    fn with_cell(record: &'a Record, style: &'a Style, wanted: f64) -> Self {
        let look = GameLook::new(record, style);
        let (low, high) = bounds(record);
        let (columns, rows) = (f64::from(high.x - low.x), f64::from(high.y - low.y));
        let cell = wanted.min(MAX_SIDE / columns.max(rows).max(1.0));
        let margin = cell.max(12.0);
        let mut picture = Self {
            width: 0.0,
            height: 0.0,
            origin: Vector::new(0.0, 0.0),
            cell,
            numbers: look.has_numbers() && cell >= SMALL_CELL,
            fine: cell >= SMALL_CELL && record.lines().len() <= MAX_FINE_LINES,
            floor: (rows * cell + 2.0 * margin).ceil(),
            letter: (cell * 0.38).max(8.0),
            look,
        };
        let text = style.caption || picture.has_legend();
        let narrowest = if text { picture.letter * 22.0 } else { 0.0 };
        picture.width = (columns * cell + 2.0 * margin).max(narrowest).ceil();
        picture.height = picture.floor + picture.caption_height();
        let left = (picture.width - columns * cell) / 2.0;
        picture.origin =
            Vector::new(left - f64::from(low.x) * cell, margin - f64::from(low.y) * cell);
        picture
    }

    pub(crate) fn moves(&self) -> &'a [Move] {
        self.look.moves()
    }

    pub(crate) fn palette(&self) -> &Palette {
        &self.look.palette
    }

    /// The grid under everything, as one path.
    pub(crate) fn grid(&self) -> Option<Shape> {
        if self.cell < SMALL_CELL {
            return None;
        }
        let mut path = Path::default();
        let mut x = self.origin.x.rem_euclid(self.cell);
        while x < self.width {
            path.line(Vector::new(x, 0.0), Vector::new(x, self.floor));
            x += self.cell;
        }
        let mut y = self.origin.y.rem_euclid(self.cell);
        while y < self.floor {
            path.line(Vector::new(0.0, y), Vector::new(self.width, y));
            y += self.cell;
        }
        Some(Shape::Stroked { path, width: self.cell * 0.03, colour: self.palette().grid })
    }

    /// The lines, the faulty and stuck ones last so that nothing hides them.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Shape> {
        let all = 0..self.look.record.lines().len();
        let plain = all.clone().filter(|&number| !self.look.warns(number));
        let warned = all.filter(|&number| self.look.warns(number));
        plain.chain(warned).flat_map(|number| self.line(number))
    }

    /// Line number `number`, counted from 0; a short stub shows which line came with a dot.
    pub(crate) fn line(&self, number: usize) -> impl Iterator<Item = Shape> + use<> {
        let (colour, stub_colour) = self.look.line_colours(number);
        let factor = if self.look.warns(number) { EMPHASIS } else { 1.0 };
        let bar = self.bar(self.look.line(number), colour, factor);
        let stub = self.moves().get(number).filter(|_| self.fine && factor == 1.0);
        let stub = stub.map(|&mv| self.stub(mv, stub_colour));
        [Some(bar), stub].into_iter().flatten()
    }

    /// A line in a colour, and with a factor for its width.
    fn bar(&self, line: Line, colour: Colour, factor: f64) -> Shape {
        let from = self.place(line.start);
        let to = self.place(line.end(self.look.record.game.rules));
        let width = (self.cell * LINE_WIDTH * factor).max(0.5);
        if self.fine {
            Shape::Filled { path: tapered(from, to, width, self.cell * 0.75), colour }
        } else {
            Shape::Line { from, to, width, colour }
        }
    }

    /// The part of a move's line next to its dot.
    fn stub(&self, mv: Move, colour: Colour) -> Shape {
        let offset = f64::from(mv.offset);
        let last = (self.look.record.game.rules.length() - 1) as f64;
        let step = mv.line.direction.step();
        let step = Vector::new(f64::from(step.x) * self.cell, f64::from(step.y) * self.cell);
        let start = self.place(mv.line.start);
        Shape::Line {
            from: start.plus(step, (offset - 0.5).clamp(0.0, last)),
            to: start.plus(step, (offset + 0.5).clamp(0.0, last)),
            width: self.cell * LINE_WIDTH * 1.4,
            colour,
        }
    }

    /// The dots before the first move.
    pub(crate) fn start(&self) -> impl Iterator<Item = Shape> {
        let radius = (self.cell * 0.25).max(SPECK);
        let fill = self.palette().start;
        let dots = self.look.record.game.start.dots().iter();
        dots.map(move |&dot| Shape::Disc { centre: self.place(dot), radius, fill, ring: None })
    }

    /// The dots that were played, with their numbers.
    pub(crate) fn played(&self) -> impl Iterator<Item = Shape> {
        let plain = if self.moves().is_empty() { played(self.look.record) } else { Vec::new() };
        let Palette { dot: fill, ring, .. } = *self.palette();
        let plain = plain.into_iter().map(move |dot| self.disc(dot, fill, ring));
        (0..self.moves().len()).flat_map(|number| self.dot(number)).chain(plain)
    }

    /// The dot of move number `number`, counted from 0, and its number.
    pub(crate) fn dot(&self, number: usize) -> impl Iterator<Item = Shape> + use<> {
        let dot = self.moves()[number].dot();
        let (fill, ring, writing) = self.look.dot_colours(number);
        let label = self.numbers.then(|| {
            let place = self.place(dot);
            let (path, height) = glyphs::number(number + 1, self.cell * 0.35, self.cell * 0.62);
            let width = (height * 0.14).max(self.cell * 0.043);
            Shape::Stroked { path: path.moved(place.x, place.y), width, colour: writing }
        });
        [Some(self.disc(dot, fill, ring)), label].into_iter().flatten()
    }

    /// A played dot.
    fn disc(&self, dot: Point, fill: Colour, ring: Colour) -> Shape {
        let share = if self.numbers { 0.36 } else { 0.24 };
        let radius = (self.cell * share).max(SPECK);
        let ring = (self.cell >= SMALL_CELL).then_some((self.cell * 0.06, ring));
        Shape::Disc { centre: self.place(dot), radius, fill, ring }
    }

    /// Move number `number`, counted from 0, as the one just played: its line, then its dot.
    pub(crate) fn just_played(&self, number: usize) -> (Shape, Vec<Shape>) {
        let accent = self.palette().accent;
        let line = self.bar(self.look.line(number), accent, EMPHASIS);
        let mut dot: Vec<Shape> = self.dot(number).collect();
        if let Some(Shape::Disc { ring, .. }) = dot.first_mut() {
            *ring = Some(((self.cell * 0.1).max(0.5), accent));
        }
        (line, dot)
    }

    /// The box that move number `number`, counted from 0, is drawn in.
    pub(crate) fn extent(&self, number: usize) -> (Vector, Vector) {
        let mv = self.moves()[number];
        let ends = [mv.line.start, mv.line.end(self.look.record.game.rules), mv.dot()];
        let places = ends.map(|point| self.place(point));
        let margin = self.cell * 0.5 + 2.0;
        let corner = |pick: fn(f64, f64) -> f64, margin: f64| {
            let [one, two, three] = places;
            let (x, y) = (pick(pick(one.x, two.x), three.x), pick(pick(one.y, two.y), three.y));
            Vector::new(x + margin, y + margin)
        };
        (corner(f64::min, -margin), corner(f64::max, margin))
    }

    /// The caption and the legend.
    pub(crate) fn caption(&self) -> Vec<Shape> {
        let mut shapes = Vec::new();
        let side = self.letter * 1.2;
        let mut baseline = self.floor + self.letter * 1.6;
        let legend = if self.has_legend() { self.legend_width() } else { 0.0 };
        if self.look.style.caption {
            let taken = if self.legend_below() { 0.0 } else { legend + side };
            let room = self.width - 2.0 * side - taken;
            shapes.push(Shape::Text {
                content: caption::fitting(self.look.record, room, self.letter),
                at: Vector::new(side, baseline),
                height: self.letter,
                colour: self.palette().caption,
            });
            if self.legend_below() {
                baseline += self.letter * 2.2;
            }
        }
        if self.has_legend() {
            self.legend(Vector::new(self.width - side - legend, baseline), &mut shapes);
        }
        shapes
    }

    /// The first number, the ramp, the last number, from the left end of the baseline on.
    fn legend(&self, at: Vector, shapes: &mut Vec<Shape>) {
        const STEPS: usize = 48;
        let mut write = |content: &str, x: f64| {
            let path = glyphs::text(content, self.letter).0.moved(x, at.y);
            let colour = self.palette().caption;
            shapes.push(Shape::Stroked { path, width: self.letter * 0.12, colour });
        };
        let bar = at.x + glyphs::width("1", self.letter) + self.letter * 0.6;
        let end = bar + self.letter * 7.0;
        write("1", at.x);
        write(&self.moves().len().to_string(), end + self.letter * 0.6);
        for step in 0..STEPS {
            // Each step reaches to the end, so that no seam shows between two.
            let from = bar + (end - bar) * step as f64 / STEPS as f64;
            let colour = self.palette().at(step as f64 / (STEPS - 1) as f64);
            let (top, bottom) = (at.y - self.letter * 0.9, at.y - self.letter * 0.1);
            shapes.push(Shape::rectangle(Vector::new(from, top), Vector::new(end, bottom), colour));
        }
    }

    fn legend_width(&self) -> f64 {
        let last = self.moves().len().to_string();
        let numbers = glyphs::width("1", self.letter) + glyphs::width(&last, self.letter);
        numbers + self.letter * 8.2
    }

    fn has_legend(&self) -> bool {
        self.look.has_times() && self.moves().len() > 1
    }

    /// Whether the legend has a row of its own because the picture is narrow.
    fn legend_below(&self) -> bool {
        self.has_legend() && self.look.style.caption && self.width < self.letter * 40.0
    }

    fn caption_height(&self) -> f64 {
        if !self.look.style.caption && !self.has_legend() {
            return 0.0;
        }
        let rows = if self.legend_below() { 2.0 } else { 1.0 };
        (self.letter * (0.6 + 2.2 * rows)).ceil()
    }

    fn place(&self, point: Point) -> Vector {
        self.origin.plus(Vector::new(f64::from(point.x), f64::from(point.y)), self.cell)
    }
}

/// A line that gets thinner towards both ends, so that two lines in a row show where they meet.
fn tapered(from: Vector, to: Vector, width: f64, taper: f64) -> Path {
    let length = (to.x - from.x).hypot(to.y - from.y);
    let along = Vector::new((to.x - from.x) / length, (to.y - from.y) / length);
    let across = Vector::new(-along.y, along.x);
    let taper = taper.min(length / 2.0);
    let (half, tip) = (width / 2.0, width * 0.1);
    let corners = [
        from.plus(across, tip),
        from.plus(along, taper).plus(across, half),
        to.plus(along, -taper).plus(across, half),
        to.plus(across, tip),
        to.plus(across, -tip),
        to.plus(along, -taper).plus(across, -half),
        from.plus(along, taper).plus(across, -half),
        from.plus(across, -tip),
    ];
    Path::polygon(&corners)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn numbers_that_cannot_be_read_are_left_out() {
        let (record, style) = (testing::game(20), Style::default());
        let shown = |width| {
            let sized = Picture::for_pixels(&record, &style, Size::Width(width));
            sized.expect("a size").0.numbers
        };
        assert!(shown(500));
        assert!(!shown(120));
        assert!(!Picture::new(&testing::crowd(10_001), &style).numbers);
    }

    #[test]
    fn a_board_too_large_for_its_cells_gets_smaller_ones() {
        let (record, style) = (testing::far_apart(), Style::default());
        let picture = Picture::new(&record, &style);
        assert!(picture.width < MAX_SIDE + 100.0 && picture.height < MAX_SIDE + 100.0);
        assert!(picture.grid().is_none());
        let corner = picture.place(record.game.start.dots()[1]);
        assert!(corner.x < picture.width && corner.y < picture.floor, "{corner:?}");
    }

    #[test]
    fn a_line_is_thin_at_its_ends() {
        let path = tapered(Vector::new(0.0, 0.0), Vector::new(40.0, 0.0), 2.0, 7.5);
        let (low, high) = path.bounds().expect("corners");
        assert_eq!((low, high), (Vector::new(0.0, -1.0), Vector::new(40.0, 1.0)));
        let near = path.steps.iter().filter_map(|step| match step {
            crate::shape::Step::Line(to) if to.x == 40.0 => Some(to.y.abs()),
            _ => None,
        });
        assert!(near.clone().count() == 2 && near.clone().all(|y| y < 0.5));
    }
}
