//! Gadgets: small dot patterns with ports, and what the ports have to do with each other.
//!
//! A port is a hole; it is true once it has a dot. A [`Gadget`] says by its relation which ports
//! can become true when others do. That is a claim about all games, which [`Gadget::verify`]
//! decides by playing them all: each driven port receives its dot at any moment of the game, or
//! never. The design is new, since the figures of Demaine et al. (2006, section 4.2) are lost; the
//! roles of the gadgets are theirs.

pub(crate) mod lattice;
pub(crate) mod tile;

use std::collections::{BTreeSet, HashSet};

use geometry::{Direction, Point, Rules};

use crate::closure::{Closure, ClosureError};
use crate::exhaust::{self, EscapesGrid, ExhaustResult};
use crate::family::{Family, LengthError};
use crate::row::{Row, sorted_dots};

/// A small dot pattern with ports.
#[derive(Debug, Clone, Default)]
pub struct Gadget {
    /// How it is called.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// The lines that are meant to be drawn; their dots are the pattern.
    pub rows: Vec<Row>,
    /// The ports, each a letter and a hole.
    pub ports: Vec<(char, Point)>,
    /// The ports that are driven from outside when the gadget is verified, in all subsets.
    pub driven: &'static str,
    /// When all ports before the arrow have dots, those after it can get dots, too.
    pub relation: &'static [(&'static str, &'static str)],
    /// Ports of which the player may fill one unasked; empty for all but the variable.
    pub choice: &'static str,
    /// How its relation is verified.
    pub method: Verification,
}

/// How the relation of a gadget is verified.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Verification {
    /// All games are played.
    #[default]
    Play,
    /// There are too many games. The closure of the dots bounds what any game can reach, and the
    /// intended lines reach as much.
    Closure,
}

/// The gadgets for lines of this length, from one wire to a whole clause.
pub fn gadgets(length: usize) -> Result<Vec<Gadget>, LengthError> {
    Ok(match Family::for_length(length)? {
        Family::Tile => tile::gadgets(),
        Family::Lattice => lattice::gadgets(length as i32 - 1),
    })
}

const BOTH_WAYS: &[(&str, &str)] = &[("a", "b"), ("b", "a")];
const ALL_WAYS: &[(&str, &str)] = &[("a", "bc"), ("b", "ac"), ("c", "ab")];

fn points(ports: &[(char, (i32, i32))]) -> Vec<(char, Point)> {
    ports.iter().map(|&(letter, (x, y))| (letter, Point::new(x, y))).collect()
}

impl Gadget {
    /// The dots, sorted.
    pub fn dots(&self) -> Vec<Point> {
        sorted_dots(&self.rows)
    }

    /// The relation in words: `a -> b, b -> a`.
    pub fn describe_relation(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        if !self.choice.is_empty() {
            let choices: Vec<String> = self.choice.chars().map(String::from).collect();
            parts.push(format!("one of {}", choices.join(", ")));
        }
        let spaced = |letters: &str| {
            let letters: Vec<String> = letters.chars().map(String::from).collect();
            letters.join(" ")
        };
        let rules = self.relation.iter();
        parts.extend(rules.map(|(from, to)| format!("{} -> {}", spaced(from), spaced(to))));
        parts.join(", ")
    }

    /// Where a port is.
    fn port(&self, letter: char) -> Point {
        self.ports.iter().find(|port| port.0 == letter).expect("a port of the gadget").1
    }

    /// The ports of these letters as a set: bit i is port i.
    fn set(&self, letters: &str) -> u32 {
        let bit = |letter| self.ports.iter().position(|port| port.0 == letter);
        letters.chars().map(|letter| 1 << bit(letter).expect("a port of the gadget")).sum()
    }

    /// The letters of a set of ports.
    fn letters(&self, set: u32) -> String {
        let ports = self.ports.iter().enumerate();
        ports.filter(|(i, _)| set >> i & 1 == 1).map(|(_, port)| port.0).collect()
    }

    /// What the relation says can be reached at most, given the driven ports.
    fn allowed(&self, driven: u32) -> BTreeSet<u32> {
        let chosen = self.choice.chars().map(|letter| driven | self.set(&letter.to_string()));
        let starts = if self.choice.is_empty() { vec![driven] } else { chosen.collect() };
        most(starts.into_iter().map(|start| self.closed(start)))
    }

    /// All that follows from these ports.
    fn closed(&self, mut set: u32) -> u32 {
        loop {
            let follows = |&&(from, _): &&(&str, &str)| set & self.set(from) == self.set(from);
            let more = self.relation.iter().filter(follows).map(|&(_, to)| self.set(to));
            let closed = more.fold(set, |all, more| all | more);
            if closed == set {
                return set;
            }
            set = closed;
        }
    }

    /// Compares what games reach with the relation, for every subset of the driven ports.
    pub fn verify(&self, rules: Rules) -> Result<GadgetReport, GadgetError> {
        let drivers: Vec<char> = self.driven.chars().collect();
        let mut report = GadgetReport::default();
        for subset in 0..1_u32 << drivers.len() {
            let chosen = drivers.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1);
            let letters: String = chosen.map(|(_, &letter)| letter).collect();
            let driven: Vec<Point> = letters.chars().map(|letter| self.port(letter)).collect();
            let reached = match self.method {
                Verification::Play => self.play(rules, &driven, &mut report)?,
                Verification::Closure => self.close(rules, &driven)?,
            };
            let (reached, allowed) = (most(reached), self.allowed(self.set(&letters)));
            if reached != allowed {
                let words = |sets: BTreeSet<u32>| {
                    sets.into_iter().map(|set| self.letters(set)).collect::<Vec<_>>()
                };
                let (reached, allowed) = (words(reached), words(allowed));
                return Err(GadgetError::Relation { driven: letters, reached, allowed });
            }
            report.subsets += 1;
        }
        Ok(report)
    }

    /// The sets of ports that games reach when these are driven, by playing all games.
    fn play(
        &self,
        rules: Rules,
        driven: &[Point],
        report: &mut GadgetReport,
    ) -> Result<BTreeSet<u32>, EscapesGrid> {
        let watched: Vec<Point> = self.ports.iter().map(|port| port.1).collect();
        let ExhaustResult { positions, maximal, reached, .. } =
            exhaust::exhaust(rules, &self.dots(), driven, &watched)?;
        report.positions += positions;
        report.maximal += maximal;
        Ok(reached)
    }

    /// The one largest set of ports that games reach when these are driven.
    ///
    /// No game reaches more than the closure does, and the intended lines, drawn one after the
    /// other in any order that they allow, must reach as much.
    fn close(&self, rules: Rules, driven: &[Point]) -> Result<BTreeSet<u32>, GadgetError> {
        let dots = [&self.dots(), driven].concat();
        let closure = Closure::new(rules.length(), &dots, [])?;
        let mut placed: HashSet<Point> = dots.iter().copied().collect();
        let mut used: HashSet<(Point, Direction)> = HashSet::new();
        let mut left = self.rows.clone();
        loop {
            let before = left.len();
            left.retain(|&row| {
                let mut holes = row.holes().filter(|hole| !placed.contains(hole));
                let (Some(hole), None) = (holes.next(), holes.next()) else { return true };
                if row.line.marks(rules).any(|mark| used.contains(&mark)) {
                    return true;
                }
                used.extend(row.line.marks(rules));
                placed.insert(hole);
                false
            });
            if left.len() == before {
                break;
            }
        }
        let ports = |has: &dyn Fn(Point) -> bool| -> u32 {
            self.ports.iter().enumerate().map(|(i, port)| u32::from(has(port.1)) << i).sum()
        };
        let most =
            ports(&|point| closure.is_dot(point) || closure.fillable_number(point).is_some());
        let played = ports(&|point| placed.contains(&point));
        if most != played {
            let [most, played] = [most, played].map(|set| self.letters(set));
            return Err(GadgetError::Undecided { most, played });
        }
        Ok(BTreeSet::from([played]))
    }
}

/// The sets that are in no other.
fn most(sets: impl IntoIterator<Item = u32>) -> BTreeSet<u32> {
    let sets: BTreeSet<u32> = sets.into_iter().collect();
    let in_other = |set: u32| sets.iter().any(|&other| other != set && other & set == set);
    sets.iter().copied().filter(|&set| !in_other(set)).collect()
}

/// How much was played to verify a gadget; nothing if the closure was enough.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GadgetReport {
    /// Subsets of the driven ports.
    pub subsets: u32,
    /// Positions, summed over the subsets.
    pub positions: u64,
    /// Positions without any move or arrival left, summed over the subsets.
    pub maximal: u64,
}

/// Why a gadget does not do what it says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GadgetError {
    /// Other ports can be reached than the relation says.
    #[error("with {driven:?} driven, play reaches {reached:?} and not {allowed:?}")]
    Relation {
        /// The driven ports.
        driven: String,
        /// The largest sets of ports that games reach.
        reached: Vec<String>,
        /// The largest sets by the relation.
        allowed: Vec<String>,
    },
    /// A game leaves the grid that is searched.
    #[error(transparent)]
    EscapesGrid(#[from] EscapesGrid),
    /// No closure bounds the games.
    #[error(transparent)]
    ClosureError(#[from] ClosureError),
    /// The closure reaches more than the intended lines.
    #[error("play might reach {most:?}, and the intended lines reach {played:?}")]
    Undecided {
        /// The ports in the closure.
        most: String,
        /// The ports that the intended lines fill.
        played: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(name: &str) -> Rules {
        name.parse().expect("known rules")
    }

    fn named(name: &str, length: usize) -> Gadget {
        let mut all = gadgets(length).expect("a design").into_iter();
        all.find(|gadget| gadget.name == name).expect("a gadget of this name")
    }

    /// Compares dots, subsets, positions in both games and positions without moves left of every
    /// gadget with a table.
    fn agrees(length: usize, table: &str) {
        let mut found = String::new();
        for comment in table.lines().filter(|line| line.starts_with('#')) {
            found += &format!("{comment}\n");
        }
        for gadget in gadgets(length).expect("a design") {
            // From lines of 5 to longer ones the clause does not change, and it takes the longest.
            if gadget.name == "clause" && length > 5 {
                continue;
            }
            let [touching, disjoint] = ["T", "D"].map(|game| {
                let report = gadget.verify(rules(&format!("{length}{game}")));
                report.unwrap_or_else(|no| panic!("{}: {no}", gadget.name))
            });
            let dots = gadget.dots().len();
            found += &format!("{}: {dots} {}", gadget.name, touching.subsets);
            found += &format!(" {} {}", touching.positions, disjoint.positions);
            found += &format!(" {} {}\n", touching.maximal, disjoint.maximal);
        }
        assert_eq!(found, table, "{found}");
    }

    #[test]
    fn every_gadget_for_lines_of_4_does_what_it_says_in_both_games() {
        agrees(4, include_str!("gadget/counts-4.txt"));
    }

    #[test]
    fn every_gadget_for_lines_of_5_does_what_it_says_in_both_games() {
        agrees(5, include_str!("gadget/counts-5.txt"));
    }

    #[test]
    fn every_gadget_for_longer_lines_does_what_it_says_in_both_games() {
        agrees(6, include_str!("gadget/counts-6.txt"));
        agrees(16, include_str!("gadget/counts-16.txt"));
    }

    #[test]
    fn the_closure_says_of_every_gadget_what_play_says() {
        for length in Family::LENGTHS {
            for gadget in gadgets(length).expect("a design") {
                // What excludes each other is beyond the closure.
                if gadget.choice.is_empty() {
                    let closed = Gadget { method: Verification::Closure, ..gadget };
                    for game in ["T", "D"] {
                        let report = closed.verify(rules(&format!("{length}{game}")));
                        report.unwrap_or_else(|no| panic!("{} {length}: {no}", closed.name));
                    }
                }
            }
        }
    }

    #[test]
    fn no_hole_of_a_gadget_is_a_dot_of_another_row() {
        for gadget in Family::LENGTHS.flat_map(|length| gadgets(length).expect("a design")) {
            let dots = gadget.dots();
            let mut holes = gadget.rows.iter().flat_map(|row| row.holes());
            let dot = holes.find(|hole| dots.binary_search(hole).is_ok());
            assert_eq!(dot, None, "{}", gadget.name);
            let on_row = |port: &&(char, Point)| {
                !gadget.rows.iter().any(|row| row.holes().any(|hole| hole == port.1))
            };
            assert_eq!(gadget.ports.iter().find(on_row), None, "{}", gadget.name);
        }
    }

    #[test]
    fn a_false_relation_is_found_out() {
        let wire = named("wire", 5);
        for method in [Verification::Play, Verification::Closure] {
            let diode = Gadget { relation: &[("a", "b")], method, ..wire.clone() };
            let broken = diode.verify(rules("5T")).expect_err("a wire goes both ways").to_string();
            assert_eq!(broken, r#"with "b" driven, play reaches ["ab"] and not ["b"]"#);
            let dead = Gadget { relation: &[], method, ..wire.clone() };
            assert!(dead.verify(rules("5D")).is_err());
        }
    }

    #[test]
    fn a_gadget_without_one_of_its_rows_is_found_out() {
        for length in [4, 5] {
            let small = gadgets(length).expect("a design").into_iter();
            for gadget in small.filter(|gadget| gadget.rows.len() < 12) {
                for left_out in 0..gadget.rows.len() {
                    let mut broken = gadget.clone();
                    broken.rows.remove(left_out);
                    // The one row of these is all they are.
                    if broken.rows.is_empty() || gadget.name.starts_with("variable") {
                        continue;
                    }
                    let found = broken.verify(rules(&format!("{length}T")));
                    assert!(found.is_err(), "{} {left_out}", gadget.name);
                }
            }
        }
    }
}
