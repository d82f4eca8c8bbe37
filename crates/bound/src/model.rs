//! Linear programs that bound games: what is unknown, what must hold, all in whole numbers.
//!
//! A [`Task`] says which games are to be bounded, and by which model; its [`Model`] has a column for
//! each unknown, from 0 to 1, and a row for each thing that must hold. Every game that the task is about
//! is a solution, so no game has more moves than the largest value of a solution, fractions allowed.
//! One file for each kind of rows. The order of columns and rows is part of the format of certificates
//! (`docs/formats.md`), which the judge makes again by itself. Solving is `solver`'s work.

mod area;
mod births;
pub mod cuts;
mod fold;
mod lines;
mod potential;
mod supposed;
mod write;

use std::fmt;

use geometry::{Direction, Game, Line, Move, Point};

use crate::Board;
use area::Area;
use cuts::Cut;

pub use fold::Folded;
pub use supposed::{LatticeLine, Supposed, phase};
pub use write::Format;

/// Which games are bounded, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// What is played.
    pub game: Game,
    /// Where all dots of the games lie. In a box the start is where it is; a square or an octagon may
    /// be moved, turned and mirrored at will, so that nothing but the number of its dots is known.
    pub board: Board,
    /// The columns, and the rows that go with them.
    pub kind: Kind,
    /// Whether the games meet every side of the board: it is their octagonal hull, or the bounding box
    /// of their dots. Adds the rows of `potential.rs`.
    pub exact: bool,
    /// Further rows for births.
    pub cuts: Vec<Cut>,
    /// What is supposed of the games besides, if the board is exact and free.
    pub supposed: Vec<Supposed>,
}

/// A kind of model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A column for each dot and each line.
    Lines,
    /// A column for each dot and each line with its new dot.
    Births,
}

impl Kind {
    /// Its name, on the command line and in certificates.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Births => "births",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Task {
    /// The most dots of a board. A solver would not come to an end long before.
    pub const MAX_DOTS: usize = 40_000;

    /// All games on the board, without further rows.
    pub fn new(game: Game, board: Board, kind: Kind) -> Self {
        Self { game, board, kind, exact: false, cuts: Vec::new(), supposed: Vec::new() }
    }

    /// The columns and rows.
    pub fn model(&self) -> Result<Model, NoModel> {
        let free = !matches!(self.board, Board::Box(_));
        if free && self.kind == Kind::Births {
            return Err(NoModel::FreeBirths);
        }
        if !self.cuts.is_empty() && self.kind != Kind::Births {
            return Err(NoModel::Cuts);
        }
        if self.exact && !potential::without_gaps(self.game.start.dots()) {
            return Err(NoModel::Gaps);
        }
        match self.board.size(&self.game.start) {
            0 => return Err(NoModel::Empty),
            size if size > Self::MAX_DOTS => return Err(NoModel::TooLarge),
            _ => {}
        }
        let fixed: &[Point] = if free { &[] } else { self.game.start.dots() };
        let area = Area::new(self.board.dots(&self.game.start), self.game.rules);
        let mut model = match self.kind {
            Kind::Lines => lines::model(&self.game, &area, fixed),
            Kind::Births => births::model(&self.game, &area, fixed),
        };
        if self.exact {
            potential::add_rows(&mut model, &area, free);
        }
        let hull = free && self.exact;
        if !hull && !self.supposed.is_empty() {
            return Err(NoModel::Supposed);
        }
        for supposed in &self.supposed {
            if !supposed.apply(&mut model, &area) {
                return Err(NoModel::Supposed);
            }
        }
        for (number, cut) in self.cuts.iter().enumerate() {
            let row = cut.row(&model, self.game.rules, number).ok_or(NoModel::Cut { number })?;
            model.rows.push(row);
        }
        Ok(model)
    }

    /// What a bound says, in words: the second line of a certificate.
    pub fn claim(&self, bound: i128) -> String {
        let (game, board) = (&self.game, self.board);
        let start = match game.start.dots().len() {
            1 if game.start.cross_side().is_none() => format!("{} from 1 dot", game.rules),
            _ => game.to_string(),
        };
        let whose = match (self.board, self.exact) {
            (Board::Box(_), false) => format!("dots all lie in {board} around the start"),
            (Board::Box(_), true) => format!("bounding box is {board} around the start"),
            (_, false) => format!("dots all lie on {board} (moved, turned or mirrored)"),
            (_, true) => format!("octagonal hull is {board} (moved, turned or mirrored)"),
        };
        match bound < 0 {
            true => format!("{start}: there is no game whose {whose}"),
            false => format!("{start}: no game whose {whose} has more than {bound} moves"),
        }
    }
}

/// The columns and rows of births on these dots, which come row by row.
pub(crate) fn model_on(game: &Game, dots: Vec<Point>) -> Model {
    births::model(game, &Area::new(dots, game.rules), game.start.dots())
}

/// A linear program in whole numbers: make the sum of the costs as large as possible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// The unknowns.
    pub columns: Vec<Column>,
    /// What must hold.
    pub rows: Vec<Row>,
}

/// An unknown number from 0 to 1, or one that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// What it stands for.
    pub unknown: Unknown,
    /// What it counts: 1 for a move.
    pub cost: i64,
    /// The least it may be: 0, or 1 for a dot of the start.
    pub low: i64,
    /// The most it may be.
    pub high: i64,
}

/// What a column stands for; it is 1 in a game that has it, else 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unknown {
    /// There is a dot at the end of the game.
    Dot(Point),
    /// The line is drawn.
    Line(Line),
    /// The line is drawn with this new dot.
    Birth(Move),
}

/// A sum of columns that must hold to a bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What it says.
    pub says: Says,
    /// Columns, each once, with their factors.
    pub terms: Vec<(usize, i64)>,
    /// On which side of the right-hand side.
    pub sense: Sense,
    /// The right-hand side.
    pub right: i64,
}

/// On which side of its right-hand side a sum lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sense {
    /// At most it.
    AtMost,
    /// At least it.
    AtLeast,
    /// It is it.
    Equal,
}

/// What a row says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Says {
    /// Every line adds a dot to those of the start.
    Balance,
    /// At most one line uses the segment of the direction that ends at this dot, and none without it.
    Behind(Point, Direction),
    /// At most one line uses the segment of the direction that begins at this dot, and none without it.
    Ahead(Point, Direction),
    /// At most one line of the direction goes through this dot, and none without it.
    Through(Point, Direction),
    /// A dot that is not of the start is placed by one line.
    Placed(Point),
    /// A lattice line in this direction that holds a dot has more dots than segments; the point is its
    /// first on the board.
    Holds(Point, Direction),
    /// The first dot of a set of dots is placed by a line that has none of the others.
    First(usize),
    /// The positions of a case of a tree are like that, or can be turned or mirrored so.
    Case,
}

impl Model {
    /// The same in floats, for the solver.
    pub fn problem(&self) -> solver::Problem {
        let column = |column: &Column| solver::Column {
            cost: column.cost as f64,
            low: column.low as f64,
            high: column.high as f64,
        };
        solver::Problem {
            columns: self.columns.iter().map(column).collect(),
            rows: self.rows.iter().map(Row::in_floats).collect(),
        }
    }
}

impl Row {
    /// The same in floats, for the solver.
    pub fn in_floats(&self) -> solver::Row {
        let right = self.right as f64;
        let (low, high) = match self.sense {
            Sense::AtMost => (f64::NEG_INFINITY, right),
            Sense::AtLeast => (right, f64::INFINITY),
            Sense::Equal => (right, right),
        };
        let entries = self.terms.iter().map(|&(column, factor)| (column, factor as f64)).collect();
        solver::Row { low, high, entries }
    }
}

/// Why a task has no model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoModel {
    /// Births where the start is not known.
    #[error("the model births needs to know where the start is: use a board like box:3,2,2,2")]
    FreeBirths,
    /// Cuts without births.
    #[error("only the model births has columns for cuts")]
    Cuts,
    /// A cut with a dot that is not on the board, or of the start, or not of the cut.
    #[error("cut {number} is no set of dots off the start with one of them marked")]
    Cut {
        /// Its number, counting from 0.
        number: usize,
    },
    /// Something supposed where the board is not a hull, or of lattice lines that do not meet it.
    #[error("only of lattice lines that meet an exact hull something can be supposed")]
    Supposed,
    /// An exact hull, where rows or columns may be empty.
    #[error("a hull is exact only for starts that leave no row or column empty between their dots")]
    Gaps,
    /// A box around nothing.
    #[error("the board has no dots: there is no start to lie around")]
    Empty,
    /// Too many dots.
    #[error("the board has more than {} dots", Task::MAX_DOTS)]
    TooLarge,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(game: &str, board: &str, kind: Kind) -> (usize, usize) {
        let game = Game::named(game).expect("a game");
        let model = Task::new(game, board.parse().expect("a board"), kind).model().expect("small");
        (model.columns.len(), model.rows.len())
    }

    #[test]
    fn the_hardest_board_has_its_known_size() {
        let size = sizes("5T", "octagon:10,8,10,12,10,8,10,12", Kind::Lines);
        assert_eq!(size, (733 + 2356, 5577));
    }

    #[test]
    fn models_that_cannot_be_are_refused() {
        let game = Game::named("5D").expect("a game");
        let task = |board: &str, kind| {
            Task::new(game.clone(), board.parse().expect("a board"), kind).model().err()
        };
        assert_eq!(task("square:10", Kind::Births), Some(NoModel::FreeBirths));
        assert_eq!(task("square:201", Kind::Lines), Some(NoModel::TooLarge));
        assert_eq!(task("box:1000,1000,1000,1000", Kind::Births), Some(NoModel::TooLarge));
        assert_eq!(task("box:0,0,0,0", Kind::Lines), None);
    }

    #[test]
    fn claims_say_which_games_are_meant() {
        let claim = |game: &str, board: &str, exact| {
            let task = Task::new(
                game.parse().expect("a game"),
                board.parse().expect("a board"),
                Kind::Lines,
            );
            Task { exact, ..task }.claim(64)
        };
        assert_eq!(
            claim("5T", "square:10", false),
            "5T: no game whose dots all lie on square:10 (moved, turned or mirrored) has more than 64 moves"
        );
        assert_eq!(
            claim("5D", "box:3,2,2,2", true),
            "5D: no game whose bounding box is box:3,2,2,2 around the start has more than 64 moves"
        );
    }
}
