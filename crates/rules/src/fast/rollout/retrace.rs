//! Fast games by a policy, played again by their lines.

use geometry::Line;

use super::super::rows::FIRST_DOT;
use super::super::{Code, Layout};
use super::{DOTS, FastRollout, LINES, Rows};
use crate::{Board, Retrace};

impl<const LENGTH: usize, const TOUCHING: bool> FastRollout<LENGTH, TOUCHING> {
    fn number(&self, line: Line) -> Option<u32> {
        let layout = Layout::around(&self.board.game().start).expect("the cross fits");
        layout.id(line, LENGTH)
    }
}

impl<const LENGTH: usize, const TOUCHING: bool> Retrace for FastRollout<LENGTH, TOUCHING> {
    fn line(&self, number: u32) -> Line {
        let dot = FIRST_DOT[number as usize];
        self.board.decode(Code::new(number, dot.into())).line
    }

    fn numbers_anyway(&mut self, lines: &[Line]) -> Option<Vec<u32>> {
        lines.iter().map(|&line| self.number(line)).collect()
    }

    fn drawn(&self) -> impl Iterator<Item = u32> {
        self.made[..self.count].iter().map(|&(line, _)| line.into())
    }

    fn retrace(&mut self, lines: &[Line], longest: usize) -> Option<usize> {
        self.count = 0;
        if lines.len() > longest {
            return None;
        }
        self.rows.words = self.start.words;
        let mut all = 0;
        for code in self.board.legal() {
            self.born[all] = code.line() as u16;
            all += 1;
        }
        for (count, &line) in lines.iter().enumerate() {
            self.before[count & (DOTS - 1)] = all as u16;
            // Unlike lines of the queue, these may lack any number of dots.
            let line = self.number(line)? as u16;
            let seen = self.rows.from(line) & Rows::<LENGTH, TOUCHING>::DECIDES;
            if !self.rows.is_playable(line) || seen.count_ones() != LENGTH as u32 - 1 {
                return None;
            }
            let (dot, mut fresh) = self.rows.play(line);
            self.made[count & (DOTS - 1)] = (line, dot);
            while fresh.mask != 0 {
                self.born[all & (LINES - 1)] = fresh.take();
                all += 1;
            }
        }
        self.before[lines.len() & (DOTS - 1)] = all as u16;
        self.count = lines.len();
        Some(self.count)
    }

    fn copy_to(&self, other: &mut Self) {
        let count = self.count;
        let all = usize::from(self.before[count]);
        other.count = count;
        other.made[..count].copy_from_slice(&self.made[..count]);
        other.before[..=count].copy_from_slice(&self.before[..=count]);
        other.born[..all].copy_from_slice(&self.born[..all]);
    }
}
