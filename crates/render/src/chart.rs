//! Charts: tables of numbers as lines and marks over axes, in one or more panels.
//!
//! Only SVG, with its own ground, so that it can be read on bright and on dark pages. What the
//! numbers mean is the caller's matter.

mod draw;
mod scale;

use crate::style::Theme;

pub use draw::chart;

/// A chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Above all panels.
    pub title: String,
    /// Smaller, under the title; may be empty.
    pub note: String,
    /// The panels, from left to right and from top to bottom.
    pub panels: Vec<Panel>,
    /// Whether the series are steps of one quantity: then their colours go from dark to bright.
    pub ordered: bool,
    /// Dark on light or light on dark.
    pub theme: Theme,
}

/// One pair of axes with what is drawn over it.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Above the panel.
    pub title: String,
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
    /// What is drawn, the first below the others.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it measures.
    pub label: String,
    /// How values become places.
    pub scale: Scale,
    /// Values that must be within, even if no point is there.
    pub include: Vec<f64>,
}

impl Axis {
    /// An even axis.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Linear, include: Vec::new() }
    }

    /// An axis on which every decade has the same length.
    pub fn logarithmic(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: Scale::Logarithmic, include: Vec::new() }
    }

    /// An axis of names, at the places 0, 1, 2 and so on.
    pub fn names(label: impl Into<String>, names: Vec<String>) -> Self {
        Self { label: label.into(), scale: Scale::Names(names), include: Vec::new() }
    }

    /// The same axis with these values within.
    pub fn including(mut self, values: &[f64]) -> Self {
        self.include.extend_from_slice(values);
        self
    }
}

/// How values become places on an axis.
#[derive(Debug, Clone, PartialEq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By their logarithms; values that have none are left out.
    Logarithmic,
    /// The names of the places 0, 1, 2 and so on.
    Names(Vec<String>),
}

/// Points that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// In the legend; series of the same name in other panels share the entry.
    pub name: String,
    /// The number of its colour and of the shape of its marks.
    pub hue: usize,
    /// How it is drawn.
    pub look: SeriesStyle,
    /// Its points, from left to right.
    pub points: Vec<Mark>,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeriesStyle {
    /// Marks joined by a line, with bars from low to high.
    Line,
    /// Marks alone, with bars from low to high.
    Marks,
    /// Hollow marks, large enough to stand round others.
    Hollow,
    /// A line in a band from low to high.
    Band,
    /// A line that keeps its height until the next point.
    Stairs,
}

/// A point with how far it may be off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mark {
    /// From left to right.
    pub x: f64,
    /// From bottom to top.
    pub y: f64,
    /// The lower end of its bar.
    pub low: f64,
    /// The upper end of its bar.
    pub high: f64,
}

impl Mark {
    /// A point without a bar.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, low: y, high: y }
    }

    /// A point with a bar of this length to both sides.
    pub fn with_error(x: f64, y: f64, error: f64) -> Self {
        Self { x, y, low: y - error, high: y + error }
    }
}
