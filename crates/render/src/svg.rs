//! A picture as SVG text.
//!
//! It needs no fonts but for the caption, no style sheet and no identifiers, so it stands alone as
//! a file, in an `<img>`, or several times in one page.

use std::fmt::{self, Write};

use record::Record;

use crate::caption;
use crate::picture::Picture;
use crate::shape::{Path, Shape, Step, Vector};
use crate::style::Style;

/// What captions and charts are set in; numbers are drawn as strokes.
pub(crate) const FONT: &str = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif";

/// Draws a game as SVG.
///
/// The game itself goes along in `<metadata>`, so that the picture can be read back as a record.
pub fn svg(record: &Record, style: &Style) -> String {
    let picture = Picture::new(record, style);
    let mut out = String::new();
    write(&picture, &mut out).expect("writing to a string does not fail");
    out
}

/// The opening tag of every picture; `more` are attributes after the usual ones.
pub(crate) fn open_svg(
    out: &mut String,
    width: impl fmt::Display,
    height: impl fmt::Display,
    more: &str,
) -> fmt::Result {
    write!(out, r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}""#)?;
    writeln!(out, r#" width="{width}" height="{height}" role="img"{more}>"#)
}

fn write(picture: &Picture<'_>, out: &mut String) -> fmt::Result {
    let (width, height, record) = (picture.width, picture.height, picture.look.record);
    open_svg(out, width, height, "")?;
    writeln!(out, "<title>Morpion Solitaire: {}</title>", Escaped(&caption::full(record)))?;
    writeln!(out, "<desc>{}</desc>", Escaped(&caption::description(record)))?;
    writeln!(out, "{}", record.to_svg_metadata())?;
    writeln!(out, r#"<path fill="{}" d="M0 0h{width}v{height}H0z"/>"#, picture.palette().paper)?;
    writeln!(out, r#"<g stroke-linecap="round" stroke-linejoin="round">"#)?;
    group("grid", picture.grid(), out)?;
    group("lines", picture.lines(), out)?;
    group("start", picture.start(), out)?;
    group("moves", picture.played(), out)?;
    group("caption", picture.caption(), out)?;
    writeln!(out, "</g>\n</svg>")
}

/// Shapes under a name.
pub(crate) fn group(
    class: &str,
    shapes: impl IntoIterator<Item = Shape>,
    out: &mut String,
) -> fmt::Result {
    writeln!(out, r#"<g class="{class}">"#)?;
    for shape in shapes {
        element(&shape, out)?;
    }
    writeln!(out, "</g>")
}

fn element(shape: &Shape, out: &mut String) -> fmt::Result {
    match shape {
        Shape::Line { from, to, width, colour } => writeln!(
            out,
            r#"<path stroke="{colour}" stroke-width="{}" d="M{} {}L{} {}"/>"#,
            Short(*width),
            Short(from.x),
            Short(from.y),
            Short(to.x),
            Short(to.y),
        ),
        Shape::Disc { centre, radius, fill, ring } => {
            let (x, y, radius) = (Short(centre.x), Short(centre.y), Short(*radius));
            write!(out, r#"<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}""#)?;
            if let Some((width, colour)) = ring {
                write!(out, r#" stroke="{colour}" stroke-width="{}""#, Short(*width))?;
            }
            writeln!(out, "/>")
        }
        Shape::Filled { path, colour } => {
            writeln!(out, r#"<path fill="{colour}" d="{}"/>"#, Data(path))
        }
        Shape::Stroked { path, width, colour } => writeln!(
            out,
            r#"<path fill="none" stroke="{colour}" stroke-width="{}" d="{}"/>"#,
            Short(*width),
            Data(path),
        ),
        Shape::Text { content, at, height, colour } => writeln!(
            out,
            r#"<text x="{}" y="{}" fill="{colour}" font-family="{FONT}" font-size="{}">{}</text>"#,
            Short(at.x),
            Short(at.y),
            // Capitals are about 0.72 of the font size high.
            Short(height / 0.72),
            Escaped(content),
        ),
    }
}

/// The `d` of a path. Steps are written relative to the place before, which is shorter; places are
/// rounded before they are compared, so that no error adds up.
struct Data<'a>(&'a Path);

impl fmt::Display for Data<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut pen, mut down) = (Vector::new(0.0, 0.0), Vector::new(0.0, 0.0));
        for step in &self.0.steps {
            match *step {
                Step::Move(to) => {
                    write!(f, "M{}{}", Short(to.x), Next(to.y))?;
                    (pen, down) = (rounded(to), rounded(to));
                }
                Step::Line(to) => {
                    let to = rounded(to);
                    if to.y == pen.y {
                        write!(f, "h{}", Short(to.x - pen.x))?;
                    } else if to.x == pen.x {
                        write!(f, "v{}", Short(to.y - pen.y))?;
                    } else {
                        write!(f, "l{}{}", Short(to.x - pen.x), Next(to.y - pen.y))?;
                    }
                    pen = to;
                }
                Step::Curve(one, two, to) => {
                    f.write_str("c")?;
                    let [one, two, to] = [one, two, to].map(rounded);
                    write!(f, "{}{}", Short(one.x - pen.x), Next(one.y - pen.y))?;
                    write!(f, "{}{}", Next(two.x - pen.x), Next(two.y - pen.y))?;
                    write!(f, "{}{}", Next(to.x - pen.x), Next(to.y - pen.y))?;
                    pen = to;
                }
                Step::Close => {
                    f.write_str("z")?;
                    pen = down;
                }
            }
        }
        Ok(())
    }
}

fn rounded(place: Vector) -> Vector {
    Vector::new(hundredths(place.x), hundredths(place.y))
}

/// Adding zero turns a negative zero into a positive one.
fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0 + 0.0
}

/// A number with at most two decimals and without the zero before the point.
#[derive(Clone, Copy)]
pub(crate) struct Short(pub(crate) f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = hundredths(self.0);
        if number == 0.0 || number.abs() >= 1.0 {
            return write!(f, "{number}");
        }
        let digits = number.abs().to_string();
        let sign = if number < 0.0 { "-" } else { "" };
        write!(f, "{sign}{}", digits.trim_start_matches('0'))
    }
}

/// A number after another: a minus sign separates them as well as a space does.
struct Next(f64);

impl fmt::Display for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let space = if hundredths(self.0) < 0.0 { "" } else { " " };
        write!(f, "{space}{}", Short(self.0))
    }
}

/// Text as the content of an element; it must have no characters that XML cannot hold.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                _ => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use geometry::Line;
    use proptest::prelude::*;
    use roxmltree::{Document, Node};

    fn class<'a>(document: &'a Document<'_>, name: &str) -> Node<'a, 'a> {
        let found = document.descendants().find(|node| node.attribute("class") == Some(name));
        found.expect("every picture has its groups")
    }

    fn count(group: Node<'_, '_>, element: &str) -> usize {
        group.descendants().filter(|node| node.has_tag_name(element)).count()
    }

    #[test]
    fn every_move_has_a_line_a_dot_and_a_number() {
        let text = svg(&testing::game(12), &Style::default());
        let document = Document::parse(&text).expect("well-formed");
        assert_eq!(count(class(&document, "start"), "circle"), 36);
        assert_eq!(count(class(&document, "moves"), "circle"), 12);
        assert_eq!(count(class(&document, "moves"), "path"), 12);
        // Each line comes with the stub at its dot.
        assert_eq!(count(class(&document, "lines"), "path"), 2 * 12);
    }

    #[test]
    fn a_drawing_has_dots_without_numbers_or_colours_of_time() {
        let style = Style { colour_by_time: true, ..Style::default() };
        let text = svg(&testing::game(12).to_drawing(), &style);
        let document = Document::parse(&text).expect("well-formed");
        assert_eq!(count(class(&document, "moves"), "circle"), 12);
        assert_eq!(count(class(&document, "moves"), "path"), 0);
        assert_eq!(count(class(&document, "caption"), "path"), 0);
    }

    #[test]
    fn faulty_and_stuck_lines_come_last_and_in_the_warning_colour() {
        let record = testing::game(9);
        let stuck: Vec<Line> = record.lines().skip(3).take(2).collect();
        let style = Style { fault: Some(2), stuck, ..Style::default() };
        let text = svg(&record, &style);
        let document = Document::parse(&text).expect("well-formed");
        let lines = class(&document, "lines").children().filter(Node::is_element);
        let fills: Vec<&str> = lines.filter_map(|line| line.attribute("fill")).collect();
        let warning = crate::style::Palette::of(style.theme).warning.to_string();
        assert_eq!(fills.len(), 9);
        assert!(fills[6..].iter().all(|&fill| fill == warning), "{fills:?}");
        assert!(fills[..6].iter().all(|&fill| fill != warning), "{fills:?}");
    }

    #[test]
    fn markup_in_a_name_stays_text() {
        let mut record = testing::game(2);
        record.provenance.author = Some("</text><script>1&2</script>\u{0}\u{ffff}".to_owned());
        let text = svg(&record, &Style::default());
        let document = Document::parse(&text).expect("well-formed");
        assert_eq!(count(document.root(), "script"), 0);
        let caption = document.descendants().find(|node| node.has_tag_name("text"));
        let caption = caption.and_then(|node| node.text()).expect("a caption");
        assert!(caption.contains("</text>"), "{caption}");
        let title = document.root_element().first_element_child().expect("a title");
        assert!(title.text().is_some_and(|text| text.ends_with("1&2</script>")), "{title:?}");
    }

    #[test]
    fn numbers_are_written_short() {
        let written = |number| Short(number).to_string();
        assert_eq!(written(12.0), "12");
        assert_eq!(written(-0.456), "-.46");
        assert_eq!(written(-0.001), "0");
        assert_eq!(format!("{}{}{}", Short(1.5), Next(-2.0), Next(0.25)), "1.5-2 .25");
    }

    proptest! {
        #[test]
        fn any_record_gives_a_sound_picture_that_carries_it(
            record in testing::any_record(),
            by_time in any::<bool>(),
            caption in any::<bool>(),
            cell in prop_oneof![Just(36.0), any::<f64>()],
        ) {
            let style = Style { colour_by_time: by_time, caption, cell, ..Style::default() };
            let text = svg(&record, &style);
            let document = Document::parse(&text).expect("well-formed");
            for attribute in document.descendants().flat_map(|node| node.attributes()) {
                let value = attribute.value();
                prop_assert!(!value.contains("NaN") && !value.contains("inf"), "{value}");
            }
            prop_assert_eq!(record::read(text.as_bytes(), None).expect("carried along"), record);
        }
    }
}
