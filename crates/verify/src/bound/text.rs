//! What a certificate says.

use crate::bound::supposed::Supposed;
use crate::bound::{Board, FORMAT};
use crate::read::MAX_DOTS;
use crate::refusal::{Fault, Refusal};
use crate::rules::{LIMIT, Point, Rules};
use crate::start::Start;

/// A certificate as it is written. Its numbers may still mean anything.
#[derive(Debug)]
pub(crate) struct Certificate {
    pub(crate) words: String,
    pub(crate) rules: Rules,
    pub(crate) start: Start,
    pub(crate) board: Board,
    /// Whether lines are split by their new dots.
    pub(crate) births: bool,
    pub(crate) exact: bool,
    pub(crate) cuts: Vec<Cut>,
    /// What a case of a hull supposes; nothing in a certificate by itself.
    pub(crate) supposed: Vec<Supposed>,
    pub(crate) bound: i128,
    pub(crate) scale: i64,
    pub(crate) duals: Vec<i64>,
}

/// A set of dots, one of them marked.
#[derive(Debug)]
pub(crate) struct Cut {
    pub(crate) marked: Point,
    pub(crate) dots: Vec<Point>,
}

impl Certificate {
    /// Reads a certificate line by line.
    pub(crate) fn parse(text: &str) -> Result<Certificate, Refusal> {
        let mut lines = Lines::new(text);
        lines.format(FORMAT, "a bound on a board is \"morpion-bound/1\"")?;
        let words = lines.next("what is proven, in words")?.to_owned();
        let rules = lines.after("rules", "`rules` and their name, like 5T", Rules::parse)?;
        let start = lines.after("start", "`start` and cross, cross:N or dots like 3,-1", start)?;
        if let Start::Dots(dots) = &start {
            check_start(dots)?;
        }
        let board = lines.after(
            "board",
            "`board` and square:N, octagon:a0,...,a7 or box:t,r,b,l",
            Board::parse,
        )?;
        let births = lines.after("model", "`model` and lines or births", |kind| match kind {
            "lines" => Some(false),
            "births" => Some(true),
            _ => None,
        })?;
        const BOUND: &str = "`bound` and a whole number from -1 on";
        let exact = lines.has(|line| (line == "exact").then_some(()), BOUND)?.is_some();
        let mut cuts = Vec::new();
        let cut = |line: &str| line.strip_prefix("cut ").map(str::to_owned);
        while let Some(dots) = lines.has(cut, BOUND)? {
            let dots = points(&dots).ok_or_else(|| lines.fault("dots like 3,-1"))?;
            let [marked, dots @ ..] = &dots[..] else { return Err(lines.fault("dots like 3,-1")) };
            cuts.push(Cut { marked: *marked, dots: dots.to_vec() });
        }
        let at_least_none = |number: &str| whole(number).filter(|&bound| bound >= -1);
        let bound = lines.after("bound", BOUND, at_least_none)?;
        let (scale, duals) = lines.scale_and_duals()?;
        lines.end()?;
        let bound = i128::from(bound);
        let supposed = Vec::new();
        Ok(Certificate {
            words,
            rules,
            start,
            board,
            births,
            exact,
            cuts,
            supposed,
            bound,
            scale,
            duals,
        })
    }
}

/// The lines of a text, with the number of the last one read.
pub(crate) struct Lines<'t> {
    lines: std::str::Lines<'t>,
    number: usize,
    /// A line that was looked at and is still to come.
    ahead: Option<&'t str>,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t str) -> Lines<'t> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Lines { lines: text.lines(), number: 0, ahead: None }
    }

    /// Reads the first line, which must be this format.
    pub(crate) fn format(&mut self, format: &str, wanted: &'static str) -> Result<(), Refusal> {
        match self.next("the format")? {
            found if found == format => Ok(()),
            found => {
                let text = found.chars().take(40).collect();
                Err(Fault::UnknownFormat { text, wanted }.into())
            }
        }
    }

    pub(crate) fn next(&mut self, wanted: &'static str) -> Result<&'t str, Refusal> {
        self.number += 1;
        self.ahead.take().or_else(|| self.lines.next()).ok_or_else(|| self.fault(wanted))
    }

    /// Reads a line with this word and something after it.
    pub(crate) fn after<T>(
        &mut self,
        word: &str,
        wanted: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, Refusal> {
        let line = self.next(wanted)?;
        let rest = line.strip_prefix(word).filter(|rest| rest.is_empty() || rest.starts_with(' '));
        let rest = rest.map(|rest| rest.strip_prefix(' ').unwrap_or(rest));
        rest.and_then(read).ok_or_else(|| self.fault(wanted))
    }

    /// Reads a line that is of this kind as a whole.
    pub(crate) fn read<T>(
        &mut self,
        wanted: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, Refusal> {
        read(self.next(wanted)?).ok_or_else(|| self.fault(wanted))
    }

    /// Reads a line if it is of this kind.
    pub(crate) fn has<T>(
        &mut self,
        kind: impl Fn(&str) -> Option<T>,
        wanted: &'static str,
    ) -> Result<Option<T>, Refusal> {
        let line = self.next(wanted)?;
        let found = kind(line);
        if found.is_none() {
            self.ahead = Some(line);
            self.number -= 1;
        }
        Ok(found)
    }

    /// Reads the scale, how many duals there are, and these.
    pub(crate) fn scale_and_duals(&mut self) -> Result<(i64, Vec<i64>), Refusal> {
        let positive = |number: &str| whole(number).filter(|&scale| scale > 0);
        let scale = self.after("scale", "`scale` and a whole number above 0", positive)?;
        let size = |number: &str| whole(number).and_then(|count| usize::try_from(count).ok());
        let count = self.after("duals", "`duals` and how many there are", size)?;
        let mut duals = Vec::new();
        while duals.len() < count {
            for number in self.next("as many duals as are announced")?.split_whitespace() {
                duals.push(whole(number).ok_or_else(|| self.fault("whole numbers of 64 bits"))?);
            }
        }
        match duals.len() == count {
            true => Ok((scale, duals)),
            false => Err(self.fault("as many duals as are announced")),
        }
    }

    /// Nothing but empty lines must be left.
    pub(crate) fn end(&mut self) -> Result<(), Refusal> {
        for line in self.ahead.take().into_iter().chain(self.lines.by_ref()) {
            self.number += 1;
            if !line.trim().is_empty() {
                return Err(self.fault("the end of the file"));
            }
        }
        Ok(())
    }

    /// Whether nothing but empty lines is left.
    pub(crate) fn is_over(&self) -> bool {
        self.ahead.is_none() && self.lines.clone().all(|line| line.trim().is_empty())
    }

    pub(crate) fn fault(&self, wanted: &'static str) -> Refusal {
        Fault::BadLine { line: self.number, wanted }.into()
    }
}

/// The start: the name of a cross, or its dots.
fn start(text: &str) -> Option<Start> {
    Start::parse(text).or_else(|| points(text).map(Start::Dots))
}

/// Whether dots are few, near and each there once.
fn check_start(dots: &[Point]) -> Result<(), Refusal> {
    if dots.len() > MAX_DOTS {
        return Err(Fault::TooManyDots.into());
    }
    let near = |dot: &Point| dot.within_limit();
    if let Some(index) = dots.iter().position(|dot| !near(dot)) {
        return Err(Fault::DotBeyondLimit { number: index + 1 }.into());
    }
    let mut sorted: Vec<(i32, i32)> = dots.iter().map(|dot| (dot.y, dot.x)).collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Fault::DuplicateDot { dot: Point { x: pair[0].1, y: pair[0].0 } }.into()),
        None => Ok(()),
    }
}

/// Points like `3,-1`, with spaces between them; one far beyond the limit is kept just beyond it.
pub(crate) fn points(text: &str) -> Option<Vec<Point>> {
    let coordinate = |digits: &str| {
        let number = whole(digits)?.clamp(-i64::from(LIMIT) - 1, i64::from(LIMIT) + 1);
        i32::try_from(number).ok()
    };
    let point = |text: &str| {
        let (x, y) = text.split_once(',')?;
        Some(Point { x: coordinate(x)?, y: coordinate(y)? })
    };
    text.split_whitespace().map(point).collect()
}

/// A whole number of 64 bits, written as digits with or without a minus before them.
pub(crate) fn whole(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}
