//! Gadgets: small dot patterns with ports, and what the ports have to do with each other.
//!
//! A port is a hole; it is true once it has a dot. A [`Gadget`] says by its relation which ports
//! can become true when others do. That is a claim about all games, which [`Gadget::verify`]
//! decides by playing them all: each driven port receives its dot at any moment of the game, or
//! never. The design is new, since the figures of Demaine et al. (2006, section 4.2) are lost; the
//! roles of the gadgets are theirs.

mod library;

use std::collections::BTreeSet;

use geometry::{Point, Rules};

use crate::exhaust::{self, EscapesGrid, Outcome};
use crate::row::Row;

pub(crate) use library::Library;
pub use library::gadgets;

/// A small dot pattern with ports.
#[derive(Debug)]
pub struct Gadget {
    /// How it is called.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// The lines that are meant to be drawn; their dots are the pattern.
    pub rows: &'static [Row],
    /// The ports, each a letter and a hole.
    pub ports: &'static [(char, (i32, i32))],
    /// The ports that are driven from outside when the gadget is verified, in all subsets.
    pub driven: &'static str,
    /// When all ports before the arrow have dots, those after it can get dots, too.
    pub relation: &'static [(&'static str, &'static str)],
    /// Ports of which the player may fill one unasked; empty for all but the variable.
    pub choice: &'static str,
}

impl Gadget {
    /// The gadget of this name for lines of 5 or 6.
    pub fn named(name: &str, length: usize) -> Option<&'static Self> {
        gadgets(length)?.iter().find(|gadget| gadget.name == name)
    }

    /// The dots, sorted.
    pub fn dots(&self) -> Vec<Point> {
        let mut dots: Vec<Point> = self.rows.iter().flat_map(|row| row.dots()).collect();
        dots.sort_unstable();
        dots.dedup();
        dots
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
        let (_, (x, y)) =
            self.ports.iter().find(|port| port.0 == letter).expect("a port of the gadget");
        Point::new(*x, *y)
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

    /// Plays all games for every subset of the driven ports and compares what they reach with the
    /// relation.
    pub fn verify(&self, rules: Rules) -> Result<GadgetReport, GadgetError> {
        let dots = self.dots();
        let watched: Vec<Point> = self.ports.iter().map(|port| self.port(port.0)).collect();
        let drivers: Vec<char> = self.driven.chars().collect();
        let mut checked = GadgetReport::default();
        for subset in 0..1_u32 << drivers.len() {
            let chosen = drivers.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1);
            let letters: String = chosen.map(|(_, &letter)| letter).collect();
            let driven: Vec<Point> = letters.chars().map(|letter| self.port(letter)).collect();
            let Outcome { positions, maximal, reached, .. } =
                exhaust::exhaust(rules, &dots, &driven, &watched)?;
            let (reached, allowed) = (most(reached), self.allowed(self.set(&letters)));
            if reached != allowed {
                let words = |sets: BTreeSet<u32>| {
                    sets.into_iter().map(|set| self.letters(set)).collect::<Vec<_>>()
                };
                let (reached, allowed) = (words(reached), words(allowed));
                return Err(GadgetError::Relation { driven: letters, reached, allowed });
            }
            checked.subsets += 1;
            checked.positions += positions;
            checked.maximal += maximal;
        }
        Ok(checked)
    }
}

/// The sets that are in no other.
fn most(sets: impl IntoIterator<Item = u32>) -> BTreeSet<u32> {
    let sets: BTreeSet<u32> = sets.into_iter().collect();
    let in_other = |set: u32| sets.iter().any(|&other| other != set && other & set == set);
    sets.iter().copied().filter(|&set| !in_other(set)).collect()
}

/// How much was played to verify a gadget.
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
    /// The games do not come to an end where they can be seen.
    #[error(transparent)]
    EscapesGrid(#[from] EscapesGrid),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(name: &str) -> Rules {
        name.parse().expect("known rules")
    }

    /// Compares dots, subsets, positions in both games and positions without moves left of every
    /// gadget with a table.
    fn agrees(length: usize, table: &str) {
        let mut found = String::new();
        for comment in table.lines().filter(|line| line.starts_with('#')) {
            found += &format!("{comment}\n");
        }
        for gadget in gadgets(length).expect("a library") {
            // The clause of lines of 6 is as the one of lines of 5, and takes as long.
            if gadget.name == "clause" && length != 5 {
                continue;
            }
            let [touching, disjoint] = ["T", "D"].map(|game| {
                let checked = gadget.verify(rules(&format!("{length}{game}")));
                checked.unwrap_or_else(|no| panic!("{}: {no}", gadget.name))
            });
            assert_eq!(touching.maximal, disjoint.maximal, "{}", gadget.name);
            found += &format!(
                "{}: {} {} {} {} {}\n",
                gadget.name,
                gadget.dots().len(),
                touching.subsets,
                touching.positions,
                disjoint.positions,
                touching.maximal
            );
        }
        assert_eq!(found, table);
    }

    #[test]
    fn every_gadget_does_what_it_says_in_both_games() {
        agrees(5, include_str!("gadget/counts.txt"));
    }

    #[test]
    fn every_gadget_of_lines_of_six_does_so_too() {
        agrees(6, include_str!("gadget/counts-6.txt"));
    }

    #[test]
    fn no_hole_of_a_gadget_is_a_dot_of_another_row() {
        for gadget in [5, 6].into_iter().filter_map(gadgets).flatten() {
            let dots = gadget.dots();
            let mut holes = gadget.rows.iter().flat_map(|row| row.holes());
            let dot = holes.find(|hole| dots.binary_search(hole).is_ok());
            assert_eq!(dot, None, "{}", gadget.name);
            let on_row = |port: &&(char, (i32, i32))| {
                let at = Point::new(port.1.0, port.1.1);
                !gadget.rows.iter().any(|row| row.holes().any(|hole| hole == at))
            };
            assert_eq!(gadget.ports.iter().find(on_row), None, "{}", gadget.name);
        }
    }

    #[test]
    fn a_false_relation_is_found_out() {
        let wire = Gadget::named("wire", 5).expect("in the library");
        let diode = Gadget { relation: &[("a", "b")], ..*wire };
        let broken = diode.verify(rules("5T")).expect_err("a wire goes both ways").to_string();
        assert_eq!(broken, r#"with "b" driven, play reaches ["ab"] and not ["b"]"#);
        let dead = Gadget { relation: &[], ..*wire };
        assert!(dead.verify(rules("5D")).is_err());
    }

    #[test]
    fn a_gadget_without_one_of_its_rows_is_found_out() {
        for gadget in gadgets(5).expect("a library").iter().filter(|gadget| gadget.rows.len() < 12)
        {
            for left_out in 0..gadget.rows.len() {
                let mut rows = gadget.rows.to_vec();
                rows.remove(left_out);
                // The one row of these is all they are.
                if rows.is_empty() || gadget.name.starts_with("variable") {
                    continue;
                }
                let broken = Gadget { rows: rows.leak(), ..*gadget };
                assert!(broken.verify(rules("5T")).is_err(), "{} {left_out}", gadget.name);
            }
        }
    }
}
