//! What is bounded: the games on a board, and by which relaxation.

use std::collections::BTreeSet;
use std::fmt;

use geometry::{Game, Point};

use crate::Board;
use crate::program::{self, Area, Cut, LinearProgram};

/// The games on a board, and the relaxation that bounds them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardProblem {
    /// The game.
    pub game: Game,
    /// Where all dots lie. A box lies around the start; on a square or an octagon, which may be
    /// translated, rotated and reflected, only the number of dots of the start is known.
    pub board: Board,
    /// The variables and the constraints on them.
    pub formulation: Formulation,
    /// Whether the games reach every side of the board, so that it is their octagonal hull or the
    /// bounding box of their dots. Adds the constraints of `program/potential.rs`.
    pub exact: bool,
    /// Order cuts, for births only.
    pub cuts: Vec<Cut>,
}

/// What the variables of a relaxation are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Formulation {
    /// Dots and lines.
    Lines,
    /// Dots and lines with their new dot.
    Births,
}

impl Formulation {
    /// The formulation that suits a board: births in a box, where the start is fixed, else lines.
    #[must_use]
    pub fn for_board(board: &Board) -> Self {
        if matches!(board, Board::Box(_)) { Self::Births } else { Self::Lines }
    }

    /// Its name on the command line and in certificates.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Births => "births",
        }
    }
}

impl fmt::Display for Formulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl BoardProblem {
    /// The maximum number of dots of a board, far beyond what a solver can handle.
    pub const MAX_DOTS: usize = 40_000;

    /// All games on the board, without cuts.
    #[must_use]
    pub fn new(game: Game, board: Board, formulation: Formulation) -> Self {
        Self { game, board, formulation, exact: false, cuts: Vec::new() }
    }

    /// The linear program.
    pub fn program(&self) -> Result<LinearProgram, ProblemError> {
        let free = !matches!(self.board, Board::Box(_));
        if free && self.formulation == Formulation::Births {
            return Err(ProblemError::FreeBirths);
        }
        if !self.cuts.is_empty() && self.formulation != Formulation::Births {
            return Err(ProblemError::Cuts);
        }
        if self.exact && !program::is_without_gaps(self.game.start.dots()) {
            return Err(ProblemError::Gaps);
        }
        match self.board.size(&self.game.start) {
            0 => return Err(ProblemError::Empty),
            size if size > Self::MAX_DOTS => return Err(ProblemError::TooLarge),
            _ => {}
        }
        let fixed: &[Point] = if free { &[] } else { self.game.start.dots() };
        let area = Area::new(self.board.dots(&self.game.start), self.game.rules);
        let mut program = match self.formulation {
            Formulation::Lines => program::lines(&self.game, &area, fixed),
            Formulation::Births => program::births(&self.game, &area, fixed),
        };
        if self.exact {
            program::add_potential(&mut program, &area, free);
        }
        for (number, cut) in self.cuts.iter().enumerate() {
            let constraint = cut.constraint(&program, self.game.rules, number);
            program.constraints.push(constraint.ok_or(ProblemError::Cut { number })?);
        }
        Ok(program)
    }

    /// The linear program of the games whose dots all lie on these, those of the start among them.
    #[must_use]
    pub fn program_on(game: &Game, dots: &[Point], formulation: Formulation) -> LinearProgram {
        let start = game.start.dots();
        let all: BTreeSet<(i32, i32)> = dots.iter().chain(start).map(|it| (it.y, it.x)).collect();
        let dots = all.into_iter().map(|(y, x)| Point::new(x, y)).collect();
        let area = Area::new(dots, game.rules);
        match formulation {
            Formulation::Lines => program::lines(game, &area, start),
            Formulation::Births => program::births(game, &area, start),
        }
    }

    /// What a bound claims, in words: the second line of a certificate.
    #[must_use]
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

/// Why a problem has no linear program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemError {
    /// Births on a board where the start has no fixed place.
    #[error("the model births needs a fixed start; use a board like box:3,2,2,2")]
    FreeBirths,
    /// Cuts without births.
    #[error("order cuts need the model births")]
    Cuts,
    /// A cut with a dot off the board or in the start, or whose marked dot is not in the set.
    #[error("cut {number} is not a set of dots outside the start with one of them marked")]
    Cut {
        /// Its index.
        number: usize,
    },
    /// An exact hull for a start with empty rows or columns.
    #[error("an exact hull needs a start without empty rows or columns between its dots")]
    Gaps,
    /// A box around an empty start.
    #[error("the board has no dots, because the start is empty")]
    Empty,
    /// Too many dots.
    #[error("the board has more than {} dots", BoardProblem::MAX_DOTS)]
    TooLarge,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(game: &str, board: &str, formulation: Formulation) -> (usize, usize) {
        let game = Game::named(game).expect("a game");
        let problem = BoardProblem::new(game, board.parse().expect("a board"), formulation);
        let program = problem.program().expect("small");
        (program.variables.len(), program.constraints.len())
    }

    #[test]
    fn the_hardest_board_has_its_known_size() {
        let size = sizes("5T", "octagon:10,8,10,12,10,8,10,12", Formulation::Lines);
        assert_eq!(size, (733 + 2356, 5577));
    }

    #[test]
    fn impossible_problems_are_rejected() {
        let game = Game::named("5D").expect("a game");
        let error = |board: &str, formulation| {
            let board = board.parse().expect("a board");
            BoardProblem::new(game.clone(), board, formulation).program().err()
        };
        assert_eq!(error("square:10", Formulation::Births), Some(ProblemError::FreeBirths));
        assert_eq!(error("square:201", Formulation::Lines), Some(ProblemError::TooLarge));
        let large = "box:1000,1000,1000,1000";
        assert_eq!(error(large, Formulation::Births), Some(ProblemError::TooLarge));
        assert_eq!(error("box:0,0,0,0", Formulation::Lines), None);
    }

    #[test]
    fn claims_say_which_games_are_meant() {
        let claim = |game: &str, board: &str, exact| {
            let (game, board) = (game.parse().expect("a game"), board.parse().expect("a board"));
            BoardProblem { exact, ..BoardProblem::new(game, board, Formulation::Lines) }.claim(64)
        };
        assert_eq!(
            claim("5T", "square:10", false),
            "5T: no game whose dots all lie on square:10 (moved, turned or mirrored) has more \
             than 64 moves"
        );
        assert_eq!(
            claim("5D", "box:3,2,2,2", true),
            "5D: no game whose bounding box is box:3,2,2,2 around the start has more than 64 moves"
        );
    }
}
