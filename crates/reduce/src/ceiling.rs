//! How many moves a game can have at most, from the lines it can have.
//!
//! Take the lines of one direction in one row of the grid. A line of n dots has n - 1
//! segments, and no two lines of a game share one, touching or disjoint. So if some segments are
//! chosen such that every line has one of them, a game has at most as many lines in this row as
//! segments were chosen. The smallest choice is found from left to right: take the last segment of
//! the first line that has none chosen yet. The lines that take part in it have no segment in
//! common either, so no smaller choice exists. The sum over all rows and directions is the ceiling.
//!
//! A unit of a wire counts once: its line and the two that lead out of it at its ends all have its
//! middle segments.

use geometry::{Line, Point};

use crate::closure::Closure;

/// The most moves of any game that has only moves of this closure.
pub fn ceiling(closure: &Closure) -> usize {
    let lines = closure.fillable().flat_map(|point| closure.lines_filling(point));
    let mut places: Vec<(u8, i32, i32)> = lines.map(place).collect();
    places.sort_unstable();
    let segments = closure.length() as i32 - 1;
    let mut chosen = 0;
    let mut last = None;
    for (direction, row, first) in places {
        let has_it = last.is_some_and(|(d, r, segment)| {
            d == direction && r == row && (first..first + segments).contains(&segment)
        });
        if !has_it {
            chosen += 1;
            last = Some((direction, row, first + segments - 1));
        }
    }
    chosen
}

/// A line by its direction, its row among those of that direction, and its place in the row.
fn place(line: Line) -> (u8, i32, i32) {
    let (Point { x, y }, step) = (line.start, line.direction.step());
    let row = if step.x == 0 { x } else { y - x * step.y };
    (line.direction as u8, row, if step.x == 0 { y } else { x })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(xs: &[i32]) -> Vec<Point> {
        xs.iter().map(|&x| Point::new(x, 3)).collect()
    }

    fn ceiling_of(dots: &[Point]) -> usize {
        ceiling(&Closure::new(5, dots, []).expect("finite"))
    }

    #[test]
    fn lines_that_share_a_segment_count_once() {
        assert_eq!(ceiling_of(&row(&[1, 2, 3, 4])), 1);
        assert_eq!(ceiling_of(&row(&[1, 2, 3, 4, 6, 7, 8])), 2);
        assert_eq!(ceiling_of(&row(&[1, 2, 3])), 0);
        let turned: Vec<Point> = (1..5).map(|i| Point::new(i, 10 - i)).collect();
        assert_eq!(ceiling_of(&turned), 1);
        assert_eq!(ceiling_of(&[row(&[1, 2, 3, 4]), turned].concat()), 2);
    }
}
