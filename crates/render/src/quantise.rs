//! At most 256 colours for a GIF.
//!
//! All colours of a picture are known beforehand, so the table is made of them and of the mixtures
//! that smooth edges need; nothing has to be guessed from pixels.

use std::collections::HashMap;

use crate::colour::Colour;
use crate::style::Palette;

/// The number of the colour that lets the frame before show through.
pub(crate) const TRANSPARENT: u8 = 0;

/// A table of colours, and which of them is nearest to any other.
pub(crate) struct Quantiser {
    table: Vec<Colour>,
    nearest: HashMap<Colour, u8>,
}

impl Quantiser {
    /// The colours of pictures with this palette, coloured by time or not.
    pub(crate) fn new(palette: &Palette, by_time: bool) -> Self {
        let mut colours = Colours(Vec::new());
        let paper = palette.paper;
        for (colour, steps) in [
            (palette.grid, 3),
            (palette.start, 6),
            (palette.caption, 6),
            (palette.accent, 6),
            (palette.warning, 6),
        ] {
            colours.between(paper, colour, steps);
        }
        colours.between(palette.warning, palette.on(palette.warning), 4);
        if by_time {
            const TIMES: usize = 24;
            for time in 0..TIMES {
                let colour = palette.at(time as f64 / (TIMES - 1) as f64);
                colours.between(paper, colour, 5);
                colours.between(colour, palette.on(colour), 4);
            }
        } else {
            colours.between(paper, palette.line, 8);
            colours.between(paper, palette.ring, 8);
            colours.between(palette.line, palette.ring, 5);
            colours.between(palette.line, palette.start, 5);
            colours.between(palette.line, palette.accent, 5);
            colours.between(palette.dot, palette.ring, 8);
            colours.between(palette.dot, palette.accent, 8);
            colours.between(palette.dot, palette.number, 12);
        }
        // Number 0 is never seen; the paper is as good as any.
        let mut table = vec![paper];
        table.extend(colours.0);
        Self { table, nearest: HashMap::new() }
    }

    /// The table as a GIF wants it: red, green and blue in turn.
    pub(crate) fn table(&self) -> Vec<u8> {
        self.table.iter().flat_map(|colour| [colour.red, colour.green, colour.blue]).collect()
    }

    /// The number of the nearest colour, never [`TRANSPARENT`].
    pub(crate) fn nearest(&mut self, colour: Colour) -> u8 {
        let table = &self.table;
        *self.nearest.entry(colour).or_insert_with(|| {
            let seen = 1..table.len();
            let best = seen.min_by_key(|&number| distance(table[number], colour));
            best.expect("the table has colours") as u8
        })
    }
}

/// Colours, each once.
struct Colours(Vec<Colour>);

impl Colours {
    /// Adds evenly spaced mixtures of two colours, both ends among them.
    fn between(&mut self, one: Colour, other: Colour, steps: usize) {
        for step in 0..steps {
            let colour = one.mix(other, step as f64 / (steps - 1) as f64);
            if !self.0.contains(&colour) {
                self.0.push(colour);
            }
        }
    }
}

fn distance(one: Colour, other: Colour) -> u32 {
    let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    square(one.red, other.red) + square(one.green, other.green) + square(one.blue, other.blue)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::Theme;

    #[test]
    fn the_table_fits_into_a_byte_and_holds_the_pure_colours() {
        for theme in [Theme::Light, Theme::Dark] {
            let palette = Palette::of(theme);
            for by_time in [false, true] {
                let mut quantiser = Quantiser::new(&palette, by_time);
                assert!(quantiser.table.len() <= 256, "{}", quantiser.table.len());
                for colour in [palette.paper, palette.start, palette.warning] {
                    let number = quantiser.nearest(colour);
                    assert_ne!(number, TRANSPARENT);
                    assert_eq!(quantiser.table[usize::from(number)], colour);
                }
            }
        }
    }
}
