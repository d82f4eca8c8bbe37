//! What a dot means: a formula of atoms without negation, as an OR of ANDs.
//!
//! Each different meaning is kept once and known by a number, so that comparing is cheap and most
//! work is done once for thousands of dots.

use std::collections::HashMap;

use crate::cnf::Literal;
use crate::layout::Atom;

/// A meaning, by its number.
pub(crate) type Meaning = u32;

/// What can never be.
pub(crate) const NEVER: Meaning = 0;
/// What needs nothing.
pub(crate) const ALWAYS: Meaning = 1;

/// Atoms that are all true.
type Term = Vec<Atom>;

/// The most terms of a meaning; real patterns need very few.
const MAX_TERMS: usize = 64;

/// A dot would have too many ways to come about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tangled;

/// All meanings so far.
pub(crate) struct Meanings<'a> {
    clauses: &'a [Vec<Literal>],
    known: Vec<Vec<Term>>,
    numbers: HashMap<Vec<Term>, Meaning>,
    /// What was worked out before: whether AND, and of which two.
    memory: HashMap<(bool, Meaning, Meaning), Meaning>,
}

impl<'a> Meanings<'a> {
    pub(crate) fn new(clauses: &'a [Vec<Literal>]) -> Self {
        let mut meanings =
            Self { clauses, known: Vec::new(), numbers: HashMap::new(), memory: HashMap::new() };
        assert_eq!(meanings.number(vec![]), NEVER);
        assert_eq!(meanings.number(vec![vec![]]), ALWAYS);
        meanings
    }

    /// The meaning of an atom.
    pub(crate) fn atom(&mut self, atom: Atom) -> Meaning {
        self.number(vec![vec![atom]])
    }

    pub(crate) fn and(&mut self, one: Meaning, other: Meaning) -> Result<Meaning, Tangled> {
        match (one, other) {
            (NEVER, _) | (_, NEVER) => return Ok(NEVER),
            (ALWAYS, meaning) | (meaning, ALWAYS) => return Ok(meaning),
            _ if one == other => return Ok(one),
            _ => {}
        }
        let key = (true, one.min(other), one.max(other));
        if let Some(&known) = self.memory.get(&key) {
            return Ok(known);
        }
        let mut terms = Vec::new();
        for left in &self.known[one as usize] {
            for right in &self.known[other as usize] {
                let both = left.iter().chain(right).copied().collect();
                terms.extend(self.simplified(both));
            }
        }
        self.remember(key, terms)
    }

    pub(crate) fn or(&mut self, one: Meaning, other: Meaning) -> Result<Meaning, Tangled> {
        if one == other || other == NEVER {
            return Ok(one);
        }
        let key = (false, one.min(other), one.max(other));
        if let Some(&known) = self.memory.get(&key) {
            return Ok(known);
        }
        let [left, right] = [one, other].map(|meaning| &self.known[meaning as usize]);
        let terms = left.iter().chain(right).cloned().collect();
        self.remember(key, terms)
    }

    /// Whether an atom is true whenever this is.
    pub(crate) fn implies(&self, meaning: Meaning, atom: Atom) -> bool {
        self.known[meaning as usize].iter().all(|term| self.term_implies(term, atom))
    }

    fn term_implies(&self, term: &[Atom], atom: Atom) -> bool {
        if term.contains(&atom) {
            return true;
        }
        let later = |clause: u32| {
            term.iter().any(|&other| matches!(other, Atom::All(last) if last >= clause))
        };
        match atom {
            Atom::Literal(_) => false,
            Atom::Clause(clause) => {
                let literals = &self.clauses[clause as usize];
                let is_in = |other: &Atom| match other {
                    Atom::Literal(literal) => literals.contains(literal),
                    Atom::Clause(_) | Atom::All(_) => false,
                };
                later(clause) || term.iter().any(is_in)
            }
            Atom::All(last) => {
                later(last)
                    || self.term_implies(term, Atom::Clause(last))
                        && (last == 0 || self.term_implies(term, Atom::All(last - 1)))
            }
        }
    }

    /// A term without what follows from the rest; none if it holds a literal and its opposite.
    fn simplified(&self, mut term: Term) -> Option<Term> {
        term.sort_unstable();
        term.dedup();
        let opposite = |atom: &Atom| match *atom {
            Atom::Literal(literal) => term.contains(&Atom::Literal(literal.opposite())),
            Atom::Clause(_) | Atom::All(_) => false,
        };
        if term.iter().any(opposite) {
            return None;
        }
        let mut place = 0;
        while place < term.len() {
            let atom = term.remove(place);
            if !self.term_implies(&term, atom) {
                term.insert(place, atom);
                place += 1;
            }
        }
        Some(term)
    }

    fn remember(
        &mut self,
        key: (bool, Meaning, Meaning),
        terms: Vec<Term>,
    ) -> Result<Meaning, Tangled> {
        let mut least: Vec<Term> = Vec::new();
        for term in terms {
            let covers =
                |one: &Term, other: &Term| one.iter().all(|&atom| self.term_implies(other, atom));
            if !least.iter().any(|found| covers(found, &term)) {
                least.retain(|found| !covers(&term, found));
                least.push(term);
            }
        }
        if least.len() > MAX_TERMS {
            return Err(Tangled);
        }
        least.sort_unstable();
        let meaning = self.number(least);
        self.memory.insert(key, meaning);
        Ok(meaning)
    }

    fn number(&mut self, terms: Vec<Term>) -> Meaning {
        if let Some(&number) = self.numbers.get(&terms) {
            return number;
        }
        let number = self.known.len() as Meaning;
        self.known.push(terms.clone());
        self.numbers.insert(terms, number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(number: i32) -> Literal {
        Literal::new(number).expect("not 0")
    }

    #[test]
    fn meanings_follow_from_each_other_as_they_should() {
        let clauses = [vec![literal(1), literal(2)], vec![literal(-1)]];
        let mut all = Meanings::new(&clauses);
        let [x, not_x, y] = [1, -1, 2].map(|n| all.atom(Atom::Literal(literal(n))));
        assert!(all.implies(x, Atom::Clause(0)) && !all.implies(x, Atom::Clause(1)));
        assert!(all.implies(y, Atom::All(0)) && !all.implies(y, Atom::All(1)));
        assert_eq!(all.and(x, not_x), Ok(NEVER));
        let both = all.and(not_x, y).expect("one term");
        assert!(all.implies(both, Atom::All(1)));
        assert!(!all.implies(both, Atom::Literal(literal(1))));
        let first = all.atom(Atom::Clause(0));
        assert_eq!(all.and(first, y), Ok(y), "the clause follows from its literal");
        assert_eq!(all.or(first, y), Ok(first), "and so its literal adds nothing");
        let either = all.or(x, y).expect("two terms");
        assert!(all.implies(either, Atom::Clause(0)) && !all.implies(either, Atom::All(1)));
        assert!(!all.implies(ALWAYS, Atom::Clause(0)));
        assert!(all.implies(NEVER, Atom::All(1)));
    }
}
