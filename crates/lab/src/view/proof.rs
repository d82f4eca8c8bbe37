//! Bounds and proofs, as scripts read them.

use serde::Serialize;

use api::view::{FileVerdictView, VerdictView};

use crate::records::{RecordView, UpperBoundView};

/// What `verify` says about a file.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum FileResultView {
    /// A game, or what could not be read.
    Game {
        /// The verdict.
        #[serde(flatten)]
        view: Box<FileVerdictView>,
        /// The longest published game.
        record: Option<RecordView>,
    },
    /// A proof.
    Proof(VerdictView),
}

impl FileResultView {
    /// The verdict on a game, beside the record.
    #[must_use]
    pub fn game(view: FileVerdictView, record: Option<RecordView>) -> Self {
        Self::Game { view: Box::new(view), record }
    }
}

/// A bound by a cover.
#[derive(Debug, Default, Serialize)]
pub struct CoverView {
    /// The rules.
    pub game: String,
    /// `cover`.
    pub by: &'static str,
    /// Null: a bound by a linear program names its board here.
    pub board: (),
    /// Null, where a bound by a linear program has its value.
    pub value: (),
    /// The proven bound.
    pub bound: Option<u32>,
    /// Ranges of hulls.
    pub ranges: usize,
    /// What is proven.
    pub claim: Option<String>,
    /// The file of the proof.
    pub certificate: Option<String>,
    /// Why there is no proof.
    pub reason: Option<String>,
}

/// A bound by caps.
#[derive(Debug, Default, Serialize)]
pub struct CapsView {
    /// The rules.
    pub game: String,
    /// `lines`.
    pub by: &'static str,
    /// The proven bound.
    pub bound: Option<u32>,
    /// The rows of a cap.
    pub rows: usize,
    /// The fewest dots of a cap, by its waste.
    pub least: Vec<u32>,
    /// The boards with their values.
    pub boards: Vec<BoardValueView>,
    /// What is proven.
    pub claim: Option<String>,
    /// The file of the proof.
    pub certificate: Option<String>,
}

/// A board with the value of its linear program.
#[derive(Debug, Serialize)]
pub struct BoardValueView {
    /// The board.
    pub board: String,
    /// The value.
    pub value: f64,
}

/// An optimum by branch and bound.
#[derive(Debug, Serialize)]
pub struct OptimumView {
    /// The rules.
    pub game: String,
    /// `proof`.
    pub by: &'static str,
    /// What is proven.
    pub claim: String,
    /// The length of the longest games.
    pub moves: u32,
    /// The leaves of all trees.
    pub leaves: usize,
    /// The file of the proof.
    pub certificate: String,
    /// Its size.
    pub bytes: usize,
}

/// A bound by extents.
#[derive(Debug, Serialize)]
pub struct ExtentView {
    /// The rules.
    pub game: String,
    /// `extents`.
    pub by: &'static str,
    /// What is proven.
    pub claim: String,
    /// The bound.
    pub bound: u32,
    /// The trees.
    pub trees: usize,
    /// Their leaves.
    pub leaves: usize,
    /// The file of the proof.
    pub certificate: String,
    /// Its size.
    pub bytes: usize,
}

/// A conditional bound by boxes.
#[derive(Debug, Serialize)]
pub struct BoxesView {
    /// The rules.
    pub game: String,
    /// `boxes`.
    pub by: &'static str,
    /// What is proven.
    pub claim: String,
    /// The bound of games that reach none of the boxes.
    pub bound: u32,
    /// The boxes that a longer game reaches: steps above, right, below and left, one of each eight
    /// images.
    pub left: Vec<[u32; 4]>,
    /// Those of them that were tried and not excluded in time.
    pub resisted: Vec<[u32; 4]>,
    /// Trees in the proof.
    pub trees: usize,
    /// The leaves of all trees.
    pub leaves: usize,
    /// The file of the proof.
    pub certificate: String,
    /// Its size.
    pub bytes: usize,
}

/// Endless play, or none found.
#[derive(Debug, Serialize)]
pub struct EndlessView {
    /// The rules.
    pub game: String,
    /// The start.
    pub start: String,
    /// Whether endless play was found.
    pub endless: bool,
    /// What is proven.
    pub claim: Option<String>,
    /// Moves before the first period.
    pub prefix: Option<usize>,
    /// Moves of a period.
    pub period: Option<usize>,
    /// The offset from each period to the next.
    pub translation: Option<[i32; 2]>,
    /// The file of the proof.
    pub out: Option<String>,
}

/// All positions of a game.
#[derive(Debug, Serialize)]
pub struct EnumerationView {
    /// The game.
    pub game: String,
    /// `enumeration`.
    pub by: &'static str,
    /// The length of the longest games.
    pub longest: usize,
    /// Positions by number of moves.
    pub positions: Vec<u128>,
    /// Positions by number of moves, up to symmetry.
    pub classes: Vec<u128>,
    /// The number of parts.
    pub parts: usize,
    /// The file of the counts of all parts.
    pub journal: String,
}

/// The longest continuation of the first moves of a game.
#[derive(Debug, Serialize)]
pub struct EndgameView {
    /// The game.
    pub game: String,
    /// The number of moves that are kept.
    pub keep: usize,
    /// The length of the given game.
    pub moves: usize,
    /// The length of the longest game.
    pub longest: usize,
    /// Whether the search was complete.
    pub proven: bool,
    /// The file of a longer game.
    pub out: Option<String>,
}

/// A bound by a formula.
#[derive(Debug, Default, Serialize)]
pub struct FormulaView {
    /// The rules.
    pub game: String,
    /// The start.
    pub start: String,
    /// The formula, or the kind of the proof.
    pub by: Option<String>,
    /// Always null: formulas need no board.
    pub board: Option<String>,
    /// The bound before rounding.
    pub value: Option<f64>,
    /// The bound.
    pub bound: Option<u64>,
    /// Always null: formulas need no certificate.
    pub certificate: Option<String>,
    /// The bound before rounding, as a fraction.
    pub exact: Option<String>,
    /// The argument, line by line.
    pub argument: Vec<String>,
    /// What the paper says, if that is another number.
    pub printed: Option<i64>,
    /// The length of a game found on the way.
    pub reached: Option<u64>,
    /// What a proof that ships with the program shows.
    pub proven: Option<String>,
    /// The file of the proof, if `bound` follows from one.
    pub proof: Option<String>,
    /// The longest published game.
    pub record: Option<RecordView>,
    /// All bounds: the certified ones, the least first, then those in print.
    pub bounds: Vec<UpperBoundView>,
    /// Why there is no bound.
    pub reason: Option<String>,
}

/// A bound for the games on a board.
#[derive(Debug, Default, Serialize)]
pub struct BoardBoundView {
    /// The rules.
    pub game: String,
    /// The start.
    pub start: String,
    /// `lp`.
    pub by: &'static str,
    /// The board.
    pub board: String,
    /// The formulation.
    pub model: &'static str,
    /// Whether only games count that reach every side.
    pub exact: bool,
    /// The number of variables.
    pub columns: usize,
    /// The number of constraints.
    pub rows: usize,
    /// The value of the solver; null if infeasible.
    pub value: Option<f64>,
    /// The proven bound; -1 if there are no such games.
    pub bound: Option<i64>,
    /// What is proven.
    pub claim: Option<String>,
    /// The scale of the duals.
    pub scale: Option<i64>,
    /// The file of the certificate.
    pub certificate: Option<String>,
    /// The file of the picture.
    pub picture: Option<String>,
    /// The file of the linear program.
    pub written: Option<String>,
    /// CPU seconds to solve it.
    pub solve_cpu_seconds: Option<f64>,
    /// CPU seconds to verify it.
    pub check_cpu_seconds: Option<f64>,
}

/// The octagonal hull of a game.
#[derive(Debug, Serialize)]
pub struct HullView {
    /// The file of the game.
    pub file: String,
    /// The game.
    pub game: String,
    /// Its length.
    pub moves: usize,
    /// The hull.
    pub hull: String,
    /// The points of the hull.
    pub area: u32,
    /// The dots of the game.
    pub dots: usize,
    /// The potential of the hull.
    pub potential: u32,
    /// By how much it may exceed that of the game.
    pub modifier: u32,
    /// Diagonals without a dot between others.
    pub gaps: usize,
    /// Free half-segments that point outwards.
    pub external: i64,
    /// The other free half-segments.
    pub internal: i64,
    /// The file of the picture.
    pub picture: Option<String>,
}

/// How many octagons can be the hull of a position.
#[derive(Debug, Serialize)]
pub struct HullCountView {
    /// The game.
    pub game: String,
    /// The free half-segments of every position.
    pub potential: u32,
    /// Octagons up to translation and symmetry.
    pub classes: u64,
    /// Those that lie in no other.
    pub maximal: u64,
    /// The dots of the largest.
    pub largest: u32,
    /// The length of the published list.
    pub published: u64,
    /// The published list by modifier 0, 2 and 4.
    pub published_by_modifier: [u64; 3],
}

/// A question without an answer.
#[derive(Debug, Serialize)]
pub struct InconclusiveView {
    /// The game.
    pub game: String,
    /// Why.
    pub reason: String,
}
