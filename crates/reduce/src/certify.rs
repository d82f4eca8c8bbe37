//! The proof that a pattern says what its formula says, made anew for every pattern.
//!
//! *Soundness.* Every hole of the layout has a meaning: a literal, a clause, or all clauses up to
//! one. Every other point that the [`Closure`] finds fillable gets the weakest meaning that allows
//! for all ways to fill it. Then for each way to fill a hole, what it takes must imply the meaning
//! of the hole. The only exceptions are the two lines of each variable, which exclude each other.
//! So, by induction over the moves of any game of either kind: with the variables valued as their
//! lines were drawn, each dot is where its meaning is true.
//!
//! *Completeness.* The intended lines exclude each other only in the pairs of the variables, even
//! in the disjoint game. Each literal alone fills its rail and the columns of its clauses, and all
//! columns together fill the checkers and the treasure. What one literal can do it can do beside
//! others, so every model has a game that fills all holes whose meaning is true in it.
//!
//! *Count.* Without the meaning "all clauses", the lines that remain have a [`ceiling`] below the
//! threshold; and the game of any model reaches it.
//!
//! Together: a game of as many moves as the threshold exists if and only if the formula has a
//! model.

use std::collections::{HashMap, HashSet};

use geometry::{Direction, Line, Move, Point};

use crate::ceiling::ceiling;
use crate::closure::{Closure, ClosureError};
use crate::cnf::Literal;
use crate::layout::{Atom, Layout};
use crate::meaning::{ALWAYS, Meaning, Meanings, NEVER, Tangled};
use crate::wiring::Wiring;

/// What was found about a pattern that does what it should. Only [`certify`] makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternCertificate {
    threshold: usize,
    ceiling: usize,
    reach: usize,
    fillable: usize,
    junk: usize,
}

impl PatternCertificate {
    /// The moves that a game can have if and only if the formula has a model.
    pub fn threshold(&self) -> usize {
        self.threshold
    }

    /// The moves that no game without the treasure exceeds.
    pub fn ceiling(&self) -> usize {
        self.ceiling
    }

    /// The moves that the game of any model has at least.
    pub fn reach(&self) -> usize {
        self.reach
    }

    /// The points that might ever be filled.
    pub fn fillable(&self) -> usize {
        self.fillable
    }

    /// Those of them that no intended line fills.
    pub fn unintended_points(&self) -> usize {
        self.junk
    }
}

/// Why a pattern is not what it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// A hole with two meanings.
    #[error("the hole {0} would have two meanings")]
    Clash(Point),
    /// A dot where a hole should be.
    #[error("there is a dot in the hole {0}")]
    Stopped(Point),
    /// No dot where one should be.
    #[error("there is no dot at {0}")]
    Missing(Point),
    /// Two intended lines that cannot both be drawn.
    #[error("the line {0} shares a point with another in its direction")]
    Overlap(Line),
    /// Both lines of a variable can be drawn.
    #[error("variable {0} could be true and false at once")]
    Both(u32),
    /// Lines could go on for ever.
    #[error(transparent)]
    ClosureError(#[from] ClosureError),
    /// A hole can be filled when it should not.
    #[error("the line {line} could fill {hole} when it should not")]
    Unsound {
        /// The hole.
        hole: Point,
        /// The line.
        line: Line,
    },
    /// A point can be filled in too many ways.
    #[error("there are too many ways to fill {0}")]
    Tangled(Point),
    /// A hole that should be filled and is not.
    #[error("no intended line fills {0} when it should")]
    Dry(Point),
    /// Too many moves without the treasure.
    #[error("{ceiling} moves might be made without the treasure, and the threshold is {threshold}")]
    TooEasy {
        /// Moves that can be made without a model, at most.
        ceiling: usize,
        /// The threshold.
        threshold: usize,
    },
    /// Too few moves with it.
    #[error("a model has a game of only {reach} moves, and the threshold is {threshold}")]
    TooHard {
        /// Moves that can be made with any model.
        reach: usize,
        /// The threshold.
        threshold: usize,
    },
}

/// Proves that from `dots` a game of `threshold` moves exists if and only if the formula of the
/// layout has a model, in the touching game and in the disjoint one.
pub fn certify(
    layout: &Layout,
    dots: &[Point],
    threshold: usize,
) -> Result<PatternCertificate, CertifyError> {
    if let Some(hole) = layout.clash {
        return Err(CertifyError::Clash(hole));
    }
    let (fillable, junk) = sound(layout, dots)?;
    complete(layout, dots)?;
    let ceiling = ceiling_without_treasure(layout, dots)?;
    if ceiling >= threshold {
        return Err(CertifyError::TooEasy { ceiling, threshold });
    }
    let reach = reach(layout);
    if reach < threshold {
        return Err(CertifyError::TooHard { reach, threshold });
    }
    Ok(PatternCertificate { threshold, ceiling, reach, fillable, junk })
}

/// How many moves there can be at most without a model.
pub(crate) fn ceiling_without_treasure(
    layout: &Layout,
    dots: &[Point],
) -> Result<usize, ClosureError> {
    let all = Atom::All(layout.last());
    let treasure = layout.labels.iter().filter(|&(_, &atom)| atom == all);
    Ok(ceiling(&Closure::new(layout.length, dots, treasure.map(|(&hole, _)| hole))?))
}

/// How many moves the game of any model has at least: a hole is filled by every move.
pub(crate) fn reach(layout: &Layout) -> usize {
    let mut literals: HashMap<Literal, usize> = HashMap::new();
    let mut others = 0;
    for &atom in layout.labels.values() {
        match atom {
            Atom::Literal(literal) => *literals.entry(literal).or_default() += 1,
            Atom::Clause(_) | Atom::All(_) => others += 1,
        }
    }
    let count = |literal: Literal| literals.get(&literal).copied().unwrap_or(0);
    let least = |variable: i32| {
        let literal = Literal::new(variable).expect("variables count from 1");
        count(literal).min(count(literal.opposite()))
    };
    others + (1..=layout.instance.names.len() as i32).map(least).sum::<usize>()
}

/// Checks that nothing is filled that should not; counts the fillable points, and those of them
/// that are no holes.
fn sound(layout: &Layout, dots: &[Point]) -> Result<(usize, usize), CertifyError> {
    // Lines of one direction that are no further apart share a segment.
    let reach = layout.length as i32 - 2;
    for (variable, [yes, no]) in (1..).zip(&layout.choices) {
        let along = no.line.start - yes.line.start;
        let overlap = yes.line.direction == no.line.direction
            && (-reach..=reach).any(|shift| yes.line.direction.step() * shift == along);
        if !overlap {
            return Err(CertifyError::Both(variable));
        }
    }
    let closure = Closure::new(layout.length, dots, [])?;
    let mut meanings = Meanings::new(&layout.instance.clauses);
    // By the numbers of the fillable points.
    let mut meaning = vec![NEVER; closure.fillable().len()];
    let mut junk = Vec::new();
    for (number, point) in closure.fillable().enumerate() {
        match layout.labels.get(&point) {
            Some(&atom) => meaning[number] = meanings.atom(atom),
            None => junk.push((number, point)),
        }
    }
    // What a line takes to fill a point.
    let takes = |meanings: &mut Meanings<'_>, meaning: &[Meaning], line: Line, point: Point| {
        let others = (0..layout.length).map(|i| line.point(i)).filter(|&other| other != point);
        others
            .filter(|&other| !closure.is_dot(other))
            .map(|other| closure.fillable_number(other).map_or(NEVER, |number| meaning[number]))
            .try_fold(ALWAYS, |all, other| meanings.and(all, other))
    };
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for &(number, point) in &junk {
            let mut ways = NEVER;
            for line in closure.lines_filling(point) {
                let way = takes(&mut meanings, &meaning, line, point);
                ways = way
                    .and_then(|way| meanings.or(ways, way))
                    .map_err(|Tangled| CertifyError::Tangled(point))?;
            }
            let old = std::mem::replace(&mut meaning[number], ways);
            changed |= old != ways;
        }
    }
    let choices: HashMap<Move, Atom> =
        layout.choices.iter().flatten().map(|&mv| (mv, layout.labels[&mv.dot()])).collect();
    for hole in closure.fillable() {
        let Some(&atom) = layout.labels.get(&hole) else { continue };
        for line in closure.lines_filling(hole) {
            let along = hole - line.start;
            let offset = along.x.abs().max(along.y.abs()) as u8;
            if choices.get(&Move::new(line, offset)) == Some(&atom) {
                continue;
            }
            let way = takes(&mut meanings, &meaning, line, hole);
            let way = way.map_err(|Tangled| CertifyError::Tangled(hole))?;
            if !meanings.implies(way, atom) {
                return Err(CertifyError::Unsound { hole, line });
            }
        }
    }
    Ok((closure.fillable().len(), junk.len()))
}

/// Checks that everything is filled that should be, in the disjoint game.
fn complete(layout: &Layout, dots: &[Point]) -> Result<(), CertifyError> {
    let dots: HashSet<Point> = dots.iter().copied().collect();
    let choices: HashSet<Line> = layout.choices.iter().flatten().map(|mv| mv.line).collect();
    let mut used: HashSet<(Point, Direction)> = HashSet::new();
    for row in &layout.rows {
        if let Some(hole) = row.holes().find(|hole| dots.contains(hole)) {
            return Err(CertifyError::Stopped(hole));
        }
        if let Some(dot) = row.dots().find(|dot| !dots.contains(dot)) {
            return Err(CertifyError::Missing(dot));
        }
        let mut marks = row.points().map(|point| (point, row.line.direction));
        let clear = marks.all(|mark| used.insert(mark));
        if !clear && !choices.contains(&row.line) {
            return Err(CertifyError::Overlap(row.line));
        }
    }
    let wiring = Wiring::new(layout);
    let mut holes: HashMap<Atom, Vec<Point>> = HashMap::new();
    for (&hole, &atom) in wiring.holes.iter().zip(&wiring.atoms) {
        holes.entry(atom).or_default().push(hole);
    }
    let mut uses: HashMap<Literal, Vec<u32>> = HashMap::new();
    for (clause, literals) in (0..).zip(&layout.instance.clauses) {
        for &literal in literals {
            uses.entry(literal).or_default().push(clause);
        }
    }
    let mut flow = wiring.dry();
    for mv in layout.choices.iter().flatten() {
        let Atom::Literal(literal) = layout.labels[&mv.dot()] else {
            return Err(CertifyError::Clash(mv.dot()));
        };
        flow.pour(mv.dot(), &mut Vec::new());
        let clauses = uses.get(&literal).into_iter().flatten().map(|&clause| Atom::Clause(clause));
        for atom in clauses.chain([Atom::Literal(literal)]) {
            let dry = holes[&atom].iter().find(|&&hole| !flow.is_filled(hole));
            dry.map_or(Ok(()), |&hole| Err(CertifyError::Dry(hole)))?;
        }
        flow.dry();
    }
    for clause in 0..=layout.last() {
        flow.pour(holes[&Atom::Clause(clause)][0], &mut Vec::new());
    }
    for clause in 0..=layout.last() {
        let mut meant = [Atom::Clause(clause), Atom::All(clause)].into_iter();
        let dry = meant.find_map(|atom| holes[&atom].iter().find(|&&hole| !flow.is_filled(hole)));
        dry.map_or(Ok(()), |&hole| Err(CertifyError::Dry(hole)))?;
    }
    Ok(())
}
