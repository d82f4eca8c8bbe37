//! Bounds on boards: no game whose dots lie there has more than so many moves.
//!
//! A certificate names a game, a board and a model, and gives a whole number, its dual, for each row of
//! the model. The model is a list of columns, numbers from 0 to 1, and of rows, sums of columns that are
//! at most, at least or exactly a right-hand side. It is made here from the rules alone (`rows.rs` says
//! why every row holds in every game that is claimed about); a game, with 1 for what it has and 0 for
//! the rest, keeps all bounds and rows, and its moves are the sum of the costs c.
//!
//! Let y be the duals and s > 0 the scale. If no dual of an "at most" row is negative and none of an "at
//! least" row positive, then y·(Ax) <= y·b for every game x. So s times its moves is
//! s c·x <= s c·x + y·b - y·(Ax) = y·b + sum over the columns of (s c_j - (yA)_j) x_j, and each term is at
//! most the larger of its values at the bounds of its column. Nothing needs to be known of where y is
//! from. All is computed in whole numbers.

mod board;
mod rows;
pub(crate) mod supposed;
pub(crate) mod text;

use crate::refusal::{Fault, Place, Refusal};
use crate::rules::Rules;
use crate::start::Start;

pub use board::Board;
use rows::{Model, Sense};
use text::Certificate;

/// The format of certificates.
pub(crate) const FORMAT: &str = "morpion-bound/1";

/// The most dots that a board may have.
pub const MAX_BOARD_DOTS: usize = 40_000;

/// A bound on a board that the judge has found to hold. Only [`check`](crate::check) makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardBound {
    rules: Rules,
    start: Start,
    board: Board,
    exact: bool,
    bound: i128,
}

impl BoardBound {
    /// What the cases of a hull show.
    pub(crate) fn of_hull(rules: Rules, board: Board, bound: i128) -> BoardBound {
        BoardBound { rules, start: Start::Cross, board, exact: true, bound }
    }

    /// The rules of the games.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The dots they begin with.
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// Where all their dots lie: for a box around the start, else moved, turned or mirrored at will.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Whether only games are meant that meet every side of the board.
    pub fn exact(&self) -> bool {
        self.exact
    }

    /// No such game has more moves; -1 if there is no such game at all.
    pub fn bound(&self) -> i128 {
        self.bound
    }

    /// What is proven, in words.
    pub fn claim(&self) -> String {
        claim(self.rules, &self.start, self.board, self.exact, self.bound)
    }
}

/// Whether a text begins as a certificate does.
pub(crate) fn is_certificate(text: &str) -> bool {
    text.strip_prefix('\u{feff}').unwrap_or(text).starts_with("morpion-bound/")
}

/// Judges a certificate.
pub(crate) fn check(text: &str) -> Result<BoardBound, Refusal> {
    let certificate = Certificate::parse(text)?;
    let Certificate { rules, board, exact, bound: claimed, .. } = certificate;
    let words = claim(rules, &certificate.start, board, exact, claimed);
    if certificate.words != words {
        return Err(Fault::FalseWords { wanted: words }.into());
    }
    let bound = evaluate(&certificate)?;
    if bound > claimed {
        return Err(Fault::FalseBound { claimed, bound }.into());
    }
    Ok(BoardBound { rules, start: certificate.start, board, exact, bound })
}

/// The bound that the duals of a certificate show; -1 if it is any less than nothing.
pub(crate) fn evaluate(certificate: &Certificate) -> Result<i128, Refusal> {
    const FITS: &str = "there are fewer than 2^40 products of two numbers of 64 bits";
    let model = Model::new(certificate)?;
    let scale = i128::from(certificate.scale);
    let mut left: Vec<i128> =
        (0..model.columns()).map(|column| if model.is_dot(column) { 0 } else { scale }).collect();
    let (mut total, mut rows, mut wrong) = (0i128, 0usize, None);
    model.rows(certificate, |sense, right, terms| {
        rows += 1;
        let Some(&dual) = certificate.duals.get(rows - 1) else { return };
        let dual = i128::from(dual);
        let allowed = match sense {
            Sense::AtMost => dual >= 0,
            Sense::AtLeast => dual <= 0,
            Sense::Equal => true,
        };
        if !allowed && wrong.is_none() {
            wrong = Some(rows as u32);
        }
        let product = |factor: i64| dual.checked_mul(i128::from(factor)).expect(FITS);
        total = total.checked_add(product(right)).expect(FITS);
        for &(column, factor) in terms {
            left[column] = left[column].checked_sub(product(factor)).expect(FITS);
        }
    })?;
    if rows != certificate.duals.len() {
        return Err(Fault::WrongCount { rows, duals: certificate.duals.len() }.into());
    }
    if let Some(row) = wrong {
        return Err(Refusal::new(Place::Row(row), Fault::WrongSign));
    }
    for (column, left) in left.into_iter().enumerate() {
        let most = match (model.is_fixed(column), model.is_forbidden(column)) {
            (true, _) => left,
            (false, true) => 0,
            (false, false) => left.max(0),
        };
        total = total.checked_add(most).expect(FITS);
    }
    Ok(total.div_euclid(scale).max(-1))
}

/// The second line of a certificate.
fn claim(rules: Rules, start: &Start, board: Board, exact: bool, bound: i128) -> String {
    let start = match start {
        Start::Cross => String::new(),
        start => format!(" from {start}"),
    };
    let whose = match (board, exact) {
        (Board::Box(_), false) => format!("dots all lie in {board} around the start"),
        (Board::Box(_), true) => format!("bounding box is {board} around the start"),
        (_, false) => format!("dots all lie on {board} (moved, turned or mirrored)"),
        (_, true) => format!("octagonal hull is {board} (moved, turned or mirrored)"),
    };
    match bound < 0 {
        true => format!("{rules}{start}: there is no game whose {whose}"),
        false => format!("{rules}{start}: no game whose {whose} has more than {bound} moves"),
    }
}
