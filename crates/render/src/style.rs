//! How a picture looks.

use geometry::Line;

use crate::colour::{Colour, ramp};

/// How a picture looks. Change what you need of [`Style::default`].
#[derive(Debug, Clone, PartialEq)]
pub struct Style {
    /// Dark on light or light on dark.
    pub theme: Theme,
    /// Write its number into every played dot; a drawing has none.
    pub numbers: bool,
    /// Colour dots and lines from early to late, with a legend; a drawing has no order to show.
    pub colour_by_time: bool,
    /// The distance of neighbouring dots in pixels, from 4 to 400; a board too large for it
    /// gets a smaller one.
    pub cell: f64,
    /// A line of text under the board: game, number of moves, who or what found it.
    pub caption: bool,
    /// The number, counted from 1, of a move to show as faulty.
    pub fault: Option<usize>,
    /// Lines to show as stuck: no order of play reaches them.
    pub stuck: Vec<Line>,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            theme: Theme::Light,
            numbers: true,
            colour_by_time: false,
            cell: 36.0,
            caption: true,
            fault: None,
            stuck: Vec::new(),
        }
    }
}

/// The background, and what goes with it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// For paper and bright pages.
    #[default]
    Light,
    /// For dark pages.
    Dark,
}

/// The colours of a theme.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Palette {
    pub(crate) paper: Colour,
    pub(crate) grid: Colour,
    pub(crate) start: Colour,
    pub(crate) line: Colour,
    pub(crate) dot: Colour,
    pub(crate) ring: Colour,
    pub(crate) number: Colour,
    pub(crate) caption: Colour,
    pub(crate) warning: Colour,
    /// The move just played, while a game is played.
    pub(crate) accent: Colour,
    /// The part of the ramp that stands out from the paper.
    ramp: (f64, f64),
}

impl Palette {
    pub(crate) fn of(theme: Theme) -> Self {
        match theme {
            Theme::Light => Self {
                paper: Colour::hex(0xfdfdfb),
                grid: Colour::hex(0xebebe5),
                start: Colour::hex(0x20242b),
                line: Colour::hex(0x5b8cc4),
                dot: Colour::hex(0xffffff),
                ring: Colour::hex(0x35639c),
                number: Colour::hex(0x16304f),
                caption: Colour::hex(0x454b55),
                warning: Colour::hex(0xd6401b),
                accent: Colour::hex(0xf08c00),
                ramp: (0.07, 0.88),
            },
            Theme::Dark => Self {
                paper: Colour::hex(0x13161b),
                grid: Colour::hex(0x21262e),
                start: Colour::hex(0xf4f1ea),
                line: Colour::hex(0x4f82bd),
                dot: Colour::hex(0x1a2431),
                ring: Colour::hex(0x7fb2ea),
                number: Colour::hex(0xeaf3ff),
                caption: Colour::hex(0xb6bec9),
                warning: Colour::hex(0xff7a4d),
                accent: Colour::hex(0xffb640),
                ramp: (0.24, 1.0),
            },
        }
    }

    /// The colour of a time, from 0 (first) to 1 (last).
    pub(crate) fn at(&self, time: f64) -> Colour {
        let (first, last) = self.ramp;
        ramp(first + (last - first) * time)
    }

    /// One of seven colours that the colour-blind can tell apart (Okabe and Ito), dark or bright
    /// enough for the paper.
    pub(crate) fn hue(&self, number: usize) -> Colour {
        const DARK: [u32; 7] =
            [0x0072b2, 0xd55e00, 0x007a5a, 0xb0468a, 0x8a6d00, 0x2f8fc4, 0x555b66];
        const BRIGHT: [u32; 7] =
            [0x56b4e9, 0xff8c42, 0x2fd0a0, 0xe38fc0, 0xf0e442, 0x4c9be8, 0xb6bec9];
        let hues = if self.paper.brightness() < 0.46 { BRIGHT } else { DARK };
        Colour::hex(hues[number % hues.len()])
    }

    /// The colour of writing on a ground of this colour.
    pub(crate) fn on(&self, ground: Colour) -> Colour {
        if ground.brightness() < 0.46 { Colour::hex(0xffffff) } else { Colour::hex(0x10151c) }
    }
}
