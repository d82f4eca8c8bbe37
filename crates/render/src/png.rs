//! A picture as PNG.

use record::Record;
use tiny_skia::{Pixmap, Transform};

use crate::error::RenderError;
use crate::paint;
use crate::picture::Picture;
use crate::style::Style;

/// The most pixels of a picture.
const MAX_PIXELS: u64 = 64_000_000;

/// How many pixels a picture gets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Size {
    /// This many for each pixel of the style's `cell`.
    Scale(f64),
    /// This many from left to right.
    Width(u32),
}

/// Draws a game as PNG.
///
/// The game itself goes along in a text chunk, so that the picture can be read back as a record.
/// Fails if there would be no pixels, or more than 64 million.
pub fn png(record: &Record, style: &Style, size: Size) -> Result<Vec<u8>, RenderError> {
    let (picture, scale) = Picture::for_pixels(record, style, size)?;
    let mut pixmap = paint::canvas(&picture, scale, MAX_PIXELS)?;
    let transform = Transform::from_scale(scale as f32, scale as f32);
    pixmap.fill(paint::ink(picture.palette().paper));
    let below = picture.grid().into_iter().chain(picture.caption());
    let board = picture.lines().chain(picture.start()).chain(picture.played());
    for shape in below.chain(board) {
        paint::paint(&shape, transform, &mut pixmap.as_mut());
    }
    encode(&pixmap, record.to_json())
}

/// Writes opaque pixels, and before them the game.
fn encode(pixmap: &Pixmap, game: String) -> Result<Vec<u8>, RenderError> {
    let mut file = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut file, pixmap.width(), pixmap.height());
    encoder.set_color(::png::ColorType::Rgb);
    encoder.set_depth(::png::BitDepth::Eight);
    encoder.add_itxt_chunk(record::PNG_KEYWORD.to_owned(), game)?;
    let mut writer = encoder.write_header()?;
    let pixels: Vec<u8> =
        pixmap.data().chunks_exact(4).flat_map(|rgba| &rgba[..3]).copied().collect();
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(file)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::style::{Palette, Theme};
    use crate::testing;
    use std::io::Cursor;

    /// Width, height and the pixels, three bytes each.
    pub(crate) fn decode(file: &[u8]) -> (u32, u32, Vec<u8>) {
        let mut reader = ::png::Decoder::new(Cursor::new(file)).read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("not too large")];
        let info = reader.next_frame(&mut pixels).expect("one picture");
        (info.width, info.height, pixels)
    }

    #[test]
    fn a_picture_carries_its_game_before_its_pixels() {
        let mut record = testing::game(20);
        record.provenance.author = Some("Ada \u{7} Lovelace, ∞".to_owned());
        let file = png(&record, &Style::default(), Size::Scale(1.0)).expect("a small picture");
        let reader = ::png::Decoder::new(Cursor::new(&file)).read_info().expect("a PNG");
        let chunk = &reader.info().utf8_text[0];
        assert_eq!((chunk.keyword.as_str(), chunk.compressed), (record::PNG_KEYWORD, false));
        assert_eq!(chunk.get_text().expect("text"), record.to_json());
        assert_eq!(record::read(&file, None).expect("carried along"), record);
    }

    #[test]
    fn the_picture_is_as_wide_as_asked_for() {
        let style = Style { colour_by_time: true, ..Style::default() };
        for width in [1, 37, 500] {
            let file = png(&testing::game(9), &style, Size::Width(width)).expect("small");
            assert_eq!(decode(&file).0, width);
        }
    }

    #[test]
    fn paper_and_start_have_their_colours() {
        for theme in [Theme::Light, Theme::Dark] {
            let style = Style { theme, caption: false, cell: 20.0, ..Style::default() };
            let file = png(&testing::game(0), &style, Size::Scale(2.0)).expect("small");
            let (width, _, pixels) = decode(&file);
            let at = |x: u32, y: u32| {
                let place = 3 * (y * width + x) as usize;
                [pixels[place], pixels[place + 1], pixels[place + 2]]
            };
            let palette = Palette::of(theme);
            let bytes = |colour: crate::colour::Colour| [colour.red, colour.green, colour.blue];
            // The first dot of the cross is (0,3); the margin is one cell of 40 pixels.
            assert_eq!(at(40, 160), bytes(palette.start));
            assert_eq!(at(60, 60), bytes(palette.paper));
        }
    }

    #[test]
    fn impossible_sizes_are_refused() {
        let record = testing::game(3);
        let refused = |size| png(&record, &Style::default(), size).expect_err("no such size");
        for size in [Size::Width(0), Size::Scale(0.0), Size::Scale(-1.0), Size::Scale(f64::NAN)] {
            assert!(matches!(refused(size), RenderError::NoSize), "{size:?}");
        }
        for size in [Size::Width(u32::MAX), Size::Scale(1e300), Size::Width(20_000)] {
            assert!(matches!(refused(size), RenderError::TooLarge { .. }), "{size:?}");
        }
    }
}
