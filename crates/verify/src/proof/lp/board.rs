//! The linear program of the games on a board.
//!
//! Its rows, in the order of the format (`columns.rs` says why those that are not explained here
//! hold): the count, or the placements for births; the uses; then
//!
//! - if the board is exact: at least 1 run on each of its rows, then its columns, and if it is free
//!   then its diagonal sides clockwise from the top right. Every new dot is next to another; hence
//!   if the start leaves no row or column empty between its dots, games never do, and in an exact
//!   board each has a dot. The diagonal sides have one since the board is the octagonal hull;
//! - for each cut, its row.

use super::columns::{Columns, Formulation};
use super::{Cut, DualSum, LatticeLine, Row};
use crate::fault::{FormatFault, ProofFault};
use crate::proof::board::{Board, MAX_BOARD_DOTS};
use crate::proof::budget::Budget;
use crate::proof::text::Duals;
use crate::refusal::{Place, Refusal};
use crate::rules::{Direction, Point, Rules};
use crate::start::Start;

/// The games whose dots all lie on a board, as a linear program.
#[derive(Debug)]
pub(crate) struct BoardProblem {
    pub(crate) rules: Rules,
    pub(crate) start: Start,
    pub(crate) board: Board,
    pub(crate) formulation: Formulation,
    /// Whether only games are meant that reach every side of the board.
    pub(crate) exact: bool,
    pub(crate) cuts: Vec<Cut>,
}

impl BoardProblem {
    /// The games from the usual cross on a board, by lines.
    pub(crate) fn from_cross(rules: Rules, board: Board, exact: bool) -> BoardProblem {
        BoardProblem {
            rules,
            start: Start::Cross,
            board,
            formulation: Formulation::Lines,
            exact,
            cuts: Vec::new(),
        }
    }

    /// Verifies that the duals show a bound of at most `claimed` moves; returns the bound that they
    /// show, -1 if there is no such game.
    pub(crate) fn verify(
        &self,
        duals: &Duals,
        claimed: i128,
        budget: &mut Budget,
    ) -> Result<i128, Refusal> {
        match self.bound(duals, budget)? {
            bound if bound > claimed => Err(ProofFault::FalseBound { claimed, bound }.into()),
            bound => Ok(bound),
        }
    }

    fn bound(&self, duals: &Duals, budget: &mut Budget) -> Result<i128, Refusal> {
        let columns = self.columns(budget)?;
        let rows = self.rows(&columns, budget)?;
        let is_move = |column| columns.is_move(column);
        let mut sum = DualSum::new(duals.scale, columns.len(), is_move, budget)?;
        let (mut wrong, all) = (None, rows);
        let mut rows = 0usize;
        for row in all {
            let row = row?;
            rows += 1;
            if let Some(&dual) = duals.values.get(rows - 1) {
                let fault = match sum.add(&row, dual) {
                    Err(fault @ ProofFault::TooMuchWork { .. }) => return Err(fault.into()),
                    added => added.err(),
                };
                wrong = wrong.or(fault.map(|fault| Refusal::new(Place::Row(rows as u32), fault)));
            }
        }
        if rows != duals.values.len() {
            return Err(ProofFault::WrongCount { rows, duals: duals.values.len() }.into());
        }
        if let Some(refusal) = wrong {
            return Err(refusal);
        }
        let maximum = sum.maximum(|column| columns.is_start(column).then_some(1));
        Ok(maximum.div_euclid(i128::from(duals.scale)).max(-1))
    }

    /// The columns, if there is such a program.
    fn columns(&self, budget: &mut Budget) -> Result<Columns, Refusal> {
        let no_model = |reason| Err(ProofFault::NoModel { reason }.into());
        let &BoardProblem { rules, board, formulation, exact, .. } = self;
        let start = self.start.dots(rules);
        if formulation == Formulation::Births && board.is_free() {
            return no_model("births need a box, which lies around the start");
        }
        if formulation == Formulation::Lines && !self.cuts.is_empty() {
            return no_model("cuts need births");
        }
        if exact && !(is_gapless(&start, |dot| dot.x) && is_gapless(&start, |dot| dot.y)) {
            return no_model("exact needs a start without empty rows or columns between its dots");
        }
        budget.spend(board.cells(MAX_BOARD_DOTS + 1))?;
        let dots = board.dots(&start, MAX_BOARD_DOTS + 1);
        if dots.len() > MAX_BOARD_DOTS {
            return Err(FormatFault::BoardTooLarge.into());
        }
        if dots.is_empty() {
            return no_model("the board has no dots");
        }
        let known_start = if board.is_free() { &[][..] } else { &start[..] };
        Ok(Columns::new(rules, dots, known_start, formulation, budget)?)
    }

    /// The rows, in the order of the duals.
    fn rows<'a>(
        &'a self,
        columns: &'a Columns,
        budget: &mut Budget,
    ) -> Result<impl Iterator<Item = Result<Row, Refusal>> + use<'a>, ProofFault> {
        let (count, placements) = match self.formulation {
            Formulation::Lines => {
                (Some(columns.count_row(self.start.dots(self.rules).len())), None)
            }
            Formulation::Births => (None, Some(columns.placement_rows())),
        };
        let first = count.into_iter().chain(placements.into_iter().flatten());
        let full = if self.exact { full_lines(columns, self.board) } else { Vec::new() };
        // Each looks at all columns.
        budget.spend_product(columns.len(), full.len())?;
        for cut in &self.cuts {
            columns.spend_for_cut(cut, budget)?;
        }
        let full = full.into_iter().map(|lattice| columns.runs_row(lattice, 1));
        let cuts = (1..).zip(&self.cuts).map(|(number, cut)| {
            let bad = || Refusal::new(Place::Cut(number), ProofFault::BadCut);
            columns.cut_row(cut).ok_or_else(bad)
        });
        Ok(first.chain(columns.use_rows()).chain(full).map(Ok).chain(cuts))
    }
}

/// The lattice lines that have a dot if the board is exact.
fn full_lines(columns: &Columns, board: Board) -> Vec<LatticeLine> {
    let range = |direction: Direction| {
        let place = |&dot: &Point| LatticeLine::through(dot, direction).place;
        let places = columns.points().iter().map(place);
        (places.clone().min().expect("there are dots"), places.max().expect("there are dots"))
    };
    let mut lines = Vec::new();
    for direction in [Direction::East, Direction::South] {
        let (least, most) = range(direction);
        lines.extend((least..=most).map(|place| LatticeLine { direction, place }));
    }
    if board.is_free() {
        let [fall, rise] = [Direction::SouthEast, Direction::NorthEast];
        let ((least_fall, most_fall), (least_rise, most_rise)) = (range(fall), range(rise));
        let sides = [(fall, most_fall), (rise, most_rise), (fall, least_fall), (rise, least_rise)];
        lines.extend(sides.map(|(direction, place)| LatticeLine { direction, place }));
    }
    lines
}

/// Whether there are dots, and no gap between them along one axis.
fn is_gapless(dots: &[Point], along: fn(&Point) -> i32) -> bool {
    let mut places: Vec<i32> = dots.iter().map(along).collect();
    places.sort_unstable();
    !places.is_empty() && places.windows(2).all(|pair| pair[1] - pair[0] <= 1)
}
