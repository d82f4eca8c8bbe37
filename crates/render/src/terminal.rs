//! A game as text for a terminal.
//!
//! Dots stand in every second column and row, with the pieces of lines between them. The numbers
//! along the border are the coordinates of the native format.

use std::fmt::Write;

use geometry::{Direction, Line, Point};
use record::Record;

use crate::caption;
use crate::look::{bounds, moves, played};

/// The most dots from side to side, however much room there is.
const MOST: usize = 1000;

/// How a game is shown as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terminal {
    /// Only ASCII: `o`, `*`, `@`, `-`, `|`, `\`, `/` and `X`.
    pub ascii: bool,
    /// ANSI colours.
    pub colour: bool,
    /// The most columns of text; what does not fit is left out, with a note.
    pub width: usize,
    /// The most rows of the board.
    pub height: usize,
    /// The number, counted from 1, of the move to mark; `None` marks the last.
    pub mark: Option<usize>,
}

impl Default for Terminal {
    fn default() -> Self {
        Self { ascii: false, colour: false, width: 200, height: 400, mark: None }
    }
}

/// Draws a game as lines of text: one about the game, then the board, then notes if any.
pub fn terminal(record: &Record, options: &Terminal) -> String {
    let window = Window::new(record, options);
    let board = Board::new(record, options, window);
    let mut out = caption::full(record);
    if options.ascii {
        out = out.replace('·', "-").chars().map(|c| if c.is_ascii() { c } else { '?' }).collect();
    }
    out.push('\n');
    board.write(options, &mut out).expect("writing to a string does not fail");
    let (low, high) = bounds(record);
    if (window.low, window.high) != (low, high) {
        writeln!(out, "only {} to {} of {low} to {high} is shown", window.low, window.high)
            .expect("writing to a string does not fail");
    }
    out
}

/// The points that are shown.
#[derive(Debug, Clone, Copy)]
struct Window {
    low: Point,
    high: Point,
}

impl Window {
    /// All points if they fit; otherwise those around the start.
    fn new(record: &Record, options: &Terminal) -> Self {
        let (low, high) = bounds(record);
        let label = [low.y, high.y].map(|y| y.to_string().len()).into_iter().max().unwrap_or(1);
        let columns = (options.width.saturating_sub(label) / 2).clamp(1, MOST);
        let rows = (options.height / 2).clamp(1, MOST);
        let (first, last) = record.game.start.bounds().unwrap_or((low, high));
        let (left, right) = fit((low.x, high.x), (first.x, last.x), columns as i32);
        let (top, bottom) = fit((low.y, high.y), (first.y, last.y), rows as i32);
        Self { low: Point::new(left, top), high: Point::new(right, bottom) }
    }

    fn contains(&self, point: Point) -> bool {
        (self.low.x..=self.high.x).contains(&point.x)
            && (self.low.y..=self.high.y).contains(&point.y)
    }
}

/// The part of `whole` with at most `room` numbers, around the middle of `start` if it must be cut.
fn fit(whole: (i32, i32), start: (i32, i32), room: i32) -> (i32, i32) {
    let (low, high) = whole;
    if high - low < room {
        return whole;
    }
    let first = (start.0 + (start.1 - start.0) / 2 - room / 2).clamp(low, high - room + 1);
    (first, first + room - 1)
}

/// What is drawn at one place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Spot {
    dot: Dot,
    /// Which directions pass here between two dots, one bit each.
    lines: u8,
    /// Part of the marked move.
    marked: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Dot {
    #[default]
    None,
    Start,
    Played,
    Marked,
}

/// The places of a window: dots at even columns and rows, pieces of lines elsewhere.
struct Board {
    window: Window,
    columns: usize,
    spots: Vec<Spot>,
}

impl Board {
    fn new(record: &Record, options: &Terminal, window: Window) -> Self {
        let columns = 2 * (window.high.x - window.low.x) as usize + 1;
        let rows = 2 * (window.high.y - window.low.y) as usize + 1;
        let mut board = Self { window, columns, spots: vec![Spot::default(); columns * rows] };
        let rules = record.game.rules;
        let moves = moves(record);
        let mark = options.mark.unwrap_or(moves.len());
        for (number, line) in (1..).zip(record.lines()) {
            board.line(line, rules.length(), number == mark && !moves.is_empty());
        }
        played(record).into_iter().for_each(|dot| board.dot(dot, Dot::Played));
        record.game.start.dots().iter().for_each(|&dot| board.dot(dot, Dot::Start));
        if let Some(mv) = mark.checked_sub(1).and_then(|place| moves.get(place)) {
            board.dot(mv.dot(), Dot::Marked);
        }
        board
    }

    fn dot(&mut self, point: Point, dot: Dot) {
        if self.window.contains(point) {
            let at = point - self.window.low;
            self.spots[2 * at.y as usize * self.columns + 2 * at.x as usize].dot = dot;
        }
    }

    fn line(&mut self, line: Line, length: usize, marked: bool) {
        for offset in 1..length {
            let (one, two) = (line.point(offset - 1), line.point(offset));
            if self.window.contains(one) && self.window.contains(two) {
                // Halfway between two dots lies half of their sum, and dots are two apart.
                let at = (one - self.window.low) + (two - self.window.low);
                let spot = &mut self.spots[at.y as usize * self.columns + at.x as usize];
                spot.lines |= 1 << line.direction as u8;
                spot.marked |= marked;
            }
        }
    }

    fn write(&self, options: &Terminal, out: &mut String) -> std::fmt::Result {
        let (low, high) = (self.window.low, self.window.high);
        let label = [low.y, high.y].map(|y| y.to_string().len()).into_iter().max().unwrap_or(1);
        self.write_columns(label, out);
        for (row, spots) in self.spots.chunks(self.columns).enumerate() {
            if row % 2 == 0 {
                write!(out, "{:>label$} ", low.y + row as i32 / 2)?;
            } else {
                write!(out, "{:label$} ", "")?;
            }
            let end = spots.iter().rposition(|&spot| spot != Spot::default()).map_or(0, |n| n + 1);
            let mut current = "";
            for spot in &spots[..end] {
                let code = if options.colour { spot.code() } else { "" };
                if code != current {
                    write!(out, "\x1b[0{code}m")?;
                    current = code;
                }
                out.push(spot.symbol(options.ascii));
            }
            out.push_str(if current.is_empty() { "" } else { "\x1b[0m" });
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
        }
        Ok(())
    }

    /// The x coordinates along the top, each written downwards above its column.
    fn write_columns(&self, label: usize, out: &mut String) {
        let names: Vec<String> =
            (self.window.low.x..=self.window.high.x).map(|x| x.to_string()).collect();
        let height = names.iter().map(String::len).max().unwrap_or(0);
        for row in 0..height {
            out.push_str(&" ".repeat(label + 1));
            for name in &names {
                let padded = format!("{name:>height$}");
                out.push_str(&padded[row..=row]);
                out.push(' ');
            }
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
        }
    }
}

impl Spot {
    /// What follows the reset in an ANSI escape to give this place its colour.
    fn code(self) -> &'static str {
        match (self.dot, self.lines, self.marked) {
            (Dot::Start, ..) => ";1",
            (Dot::Played, ..) => ";36",
            (Dot::Marked, ..) | (Dot::None, 1.., true) => ";1;33",
            (Dot::None, 1.., false) => ";34",
            (Dot::None, 0, _) => "",
        }
    }

    fn symbol(self, ascii: bool) -> char {
        const EAST: u8 = 1 << Direction::East as u8;
        const SOUTH: u8 = 1 << Direction::South as u8;
        const SOUTH_EAST: u8 = 1 << Direction::SouthEast as u8;
        const NORTH_EAST: u8 = 1 << Direction::NorthEast as u8;
        let (unicode, plain) = match (self.dot, self.lines) {
            (Dot::Start, _) => ('●', '*'),
            (Dot::Played, _) => ('○', 'o'),
            (Dot::Marked, _) => ('◎', '@'),
            (Dot::None, EAST) => ('─', '-'),
            (Dot::None, SOUTH) => ('│', '|'),
            (Dot::None, SOUTH_EAST) => ('╲', '\\'),
            (Dot::None, NORTH_EAST) => ('╱', '/'),
            (Dot::None, 0) => (' ', ' '),
            (Dot::None, _) => ('╳', 'X'),
        };
        if ascii { plain } else { unicode }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use geometry::{Game, Move, Rules, Start};

    /// Five moves from three dots, with lines in all four directions.
    fn tiny() -> Record {
        let rules = Rules::new(3, true).expect("3T");
        let start = [(0, 0), (1, 0), (0, 1)].map(|(x, y)| Point::new(x, y));
        let start = Start::from_dots(start).expect("few dots");
        let line = |x, y, direction| Line::new(Point::new(x, y), direction);
        let moves = vec![
            Move::new(line(0, 0, Direction::East), 2),
            Move::new(line(0, 0, Direction::South), 2),
            Move::new(line(0, 2, Direction::NorthEast), 1),
            Move::new(line(0, 0, Direction::SouthEast), 2),
            Move::new(line(-1, 0, Direction::SouthEast), 0),
        ];
        Record::from_moves(Game { rules, start }, moves)
    }

    #[test]
    fn a_small_game_looks_like_this() {
        let expected = "\
3T from 3 dots · 5 moves
  -
  1 0 1 2
0 ◎ ●─●─○
   ╲│╲ ╱
1   ● ○
    │╳ ╲
2   ○   ○
";
        let shown = terminal(&tiny(), &Terminal::default());
        assert_eq!(shown, expected, "\n{shown}");
    }

    #[test]
    fn ascii_is_the_same_with_other_signs() {
        let options = Terminal { ascii: true, mark: Some(3), ..Terminal::default() };
        let expected = "\
3T from 3 dots - 5 moves
  -
  1 0 1 2
0 o *-*-o
   \\|\\ /
1   * @
    |X \\
2   o   o
";
        let shown = terminal(&tiny(), &options);
        assert_eq!(shown, expected, "\n{shown}");
        let mut record = tiny();
        record.provenance.author = Some("Nagórko".to_owned());
        assert!(terminal(&record, &options).is_ascii());
    }

    #[test]
    fn colours_change_no_sign_and_end_with_their_line() {
        let plain = terminal(&testing::game(30), &Terminal::default());
        let options = Terminal { colour: true, ..Terminal::default() };
        let coloured = terminal(&testing::game(30), &options);
        let mut stripped = String::new();
        for (number, part) in coloured.split('\x1b').enumerate() {
            let end = part.find('m').filter(|_| number > 0).map_or(0, |place| place + 1);
            stripped.push_str(&part[end..]);
        }
        assert_eq!(stripped, plain);
        for line in coloured.lines().filter(|line| line.contains('\x1b')) {
            assert!(line.ends_with("\x1b[0m"), "{line:?}");
        }
    }

    #[test]
    fn a_wide_board_is_cut_around_its_start_and_says_so() {
        let options = Terminal { width: 20, height: 10, ..Terminal::default() };
        let shown = terminal(&testing::game(10), &options);
        let note = "only (0,2) to (8,6) of (0,-1) to (10,9) is shown";
        assert_eq!(shown.lines().last(), Some(note), "{shown}");
        let board = shown.lines().skip(1).take(10);
        assert!(board.clone().all(|line| line.chars().count() <= 20), "{shown}");
        let far = terminal(&testing::far_apart(), &Terminal::default());
        assert!(far.len() < 100_000);
    }
}
