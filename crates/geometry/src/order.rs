//! The order in which a set of moves can be played.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use crate::{Game, Move, Point};

/// An order in which every one of `moves` finds the other dots of its line already there, after the
/// moves `prefix`, which come first and in their own order. `None` if there is none.
///
/// Only dots count here: whether lines overlap is for `rules` to say. The order is that of passing
/// over `moves` again and again and playing whatever can be played, but takes time in proportion to
/// their number (times its logarithm), so the moves may come from anywhere.
#[must_use]
pub fn play_order(
    game: &Game,
    prefix: &[Move],
    moves: impl IntoIterator<Item = Move>,
) -> Option<Vec<Move>> {
    let mut dots: HashSet<Point> = game.start.dots().iter().copied().collect();
    dots.extend(prefix.iter().map(|mv| mv.dot()));
    let moves: Vec<Move> = moves.into_iter().collect();
    let mut waiting: HashMap<Point, Vec<usize>> = HashMap::new();
    let mut missing = vec![0; moves.len()];
    for (index, mv) in moves.iter().enumerate() {
        for dot in mv.line.points(game.rules) {
            if dot != mv.dot() && !dots.contains(&dot) {
                waiting.entry(dot).or_default().push(index);
                missing[index] += 1;
            }
        }
    }
    // By pass, then by place in the list.
    let ready = (0..moves.len()).filter(|&index| missing[index] == 0);
    let mut ready: BinaryHeap<_> = ready.map(|index| Reverse((0, index))).collect();
    let mut order = prefix.to_vec();
    while let Some(Reverse((pass, index))) = ready.pop() {
        order.push(moves[index]);
        for next in waiting.remove(&moves[index].dot()).unwrap_or_default() {
            missing[next] -= 1;
            if missing[next] == 0 {
                ready.push(Reverse((pass + usize::from(next < index), next)));
            }
        }
    }
    (order.len() == prefix.len() + moves.len()).then_some(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Direction, Line};

    /// Each move needs the dot of the one before it.
    fn chain(length: i32) -> Vec<Move> {
        let line = |x| Line::new(Point::new(x, 0), Direction::East);
        (0..length).map(|x| Move::new(line(x), 2)).collect()
    }

    fn game() -> Game {
        let start = crate::Start::from_dots([Point::new(0, 0), Point::new(1, 0)]).expect("dots");
        Game { rules: "3T".parse().expect("known"), start }
    }

    #[test]
    fn moves_come_after_the_dots_they_need() {
        let chain = chain(5);
        let reversed = chain.iter().rev().copied();
        assert_eq!(play_order(&game(), &[], reversed), Some(chain.clone()));
        assert_eq!(play_order(&game(), &chain[..2], chain[2..].to_vec()), Some(chain.clone()));
        assert_eq!(play_order(&game(), &[], chain[1..].to_vec()), None);
    }

    #[test]
    fn the_order_is_that_of_passes_over_the_list() {
        let chain = chain(4);
        let side = Move::new(Line::new(Point::new(0, 0), Direction::South), 1);
        // In the first pass the first two moves of the chain, in the second the others.
        let list = [chain[2], chain[0], chain[1], chain[3]];
        let expected = vec![chain[0], chain[1], chain[2], chain[3]];
        assert_eq!(play_order(&game(), &[], list), Some(expected));
        assert_eq!(play_order(&game(), &[], [side]), None);
    }
}
