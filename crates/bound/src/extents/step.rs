//! What a search for the tree of a case finds, step by step: the lines of its proof.

use std::fmt;
use std::str::FromStr;

use geometry::{Direction, Point};

use super::{ExtentSplit, PriceLeaf, Side};
use crate::branch::ParseStepError;

/// What a search has found, in depth-first order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExtentStep {
    /// A node with two children.
    Split(ExtentSplit),
    /// A pruned node.
    Leaf(PriceLeaf),
}

/// As in `morpion-extents/2`: `dot 3,-1`, `extent above 4`, `lines SE -2 1`, `leaf 8 32 0 0013`.
impl fmt::Display for ExtentStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Split(ExtentSplit::Dot(dot)) => write!(f, "dot {},{}", dot.x, dot.y),
            Self::Split(ExtentSplit::Extent(side, most)) => write!(f, "extent {side} {most}"),
            Self::Split(ExtentSplit::Lines { direction, index, most }) => {
                write!(f, "lines {direction} {index} {most}")
            }
            Self::Leaf(leaf) => write!(f, "leaf {leaf}"),
        }
    }
}

impl FromStr for ExtentStep {
    type Err = ParseStepError;

    fn from_str(text: &str) -> Result<Self, ParseStepError> {
        let (kind, rest) = text.split_once(' ').ok_or(ParseStepError)?;
        let words: Vec<&str> = rest.split(' ').collect();
        let split = match (kind, &words[..]) {
            ("dot", [dot]) => point(dot).map(ExtentSplit::Dot),
            ("extent", [side, most]) => {
                let side = Side::ALL.into_iter().find(|it| it.to_string() == *side);
                side.zip(most.parse().ok()).map(|(side, most)| ExtentSplit::Extent(side, most))
            }
            ("lines", [direction, index, most]) => {
                let direction = Direction::named(direction);
                let numbers = index.parse().ok().zip(most.parse().ok());
                direction.zip(numbers).map(|(direction, (index, most))| ExtentSplit::Lines {
                    direction,
                    index,
                    most,
                })
            }
            ("leaf", _) => return rest.parse().map(Self::Leaf),
            _ => None,
        };
        split.map(Self::Split).ok_or(ParseStepError)
    }
}

fn point(text: &str) -> Option<Point> {
    let (x, y) = text.split_once(',')?;
    Some(Point::new(x.parse().ok()?, y.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_read_back() {
        let lines =
            ["dot -3,4", "extent left 7", "lines NE 12 0", "leaf 8 32 0 0013", "leaf 0 0 0"];
        for line in lines {
            let step: ExtentStep = line.parse().expect("a step");
            assert_eq!(step.to_string(), line);
        }
        for bad in
            ["", "dot", "dot 1", "extent up 3", "lines N 1 1", "lines S 1", "leaf x", "cut 1,2"]
        {
            assert_eq!(bad.parse::<ExtentStep>(), Err(ParseStepError), "{bad}");
        }
    }
}
