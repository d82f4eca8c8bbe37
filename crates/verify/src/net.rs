//! Which lines of a drawing run through a dot.
//!
//! The lines are sorted by where they begin, so that near lines stand together and no list of lines
//! for each dot is needed: a line through a dot begins less than its length away.

use crate::grid::{PlaceMap, place, sort};
use crate::rules::{Direction, Line, Point, Rules};

/// The lines of a drawing, numbered by their place in the plane.
#[derive(Debug)]
pub(crate) struct Net {
    /// The lines and their indices in the file, those that begin in one square together.
    lines: Vec<(Line, u32)>,
    /// For each square in which lines begin, the number of the first.
    squares: PlaceMap<u32>,
}

impl Net {
    /// Numbers the lines.
    pub(crate) fn new(lines: Vec<Line>) -> Net {
        let mut lines: Vec<(Line, u32)> = lines.into_iter().zip(0..).collect();
        sort(&mut lines, |(line, _)| square(line.first));
        let mut squares = PlaceMap::default();
        for (number, (line, _)) in (0..).zip(&lines) {
            squares.entry(square(line.first)).or_insert(number);
        }
        Net { lines, squares }
    }

    /// How many lines there are.
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

    /// The index in the file of the line of this number.
    pub(crate) fn index(&self, number: usize) -> u32 {
        self.lines[number].1
    }

    /// Gives the number of every line through `dot`.
    pub(crate) fn lines_through(&self, dot: Point, rules: Rules, mut give: impl FnMut(usize)) {
        for direction in Direction::ALL {
            let mut last_square = None;
            for steps in 0..i32::from(rules.length()) {
                let square = square(dot.walk(direction, -steps));
                if last_square.replace(square) == Some(square) {
                    continue;
                }
                for number in self.numbers_in(square) {
                    let line = self.line(number);
                    if line.direction == direction && rules.has(line, dot) {
                        give(number);
                    }
                }
            }
        }
    }

    /// The numbers of the lines that begin in a square.
    fn numbers_in(&self, here: u64) -> impl Iterator<Item = usize> {
        let first = self.squares.get(&here).map_or(self.len(), |&number| number as usize);
        (first..self.len()).take_while(move |&number| square(self.line(number).first) == here)
    }
}

/// The square of 4 by 4 points in which a point lies.
fn square(point: Point) -> u64 {
    place(point) >> 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::LIMIT;

    #[test]
    fn exactly_the_lines_through_a_dot_are_given() {
        let rules = Rules::parse("16D").expect("known rules");
        let corners = [-LIMIT, -9, -8, -1, 0, 1, 7, 8, 13, LIMIT];
        let lines: Vec<Line> = corners
            .into_iter()
            .flat_map(|x| corners.map(|y| Point { x, y }))
            .flat_map(|first| Direction::ALL.map(|direction| Line { first, direction }))
            .rev()
            .collect();
        let net = Net::new(lines.clone());
        assert_eq!(net.len(), lines.len());
        for dot in corners.into_iter().flat_map(|x| corners.map(|y| Point { x, y })) {
            let mut given = Vec::new();
            net.lines_through(dot, rules, |number| {
                let line = net.line(number);
                assert_eq!(lines[net.index(number) as usize], line);
                given.push(net.index(number));
            });
            given.sort_unstable();
            let through = |&index: &u32| rules.dots(lines[index as usize]).any(|on| on == dot);
            let expected: Vec<u32> = (0..lines.len() as u32).filter(through).collect();
            assert_eq!(given, expected);
        }
    }
}
