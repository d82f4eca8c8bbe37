//! The intended lines of a layout as a net: how a dot at one place brings dots to others.

use std::collections::HashMap;

use geometry::{Move, Point};

use crate::layout::{Atom, Layout};
use crate::row::Row;

/// The holes of a layout and the rows that join them.
pub(crate) struct Wiring<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) holes: Vec<Point>,
    pub(crate) atoms: Vec<Atom>,
    numbers: HashMap<Point, u32>,
    /// The rows through each hole: those of hole i are `through[begins[i]..begins[i + 1]]`.
    begins: Vec<u32>,
    through: Vec<u32>,
}

impl<'a> Wiring<'a> {
    pub(crate) fn new(layout: &'a Layout) -> Self {
        let mut labels: Vec<(Point, Atom)> =
            layout.labels.iter().map(|(&hole, &atom)| (hole, atom)).collect();
        labels.sort_unstable();
        let (holes, atoms): (Vec<Point>, Vec<Atom>) = labels.into_iter().unzip();
        let numbers: HashMap<Point, u32> = holes.iter().copied().zip(0..).collect();
        let mut begins = vec![0; holes.len() + 1];
        let ends = || {
            let rows = (0..).zip(&layout.rows);
            rows.flat_map(|(row, ends)| ends.holes().map(move |hole| (row, hole)))
        };
        for (_, hole) in ends() {
            begins[numbers[&hole] as usize + 1] += 1;
        }
        for hole in 1..begins.len() {
            begins[hole] += begins[hole - 1];
        }
        let mut next = begins.clone();
        let mut through = vec![0; begins[holes.len()] as usize];
        for (row, hole) in ends() {
            let place = &mut next[numbers[&hole] as usize];
            through[*place as usize] = row;
            *place += 1;
        }
        Self { layout, holes, atoms, numbers, begins, through }
    }

    /// A net without any dot in its holes.
    pub(crate) fn dry(&self) -> Flow<'_> {
        Flow { wiring: self, filled: vec![false; self.holes.len()], order: Vec::new() }
    }

    /// The number of a hole.
    fn number(&self, hole: Point) -> u32 {
        self.numbers[&hole]
    }
}

/// Dots in the holes of a net, and the moves that brought them.
pub(crate) struct Flow<'a> {
    wiring: &'a Wiring<'a>,
    filled: Vec<bool>,
    order: Vec<u32>,
}

impl Flow<'_> {
    /// Puts a dot into a hole, and draws every line that it completes, and so on; adds the moves,
    /// without the first dot, to `moves`.
    pub(crate) fn pour(&mut self, hole: Point, moves: &mut Vec<Move>) {
        let first = self.order.len();
        self.fill(self.wiring.number(hole));
        let mut next = first;
        while let Some(&hole) = self.order.get(next) {
            next += 1;
            let [begin, end] = [hole, hole + 1].map(|i| self.wiring.begins[i as usize] as usize);
            for &row in &self.wiring.through[begin..end] {
                let row = self.wiring.layout.rows[row as usize];
                if let Some(last) = self.last_hole(row) {
                    moves.push(row.filling(last));
                    self.fill(self.wiring.number(last));
                }
            }
        }
    }

    /// The only hole of a row without a dot. The choices of a variable are not for the net.
    fn last_hole(&self, row: Row) -> Option<Point> {
        let mut empty = row.holes().filter(|&hole| !self.is_filled(hole));
        let (Some(hole), None) = (empty.next(), empty.next()) else { return None };
        (row.holes().count() > 1).then_some(hole)
    }

    fn fill(&mut self, hole: u32) {
        if !std::mem::replace(&mut self.filled[hole as usize], true) {
            self.order.push(hole);
        }
    }

    /// Whether a hole has a dot.
    pub(crate) fn is_filled(&self, hole: Point) -> bool {
        self.filled[self.wiring.number(hole) as usize]
    }

    /// Takes all dots away again.
    pub(crate) fn dry(&mut self) {
        for hole in self.order.drain(..) {
            self.filled[hole as usize] = false;
        }
    }
}
