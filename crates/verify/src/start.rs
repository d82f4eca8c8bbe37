//! The dots that a game starts from.

use std::borrow::Cow;
use std::fmt;

use crate::rules::{Point, Rules, parse_number};

/// The widest arms of a cross that a file may name.
const MAX_SIDE: u32 = 1024;

/// The dots on the board before the first move. Prints as `cross`, `cross:6` or `17 dots`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Start {
    /// The usual cross of the rules: its arms are one dot narrower than a line is long.
    Cross,
    /// The cross with arms of this width, in dots.
    CrossOfSide(u32),
    /// These dots, row by row from the top, each from left to right.
    Dots(Vec<Point>),
}

impl Start {
    /// Parses the name of a cross: `cross`, or `cross:6` for one with arms 6 dots wide.
    pub(crate) fn parse(text: &str) -> Option<Start> {
        match text.strip_prefix("cross")? {
            "" => Some(Start::Cross),
            side => parse_number(side.strip_prefix(':')?, MAX_SIDE).map(Start::CrossOfSide),
        }
    }

    /// The dots, under these rules.
    #[must_use]
    pub fn dots(&self, rules: Rules) -> Cow<'_, [Point]> {
        match self {
            Start::Cross => cross(u32::from(rules.length()) - 1).into(),
            Start::CrossOfSide(side) => cross(*side).into(),
            Start::Dots(dots) => dots.into(),
        }
    }

    /// The rules with the start, unless it is the usual one: `5T`, or `3D from 4 dots`.
    pub(crate) fn with_rules(&self, rules: Rules) -> String {
        match self {
            Start::Cross => rules.to_string(),
            start => format!("{rules} from {start}"),
        }
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Start::Cross => write!(f, "cross"),
            Start::CrossOfSide(side) => write!(f, "cross:{side}"),
            Start::Dots(dots) if dots.len() == 1 => write!(f, "1 dot"),
            Start::Dots(dots) => write!(f, "{} dots", dots.len()),
        }
    }
}

/// The outline of a plus sign with arms `side` dots wide; its bounding box starts at (0,0).
///
/// A walk around it: twelve edges of `side - 1` steps, from the top left corner of the upper arm.
fn cross(side: u32) -> Vec<Point> {
    const EAST: (i32, i32) = (1, 0);
    const SOUTH: (i32, i32) = (0, 1);
    const WEST: (i32, i32) = (-1, 0);
    const NORTH: (i32, i32) = (0, -1);
    let edges = [EAST, SOUTH, EAST, SOUTH, WEST, SOUTH, WEST, NORTH, WEST, NORTH, EAST, NORTH];

    let steps = i32::try_from(side).expect("a side is at most 1024") - 1;
    let mut at = Point { x: steps, y: 0 };
    if steps == 0 {
        return vec![at];
    }
    let mut dots = Vec::new();
    for (dx, dy) in edges {
        for _ in 0..steps {
            dots.push(at);
            at = Point { x: at.x + dx, y: at.y + dy };
        }
    }
    dots
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(side: u32) -> Vec<String> {
        let dots = cross(side);
        let size = dots.iter().map(|dot| dot.x).max().expect("a dot") + 1;
        let cell = |x, y| if dots.contains(&Point { x, y }) { '#' } else { '.' };
        (0..size).map(|y| (0..size).map(|x| cell(x, y)).collect()).collect()
    }

    #[test]
    fn the_cross_of_side_one_is_a_dot() {
        assert_eq!(drawn(1), ["#"]);
    }

    #[test]
    fn the_cross_of_side_two_is_full() {
        assert_eq!(drawn(2), [".##.", "####", "####", ".##."]);
    }

    #[test]
    fn the_cross_of_the_original_game_is_the_known_one() {
        let picture = [
            "...####...",
            "...#..#...",
            "...#..#...",
            "####..####",
            "#........#",
            "#........#",
            "####..####",
            "...#..#...",
            "...#..#...",
            "...####...",
        ];
        assert_eq!(drawn(4), picture);
    }

    #[test]
    fn a_cross_has_twelve_edges() {
        for side in 2..40 {
            let dots = cross(side);
            assert_eq!(dots.len(), 12 * (side as usize - 1));
            assert_eq!(dots.iter().collect::<std::collections::HashSet<_>>().len(), dots.len());
        }
    }

    #[test]
    fn only_crosses_have_names() {
        assert_eq!(Start::parse("cross"), Some(Start::Cross));
        assert_eq!(Start::parse("cross:1"), Some(Start::CrossOfSide(1)));
        assert_eq!(Start::parse("cross:1024"), Some(Start::CrossOfSide(1024)));
        for text in ["", "Cross", "cross:", "cross:0", "cross:04", "cross:1025", "cross4", "dots"] {
            assert_eq!(Start::parse(text), None, "{text:?}");
        }
    }
}
