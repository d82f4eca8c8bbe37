//! Reductions from 3-SAT.

use geometry::Point;
use record::{DotJson, LineJson};
use reduce::gadget::{Gadget, GadgetReport, Verification};
use reduce::{Assignment, Literal, Pattern, Shortfall};
use serde::Serialize;
use serde_json::Value;

use super::file::native;
use crate::reduction::{GameModel, ModelGame, start_record};

/// A formula compiled to a certified dot pattern.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReductionView {
    /// The number of variables.
    pub variables: u32,
    /// The number of clauses.
    pub clauses: usize,
    /// The number of dots.
    pub dots: usize,
    /// A game of this many moves exists if and only if the formula is satisfiable.
    pub threshold: usize,
    /// Always true: only certified patterns are results.
    pub certified: bool,
    /// The theorem about this pattern.
    pub statement: String,
    /// The most moves of a game without a model.
    pub ceiling: usize,
    /// The most moves of a game with a model that the certificate accounts for.
    pub reach: usize,
    /// The length of the treasure.
    pub treasure: usize,
    /// The requested ratio of moves with a model to moves without.
    pub gap: f64,
    /// The number of dots on a line.
    pub length: usize,
}

impl ReductionView {
    /// A compiled pattern.
    #[must_use]
    pub fn new(pattern: &Pattern) -> Self {
        let (formula, certificate) = (pattern.formula(), pattern.certificate());
        Self {
            variables: formula.variables(),
            clauses: formula.clauses().len(),
            dots: pattern.start().dots().len(),
            threshold: pattern.threshold(),
            certified: true,
            statement: pattern.statement(),
            ceiling: certificate.ceiling(),
            reach: certificate.reach(),
            treasure: pattern.layout().treasure().len() - 1,
            gap: pattern.gap(),
            length: pattern.layout().length(),
        }
    }
}

/// A reduction written to files.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReductionFilesView {
    /// The reduction.
    #[serde(flatten)]
    pub reduction: ReductionView,
    /// The file of the dots.
    pub start: String,
    /// The file of the layout.
    pub sidecar: String,
    /// The file of the picture.
    pub picture: String,
}

/// A reduction as a page shows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PatternView {
    /// The reduction.
    #[serde(flatten)]
    pub reduction: ReductionView,
    /// The clauses as lists of literals.
    pub formula: Vec<Vec<i32>>,
    /// The pattern as SVG.
    pub picture: String,
    /// The dots as a game without moves, in the native format.
    pub record: Option<Value>,
    /// A model of the formula, if it was looked for and there is one.
    pub model: Option<Vec<i32>>,
    /// The parts that the pattern is made of.
    pub parts: Vec<PartView>,
}

/// A part of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartView {
    /// `variable`, `rail`, `tap`, `column`, `checker` or `treasure`.
    pub kind: &'static str,
    /// What it stands for, like `variable x1`.
    pub name: String,
    /// Its dots; some belong to two parts.
    #[cfg_attr(feature = "schema", schemars(with = "Vec<super::schema::Dot>"))]
    pub dots: Vec<DotJson>,
}

impl PatternView {
    /// A compiled pattern and its picture.
    #[must_use]
    pub fn new(pattern: &Pattern, picture: String) -> Self {
        let numbers = |clause: &Vec<Literal>| clause.iter().map(|l| l.number()).collect();
        let layout = pattern.layout();
        let part = |part: &reduce::LayoutPart| {
            let rows = &layout.rows()[part.rows.clone()];
            let dots = rows.iter().flat_map(|row| row.dots()).map(|dot| [dot.x, dot.y]).collect();
            PartView { kind: part.kind.name(), name: layout.name(part), dots }
        };
        Self {
            reduction: ReductionView::new(pattern),
            formula: pattern.formula().clauses().iter().map(numbers).collect(),
            picture,
            record: native(&start_record(pattern)),
            model: None,
            parts: pattern.layout().parts().iter().map(part).collect(),
        }
    }
}

/// The game of a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ModelGameView {
    /// The number of moves.
    pub moves: usize,
    /// The threshold of the pattern.
    pub threshold: usize,
    /// Whether the game reaches it.
    pub reaches: bool,
    /// The clauses that the model leaves false, counted from 1.
    pub unsatisfied: Vec<usize>,
    /// The file of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<String>,
    /// The game in the native format, if it was not written to a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<Value>,
}

impl ModelGameView {
    /// A game, written to the file `out` if there is one.
    #[must_use]
    pub fn new(game: &ModelGame, out: Option<String>) -> Self {
        Self {
            moves: game.moves,
            threshold: game.threshold,
            reaches: game.reaches(),
            unsatisfied: game.unsatisfied.clone(),
            record: if out.is_none() { native(&game.record) } else { None },
            out,
        }
    }
}

/// The model of a game.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameModelView {
    /// The number of moves.
    pub moves: usize,
    /// The threshold of the pattern.
    pub threshold: usize,
    /// Whether the game reaches it.
    pub reaches: bool,
    /// Whether the model satisfies the formula.
    pub satisfied: bool,
    /// The literals of the model.
    pub model: Vec<i32>,
    /// The variables that no line decides.
    pub undecided: Vec<u32>,
    /// The clauses that the model leaves false, counted from 1.
    pub unsatisfied: Vec<usize>,
    /// Where a game below the threshold stops.
    pub shortfall: Option<ShortfallView>,
    /// `legal` or `refused`.
    pub verdict: &'static str,
    /// Why the game is refused.
    pub reason: Option<String>,
}

impl GameModelView {
    /// The model of a legal game.
    #[must_use]
    pub fn new(game: &GameModel) -> Self {
        Self {
            moves: game.moves,
            threshold: game.threshold,
            reaches: game.reaches(),
            satisfied: game.unsatisfied.is_empty(),
            model: literals(&game.model),
            undecided: game.undecided.clone(),
            unsatisfied: game.unsatisfied.clone(),
            shortfall: game.shortfall.as_ref().map(ShortfallView::new),
            verdict: "legal",
            reason: None,
        }
    }

    /// A game that is refused.
    #[must_use]
    pub fn refused(pattern: &Pattern, reason: String) -> Self {
        Self {
            threshold: pattern.threshold(),
            verdict: "refused",
            reason: Some(reason),
            ..Self::default()
        }
    }
}

/// What a game from a pattern leaves undone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShortfallView {
    /// The clauses that do not reach their checkers, counted from 1.
    pub untriggered_clauses: Vec<usize>,
    /// The clauses whose checkers stay untriggered, counted from 1.
    pub untriggered_checkers: Vec<usize>,
    /// The number of units of the treasure that were drawn.
    pub treasure: usize,
    /// The number of places where a wire stops.
    pub stops: usize,
    /// The first of them.
    pub first_stops: Vec<WireStopView>,
}

impl ShortfallView {
    /// The most places that are named.
    const MAX_STOPS: usize = 20;

    fn new(shortfall: &Shortfall) -> Self {
        // A line in the way says more than a line that was not drawn yet.
        let mut stops: Vec<&reduce::Stop> = shortfall.stops.iter().collect();
        stops.sort_by_key(|stop| stop.blocked_by.is_none());
        let view = |stop: &reduce::Stop| WireStopView {
            part: stop.part.clone(),
            at: [stop.hole.x, stop.hole.y],
            blocked_by: stop.blocked_by.map(LineJson::from),
        };
        Self {
            untriggered_clauses: shortfall.clauses.clone(),
            untriggered_checkers: shortfall.checkers.clone(),
            treasure: shortfall.treasure,
            stops: stops.len(),
            first_stops: stops.into_iter().take(Self::MAX_STOPS).map(view).collect(),
        }
    }
}

/// A place where a wire stops.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireStopView {
    /// The part of the pattern.
    pub part: String,
    /// The hole that stays empty.
    pub at: [i32; 2],
    /// The line that blocks the intended one, as in a game file; without one it can still be drawn.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Value>"))]
    pub blocked_by: Option<LineJson>,
}

fn literals(model: &Assignment) -> Vec<i32> {
    model.literals().map(Literal::number).collect()
}

/// A gadget and the result of playing all its games.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GadgetView {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Its dots.
    pub dots: Vec<[i32; 2]>,
    /// Its ports.
    pub ports: Vec<PortView>,
    /// The relation of its ports.
    pub relation: String,
    /// `verified` or `broken`.
    pub verdict: &'static str,
    /// `play` if all games were played, `closure` if there are too many.
    pub by: &'static str,
    /// The number of sets of driven ports.
    pub subsets: Option<u32>,
    /// The number of positions, touching and disjoint.
    pub positions: Vec<u64>,
    /// The number of terminal positions, touching and disjoint.
    pub maximal: Vec<u64>,
    /// Why it is broken.
    pub reason: Option<String>,
    /// The file of its picture.
    pub picture: Option<String>,
}

impl GadgetView {
    /// A gadget that was played through, or the reason why it is broken.
    #[must_use]
    pub fn new(
        gadget: &Gadget,
        reports: &[GadgetReport],
        reason: Option<String>,
        picture: Option<String>,
    ) -> Self {
        let port = |&(name, at): &(char, Point)| PortView {
            name,
            at: [at.x, at.y],
            driven: gadget.driven.contains(name),
        };
        let played = gadget.method == Verification::Play;
        let counts = |of: fn(&GadgetReport) -> u64| {
            reports.iter().filter(|_| played).map(of).collect::<Vec<u64>>()
        };
        Self {
            name: gadget.name,
            about: gadget.about,
            dots: gadget.dots().iter().map(|dot| [dot.x, dot.y]).collect(),
            ports: gadget.ports.iter().map(port).collect(),
            relation: gadget.describe_relation(),
            verdict: if reason.is_none() { "verified" } else { "broken" },
            subsets: reports.first().map(|report| report.subsets),
            by: if played { "play" } else { "closure" },
            positions: counts(|report| report.positions),
            maximal: counts(|report| report.maximal),
            reason,
            picture,
        }
    }
}

/// A port of a gadget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PortView {
    /// Its letter.
    pub name: char,
    /// Its point.
    pub at: [i32; 2],
    /// Whether dots arrive there from outside.
    pub driven: bool,
}
