//! Drawings: lines without an order.
//!
//! Whoever has a finished grid on paper knows the lines, not when each was drawn. It does not
//! matter: drawing whatever can be drawn finds an order if there is one (Demaine, Demaine,
//! Langerman and Langerman 2006, section 4.1).

use crate::board::Board;
use crate::game::{self, Replay, VerifiedGame};
use crate::json;
use crate::net::Net;
use crate::read::{Content, GameFile, WrittenLine};
use crate::refusal::{Fault, Place, Refusal};
use crate::rules::{Line, Move, Point, Rules};

/// What becomes of a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ordering {
    /// It can be played.
    #[non_exhaustive]
    Ordered {
        /// The game, its moves in the order found.
        game: VerifiedGame,
        /// For each move its place in the file's list, counting from 0.
        order: Vec<u32>,
    },
    /// It cannot be played to the end, in whatever order.
    #[non_exhaustive]
    Stuck {
        /// The rules of the drawing.
        rules: Rules,
        /// How many lines can be drawn; the same in every order of drawing.
        playable: u32,
        /// The lines that are left then, by their place in the file's list, counting from 0.
        stuck: Vec<u32>,
    },
}

/// Finds an order in which the lines of a file can be played.
///
/// A game is a drawing too: the order of its moves and their new dots are passed over. Lines that
/// overlap go together in no order, so they are refused; so is a false claim about the game found.
/// Time and space grow with the number of lines and start dots, and no faster.
pub fn order(text: &str) -> Result<Ordering, Refusal> {
    order_file(json::parse(text)?)
}

pub(crate) fn order_file(file: GameFile) -> Result<Ordering, Refusal> {
    let GameFile { rules, start, content, claims } = file;
    let mut replay = Replay::new(rules, start)?;
    let net = net(&content, rules)?;
    drop(content);
    let order = play_greedily(&mut replay, &net);
    if order.len() == net.len() {
        drop(net);
        return Ok(Ordering::Ordered { game: replay.end(&claims)?, order });
    }
    let mut stuck = vec![true; net.len()];
    order.iter().for_each(|&index| stuck[index as usize] = false);
    let stuck = (0..).zip(stuck).filter_map(|(index, stuck)| stuck.then_some(index)).collect();
    let playable = u32::try_from(order.len()).expect("a file has at most two million lines");
    Ok(Ordering::Stuck { rules, playable, stuck })
}

/// The lines of the file, or its first line that is none or overlaps one before it.
fn net(content: &Content, rules: Rules) -> Result<Net, Refusal> {
    let lines: Result<Vec<Line>, Fault> =
        written(content).map(|line| line.meaning(rules)).collect();
    let net = lines.ok().and_then(|lines| Net::new(lines, rules));
    net.ok_or_else(|| first_fault(content, rules))
}

/// The fault of a file that makes no net: the first in the order of the file.
fn first_fault(content: &Content, rules: Rules) -> Refusal {
    let place = match content {
        Content::Moves(_) => Place::Move,
        Content::Lines(_) => Place::Line,
    };
    let mut board = Board::empty(rules);
    let mut lines: Vec<Line> = Vec::new();
    for (number, line) in (1..).zip(written(content)) {
        let drawn = line.meaning(rules).and_then(|line| {
            let overlap = |at| {
                let with = game::user_of(at, line, rules, lines.iter().copied());
                Fault::Overlap { with: place(with), at }
            };
            board.draw(line).map(|()| line).map_err(overlap)
        });
        match drawn {
            Ok(line) => lines.push(line),
            Err(fault) => return Refusal::new(place(number), fault),
        }
    }
    unreachable!("lines that are all good and apart make a net")
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
/// A line can be drawn when exactly one of its dots is not there. When several lines wait for the
/// same last dot, one of them takes it and the others are stuck for good: which one is a matter of
/// choice, here the first in the file. How many lines are drawn in the end is not. Any two runs
/// leave the same dots: take the first dot of one run that is not a dot of the other. The line that
/// brought it has its other dots from before, so they are dots of the other run too, where the line
/// has this one gap left and could still be drawn. And each line drawn brings one dot. So if some
/// order draws all lines, every order does.
fn play_greedily(replay: &mut Replay, net: &Net) -> Vec<u32> {
    let rules = replay.board().rules();
    let gap_count = |line| rules.dots(line).filter(|&dot| !replay.board().has(dot)).count();
    let mut gaps: Vec<u8> = net.lines().map(|line| gap_count(line) as u8).collect();

    let mut order = Vec::new();
    let mut drawable = Vec::new();
    for number in 0..net.len() {
        drawable.push(number);
        // What a new dot makes drawable is drawn next, while it is near in memory.
        while let Some(number) = drawable.pop() {
            if gaps[number] != 1 {
                continue;
            }
            let is_gap = |&dot: &Point| !replay.board().has(dot);
            let new = rules.dots(net.line(number)).find(is_gap).expect("one gap is counted");
            let mut first = number;
            net.lines_through(new, rules, |through| {
                if gaps[through] == 1 && net.index(through) < net.index(first) {
                    first = through;
                }
                gaps[through] -= 1;
                if gaps[through] == 1 {
                    drawable.push(through);
                }
            });
            let mv = Move { new, line: net.line(first) };
            replay.play(mv).expect("a line with one gap that overlaps no other");
            order.push(net.index(first));
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered(rules: &str, start: &str, content: &str) -> Result<Ordering, Refusal> {
        let head = format!(r#""format":"morpion-game/1","rules":"{rules}","start":{start}"#);
        order(&format!("{{{head},{content}}}"))
    }

    fn stuck(ordering: Result<Ordering, Refusal>) -> Option<(u32, Vec<u32>)> {
        match ordering {
            Ok(Ordering::Stuck { playable, stuck, .. }) => Some((playable, stuck)),
            _ => None,
        }
    }

    #[test]
    fn a_line_that_needs_another_is_drawn_after_it() {
        let lines = r#""lines":[[[2,0],"S"],[[0,0],"E"]],"score":2"#;
        let Ok(Ordering::Ordered { game, order }) = ordered("3D", "[[0,0],[1,0],[2,1]]", lines)
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
    fn the_order_and_the_new_dots_of_a_game_are_passed_over() {
        let moves =
            r#""moves":[{"new":[7,7],"line":[[2,0],"S"]},{"new":[0,0],"line":[[0,0],"E"]}]"#;
        let Ok(Ordering::Ordered { order, .. }) = ordered("3D", "[[0,0],[1,0],[2,1]]", moves)
        else {
            panic!("an order exists")
        };
        assert_eq!(order, [1, 0]);
    }

    #[test]
    fn the_claims_of_a_drawing_are_checked() {
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
