//! Caps of 5D positions: how few dots their first rows can have, by the waste in them.
//!
//! A position of n moves has 180 - w dots and waste w = 144 - n. If it has at least twice as many
//! rows as a cap, it has one at the top and one at the bottom, whose dots and waste add up to at
//! most those of the position. [`least_dots`] searches for numbers that leave no room for two caps
//! in a game of more than some number of moves; positions in a small box are left to linear
//! programs on [`boards`]. [`CapsProof`] is both as one file (`morpion-caps/1` of
//! `docs/reference/certificates.md`). Why it is a proof is explained in `verify`, which enumerates
//! the rows on its own.

use std::collections::HashMap;

use geometry::Rules;

use crate::board::{Board, Margins};
use crate::certificate::{Certificate, compressed, write_boards};

/// The best number of rows of a cap: boxes without room for two have at most 17 rows and columns.
pub const ROWS: usize = 9;

/// The rows and columns of the cross.
const CROSS: u32 = 10;

/// The moves of a game without waste.
const WITHOUT_WASTE: u32 = 144;

/// The dots of a position and its waste.
const DOTS_AND_WASTE: u32 = 180;

/// A bound for 5D: caps, and boards for the positions that have no room for two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapsProof {
    /// The rules of the game, which starts from the usual cross.
    pub rules: Rules,
    /// The claimed upper bound.
    pub bound: u32,
    /// The rows of a cap.
    pub rows: usize,
    /// The fewest dots of a cap, by its waste.
    pub least: Vec<u32>,
    /// Certificates with the formulation of lines on the boards.
    pub certificates: Vec<Certificate>,
}

impl CapsProof {
    /// The text of its file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let Self { rules, bound, rows, least, certificates } = self;
        let least: Vec<String> = least.iter().map(u32::to_string).collect();
        let mut text = format!(
            "morpion-caps/1\n{rules}: no game has more than {bound} moves\n\
            rules {rules}\nbound {bound}\nrows {rows}\nleast {}\n",
            least.join(" ")
        );
        write_boards(&mut text, certificates);
        text
    }

    /// The bytes of its file: the text, compressed with gzip.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        compressed(&self.to_text())
    }
}

/// The boxes around the cross that have no room for two caps of this many rows, up to symmetry.
#[must_use]
pub fn boards(rows: usize) -> Vec<Board> {
    let beyond = (2 * rows as u32 - 1).saturating_sub(CROSS);
    let half = beyond.div_ceil(2);
    let sides = (half..=beyond).flat_map(|above| (half..=above).map(move |right| (above, right)));
    let margins = sides.map(|(above, right)| {
        Margins::new([above, right, beyond - above, beyond - right]).expect("caps have few rows")
    });
    margins.map(Board::Box).collect()
}

/// A game has room for two caps, so that they do not bound it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a game of more than {bound} moves has room for two caps of {rows} rows with {dots} dots and \
     waste {one} and {other}"
)]
pub struct CapsError {
    /// The rows of each.
    pub rows: usize,
    /// The moves.
    pub bound: u32,
    /// The waste of one.
    pub one: usize,
    /// The waste of the other.
    pub other: usize,
    /// The fewest dots of both.
    pub dots: u32,
}

/// The fewest dots of caps, by their waste: as many as it takes to leave no room for two in a game
/// of more than `bound` moves.
///
/// A number is raised while another cap needs it, until a cap is found that has no more.
pub fn least_dots(rows: usize, bound: u32) -> Result<Vec<u32>, CapsError> {
    let most = WITHOUT_WASTE.saturating_sub(bound + 1) as usize;
    let mut least = vec![DOTS_AND_WASTE / 4; most + 1];
    let mut exact = vec![false; most + 1];
    loop {
        for (waste, dots) in fewest_dots(rows, &least).into_iter().enumerate() {
            if let Some(dots) = dots {
                // A cap with more waste need have no more dots.
                for waste in waste..=most {
                    if dots < least[waste] || dots == least[waste] && !exact[waste] {
                        (least[waste], exact[waste]) = (dots, true);
                    }
                }
            }
        }
        let mut enough = true;
        let pairs = (0..=most).flat_map(|one| (one..=most - one).map(move |other| (one, other)));
        for (one, other) in pairs {
            let (dots, needed) =
                (least[one] + least[other], DOTS_AND_WASTE + 1 - (one + other) as u32);
            if dots >= needed {
                continue;
            }
            if exact[one] && exact[other] {
                return Err(CapsError { rows, bound, one, other, dots });
            }
            enough = false;
            let raised = if exact[one] { other } else { one };
            let dots = match one == other {
                true => needed.div_ceil(2),
                false => needed - least[one + other - raised],
            };
            for waste in 0..=raised {
                if !exact[waste] {
                    least[waste] = least[waste].max(dots);
                }
            }
        }
        if enough {
            return Ok(least);
        }
    }
}

/// The first rows of a position, except for the number of their dots.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    waste: u16,
    dots: u16,
    /// The runs through the last row that have 1, 2, 3 or 4 dots so far, mod 5; the rest of the
    /// three for each dot have whole fives.
    young: [u16; 4],
    /// The waste of the last row, if its runs started in a narrow one.
    row_waste: u16,
    /// Which of the last five rows are narrow: two bits each, the last row's lowest.
    narrow: u16,
}

/// A row with one dot.
const SINGLE: u16 = 1;
/// A row with five dots next to each other.
const FIVE: u16 = 2;

impl State {
    /// The number of runs that have whole fives.
    fn whole(&self) -> u32 {
        3 * u32::from(self.dots) - self.young.iter().map(|&count| u32::from(count)).sum::<u32>()
    }

    /// The kind of the row in which runs of five started.
    fn origin(&self) -> u16 {
        self.narrow >> 8 & 3
    }

    /// The fewest dots of the next row if `ends` runs end with waste.
    fn next_at_least(&self, ends: u32) -> u32 {
        let origin = self.origin();
        if origin == 0 {
            return 1;
        }
        let dots = u32::from(self.dots);
        let of_long_runs = (0..=u32::from(self.row_waste)).map(|short| {
            let long = dots.saturating_sub(short);
            let both_ends_free = if origin == SINGLE { long == 9 } else { long <= 13 };
            if long < 5 { 0 } else { long + u32::from(!both_ends_free) }
        });
        of_long_runs.min().unwrap_or(0).saturating_sub(ends)
    }
}

/// The fewest dots of a cap with exactly this waste, where it is less than the limit.
fn fewest_dots(rows: usize, limits: &[u32]) -> Vec<Option<u32>> {
    let enumeration = Enumeration { rows, limits };
    let mut states = HashMap::new();
    for dots in 1..limits[0] {
        let young = [3 * dots, 0, 0, 0];
        enumeration.add(&mut states, 1, 0, Row { dots, young, waste: 0, before: 0 });
    }
    for row in 1..rows {
        let mut next = HashMap::new();
        for (state, dots) in &states {
            enumeration.step(&mut next, row, state, *dots);
        }
        states = next;
    }
    let mut fewest = vec![None; limits.len()];
    for (state, dots) in states {
        let best: &mut Option<u32> = &mut fewest[usize::from(state.waste)];
        *best = Some(best.map_or(dots, |best| best.min(dots)));
    }
    fewest
}

/// A row that comes next.
#[derive(Clone, Copy)]
struct Row {
    dots: u32,
    young: [u32; 4],
    /// The waste so far, without that of the row itself.
    waste: usize,
    /// The dots before it.
    before: u32,
}

struct Enumeration<'l> {
    rows: usize,
    limits: &'l [u32],
}

impl Enumeration<'_> {
    fn most_waste(&self) -> usize {
        self.limits.len() - 1
    }

    /// Adds all rows that can follow.
    fn step(&self, next: &mut HashMap<State, u32>, row: usize, state: &State, before: u32) {
        let [one, two, three, four] = state.young.map(u32::from);
        let left = (self.most_waste() - usize::from(state.waste)) as u32;
        let dots_before = u32::from(state.dots);
        for e1 in 0..=one.min(left) {
            for e2 in 0..=two.min((left - e1) / 2) {
                for e3 in 0..=three.min((left - e1 - 2 * e2) / 3) {
                    for e4 in 0..=four.min((left - e1 - 2 * e2 - 3 * e3) / 4) {
                        let ends = e1 + e2 + e3 + e4;
                        let cost = e1 + 2 * e2 + 3 * e3 + 4 * e4;
                        let waste = usize::from(state.waste) + cost as usize;
                        let at_least = state.next_at_least(ends).max(1);
                        for dots in at_least..self.limits[waste].saturating_sub(before) {
                            if 3 * dots_before
                                > most_pairs(dots_before, dots) + ends + state.whole()
                            {
                                continue;
                            }
                            let begun = 3 * dots + ends - (one + two + three + four);
                            let young = [begun, one - e1, two - e2, three - e3];
                            let following = Row { dots, young, waste, before };
                            self.add(next, row + 1, state.narrow, following);
                        }
                    }
                }
            }
        }
    }

    /// Adds a row with every possible waste, unless it leads to no cap below the limits.
    fn add(&self, states: &mut HashMap<State, u32>, row: usize, narrow: u16, next: Row) {
        let Row { dots, young, waste, before } = next;
        let total = before + dots;
        for row_waste in (dots as usize % 5..=dots as usize).step_by(5) {
            let waste = waste + row_waste;
            if waste > self.most_waste() || self.exceeds_limits(row, dots, young, waste, total) {
                break;
            }
            let kind = match (dots, row_waste) {
                (1, _) => SINGLE,
                (5, 0) => FIVE,
                _ => 0,
            };
            // Only rows from which runs of five end before the last row matter.
            let kind = if row + 5 <= self.rows { kind } else { 0 };
            let narrow = (narrow << 2 | kind) & 0x3ff;
            let short = |number: u32| u16::try_from(number).expect("a row has few dots");
            let mut state = State {
                waste: waste as u16,
                dots: short(dots),
                young: young.map(short),
                row_waste: row_waste as u16,
                narrow,
            };
            if state.origin() == 0 {
                state.row_waste = 0;
            }
            let fewest = states.entry(state).or_insert(total);
            *fewest = total.min(*fewest);
        }
    }

    /// Whether everything that can follow has too many dots. Before row 5 every end costs waste;
    /// later only runs that are old enough end without waste, and a row loses at most one dot for
    /// three ends.
    fn exceeds_limits(
        &self,
        row: usize,
        dots: u32,
        young: [u32; 4],
        waste: usize,
        total: u32,
    ) -> bool {
        let left = (self.most_waste() - waste) as u32;
        let whole = 3 * dots - young.iter().sum::<u32>();
        let old = [whole, young[3], young[2], young[1], young[0]];
        let (mut fewest, mut ends) = (total, left);
        for (step, later) in (row + 1..=self.rows).enumerate() {
            let mut at_least = 1;
            if let Some(count) = old.get(step) {
                ends += count;
                at_least = dots.saturating_sub(ends / 3).max(1);
            }
            if later <= 5 {
                at_least = at_least.max((dots + 2 * (step as u32 + 1)).saturating_sub(left));
            }
            fewest += at_least;
        }
        fewest >= self.limits[waste]
    }
}

/// The maximum number of neighbours, straight or diagonal, between two rows of these sizes.
fn most_pairs(upper: u32, lower: u32) -> u32 {
    let all = 3 * upper.min(lower);
    all - 2u32.saturating_sub(upper.abs_diff(lower))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caps_without_waste_grow_by_five_in_each_row() {
        for rows in 1..=5 {
            let dots = (5 * rows * (rows + 1) / 2) as u32;
            assert_eq!(fewest_dots(rows, &[dots + 1]), [Some(dots)]);
        }
    }

    #[test]
    fn the_least_numbers_leave_no_room() {
        let least = least_dots(ROWS, 133).expect("there are some");
        assert_eq!(least.len(), 11);
        assert!(least.is_sorted_by(|one, next| one >= next));
        for one in 0..=10 {
            for other in 0..=10 - one {
                assert!(least[one] + least[other] + (one + other) as u32 > 180);
            }
        }
        let fit = least_dots(ROWS, 132).expect_err("too little waste");
        assert!(fit.to_string().contains("room"), "{fit}");
    }

    #[test]
    fn the_boards_are_the_boxes_without_room() {
        let names: Vec<String> = boards(9).iter().map(Board::to_string).collect();
        assert_eq!(names.len(), 10);
        assert_eq!((&names[0][..], &names[9][..]), ("box:4,4,3,3", "box:7,7,0,0"));
    }
}
