//! The boundary bound (3.2): few slots cannot surround many dots.
//!
//! Brass (1996): p lattice points have at most 4p - sqrt(28p - 12) pairs of neighbours (across,
//! down, diagonally), so at least 2 sqrt(28p - 12) of their 8p slots point at no neighbour, and
//! these are free in every position. Touching play has 8n + m(8 - 2k) free slots after m moves,
//! so (8n - m(2k - 8))^2 + 48 >= 112 (n + m) at every moment. Every disjoint game is also a
//! touching one, so the bound holds for both.

use geometry::Game;

use super::{BoundFormula, FormulaBound, Fraction, InapplicableReason, PublishedBound};

pub(super) fn bound(game: &Game) -> Result<FormulaBound, InapplicableReason> {
    let k = game.rules.length() as i128 - 1;
    let dots = game.start.dots().len() as i128;
    let lost = 2 * k - 8;
    let value = match lost {
        0 => Fraction::new(64 * dots * dots + 48 - 112 * dots, 112),
        _ => last_surrounded(dots, lost).ok_or(InapplicableReason::BoundaryHolds)?.into(),
    };
    let slots = match lost {
        0 => format!("{}", 8 * dots),
        1.. => format!("{} - {lost}m", 8 * dots),
        _ => format!("{} + {}m", 8 * dots, -lost),
    };
    let square = if lost == 0 { slots.clone() } else { format!("({slots})") };
    let mut argument = vec![
        format!("after m moves {slots} slots are free (touching lines; disjoint ones take more)"),
        format!(
            "p dots leave at least 2 sqrt(28p - 12) free (Brass 1996), and p = {dots} + m, so \
            112({dots} + m) <= {square}^2 + 48"
        ),
    ];
    argument.push(match lost {
        0 => format!("m <= ({}^2 + 48)/112 - {dots} = {value}", 8 * dots),
        _ => format!("it holds at every moment, first up to m = {value}"),
    });
    let bound = value.moves();
    let in_paper = Fraction::new(4 * dots * dots - 7 * dots, 7).floor() as i64;
    let published = (lost == 0 && in_paper != bound as i64).then_some(PublishedBound {
        bound: in_paper,
        reason: "the paper drops the 48 on the way to 4/7 n^2 - n",
    });
    Ok(FormulaBound {
        formula: BoundFormula::Boundary,
        value,
        bound,
        argument,
        published,
        reached: None,
    })
}

/// The last move before the inequality fails for the first time; `None` if it never does.
///
/// The difference of its sides is a parabola in m that opens upwards, so it fails first on the
/// falling branch or never.
fn last_surrounded(dots: i128, lost: i128) -> Option<i128> {
    let holds = |m: i128| (8 * dots - lost * m).pow(2) + 48 >= 112 * (dots + m);
    // The lowest point: derivative 2 lost^2 m - 16 lost dots - 112 = 0.
    let lowest = Fraction::new(8 * lost * dots + 56, lost * lost).floor().max(-1);
    let mut bad = [lowest, lowest + 1].into_iter().find(|&m| m >= 0 && !holds(m))?;
    let mut good = -1;
    while bad - good > 1 {
        let middle = (bad + good) / 2;
        *(if holds(middle) { &mut good } else { &mut bad }) = middle;
    }
    Some(good)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_is_found_by_plain_counting_too() {
        for lost in [-6, -4, -2, 2, 4, 6, 22] {
            for dots in 1..60 {
                let holds = |m: i128| (8 * dots - lost * m).pow(2) + 48 >= 112 * (dots + m);
                let plain = (0..4000).find(|&m| !holds(m)).map(|m| m - 1);
                assert_eq!(last_surrounded(dots, lost), plain, "{dots} dots, {lost} lost");
            }
        }
    }

    #[test]
    fn five_touching_is_known_in_two_forms() {
        let bound = bound(&Game::named("5T").expect("known")).expect("applies");
        assert_eq!((bound.bound, bound.published.map(|it| it.bound)), (705, Some(704)));
        assert_eq!(bound.argument[2], "m <= (288^2 + 48)/112 - 36 = 705");
    }
}
