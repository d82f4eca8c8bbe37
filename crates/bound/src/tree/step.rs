//! What a search for a tree finds, step by step, as lines of text that a later search goes on from.

use std::fmt;
use std::str::FromStr;

use geometry::Point;

use super::Leaf;
use crate::certificate::listed;
use crate::model::cuts::Cut;

/// Something that a search has found, in the order in which it goes through the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A row that holds everywhere.
    Cut(Cut),
    /// A place that is split by this column; the half where it is 1 comes first.
    Split(usize),
    /// A place that is closed.
    Leaf(Leaf),
}

/// Not a step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a step is a cut, a split or a leaf")]
pub struct BadStep;

/// As in `morpion-tree/1`, but for the word before a cut.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cut(cut) => write!(f, "cut {} {}", listed(&[cut.marked]), listed(&cut.dots)),
            Self::Split(column) => write!(f, "split {column}"),
            Self::Leaf(Leaf { scale, duals }) => {
                write!(f, "leaf {scale}")?;
                let mut next = None;
                for &(row, dual) in duals {
                    match next == Some(row) {
                        true => write!(f, " {dual}")?,
                        false => write!(f, " {row}:{dual}")?,
                    }
                    next = row.checked_add(1);
                }
                Ok(())
            }
        }
    }
}

impl FromStr for Step {
    type Err = BadStep;

    fn from_str(text: &str) -> Result<Self, BadStep> {
        let (kind, rest) = text.split_once(' ').ok_or(BadStep)?;
        let step = match kind {
            "cut" => cut(rest).map(Self::Cut),
            "split" => rest.parse().ok().map(Self::Split),
            "leaf" => leaf(rest).map(Self::Leaf),
            _ => None,
        };
        step.ok_or(BadStep)
    }
}

fn cut(text: &str) -> Option<Cut> {
    let dots = text.split(' ').map(|dot| {
        let (x, y) = dot.split_once(',')?;
        Some(Point::new(x.parse().ok()?, y.parse().ok()?))
    });
    let mut dots: Vec<Point> = dots.collect::<Option<_>>()?;
    (dots.len() > 1).then(|| Cut { marked: dots.remove(0), dots })
}

fn leaf(text: &str) -> Option<Leaf> {
    let mut words = text.split(' ');
    let scale = words.next()?.parse().ok()?;
    let mut next: Option<usize> = None;
    let duals = words.map(|word| {
        let (row, dual) = match word.split_once(':') {
            Some((row, dual)) => (row.parse().ok()?, dual),
            None => (next?, word),
        };
        next = row.checked_add(1);
        Some((row, dual.parse().ok()?))
    });
    Some(Leaf { scale, duals: duals.collect::<Option<_>>()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_read_back() {
        let dots = vec![Point::new(-3, 4), Point::new(5, 0)];
        let steps = [
            Step::Cut(Cut { marked: dots[1], dots }),
            Step::Split(17),
            Step::Leaf(Leaf { scale: 8, duals: vec![(3, 1), (17, -2), (18, 5)] }),
            Step::Leaf(Leaf { scale: 8, duals: vec![(0, 1), (1, 2), (0, 3)] }),
            Step::Leaf(Leaf { scale: 0, duals: vec![] }),
        ];
        for step in steps {
            assert_eq!(step.to_string().parse(), Ok(step));
        }
        for bad in ["", "cut", "cut 1,2", "cut 1,2 3", "split -1", "leaf", "leaf 1 2", "tree 1"] {
            assert_eq!(bad.parse::<Step>(), Err(BadStep), "{bad}");
        }
    }
}
