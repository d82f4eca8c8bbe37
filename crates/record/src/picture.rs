//! A start as a picture made of characters.

use geometry::{Point, Start};

use crate::error::Snippet;
use crate::scan::without_comment;
use crate::{LineFault, MoveFault, ReadError, limits};

/// The characters that are dots.
const DOTS: [char; 5] = ['o', 'O', 'x', 'X', '*'];

/// The characters that are empty.
const EMPTY: [char; 2] = ['.', ' '];

/// Whether this is a picture rather than a list of points, or an attempt at one.
pub(crate) fn is_likely(text: &str) -> bool {
    let drawn = |c: char| DOTS.contains(&c) || EMPTY.contains(&c) || c.is_whitespace();
    text.lines().any(|line| without_comment(line).contains(DOTS))
        && text
            .lines()
            .map(without_comment)
            .find(|line| !line.trim().is_empty())
            // All but for slips.
            .is_some_and(|line| {
                2 * line.chars().filter(|&c| drawn(c)).count() > line.chars().count()
            })
}

/// Reads a picture. A line that holds only a comment is no row; an empty line is an empty row.
pub(crate) fn read(text: &str) -> Result<Start, ReadError> {
    let rows = (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with('#'));
    let mut dots = Vec::new();
    for (y, (line, row)) in rows.enumerate() {
        read_row(y, without_comment(row).trim_end(), &mut dots)
            .map_err(|fault| ReadError::Line { line, fault })?;
    }
    Start::from_dots(dots).map_err(|bad| ReadError::Start(bad.into()))
}

/// Adds the dots of one row.
fn read_row(y: usize, row: &str, dots: &mut Vec<Point>) -> Result<(), LineFault> {
    let coordinate = |c: usize| i32::try_from(c).map_err(|_| MoveFault::TooFar);
    for (x, c) in row.chars().enumerate() {
        if DOTS.contains(&c) {
            let dot = Point::new(coordinate(x)?, coordinate(y)?);
            if !dot.within_limit() {
                return Err(MoveFault::TooFar.into());
            }
            if dots.len() == limits::DOTS {
                return Err(LineFault::TooMany { limit: limits::DOTS });
            }
            dots.push(dot);
        } else if !EMPTY.contains(&c) {
            return Err(LineFault::Picture { found: Snippet::of(c.encode_utf8(&mut [0; 4])) });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_character_is_the_origin() {
        let text = "# a start\r\n .o\r\n\r\n*  x # two\r\n";
        assert!(is_likely(text));
        let dots = [Point::new(2, 0), Point::new(0, 2), Point::new(3, 2)];
        assert_eq!(read(text), Ok(Start::from_dots(dots).expect("few dots")));
    }

    #[test]
    fn a_cross_may_be_drawn() {
        let text = " oo \noooo\noooo\n oo ";
        let hollow = " oo \nooxo\noXOo\n ** ";
        assert_eq!(read(text), read(hollow));
        assert_eq!(read(" oo\no..o\no  o\n.oo").expect("drawn").dots().len(), 8);
    }

    #[test]
    fn other_characters_are_refused() {
        let refused = read("..o\n.q.\n").expect_err("no such character").to_string();
        assert!(refused.starts_with("line 2: expected `.` or a space"), "{refused}");
        assert!(refused.ends_with("found `q`"), "{refused}");
        assert!(read("o\to").is_err());
    }

    #[test]
    fn lists_of_points_and_names_are_no_pictures() {
        for text in ["0,0\n", "(0,0)\n", "5T\n", "empty\n", "cross\n", "", "....\n", "# ooo\n"] {
            assert!(!is_likely(text), "{text}");
        }
    }
}
