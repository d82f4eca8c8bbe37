//! A formula made ready for a layout: only what the pattern has to say.

use std::collections::BTreeMap;

use crate::cnf::{Formula, Literal};

/// A formula with at least one clause, all clauses with one to three different variables, and
/// every variable in use. It can be satisfied if and only if the formula it was made from can.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// The variable of the formula that each variable stands for; a helper stands for none.
    pub names: Vec<Option<u32>>,
    /// The clauses, in literals of these variables.
    pub clauses: Vec<Vec<Literal>>,
    /// The clause of the formula, counted from 1, that each clause stands for.
    pub origins: Vec<Option<usize>>,
}

impl Instance {
    /// What is left of a formula.
    ///
    /// Repeated literals count once and clauses that are always true are left out. A formula
    /// without clauses becomes one clause of a helper, which can be satisfied; a formula with an
    /// empty clause becomes two that contradict each other.
    pub fn new(formula: &Formula) -> Self {
        let mut left: Vec<(usize, Vec<Literal>)> = Vec::new();
        for (number, clause) in (1..).zip(formula.clauses()) {
            if clause.is_empty() {
                return Self::of_helper(&[1, -1]);
            }
            let mut literals: Vec<Literal> = Vec::new();
            for &literal in clause {
                if !literals.contains(&literal) {
                    literals.push(literal);
                }
            }
            if !literals.iter().any(|literal| literals.contains(&literal.opposite())) {
                left.push((number, literals));
            }
        }
        if left.is_empty() {
            return Self::of_helper(&[1]);
        }
        let used = left.iter().flat_map(|(_, clause)| clause.iter().map(|l| l.variable()));
        let mut places: BTreeMap<u32, i32> = used.map(|variable| (variable, 0)).collect();
        for (place, found) in (1..).zip(places.values_mut()) {
            *found = place;
        }
        let placed = |literal: &Literal| {
            let place = places[&literal.variable()];
            Literal::new(if literal.is_positive() { place } else { -place }).expect("not 0")
        };
        Self {
            names: places.keys().copied().map(Some).collect(),
            clauses: left.iter().map(|(_, clause)| clause.iter().map(placed).collect()).collect(),
            origins: left.iter().map(|&(number, _)| Some(number)).collect(),
        }
    }

    fn of_helper(literals: &[i32]) -> Self {
        let clause = |&number: &i32| vec![Literal::new(number).expect("not 0")];
        Self {
            names: vec![None],
            clauses: literals.iter().map(clause).collect(),
            origins: vec![None; literals.len()],
        }
    }

    /// The name of a literal in the formula, `z` for a helper.
    pub fn name(&self, literal: Literal) -> String {
        let sign = if literal.is_positive() { "" } else { "-" };
        match self.names[literal.variable() as usize - 1] {
            Some(variable) => format!("{sign}{variable}"),
            None => format!("{sign}z"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance(text: &str) -> Instance {
        Instance::new(&Formula::read(text.as_bytes()).expect(text))
    }

    fn numbers(instance: &Instance) -> Vec<Vec<i32>> {
        let numbers = |clause: &Vec<Literal>| clause.iter().map(|l| l.number()).collect();
        instance.clauses.iter().map(numbers).collect()
    }

    #[test]
    fn only_what_matters_is_left() {
        let found = instance("p cnf 9 4\n7 7 -3 0\n3 -3 5 0\n-7 0\n-7 0\n");
        assert_eq!(found.names, [Some(3), Some(7)]);
        assert_eq!(numbers(&found), [vec![2, -1], vec![-2], vec![-2]]);
        assert_eq!(found.origins, [Some(1), Some(3), Some(4)]);
        assert_eq!(found.name(found.clauses[0][1]), "-3");
    }

    #[test]
    fn without_clauses_it_is_true_and_with_an_empty_one_it_is_false() {
        for text in ["p cnf 0 0\n", "p cnf 3 0\n", "p cnf 3 1\n1 -1 0\n"] {
            assert_eq!(numbers(&instance(text)), [[1]], "{text}");
        }
        for text in ["p cnf 0 1\n0\n", "p cnf 3 2\n1 2 0\n0\n"] {
            assert_eq!(numbers(&instance(text)), [[1], [-1]], "{text}");
        }
    }
}
