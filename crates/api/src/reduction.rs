//! Models of formulas as games, and games as models.

use evidence::{Refusal, VerifiedRecord};
use geometry::{Game, Move};
use record::{Provenance, Record};
use reduce::{Assignment, Pattern, Shortfall};

/// The verified game of a model.
#[derive(Debug, Clone)]
pub struct ModelGame {
    /// The game.
    pub record: Record,
    /// The number of moves.
    pub moves: usize,
    /// The threshold of the pattern.
    pub threshold: usize,
    /// The clauses that the model leaves false, counted from 1.
    pub unsatisfied: Vec<usize>,
}

/// The model of a legal game.
#[derive(Debug, Clone)]
pub struct GameModel {
    /// The model.
    pub model: Assignment,
    /// The number of moves.
    pub moves: usize,
    /// The threshold of the pattern.
    pub threshold: usize,
    /// The clauses that the model leaves false, counted from 1.
    pub unsatisfied: Vec<usize>,
    /// The variables that no line decides.
    pub undecided: Vec<u32>,
    /// Where a game below the threshold stops.
    pub shortfall: Option<Shortfall>,
}

/// Why a model or a game does not fit a pattern.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReductionError {
    /// A variable without a value.
    #[error("the model assigns no value to variable {0}; add {0} or -{0}")]
    OpenVariable(u32),
    /// The game of a model is illegal: a bug.
    #[error("the verifier refuses the game of a model: a bug in this program")]
    Refused(#[source] Refusal),
    /// Other dots.
    #[error("the game does not start from the dots of this pattern")]
    Start,
    /// Other rules.
    #[error("a game of {found}, but the pattern is for {touching} and {disjoint}")]
    Rules {
        /// The rules of the game.
        found: geometry::Rules,
        /// The touching rules of the pattern.
        touching: geometry::Rules,
        /// The disjoint rules of the pattern.
        disjoint: geometry::Rules,
    },
    /// A long game without a model: a bug.
    #[error("long enough, but without a model: a bug in the certificate")]
    Certificate,
}

/// Plays the game of a model, which must assign every variable of the formula's clauses.
pub fn play(pattern: &Pattern, model: &Assignment) -> Result<ModelGame, ReductionError> {
    if let Some(&open) = undecided(pattern, model).first() {
        return Err(ReductionError::OpenVariable(open));
    }
    let record = Record {
        provenance: Provenance {
            program: Some(record::PROGRAM.to_owned()),
            method: Some("reduce".to_owned()),
            ..Provenance::default()
        },
        ..record(pattern, pattern.play(model))
    };
    let game = VerifiedRecord::new(record.clone()).map_err(ReductionError::Refused)?;
    Ok(ModelGame {
        record,
        moves: game.score() as usize,
        threshold: pattern.threshold(),
        unsatisfied: model.unsatisfied(pattern.formula()),
    })
}

/// Reads the model out of a legal game from the dots of a pattern.
pub fn read(pattern: &Pattern, record: &Record) -> Result<GameModel, ReductionError> {
    if record.game.start != *pattern.start() {
        return Err(ReductionError::Start);
    }
    let [touching, disjoint] = [true, false].map(|touching| pattern.rules(touching));
    let found = record.game.rules;
    if ![touching, disjoint].contains(&found) {
        return Err(ReductionError::Rules { found, touching, disjoint });
    }
    let model = pattern.read(record.lines());
    let unsatisfied = model.unsatisfied(pattern.formula());
    let undecided = undecided(pattern, &model);
    let (moves, threshold) = (record.lines().len(), pattern.threshold());
    if moves >= threshold && !unsatisfied.is_empty() {
        return Err(ReductionError::Certificate);
    }
    let shortfall = (moves < threshold).then(|| pattern.shortfall(found, record.lines()));
    Ok(GameModel { model, moves, threshold, unsatisfied, undecided, shortfall })
}

impl ModelGame {
    /// Whether the game reaches the threshold.
    #[must_use]
    pub fn reaches(&self) -> bool {
        self.moves >= self.threshold
    }
}

impl GameModel {
    /// Whether the game reaches the threshold.
    #[must_use]
    pub fn reaches(&self) -> bool {
        self.moves >= self.threshold
    }
}

/// The dots of a pattern as a game without moves.
#[must_use]
pub fn start_record(pattern: &Pattern) -> Record {
    record(pattern, Vec::new())
}

fn record(pattern: &Pattern, moves: Vec<Move>) -> Record {
    let game = Game { rules: pattern.rules(false), start: pattern.start().clone() };
    Record::from_moves(game, moves)
}

/// The variables of the formula's clauses that a model leaves open.
fn undecided(pattern: &Pattern, model: &Assignment) -> Vec<u32> {
    let used = pattern.layout().instance().names.iter().flatten().copied();
    used.filter(|&variable| model.value(variable).is_none()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduce::Formula;

    fn pattern() -> Pattern {
        let formula = Formula::read(b"p cnf 3 2\n1 2 0\n-1 -2 0\n").expect("DIMACS");
        Pattern::compile(formula, 5, 1.0, &mut |_| ()).expect("certified")
    }

    #[test]
    fn a_model_becomes_a_game_and_comes_back() {
        let pattern = pattern();
        let model = Assignment::read(b"v 1 -2 0", 3).expect("a model");
        let game = play(&pattern, &model).expect("a game");
        assert!(game.reaches() && game.unsatisfied.is_empty());
        let back = read(&pattern, &game.record).expect("a model");
        assert!(back.reaches() && back.undecided.is_empty());
        assert_eq!(back.model, model);
        assert_eq!(back.shortfall, None);
    }

    #[test]
    fn a_game_that_is_too_short_says_where() {
        let pattern = pattern();
        let model = Assignment::read(b"v 1 2 0", 3).expect("an assignment");
        let game = play(&pattern, &model).expect("a game");
        let back = read(&pattern, &game.record).expect("a model");
        let shortfall = back.shortfall.expect("below the threshold");
        assert_eq!((shortfall.clauses, shortfall.checkers), (vec![2], vec![2]));
    }

    #[test]
    fn every_used_variable_needs_a_value() {
        let open = Assignment::read(b"v 1 0", 3).expect("a model");
        let error = play(&pattern(), &open).expect_err("variable 2 is open");
        assert!(matches!(error, ReductionError::OpenVariable(2)), "{error}");
        // Variable 3 occurs in no clause.
        let model = Assignment::read(b"v 1 -2 0", 3).expect("a model");
        assert!(play(&pattern(), &model).is_ok());
    }
}
