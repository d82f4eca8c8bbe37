//! Formulas in conjunctive normal form, and their files: DIMACS.

use std::fmt;
use std::num::NonZeroI32;

/// A variable or its negation, as DIMACS writes it: 3 or -3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(NonZeroI32);

impl Literal {
    /// The literal of this number; 0 and the least number have no opposite.
    pub fn new(number: i32) -> Option<Self> {
        NonZeroI32::new(number).filter(|number| number.get() != i32::MIN).map(Self)
    }

    /// Its number.
    pub fn number(self) -> i32 {
        self.0.get()
    }

    /// Its variable, counted from 1.
    pub fn variable(self) -> u32 {
        self.0.get().unsigned_abs()
    }

    /// Whether it is the variable itself.
    pub fn is_positive(self) -> bool {
        self.0.get() > 0
    }

    /// The other literal of the same variable.
    pub fn opposite(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A formula: every clause must have a true literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Formula {
    variables: u32,
    clauses: Vec<Vec<Literal>>,
}

impl Formula {
    /// The most variables a formula may speak of.
    pub const MAX_VARIABLES: u32 = 1_000_000;
    /// The most clauses.
    pub const MAX_CLAUSES: usize = 1_000_000;
    /// The most literals of a clause.
    pub const MAX_WIDTH: usize = 3;

    /// A formula of these clauses.
    pub fn new(variables: u32, clauses: Vec<Vec<Literal>>) -> Result<Self, CnfError> {
        if variables > Self::MAX_VARIABLES || clauses.len() > Self::MAX_CLAUSES {
            return Err(CnfError::TooLarge);
        }
        for (number, clause) in (1..).zip(&clauses) {
            if clause.len() > Self::MAX_WIDTH {
                return Err(CnfError::Wide { clause: number });
            }
            if let Some(&literal) = clause.iter().find(|literal| literal.variable() > variables) {
                return Err(CnfError::Unknown { literal, variables });
            }
        }
        Ok(Self { variables, clauses })
    }

    /// How many variables there are, used or not.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    /// The clauses as they were given.
    pub fn clauses(&self) -> &[Vec<Literal>] {
        &self.clauses
    }

    /// The numbers, from 1, of the clauses without a literal of which `is_true` holds; a clause
    /// with a literal and its opposite needs none.
    pub fn unsatisfied(&self, is_true: impl Fn(Literal) -> bool) -> Vec<usize> {
        let holds = |clause: &[Literal]| {
            clause.iter().any(|&literal| is_true(literal) || clause.contains(&literal.opposite()))
        };
        let clauses = (1..).zip(&self.clauses);
        clauses.filter(|(_, clause)| !holds(clause)).map(|(number, _)| number).collect()
    }

    /// Reads a DIMACS file: comments, one header `p cnf VARIABLES CLAUSES`, then the clauses, each
    /// ended by a 0.
    ///
    /// A line `%` ends the file, as in the files of SATLIB.
    pub fn read(bytes: &[u8]) -> Result<Self, ParseFormulaError> {
        let mut header = None;
        let mut clauses: Vec<Vec<Literal>> = Vec::new();
        let mut open: Vec<Literal> = Vec::new();
        let (mut last, mut before) = (0, 0);
        for (line, bytes) in (1..).zip(lines_of(bytes)) {
            let wrong = |fault| ParseFormulaError { line, fault };
            let text = text_of(bytes).ok_or_else(|| wrong(Fault::NotText))?;
            let mut words = text.split_ascii_whitespace().peekable();
            match words.peek() {
                None => continue,
                Some(word) if word.starts_with('c') => continue,
                Some(&"%") => break,
                Some(&"p") if header.is_some() => return Err(wrong(Fault::TwoHeaders)),
                Some(&"p") => {
                    header = Some(read_header(text).map_err(wrong)?);
                    last = line;
                    continue;
                }
                Some(_) => {}
            }
            let (variables, count) = header.ok_or_else(|| wrong(Fault::NoHeader))?;
            // Where a clause that is still open was continued last.
            before = if open.is_empty() { 0 } else { last.max(before) };
            last = line;
            for word in words {
                let literal = match number(word).map_err(wrong)? {
                    0 if clauses.len() == count => return Err(wrong(Fault::TooMany { count })),
                    0 => {
                        before = 0;
                        clauses.push(std::mem::take(&mut open));
                        continue;
                    }
                    number => Literal::new(number),
                };
                let literal = literal.ok_or_else(|| wrong(Fault::Huge))?;
                if literal.variable() > variables {
                    return Err(wrong(Fault::Bad(CnfError::Unknown { literal, variables })));
                }
                if clauses.len() == count {
                    return Err(wrong(Fault::TooMany { count }));
                }
                open.push(literal);
                if open.len() > Self::MAX_WIDTH {
                    let clause = clauses.len() + 1;
                    return Err(wrong(match before {
                        0 => Fault::Bad(CnfError::Wide { clause }),
                        end => Fault::Unended { clause, end },
                    }));
                }
            }
        }
        let wrong = |fault| ParseFormulaError { line: last.max(1), fault };
        let (variables, count) = header.ok_or_else(|| wrong(Fault::NoHeader))?;
        if !open.is_empty() {
            return Err(wrong(Fault::Unfinished));
        }
        if clauses.len() < count {
            return Err(wrong(Fault::TooFew { count, found: clauses.len() }));
        }
        Self::new(variables, clauses).map_err(|bad| wrong(Fault::Bad(bad)))
    }
}

/// The formula as a DIMACS file.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "p cnf {} {}", self.variables, self.clauses.len())?;
        for clause in &self.clauses {
            for literal in clause {
                write!(f, "{literal} ")?;
            }
            writeln!(f, "0")?;
        }
        Ok(())
    }
}

/// The lines of a file, without a byte order mark.
pub(crate) fn lines_of(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    bytes.split(|&byte| byte == b'\n')
}

/// The bytes as text without control characters but tabs and line ends.
pub(crate) fn text_of(bytes: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(bytes).ok()?;
    let control = |c: char| c.is_control() && c != '\t' && c != '\r';
    (!text.contains(control)).then_some(text)
}

/// Reads one integer.
pub(crate) fn number(word: &str) -> Result<i32, Fault> {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Fault::Word(word.chars().take(20).collect()));
    }
    word.parse().map_err(|_| Fault::Huge)
}

fn read_header(line: &str) -> Result<(u32, usize), Fault> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let ["p", "cnf", variables, clauses] = words[..] else { return Err(Fault::Header) };
    let count = |word| number(word).and_then(|n| u32::try_from(n).map_err(|_| Fault::Header));
    let (variables, clauses) = (count(variables)?, count(clauses)? as usize);
    if variables > Formula::MAX_VARIABLES || clauses > Formula::MAX_CLAUSES {
        return Err(Fault::Bad(CnfError::TooLarge));
    }
    Ok((variables, clauses))
}

/// Why some clauses are no formula of ours.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CnfError {
    /// Too many variables or clauses.
    #[error(
        "a formula may have up to {} variables and {} clauses",
        Formula::MAX_VARIABLES,
        Formula::MAX_CLAUSES
    )]
    TooLarge,
    /// A clause with more than three literals.
    #[error("clause {clause} has more than 3 literals: split it with new variables first")]
    Wide {
        /// Its number, from 1.
        clause: usize,
    },
    /// A literal of a variable that there is not.
    #[error("literal {literal} is of no variable from 1 to {variables}")]
    Unknown {
        /// The literal.
        literal: Literal,
        /// How many variables there are.
        variables: u32,
    },
}

/// Why a file is no formula, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct ParseFormulaError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What can be wrong with a line of a DIMACS file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Bytes that are no text.
    #[error("not text; a formula is a DIMACS file of plain text")]
    NotText,
    /// Clauses before the header, or no header at all.
    #[error("no header before this: a DIMACS file says `p cnf VARIABLES CLAUSES` first")]
    NoHeader,
    /// A header that is none.
    #[error("the header must be `p cnf VARIABLES CLAUSES` with two integers")]
    Header,
    /// A second header.
    #[error("a second header")]
    TwoHeaders,
    /// A word that is no number.
    #[error("`{}` is not an integer", .0.escape_debug())]
    Word(String),
    /// A number beyond all limits.
    #[error("a number that is far too large")]
    Huge,
    /// A clause more than the header says.
    #[error("more than the {count} clauses that the header says; is a 0 in the middle of one?")]
    TooMany {
        /// How many the header says.
        count: usize,
    },
    /// The file ends too early.
    #[error("the file ends after {found} of the {count} clauses that the header says")]
    TooFew {
        /// How many the header says.
        count: usize,
        /// How many there are.
        found: usize,
    },
    /// A clause of several lines with more than three literals.
    #[error(
        "clause {clause} has more than 3 literals: is a 0 missing at the end of line {end}? \
         Otherwise split it with new variables first"
    )]
    Unended {
        /// Its number, from 1.
        clause: usize,
        /// The line before this one.
        end: usize,
    },
    /// The last clause has no end.
    #[error("the last clause is not ended by a 0")]
    Unfinished,
    /// Understood, but no formula of ours.
    #[error(transparent)]
    Bad(#[from] CnfError),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clauses(text: &str) -> Vec<Vec<i32>> {
        let formula = Formula::read(text.as_bytes()).expect(text);
        let numbers = |clause: &Vec<Literal>| clause.iter().map(|l| l.number()).collect();
        formula.clauses().iter().map(numbers).collect()
    }

    #[test]
    fn a_missing_end_is_asked_for() {
        let no = Formula::read(b"p cnf 2 2\n1 2\n-1 -2 0\n").expect_err("one clause").to_string();
        assert!(no.starts_with("line 3: ") && no.contains("a 0 missing at the end of line 2?"));
        let no = Formula::read(b"p cnf 4 2\n1 0\n1 2 3 4 0\n").expect_err("wide").to_string();
        assert!(no.ends_with("split it with new variables first") && !no.contains('?'), "{no}");
    }

    #[test]
    fn clauses_may_span_lines_and_share_them() {
        let text = "c a comment\r\np cnf 4 4\n1 -2\n 3 0 -4 0\nc another\n0\n2 2 0\n%\n0\n";
        assert_eq!(clauses(text), [vec![1, -2, 3], vec![-4], vec![], vec![2, 2]]);
        assert_eq!(clauses("p cnf 0 0\n"), Vec::<Vec<i32>>::new());
        assert_eq!(clauses("p cnf 1000000 0"), Vec::<Vec<i32>>::new());
    }

    #[test]
    fn a_formula_is_written_as_it_is_read() {
        let text = "p cnf 3 3\n1 -2 3 0\n0\n-3 0\n";
        assert_eq!(Formula::read(text.as_bytes()).expect("a formula").to_string(), text);
    }

    #[test]
    fn broken_files_are_refused_with_the_line() {
        let cases = include_str!("../tests/broken.txt").split("\n---\n");
        let mut seen = 0;
        for case in cases {
            let (message, file) = case.split_once('\n').unwrap_or((case, ""));
            let bytes = file.replace("\\x00", "\0");
            let error = Formula::read(bytes.as_bytes()).expect_err(file).to_string();
            assert_eq!(error, message, "{file}");
            seen += 1;
        }
        assert!(seen > 10, "{seen}");
        let error = Formula::read(b"p cnf 1 1\n\xff\xfe 0\n").expect_err("bytes");
        assert_eq!(error, ParseFormulaError { line: 2, fault: Fault::NotText });
    }
}
