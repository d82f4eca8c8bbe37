//! Drawings: lines without an order.
//!
//! A finished grid on paper shows the lines, not when each was drawn. Greedily drawing whatever
//! can be drawn finds an order if there is one (Demaine, Demaine, Langerman and Langerman 2006,
//! section 4.1).

use std::fmt;

use super::VerifiedGame;
use super::file::{self, Content, GameFile, WrittenLine};
use super::line_index::LineIndex;
use super::position::Position;
use super::replay::{Replay, user_of};
use crate::fault::GameFault;
use crate::refusal::{Place, Refusal};
use crate::rules::{Line, Move, Point, Rules};

/// Whether a drawing can be played, and how.
///
/// Prints as `3D from 3 dots, 2 lines, 3 legal moves remain` or `3D, 1 of 2 lines can be drawn`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderResult {
    /// It can be played.
    #[non_exhaustive]
    Ordered {
        /// The game, its moves in the order found.
        game: VerifiedGame,
        /// For each move its place in the file's list, counting from 0.
        order: Vec<u32>,
    },
    /// It cannot be played to the end in any order.
    #[non_exhaustive]
    Stuck {
        /// The rules of the drawing.
        rules: Rules,
        /// How many lines can be drawn; the same in every order of drawing.
        playable: u32,
        /// The lines that remain, by their place in the file's list, counting from 0.
        stuck: Vec<u32>,
    },
}

impl fmt::Display for OrderResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrderResult::Ordered { game, .. } => game.describe("line", f),
            OrderResult::Stuck { rules, playable, stuck } => {
                let lines = *playable as usize + stuck.len();
                write!(f, "{rules}, {playable} of {lines} lines can be drawn")
            }
        }
    }
}

/// Finds an order in which the lines of a file can be played.
///
/// A game is a drawing too: the order of its moves and their new dots are ignored. Overlapping
/// lines are refused, since no order allows them; so is a false claim about the game found. Time
/// and space are linear in the number of lines and start dots.
pub fn order(text: &str) -> Result<OrderResult, Refusal> {
    order_file(file::parse(text)?)
}

pub(crate) fn order_file(file: GameFile) -> Result<OrderResult, Refusal> {
    let GameFile { rules, start, content, claims } = file;
    let mut replay = Replay::new(rules, start)?;
    let index = line_index(&content, rules)?;
    drop(content);
    let order = play_greedily(&mut replay, &index);
    if order.len() == index.len() {
        drop(index);
        return Ok(OrderResult::Ordered { game: replay.end(&claims)?, order });
    }
    let mut stuck = vec![true; index.len()];
    order.iter().for_each(|&index| stuck[index as usize] = false);
    let stuck = (0..).zip(stuck).filter_map(|(index, stuck)| stuck.then_some(index)).collect();
    let playable = u32::try_from(order.len()).expect("a file has at most two million lines");
    Ok(OrderResult::Stuck { rules, playable, stuck })
}

/// The lines of the file; the error is the first that is not a line or overlaps an earlier one.
fn line_index(content: &Content, rules: Rules) -> Result<LineIndex, Refusal> {
    let lines: Result<Vec<Line>, GameFault> =
        written(content).map(|line| line.resolve(rules)).collect();
    let index = lines.ok().and_then(|lines| LineIndex::new(lines, rules));
    index.ok_or_else(|| first_fault(content, rules))
}

/// The fault of a file whose lines cannot be indexed: the first in the order of the file.
fn first_fault(content: &Content, rules: Rules) -> Refusal {
    let place = match content {
        Content::Moves(_) => Place::Move,
        Content::Lines(_) => Place::Line,
    };
    let mut position = Position::empty(rules);
    let mut lines: Vec<Line> = Vec::new();
    for (number, line) in (1..).zip(written(content)) {
        let drawn = line.resolve(rules).and_then(|line| {
            let overlap = |at| {
                let with = user_of(at, line, rules, lines.iter().copied());
                GameFault::Overlap { with: place(with), at }
            };
            position.draw(line).map(|()| line).map_err(overlap)
        });
        match drawn {
            Ok(line) => lines.push(line),
            Err(fault) => return Refusal::new(place(number), fault),
        }
    }
    unreachable!("valid lines that do not overlap can be indexed")
}

/// The lines as they are written.
fn written(content: &Content) -> impl Iterator<Item = WrittenLine> {
    let (moves, lines) = match content {
        Content::Moves(moves) => (&moves[..], &[][..]),
        Content::Lines(lines) => (&[][..], &lines[..]),
    };
    moves.iter().map(|mv| mv.line).chain(lines.iter().copied())
}

/// Draws lines as long as any can be drawn; returns their indices in that order.
///
/// A line can be drawn when exactly one of its dots is missing. When several lines wait for the
/// same dot, one of them places it and the others are stuck for good. Which one is arbitrary, here
/// the first in the file; how many lines are drawn in the end is not. Any two runs place the same
/// dots: take the first dot of one run that is not a dot of the other. The line that placed it has
/// its other dots from before, so they are dots of the other run too, where the line has this one
/// gap and could still be drawn. And each line drawn adds one dot. So if some order draws all
/// lines, every greedy order does.
fn play_greedily(replay: &mut Replay, index: &LineIndex) -> Vec<u32> {
    let rules = replay.position().rules();
    let gap_count = |line| rules.dots(line).filter(|&dot| !replay.position().has(dot)).count();
    let mut gaps: Vec<u8> = index.lines().map(|line| gap_count(line) as u8).collect();

    let mut order = Vec::new();
    let mut drawable = Vec::new();
    for number in 0..index.len() {
        drawable.push(number);
        // Lines that a new dot makes drawable are drawn next, while they are in the cache.
        while let Some(number) = drawable.pop() {
            if gaps[number] != 1 {
                continue;
            }
            let is_gap = |&dot: &Point| !replay.position().has(dot);
            let new = rules.dots(index.line(number)).find(is_gap).expect("one gap is counted");
            let mut first = number;
            index.lines_through(new, rules, |through| {
                if gaps[through] == 1 && index.place_in_file(through) < index.place_in_file(first) {
                    first = through;
                }
                gaps[through] -= 1;
                if gaps[through] == 1 {
                    drawable.push(through);
                }
            });
            let mv = Move { new, line: index.line(first) };
            replay.play(mv).expect("a line with one gap that overlaps no other");
            order.push(index.place_in_file(first));
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(rules: &str, start: &str, content: &str) -> Result<OrderResult, Refusal> {
        let head = format!(r#""format":"morpion-game/1","rules":"{rules}","start":{start}"#);
        order(&format!("{{{head},{content}}}"))
    }

    fn stuck(result: Result<OrderResult, Refusal>) -> Option<(u32, Vec<u32>)> {
        match result {
            Ok(OrderResult::Stuck { playable, stuck, .. }) => Some((playable, stuck)),
            _ => None,
        }
    }

    #[test]
    fn a_line_that_needs_another_is_drawn_after_it() {
        let lines = r#""lines":[[[2,0],"S"],[[0,0],"E"]],"score":2"#;
        let Ok(OrderResult::Ordered { game, order }) = ordered("3D", "[[0,0],[1,0],[2,1]]", lines)
        else {
            panic!("an order exists")
        };
        assert_eq!(order, [1, 0]);
        let new: Vec<Point> = game.moves().iter().map(|mv| mv.new).collect();
        assert_eq!(new, [Point { x: 2, y: 0 }, Point { x: 2, y: 2 }]);
    }

    #[test]
    fn of_two_lines_for_one_dot_the_first_in_the_file_is_drawn() {
        let start = "[[0,0],[1,0],[2,1],[2,2]]";
        let result = ordered("3D", start, r#""lines":[[[0,0],"E"],[[2,0],"S"]]"#);
        assert_eq!(stuck(result), Some((1, vec![1])));
        let result = ordered("3D", start, r#""lines":[[[2,0],"S"],[[0,0],"E"]]"#);
        assert_eq!(stuck(result), Some((1, vec![1])));
    }

    #[test]
    fn a_line_with_all_dots_or_too_few_is_stuck() {
        let start = "[[0,0],[1,0],[2,0]]";
        assert_eq!(stuck(ordered("3T", start, r#""lines":[[[0,0],"E"]]"#)), Some((0, vec![0])));
        assert_eq!(stuck(ordered("3T", start, r#""lines":[[[0,0],"S"]]"#)), Some((0, vec![0])));
    }

    #[test]
    fn lines_that_overlap_are_refused_in_whatever_order() {
        let lines = r#""lines":[[[9,9],"E"],[[0,0],[2,0]],[[1,0],[3,0]]]"#;
        let refusal = ordered("3T", "[]", lines).expect_err("an overlap");
        assert_eq!(refusal.to_string(), "line 3: the line overlaps that of line 2 at (1,0)");
        let twice = r#""lines":[[[0,0],[2,0]],[[2,0],[0,0]]]"#;
        let refusal = ordered("3T", "[]", twice).expect_err("an overlap");
        assert_eq!(refusal.to_string(), "line 2: the line overlaps that of line 1 at (0,0)");
    }

    #[test]
    fn the_order_and_the_new_dots_of_a_game_are_ignored() {
        let moves =
            r#""moves":[{"new":[7,7],"line":[[2,0],"S"]},{"new":[0,0],"line":[[0,0],"E"]}]"#;
        let Ok(OrderResult::Ordered { order, .. }) = ordered("3D", "[[0,0],[1,0],[2,1]]", moves)
        else {
            panic!("an order exists")
        };
        assert_eq!(order, [1, 0]);
    }

    #[test]
    fn the_claims_of_a_drawing_are_verified() {
        let lines = r#""lines":[[[0,0],"E"]],"score":2"#;
        let refusal = ordered("3D", "[[0,0],[1,0]]", lines).expect_err("a false claim");
        assert_eq!(refusal.to_string(), "the score is claimed to be 2; it is 1");
    }

    #[test]
    fn an_empty_drawing_is_ordered() {
        assert!(
            ordered("5T", r#""cross""#, r#""lines":[]"#).is_ok_and(|it| stuck(Ok(it)).is_none())
        );
    }
}
