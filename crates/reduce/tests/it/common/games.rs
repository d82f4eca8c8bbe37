//! All games from a small pattern, by the rules alone.

use geometry::{Point, Rules};
use reduce::ceiling::ceiling;
use reduce::closure::Closure;
use reduce::exhaust::exhaust;
use reduce::{Family, Instance, Layout};

use super::{all_models, formula};

/// Plays all games from a formula with a treasure of one unit and checks that the treasure is
/// reached exactly with the lines of models. Gives the numbers of dots and of positions.
pub(crate) fn all_games(length: usize, clauses: &[Vec<i32>]) -> Vec<u64> {
    let variables = clauses.iter().flatten().map(|l| l.unsigned_abs()).max().expect("a literal");
    let formula = formula(variables, clauses);
    let spacing = Family::for_length(length).expect("a design").spacing();
    let layout = Layout::new(length, Instance::new(&formula), spacing, 1).expect("small");
    let pattern = layout.dots();
    // Which variables are true, which are false, and the end of the treasure.
    let mut watched: Vec<Point> = layout.choices().iter().flatten().map(|mv| mv.dot()).collect();
    watched.extend(layout.treasure().last());
    let end = 1 << (2 * variables);
    let mut models: Vec<u32> = all_models(variables)
        .filter(|model| model.unsatisfied(&formula).is_empty())
        .map(|model| {
            let literals = model.literals().enumerate();
            let bit =
                |(i, l): (usize, reduce::Literal)| 1 << (2 * i) << u32::from(!l.is_positive());
            literals.map(bit).sum::<u32>() | end
        })
        .collect();
    models.sort_unstable();
    let ceiling = ceiling(&Closure::new(length, &pattern, []).expect("finite"));
    let mut numbers = vec![pattern.len() as u64];
    for touching in [true, false] {
        let rules = Rules::new(length, touching).expect("a line length");
        let outcome = exhaust(rules, &pattern, &[], &watched).expect("finite");
        let treasures: Vec<u32> =
            outcome.reached.iter().copied().filter(|reached| reached & end != 0).collect();
        assert_eq!(treasures, models, "{formula} in {rules}");
        assert!(outcome.longest <= ceiling, "{formula}: {} over {ceiling}", outcome.longest);
        numbers.push(outcome.positions);
    }
    numbers
}
