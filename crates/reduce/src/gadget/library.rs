//! The gadgets. x to the right, y down; nodes of wires lie K apart, one less than a line has dots.
//!
//! The design is the same for lines of 5 and 6. For lines of 4 it fails: the one-way gadget fires by
//! itself, and games run away from where wires cross (`docs/reduction.md`).

use super::Gadget;
use crate::row::Row;

/// The gadgets for lines of this length, from one wire to a whole clause.
pub fn gadgets(length: usize) -> Option<&'static [Gadget]> {
    match length {
        5 => Some(Of::<4>::ALL),
        6 => Some(Of::<5>::ALL),
        _ => None,
    }
}

/// The gadgets that a layout is made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Library {
    /// How many dots a line has.
    pub(crate) length: usize,
    pub(crate) variable: &'static Gadget,
    pub(crate) shift: &'static Gadget,
    /// Its first five rows carry the literal, those after the AND the clause.
    pub(crate) tap: &'static Gadget,
    pub(crate) checker: &'static Gadget,
    pub(crate) first_checker: &'static Gadget,
}

impl Library {
    /// The gadgets for lines of this length.
    pub(crate) fn for_length(length: usize) -> Option<Self> {
        match length {
            5 => Some(Of::<4>::LIBRARY),
            6 => Some(Of::<5>::LIBRARY),
            _ => None,
        }
    }
}

/// The gadgets whose nodes lie K apart.
struct Of<const K: i32>;

const fn unit(from: (i32, i32), to: (i32, i32)) -> Row {
    Row::unit(from, to)
}

/// Where the third hole of an AND row is.
const THIRD: i32 = 2;

/// Three holes in a row: any two of them fill the third.
const fn and(from: (i32, i32), to: (i32, i32)) -> Row {
    Row::between(from, to, &[0, THIRD as usize, (to.0 - from.0) as usize])
}

/// Two holes between dots, like `o.o.o`: neither can be filled backwards. It leads from the way out
/// of an AND row back to the nodes.
const fn half(hole: (i32, i32), length: i32) -> Row {
    let (from, to) = ((hole.0 - 1, hole.1), (hole.0 - 1 + length, hole.1));
    Row::between(from, to, &[1, (1 + length - THIRD) as usize])
}

const BOTH_WAYS: &[(&str, &str)] = &[("a", "b"), ("b", "a")];
const ALL_WAYS: &[(&str, &str)] = &[("a", "bc"), ("b", "ac"), ("c", "ab")];

impl<const K: i32> Of<K> {
    const LIBRARY: Library = Library {
        length: K as usize + 1,
        variable: &Self::VARIABLE,
        shift: &Self::SHIFT,
        tap: &Self::TAP,
        checker: &Self::CHECKER,
        first_checker: &Self::FIRST_CHECKER,
    };

    const VARIABLE: Gadget = Gadget {
        name: "variable",
        about: "dots in a row: the line goes on at one end or at the other, never at both",
        rows: &[
            Row::between((0, 0), (K, K), &[0]),
            Row::between((1, 1), (K + 1, K + 1), &[K as usize]),
        ],
        ports: &[('T', (0, 0)), ('F', (K + 1, K + 1))],
        driven: "",
        relation: &[],
        choice: "TF",
    };

    const SHIFT: Gadget = Gadget {
        name: "shift",
        about: "a row whose holes are closer by one brings a wire back to the nodes",
        rows: &[
            unit((K + 1, K + 1), (1, 2 * K + 1)),
            Row::between((1, 2 * K + 1), (K + 1, 3 * K + 1), &[0, K as usize - 1]),
            unit((K, 3 * K), (0, 4 * K)),
        ],
        ports: &[('a', (K + 1, K + 1)), ('b', (0, 4 * K))],
        driven: "ab",
        relation: BOTH_WAYS,
        choice: "",
    };

    const TAP_ROWS: [Row; 11] = [
        unit((0, 0), (0, K)),
        unit((0, K), (K, K)),
        unit((K, K), (2 * K, 2 * K)),
        unit((2 * K, 2 * K), (3 * K, K)),
        unit((3 * K, K), (3 * K, 2 * K)),
        and((2 * K, 2 * K), (3 * K, 2 * K)),
        unit((2 * K + THIRD, 2 * K), (2 * K + THIRD, 3 * K)),
        unit((2 * K + THIRD, 3 * K), (3 * K + THIRD, 4 * K)),
        half((3 * K + THIRD, 4 * K), K),
        unit((4 * K, 4 * K), (5 * K, 5 * K)),
        unit((5 * K, 5 * K), (6 * K, 5 * K)),
    ];

    const TAP: Gadget = Gadget {
        name: "tap",
        about: "a branch of a rail, a one-way gadget and a way out to the column",
        rows: &Self::TAP_ROWS,
        ports: &[('i', (0, 0)), ('o', (6 * K, 5 * K))],
        driven: "io",
        relation: &[("i", "o")],
        choice: "",
    };

    const CHECKER: Gadget = Gadget {
        name: "checker",
        about: "goes on if the clauses before and this clause are satisfied",
        rows: &[
            unit((-K, -K), (0, 0)),
            unit((2 * K, K), (K, 0)),
            and((0, 0), (K, 0)),
            unit((THIRD, 0), (THIRD, -K)),
            half((THIRD, -K), K),
            unit((K, -K), (2 * K, 0)),
        ],
        ports: &[('n', (-K, -K)), ('c', (2 * K, K)), ('o', (2 * K, 0))],
        driven: "nco",
        relation: &[("nc", "o"), ("no", "c"), ("co", "n")],
        choice: "",
    };

    const FIRST_CHECKER: Gadget = Gadget {
        name: "first checker",
        about: "goes on if the first clause is satisfied",
        rows: &[
            unit((2 * K, K), (K, 0)),
            Row::between((0, 0), (K, 0), &[THIRD as usize, K as usize]),
            unit((THIRD, 0), (THIRD, -K)),
            half((THIRD, -K), K),
            unit((K, -K), (2 * K, 0)),
        ],
        ports: &[('c', (2 * K, K)), ('o', (2 * K, 0))],
        driven: "co",
        relation: &[("c", "o"), ("o", "c")],
        choice: "",
    };

    /// A tap with a piece of its rail and a piece of its column.
    const JOINED_ROWS: [Row; 15] = {
        let mut rows = [Self::TAP_ROWS[0]; 15];
        let mut next = 0;
        while next < 11 {
            rows[next] = Self::TAP_ROWS[next];
            next += 1;
        }
        rows[11] = unit((-K, -K), (0, 0));
        rows[12] = unit((0, 0), (K, -K));
        rows[13] = unit((6 * K, 5 * K), (5 * K, 6 * K));
        rows[14] = unit((6 * K, 5 * K), (5 * K, 4 * K));
        rows
    };

    /// Three taps, each six units below the one before, on one column.
    const CLAUSE_ROWS: [Row; 46] = {
        let mut rows = [Self::TAP_ROWS[0]; 46];
        let mut next = 0;
        while next < 33 {
            rows[next] = Self::TAP_ROWS[next % 11].lowered(6 * K * (next as i32 / 11));
            next += 1;
        }
        while next < 46 {
            let y = 4 + next as i32 - 33;
            let (left, right) = if y % 2 == 0 { (5, 6) } else { (6, 5) };
            rows[next] = unit((left * K, y * K), (right * K, (y + 1) * K));
            next += 1;
        }
        rows
    };

    const ALL: &'static [Gadget] = &[
        Gadget {
            name: "wire",
            about: "dots between two holes, again and again: a dot at one end brings one to the other",
            rows: &[
                unit((0, 0), (K, -K)),
                unit((K, -K), (2 * K, 0)),
                unit((2 * K, 0), (3 * K, -K)),
            ],
            ports: &[('a', (0, 0)), ('b', (3 * K, -K))],
            driven: "ab",
            relation: BOTH_WAYS,
            choice: "",
        },
        Gadget {
            name: "turn",
            about: "a wire round a corner",
            rows: &[
                unit((0, 0), (K, -K)),
                unit((K, -K), (2 * K, 0)),
                unit((2 * K, 0), (K, K)),
                unit((K, K), (2 * K, 2 * K)),
            ],
            ports: &[('a', (0, 0)), ('b', (2 * K, 2 * K))],
            driven: "ab",
            relation: BOTH_WAYS,
            choice: "",
        },
        Self::VARIABLE,
        Gadget {
            name: "variable, driven",
            about: "the same with dots from outside: why a literal needs a one-way gadget at each use",
            driven: "TF",
            ..Self::VARIABLE
        },
        Self::SHIFT,
        Gadget {
            name: "half unit",
            about: "a row with two holes between dots: it has no way back to fill",
            rows: &[unit((THIRD, -K), (THIRD, 0)), half((THIRD, 0), K), unit((K, 0), (2 * K, K))],
            ports: &[('a', (THIRD, -K)), ('b', (2 * K, K))],
            driven: "ab",
            relation: BOTH_WAYS,
            choice: "",
        },
        Gadget {
            name: "split",
            about: "three wires meet: a dot on one brings one to the others",
            rows: &[unit((-K, -K), (0, 0)), unit((0, 0), (K, -K)), unit((0, 0), (0, K))],
            ports: &[('a', (-K, -K)), ('b', (K, -K)), ('c', (0, K))],
            driven: "abc",
            relation: ALL_WAYS,
            choice: "",
        },
        Gadget {
            name: "join",
            about: "a wire meets a column: the OR of a clause",
            rows: &[unit((-K, 0), (0, 0)), unit((0, 0), (K, -K)), unit((0, 0), (K, K))],
            ports: &[('a', (-K, 0)), ('b', (K, -K)), ('c', (K, K))],
            driven: "abc",
            relation: ALL_WAYS,
            choice: "",
        },
        Gadget {
            name: "and",
            about: "three holes in a row: two of them fill the third, one alone does nothing",
            rows: &[and((0, 0), (K, 0))],
            ports: &[('A', (0, 0)), ('B', (K, 0)), ('C', (THIRD, 0))],
            driven: "ABC",
            relation: &[("AB", "C"), ("AC", "B"), ("BC", "A")],
            choice: "",
        },
        Gadget {
            name: "one-way",
            about: "the way in is split in two that fill a row together; the way back has only one of them",
            rows: &[
                unit((-K, -K), (0, 0)),
                unit((0, 0), (K, -K)),
                unit((K, -K), (K, 0)),
                and((0, 0), (K, 0)),
                unit((THIRD, 0), (THIRD, K)),
            ],
            ports: &[('i', (-K, -K)), ('o', (THIRD, K))],
            driven: "io",
            relation: &[("i", "o")],
            choice: "",
        },
        Self::CHECKER,
        Self::FIRST_CHECKER,
        Gadget {
            name: "crossover",
            about: "two wires on nodes of different class cross and do not meet",
            rows: &[
                unit((0, 0), (K, -K)),
                unit((K, -K), (2 * K, 0)),
                unit((2 * K, 0), (3 * K, -K)),
                unit((2 * K, K), (K, 0)),
                unit((K, 0), (2 * K, -K)),
                unit((2 * K, -K), (K, -2 * K)),
            ],
            ports: &[('a', (0, 0)), ('b', (3 * K, -K)), ('c', (2 * K, K)), ('d', (K, -2 * K))],
            driven: "abcd",
            relation: &[("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")],
            choice: "",
        },
        Self::TAP,
        Gadget {
            name: "tap, joined",
            about: "a tap between its rail and its column: the column never fills the rail",
            rows: &Self::JOINED_ROWS,
            ports: &[('i', (-K, -K)), ('r', (K, -K)), ('u', (5 * K, 6 * K)), ('d', (5 * K, 4 * K))],
            driven: "iu",
            relation: &[("i", "rud"), ("u", "d")],
            choice: "",
        },
        Gadget {
            name: "clause",
            about: "three taps on one column: one literal is enough, and no literal fills another",
            rows: &Self::CLAUSE_ROWS,
            ports: &[('a', (0, 0)), ('b', (0, 6 * K)), ('c', (0, 12 * K)), ('o', (5 * K, 4 * K))],
            driven: "abc",
            relation: &[("a", "o"), ("b", "o"), ("c", "o")],
            choice: "",
        },
    ];
}
