//! A proof in a text format, read line by line.
//!
//! The first line is the format with its version, the second the claim in words; then come lines
//! that start with a key. Numbers are integers of 64 bits: digits, perhaps with `-` before them.

use super::budget::Budget;
use super::lp::Cut;
use crate::fault::FormatFault;
use crate::read;
use crate::refusal::Refusal;
use crate::rules::{LIMIT, Point, Rules};

/// The longest line. What is read of one line, or of the duals of one program, is limited, so that
/// a long text takes little more memory than itself.
const MAX_LINE: usize = 1 << 20;

/// The most duals of one program.
const MAX_DUALS: usize = 4_000_000;

/// The lines of a text, with the number of the last one read.
#[derive(Debug)]
pub(crate) struct Text<'t> {
    version: &'t str,
    lines: std::str::Lines<'t>,
    number: usize,
    /// A line that was looked at and is still to be read.
    ahead: Option<&'t str>,
    budget: Budget,
}

impl<'t> Text<'t> {
    /// A text after its first line, the format with its version.
    pub(crate) fn open(text: &'t str) -> Result<Text<'t>, Refusal> {
        let text = read::open(text)?;
        let budget = Budget::of_bytes(text.len());
        let mut text = Text { version: "", lines: text.lines(), number: 0, ahead: None, budget };
        text.version = text.next("the format")?;
        Ok(text)
    }

    /// The first line.
    pub(crate) fn version(&self) -> &'t str {
        self.version
    }

    /// What pays for the work of verifying it.
    pub(crate) fn budget(&mut self) -> &mut Budget {
        &mut self.budget
    }

    /// Reads the second line: what is proven, in words.
    pub(crate) fn statement(&mut self) -> Result<&'t str, Refusal> {
        self.next("what is proven, in words")
    }

    pub(crate) fn next(&mut self, wanted: &'static str) -> Result<&'t str, Refusal> {
        self.number += 1;
        let line = self.ahead.take().or_else(|| self.lines.next());
        match line.ok_or_else(|| self.fault(wanted))? {
            line if line.len() > MAX_LINE => Err(self.fault("a line of at most 1 MiB")),
            line => Ok(line),
        }
    }

    /// Reads a line with this key and a value after it.
    pub(crate) fn value<T>(
        &mut self,
        key: &str,
        wanted: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, Refusal> {
        let line = self.next(wanted)?;
        let rest = line.strip_prefix(key).filter(|rest| rest.is_empty() || rest.starts_with(' '));
        let rest = rest.map(|rest| rest.strip_prefix(' ').unwrap_or(rest));
        rest.and_then(parse).ok_or_else(|| self.fault(wanted))
    }

    /// Reads a line that means something as a whole.
    pub(crate) fn line<T>(
        &mut self,
        wanted: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, Refusal> {
        parse(self.next(wanted)?).ok_or_else(|| self.fault(wanted))
    }

    /// Reads a line if it means something; otherwise it is still to be read.
    pub(crate) fn optional<T>(
        &mut self,
        wanted: &'static str,
        parse: impl FnOnce(&'t str) -> Option<T>,
    ) -> Result<Option<T>, Refusal> {
        let line = self.next(wanted)?;
        let found = parse(line);
        if found.is_none() {
            self.ahead = Some(line);
            self.number -= 1;
        }
        Ok(found)
    }

    pub(crate) fn rules(&mut self) -> Result<Rules, Refusal> {
        self.value("rules", "`rules` and their name, like 5T", Rules::parse)
    }

    /// Reads the bound on the moves of a game.
    pub(crate) fn bound(&mut self) -> Result<u32, Refusal> {
        self.value("bound", "`bound` and an integer, at least 0", number)
    }

    /// Reads the scale, how many duals there are, and these.
    pub(crate) fn duals(&mut self) -> Result<Duals, Refusal> {
        let positive = |text: &str| integer(text).filter(|&scale| scale > 0);
        let scale = self.value("scale", "`scale` and an integer above 0", positive)?;
        let few = |text: &str| number(text).filter(|&count| count <= MAX_DUALS);
        let count: usize =
            self.value("duals", "`duals` and how many there are, at most 4000000", few)?;
        let mut values = Vec::new();
        while values.len() < count {
            for word in self.next("as many duals as announced")?.split_whitespace() {
                values.push(integer(word).ok_or_else(|| self.fault("integers of 64 bits"))?);
            }
        }
        match values.len() == count {
            true => Ok(Duals { scale, values }),
            false => Err(self.fault("as many duals as announced")),
        }
    }

    /// Refuses anything but empty lines from here on.
    pub(crate) fn end(&mut self) -> Result<(), Refusal> {
        for line in self.ahead.take().into_iter().chain(self.lines.by_ref()) {
            self.number += 1;
            if !line.trim().is_empty() {
                return Err(self.fault("the end of the file"));
            }
        }
        Ok(())
    }

    /// Whether nothing but empty lines remains.
    pub(crate) fn is_over(&self) -> bool {
        self.ahead.is_none() && self.lines.clone().all(|line| line.trim().is_empty())
    }

    /// The refusal of the last line read.
    pub(crate) fn fault(&self, wanted: &'static str) -> Refusal {
        FormatFault::BadLine { line: self.number, wanted }.into()
    }
}

/// One dual for each row of a linear program, and the scale that makes them integers.
#[derive(Debug)]
pub(crate) struct Duals {
    pub(crate) scale: i64,
    pub(crate) values: Vec<i64>,
}

/// A cut as it is written: the marked dot, then all dots of the set.
pub(crate) fn cut(text: &str) -> Option<Cut> {
    let [marked, dots @ ..] = &points(text)?[..] else { return None };
    Some(Cut { marked: *marked, dots: dots.to_vec() })
}

/// Points like `3,-1`, separated by spaces; coordinates beyond the limit are clamped to just
/// beyond it.
pub(crate) fn points(text: &str) -> Option<Vec<Point>> {
    let coordinate = |digits: &str| {
        let number = integer(digits)?.clamp(-i64::from(LIMIT) - 1, i64::from(LIMIT) + 1);
        i32::try_from(number).ok()
    };
    let point = |text: &str| {
        let (x, y) = text.split_once(',')?;
        Some(Point { x: coordinate(x)?, y: coordinate(y)? })
    };
    text.split_whitespace().map(point).collect()
}

/// An integer of a smaller type, like `u32`.
pub(crate) fn number<T: TryFrom<i64>>(text: &str) -> Option<T> {
    integer(text).and_then(|number| T::try_from(number).ok())
}

/// An integer of 64 bits, written as digits with or without a minus before them.
pub(crate) fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}
