//! Small pieces of typed text: lines without comments, numbers, points.

/// The lines that say something, with their numbers from 1: comments and outer spaces are cut.
pub(crate) fn significant_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..)
        .zip(text.lines())
        .map(|(number, line)| (number, without_comment(line).trim()))
        .filter(|(_, line)| !line.is_empty())
}

/// The part of a line before `#`.
pub(crate) fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or(line)
}

/// Walks along a line.
#[derive(Clone, Copy)]
pub(crate) struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    /// Larger numbers are read as this one, which is beyond every limit.
    const FAR: i64 = 1 << 40;

    pub(crate) fn new(line: &'a str) -> Self {
        Self { rest: line }
    }

    /// What is left of the line.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    /// Whether nothing is left.
    pub(crate) fn is_over(&self) -> bool {
        self.rest.is_empty()
    }

    /// Goes over spaces, and says whether there were any.
    pub(crate) fn skip_spaces(&mut self) -> bool {
        let before = self.rest;
        self.rest = before.trim_start();
        self.rest.len() < before.len()
    }

    /// Goes over this character, if it comes next.
    pub(crate) fn eat(&mut self, wanted: char) -> bool {
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// An integer with or without a sign.
    pub(crate) fn integer(&mut self) -> Option<i64> {
        let unsigned = self.rest.strip_prefix(['-', '+']).unwrap_or(self.rest);
        let end = unsigned.find(|c: char| !c.is_ascii_digit()).unwrap_or(unsigned.len());
        let (digits, rest) = unsigned.split_at(end);
        if digits.is_empty() {
            return None;
        }
        let size = digits
            .bytes()
            .fold(0, |size: i64, digit| (size * 10 + i64::from(digit - b'0')).min(Self::FAR));
        let negative = self.rest.starts_with('-');
        self.rest = rest;
        Some(if negative { -size } else { size })
    }

    /// A point `(x,y)`, with any spaces inside.
    pub(crate) fn point_in_brackets(&mut self) -> Option<(i64, i64)> {
        let mut ahead = *self;
        if !ahead.eat('(') {
            return None;
        }
        ahead.skip_spaces();
        let x = ahead.integer()?;
        ahead.skip_spaces();
        if !ahead.eat(',') {
            return None;
        }
        ahead.skip_spaces();
        let y = ahead.integer()?;
        ahead.skip_spaces();
        if !ahead.eat(')') {
            return None;
        }
        *self = ahead;
        Some((x, y))
    }

    /// A point `(x,y)` or, with spaces only after the comma, `x,y`.
    pub(crate) fn point(&mut self) -> Option<(i64, i64)> {
        if self.rest.starts_with('(') {
            return self.point_in_brackets();
        }
        let mut ahead = *self;
        let x = ahead.integer()?;
        if !ahead.eat(',') {
            return None;
        }
        ahead.skip_spaces();
        let y = ahead.integer()?;
        *self = ahead;
        Some((x, y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_with_and_without_brackets() {
        let cases = [
            ("3,4", Some((3, 4)), ""),
            ("(3,4)", Some((3, 4)), ""),
            ("( -3 , +4 ) x", Some((-3, 4)), " x"),
            ("-3,-4-5", Some((-3, -4)), "-5"),
            ("3, 4", Some((3, 4)), ""),
            ("(3,4", None, "(3,4"),
            ("(3;4)", None, "(3;4)"),
            ("(,4)", None, "(,4)"),
            ("--3,4", None, "--3,4"),
            ("٣,4", None, "٣,4"),
        ];
        for (text, point, rest) in cases {
            let mut scanner = Scanner::new(text);
            assert_eq!(scanner.point(), point, "{text}");
            assert_eq!(scanner.rest(), rest, "{text}");
        }
    }

    #[test]
    fn numbers_of_any_length_are_read() {
        let digits = "9".repeat(100_000);
        assert_eq!(Scanner::new(&digits).integer(), Some(Scanner::FAR));
        assert_eq!(Scanner::new(&format!("-{digits}")).integer(), Some(-Scanner::FAR));
        assert_eq!(Scanner::new("-0").integer(), Some(0));
        assert_eq!(Scanner::new("-").integer(), None);
    }
}
