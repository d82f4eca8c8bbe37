//! A start as a picture made of characters.

use geometry::{Point, Rules, Start};

use crate::error::Snippet;
use crate::scan::without_comment;
use crate::{LineFault, MoveFault, ReadError, limits};

/// The characters that are dots.
const DOTS: [char; 8] = ['o', 'O', 'x', 'X', '*', '●', '•', '■'];

/// The characters that are empty.
const EMPTY: [char; 3] = ['.', '·', ' '];

/// A picture, below a line that may name the game.
#[derive(Clone, Copy)]
pub(crate) struct Picture<'a> {
    /// The rules, if they are named.
    pub(crate) rules: Option<Rules>,
    /// The lines below.
    body: &'a str,
    /// The number of the first of them.
    first: usize,
    /// Whether `#` is a dot and begins no comment.
    hash: bool,
}

impl<'a> Picture<'a> {
    /// The picture in a text, or an attempt at one; `None` if it is a list of points, or a name.
    pub(crate) fn find(text: &'a str) -> Option<Self> {
        let (rules, first, body) = without_game(text);
        let picture = Self { rules, body, first, hash: is_drawn_with_hash(body) };
        let says = |c: &char| !c.is_whitespace();
        let (_, top) = picture.rows().find(|(_, row)| !row.trim().is_empty())?;
        let known = |c: &char| picture.is_dot(*c) || EMPTY.contains(c);
        // All but for slips.
        let is_drawn =
            2 * top.chars().filter(says).filter(known).count() > top.chars().filter(says).count();
        let has_dots = || picture.rows().any(|(_, row)| row.chars().any(|c| picture.is_dot(c)));
        (is_drawn && has_dots()).then_some(picture)
    }

    /// The dots of the picture; the first character of its first row is the point (0,0).
    pub(crate) fn start(self) -> Result<Start, ReadError> {
        let mut dots = Vec::new();
        for (y, (line, row)) in self.rows().enumerate() {
            self.read_row(y, row.trim_end(), &mut dots)
                .map_err(|fault| ReadError::Line { line, fault })?;
        }
        Start::from_dots(dots).map_err(|bad| ReadError::Start(bad.into()))
    }

    /// The rows and the numbers of their lines. A line that holds only a comment is no row; an
    /// empty line is an empty row.
    fn rows(self) -> impl Iterator<Item = (usize, &'a str)> {
        let lines = (self.first..).zip(self.body.lines());
        lines.filter(move |(_, line)| self.hash || !line.trim_start().starts_with('#')).map(
            move |(number, line)| (number, if self.hash { line } else { without_comment(line) }),
        )
    }

    fn is_dot(self, c: char) -> bool {
        DOTS.contains(&c) || self.hash && c == '#'
    }

    /// Adds the dots of one row.
    fn read_row(self, y: usize, row: &str, dots: &mut Vec<Point>) -> Result<(), LineFault> {
        let coordinate = |c: usize| i32::try_from(c).map_err(|_| MoveFault::TooFar);
        for (x, c) in row.chars().enumerate() {
            if self.is_dot(c) {
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
}

/// The rules that the first line names, if it does; what is below, and the number of its first
/// line.
fn without_game(text: &str) -> (Option<Rules>, usize, &str) {
    let mut end = 0;
    for (number, line) in (2..).zip(text.split_inclusive('\n')) {
        end += line.len();
        let said = without_comment(line).trim();
        if let Ok(rules) = said.parse() {
            return (Some(rules), number, &text[end..]);
        }
        if !said.is_empty() {
            break;
        }
    }
    (None, 1, text)
}

/// Whether a picture is drawn with `#`: nothing else is in it, and it is more than empty comments.
fn is_drawn_with_hash(body: &str) -> bool {
    let fits = |c: char| c == '#' || EMPTY.contains(&c) || c.is_whitespace();
    body.contains('#')
        && body.chars().all(fits)
        && ["##", ".", "·"].iter().any(|mark| body.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Start, ReadError> {
        Picture::find(text).expect("a picture").start()
    }

    #[test]
    fn the_first_character_is_the_origin() {
        let text = "# a start\r\n .o\r\n\r\n*  x # two\r\n";
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
            assert!(Picture::find(text).is_none(), "{text}");
        }
        for text in ["#\n5T\n", "5T\n# . #\n0,0\n", "hello\n", "( 1, 2 )  to  ( 3, 4 )\n"] {
            assert!(Picture::find(text).is_none(), "{text}");
        }
    }

    #[test]
    fn one_symbol_is_enough_below_the_game_or_without_it() {
        let grid = ".OO.\nO..O\n.OO.\n";
        let drawn = read(grid).expect("drawn");
        assert_eq!(drawn.dots().len(), 6);
        for dot in ["o", "x", "X", "*", "#", "●", "•", "■"] {
            for empty in [".", "·", " "] {
                let grid = grid.replace('O', dot).replace('.', empty);
                assert_eq!(read(&grid), Ok(drawn.clone()), "{grid}");
                let named = format!("# a grid\n5D # the game\n{grid}");
                assert_eq!(read(&named), Ok(drawn.clone()), "{named}");
                assert_eq!(Picture::find(&named).and_then(|one| one.rules), "5D".parse().ok());
            }
        }
        let refused = read("5T\n.o.\n.q.\n").expect_err("no such character").to_string();
        assert!(refused.starts_with("line 3: "), "{refused}");
    }
}
