//! Which lines of a drawing run through a dot.
//!
//! The lines are sorted by where they start, so that neighbours are close in memory and no list of
//! lines per dot is needed: a line through a dot starts less than its length away.

use std::ops::Range;

use crate::game::grid::{BoxMap, Mixing, box_of, sort};
use crate::game::position::Position;
use crate::rules::{Direction, Line, Point, Rules};

/// The lines of a drawing, numbered by their location in the plane.
#[derive(Debug)]
pub(crate) struct LineIndex {
    /// The lines and their indices in the file, sorted by the box in which they start, then by
    /// direction.
    lines: Vec<(Line, u32)>,
    boxes: BoxMap<BoxLines>,
}

/// The lines that start in one box: the number of the first, and how many there are in each
/// direction. A box has 128 points, and lines that do not overlap do not start at the same one.
#[derive(Debug)]
struct BoxLines {
    first: u32,
    counts: [u8; 4],
}

impl LineIndex {
    /// Numbers the lines, unless two of them overlap.
    pub(crate) fn new(lines: Vec<Line>, rules: Rules) -> Option<LineIndex> {
        let mut lines: Vec<(Line, u32)> = lines.into_iter().zip(0..).collect();
        sort(&mut lines, |(line, _)| box_of(line.first) << 2 | line.direction as u64);
        let mut position = Position::empty(rules);
        if lines.iter().any(|&(line, _)| position.draw(line).is_err()) {
            return None;
        }
        let in_boxes =
            || lines.chunk_by(|(one, _), (next, _)| box_of(one.first) == box_of(next.first));
        let mut boxes = BoxMap::with_capacity_and_hasher(in_boxes().count(), Mixing::default());
        let mut first = 0;
        for lines in in_boxes() {
            let mut of_box = BoxLines { first, counts: [0; 4] };
            lines.iter().for_each(|(line, _)| of_box.counts[line.direction as usize] += 1);
            boxes.insert(box_of(lines[0].0.first), of_box);
            first += lines.len() as u32;
        }
        Some(LineIndex { lines, boxes })
    }

    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// All lines, in the order of their numbers.
    pub(crate) fn lines(&self) -> impl Iterator<Item = Line> {
        self.lines.iter().map(|&(line, _)| line)
    }

    /// The line of this number.
    pub(crate) fn line(&self, number: usize) -> Line {
        self.lines[number].0
    }

    /// The place in the file of the line of this number, counting from 0.
    pub(crate) fn place_in_file(&self, number: usize) -> u32 {
        self.lines[number].1
    }

    /// Visits the number of every line through `dot`.
    pub(crate) fn lines_through(&self, dot: Point, rules: Rules, mut visit: impl FnMut(usize)) {
        for direction in Direction::ALL {
            let mut last_box = None;
            for steps in 0..i32::from(rules.length()) {
                let this_box = box_of(dot.walk(direction, -steps));
                if last_box.replace(this_box) != Some(this_box) {
                    let numbers = self.starting_in(this_box, direction);
                    numbers
                        .filter(|&number| rules.has(self.line(number), dot))
                        .for_each(&mut visit);
                }
            }
        }
    }

    /// The numbers of the lines in a direction that start in a box.
    fn starting_in(&self, this_box: u64, direction: Direction) -> Range<usize> {
        let Some(BoxLines { first, counts }) = self.boxes.get(&this_box) else { return 0..0 };
        let (before, from) = counts.split_at(direction as usize);
        let start = *first as usize + before.iter().map(|&count| usize::from(count)).sum::<usize>();
        start..start + usize::from(from[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::LIMIT;

    #[test]
    fn exactly_the_lines_through_a_dot_are_visited() {
        let rules = Rules::parse("5T").expect("known rules");
        let corners = [-LIMIT, -9, -5, -1, 3, 7, 11, 15, 22, LIMIT];
        let points = || corners.into_iter().flat_map(|x| corners.map(|y| Point { x, y }));
        let lines: Vec<Line> = points()
            .flat_map(|first| Direction::ALL.map(|direction| Line { first, direction }))
            .rev()
            .collect();
        let index = LineIndex::new(lines.clone(), rules).expect("no two overlap");
        assert_eq!(index.len(), lines.len());
        for dot in points() {
            let mut visited = Vec::new();
            index.lines_through(dot, rules, |number| {
                assert_eq!(lines[index.place_in_file(number) as usize], index.line(number));
                visited.push(index.place_in_file(number));
            });
            visited.sort_unstable();
            let through = |&index: &u32| rules.dots(lines[index as usize]).any(|on| on == dot);
            let expected: Vec<u32> = (0..lines.len() as u32).filter(through).collect();
            assert_eq!(visited, expected);
        }
    }

    #[test]
    fn overlapping_lines_have_no_index() {
        let rules = Rules::parse("5T").expect("known rules");
        let line = Line { first: Point { x: 0, y: 0 }, direction: Direction::East };
        assert!(LineIndex::new(vec![line; 1000], rules).is_none());
    }
}
