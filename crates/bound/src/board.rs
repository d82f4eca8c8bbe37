//! Boards: finite parts of the lattice on which a relaxation is solved.
//!
//! The command line and certificates name them `square:20`, `octagon:10,8,10,12,10,8,10,12` or
//! `box:3,2,2,2`. What is bounded on a board is up to [`BoardProblem`](crate::BoardProblem).

use std::fmt;
use std::str::FromStr;

use geometry::{Point, Start};

use crate::octagon::{Octagon, OctagonError};

/// A finite part of the lattice. Printed and parsed by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Board {
    /// `square:N`: N by N dots.
    Square(Square),
    /// `octagon:a0,...,a7`: its sides, clockwise from the top, in steps between dots.
    Octagon(Octagon),
    /// `box:t,r,b,l`: the rows and columns beyond the start, above, right, below and left.
    Box(Margins),
}

impl Board {
    /// The dots of the board, row by row.
    ///
    /// Squares and octagons do not depend on the start: their bounding boxes start at (0,0). A box
    /// lies around the start; without a dot in the start it is empty.
    #[must_use]
    pub fn dots(&self, start: &Start) -> Vec<Point> {
        match self {
            Self::Square(square) => square.octagon().dots().collect(),
            Self::Octagon(octagon) => octagon.dots().collect(),
            Self::Box(margins) => margins.around(start),
        }
    }

    /// The number of dots.
    #[must_use]
    pub fn size(&self, start: &Start) -> usize {
        match self {
            Self::Square(square) => square.octagon().area() as usize,
            Self::Octagon(octagon) => octagon.area() as usize,
            Self::Box(margins) => margins.size(start),
        }
    }
}

/// A square of dots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Square {
    side: u32,
}

impl Square {
    /// With this many dots on each side, 1 to [`Octagon::MAX_SIDE`].
    pub fn new(side: u32) -> Result<Self, BoardError> {
        match (1..=Octagon::MAX_SIDE).contains(&side) {
            true => Ok(Self { side }),
            false => Err(BoardError::Side(side)),
        }
    }

    /// Dots on each side.
    #[must_use]
    pub fn side(&self) -> u32 {
        self.side
    }

    /// The same as an octagon with four corners.
    #[must_use]
    pub fn octagon(&self) -> Octagon {
        let steps = self.side - 1;
        Octagon::new([steps, 0, steps, 0, steps, 0, steps, 0]).expect("a square is closed")
    }
}

/// How far a box extends beyond the start: above, right, below, left.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Margins {
    margins: [u32; 4],
}

impl Margins {
    /// Rows and columns above, right, below and left.
    pub fn new(margins: [u32; 4]) -> Result<Self, BoardError> {
        match margins.iter().find(|&&margin| margin > Octagon::MAX_SIDE) {
            Some(&margin) => Err(BoardError::Margin(margin)),
            None => Ok(Self { margins }),
        }
    }

    /// The rows and columns above, right, below and left.
    #[must_use]
    pub fn margins(&self) -> [u32; 4] {
        self.margins
    }

    /// Its images under the eight symmetries, which the start must have.
    #[must_use]
    pub fn images(&self) -> [Self; 8] {
        let [above, right, below, left] = self.margins;
        let rotated =
            |[a, b, c, d]: [u32; 4]| [[a, b, c, d], [b, c, d, a], [c, d, a, b], [d, a, b, c]];
        let (one, two) =
            (rotated([above, right, below, left]), rotated([above, left, below, right]));
        let image = |number: usize| if number < 4 { one[number] } else { two[number - 4] };
        std::array::from_fn(|number| Self { margins: image(number) })
    }

    /// The least of its images.
    #[must_use]
    pub fn canonical(&self) -> Self {
        self.images().into_iter().min().expect("there are eight images")
    }

    /// What one move can make of it: a step on one side or on two adjacent ones.
    pub(crate) fn enlarged(&self) -> [Self; 8] {
        std::array::from_fn(|number| {
            let mut margins = self.margins;
            margins[number % 4] += 1;
            if number >= 4 {
                margins[(number + 1) % 4] += 1;
            }
            Self { margins }
        })
    }

    /// The sum of all four.
    #[must_use]
    pub fn steps(&self) -> u32 {
        self.margins.iter().sum()
    }

    /// The number of points in the box around a start.
    fn size(&self, start: &Start) -> usize {
        let Some((low, high)) = start.bounds() else { return 0 };
        let [above, right, below, left] = self.margins.map(|margin| margin as usize);
        let steps = |low: i32, high: i32| low.abs_diff(high) as usize;
        (steps(low.x, high.x) + left + right + 1) * (steps(low.y, high.y) + above + below + 1)
    }

    /// All points in the box around a start.
    fn around(&self, start: &Start) -> Vec<Point> {
        let Some((low, high)) = start.bounds() else { return Vec::new() };
        let [above, right, below, left] = self.margins.map(|margin| margin as i32);
        let rows = low.y - above..=high.y + below;
        let columns = low.x - left..=high.x + right;
        rows.flat_map(|y| columns.clone().map(move |x| Point::new(x, y))).collect()
    }
}

/// Prints as `3,2,2,2`.
impl fmt::Display for Margins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [above, right, below, left] = self.margins;
        write!(f, "{above},{right},{below},{left}")
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Square(square) => write!(f, "square:{}", square.side),
            Self::Octagon(octagon) => write!(f, "octagon:{octagon}"),
            Self::Box(margins) => write!(f, "box:{margins}"),
        }
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(name: &str) -> Result<Self, BoardError> {
        let (kind, numbers) = name.split_once(':').ok_or(BoardError::Kind)?;
        match kind {
            "square" => {
                let [side] = list(numbers, "one number")?;
                Square::new(side).map(Self::Square)
            }
            "octagon" => {
                let sides = list(numbers, "eight sides")?;
                Ok(Self::Octagon(Octagon::new(sides)?))
            }
            "box" => {
                let margins = list(numbers, "four margins: above, right, below, left")?;
                Margins::new(margins).map(Self::Box)
            }
            _ => Err(BoardError::Kind),
        }
    }
}

/// Exactly N integers separated by commas.
fn list<const N: usize>(text: &str, expected: &'static str) -> Result<[u32; N], BoardError> {
    let number = |digits: &str| match digits.bytes().all(|byte| byte.is_ascii_digit()) {
        true => digits.parse().ok(),
        false => None,
    };
    let numbers: Option<Vec<u32>> = text.split(',').map(number).collect();
    numbers.and_then(|numbers| numbers.try_into().ok()).ok_or(BoardError::Numbers { expected })
}

/// Why a text is not a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// None of the three kinds.
    #[error("a board is square:N, octagon:a0,a1,a2,a3,a4,a5,a6,a7 or box:above,right,below,left")]
    Kind,
    /// Not the right list of integers.
    #[error("after the colon, expected integers separated by commas: {expected}")]
    Numbers {
        /// How many, and what they mean.
        expected: &'static str,
    },
    /// The side of a square out of range.
    #[error("a square has 1 to {most} dots on a side, not {0}", most = Octagon::MAX_SIDE)]
    Side(u32),
    /// A margin out of range.
    #[error("a box extends at most {most} beyond the start, not {0}", most = Octagon::MAX_SIDE)]
    Margin(u32),
    /// Sides that do not form an octagon.
    #[error(transparent)]
    Octagon(#[from] OctagonError),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(name: &str) -> Board {
        name.parse().unwrap_or_else(|bad| panic!("{name}: {bad}"))
    }

    #[test]
    fn every_name_parses_back() {
        for name in ["square:20", "octagon:10,8,10,12,10,8,10,12", "box:3,2,2,2", "box:0,0,0,0"] {
            assert_eq!(board(name).to_string(), name);
        }
    }

    #[test]
    fn bad_names_say_what_is_expected() {
        let cases = [
            ("", "square:N"),
            ("circle:5", "square:N"),
            ("square:", "one number"),
            ("square:0", "1 to 1000"),
            ("square:1001", "1 to 1000"),
            ("square:99999999999", "one number"),
            ("square:+5", "one number"),
            ("octagon:1,2,3", "eight sides"),
            ("octagon:3,0,2,0,2,0,2,0", "do not close"),
            ("box:1,2,3", "four margins"),
            ("box:1,2,3,-1", "four margins"),
            ("box:1,2,3,4000", "at most 1000"),
        ];
        for (name, reason) in cases {
            let bad = name.parse::<Board>().expect_err(name).to_string();
            assert!(bad.contains(reason), "{name}: {bad}");
        }
    }

    #[test]
    fn boards_have_their_dots() {
        let cross = Start::cross(4).expect("a side");
        let count = |name: &str| {
            let dots = board(name).dots(&cross);
            assert_eq!(dots.len(), board(name).size(&cross), "{name}");
            dots.len()
        };
        assert_eq!(count("square:20"), 400);
        assert_eq!(count("octagon:10,8,10,12,10,8,10,12"), 733);
        assert_eq!(count("box:0,0,0,0"), 100);
        assert_eq!(count("box:3,2,2,2"), 15 * 14);
        let dots = board("box:3,2,1,0").dots(&cross);
        assert_eq!((dots[0], dots[dots.len() - 1]), (Point::new(0, -3), Point::new(11, 10)));
        let nothing = Start::from_dots([]).expect("no dots");
        assert_eq!(board("box:1,1,1,1").dots(&nothing), []);
    }

    #[test]
    fn equivalent_boxes_have_one_name() {
        let canonical = |margins| Margins::new(margins).expect("small").canonical().margins();
        assert_eq!(canonical([3, 2, 1, 0]), canonical([0, 1, 2, 3]));
        assert_eq!(canonical([4, 1, 0, 2]), canonical([0, 1, 4, 2]));
        assert_ne!(canonical([4, 1, 0, 2]), canonical([4, 0, 1, 2]));
    }
}
