//! The order of play: with it, the integer solutions of a program of births are exactly the games.
//!
//! Every dot outside the start has a turn. Where a line places a dot, its other dots have earlier
//! turns, so the lines of an integer solution can be drawn by the turns of their new dots. The
//! relaxation hardly gains: a fraction of a line leaves all turns free.

use std::collections::{BTreeMap, HashMap};

use geometry::{Point, Rules};

use super::{Constraint, ConstraintKind, LinearProgram, Sense, Variable, VariableMeaning};

impl LinearProgram {
    /// Adds turns to a program of births.
    pub fn add_order(&mut self, rules: Rules) {
        let is_open = |variable: &Variable| match variable.meaning {
            VariableMeaning::Dot(dot) if variable.low == 0 => Some(dot),
            _ => None,
        };
        let dots: Vec<Point> = self.variables.iter().filter_map(is_open).collect();
        let turns: HashMap<Point, usize> =
            dots.iter().copied().zip(self.variables.len()..).collect();
        // The births of a dot by lines that have another one, by both dots.
        let mut births: BTreeMap<(Point, Point), Vec<usize>> = BTreeMap::new();
        for (index, variable) in self.variables.iter().enumerate() {
            let VariableMeaning::Birth(birth) = variable.meaning else { continue };
            for other in birth.line.points(rules) {
                if other != birth.dot() && turns.contains_key(&other) {
                    births.entry((other, birth.dot())).or_default().push(index);
                }
            }
        }
        let count = dots.len() as i64;
        self.variables.extend(dots.into_iter().map(|dot| {
            let meaning = VariableMeaning::Turn(dot);
            Variable { meaning, cost: 0, low: 0, high: count - 1 }
        }));
        for ((earlier, later), births) in births {
            let mut terms: Vec<(usize, i64)> =
                births.into_iter().map(|index| (index, -count)).collect();
            terms.extend([(turns[&later], 1), (turns[&earlier], -1)]);
            terms.sort_unstable();
            let kind = ConstraintKind::After(earlier, later);
            self.constraints.push(Constraint {
                kind,
                terms,
                sense: Sense::AtLeast,
                rhs: 1 - count,
            });
        }
    }
}
