//! The splits of another search, of whatever target: where to split is half the work.

use super::{ExtentCase, ExtentSplit, ExtentStep};

/// A tree without its leaves, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sketch {
    /// A node with two children.
    Split(ExtentSplit, Box<[Sketch; 2]>),
    /// A leaf, or a node that was not looked at.
    Open,
}

const OPEN: Sketch = Sketch::Open;

impl Sketch {
    /// The sketch of a case in the text of a proof by extents, complete or not, of any version.
    #[must_use]
    pub fn of_case(text: &str, case: ExtentCase) -> Self {
        let case = case.to_string();
        let lines = text.lines().skip_while(|line| *line != case).skip(1);
        Self::read(&mut lines.take_while(|line| !line.starts_with("case ")))
    }

    /// Reads a tree in preorder.
    fn read(lines: &mut dyn Iterator<Item = &str>) -> Self {
        match lines.next().map(str::parse) {
            Some(Ok(ExtentStep::Split(split))) => {
                let halves = [Self::read(lines), Self::read(lines)];
                Self::Split(split, Box::new(halves))
            }
            _ => Self::Open,
        }
    }

    /// How its node is split.
    pub(super) fn split(&self) -> Option<ExtentSplit> {
        match self {
            Self::Split(split, _) => Some(*split),
            Self::Open => None,
        }
    }

    /// The half with more, or the other one, if it is split so.
    pub(super) fn half(&self, split: ExtentSplit, more: bool) -> &Self {
        match self {
            Self::Split(own, halves) if *own == split => &halves[usize::from(!more)],
            _ => &OPEN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sketches_are_read_from_proofs_of_any_version_complete_or_not() {
        let text = "morpion-extents/1\ncase 3 3\nlines E 3 1\ndot 4,-2\nleaf 16 0:-40 7:3\n\
                    leaf 0\nextent below 2\nleaf 8 32 0 0013\ncase 4 4\ndot 0,0\n";
        let case = |extent| ExtentCase { from: extent, to: extent };
        let sketch = Sketch::of_case(text, case(3));
        let split = sketch.split().expect("a split");
        let more = sketch.half(split, true);
        assert!(matches!(more.split(), Some(ExtentSplit::Dot(_))));
        assert_eq!(more.half(more.split().expect("a dot"), true), &Sketch::Open);
        let fewer = sketch.half(split, false).split();
        assert!(matches!(fewer, Some(ExtentSplit::Extent(_, 2))), "{fewer:?}");
        assert_eq!(more.half(split, true), &Sketch::Open);
        assert!(Sketch::of_case(text, case(4)).split().is_some());
        assert_eq!(Sketch::of_case(text, case(5)), Sketch::Open);
    }
}
