//! Truth values for variables, and their files: the `v` lines that SAT solvers print.

use crate::cnf::{Fault, Formula, Literal, lines_of, number, text_of};

/// Which variables are true and which are false; some may be neither.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    values: Vec<Option<bool>>,
}

impl Assignment {
    /// No value for any of so many variables.
    pub fn unknown(variables: u32) -> Self {
        Self { values: vec![None; variables as usize] }
    }

    /// Makes these literals true, each of a variable up to `variables` and none against another.
    pub fn from_numbers(numbers: &[i32], variables: u32) -> Result<Self, AssignmentFault> {
        let mut model = Self::unknown(variables);
        for &number in numbers {
            let literal = Literal::new(number).ok_or(AssignmentFault::Zero)?;
            model.assign(literal)?;
        }
        Ok(model)
    }

    /// Makes a literal true that is not yet false.
    fn assign(&mut self, literal: Literal) -> Result<(), AssignmentFault> {
        let variables = self.values.len() as u32;
        if literal.variable() > variables {
            return Err(AssignmentFault::Unknown { literal, variables });
        }
        if self.makes_true(literal.opposite()) {
            return Err(AssignmentFault::Both(literal.variable()));
        }
        self.set(literal);
        Ok(())
    }

    /// Makes a literal true.
    ///
    /// # Panics
    /// If there is no such variable.
    pub fn set(&mut self, literal: Literal) {
        self.values[literal.variable() as usize - 1] = Some(literal.is_positive());
    }

    /// The value of a variable, counted from 1, if it has one.
    pub fn value(&self, variable: u32) -> Option<bool> {
        *self.values.get(variable as usize - 1)?
    }

    /// Whether a literal is true.
    pub fn makes_true(&self, literal: Literal) -> bool {
        self.value(literal.variable()) == Some(literal.is_positive())
    }

    /// The numbers, from 1, of the clauses that it does not satisfy.
    pub fn unsatisfied(&self, formula: &Formula) -> Vec<usize> {
        formula.unsatisfied(|literal| self.makes_true(literal))
    }

    /// A true literal for each variable in turn; variables without a value are false.
    pub fn literals(&self) -> impl Iterator<Item = Literal> + '_ {
        (1..).zip(&self.values).map(|(variable, value): (i32, _)| {
            let number = if *value == Some(true) { variable } else { -variable };
            Literal::new(number).expect("variables count from 1")
        })
    }

    /// Reads what a SAT solver prints: lines `v 1 -2 ... 0`, or bare numbers as MiniSat writes
    /// them.
    ///
    /// Comments and `s SATISFIABLE` are passed over. Variables may be left out.
    pub fn read(bytes: &[u8], variables: u32) -> Result<Self, ParseAssignmentError> {
        let mut model = Self::unknown(variables);
        let mut ended = false;
        let mut seen = false;
        for (line, bytes) in (1..).zip(lines_of(bytes)) {
            let wrong = |fault| ParseAssignmentError { line, fault };
            let text =
                text_of(bytes).ok_or_else(|| wrong(AssignmentFault::Word(Fault::NotText)))?;
            let mut words = text.split_ascii_whitespace().peekable();
            match words.peek() {
                None => continue,
                Some(word) if word.starts_with('c') => continue,
                Some(&"UNSAT") => return Err(wrong(AssignmentFault::Unsatisfiable)),
                Some(&"s") if text.contains("UNSAT") => {
                    return Err(wrong(AssignmentFault::Unsatisfiable));
                }
                Some(&("s" | "SAT")) => continue,
                Some(&"v") => drop(words.next()),
                Some(_) => {}
            }
            for word in words {
                seen = true;
                let number = number(word).map_err(|fault| wrong(AssignmentFault::Word(fault)))?;
                if ended {
                    return Err(wrong(AssignmentFault::AfterEnd));
                }
                ended = number == 0;
                let Some(literal) = Literal::new(number) else { continue };
                model.assign(literal).map_err(wrong)?;
            }
        }
        if seen {
            Ok(model)
        } else {
            Err(ParseAssignmentError { line: 1, fault: AssignmentFault::Nothing })
        }
    }
}

/// Why a file is no model, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct ParseAssignmentError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: AssignmentFault,
}

/// What can be wrong with a line of a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AssignmentFault {
    /// Something that is no number.
    #[error(transparent)]
    Word(Fault),
    /// A literal of a variable that there is not.
    #[error("literal {literal} is of no variable from 1 to {variables}")]
    Unknown {
        /// The literal.
        literal: Literal,
        /// How many variables there are.
        variables: u32,
    },
    /// A variable is made true and false.
    #[error("variable {0} is made both true and false")]
    Both(u32),
    /// A 0 where a literal should be.
    #[error("0 is no literal")]
    Zero,
    /// Numbers after the last 0.
    #[error("more numbers after the 0 that ends the model")]
    AfterEnd,
    /// There is no model.
    #[error("the solver says that there is no model")]
    Unsatisfiable,
    /// There are no numbers.
    #[error("no literals: a model is lines like `v 1 -2 0`")]
    Nothing,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<i32>, String> {
        let model = Assignment::read(text.as_bytes(), 3).map_err(|error| error.to_string())?;
        Ok(model.literals().map(Literal::number).collect())
    }

    #[test]
    fn models_are_read_as_solvers_print_them() {
        assert_eq!(read("c hello\ns SATISFIABLE\nv 1 -2\nv 3 0\n"), Ok(vec![1, -2, 3]));
        assert_eq!(read("SAT\n-1 2 -3 0\n"), Ok(vec![-1, 2, -3]));
        assert_eq!(read("v 2\r\n"), Ok(vec![-1, 2, -3]));
    }

    #[test]
    fn what_is_no_model_says_why() {
        let cases = [
            ("", "line 1: no literals: a model is lines like `v 1 -2 0`"),
            ("s UNSATISFIABLE\n", "line 1: the solver says that there is no model"),
            ("UNSAT\n", "line 1: the solver says that there is no model"),
            ("v 1\nv -1 0\n", "line 2: variable 1 is made both true and false"),
            ("v 4 0\n", "line 1: literal 4 is of no variable from 1 to 3"),
            ("v 1 0\nv 2 0\n", "line 2: more numbers after the 0 that ends the model"),
            ("v one 0\n", "line 1: `one` is not an integer"),
        ];
        for (text, message) in cases {
            assert_eq!(read(text), Err(message.to_owned()), "{text}");
        }
    }
}
