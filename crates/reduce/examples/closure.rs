//! The closure of a large pattern, against the format of cells that it had before: one word for
//! each point of the grid, with a bit for each line, which has no room for lines beyond 7 dots.
//!
//! `cargo run --release -p morpion-reduce --example closure [FORMULA [LENGTH]]`: both find the same
//! moves; the ratio of their CPU times is what matters.

#![allow(clippy::print_stdout, reason = "an example prints")]

use std::hint::black_box;

use cpu_time::ProcessTime;
use geometry::{Direction, Point};
use morpion_reduce::closure::Closure;
use morpion_reduce::{Formula, Pattern};

const ROUNDS: usize = 7;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let formula = match arguments.first() {
        Some(file) => std::fs::read(file).expect("a file"),
        None => include_bytes!("../tests/random-20-91.cnf").to_vec(),
    };
    let length: usize = arguments.get(1).map_or(5, |length| length.parse().expect("a length"));
    let formula = Formula::read(&formula).expect("DIMACS");
    let pattern = Pattern::compile(formula, length, 1.0, &mut |_| ()).expect("certified");
    let dots = pattern.start().dots();
    let [mut new, mut old] = [f64::INFINITY; 2];
    for _ in 0..ROUNDS {
        let begin = ProcessTime::now();
        let closure = Closure::new(length, black_box(dots), []).expect("finite");
        new = new.min(begin.elapsed().as_secs_f64());
        if length <= dense::MAX_LENGTH {
            let begin = ProcessTime::now();
            let dense = dense::Closure::new(length, black_box(dots));
            old = old.min(begin.elapsed().as_secs_f64());
            let lines = closure.fillable().map(|point| closure.lines_filling(point).count());
            assert_eq!(dense.count(), (closure.fillable().len(), lines.sum()));
        }
    }
    let (dots, milliseconds) = (dots.len(), 1000.0 * new);
    println!("lines of {length}, {dots} dots: {milliseconds:.1} ms");
    if old.is_finite() {
        let (milliseconds, ratio) = (1000.0 * old, old / new);
        println!("one word for each point: {milliseconds:.1} ms, {ratio:.2} times as long");
    }
}

mod dense {
    use super::{Direction, Point};

    const MARGIN: i32 = 12;
    const DOT: u32 = 1 << 31;
    const WAITING: u32 = 1 << 29;
    const LINES: u32 = (1 << (4 * MAX_LENGTH)) - 1;
    pub(super) const MAX_LENGTH: usize = 7;

    pub(super) struct Closure {
        length: usize,
        cells: Vec<u32>,
        fillable: Vec<u32>,
    }

    impl Closure {
        pub(super) fn new(length: usize, dots: &[Point]) -> Self {
            let edge = MARGIN + length as i32;
            let ends = |of: fn(&Point) -> i32| {
                let ends = (dots.iter().map(of).min(), dots.iter().map(of).max());
                (ends.0.expect("dots") - edge, ends.1.expect("dots") + edge)
            };
            let ((left, right), (top, bottom)) = (ends(|dot| dot.x), ends(|dot| dot.y));
            let (width, height) = (right - left + 1, bottom - top + 1);
            let cells = vec![0; (width * height) as usize];
            let mut closure = Self { length, cells, fillable: Vec::new() };
            let mut waiting = Vec::with_capacity(dots.len());
            for dot in dots {
                let cell = (dot.y - top) * width + dot.x - left;
                closure.cells[cell as usize] |= DOT | WAITING;
                waiting.push(cell as u32);
            }
            let along = Direction::ALL.map(|direction| {
                let step = direction.step();
                (step.x + step.y * width) as isize as usize
            });
            while let Some(cell) = waiting.pop() {
                closure.cells[cell as usize] &= !WAITING;
                for (direction, along) in along.into_iter().enumerate() {
                    for offset in 0..length {
                        let first = (cell as usize).wrapping_sub(offset.wrapping_mul(along));
                        closure.follow(first, direction, along, &mut waiting);
                    }
                }
            }
            closure
        }

        fn follow(&mut self, first: usize, direction: usize, along: usize, waiting: &mut Vec<u32>) {
            let cell = |offset: usize| first.wrapping_add(offset.wrapping_mul(along));
            let mut missing = None;
            for offset in 0..self.length {
                let state = self.cells[cell(offset)];
                let other = others(self.length, direction, offset);
                if state & (DOT | other) == 0 && missing.replace(offset).is_some() {
                    return;
                }
            }
            for offset in 0..self.length {
                let bit = 1 << (direction * MAX_LENGTH + offset);
                let state = self.cells[cell(offset)];
                let can = missing.is_none_or(|missing| missing == offset);
                if !can || state & (DOT | bit) != 0 {
                    continue;
                }
                if state & LINES == 0 {
                    self.fillable.push(cell(offset) as u32);
                }
                if state & WAITING == 0 {
                    waiting.push(cell(offset) as u32);
                }
                self.cells[cell(offset)] |= bit | WAITING;
            }
        }

        /// How many points can be filled, and by how many lines.
        pub(super) fn count(&self) -> (usize, usize) {
            let lines = |&cell: &u32| (self.cells[cell as usize] & LINES).count_ones() as usize;
            (self.fillable.len(), self.fillable.iter().map(lines).sum())
        }
    }

    fn others(length: usize, direction: usize, offset: usize) -> u32 {
        let own = ((1 << MAX_LENGTH) - 1) << (direction * MAX_LENGTH);
        let touching = match offset {
            0 => 1 << (length - 1),
            _ if offset == length - 1 => 1,
            _ => 0,
        };
        LINES & !own | touching << (direction * MAX_LENGTH)
    }
}
