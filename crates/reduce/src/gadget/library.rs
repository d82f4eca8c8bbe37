//! The gadgets. x to the right, y down; nodes of wires lie four apart.

use super::Gadget;
use crate::row::Row;

const fn unit(from: (i32, i32), to: (i32, i32)) -> Row {
    Row::unit(from, to)
}

/// Three holes in a row: any two of them fill the third.
const fn and(from: (i32, i32), to: (i32, i32)) -> Row {
    Row::between(from, to, &[0, 2, 4])
}

/// Two holes between dots, `o.o.o`: neither can be filled backwards.
const fn half(from: (i32, i32), to: (i32, i32)) -> Row {
    Row::between(from, to, &[1, 3])
}

/// The two lines through four dots.
const CHOICE: &[Row] = &[Row::between((0, 0), (4, 4), &[0]), Row::between((1, 1), (5, 5), &[LAST])];
const LAST: usize = 4;

pub(crate) const VARIABLE: Gadget = Gadget {
    name: "variable",
    about: "four dots in a row: the line goes on at one end or at the other, never at both",
    rows: CHOICE,
    ports: &[('T', (0, 0)), ('F', (5, 5))],
    driven: "",
    relation: &[],
    choice: "TF",
};

pub(crate) const SHIFT: Gadget = Gadget {
    name: "shift",
    about: "a row whose holes are three apart brings a wire back to the lattice",
    rows: &[unit((5, 5), (1, 9)), Row::between((1, 9), (5, 13), &[0, 3]), unit((4, 12), (0, 16))],
    ports: &[('a', (5, 5)), ('b', (0, 16))],
    driven: "ab",
    relation: &[("a", "b"), ("b", "a")],
    choice: "",
};

const TAP_ROWS: [Row; 11] = [
    unit((0, 0), (0, 4)),
    unit((0, 4), (4, 4)),
    unit((4, 4), (8, 8)),
    unit((8, 8), (12, 4)),
    unit((12, 4), (12, 8)),
    and((8, 8), (12, 8)),
    unit((10, 8), (10, 12)),
    unit((10, 12), (14, 16)),
    half((13, 16), (17, 16)),
    unit((16, 16), (20, 20)),
    unit((20, 20), (24, 20)),
];

/// The first rows carry the literal, those from the AND on the clause.
pub(crate) const TAP: Gadget = Gadget {
    name: "tap",
    about: "a branch of a rail, a one-way gadget and a way out to the column",
    rows: &TAP_ROWS,
    ports: &[('i', (0, 0)), ('o', (24, 20))],
    driven: "io",
    relation: &[("i", "o")],
    choice: "",
};

pub(crate) const CHECKER: Gadget = Gadget {
    name: "checker",
    about: "goes on if the clauses before and this clause are satisfied",
    rows: &[
        unit((-4, -4), (0, 0)),
        unit((8, 4), (4, 0)),
        and((0, 0), (4, 0)),
        unit((2, 0), (2, -4)),
        half((1, -4), (5, -4)),
        unit((4, -4), (8, 0)),
    ],
    ports: &[('n', (-4, -4)), ('c', (8, 4)), ('o', (8, 0))],
    driven: "nco",
    relation: &[("nc", "o"), ("no", "c"), ("co", "n")],
    choice: "",
};

pub(crate) const FIRST_CHECKER: Gadget = Gadget {
    name: "first checker",
    about: "goes on if the first clause is satisfied",
    rows: &[
        unit((8, 4), (4, 0)),
        Row::between((0, 0), (4, 0), &[2, 4]),
        unit((2, 0), (2, -4)),
        half((1, -4), (5, -4)),
        unit((4, -4), (8, 0)),
    ],
    ports: &[('c', (8, 4)), ('o', (8, 0))],
    driven: "co",
    relation: &[("c", "o"), ("o", "c")],
    choice: "",
};

const BOTH_WAYS: &[(&str, &str)] = &[("a", "b"), ("b", "a")];
const ALL_WAYS: &[(&str, &str)] = &[("a", "bc"), ("b", "ac"), ("c", "ab")];

/// Three taps on one column: at (0,0), (0,24) and (0,48).
const CLAUSE_ROWS: &[Row] = &{
    let mut rows = [TAP_ROWS[0]; 46];
    let mut next = 0;
    while next < 33 {
        let (tap, down) = (TAP_ROWS[next % 11], 24 * (next as i32 / 11));
        rows[next] = tap.lowered(down);
        next += 1;
    }
    while next < 46 {
        let y = 16 + 4 * (next as i32 - 33);
        let (left, right) = if y % 8 == 0 { (20, 24) } else { (24, 20) };
        rows[next] = unit((left, y), (right, y + 4));
        next += 1;
    }
    rows
};

const JOINED_ROWS: &[Row] = &{
    let mut rows = [TAP_ROWS[0]; 15];
    let mut next = 0;
    while next < 11 {
        rows[next] = TAP_ROWS[next];
        next += 1;
    }
    rows[11] = unit((-4, -4), (0, 0));
    rows[12] = unit((0, 0), (4, -4));
    rows[13] = unit((24, 20), (20, 24));
    rows[14] = unit((24, 20), (20, 16));
    rows
};

/// All gadgets, from one wire to a whole clause.
pub const GADGETS: &[Gadget] = &[
    Gadget {
        name: "wire",
        about: "three dots between two holes, again and again: a dot at one end brings one to the other",
        rows: &[unit((0, 0), (4, -4)), unit((4, -4), (8, 0)), unit((8, 0), (12, -4))],
        ports: &[('a', (0, 0)), ('b', (12, -4))],
        driven: "ab",
        relation: BOTH_WAYS,
        choice: "",
    },
    Gadget {
        name: "turn",
        about: "a wire round a corner",
        rows: &[
            unit((0, 0), (4, -4)),
            unit((4, -4), (8, 0)),
            unit((8, 0), (4, 4)),
            unit((4, 4), (8, 8)),
        ],
        ports: &[('a', (0, 0)), ('b', (8, 8))],
        driven: "ab",
        relation: BOTH_WAYS,
        choice: "",
    },
    VARIABLE,
    Gadget {
        name: "variable, driven",
        about: "the same with dots from outside: why a literal needs a one-way gadget at each use",
        driven: "TF",
        ..VARIABLE
    },
    SHIFT,
    Gadget {
        name: "half unit",
        about: "a row o.o.o between two units: it has no way back to fill, and moves a wire by two",
        rows: &[unit((2, -4), (2, 0)), half((1, 0), (5, 0)), unit((4, 0), (8, 4))],
        ports: &[('a', (2, -4)), ('b', (8, 4))],
        driven: "ab",
        relation: BOTH_WAYS,
        choice: "",
    },
    Gadget {
        name: "split",
        about: "three wires meet: a dot on one brings one to the others",
        rows: &[unit((-4, -4), (0, 0)), unit((0, 0), (4, -4)), unit((0, 0), (0, 4))],
        ports: &[('a', (-4, -4)), ('b', (4, -4)), ('c', (0, 4))],
        driven: "abc",
        relation: ALL_WAYS,
        choice: "",
    },
    Gadget {
        name: "join",
        about: "a wire meets a column: the OR of a clause",
        rows: &[unit((-4, 0), (0, 0)), unit((0, 0), (4, -4)), unit((0, 0), (4, 4))],
        ports: &[('a', (-4, 0)), ('b', (4, -4)), ('c', (4, 4))],
        driven: "abc",
        relation: ALL_WAYS,
        choice: "",
    },
    Gadget {
        name: "and",
        about: "three holes in a row: two of them fill the third, one alone does nothing",
        rows: &[and((0, 0), (4, 0))],
        ports: &[('A', (0, 0)), ('B', (4, 0)), ('C', (2, 0))],
        driven: "ABC",
        relation: &[("AB", "C"), ("AC", "B"), ("BC", "A")],
        choice: "",
    },
    Gadget {
        name: "one-way",
        about: "the way in is split in two that fill a row together; the way back has only one of them",
        rows: &[
            unit((-4, -4), (0, 0)),
            unit((0, 0), (4, -4)),
            unit((4, -4), (4, 0)),
            and((0, 0), (4, 0)),
            unit((2, 0), (2, 4)),
        ],
        ports: &[('i', (-4, -4)), ('o', (2, 4))],
        driven: "io",
        relation: &[("i", "o")],
        choice: "",
    },
    CHECKER,
    FIRST_CHECKER,
    Gadget {
        name: "crossover",
        about: "two wires on lattices of different class share the middle dot of a unit",
        rows: &[
            unit((0, 0), (4, -4)),
            unit((4, -4), (8, 0)),
            unit((8, 0), (12, -4)),
            unit((8, 4), (4, 0)),
            unit((4, 0), (8, -4)),
            unit((8, -4), (4, -8)),
        ],
        ports: &[('a', (0, 0)), ('b', (12, -4)), ('c', (8, 4)), ('d', (4, -8))],
        driven: "abcd",
        relation: &[("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")],
        choice: "",
    },
    TAP,
    Gadget {
        name: "tap, joined",
        about: "a tap between its rail and its column: the column never fills the rail",
        rows: JOINED_ROWS,
        ports: &[('i', (-4, -4)), ('r', (4, -4)), ('u', (20, 24)), ('d', (20, 16))],
        driven: "iu",
        relation: &[("i", "rud"), ("u", "d")],
        choice: "",
    },
    Gadget {
        name: "clause",
        about: "three taps on one column: one literal is enough, and no literal fills another",
        rows: CLAUSE_ROWS,
        ports: &[('a', (0, 0)), ('b', (0, 24)), ('c', (0, 48)), ('o', (20, 16))],
        driven: "abc",
        relation: &[("a", "o"), ("b", "o"), ("c", "o")],
        choice: "",
    },
];
