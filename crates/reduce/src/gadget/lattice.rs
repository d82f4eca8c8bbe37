//! The gadgets for lines of 5 and more: nodes of wires lie `k` apart, one less than a line has
//! dots.
//!
//! x to the right, y down. For lines of 4 this design fails: the one-way gadget fires by itself,
//! and games run away from where wires cross (`docs/explanation/reduction.md`).

use super::{ALL_WAYS, BOTH_WAYS, Gadget, points};
use crate::row::Row;

/// Where the third hole of an AND row is.
const THIRD: i32 = 2;

fn unit(from: (i32, i32), to: (i32, i32)) -> Row {
    Row::unit(from, to)
}

/// Three holes in a row: any two of them fill the third.
fn and(from: (i32, i32), to: (i32, i32)) -> Row {
    Row::between(from, to, &[0, THIRD as usize, (to.0 - from.0) as usize])
}

/// Two holes between dots, like `o.o.o`: neither can be filled backwards. It leads from the way out
/// of an AND row back to the nodes.
fn half(hole: (i32, i32), length: i32) -> Row {
    let (from, to) = ((hole.0 - 1, hole.1), (hole.0 - 1 + length, hole.1));
    Row::between(from, to, &[1, (1 + length - THIRD) as usize])
}

/// The line of a variable to its one end, and that to the other.
pub(crate) fn variable(k: i32) -> [Row; 2] {
    [Row::between((0, 0), (k, k), &[0]), Row::between((1, 1), (k + 1, k + 1), &[k as usize])]
}

/// From the false end of a variable to the nodes.
pub(crate) fn shift(k: i32) -> [Row; 3] {
    [
        unit((k + 1, k + 1), (1, 2 * k + 1)),
        Row::between((1, 2 * k + 1), (k + 1, 3 * k + 1), &[0, k as usize - 1]),
        unit((k, 3 * k), (0, 4 * k)),
    ]
}

/// From a rail to a column: the first five rows carry the literal, those after the AND the clause.
pub(crate) fn tap(k: i32) -> [Row; 11] {
    [
        unit((0, 0), (0, k)),
        unit((0, k), (k, k)),
        unit((k, k), (2 * k, 2 * k)),
        unit((2 * k, 2 * k), (3 * k, k)),
        unit((3 * k, k), (3 * k, 2 * k)),
        and((2 * k, 2 * k), (3 * k, 2 * k)),
        unit((2 * k + THIRD, 2 * k), (2 * k + THIRD, 3 * k)),
        unit((2 * k + THIRD, 3 * k), (3 * k + THIRD, 4 * k)),
        half((3 * k + THIRD, 4 * k), k),
        unit((4 * k, 4 * k), (5 * k, 5 * k)),
        unit((5 * k, 5 * k), (6 * k, 5 * k)),
    ]
}

/// From the checker before, from the column, the AND of both, and on.
pub(crate) fn checker(k: i32) -> [Row; 6] {
    [
        unit((-k, -k), (0, 0)),
        unit((2 * k, k), (k, 0)),
        and((0, 0), (k, 0)),
        unit((THIRD, 0), (THIRD, -k)),
        half((THIRD, -k), k),
        unit((k, -k), (2 * k, 0)),
    ]
}

/// The same without a checker before: its hole of the AND is a dot.
pub(crate) fn first_checker(k: i32) -> [Row; 5] {
    let [_, column, _, out, half, on] = checker(k);
    [column, Row::between((0, 0), (k, 0), &[THIRD as usize, k as usize]), out, half, on]
}

/// Three taps, each six units below the one before, on one column.
fn clause(k: i32) -> Vec<Row> {
    let taps = (0..3).flat_map(|number| tap(k).map(|row| row.lowered(6 * k * number)));
    let column = (4..17).map(|y| {
        let (left, right) = if y % 2 == 0 { (5, 6) } else { (6, 5) };
        unit((left * k, y * k), (right * k, (y + 1) * k))
    });
    taps.chain(column).collect()
}

/// The gadgets whose nodes lie `k` apart, from one wire to a whole clause.
pub(super) fn gadgets(k: i32) -> Vec<Gadget> {
    let the_variable = Gadget {
        name: "variable",
        about: "dots in a row: the line goes on at one end or at the other, never at both",
        rows: variable(k).to_vec(),
        ports: points(&[('T', (0, 0)), ('F', (k + 1, k + 1))]),
        choice: "TF",
        ..Gadget::default()
    };
    let rail_and_column = [
        unit((-k, -k), (0, 0)),
        unit((0, 0), (k, -k)),
        unit((6 * k, 5 * k), (5 * k, 6 * k)),
        unit((6 * k, 5 * k), (5 * k, 4 * k)),
    ];
    vec![
        Gadget {
            name: "wire",
            about: "dots between two holes, repeated: a dot at one end brings one to the other",
            rows: vec![
                unit((0, 0), (k, -k)),
                unit((k, -k), (2 * k, 0)),
                unit((2 * k, 0), (3 * k, -k)),
            ],
            ports: points(&[('a', (0, 0)), ('b', (3 * k, -k))]),
            driven: "ab",
            relation: BOTH_WAYS,
            ..Gadget::default()
        },
        Gadget {
            name: "turn",
            about: "a wire round a corner",
            rows: vec![
                unit((0, 0), (k, -k)),
                unit((k, -k), (2 * k, 0)),
                unit((2 * k, 0), (k, k)),
                unit((k, k), (2 * k, 2 * k)),
            ],
            ports: points(&[('a', (0, 0)), ('b', (2 * k, 2 * k))]),
            driven: "ab",
            relation: BOTH_WAYS,
            ..Gadget::default()
        },
        the_variable.clone(),
        Gadget {
            name: "variable, driven",
            about: "the same with dots from outside: why a literal needs a one-way gadget at each \
                    use",
            driven: "TF",
            ..the_variable
        },
        Gadget {
            name: "shift",
            about: "a row whose holes are closer by one brings a wire back to the nodes",
            rows: shift(k).to_vec(),
            ports: points(&[('a', (k + 1, k + 1)), ('b', (0, 4 * k))]),
            driven: "ab",
            relation: BOTH_WAYS,
            ..Gadget::default()
        },
        Gadget {
            name: "half unit",
            about: "a row with two holes between dots: it has no way back to fill",
            rows: vec![
                unit((THIRD, -k), (THIRD, 0)),
                half((THIRD, 0), k),
                unit((k, 0), (2 * k, k)),
            ],
            ports: points(&[('a', (THIRD, -k)), ('b', (2 * k, k))]),
            driven: "ab",
            relation: BOTH_WAYS,
            ..Gadget::default()
        },
        Gadget {
            name: "split",
            about: "three wires meet: a dot on one brings one to the others",
            rows: vec![unit((-k, -k), (0, 0)), unit((0, 0), (k, -k)), unit((0, 0), (0, k))],
            ports: points(&[('a', (-k, -k)), ('b', (k, -k)), ('c', (0, k))]),
            driven: "abc",
            relation: ALL_WAYS,
            ..Gadget::default()
        },
        Gadget {
            name: "join",
            about: "a wire meets a column: the OR of a clause",
            rows: vec![unit((-k, 0), (0, 0)), unit((0, 0), (k, -k)), unit((0, 0), (k, k))],
            ports: points(&[('a', (-k, 0)), ('b', (k, -k)), ('c', (k, k))]),
            driven: "abc",
            relation: ALL_WAYS,
            ..Gadget::default()
        },
        Gadget {
            name: "and",
            about: "three holes in a row: two of them fill the third, one alone does nothing",
            rows: vec![and((0, 0), (k, 0))],
            ports: points(&[('A', (0, 0)), ('B', (k, 0)), ('C', (THIRD, 0))]),
            driven: "ABC",
            relation: &[("AB", "C"), ("AC", "B"), ("BC", "A")],
            ..Gadget::default()
        },
        Gadget {
            name: "one-way",
            about: "the way in is split in two that fill a row together; the way back has only \
                    one of them",
            rows: vec![
                unit((-k, -k), (0, 0)),
                unit((0, 0), (k, -k)),
                unit((k, -k), (k, 0)),
                and((0, 0), (k, 0)),
                unit((THIRD, 0), (THIRD, k)),
            ],
            ports: points(&[('i', (-k, -k)), ('o', (THIRD, k))]),
            driven: "io",
            relation: &[("i", "o")],
            ..Gadget::default()
        },
        Gadget {
            name: "checker",
            about: "goes on if the clauses before and this clause are satisfied",
            rows: checker(k).to_vec(),
            ports: points(&[('n', (-k, -k)), ('c', (2 * k, k)), ('o', (2 * k, 0))]),
            driven: "nco",
            relation: &[("nc", "o"), ("no", "c"), ("co", "n")],
            ..Gadget::default()
        },
        Gadget {
            name: "first checker",
            about: "goes on if the first clause is satisfied",
            rows: first_checker(k).to_vec(),
            ports: points(&[('c', (2 * k, k)), ('o', (2 * k, 0))]),
            driven: "co",
            relation: &[("c", "o"), ("o", "c")],
            ..Gadget::default()
        },
        Gadget {
            name: "crossover",
            about: "two wires on nodes of different class cross and do not meet",
            rows: vec![
                unit((0, 0), (k, -k)),
                unit((k, -k), (2 * k, 0)),
                unit((2 * k, 0), (3 * k, -k)),
                unit((2 * k, k), (k, 0)),
                unit((k, 0), (2 * k, -k)),
                unit((2 * k, -k), (k, -2 * k)),
            ],
            ports: points(&[
                ('a', (0, 0)),
                ('b', (3 * k, -k)),
                ('c', (2 * k, k)),
                ('d', (k, -2 * k)),
            ]),
            driven: "abcd",
            relation: &[("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")],
            ..Gadget::default()
        },
        Gadget {
            name: "tap",
            about: "a branch of a rail, a one-way gadget and a way out to the column",
            rows: tap(k).to_vec(),
            ports: points(&[('i', (0, 0)), ('o', (6 * k, 5 * k))]),
            driven: "io",
            relation: &[("i", "o")],
            ..Gadget::default()
        },
        Gadget {
            name: "tap, joined",
            about: "a tap between its rail and its column: the column never fills the rail",
            rows: tap(k).into_iter().chain(rail_and_column).collect(),
            ports: points(&[
                ('i', (-k, -k)),
                ('r', (k, -k)),
                ('u', (5 * k, 6 * k)),
                ('d', (5 * k, 4 * k)),
            ]),
            driven: "iu",
            relation: &[("i", "rud"), ("u", "d")],
            ..Gadget::default()
        },
        Gadget {
            name: "clause",
            about: "three taps on one column: one literal is enough, and no literal fills another",
            rows: clause(k),
            ports: points(&[
                ('a', (0, 0)),
                ('b', (0, 6 * k)),
                ('c', (0, 12 * k)),
                ('o', (5 * k, 4 * k)),
            ]),
            driven: "abc",
            relation: &[("a", "o"), ("b", "o"), ("c", "o")],
            ..Gadget::default()
        },
    ]
}
