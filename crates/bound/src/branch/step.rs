//! What a search for a tree finds, step by step, as lines of text from which a search can resume.

use std::fmt;
use std::str::FromStr;

use geometry::Point;

use super::SparseDuals;
use crate::certificate::point_list;
use crate::program::Cut;

/// What a search has found, in depth-first order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BranchStep {
    /// A constraint that holds everywhere.
    Cut(Cut),
    /// A branching on this variable; the half where it is 1 comes first.
    Branch(usize),
    /// A pruned node.
    Leaf(SparseDuals),
}

/// A line that is not a step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a cut, a split or a leaf")]
pub struct ParseStepError;

/// As in the proof file of a tree, except for the word before a cut.
impl fmt::Display for BranchStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cut(cut) => {
                write!(f, "cut {} {}", point_list(&[cut.marked]), point_list(&cut.dots))
            }
            Self::Branch(variable) => write!(f, "split {variable}"),
            Self::Leaf(leaf) => write!(f, "leaf {leaf}"),
        }
    }
}

impl FromStr for BranchStep {
    type Err = ParseStepError;

    fn from_str(text: &str) -> Result<Self, ParseStepError> {
        let (kind, rest) = text.split_once(' ').ok_or(ParseStepError)?;
        let step = match kind {
            "cut" => cut(rest).map(Self::Cut),
            "split" => rest.parse().ok().map(Self::Branch),
            "leaf" => rest.parse().ok().map(Self::Leaf),
            _ => None,
        };
        step.ok_or(ParseStepError)
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

/// As in the proof file of a tree: `8 3:1 17:-2 5`, where the last dual is of constraint 18.
impl fmt::Display for SparseDuals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.scale)?;
        let mut next = None;
        for &(row, dual) in &self.duals {
            match next == Some(row) {
                true => write!(f, " {dual}")?,
                false => write!(f, " {row}:{dual}")?,
            }
            next = row.checked_add(1);
        }
        Ok(())
    }
}

impl FromStr for SparseDuals {
    type Err = ParseStepError;

    fn from_str(text: &str) -> Result<Self, ParseStepError> {
        let mut words = text.split(' ');
        let scale = words.next().and_then(|scale| scale.parse().ok()).ok_or(ParseStepError)?;
        let mut next: Option<usize> = None;
        let duals = words.map(|word| {
            let (row, dual) = match word.split_once(':') {
                Some((row, dual)) => (row.parse().ok()?, dual),
                None => (next?, word),
            };
            next = row.checked_add(1);
            Some((row, dual.parse().ok()?))
        });
        let duals = duals.collect::<Option<_>>().ok_or(ParseStepError)?;
        Ok(Self { scale, duals })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_read_back() {
        let dots = vec![Point::new(-3, 4), Point::new(5, 0)];
        let steps = [
            BranchStep::Cut(Cut { marked: dots[1], dots }),
            BranchStep::Branch(17),
            BranchStep::Leaf(SparseDuals { scale: 8, duals: vec![(3, 1), (17, -2), (18, 5)] }),
            BranchStep::Leaf(SparseDuals { scale: 8, duals: vec![(0, 1), (1, 2), (0, 3)] }),
            BranchStep::Leaf(SparseDuals { scale: 0, duals: vec![] }),
        ];
        for step in steps {
            assert_eq!(step.to_string().parse(), Ok(step));
        }
        for bad in ["", "cut", "cut 1,2", "cut 1,2 3", "split -1", "leaf", "leaf 1 2", "tree 1"] {
            assert_eq!(bad.parse::<BranchStep>(), Err(ParseStepError), "{bad}");
        }
    }
}
