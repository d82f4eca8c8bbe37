//! A picture as LaTeX.

use std::fmt::{self, Write};

use geometry::{Move, Point, Rules};
use record::Record;

use crate::caption;
use crate::colour::Colour;
use crate::glyphs;
use crate::look::{GameLook, bounds, played};
use crate::style::Style;

/// The size of a cell on paper, in millimetres.
const CELL: f64 = 7.0;
/// The most cells from side to side, and the largest coordinate, at that size. TeX's longest
/// length is under six metres; larger boards are moved to the origin and made smaller.
const MAX_CELLS: i32 = 400;

/// Draws a game as LaTeX with TikZ: a document of its own, to be included or edited.
///
/// Coordinates are those of the native format, y down. The style's `cell` is for pixels and has no
/// part here.
pub fn tikz(record: &Record, style: &Style) -> String {
    let drawing = Drawing::new(record, style);
    let mut out = String::new();
    drawing.write(&mut out).expect("writing to a string does not fail");
    out
}

struct Drawing<'a> {
    look: GameLook<'a>,
    low: Point,
    high: Point,
    /// What is subtracted from coordinates, and what they are then multiplied with.
    shift: Point,
    factor: f64,
}

impl<'a> Drawing<'a> {
    fn new(record: &'a Record, style: &'a Style) -> Self {
        let (low, high) = bounds(record);
        let side = (high.x - low.x).max(high.y - low.y);
        let far = [low.x, low.y, high.x, high.y].into_iter().any(|c| c.abs() > MAX_CELLS);
        Self {
            look: GameLook::new(record, style),
            low,
            high,
            shift: if far { low } else { Point::new(0, 0) },
            factor: (f64::from(MAX_CELLS) / f64::from(side.max(1))).min(1.0),
        }
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "% Morpion Solitaire. Compile with pdflatex, lualatex or tectonic.")?;
        writeln!(out, "\\documentclass[tikz,border=0pt]{{standalone}}")?;
        self.write_colours(out)?;
        self.write_styles(out)?;
        writeln!(out, "\\begin{{document}}\n\\begin{{tikzpicture}}[x={CELL}mm,y=-{CELL}mm]")?;
        self.write_ground(out)?;
        let record = self.look.record;
        for number in 0..record.lines().len() {
            self.write_line(number, out)?;
        }
        for &dot in record.game.start.dots() {
            writeln!(out, "\\node[start] at {} {{}};", self.place(dot))?;
        }
        for (number, dot) in played(record).into_iter().enumerate() {
            self.write_dot(number, dot, out)?;
        }
        if self.look.style.caption {
            let below = Point::new(self.low.x, self.high.y);
            let text = Escaped(&caption::full(record)).to_string();
            writeln!(out, "\\node[caption] at {} {{{text}}};", self.place(below))?;
        }
        writeln!(out, "\\end{{tikzpicture}}\n\\end{{document}}")
    }

    fn write_colours(&self, out: &mut String) -> fmt::Result {
        let palette = &self.look.palette;
        for (name, colour) in [
            ("paper", palette.paper),
            ("grid", palette.grid),
            ("start", palette.start),
            ("line", palette.line),
            ("dot", palette.dot),
            ("ring", palette.ring),
            ("number", palette.number),
            ("caption", palette.caption),
            ("warning", palette.warning),
        ] {
            writeln!(out, "{}", Define(name, colour))?;
        }
        Ok(())
    }

    /// Styles in millimetres: TikZ does not scale the widths of lines and nodes with coordinates.
    fn write_styles(&self, out: &mut String) -> fmt::Result {
        let cell = CELL * self.factor;
        let size = |share: f64| Short((cell * share).max(0.1));
        let dot = if self.has_numbers() { 0.72 } else { 0.48 };
        writeln!(
            out,
            "\\tikzset{{\n  \
             start/.style={{circle,fill=start,inner sep=0,minimum size={start}mm}},\n  \
             dot/.style={{circle,draw=ring,fill=dot,text=number,line width={ring}mm,\
             inner sep=0,minimum size={dot}mm,\
             font=\\sffamily\\fontsize{{6.5}}{{6.5}}\\selectfont}},\n  \
             thin line/.style={{line width={thin}mm}},\n  \
             thick line/.style={{line width={thick}mm,line cap=round,\
             shorten <={short}mm,shorten >={short}mm}},\n  \
             stub/.style={{line width={stub}mm,line cap=round}},\n  \
             caption/.style={{anchor=north west,text=caption,font=\\sffamily\\small,\
             inner sep=0,yshift=-{below}mm}},\n}}",
            start = size(0.5),
            ring = size(0.06),
            dot = size(dot),
            thin = size(0.05),
            thick = size(0.1),
            short = size(0.55),
            stub = size(0.14),
            below = size(1.0),
        )?;
        writeln!(out, "% A line is thin at its ends, so that two in a row show where they meet.")?;
        writeln!(
            out,
            "\\newcommand\\gameline[3]{{\\draw[color=#1,thin line] #2 -- #3; \
             \\draw[color=#1,thick line] #2 -- #3;}}"
        )
    }

    /// The paper, which must reach under the caption, and the grid.
    fn write_ground(&self, out: &mut String) -> fmt::Result {
        let (left, top) = self.coordinates(self.low.x.into(), self.low.y.into());
        let (right, bottom) = self.coordinates(self.high.x.into(), self.high.y.into());
        let under = if self.look.style.caption { 2.2 } else { 1.0 };
        let corners = [left - 1.0, top - 1.0, right + 1.0, bottom + under].map(Short);
        let [x0, y0, x1, y1] = &corners;
        writeln!(out, "\\fill[color=paper] ({x0},{y0}) rectangle ({x1},{y1});")?;
        if self.factor == 1.0 {
            let end = Short(bottom + 1.0);
            writeln!(
                out,
                "\\draw[color=grid,step={CELL}mm,line width=0.2mm] ({x0},{y0}) grid ({x1},{end});"
            )?;
        }
        Ok(())
    }

    fn write_line(&self, number: usize, out: &mut String) -> fmt::Result {
        let line = self.look.line(number);
        let (from, to) = (self.place(line.start), self.place(line.end(self.rules())));
        let (line, stub) = if self.look.warns(number) {
            ("warning", "warning")
        } else if self.look.has_times() {
            write!(out, "{}", Define("time", self.look.line_colours(number).0))?;
            ("time", "time")
        } else {
            ("line", "ring")
        };
        write!(out, "\\gameline{{{line}}}{{{from}}}{{{to}}}")?;
        if let Some(&mv) = self.look.moves().get(number) {
            let (from, to) = self.stub(mv);
            write!(out, " \\draw[color={stub},stub] {from} -- {to};")?;
        }
        writeln!(out)
    }

    fn write_dot(&self, number: usize, dot: Point, out: &mut String) -> fmt::Result {
        let place = self.place(dot);
        let ordered = !self.look.moves().is_empty();
        if ordered && (self.look.has_times() || self.look.warns(number)) {
            let (fill, _, writing) = self.look.dot_colours(number);
            write!(out, "{}{}", Define("time", fill), Define("on", writing))?;
            write!(out, "\\node[dot,fill=time,draw=time,text=on] at {place} ")?;
        } else {
            write!(out, "\\node[dot] at {place} ")?;
        }
        if self.has_numbers() {
            writeln!(out, "{{{}}};", number + 1)
        } else {
            writeln!(out, "{{}};")
        }
    }

    /// The part of a move's line next to its dot.
    fn stub(&self, mv: Move) -> (String, String) {
        let step = mv.line.direction.step();
        let last = (self.rules().length() - 1) as f64;
        let at = |offset: f64| {
            let offset = offset.clamp(0.0, last);
            let x = f64::from(mv.line.start.x) + offset * f64::from(step.x);
            let y = f64::from(mv.line.start.y) + offset * f64::from(step.y);
            let (x, y) = self.coordinates(x, y);
            format!("({},{})", Short(x), Short(y))
        };
        (at(f64::from(mv.offset) - 0.5), at(f64::from(mv.offset) + 0.5))
    }

    fn place(&self, point: Point) -> String {
        let (x, y) = self.coordinates(point.x.into(), point.y.into());
        format!("({},{})", Short(x), Short(y))
    }

    fn coordinates(&self, x: f64, y: f64) -> (f64, f64) {
        ((x - f64::from(self.shift.x)) * self.factor, (y - f64::from(self.shift.y)) * self.factor)
    }

    fn rules(&self) -> Rules {
        self.look.record.game.rules
    }

    fn has_numbers(&self) -> bool {
        self.look.has_numbers() && self.factor == 1.0
    }
}

/// Gives a colour a name.
struct Define(&'static str, Colour);

impl fmt::Display for Define {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name, Colour { red, green, blue }) = self;
        write!(f, "\\definecolor{{{name}}}{{HTML}}{{{red:02X}{green:02X}{blue:02X}}}")
    }
}

/// A number with at most three decimals, as TeX reads it.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding zero turns a negative zero into a positive one.
        write!(f, "{}", (self.0 * 1000.0).round() / 1000.0 + 0.0)
    }
}

/// Text that LaTeX prints as it is. Letters that its default fonts lack lose their accents.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '\\' => f.write_str("\\textbackslash{}")?,
                '~' => f.write_str("\\textasciitilde{}")?,
                '^' => f.write_str("\\textasciicircum{}")?,
                '<' => f.write_str("\\textless{}")?,
                '>' => f.write_str("\\textgreater{}")?,
                '|' => f.write_str("\\textbar{}")?,
                '·' => f.write_str("$\\cdot$")?,
                '{' | '}' | '$' | '&' | '#' | '_' | '%' => write!(f, "\\{c}")?,
                ' '..='~'
                | 'À'..='Ï'
                | 'Ñ'..='Ö'
                | 'Ø'..='Ý'
                | 'ß'..='ï'
                | 'ñ'..='ö'
                | 'ø'..='ý' => {
                    f.write_char(c)?;
                }
                _ => {
                    let plain = glyphs::without_accent(c);
                    f.write_char(if plain.is_ascii() && !plain.is_ascii_control() {
                        plain
                    } else {
                        '?'
                    })?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn every_move_has_a_line_and_a_numbered_node() {
        let text = tikz(&testing::game(12), &Style::default());
        assert_eq!(text.matches("\\gameline{line}").count(), 12);
        assert_eq!(text.matches("\\node[start]").count(), 36);
        assert!(text.contains("{12};") && !text.contains("{13};"));
        let coloured = Style { colour_by_time: true, fault: Some(3), ..Style::default() };
        let text = tikz(&testing::game(12), &coloured);
        assert_eq!(text.matches("\\gameline{time}").count(), 11);
        assert_eq!(text.matches("\\gameline{warning}").count(), 1);
    }

    #[test]
    fn a_drawing_has_nodes_without_numbers() {
        let text = tikz(&testing::game(12).to_drawing(), &Style::default());
        assert_eq!(text.matches("\\node[dot]").count(), 12);
        assert!(!text.contains("{12};"));
    }

    #[test]
    fn names_are_escaped() {
        let escaped = Escaped(r"\input{x} 50% & #1_~^$ é ę 三 ·").to_string();
        let expected = concat!(
            r"\textbackslash{}input\{x\} 50\% \& \#1\_",
            r"\textasciitilde{}\textasciicircum{}\$ é e ? $\cdot$"
        );
        assert_eq!(escaped, expected);
    }

    #[test]
    fn far_boards_stay_within_the_lengths_of_tex() {
        let text = tikz(&testing::far_apart(), &Style::default());
        let coordinates = text.split(['(', ',', ')']).filter_map(|word| word.parse::<f64>().ok());
        assert!(coordinates.fold(0.0, |most: f64, number| most.max(number.abs())) < 410.0);
    }
}
