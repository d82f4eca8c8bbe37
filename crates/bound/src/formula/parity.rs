//! The parity bound for lines of four dots (3.5).
//!
//! By the parities of x and y the lattice has four classes. A line of four dots holds no point of
//! a class or two of them, so a class without a dot in the start stays without. Let that be the
//! free class. Dots of the opposite class (both parities differ) can then only be on rows and
//! columns, 4 slots; those of the other two classes only on diagonals and, one way, on a row or
//! column, 4 + 2 slots. Every row or column line holds two dots of the opposite and two of another
//! class, every diagonal line four of the other classes.
//!
//! a, b and c count the moves that draw a row or column with a new dot of another class, of the
//! opposite class, and the diagonal ones. The three kinds of slots are never negative, which makes
//! a linear program in a, b, c; its dual solution does not depend on the start, so adding the three
//! inequalities with these factors is a proof.

use geometry::Game;

use super::{BoundFormula, FormulaBound, Fraction, InapplicableReason};

/// One inequality: slots at the start, what a, b and c change, and its factor in eighths.
struct Slots {
    start: i128,
    change: [i128; 3],
    eighths: i128,
}

pub(super) fn bound(game: &Game) -> Result<FormulaBound, InapplicableReason> {
    let length = game.rules.length();
    if length != 4 {
        return Err(InapplicableReason::ParityLength { length });
    }
    let mut counts = [0; 4];
    for dot in game.start.dots() {
        counts[(dot.x & 1 | (dot.y & 1) << 1) as usize] += 1;
    }
    let free =
        counts.iter().position(|&count| count == 0).ok_or(InapplicableReason::ParityStart)?;
    let opposite = counts[free ^ 3];
    let others = game.start.dots().len() as i128 - opposite;
    let rows = slots(game.rules.touching(), opposite, others);
    let eighths: i128 = rows.iter().map(|row| row.eighths * row.start).sum();
    let value = Fraction::new(eighths, 8);

    let parity = |bit: usize| if free & bit == 0 { "even" } else { "odd" };
    let terms = rows.each_ref().map(|row| Fraction::new(row.eighths * row.start, 8).to_string());
    let factors = rows.each_ref().map(|row| Fraction::new(row.eighths, 8).to_string());
    let argument = vec![
        format!(
            "no dot of the start has x {} and y {}, and a line of 4 holds no or two such points: \
            none is ever played",
            parity(1),
            parity(2)
        ),
        format!("slots left: {}", rows.each_ref().map(written).join(", ")),
        format!("these times {}: a + b + c <= {} = {value}", factors.join(", "), terms.join(" + ")),
    ];
    let bound = value.moves();
    Ok(FormulaBound {
        formula: BoundFormula::Parity,
        value,
        bound,
        argument,
        published: None,
        reached: None,
    })
}

/// The three inequalities: rows and columns of the opposite class, those of the others, diagonals.
fn slots(touching: bool, opposite: i128, others: i128) -> [Slots; 3] {
    let row = |start, change, eighths| Slots { start, change, eighths };
    match touching {
        // A line of four takes both slots of all its dots.
        false => [
            row(4 * opposite, [-4, 0, 0], 4),
            row(2 * others, [2 - 4, -4, 2], 2),
            row(4 * others, [4, 0, 4 - 8], 3),
        ],
        // It leaves the outer slots of its ends, which are of different classes.
        true => [
            row(4 * opposite, [-3, 4 - 3, 0], 16),
            row(2 * others, [2 - 3, -3, 2], 8),
            row(4 * others, [4, 0, 4 - 6], 12),
        ],
    }
}

/// An inequality in mathematical notation: `48 - 4a >= 0`.
fn written(row: &Slots) -> String {
    let mut text = row.start.to_string();
    for (change, name) in row.change.into_iter().zip(["a", "b", "c"]) {
        let sign = if change < 0 { '-' } else { '+' };
        match change.abs() {
            0 => {}
            1 => text += &format!(" {sign} {name}"),
            size => text += &format!(" {sign} {size}{name}"),
        }
    }
    text + " >= 0"
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::{Point, Start};

    #[test]
    fn the_factors_prove_the_sum_of_the_moves() {
        for touching in [false, true] {
            let rows = slots(touching, 5, 7);
            for i in 0..3 {
                let sum: i128 = rows.iter().map(|row| row.eighths * row.change[i]).sum();
                assert_eq!(sum, -8, "each kind of move counts once");
            }
        }
    }

    /// The factors are the best there are: a solution of the linear program reaches the bound. (In
    /// the paper the three numbers for 4T are in another order, which is not a solution.)
    #[test]
    fn the_bound_is_the_optimum_of_the_linear_program() {
        let solutions = [(false, [12, 12, 24], 48), (true, [36, 60, 96], 192)];
        for (touching, moves, bound) in solutions {
            for row in slots(touching, 12, 12) {
                let used: i128 = row.change.iter().zip(moves).map(|(c, m)| c * m).sum();
                assert_eq!(row.start + used, 0);
            }
            assert_eq!(moves.iter().sum::<i128>(), bound);
        }
    }

    #[test]
    fn the_bound_is_that_of_the_number_of_dots_wherever_they_lie() {
        let cross = Start::cross(3).expect("a side");
        for shift in [(0, 0), (1, 0), (0, -1), (-3, 5)] {
            let moved = cross.dots().iter().map(|&dot| dot + Point::new(shift.0, shift.1));
            let start = Start::from_dots(moved).expect("few");
            for (name, expected) in [("4D", 48), ("4T", 192)] {
                let game = Game { rules: name.parse().expect("known"), start: start.clone() };
                assert_eq!(bound(&game).expect("applies").bound, expected);
            }
        }
    }

    #[test]
    fn a_start_with_all_parities_is_refused() {
        let dots = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| Point::new(x, y));
        let start = Start::from_dots(dots).expect("few");
        let game = Game { rules: "4D".parse().expect("known"), start };
        assert_eq!(bound(&game), Err(InapplicableReason::ParityStart));
    }

    #[test]
    fn the_argument_is_written_out() {
        let bound = bound(&Game::named("4T").expect("known")).expect("applies");
        assert!(bound.argument[0].contains("x odd and y odd"), "{}", bound.argument[0]);
        let rows = "slots left: 48 - 3a + b >= 0, 24 - a - 3b + 2c >= 0, 48 + 4a - 2c >= 0";
        assert_eq!(bound.argument[1], rows);
        let last = "these times 2, 1, 3/2: a + b + c <= 96 + 24 + 72 = 192";
        assert_eq!(bound.argument[2], last);
    }
}
