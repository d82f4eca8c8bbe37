//! A chart as SVG text.

use std::fmt::{self, Write};

use super::scale::Ruler;
use super::{Axis, Chart, Mark, Panel, Series, SeriesStyle};
use crate::colour::Colour;
use crate::style::Palette;
use crate::svg::{Escaped, FONT, Short, open_svg};

/// The edge of the picture.
const EDGE: f64 = 18.0;
/// Between panels.
const GAP: f64 = 22.0;
/// Around the plot of a panel: left, right, above, below.
const AROUND: [f64; 4] = [52.0, 8.0, 28.0, 44.0];

/// Draws a chart as SVG.
pub fn chart(chart: &Chart) -> String {
    let mut out = String::new();
    Sheet::new(chart).write(&mut out).expect("writing to a string does not fail");
    out
}

/// A chart with its measures.
struct Sheet<'a> {
    chart: &'a Chart,
    palette: Palette,
    /// The size of each plot.
    plot: (f64, f64),
    columns: usize,
    legend: Vec<Entry<'a>>,
    /// Where the legend begins and the panels begin.
    tops: (f64, f64),
    width: f64,
    height: f64,
}

/// An entry of the legend and where it stands.
struct Entry<'a> {
    series: &'a Series,
    x: f64,
    row: usize,
}

impl<'a> Sheet<'a> {
    fn new(chart: &'a Chart) -> Self {
        let columns = chart.panels.len().clamp(1, 2);
        let rows = chart.panels.len().div_ceil(columns).max(1);
        let plot = if columns == 1 { (620.0, 340.0) } else { (380.0, 250.0) };
        let [left, right, above, below] = AROUND;
        let panel = (plot.0 + left + right, plot.1 + above + below);
        let width = 2.0 * EDGE + columns as f64 * (panel.0 + GAP) - GAP;
        let legend = legend(chart, width);
        let lines = legend.last().map_or(0, |entry| entry.row + 1);
        let top = EDGE + 20.0 + if chart.note.is_empty() { 0.0 } else { 18.0 };
        let panels = top + 8.0 + 20.0 * lines as f64 + 10.0;
        let height = panels + rows as f64 * (panel.1 + GAP) - GAP + EDGE - 4.0;
        let palette = Palette::of(chart.theme);
        Self { chart, palette, plot, columns, legend, tops: (top + 20.0, panels), width, height }
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let (width, height) = (Short(self.width), Short(self.height));
        open_svg(out, width, height, &format!(r#" font-family="{FONT}""#))?;
        writeln!(out, "<title>{}</title>", Escaped(&plain(&self.chart.title)))?;
        let panels: Vec<&str> = self.chart.panels.iter().map(|panel| &*panel.title).collect();
        writeln!(out, "<desc>{}</desc>", Escaped(&plain(&panels.join("; "))))?;
        let paper = self.palette.paper;
        writeln!(out, r#"<path fill="{paper}" d="M0 0h{width}v{height}H0z"/>"#)?;
        let strong = self.palette.start;
        text(out, &self.chart.title, (EDGE, EDGE + 12.0), 17.0, strong, r#" font-weight="600""#)?;
        if !self.chart.note.is_empty() {
            text(out, &self.chart.note, (EDGE, EDGE + 32.0), 12.5, self.palette.caption, "")?;
        }
        for entry in &self.legend {
            self.entry(entry, out)?;
        }
        let [left, right, above, below] = AROUND;
        for (number, panel) in self.chart.panels.iter().enumerate() {
            let (column, row) = ((number % self.columns) as f64, (number / self.columns) as f64);
            let x = EDGE + column * (self.plot.0 + left + right + GAP) + left;
            let y = self.tops.1 + row * (self.plot.1 + above + below + GAP) + above;
            self.panel(panel, (x, y), out)?;
        }
        writeln!(out, "</svg>")
    }

    fn entry(&self, entry: &Entry<'_>, out: &mut String) -> fmt::Result {
        let (x, y) = (entry.x, self.tops.0 + 20.0 * entry.row as f64);
        let (series, colour) = (entry.series, self.colour(entry.series.hue));
        let middle = y - 4.5;
        if series.look == SeriesStyle::Band {
            let (x, y) = (Short(x), Short(middle - 6.0));
            writeln!(out, r#"<path fill="{colour}" fill-opacity=".2" d="M{x} {y}h22v12h-22z"/>"#)?;
        }
        if matches!(series.look, SeriesStyle::Line | SeriesStyle::Band | SeriesStyle::Stairs) {
            line(out, (x, middle), (x + 22.0, middle), colour, 2.0)?;
        }
        if matches!(series.look, SeriesStyle::Line | SeriesStyle::Marks | SeriesStyle::Hollow) {
            self.mark((x + 11.0, middle), series.hue, series.look, 1.0, out)?;
        }
        text(out, &series.name, (x + 29.0, y), 13.0, self.palette.caption, "")
    }

    fn panel(&self, panel: &Panel, (left, top): (f64, f64), out: &mut String) -> fmt::Result {
        let (width, height) = self.plot;
        let points = || panel.series.iter().flat_map(|series| &series.points);
        let across = Ruler::new(&panel.x, points().map(|mark| mark.x), (width / 58.0) as usize);
        let ends = points().flat_map(|mark| [mark.y, mark.low, mark.high]);
        let up = Ruler::new(&panel.y, ends, (height / 36.0) as usize);
        writeln!(out, r#"<g class="panel">"#)?;
        let strong = self.palette.start;
        text(out, &panel.title, (left, top - 9.0), 14.0, strong, r#" font-weight="600""#)?;
        self.axes(panel, (&across, &up), (left, top), out)?;
        let place = |x: f64, y: f64| -> Option<(f64, f64)> {
            Some((left + across.place(x)? * width, top + height - up.place(y)? * height))
        };
        if points().next().is_none() {
            let middle = (left + width / 2.0, top + height / 2.0);
            text(out, "nothing to show", middle, 13.0, self.palette.caption, ANCHOR_MIDDLE)?;
        }
        for series in &panel.series {
            self.series(series, place, out)?;
        }
        writeln!(out, "</g>")
    }

    fn axes(
        &self,
        panel: &Panel,
        (across, up): (&Ruler, &Ruler),
        (left, top): (f64, f64),
        out: &mut String,
    ) -> fmt::Result {
        let (width, height) = self.plot;
        let (grid, ink) = (self.palette.grid, self.palette.caption);
        let bottom = top + height;
        for tick in &up.ticks {
            let Some(y) = up.place(tick.value).map(|place| bottom - place * height) else {
                continue;
            };
            if tick.label.is_empty() {
                line(out, (left - 3.0, y), (left, y), ink, 0.7)?;
                continue;
            }
            line(out, (left, y), (left + width, y), grid, 1.0)?;
            text(out, &tick.label, (left - 7.0, y + 4.0), 12.0, ink, r#" text-anchor="end""#)?;
        }
        for tick in &across.ticks {
            let Some(x) = across.place(tick.value).map(|place| left + place * width) else {
                continue;
            };
            if tick.label.is_empty() {
                line(out, (x, bottom), (x, bottom + 3.0), ink, 0.7)?;
                continue;
            }
            line(out, (x, top), (x, bottom), grid, 1.0)?;
            line(out, (x, bottom), (x, bottom + 5.0), ink, 1.0)?;
            text(out, &tick.label, (x, bottom + 19.0), 12.0, ink, ANCHOR_MIDDLE)?;
        }
        line(out, (left, bottom), (left + width, bottom), ink, 1.2)?;
        line(out, (left, top), (left, bottom), ink, 1.2)?;
        let Axis { label, .. } = &panel.x;
        text(out, label, (left + width / 2.0, bottom + 37.0), 12.5, ink, ANCHOR_MIDDLE)?;
        let (x, y) = (left - 40.0, top + height / 2.0);
        let turned =
            format!(r#"{ANCHOR_MIDDLE} transform="rotate(-90 {} {})""#, Short(x), Short(y));
        text(out, &panel.y.label, (x, y), 12.5, ink, &turned)
    }

    fn series(
        &self,
        series: &Series,
        place: impl Fn(f64, f64) -> Option<(f64, f64)>,
        out: &mut String,
    ) -> fmt::Result {
        let colour = self.colour(series.hue);
        let places: Vec<(&Mark, (f64, f64))> = series
            .points
            .iter()
            .filter_map(|mark| place(mark.x, mark.y).map(|at| (mark, at)))
            .collect();
        if places.is_empty() {
            return Ok(());
        }
        let at: Vec<(f64, f64)> = places.iter().map(|&(_, at)| at).collect();
        if series.look == SeriesStyle::Band {
            let highs = places.iter().filter_map(|(mark, _)| place(mark.x, mark.high));
            let lows = places.iter().rev().filter_map(|(mark, _)| place(mark.x, mark.low));
            let edge: Vec<_> = highs.chain(lows).collect();
            write!(out, r#"<path fill="{colour}" fill-opacity=".18" d=""#)?;
            route(out, &edge, false)?;
            writeln!(out, r#"z"/>"#)?;
        }
        if matches!(series.look, SeriesStyle::Line | SeriesStyle::Marks) {
            let bars = places.iter().filter(|(mark, _)| mark.low < mark.high);
            let bars: Vec<_> = bars
                .filter_map(|(mark, _)| Some((place(mark.x, mark.low)?, place(mark.x, mark.high)?)))
                .collect();
            // Caps only where they do not touch each other.
            let cap = if places.len() > 25 { 0.0 } else { 3.0 };
            for (low, high) in bars {
                line(out, low, high, colour, 1.1)?;
                for end in [low, high] {
                    if cap > 0.0 {
                        line(out, (end.0 - cap, end.1), (end.0 + cap, end.1), colour, 1.1)?;
                    }
                }
            }
        }
        if matches!(series.look, SeriesStyle::Line | SeriesStyle::Band | SeriesStyle::Stairs) {
            let thick = if at.len() > 25 { 1.4 } else { 1.8 };
            write!(out, r#"<path fill="none" stroke="{colour}" stroke-width="{thick}" "#)?;
            write!(out, r#"stroke-linejoin="round" d=""#)?;
            route(out, &at, series.look == SeriesStyle::Stairs)?;
            writeln!(out, r#""/>"#)?;
        }
        if matches!(series.look, SeriesStyle::Line | SeriesStyle::Marks | SeriesStyle::Hollow) {
            let size = if at.len() > 25 { 0.6 } else { 1.0 };
            for &at in &at {
                self.mark(at, series.hue, series.look, size, out)?;
            }
        }
        Ok(())
    }

    /// A mark whose shape goes with its colour, for those who cannot tell the colours apart.
    fn mark(
        &self,
        (x, y): (f64, f64),
        hue: usize,
        look: SeriesStyle,
        size: f64,
        out: &mut String,
    ) -> fmt::Result {
        let colour = self.colour(hue);
        let hollow = look == SeriesStyle::Hollow;
        let r = if hollow { 6.0 } else { 3.6 * size };
        let style = if hollow {
            format!(r#"fill="none" stroke="{colour}" stroke-width="1.6""#)
        } else {
            format!(r#"fill="{colour}""#)
        };
        let (dx, dy) = (Short(x), Short(y));
        match hue % 4 {
            0 => writeln!(out, r#"<circle cx="{dx}" cy="{dy}" r="{}" {style}/>"#, Short(r)),
            1 => {
                let r = 0.9 * r;
                let (x, y, side) = (Short(x - r), Short(y - r), Short(2.0 * r));
                writeln!(out, r#"<rect x="{x}" y="{y}" width="{side}" height="{side}" {style}/>"#)
            }
            shape => {
                let corners: &[(f64, f64)] = if shape == 2 {
                    &[(0.0, -1.2), (1.1, 0.8), (-1.1, 0.8)]
                } else {
                    &[(0.0, -1.25), (1.25, 0.0), (0.0, 1.25), (-1.25, 0.0)]
                };
                let corners: Vec<_> =
                    corners.iter().map(|(dx, dy)| (x + dx * r, y + dy * r)).collect();
                write!(out, r#"<path {style} d=""#)?;
                route(out, &corners, false)?;
                writeln!(out, r#"z"/>"#)
            }
        }
    }

    fn colour(&self, hue: usize) -> Colour {
        if self.chart.ordered {
            let hues = self.chart.panels.iter().flat_map(|panel| &panel.series);
            let last = hues.map(|series| series.hue).max().unwrap_or(0).max(1);
            // The end of the ramp is for areas: thin lines need to be darker.
            return self.palette.at(0.9 * hue as f64 / last as f64);
        }
        self.palette.hue(hue)
    }
}

/// One entry for each name, wrapped at the width of the picture.
fn legend(chart: &Chart, width: f64) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let (mut x, mut row) = (EDGE, 0);
    for series in chart.panels.iter().flat_map(|panel| &panel.series) {
        if entries.iter().any(|entry| entry.series.name == series.name) {
            continue;
        }
        let long = 29.0 + 7.0 * series.name.chars().count() as f64 + 18.0;
        if x + long > width - EDGE + 18.0 && x > EDGE {
            (x, row) = (EDGE, row + 1);
        }
        entries.push(Entry { series, x, row });
        x += long;
    }
    entries
}

const ANCHOR_MIDDLE: &str = r#" text-anchor="middle""#;

fn text(
    out: &mut String,
    content: &str,
    (x, y): (f64, f64),
    size: f64,
    colour: Colour,
    more: &str,
) -> fmt::Result {
    let (x, y, content) = (Short(x), Short(y), plain(content));
    let content = Escaped(&content);
    writeln!(
        out,
        r#"<text x="{x}" y="{y}" font-size="{size}" fill="{colour}"{more}>{content}</text>"#
    )
}

fn line(
    out: &mut String,
    from: (f64, f64),
    to: (f64, f64),
    colour: Colour,
    width: f64,
) -> fmt::Result {
    let (x1, y1, x2, y2) = (Short(from.0), Short(from.1), Short(to.0), Short(to.1));
    writeln!(out, r#"<path stroke="{colour}" stroke-width="{width}" d="M{x1} {y1}L{x2} {y2}"/>"#)
}

/// The inside of a `d`: straight lines, or stairs, from place to place.
fn route(out: &mut String, places: &[(f64, f64)], stairs: bool) -> fmt::Result {
    for (number, &(x, y)) in places.iter().enumerate() {
        if number == 0 {
            write!(out, "M{} {}", Short(x), Short(y))?;
        } else if stairs {
            write!(out, "H{}V{}", Short(x), Short(y))?;
        } else {
            write!(out, "L{} {}", Short(x), Short(y))?;
        }
    }
    Ok(())
}

/// Text without characters that XML cannot hold.
fn plain(text: &str) -> String {
    let allowed = |c: &char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars().filter(allowed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::Theme;
    use proptest::prelude::*;
    use roxmltree::Document;

    fn sample(points: Vec<Mark>, look: SeriesStyle) -> Chart {
        let series = |hue: usize| Series {
            name: format!("series <{hue}> & more\u{1}"),
            hue,
            look,
            points: points.clone(),
        };
        let panel = |x: Axis| Panel {
            title: "A panel".to_owned(),
            x,
            y: Axis::linear("moves").including(&[0.0]),
            series: (0..5).map(series).collect(),
        };
        Chart {
            title: "A <chart> & its title".to_owned(),
            note: "a note".to_owned(),
            panels: vec![
                panel(Axis::linear("x")),
                panel(Axis::logarithmic("x")),
                panel(Axis::names("x", vec!["4D".to_owned(), "4T".to_owned()])),
            ],
            ordered: false,
            theme: Theme::Light,
        }
    }

    const LOOKS: [SeriesStyle; 5] = [
        SeriesStyle::Line,
        SeriesStyle::Marks,
        SeriesStyle::Hollow,
        SeriesStyle::Band,
        SeriesStyle::Stairs,
    ];

    #[test]
    fn every_look_is_well_formed() {
        let points = vec![Mark::new(1.0, 2.0), Mark::with_error(10.0, 3.0, 0.5)];
        for look in LOOKS {
            for (ordered, theme) in [(false, Theme::Light), (true, Theme::Dark)] {
                let text = chart(&Chart { ordered, theme, ..sample(points.clone(), look) });
                let document = Document::parse(&text).expect("well-formed");
                let panels = document
                    .descendants()
                    .filter(|node| node.attribute("class") == Some("panel"))
                    .count();
                assert_eq!(panels, 3);
                let title = document.root_element().first_element_child().expect("a title");
                assert_eq!(title.text(), Some("A <chart> & its title"));
            }
        }
    }

    #[test]
    fn names_stand_in_the_legend_once() {
        let text = chart(&sample(vec![Mark::new(1.0, 2.0)], SeriesStyle::Line));
        assert_eq!(text.matches("series &lt;3&gt; &amp; more<").count(), 1);
    }

    #[test]
    fn a_chart_without_anything_is_a_chart() {
        let empty = Chart { panels: vec![], ..sample(vec![], SeriesStyle::Line) };
        Document::parse(&chart(&empty)).expect("well-formed");
        let text = chart(&sample(vec![], SeriesStyle::Band));
        assert!(text.contains("nothing to show"));
        Document::parse(&text).expect("well-formed");
    }

    proptest! {
        #[test]
        fn any_numbers_make_a_sound_chart(
            points in prop::collection::vec(any::<(f64, f64, f64, f64)>(), 0..8),
            look in prop::sample::select(LOOKS.to_vec()),
        ) {
            let mark = |(x, y, low, high)| Mark { x, y, low, high };
            let text = chart(&sample(points.into_iter().map(mark).collect(), look));
            let document = Document::parse(&text).expect("well-formed");
            for attribute in document.descendants().flat_map(|node| node.attributes()) {
                let value = attribute.value();
                prop_assert!(!value.contains("NaN") && !value.contains("inf"), "{value}");
            }
        }
    }
}
