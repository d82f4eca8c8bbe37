//! Drawings: lines without an order.
//!
//! Whoever has a finished grid on paper knows the lines, not when each was drawn. It does not
//! matter: drawing whatever can be drawn finds an order if there is one (Demaine, Demaine,
//! Langerman and Langerman 2006, section 4.1).

use crate::board::Board;
use crate::game::{self, VerifiedGame};
use crate::json;
use crate::net::Net;
use crate::read::{Content, GameFile};
use crate::refusal::{Fault, Place, Refusal};
use crate::rules::{Line, Move, Rules};

/// What becomes of a drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
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
    let mut board =
        Board::new(rules, &start.dots(rules)).map_err(|dot| Fault::DuplicateDot { dot })?;
    let lines = draw(&mut board, content)?;
    let Greedy { order, moves } = Greedy::play(board, &lines);

    if order.len() < lines.len() {
        let mut stuck = vec![true; lines.len()];
        order.iter().for_each(|&index| stuck[index as usize] = false);
        let stuck = (0..).zip(stuck).filter_map(|(index, stuck)| stuck.then_some(index)).collect();
        return Ok(Ordering::Stuck { rules, playable: order.len() as u32, stuck });
    }
    drop(lines);
    let game = game::replay(rules, start, moves.into_iter().map(Ok))
        .expect("each move found was legal on the board at its time");
    game::check(&claims, &game)?;
    Ok(Ordering::Ordered { game, order })
}

/// Draws all lines at once, whatever dots there are, to see that no two overlap.
fn draw(board: &mut Board, content: Content) -> Result<Vec<Line>, Refusal> {
    let rules = board.rules();
    match content {
        Content::Moves(moves) => {
            draw_each(board, moves.iter().map(|mv| mv.line.meaning(rules)), Place::Move)
        }
        Content::Lines(lines) => {
            draw_each(board, lines.iter().map(|line| line.meaning(rules)), Place::Line)
        }
    }
}

fn draw_each(
    board: &mut Board,
    written: impl ExactSizeIterator<Item = Result<Line, Fault>>,
    place: fn(u32) -> Place,
) -> Result<Vec<Line>, Refusal> {
    let mut lines: Vec<Line> = Vec::with_capacity(written.len());
    for (number, line) in (1..).zip(written) {
        let refuse = |fault| Refusal::new(place(number), fault);
        let line = line.map_err(refuse)?;
        board.draw(line).map_err(|at| {
            let other = game::user_of(at, line, board.rules(), lines.iter().copied());
            refuse(Fault::Overlap { with: place(other), at })
        })?;
        lines.push(line);
    }
    Ok(lines)
}

/// The lines that were drawn, in this order, and the moves they are.
///
/// A line can be drawn when exactly one of its dots is not there. When two lines wait for the same
/// last dot, the one drawn first takes it and the other is stuck for good: which one is a matter
/// of choice, here the one that comes first in the file. The number of lines drawn is not. Run to
/// the end, any two orders of drawing leave the same dots: take the first dot of the one that is
/// not a dot of the other. The line that brought it has all its other dots from before, so they
/// are dots of the other too, where the line then has this one gap and could still be drawn. And
/// each line drawn brings one dot. So if some order draws all lines, every order does.
#[derive(Debug)]
struct Greedy {
    order: Vec<u32>,
    moves: Vec<Move>,
}

impl Greedy {
    /// Draws what can be drawn. The lines must not overlap.
    fn play(mut board: Board, lines: &[Line]) -> Greedy {
        let rules = board.rules();
        let net = Net::new(lines);
        let mut gaps: Vec<u8> = net
            .lines()
            .map(|line| rules.dots(line).map(|dot| u8::from(!board.has(dot))).sum())
            .collect();

        let mut greedy = Greedy { order: Vec::new(), moves: Vec::new() };
        let mut drawable = Vec::new();
        for number in 0..gaps.len() {
            drawable.push(number);
            // What can be drawn thanks to a line is drawn next, while it is near in memory.
            while let Some(number) = drawable.pop() {
                if gaps[number] != 1 {
                    continue;
                }
                let line = net.line(number);
                let new = rules.dots(line).find(|&dot| !board.has(dot)).expect("one gap");
                board.add(new);
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
                greedy.order.push(net.index(first));
                greedy.moves.push(Move { new, line: net.line(first) });
            }
        }
        greedy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Point;

    fn ordered(rules: &str, start: &str, content: &str) -> Result<Ordering, String> {
        let head = format!(r#""format":"morpion-game/1","rules":"{rules}","start":{start}"#);
        order(&format!("{{{head},{content}}}")).map_err(|refusal| refusal.to_string())
    }

    fn stuck(ordering: Result<Ordering, String>) -> Option<(u32, Vec<u32>)> {
        match ordering {
            Ok(Ordering::Stuck { playable, stuck, .. }) => Some((playable, stuck)),
            _ => None,
        }
    }

    #[test]
    fn a_line_that_needs_another_is_drawn_after_it() {
        let lines = r#""lines":[[[2,0],"S"],[[0,0],"E"]],"score":2"#;
        let Ok(Ordering::Ordered { game, order }) =
            ordered("3D", "[[0,0],[1,0],[2,1]]", lines) else { panic!("an order exists") };
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
        assert_eq!(refusal, "line 3: the line overlaps that of line 2 at (1,0)");
        let twice = r#""lines":[[[0,0],[2,0]],[[2,0],[0,0]]]"#;
        let refusal = ordered("3T", "[]", twice).expect_err("an overlap");
        assert_eq!(refusal, "line 2: the line overlaps that of line 1 at (0,0)");
    }

    #[test]
    fn the_order_and_the_new_dots_of_a_game_are_passed_over() {
        let moves = r#""moves":[{"new":[7,7],"line":[[2,0],"S"]},{"new":[0,0],"line":[[0,0],"E"]}]"#;
        let Ok(Ordering::Ordered { order, .. }) =
            ordered("3D", "[[0,0],[1,0],[2,1]]", moves) else { panic!("an order exists") };
        assert_eq!(order, [1, 0]);
    }

    #[test]
    fn the_claims_of_a_drawing_are_checked() {
        let lines = r#""lines":[[[0,0],"E"]],"score":2"#;
        let refusal = ordered("3D", "[[0,0],[1,0]]", lines).expect_err("a false claim");
        assert_eq!(refusal, "the score is claimed to be 2; it is 1");
    }

    #[test]
    fn an_empty_drawing_is_ordered() {
        assert!(ordered("5T", r#""cross""#, r#""lines":[]"#).is_ok_and(|it| stuck(Ok(it)).is_none()));
    }
}
