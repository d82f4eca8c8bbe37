//! Endless play: a game that never has to stop.
//!
//! A file names a start, a prefix of moves and a period of moves with a translation t. What it
//! claims: after the prefix the period can be played, then the period moved by t, by 2t, by 3t and
//! so on for ever, every move legal. Call the period moved by jt round j, from 0 on.
//!
//! It is enough to replay finitely many rounds. Whether a move is legal depends only on the points
//! of its line: whether dots are there, and whether lines of its direction have used them up. So it
//! depends only on start dots and earlier lines that share a point with its line. Measure points
//! along t by their product with t: moving by t adds t·t > 0. Let the points of the period's lines
//! measure from `low` to `high`, those of the start and of the prefix's lines at most `before`.
//!
//! - Round j shares no point with the start or the prefix once low + j t·t > before. Let `alone` be
//!   the first such j.
//! - Rounds j and j - i share no point if low + i t·t > high. Let `reach` be the last i that may.
//!
//! Let N be the larger of the two. Before a move of a round j >= N, the points of its line know of
//! nothing but the rounds j - reach to j - 1, which all exist, and the earlier moves of round j.
//! Moved back by (j - N)t these are the rounds N - reach to N - 1 and the earlier moves of round N:
//! the move is legal in round j exactly if it is legal in round N. So if the prefix and the rounds 0
//! to N are legal, all rounds are; and if all rounds are legal, so are these.

use crate::game::Replay;
use crate::json::endless::{self, EndlessFile};
use crate::read::MAX_MOVES;
use crate::refusal::{Fault, Place, Refusal};
use crate::rules::{Line, Move, Point, Rules};
use crate::start::Start;

/// Play that the judge has found to go on for ever. Only [`check`](crate::check) makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndlessGame {
    rules: Rules,
    start: Start,
    prefix: Vec<Move>,
    period: Vec<Move>,
    translation: Point,
    rounds: u32,
}

impl EndlessGame {
    /// The rules it is played under.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The dots it begins with.
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// The moves before the first round.
    pub fn prefix(&self) -> &[Move] {
        &self.prefix
    }

    /// The moves of the first round.
    pub fn period(&self) -> &[Move] {
        &self.period
    }

    /// By how much each round is moved on from the one before.
    pub fn translation(&self) -> Point {
        self.translation
    }

    /// How many rounds had to be replayed to know that all others are legal.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// What is proven, in words: `4D from the 7 dots (0,0) ...: endless`.
    pub fn claim(&self) -> String {
        const MOST: usize = 16;
        let start = match &self.start {
            Start::Cross => String::new(),
            Start::Dots(dots) if (2..=MOST).contains(&dots.len()) => {
                let list: Vec<String> = dots.iter().map(Point::to_string).collect();
                format!(" from the {} dots {}", dots.len(), list.join(" "))
            }
            start => format!(" from {start}"),
        };
        format!("{}{start}: endless", self.rules)
    }
}

/// Judges a file of endless play.
pub(crate) fn check(text: &str) -> Result<EndlessGame, Refusal> {
    let EndlessFile { rules, start, prefix, period, translation } = endless::parse(text)?;
    if period.is_empty() {
        return Err(Fault::EmptyPeriod.into());
    }
    if translation == (Point { x: 0, y: 0 }) {
        return Err(Fault::NoTranslation.into());
    }
    let places = Places { prefix: prefix.len(), period: period.len() };
    let written = prefix.into_iter().chain(period).enumerate();
    let meant = written.map(|(index, mv)| {
        mv.meaning(rules).map_err(|fault| Refusal::new(places.of(index), fault))
    });
    let mut prefix: Vec<Move> = meant.collect::<Result<_, _>>()?;
    let period = prefix.split_off(places.prefix);
    let mut game = EndlessGame { rules, start, prefix, period, translation, rounds: 0 };
    game.replay(places)?;
    Ok(game)
}

impl EndlessGame {
    /// Replays the prefix and as many rounds as it takes to know that all are legal.
    fn replay(&mut self, places: Places) -> Result<(), Refusal> {
        let rounds = self.rounds_to_replay();
        let moves =
            rounds.saturating_mul(places.period as i64).saturating_add(places.prefix as i64);
        if moves > MAX_MOVES as i64 {
            return Err(Fault::TooManyRounds { rounds }.into());
        }
        let mut replay = Replay::new(self.rules, self.start.clone())?;
        let mut index = 0;
        let mut play = |mv: Move| -> Result<(), Refusal> {
            let refuse = |fault| Refusal::new(places.of(index), places.tell(fault));
            replay.play(mv).map_err(refuse)?;
            index += 1;
            Ok(())
        };
        self.prefix.iter().try_for_each(|&mv| play(mv))?;
        let mut round = self.period.clone();
        for _ in 0..rounds {
            if round.iter().any(|mv| self.rules.dots(mv.line).any(|dot| !dot.within_limit())) {
                return Err(Fault::TooManyRounds { rounds }.into());
            }
            round.iter().try_for_each(|&mv| play(mv))?;
            round.iter_mut().for_each(|mv| *mv = moved(*mv, self.translation));
        }
        self.rounds = u32::try_from(rounds).expect("there are no more rounds than moves");
        Ok(())
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

/// Where the moves are that a replay counts in one row.
#[derive(Clone, Copy)]
struct Places {
    prefix: usize,
    period: usize,
}

impl Places {
    /// The place of a move, counted from 0.
    fn of(self, index: usize) -> Place {
        match index.checked_sub(self.prefix) {
            None => Place::Prefix(number(index)),
            Some(index) => Place::Round {
                round: number(index / self.period),
                number: number(index % self.period),
            },
        }
    }

    /// A fault of the replay with the place of the other move, if there is one.
    fn tell(self, fault: Fault) -> Fault {
        match fault {
            Fault::Overlap { with: Place::Move(other), at } => {
                Fault::Overlap { with: self.of(other as usize - 1), at }
            }
            fault => fault,
        }
    }
}

fn moved(mv: Move, by: Point) -> Move {
    let shift = |dot: Point| Point { x: dot.x + by.x, y: dot.y + by.y };
    Move { new: shift(mv.new), line: Line { first: shift(mv.line.first), ..mv.line } }
}

/// The number of something in a list, counting from 1.
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

    fn refused(text: &str) -> String {
        check(text).expect_err("not endless").to_string()
    }

    #[test]
    fn a_staircase_is_endless() {
        for (rules, start) in [("2D", "[[0,0]]"), ("2T", "\"cross\"")] {
            let game = check(&stairs(rules, start, "[]", "[1,1]")).expect("endless");
            assert_eq!((game.period().len(), game.rounds()), (2, 2));
        }
        let game = check(&stairs("2D", "[[0,0]]", "[]", "[1,1]")).expect("endless");
        assert_eq!(game.claim(), "2D from 1 dot: endless");
        assert_eq!(
            check(&stairs("2T", "\"cross\"", "[]", "[1,1]")).expect("it").claim(),
            "2T: endless"
        );
    }

    #[test]
    fn what_stands_in_the_way_far_off_is_found() {
        let text = stairs("2D", "[[0,0],[70,69]]", "[]", "[1,1]");
        assert_eq!(refused(&text), "round 70, move 1: there is already a dot at (70,69)");
        // A dot beside the way does no harm, wherever it is.
        let game = check(&stairs("2D", "[[0,0],[70,0]]", "[]", "[1,1]")).expect("endless");
        assert_eq!(game.rounds(), 37);
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
            "round 2, move 1: the dot (2,2) of the line is not there"
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
