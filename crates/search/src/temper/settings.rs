//! The settings of the method: parameters, their values, and what follows from them alone.

use std::collections::HashSet;

use geometry::{Game, GameSymmetry, Move, Symmetry};

use super::replica::Level;
use crate::DefaultValue::{Always, Touching};
use crate::random::unit;
use crate::{Parameter, ParameterValues, Rng};

pub(super) const PARAMETERS: &[Parameter] = &[
    Parameter::integer("replicas", 1..=1000, Always(8.0))
        .meaning("games that are changed side by side"),
    Parameter::real("coldest", 0.01..=100.0, Touching(0.55, 0.38))
        .meaning("the lowest temperature"),
    Parameter::real("hottest", 0.01..=100.0, Touching(1.35, 0.75))
        .meaning("the highest temperature"),
    Parameter::integer("chosen", 1..=100, Always(4.0))
        .meaning("the most lines that are chosen to be erased"),
    Parameter::real("near", 0.0..=1.0, Touching(0.3, 0.0))
        .meaning("probability that the chosen lines lie close together"),
    Parameter::real("loss", 0.0..=1e6, Touching(16.0, 12.0))
        .meaning("typical number of lines that may be lost with the chosen ones"),
    Parameter::real("tail", 0.0..=10.0, Always(1.0))
        .meaning("tail of the limit on lost lines: it is loss / u^tail, u uniform on (0, 1)"),
    Parameter::real("hold", 0.0..=1.0, Touching(0.3, 0.5))
        .meaning("probability that the chosen lines are held back until nothing else is legal"),
    Parameter::real("remake", 0.0..=1.0, Touching(0.3, 0.0))
        .meaning("probability of a proposal that lets another line make a dot"),
    Parameter::integer("free", 0..=1000, Touching(2.0, 0.0)).meaning(
        "the most dots that a game of a launched run may have, on the way, without a line \
             that makes them",
    ),
    Parameter::real("price-hot", 0.0..=1000.0, Always(8.0))
        .meaning("how many lines a free dot costs at the highest temperature"),
    Parameter::real("price-cold", 0.0..=1000.0, Always(14.0))
        .meaning("how many lines a free dot costs at the lowest temperature"),
    Parameter::integer("proposals", 1..=1_000_000_000, Always(200.0))
        .meaning("proposals for each game between exchanges"),
    Parameter::integer("round", 0..=1_000_000_000_000_000, Touching(4e6, 6e6))
        .meaning("proposals of a run on the first rung; 0 for a single run without end"),
    Parameter::integer("one-in", 2..=1000, Always(4.0)).meaning(
        "of this many runs on a rung, the best one is promoted to the next, this many \
             times longer",
    ),
    Parameter::real("patience", 0.0..=1e9, Always(3.0)).meaning(
        "a run is dropped when its last improvement was this many times as long ago as it \
             took to reach it; 0 for never",
    ),
    Parameter::integer("launch", 0..=1_000_000_000_000_000, Touching(1e6, 0.0))
        .meaning("proposals of a run launched from one of the longest games; 0 for none"),
    Parameter::integer("launches", 0..=1_000_000_000, Always(24.0))
        .meaning("runs launched from a game before it is given up; 0 for any number"),
    Parameter::integer("symmetry", 0..=4, Always(0.0)).meaning(
        "symmetry of all games, if the start has it: 1 half turn, 2 quarter turn, \
             3 mirror, 4 diagonal mirror; 0 for none",
    ),
];

/// The settings of the method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Temper {
    /// The number of replicas.
    pub replicas: usize,
    /// The lowest temperature.
    pub coldest: f64,
    /// The highest temperature.
    pub hottest: f64,
    /// The most lines that are chosen to be erased.
    pub chosen: usize,
    /// The probability that the chosen lines lie close together.
    pub near: f64,
    /// The typical number of lines that may be lost with the chosen ones.
    pub loss: f64,
    /// The tail of the limit on lost lines: a proposal that loses more than `loss` / u^`tail` lines
    /// is abandoned, u uniform on (0, 1).
    pub tail: f64,
    /// The probability that the chosen lines are held back until nothing else is legal.
    pub hold: f64,
    /// The probability of a proposal that lets another line make a dot.
    pub remake: f64,
    /// The most free dots, those without a line that makes them, in a launched run.
    pub free: usize,
    /// How many lines a free dot costs at the highest temperature.
    pub price_hot: f64,
    /// How many lines a free dot costs at the lowest temperature.
    pub price_cold: f64,
    /// The number of proposals of each replica between exchanges.
    pub proposals: u64,
    /// The number of proposals of a run on the first rung; without end if 0.
    pub round: u64,
    /// Of this many runs on a rung, the best continues until it is this many times as long.
    pub one_in: usize,
    /// A run is dropped when its last improvement was this many times as long ago as it took to
    /// reach it; never if 0.
    pub patience: f64,
    /// The number of proposals of a run launched from one of the longest games; none if 0.
    pub launch: u64,
    /// The number of runs launched from a game before it is given up; any number if 0.
    pub launches: u64,
    /// The symmetry of all games, if the start and the first moves have it.
    pub symmetry: Option<GameSymmetry>,
}

impl From<&ParameterValues> for Temper {
    fn from(values: &ParameterValues) -> Self {
        Self {
            replicas: values.integer("replicas") as usize,
            coldest: values.real("coldest"),
            hottest: values.real("hottest"),
            chosen: values.integer("chosen") as usize,
            near: values.real("near"),
            loss: values.real("loss"),
            tail: values.real("tail"),
            hold: values.real("hold"),
            remake: values.real("remake"),
            free: values.integer("free") as usize,
            price_hot: values.real("price-hot"),
            price_cold: values.real("price-cold"),
            proposals: values.integer("proposals"),
            round: values.integer("round"),
            one_in: values.integer("one-in") as usize,
            patience: values.real("patience"),
            launch: values.integer("launch"),
            launches: values.integer("launches"),
            symmetry: GameSymmetry::numbered(values.integer("symmetry") as usize),
        }
    }
}

impl Temper {
    /// Whether a proposal that loses this many lines continues: fewer than `loss` / u^`tail`.
    #[inline(always)]
    pub(super) fn allows(&self, lost: f64, rng: &mut Rng) -> bool {
        if lost <= self.loss {
            return true;
        }
        let ratio = self.loss / lost;
        unit(rng) < if self.tail == 1.0 { ratio } else { ratio.powf(1.0 / self.tail) }
    }

    /// The number of proposals of a run at the end of a rung.
    pub(super) fn length(&self, rung: usize) -> u64 {
        let times = (self.one_in as u64).saturating_pow(rung as u32);
        self.round.saturating_mul(times)
    }

    /// Where a replica is on the ladder, in which lines come `order` at a time.
    pub(super) fn level(&self, replica: usize, order: usize) -> Level {
        let part = replica as f64 / (self.replicas.max(2) - 1) as f64;
        let price = self.price_cold + (self.price_hot - self.price_cold) * part;
        let temperature = self.coldest * (self.hottest / self.coldest).powf(part);
        Level { temperature: temperature * order as f64, price: price * order as f64 }
    }

    /// The symmetries that games after some first moves have together, the identity first.
    pub(super) fn group(&self, game: &Game, prefix: &[Move]) -> Vec<Symmetry> {
        let moves: HashSet<&Move> = prefix.iter().collect();
        let keeps_prefix = |symmetry: &Symmetry| {
            moves.iter().all(|&&mv| moves.contains(&symmetry.mv(mv, game.rules)))
        };
        let group = self.symmetry.and_then(|symmetry| symmetry.group(&game.start));
        let group = group.filter(|group| group.iter().all(keeps_prefix));
        group.unwrap_or_else(|| vec![Symmetry::IDENTITY])
    }
}
