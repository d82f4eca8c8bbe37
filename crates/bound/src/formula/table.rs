//! Section 3 of the paper as a table, as published in 2006.

/// What the paper says about the game from the cross for one k and one kind of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedRow {
    /// One less than the length of a line.
    pub k: usize,
    /// Whether lines may touch.
    pub touching: bool,
    /// The best game of 2006 and the upper bound; `None` where play can be endless.
    pub range: Option<(u32, u32)>,
}

const fn row(k: usize, touching: bool, range: Option<(u32, u32)>) -> PublishedRow {
    PublishedRow { k, touching, range }
}

/// All k from 1 to 8, disjoint and touching.
pub const TABLE: [PublishedRow; 16] = [
    row(1, false, None),
    row(1, true, None),
    row(2, false, None),
    row(2, true, None),
    row(3, false, Some((31, 48))),
    row(3, true, Some((56, 192))),
    row(4, false, Some((68, 141))),
    row(4, true, Some((170, 704))),
    row(5, false, Some((12, 12))),
    row(5, true, Some((12, 12))),
    row(6, false, Some((12, 12))),
    row(6, true, Some((12, 12))),
    row(7, false, Some((12, 12))),
    row(7, true, Some((12, 12))),
    row(8, false, Some((12, 12))),
    row(8, true, Some((12, 12))),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula;
    use geometry::{Game, Rules};

    #[test]
    fn the_formulas_give_the_table_or_say_what_is_printed() {
        for PublishedRow { k, touching, range } in TABLE {
            let rules = Rules::new(k + 1, touching).expect("in range");
            let best = formula::best(&Game::from_cross(rules));
            let published = best.map(|best| {
                best.published.map_or(best.bound, |published| published.bound.unsigned_abs())
            });
            assert_eq!(published, range.map(|(_, upper)| u64::from(upper)), "{rules}");
        }
    }
}
