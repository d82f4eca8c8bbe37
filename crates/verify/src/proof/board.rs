//! Boards: finite parts of the lattice, by name.

use std::fmt;

use crate::rules::{Point, parse_number};

/// The most dots that a board may have.
pub const MAX_BOARD_DOTS: usize = 40_000;

/// A board. Prints as `square:20`, `octagon:10,8,10,12,10,8,10,12` or `box:3,2,2,2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Board {
    /// The number of dots on each side.
    Square(u32),
    /// The steps of its sides, clockwise from the top; even ones run along the axes.
    Octagon([u32; 8]),
    /// How many rows and columns it reaches beyond the start: above, right, below, left.
    Box([u32; 4]),
}

impl Board {
    /// The longest side of a board and the widest margin of a box.
    const MOST: u32 = 1000;

    /// Parses the name of a board; the sides of an octagon must close.
    pub(crate) fn parse(text: &str) -> Option<Board> {
        let (kind, numbers) = text.split_once(':')?;
        let board = match kind {
            "square" => Board::Square(list::<1>(numbers)?[0]),
            "octagon" => Board::Octagon(list(numbers)?),
            "box" => Board::Box(list(numbers)?),
            _ => return None,
        };
        match board {
            Board::Square(0) => None,
            Board::Octagon(a) => {
                let closed = a[7] + a[0] + a[1] == a[3] + a[4] + a[5]
                    && a[1] + a[2] + a[3] == a[5] + a[6] + a[7];
                closed.then_some(board)
            }
            _ => Some(board),
        }
    }

    /// Its sides as an octagon; a box, which has its place around the start, is not one.
    pub(crate) fn sides(self) -> Option<[u32; 8]> {
        match self {
            Board::Square(side) => Some([side - 1, 0, side - 1, 0, side - 1, 0, side - 1, 0]),
            Board::Octagon(sides) => Some(sides),
            Board::Box(_) => None,
        }
    }

    /// Whether it may be moved, turned and mirrored: it does not lie around the start.
    pub(crate) fn is_free(self) -> bool {
        !matches!(self, Board::Box(_))
    }

    /// How many points [`Board::dots`] looks at.
    pub(crate) fn cells(self, most: usize) -> usize {
        match self.sides().map(|sides| sides.map(|side| side as usize)) {
            Some(a) => (a[7] + a[0] + a[1] + 1) * (a[1] + a[2] + a[3] + 1),
            None => most,
        }
    }

    /// At most `most` of its dots, row by row; those of a box lie around the start.
    pub(crate) fn dots(self, start: &[Point], most: usize) -> Vec<Point> {
        match self {
            Board::Square(_) | Board::Octagon(_) => {
                octagon(self.sides().expect("a box is another arm"), most)
            }
            Board::Box(margins) => {
                let range = |of: fn(&Point) -> i32| {
                    Some((start.iter().map(of).min()?, start.iter().map(of).max()?))
                };
                let (Some(x), Some(y)) = (range(|dot| dot.x), range(|dot| dot.y)) else {
                    return Vec::new();
                };
                let [above, right, below, left] = margins.map(steps);
                let (low, high) = ((x.0 - left, y.0 - above), (x.1 + right, y.1 + below));
                rectangle(low, high).take(most).collect()
            }
        }
    }
}

/// The dots of an octagon whose bounding box starts at (0,0): the points within its eight sides.
fn octagon(sides: [u32; 8], most: usize) -> Vec<Point> {
    let a = sides.map(steps);
    let (width, height) = (a[7] + a[0] + a[1], a[1] + a[2] + a[3]);
    let within = |dot: &Point| {
        let (sum, difference) = (dot.x + dot.y, dot.x - dot.y);
        difference <= a[7] + a[0]
            && sum <= width + a[1] + a[2]
            && difference >= a[5] - height
            && sum >= a[7]
    };
    rectangle((0, 0), (width, height)).filter(within).take(most).collect()
}

/// All points from one corner to the other, row by row.
fn rectangle(low: (i32, i32), high: (i32, i32)) -> impl Iterator<Item = Point> {
    (low.1..=high.1).flat_map(move |y| (low.0..=high.0).map(move |x| Point { x, y }))
}

fn steps(number: u32) -> i32 {
    i32::try_from(number).expect("sides and margins are small")
}

/// Exactly N integers separated by commas.
fn list<const N: usize>(text: &str) -> Option<[u32; N]> {
    let number = |digits| match digits {
        "0" => Some(0),
        digits => parse_number(digits, Board::MOST),
    };
    let numbers: Option<Vec<u32>> = text.split(',').map(number).collect();
    numbers?.try_into().ok()
}

/// The margins of a box around the start (above, right, below, left), turned and mirrored.
pub(crate) fn images<T: Copy>([above, right, below, left]: [T; 4]) -> [[T; 4]; 8] {
    let mirrored = [above, left, below, right];
    std::array::from_fn(|image| {
        let mut turned = if image < 4 { [above, right, below, left] } else { mirrored };
        turned.rotate_left(image % 4);
        turned
    })
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, numbers) = match self {
            Board::Square(side) => ("square", std::slice::from_ref(side)),
            Board::Octagon(sides) => ("octagon", &sides[..]),
            Board::Box(margins) => ("box", &margins[..]),
        };
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        write!(f, "{kind}:{}", numbers.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(name: &str) -> usize {
        let start = [Point { x: 0, y: 0 }, Point { x: 9, y: 9 }];
        Board::parse(name).expect(name).dots(&start, 1_000_000).len()
    }

    #[test]
    fn boards_have_their_dots() {
        assert_eq!(count("square:20"), 400);
        assert_eq!(count("octagon:10,8,10,12,10,8,10,12"), 733);
        assert_eq!(count("octagon:3,3,3,3,3,3,3,3"), 100 - 4 * 6);
        assert_eq!(count("octagon:1,0,2,1,0,0,3,0"), 7);
        assert_eq!(count("box:3,2,2,2"), 15 * 14);
    }

    #[test]
    fn other_names_are_not_boards() {
        let names = [
            "",
            "square",
            "square:",
            "square:0",
            "square:05",
            "square:1001",
            "square:+5",
            "circle:5",
            "box:1,2,3",
            "box:1,2,3,4,5",
            "octagon:3,0,2,0,2,0,2,0",
            "octagon:2,0,3,0,2,0,2,0",
            "box:1,,1,1",
        ];
        for name in names {
            assert_eq!(Board::parse(name), None, "{name}");
        }
    }
}
