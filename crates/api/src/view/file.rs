//! Verdicts on files: games, drawings, proofs.

use std::collections::HashMap;

use evidence::{FileCheck, Refusal, VerifiedRecord, VerifyError, missing_dots};
use geometry::Point;
use record::{DotJson, LineJson, Play, Record};
use serde::Serialize;
use serde_json::Value;
use verify::{OrderResult, ProvenClaim};

use super::game::{BoardView, dot_json, lines_json};

/// The verdict on a game file.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileVerdictView {
    /// The file, if it has a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// `legal`, `refused` or `error`; of a drawing on a page also `ordered` or `stuck`.
    pub verdict: &'static str,
    /// The rules, like `5T`.
    pub game: Option<String>,
    /// The start, like `cross` or `17 dots`.
    pub start: Option<String>,
    /// The number of moves.
    pub moves: Option<usize>,
    /// The number of legal moves that remain.
    pub left: Option<u64>,
    /// Why it is refused.
    pub reason: Option<String>,
    /// The kind of fault.
    pub fault: Option<&'static str>,
    /// The faulty move or line, counted from 1.
    #[serde(rename = "move")]
    pub number: Option<u32>,
}

impl FileVerdictView {
    /// The verdict on a file and what the file says, as far as it is a record.
    #[must_use]
    pub fn new(verdict: &Result<VerifiedRecord, Refusal>, record: Option<&Record>) -> Self {
        match verdict {
            Ok(game) => Self {
                verdict: "legal",
                game: Some(game.verified().rules().to_string()),
                start: Some(game.verified().start().to_string()),
                moves: Some(game.score() as usize),
                left: Some(game.remaining_moves()),
                ..Self::default()
            },
            Err(refusal) => Self {
                verdict: "refused",
                game: record.map(|record| record.game.rules.to_string()),
                start: record.map(|record| record.game.start_name()),
                moves: record.map(|record| record.lines().len()),
                reason: Some(refusal.to_string()),
                fault: Some(refusal.fault.name()),
                number: refusal.number(),
                ..Self::default()
            },
        }
    }

    /// A file that cannot be read.
    #[must_use]
    pub fn error(reason: String) -> Self {
        Self { verdict: "error", reason: Some(reason), ..Self::default() }
    }
}

/// The verdict on a file, whichever it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum VerdictView {
    /// A game, or a file that cannot be read.
    Game(FileVerdictView),
    /// A proof.
    Proof(ProofView),
}

/// A file as a page shows it: its verdict, and what to draw.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileView {
    /// The verdict.
    #[serde(flatten)]
    pub verdict: FileVerdictView,
    /// The format of the file.
    pub format: String,
    /// Whether the game was guessed.
    pub guessed: bool,
    /// The game as in the file, or in the order found; `None` if there is nothing to draw.
    pub board: Option<BoardView>,
    /// The lines of a drawing without an order.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::schema::LineSchema>"))]
    pub lines: Vec<LineJson>,
    /// The lines that no order reaches.
    pub stuck: Vec<StuckLineView>,
    /// Of a refused game: whether its lines can be played in another order.
    pub other_order: Option<bool>,
    /// The game in the native format.
    pub record: Option<Value>,
}

impl FileView {
    /// A file of this format and its verdict.
    pub fn new(format: String, file: FileCheck) -> Result<Self, VerifyError> {
        let FileCheck { text, record, verdict, guessed, .. } = file;
        if let Err(refusal) = &verdict
            && refusal.is_malformed()
        {
            return Err(refusal.clone().into());
        }
        let mut view = Self {
            verdict: FileVerdictView::new(&verdict, record.as_ref().ok()),
            format,
            guessed: guessed.is_some(),
            board: None,
            lines: Vec::new(),
            stuck: Vec::new(),
            other_order: None,
            record: None,
        };
        let record = match record {
            // Moves that are not even well formed cannot be drawn.
            Err(_) if verdict.is_err() => return Ok(view),
            record => record?,
        };
        match (verdict, &record.play) {
            (Ok(game), play) => {
                if matches!(play, Play::Drawing(_)) {
                    view.verdict.verdict = "ordered";
                }
                let moves = game.moves().to_vec();
                view.board = Some(BoardView::new(&record.game, &moves));
                view.record = native(&Record { play: Play::Moves(moves), ..record });
            }
            (Err(_), Play::Moves(moves)) => {
                view.board = Some(BoardView::new(&record.game, moves));
                view.other_order =
                    Some(matches!(verify::order(&text), Ok(OrderResult::Ordered { .. })));
                view.record = native(&record);
            }
            (Err(_), Play::Drawing(lines)) => {
                view.board = Some(BoardView::new(&record.game, &[]));
                view.lines = lines_json(lines);
                if let Ok(OrderResult::Stuck { stuck, .. }) = verify::order(&text) {
                    view.verdict.verdict = "stuck";
                    view.stuck = StuckLineView::list(&record, &stuck);
                }
                view.record = native(&record);
            }
        }
        Ok(view)
    }
}

/// The order of a drawing, or the lines that are stuck.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OrderView {
    /// `ordered`, `stuck` or `refused`.
    pub verdict: &'static str,
    /// The rules, like `5T`.
    pub game: Option<String>,
    /// The number of lines.
    pub lines: Option<usize>,
    /// How many of them can be played.
    pub playable: Option<usize>,
    /// The playable lines by their numbers in the file, from 1, in an order of play.
    pub order: Vec<u32>,
    /// The new dot of each move of the order.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::schema::Dot>"))]
    pub new: Vec<DotJson>,
    /// The lines that can never be played.
    pub stuck: Vec<StuckLineView>,
    /// The number of legal moves that remain.
    pub left: Option<u64>,
    /// Why it is refused.
    pub reason: Option<String>,
}

impl OrderView {
    /// A drawing with an order of its lines, which are counted from 0.
    #[must_use]
    pub fn ordered(game: &VerifiedRecord, order: &[u32]) -> Self {
        Self {
            verdict: "ordered",
            game: Some(game.game().rules.to_string()),
            lines: Some(order.len()),
            playable: Some(order.len()),
            order: order.iter().map(|index| index + 1).collect(),
            new: game.moves().iter().map(|mv| dot_json(mv.dot())).collect(),
            left: Some(game.remaining_moves()),
            ..Self::default()
        }
    }

    /// A drawing with lines, counted from 0, that can never be played.
    #[must_use]
    pub fn stuck(record: &Record, stuck: &[u32]) -> Self {
        let lines = record.lines().len();
        let order: Vec<u32> =
            (0..lines as u32).filter(|line| !stuck.contains(line)).map(|line| line + 1).collect();
        Self {
            verdict: "stuck",
            game: Some(record.game.rules.to_string()),
            lines: Some(lines),
            playable: Some(order.len()),
            order,
            stuck: StuckLineView::list(record, stuck),
            ..Self::default()
        }
    }

    /// A file that is refused.
    #[must_use]
    pub fn refused(record: Option<&Record>, reason: String) -> Self {
        Self {
            verdict: "refused",
            game: record.map(|record| record.game.rules.to_string()),
            lines: record.map(|record| record.lines().len()),
            reason: Some(reason),
            ..Self::default()
        }
    }
}

/// A line of a drawing that can never be played.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StuckLineView {
    /// Its number in the file, counted from 1.
    pub line: u32,
    /// Its dots that are missing when all other lines are drawn: none if it adds none, or several.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::schema::Dot>"))]
    pub missing: Vec<DotJson>,
    /// Whether it only waits for other lines; if not, no other line could help it.
    pub waits: bool,
}

impl StuckLineView {
    /// The lines given, counted from 0: first those that no other line could help, those with most
    /// dots of their own first.
    fn list(record: &Record, stuck: &[u32]) -> Vec<Self> {
        let missing = missing_dots(record, stuck);
        let mut lines_with: HashMap<Point, usize> = HashMap::new();
        missing.iter().flatten().for_each(|&dot| *lines_with.entry(dot).or_default() += 1);
        let own = |dots: &[Point]| dots.iter().filter(|&dot| lines_with[dot] == 1).count();
        let mut all: Vec<(usize, Self)> = stuck
            .iter()
            .zip(&missing)
            .map(|(line, dots)| {
                // A line adds one dot; every other has to come from another line.
                let (own, waits) = (own(dots), own(dots) <= 1 && !dots.is_empty());
                let missing = dots.iter().copied().map(dot_json).collect();
                (own, Self { line: line + 1, missing, waits })
            })
            .collect();
        all.sort_by_key(|(own, line)| match line.waits {
            true => (true, 0, line.line),
            false => (false, usize::MAX - own, line.line),
        });
        all.into_iter().map(|(_, line)| line).collect()
    }
}

/// The verdict on a proof.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProofView {
    /// The file, if it has a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// `proven`, `conditional` (games longer than the bound must reach a box of `boxes_left`),
    /// `refused` or `error`.
    pub verdict: &'static str,
    /// What is proven, like `5D <= 121`.
    pub claim: Option<String>,
    /// Why it is refused.
    pub reason: Option<String>,
    /// The kind of fault.
    pub fault: Option<&'static str>,
    /// The bounding boxes that a longer game must reach.
    pub boxes_left: Vec<[u32; 4]>,
    /// The time of the verification, where it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl ProofView {
    /// The verdict.
    #[must_use]
    pub fn new(verdict: &Result<ProvenClaim, Refusal>) -> Self {
        match verdict {
            Ok(proof) => Self {
                verdict: match proof.claim().boxes_left() {
                    [] => "proven",
                    _ => "conditional",
                },
                claim: Some(proof.to_string()),
                boxes_left: proof.claim().boxes_left().to_vec(),
                ..Self::default()
            },
            Err(refusal) => Self {
                verdict: "refused",
                reason: Some(refusal.to_string()),
                fault: Some(refusal.fault.name()),
                ..Self::default()
            },
        }
    }

    /// A file that cannot be read.
    #[must_use]
    pub fn error(reason: String) -> Self {
        Self { verdict: "error", reason: Some(reason), ..Self::default() }
    }
}

/// A record as a JSON value of the native format.
#[must_use]
pub fn native(record: &Record) -> Option<Value> {
    serde_json::from_str(&record.to_json()).ok()
}
