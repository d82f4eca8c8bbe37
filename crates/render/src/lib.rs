//! Pictures of games, charts of numbers, and diagrams of dot patterns.
//!
//! Every picture takes a [`record::Record`], legal or not, and gives back text or bytes; [`chart`]
//! draws tables, [`diagram`] patterns of many parts, [`heat`] boards with parts of dots and lines.
//! Nothing here knows the rules or reads or writes a file, and no picture needs a font.
//!
//! ```
//! use morpion_render::{Size, Style, Theme};
//!
//! let game = geometry::Game::named("5T").expect("a known game");
//! let record = record::Record::from_moves(game, vec![]);
//! let style = Style { theme: Theme::Dark, ..Style::default() };
//! let text = morpion_render::svg(&record, &style);
//! let bytes = morpion_render::png(&record, &style, Size::Scale(2.0))?;
//! assert_eq!(record::read(&bytes, None), Ok(record));
//! # assert!(text.starts_with("<svg"));
//! # Ok::<(), morpion_render::RenderError>(())
//! ```

mod caption;
pub mod chart;
mod colour;
pub mod diagram;
mod error;
mod frame;
mod gif;
mod glyphs;
pub mod heat;
mod look;
mod paint;
mod picture;
mod png;
mod quantise;
mod shape;
mod style;
mod svg;
mod terminal;
#[cfg(test)]
mod testing;
mod tikz;

pub use error::RenderError;
pub use gif::{Animation, gif};
pub use png::{Size, png};
pub use style::{Style, Theme};
pub use svg::svg;
pub use terminal::{Terminal, terminal};
pub use tikz::tikz;

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::{COORDINATE_LIMIT, Rules};
    use proptest::prelude::*;
    use record::Record;

    /// Draws a record in every way and gives the sizes back.
    fn draw(record: &Record, style: &Style) -> [usize; 5] {
        let bytes = png(record, style, Size::Width(400)).expect("a modest size");
        let animation = Animation { width: 200, ..Animation::default() };
        let film = gif(record, style, &animation).expect("a modest size");
        [
            svg(record, style).len(),
            bytes.len(),
            film.len(),
            terminal(record, &Terminal::default()).len(),
            tikz(record, style).len(),
        ]
    }

    #[test]
    fn an_empty_grid_has_pictures() {
        let record = testing::without_start(Rules::new(2, true).expect("2T"), vec![]);
        for caption in [false, true] {
            let style = Style { caption, colour_by_time: true, ..Style::default() };
            assert!(draw(&record, &style).iter().all(|&size| size > 0));
        }
    }

    #[test]
    fn dots_at_the_limits_make_small_files() {
        let record = testing::far_apart();
        assert!(record.dots().any(|dot| dot.x == COORDINATE_LIMIT));
        let style = Style { colour_by_time: true, ..Style::default() };
        assert!(draw(&record, &style).iter().all(|&size| size < 200_000));
        // At full size the picture is large, but not as large as the grid.
        assert!(png(&record, &style, Size::Scale(1.0)).is_ok());
    }

    #[test]
    fn a_hundred_thousand_lines_are_drawn() {
        let record = testing::crowd(100_000);
        let [svg, png, gif, terminal, tikz] = draw(&record, &Style::default());
        assert!(svg < 40_000_000 && tikz < 40_000_000, "{svg} {tikz}");
        assert!(png < 10_000_000 && gif < 40_000_000 && terminal < 1_000_000, "{png} {gif}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn any_record_has_pictures(record in testing::any_record(), by_time in any::<bool>()) {
            let style = Style { colour_by_time: by_time, fault: Some(3), ..Style::default() };
            prop_assert!(draw(&record, &style).iter().all(|&size| size > 0));
        }
    }
}
