//! `morpion-endless`: play that never has to end.
//!
//! A file names a start, a prefix of moves and a period of moves with a translation t. Its claim:
//! after the prefix the period can be played, then the period translated by t, by 2t, by 3t and so
//! on forever, every move legal. Call the period translated by jt round j, from 0 on.
//!
//! It is enough to replay finitely many rounds. Whether a move is legal depends only on the points
//! of its line: whether they have dots, and whether lines of its direction have used them up. So it
//! depends only on start dots and earlier lines that share a point with its line. Measure points
//! along t by their product with t: translating by t adds t·t > 0. Let the points of the period's
//! lines measure from `low` to `high`, those of the start and of the prefix's lines at most
//! `before`.
//!
//! - Round j shares no point with the start or the prefix once low + j t·t > before. Let `alone`
//!   be the first such j.
//! - Rounds j and j - i share no point if low + i t·t > high. Let `reach` be the last i that may.
//!
//! Let N be the larger of the two. Before a move of a round j >= N, the points of its line are
//! affected by nothing but the rounds j - reach to j - 1, which all exist, and the earlier moves of
//! round j. Translated back by (j - N)t these are the rounds N - reach to N - 1 and the earlier
//! moves of round N: the move is legal in round j if and only if it is legal in round N. So if the
//! prefix and the rounds 0 to N are legal, all rounds are; and if all rounds are legal, so are
//! these.

mod file;

use std::fmt;

use super::budget::Budget;
use super::claim::{Claim, ProofStats, ProvenClaim};
use crate::fault::{GameFault, ProofFault};
use crate::game::Replay;
use crate::read::MAX_MOVES;
use crate::refusal::{Place, Refusal};
use crate::rules::{Line, Move, Point, Rules};
use crate::start::Start;

use file::EndlessFile;

/// Play that repeats itself: a prefix of moves, then a period of moves, each time translated.
///
/// Prints as its rules and start: `4D from the 7 dots (0,0) ...`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndlessPlay {
    rules: Rules,
    start: Start,
    prefix: Vec<Move>,
    period: Vec<Move>,
    translation: Point,
}

impl EndlessPlay {
    /// The rules it is played under.
    #[must_use]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The dots it starts from.
    #[must_use]
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// The moves before the first round.
    #[must_use]
    pub fn prefix(&self) -> &[Move] {
        &self.prefix
    }

    /// The moves of the first round.
    #[must_use]
    pub fn period(&self) -> &[Move] {
        &self.period
    }

    /// By how much each round is translated from the one before.
    #[must_use]
    pub fn translation(&self) -> Point {
        self.translation
    }
}

impl fmt::Display for EndlessPlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 16;
        match &self.start {
            Start::Dots(dots) if (2..=MOST).contains(&dots.len()) => {
                let list: Vec<String> = dots.iter().map(Point::to_string).collect();
                write!(f, "{} from the {} dots {}", self.rules, dots.len(), list.join(" "))
            }
            start => f.write_str(&start.with_rules(self.rules)),
        }
    }
}

/// Verifies a file of endless play.
pub(super) fn verify(text: &str, budget: &mut Budget) -> Result<ProvenClaim, Refusal> {
    let EndlessFile { rules, start, prefix, period, translation } = file::parse(text)?;
    if period.is_empty() {
        return Err(ProofFault::EmptyPeriod.into());
    }
    if translation == (Point { x: 0, y: 0 }) {
        return Err(ProofFault::NoTranslation.into());
    }
    let places = Places { prefix: prefix.len(), period: period.len() };
    let written = prefix.into_iter().chain(period).enumerate();
    let moves = written.map(|(index, mv)| {
        mv.resolve(rules).map_err(|fault| Refusal::new(places.place(index), fault))
    });
    let mut prefix: Vec<Move> = moves.collect::<Result<_, _>>()?;
    let period = prefix.split_off(places.prefix);
    let play = EndlessPlay { rules, start, prefix, period, translation };
    let rounds = play.replay(places, budget)?;
    let stats = ProofStats { rounds, ..ProofStats::default() };
    Ok(ProvenClaim::new(Claim::Endless(play), stats))
}

impl EndlessPlay {
    /// Replays the prefix and as many rounds as it takes to know that all are legal; returns how
    /// many that were.
    fn replay(&self, places: Places, budget: &mut Budget) -> Result<u32, Refusal> {
        let rounds = self.rounds_to_replay();
        let moves =
            rounds.saturating_mul(places.period as i64).saturating_add(places.prefix as i64);
        if moves > MAX_MOVES as i64 {
            return Err(ProofFault::TooManyRounds { rounds }.into());
        }
        // Each dot of a line is looked up to see that it exists, and that it is not used up.
        budget.spend_product(moves as usize, 4 * usize::from(self.rules.length()))?;
        let mut replay = Replay::new(self.rules, self.start.clone())?;
        let mut index = 0;
        let mut play = |mv: Move| -> Result<(), Refusal> {
            let refuse = |fault| Refusal::new(places.place(index), places.locate(fault));
            replay.play(mv).map_err(refuse)?;
            index += 1;
            Ok(())
        };
        self.prefix.iter().try_for_each(|&mv| play(mv))?;
        let mut round = self.period.clone();
        for _ in 0..rounds {
            if round.iter().any(|mv| self.rules.dots(mv.line).any(|dot| !dot.within_limit())) {
                return Err(ProofFault::TooManyRounds { rounds }.into());
            }
            round.iter().try_for_each(|&mv| play(mv))?;
            round.iter_mut().for_each(|mv| *mv = translated(*mv, self.translation));
        }
        Ok(u32::try_from(rounds).expect("there are no more rounds than moves"))
    }

    /// N + 1: the rounds 0 to N show that all others are legal too.
    fn rounds_to_replay(&self) -> i64 {
        let product = |one: Point, other: Point| {
            i64::from(one.x) * i64::from(other.x) + i64::from(one.y) * i64::from(other.y)
        };
        let measure = |dot: Point| product(dot, self.translation);
        let dots_of = |moves: &[Move]| -> Vec<i64> {
            moves.iter().flat_map(|mv| self.rules.dots(mv.line)).map(measure).collect()
        };
        let own = dots_of(&self.period);
        let (low, high) = (own.iter().min(), own.iter().max());
        let (low, high) = low.zip(high).expect("a period has a move");
        let mut others = dots_of(&self.prefix);
        others.extend(self.start.dots(self.rules).iter().map(|&dot| measure(dot)));
        let before = others.into_iter().max().unwrap_or(i64::MIN);
        let step = product(self.translation, self.translation);
        // The first j >= 0 with low + j step > before, and the last i with low + i step <= high.
        let alone = if before < *low { 0 } else { (before - low) / step + 1 };
        let reach = (high - low) / step;
        alone.max(reach) + 1
    }
}

/// Where the moves are that a replay numbers consecutively.
#[derive(Clone, Copy)]
struct Places {
    prefix: usize,
    period: usize,
}

impl Places {
    /// The place of a move, counted from 0.
    fn place(self, index: usize) -> Place {
        match index.checked_sub(self.prefix) {
            None => Place::Prefix(number(index)),
            Some(index) => Place::Round {
                round: number(index / self.period),
                number: number(index % self.period),
            },
        }
    }

    /// A fault of the replay, with the place of the other move if there is one.
    fn locate(self, fault: GameFault) -> GameFault {
        match fault {
            GameFault::Overlap { with: Place::Move(other), at } => {
                GameFault::Overlap { with: self.place(other as usize - 1), at }
            }
            fault => fault,
        }
    }
}

fn translated(mv: Move, by: Point) -> Move {
    let shift = |dot: Point| Point { x: dot.x + by.x, y: dot.y + by.y };
    Move { new: shift(mv.new), line: Line { first: shift(mv.line.first), ..mv.line } }
}

/// The number of an item of a list, counting from 1.
fn number(index: usize) -> u32 {
    u32::try_from(index + 1).expect("a file has at most two million moves")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A staircase of lines of two dots.
    fn stairs(rules: &str, start: &str, prefix: &str, translation: &str) -> String {
        let period = r#"[{"new":[1,0],"line":[[0,0],"E"]},{"new":[1,1],"line":[[1,0],"S"]}]"#;
        format!(
            r#"{{"format":"morpion-endless/1","rules":"{rules}","start":{start},
            "prefix":{prefix},"period":{period},"translation":{translation}}}"#
        )
    }

    fn verify(text: &str) -> Result<ProvenClaim, Refusal> {
        super::verify(text, &mut Budget::of_bytes(text.len()))
    }

    fn refused(text: &str) -> String {
        verify(text).expect_err("not endless").to_string()
    }

    #[test]
    fn a_staircase_is_endless() {
        for (rules, start) in [("2D", "[[0,0]]"), ("2T", "\"cross\"")] {
            let proven = verify(&stairs(rules, start, "[]", "[1,1]")).expect("endless");
            assert_eq!(proven.stats().rounds, 2);
        }
        let claim = |rules, start| {
            verify(&stairs(rules, start, "[]", "[1,1]")).expect("endless").to_string()
        };
        assert_eq!(claim("2D", "[[0,0]]"), "2D from 1 dot: endless");
        assert_eq!(claim("2T", "\"cross\""), "2T: endless");
        assert_eq!(claim("2D", "[[0,0],[9,0]]"), "2D from the 2 dots (0,0) (9,0): endless");
    }

    #[test]
    fn what_stands_in_the_way_far_off_is_found() {
        let text = stairs("2D", "[[0,0],[70,69]]", "[]", "[1,1]");
        assert_eq!(refused(&text), "round 70, move 1: there is already a dot at (70,69)");
        // A dot beside the way does no harm, wherever it is.
        let proven = verify(&stairs("2D", "[[0,0],[70,0]]", "[]", "[1,1]")).expect("endless");
        assert_eq!(proven.stats().rounds, 37);
    }

    #[test]
    fn a_line_of_the_prefix_stands_in_the_way_too() {
        let prefix = r#"[{"new":[4,2],"line":[[3,2],"E"]}]"#;
        let text = stairs("2D", "[[0,0],[3,2]]", prefix, "[1,1]");
        assert_eq!(refused(&text), "round 3, move 1: there is already a dot at (3,2)");
        let prefix = r#"[{"new":[2,1],"line":[[1,1],"SE"]}]"#;
        let text = stairs("2D", "[[0,0]]", prefix, "[1,1]");
        assert_eq!(refused(&text), "prefix move 1: the new dot (2,1) is not on its line");
    }

    #[test]
    fn play_that_runs_back_into_itself_or_loses_its_dots_is_refused() {
        assert_eq!(
            refused(&stairs("2D", "[[0,0]]", "[]", "[1,0]")),
            "round 2, move 1: the line overlaps that of round 1, move 1 at (1,0)"
        );
        assert_eq!(
            refused(&stairs("2D", "[[0,0]]", "[]", "[2,2]")),
            "round 2, move 1: the dot (2,2) of the line is missing"
        );
        assert_eq!(
            refused(&stairs("2D", "[[0,0]]", "[]", "[0,0]")),
            "the translation is (0,0), so that play stays where it is"
        );
    }

    #[test]
    fn a_proof_beyond_the_limits_is_refused() {
        let far = refused(&stairs("2D", "[[0,0],[1048576,0]]", "[]", "[0,1]"));
        assert!(far.starts_with("round 2, move 1"), "{far}");
        let far = refused(&stairs("2D", "[[0,0],[1048576,1048576]]", "[]", "[1,1]"));
        assert!(far.contains("1048578 rounds"), "{far}");
    }
}
