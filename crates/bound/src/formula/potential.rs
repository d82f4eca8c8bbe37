//! The potential bound (3.1): slots run out.
//!
//! Every dot has eight slots, one on each side. A move adds a dot with eight. In the disjoint game
//! its line takes both slots of each of its k + 1 dots in its direction, for no other line of that
//! direction may come there; in the touching game it leaves the outer slots of its two ends. Before
//! the last move the k old dots of its line had theirs free. With the new dot at an end these are
//! 2k slots (disjoint) or 2k - 1 (touching); with the new dot inside a touching line both ends
//! are old and 2k - 2 suffice. The paper counts 2k - 1 for all touching moves.

use geometry::Game;

use super::{BoundFormula, FormulaBound, Fraction, InapplicableReason, PublishedBound};

pub(super) fn bound(game: &Game) -> Result<FormulaBound, InapplicableReason> {
    let k = game.rules.length() as i128 - 1;
    let dots = game.start.dots().len() as i128;
    let touching = game.rules.touching();
    let (taken, last) = match touching {
        true => (2 * k, 2 * k - 2),
        false => (2 * (k + 1), 2 * k),
    };
    let lost = taken - 8;
    if lost <= 0 {
        return Err(InapplicableReason::PotentialStays { least: if touching { 6 } else { 5 } });
    }
    let value = Fraction::new(lost + 8 * dots - last, lost);
    let argument = vec![
        format!("{dots} dots have 8 slots each; a move adds 8 and its line takes {taken}"),
        format!("the last of m moves needs {last}: {} - {lost}(m - 1) >= {last}", 8 * dots),
        format!("m <= 1 + ({} - {last})/{lost} = {value}", 8 * dots),
    ];
    let bound = value.moves();
    let in_paper = Fraction::new(lost + 8 * dots - (2 * k - 1), lost).floor() as i64;
    let published = (touching && in_paper.max(0) != bound as i64).then_some(PublishedBound {
        bound: in_paper,
        reason: "the paper has the last touching line need 2k - 1 slots, which is so only if its \
            new dot is an end; inside, 2k - 2 suffice",
    });
    Ok(FormulaBound {
        formula: BoundFormula::Potential,
        value,
        bound,
        argument,
        published,
        reached: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::{Point, Start};

    #[test]
    fn touching_lines_may_end_with_one_slot_less_than_published() {
        let bound = bound(&Game::named("6T").expect("known")).expect("applies");
        assert_eq!((bound.bound, bound.published.map(|it| it.bound)), (189, Some(188)));
    }

    /// Five dots around a gap in a row: two slots of the ends and two of each other dot are enough.
    #[test]
    fn the_slots_of_a_line_with_its_new_dot_inside_are_counted() {
        let dots = [0, 1, 2, 4, 5].map(|x| Point::new(x, 0));
        let start = Start::from_dots(dots).expect("few");
        let game = Game { rules: "6T".parse().expect("known"), start };
        assert_eq!(bound(&game).expect("applies").value, Fraction::from(1 + (40 - 8) / 2));
    }
}
