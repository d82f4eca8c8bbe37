//! A game being played, as an animated GIF.

use std::time::Duration;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use record::Record;
use tiny_skia::{Pixmap, PixmapPaint, Transform};

use crate::colour::Colour;
use crate::error::RenderError;
use crate::paint;
use crate::picture::Picture;
use crate::png::Size;
use crate::quantise::{Quantiser, TRANSPARENT};
use crate::shape::Vector;
use crate::style::Style;

/// The most pixels of a frame.
const MAX_PIXELS: u64 = 4_000_000;
/// The most frames; longer games show several moves in each.
const MAX_FRAMES: usize = 1000;
/// The most pixels of all frames together, if each were a whole picture.
const MAX_WORK: u64 = 1_000_000_000;
/// How long a game plays if nothing else is asked for.
const WHOLE_GAME: Duration = Duration::from_secs(12);

/// How a game is played before the eyes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Animation {
    /// How many pixels wide.
    pub width: u32,
    /// How long each frame is shown; `None` plays the game in about twelve seconds, within reason.
    pub delay: Option<Duration>,
    /// How long the finished game is shown before it starts again.
    pub hold: Duration,
}

impl Default for Animation {
    fn default() -> Self {
        Self { width: 600, delay: None, hold: Duration::from_secs(4) }
    }
}

/// Draws a game as an animated GIF: the start, then move by move, again and again.
///
/// At most 1000 frames after the start: longer games play several moves in one. A drawing has no
/// order and gives a still picture. Fails if there would be no pixels, or more than four million.
pub fn gif(record: &Record, style: &Style, animation: &Animation) -> Result<Vec<u8>, RenderError> {
    let size = Size::Width(animation.width);
    let (picture, scale) = Picture::for_pixels(record, style, size)?;
    let mut under = paint::canvas(&picture, scale, MAX_PIXELS)?;
    let (Ok(width), Ok(height)) = (u16::try_from(under.width()), u16::try_from(under.height()))
    else {
        let (width, height) = (under.width().into(), under.height().into());
        return Err(RenderError::TooLarge { width, height, limit: MAX_PIXELS });
    };
    under.fill(paint::ink(picture.palette().paper));
    let mut film = Film::new(&picture, under, scale);
    let moves = picture.moves().len();
    let pixels = u64::from(width) * u64::from(height);
    let group = moves.div_ceil(MAX_FRAMES.min((MAX_WORK / pixels) as usize)).max(1);
    let frames = moves.div_ceil(group);
    let pause = animation.delay.map_or_else(|| usual_delay(frames), hundredths);

    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height, &film.quantiser.table())?;
    if frames > 0 {
        encoder.set_repeat(Repeat::Infinite)?;
    }
    let hold = hundredths(animation.hold);
    let first = film.first();
    encoder
        .write_frame(&Frame { delay: if frames > 0 { pause.max(80) } else { hold }, ..first })?;
    for frame in 1..=frames {
        let numbers = (frame - 1) * group..(frame * group).min(moves);
        let last = frame == frames;
        let frame = film.play(numbers, !last);
        encoder.write_frame(&Frame { delay: if last { hold } else { pause }, ..frame })?;
    }
    drop(encoder);
    Ok(file)
}

/// Neither too quick to follow nor too slow to wait for, in hundredths of a second.
fn usual_delay(frames: usize) -> u16 {
    let even = WHOLE_GAME.as_millis() / 10 / frames.max(1) as u128;
    even.clamp(4, 50) as u16
}

/// Viewers slow down pauses shorter than two hundredths of a second.
fn hundredths(time: Duration) -> u16 {
    (time.as_millis() / 10).clamp(2, u128::from(u16::MAX)) as u16
}

/// The game so far, as pixels.
///
/// Every shape is painted once. Dots hide the lines of later moves, so they have a layer of their
/// own; a frame shows the part of both layers that has changed.
struct Film<'a> {
    picture: &'a Picture<'a>,
    transform: Transform,
    quantiser: Quantiser,
    /// The grid, the caption and the lines.
    under: Pixmap,
    /// The dots.
    over: Pixmap,
    /// The colours on the screen.
    shown: Vec<u8>,
    /// The move that is shown as just played.
    marked: Option<usize>,
}

impl<'a> Film<'a> {
    fn new(picture: &'a Picture<'a>, under: Pixmap, scale: f64) -> Self {
        let over = Pixmap::new(under.width(), under.height()).expect("as large as the other layer");
        Self {
            picture,
            transform: Transform::from_scale(scale as f32, scale as f32),
            quantiser: Quantiser::new(picture.palette(), picture.look.has_times()),
            shown: vec![TRANSPARENT; under.width() as usize * under.height() as usize],
            under,
            over,
            marked: None,
        }
    }

    /// The whole picture before the first move; all of a drawing.
    fn first(&mut self) -> Frame<'static> {
        let (picture, transform) = (self.picture, self.transform);
        for shape in picture.grid().into_iter().chain(picture.caption()) {
            paint::paint(&shape, transform, &mut self.under.as_mut());
        }
        for shape in picture.start() {
            paint::paint(&shape, transform, &mut self.over.as_mut());
        }
        if picture.moves().is_empty() {
            for shape in picture.lines() {
                paint::paint(&shape, transform, &mut self.under.as_mut());
            }
            for shape in picture.played() {
                paint::paint(&shape, transform, &mut self.over.as_mut());
            }
        }
        self.frame((0, 0, self.under.width(), self.under.height()))
    }

    /// The frame that adds these moves and, if `mark`, shows the last of them as just played.
    fn play(&mut self, numbers: std::ops::Range<usize>, mark: bool) -> Frame<'static> {
        let mut changed: Option<(Vector, Vector)> = None;
        for number in numbers.clone().chain(self.marked) {
            let (low, high) = self.picture.extent(number);
            changed = Some(match changed {
                None => (low, high),
                Some((least, most)) => (
                    Vector::new(low.x.min(least.x), low.y.min(least.y)),
                    Vector::new(high.x.max(most.x), high.y.max(most.y)),
                ),
            });
        }
        for number in numbers.clone() {
            for shape in self.picture.line(number) {
                paint::paint(&shape, self.transform, &mut self.under.as_mut());
            }
            for shape in self.picture.dot(number) {
                paint::paint(&shape, self.transform, &mut self.over.as_mut());
            }
        }
        self.marked = numbers.last().filter(|_| mark);
        let (low, high) = changed.expect("a frame has a move");
        self.frame(self.pixels(low, high))
    }

    /// The pixels of a box, as left, top, width and height, at least one each way.
    fn pixels(&self, low: Vector, high: Vector) -> (u32, u32, u32, u32) {
        let scale = f64::from(self.transform.sx);
        let span = |low: f64, high: f64, size: u32| {
            let first = ((low * scale).floor().max(0.0) as u32).min(size - 1);
            let end = ((high * scale).ceil().max(0.0) as u32).clamp(first + 1, size);
            (first, end - first)
        };
        let (left, width) = span(low.x, high.x, self.under.width());
        let (top, height) = span(low.y, high.y, self.under.height());
        (left, top, width, height)
    }

    /// A part of the picture as it is now; what is on the screen already stays transparent.
    fn frame(&mut self, (left, top, width, height): (u32, u32, u32, u32)) -> Frame<'static> {
        let mut part = Pixmap::new(width, height).expect("no larger than the layers");
        let (right, down) = (-(left as i32), -(top as i32));
        let transform = self.transform.post_translate(right as f32, down as f32);
        let copy = PixmapPaint::default();
        let whole = Transform::identity();
        let marked = self.marked.map(|number| self.picture.just_played(number));
        part.draw_pixmap(right, down, self.under.as_ref(), &copy, whole, None);
        if let Some((line, _)) = &marked {
            paint::paint(line, transform, &mut part.as_mut());
        }
        part.draw_pixmap(right, down, self.over.as_ref(), &copy, whole, None);
        for shape in marked.iter().flat_map(|(_, dot)| dot) {
            paint::paint(shape, transform, &mut part.as_mut());
        }
        let mut buffer = Vec::with_capacity(width as usize * height as usize);
        for (row, pixels) in part.data().chunks_exact(4 * width as usize).enumerate() {
            let from = (top as usize + row) * self.under.width() as usize + left as usize;
            for (pixel, shown) in pixels.chunks_exact(4).zip(&mut self.shown[from..]) {
                let colour = Colour { red: pixel[0], green: pixel[1], blue: pixel[2] };
                let number = self.quantiser.nearest(colour);
                buffer.push(if number == *shown { TRANSPARENT } else { number });
                *shown = number;
            }
        }
        Frame {
            left: left as u16,
            top: top as u16,
            width: width as u16,
            height: height as u16,
            dispose: DisposalMethod::Keep,
            transparent: Some(TRANSPARENT),
            buffer: buffer.into(),
            ..Frame::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::png::png;
    use crate::png::tests::decode;
    use crate::testing;
    use gif::DecodeOptions;

    /// The delays of all frames, the pixels of all but the first together, and the last picture as
    /// it stands on the screen, three bytes for each pixel.
    fn watch(file: &[u8]) -> (Vec<u16>, usize, Vec<u8>) {
        let mut options = DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(file).expect("a GIF");
        let width = usize::from(decoder.width());
        let mut screen = vec![0; width * usize::from(decoder.height()) * 3];
        let (mut delays, mut changed) = (Vec::new(), 0);
        while let Some(frame) = decoder.read_next_frame().expect("sound frames") {
            if !delays.is_empty() {
                changed += usize::from(frame.width) * usize::from(frame.height);
            }
            delays.push(frame.delay);
            let columns = usize::from(frame.width);
            for (place, pixel) in frame.buffer.chunks_exact(4).enumerate() {
                let x = usize::from(frame.left) + place % columns;
                let y = usize::from(frame.top) + place / columns;
                if pixel[3] == 255 {
                    screen[3 * (y * width + x)..][..3].copy_from_slice(&pixel[..3]);
                }
            }
        }
        (delays, changed, screen)
    }

    #[test]
    fn a_game_ends_as_its_picture() {
        let record = testing::game(30);
        for colour_by_time in [false, true] {
            let style = Style { colour_by_time, ..Style::default() };
            let animation = Animation { width: 400, ..Animation::default() };
            let file = gif(&record, &style, &animation).expect("a small picture");
            let (delays, changed, screen) = watch(&file);
            assert_eq!(delays.len(), 31);
            assert_eq!(delays[30], 400);
            assert!(changed < 30 * screen.len() / 3 / 2, "frames show only what changes");
            let (_, _, picture) = decode(&png(&record, &style, Size::Width(400)).expect("small"));
            assert_eq!(screen.len(), picture.len());
            let off = screen.iter().zip(&picture).map(|(&a, &b)| u64::from(a.abs_diff(b)));
            let mean = off.sum::<u64>() as f64 / screen.len() as f64;
            assert!(mean < 2.0, "the colours are off by {mean} on average");
        }
    }

    #[test]
    fn long_games_play_several_moves_at_once() {
        let animation = Animation { width: 64, ..Animation::default() };
        let file = gif(&testing::crowd(2500), &Style::default(), &animation).expect("small");
        let (delays, ..) = watch(&file);
        assert_eq!(delays.len(), 1 + 2500_usize.div_ceil(3));
    }

    #[test]
    fn a_drawing_stands_still() {
        let drawing = testing::game(10).to_drawing();
        let file = gif(&drawing, &Style::default(), &Animation::default()).expect("small");
        assert_eq!(watch(&file).0.len(), 1);
    }

    #[test]
    fn the_pause_is_as_asked_for_and_sensible_otherwise() {
        let record = testing::game(5);
        let animation =
            Animation { delay: Some(Duration::from_millis(150)), ..Animation::default() };
        let file = gif(&record, &Style::default(), &animation).expect("small");
        assert_eq!(watch(&file).0[1..], [15, 15, 15, 15, 400]);
        assert_eq!([1, 100, 1000].map(usual_delay), [50, 12, 4]);
        assert_eq!(hundredths(Duration::ZERO), 2);
        assert_eq!(hundredths(Duration::MAX), u16::MAX);
    }

    #[test]
    fn impossible_sizes_are_refused() {
        for (width, empty) in [(0, true), (5000, false), (u32::MAX, false)] {
            let animation = Animation { width, ..Animation::default() };
            let error = gif(&testing::game(3), &Style::default(), &animation).expect_err("refused");
            assert_eq!(matches!(error, RenderError::NoSize), empty, "{error}");
        }
    }
}
