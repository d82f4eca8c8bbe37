//! The gadgets for lines of 4, and the pieces of the tile that their layout repeats.
//!
//! `x,y D hh` is a row of four points from (x,y) on, `hh` its holes counted from 0, the other
//! points dots. D is `E` (right), `S` (down), `\` (right and down) or `/` (right and up); y grows
//! down. With two holes a row carries truth by 3 (`03`), 2 (`02`, `13`) or 1 (`01`, `12`, `23`)
//! points; a row `12` cannot be filled backwards. A wire turns by 90 degrees at every node, but for
//! single straight units. Three rows meet where the third has its hole inside, so that no two dots
//! beside the node are in line with it.

use geometry::{Direction, Line, Point};

use super::{ALL_WAYS, BOTH_WAYS, Gadget, points};
use crate::row::Row;

/// From one clause to the next on its right.
pub(crate) const ACROSS: i32 = 38;
/// From one literal down to the next.
pub(crate) const DOWN: i32 = 46;

/// A rail comes in from the tile on the left, to the branch.
pub(crate) const RAIL_IN: &str = r"0,-2S02 -3,-5\03";
/// From the branch to the tile on the right.
pub(crate) const RAIL_ON: &str = r"-1,0E13 2,0\03 5,3E03 7,4/13 10,-2S03 10,-2/02 12,-4\03 15,-1E03
    18,-1/03 21,-4\03 24,-1E03 27,-1/03 30,-4\02 32,-2/03";
/// A column from the tile above to the joint.
pub(crate) const COLUMN_IN: &str = r"17,-13\03 20,-10S03 17,-4/03 17,-4\03 20,-1S02 17,4/03 17,4\03
    17,10/03 17,10S03 17,13\03 20,16E03 23,16\03 26,19S03 26,22\01 24,26/03 21,26E13";
/// From the joint to the tile below.
pub(crate) const COLUMN_ON: &str = r"22,25S13 19,31/03 19,31\01 17,32E13 15,35/23";
/// A tap from the branch to both sides of an AND row,
pub(crate) const TAP_LITERAL: &str = r"-3,3/03 -3,3\03 0,3S13 -2,6/02 -5,6E13 -6,4\23 -6,10/03
    -6,10\03 -3,13E02 -1,12S13 -1,15\03 -1,13/03 2,10\03 4,13E13 6,14/01 -1,21/03 -1,20S13 -1,23\02
    6,22\01 3,22E13 1,25/03 7,19\02 7,19/02 6,14\03";
/// the AND row,
pub(crate) const TAP_AND: &str = r"6,24/013";
/// and the way from it to the joint.
pub(crate) const TAP_CLAUSE: &str = r"6,24S03 6,27\03 9,30E03 12,30/03 14,27E13 14,24\23 19,23\03
    16,26/03";
/// From the top of a column to its checker.
pub(crate) const TOP: &str = r"17,-13/03 20,-19S13";
/// A checker: the AND row,
pub(crate) const CHECKER_AND: &str = r"20,-28\013";
/// the way from the checker before,
pub(crate) const CHECKER_BEFORE: &str = r"15,-29\03 17,-26E13 20,-26/01";
/// from the column,
pub(crate) const CHECKER_CLAUSE: &str = r"20,-18/03 21,-23\02 21,-23/02";
/// and the way out.
pub(crate) const CHECKER_ALL: &str = r"20,-31S03 20,-31/03";
/// The AND row of the first checker: a dot in place of the checker before.
pub(crate) const FIRST_AND: &str = r"20,-28\03";
/// From a checker to the next.
pub(crate) const CHAIN: &str = r"23,-34\03 26,-31/03 29,-34\03 32,-31E03 35,-31\03 38,-28/03
    41,-31\03 43,-27/13 46,-30\03 48,-27E13 51,-27/02";
/// The two lines of a variable, true and false, left of the rail of the positive literal.
pub(crate) const CHOICE: &str = r"-9,23S0 -9,24S3";
/// From the true end up to the rail of the variable.
pub(crate) const YES: &str = r"-11,21\02 -12,22/13 -12,16\03 -12,16/03 -12,10\03 -12,7S03 -12,7/03
    -12,1\03 -12,1/03 -9,-2E03 -6,-2/03";
/// From the false end down to the rail of its negation.
pub(crate) const NO: &str = r"-12,30/03 -12,30S02 -12,32\03 -9,35E03 -6,35\03 -3,38S03";

/// Where a rail ends: the branch of its last tile.
pub(crate) const BRANCH: Point = Point::new(0, 0);
/// Where a tap meets its column.
pub(crate) const JOINT: Point = Point::new(22, 26);
/// Where a column meets its checker.
pub(crate) const CHECKED: Point = Point::new(20, -18);
/// The way out of a checker.
pub(crate) const OUT: Point = Point::new(23, -34);

/// The rows of a piece.
///
/// # Panics
/// If the notation is broken.
pub(crate) fn rows(piece: &str) -> impl Iterator<Item = Row> {
    piece.split_whitespace().map(|row| read(row).expect("rows are written as in this file"))
}

fn read(text: &str) -> Option<Row> {
    let (at, direction) = text.char_indices().find(|(_, c)| r"ES\/".contains(*c))?;
    let (x, y) = text[..at].split_once(',')?;
    let direction = match direction {
        'E' => Direction::East,
        'S' => Direction::South,
        '\\' => Direction::SouthEast,
        _ => Direction::NorthEast,
    };
    let start = Line::new(Point::new(x.parse().ok()?, y.parse().ok()?), direction);
    let holes = text[at + 1..].chars().map(|c| c.to_digit(4).map(|digit| digit as usize));
    let holes: Vec<usize> = holes.collect::<Option<_>>()?;
    let (from, to) = (start.point(0), start.point(3));
    Some(Row::between((from.x, from.y), (to.x, to.y), &holes))
}

fn all(pieces: &[&str]) -> Vec<Row> {
    pieces.iter().flat_map(|piece| rows(piece)).collect()
}

/// Three tiles of one clause, one below the other, with a tap in each.
fn clause() -> Vec<Row> {
    let lowered = |row: Row, number: i32| row.lowered(DOWN * number);
    let tiles = (0..3).flat_map(|number| {
        let on = if number < 2 { COLUMN_ON } else { "" };
        let pieces = [TAP_LITERAL, TAP_AND, TAP_CLAUSE, COLUMN_IN, on];
        all(&pieces).into_iter().map(move |row| lowered(row, number))
    });
    tiles.collect()
}

/// The gadgets for lines of 4, from one wire to a whole clause.
pub(super) fn gadgets() -> Vec<Gadget> {
    let both_ways = |name, about, row: &'static str, end| Gadget {
        name,
        about,
        rows: all(&[row]),
        ports: points(&[('a', (0, 0)), ('b', end)]),
        driven: "ab",
        relation: BOTH_WAYS,
        ..Gadget::default()
    };
    vec![
        both_ways(
            "wire",
            "two dots between two holes, repeated: a dot at one end brings one to the other",
            r"0,0/03 3,-3\03 6,0/03",
            (9, -3),
        ),
        both_ways("turn", "a wire round a corner", r"0,0/03 3,-3\03 3,3/03 3,3\03", (6, 6)),
        both_ways(
            "straight",
            "one straight unit in a wire; two in a row would fire by themselves",
            r"0,0/03 3,-3E03 6,-3\03 9,0/03",
            (12, -3),
        ),
        Gadget {
            name: "variable",
            about: "three dots in a row: the line goes on at one end or the other, never both",
            rows: all(&[r"0,0\0 1,1\3"]),
            ports: points(&[('T', (0, 0)), ('F', (4, 4))]),
            choice: "TF",
            ..Gadget::default()
        },
        Gadget {
            name: "variable, both rails",
            about: "a variable with the ways to the rails of its two literals",
            rows: all(&[CHOICE, YES, NO]),
            ports: points(&[('T', (-3, -5)), ('F', (-3, 41))]),
            choice: "TF",
            ..Gadget::default()
        },
        both_ways(
            "shift",
            "a row `..oo` in a wire: two points less",
            r"0,0/03 3,-3E01 4,-3\03 7,0/03",
            (10, -3),
        ),
        both_ways(
            "shift by one",
            "a row `.o.o` in a wire: one point less",
            r"0,0/03 3,-3E02 5,-3\03 8,0/03",
            (11, -3),
        ),
        both_ways(
            "shift, inner",
            "a row `o..o` in a wire: two points less, and no way back to fill",
            r"0,0/03 2,-3E12 4,-3\03 7,0/03",
            (10, -3),
        ),
        Gadget {
            name: "split",
            about: "three wires meet: a dot on one brings one to the others",
            rows: all(&[RAIL_IN, r"-1,0E13 2,0\03 -3,3/03 -3,3\03", r"-6,-2/03 5,3/03 -3,9/03"]),
            ports: points(&[('a', (-6, -2)), ('b', (8, 0)), ('c', (-3, 9))]),
            driven: "abc",
            relation: ALL_WAYS,
            ..Gadget::default()
        },
        Gadget {
            name: "and",
            about: "three holes in a row, each with a wire: two of them fill the third",
            rows: all(&[
                r"0,0\013",
                r"0,-3S03 0,-3/03",
                r"0,2/01 -3,2E13 -5,-1\03",
                r"1,5/02 1,5\02 0,10/03",
            ]),
            ports: points(&[('A', (3, -6)), ('B', (-5, -1)), ('C', (0, 10))]),
            driven: "ABC",
            relation: &[("AB", "C"), ("AC", "B"), ("BC", "A")],
            ..Gadget::default()
        },
        Gadget {
            name: "one-way",
            about: "the way in is split in two that fill a row together; the way back has only \
                    one of them",
            rows: all(&[
                r"-6,10\03 -3,13E02 -1,12S13 -1,15\03 -1,13/03 2,10\03 4,13E13 6,14/01 -1,21/03",
                r"-1,20S13 -1,23\02 6,22\01 3,22E13 1,25/03 7,19\02 7,19/02 6,14\03",
                TAP_AND,
                r"6,24S03 6,27\03",
            ]),
            ports: points(&[('i', (-6, 10)), ('o', (9, 30))]),
            driven: "io",
            relation: &[("i", "o")],
            ..Gadget::default()
        },
        Gadget {
            name: "checker",
            about: "goes on if the clauses before and this clause are satisfied",
            rows: all(&[CHECKER_AND, CHECKER_BEFORE, CHECKER_CLAUSE, CHECKER_ALL]),
            ports: points(&[('n', (15, -29)), ('c', (20, -18)), ('o', (23, -34))]),
            driven: "nco",
            relation: &[("nc", "o"), ("no", "c"), ("co", "n")],
            ..Gadget::default()
        },
        Gadget {
            name: "first checker",
            about: "goes on if the first clause is satisfied",
            rows: all(&[FIRST_AND, CHECKER_CLAUSE, CHECKER_ALL]),
            ports: points(&[('c', (20, -18)), ('o', (23, -34))]),
            driven: "co",
            relation: &[("c", "o"), ("o", "c")],
            ..Gadget::default()
        },
        Gadget {
            name: "crossover",
            about: "two wires cross and share one dot, which is there from the start",
            rows: all(&[
                r"0,-9\03 3,-6S03 0,0/03 0,0\03 3,3S02 0,8/03",
                r"-5,0\03 -2,3E03 1,3/03 4,0\03 7,3E03 10,3/03",
            ]),
            ports: points(&[('a', (-5, 0)), ('b', (13, 0)), ('c', (0, -9)), ('d', (0, 8))]),
            driven: "abcd",
            relation: &[("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")],
            ..Gadget::default()
        },
        Gadget {
            name: "tap",
            about: "a branch of a rail, a one-way gadget and a way out to the column",
            rows: all(&[TAP_LITERAL, TAP_AND, TAP_CLAUSE]),
            ports: points(&[('i', (0, 0)), ('o', (22, 26))]),
            driven: "io",
            relation: &[("i", "o")],
            ..Gadget::default()
        },
        Gadget {
            name: "tap, joined",
            about: "a tap between its rail and its column: the column never fills the rail",
            rows: all(&[
                RAIL_IN,
                r"-1,0E13 2,0\03",
                TAP_LITERAL,
                TAP_AND,
                TAP_CLAUSE,
                r"24,26/03 21,26E13",
                r"22,25S13 19,31/03",
            ]),
            ports: points(&[('i', (-3, -5)), ('r', (5, 3)), ('u', (27, 23)), ('d', (19, 31))]),
            driven: "iu",
            relation: &[("i", "rud"), ("u", "d")],
            ..Gadget::default()
        },
        Gadget {
            name: "clause",
            about: "three taps on one column: one literal is enough, and no literal fills another",
            rows: clause(),
            ports: points(&[('a', (0, 0)), ('b', (0, 46)), ('c', (0, 92)), ('o', (17, -13))]),
            driven: "abc",
            relation: &[("a", "o"), ("b", "o"), ("c", "o")],
            method: super::Verification::Closure,
            ..Gadget::default()
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_are_written() {
        let row = read(r"-5,6E13").expect("a row");
        assert_eq!(row, Row::between((-5, 6), (-2, 6), &[1, 3]));
        assert_eq!(read(r"1,5/02"), Some(Row::between((1, 5), (4, 2), &[0, 2])));
        for broken in ["", "1,2", "1E03", "1,2E4", "1,yS0", "1,2X03"] {
            assert_eq!(read(broken), None, "{broken}");
        }
    }
}
