//! A policy to begin with, known from elsewhere.

use std::sync::Arc;

use geometry::Line;
use rules::{Engine, PolicyRollout};

use super::playout::Player;
use super::policy::{LIMIT, Policy};
use super::{Nrpa, Search};
use crate::Rng;
use crate::stepwise::{Beginning, Stepper, Stepwise};

/// A weight for each of some lines; others have weight 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Prior(Vec<(Line, f32)>);

impl Prior {
    /// These weights, as far as they are numbers, up to the size that a policy can have.
    pub fn new(weights: impl IntoIterator<Item = (Line, f32)>) -> Self {
        let mut weights: Vec<(Line, f32)> = weights
            .into_iter()
            .filter(|(_, weight)| !weight.is_nan())
            .map(|(line, weight)| (line, weight.clamp(-LIMIT, LIMIT)))
            .collect();
        weights.sort_unstable_by_key(|&(line, _)| line);
        weights.dedup_by_key(|&mut (line, _)| line);
        Self(weights)
    }

    /// For how many lines there is a weight.
    pub fn lines(&self) -> usize {
        self.0.len()
    }

    /// The policy with these weights. Lines for which there is no room never come up.
    pub(super) fn policy<R: PolicyRollout>(&self, player: &mut Player<R>) -> Policy {
        let known: Vec<(u32, f32)> = self
            .0
            .iter()
            .filter_map(|&(line, weight)| Some((*player.intern_lines(&[line])?.first()?, weight)))
            .collect();
        Policy::of(player.line_count(), known.into_iter()).expect("the weights are in range")
    }
}

/// The method with a policy to begin with.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Informed {
    pub(crate) nrpa: Nrpa,
    pub(crate) prior: Arc<Prior>,
}

impl Stepper for Informed {
    fn begin<'a, E: Engine>(
        &'a self,
        beginning: Beginning<'a, E>,
        _rng: &mut Rng,
    ) -> impl Stepwise + use<'a, E> {
        Search::new(&self.nrpa, Some(&self.prior), beginning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Method, Searcher, Unwatched};
    use geometry::{Direction, Game, Point};
    use rand::SeedableRng;
    use rules::BitEngine;

    fn found(prior: Option<Prior>, playouts: u64) -> Vec<geometry::Move> {
        let game = Game::named("5D").expect("known");
        let mut method =
            Method::named("nrpa", &game, [("level", "1"), ("playouts", "1")]).expect("good");
        if let Some(prior) = prior {
            method = method.with_prior(Arc::new(prior)).expect("nrpa takes one");
        }
        let budget = Budget { playouts: Some(playouts), deadline: None };
        let mut rng = Rng::seed_from_u64(3);
        method.search(&BitEngine::<5, false>::new(), &[], budget, &mut rng, &mut Unwatched)
    }

    #[test]
    fn what_is_known_beforehand_is_played_from_the_first_game() {
        let good = found(None, 400);
        let prior = Prior::new(good.iter().map(|mv| (mv.line, 30.0)));
        assert_eq!(prior.lines(), good.len());
        let mut again: Vec<Line> = found(Some(prior), 1).iter().map(|mv| mv.line).collect();
        let mut lines: Vec<Line> = good.iter().map(|mv| mv.line).collect();
        again.sort_unstable();
        lines.sort_unstable();
        assert_eq!(again, lines);
    }

    #[test]
    fn knowing_nothing_changes_nothing() {
        assert_eq!(found(Some(Prior::new([])), 50), found(None, 50));
    }

    #[test]
    fn lines_that_cannot_be_and_numbers_that_are_none_do_no_harm() {
        let far = Line::new(Point::new(1000, 1000), Direction::East);
        let near = Line::new(Point::new(0, 3), Direction::East);
        let prior = Prior::new([(far, 1.0), (near, f32::NAN), (near, f32::INFINITY)]);
        assert_eq!(prior.lines(), 2);
        assert!(found(Some(prior), 10).len() > 20);
    }

    #[test]
    fn other_methods_have_no_use_for_it() {
        let game = Game::named("5D").expect("known");
        let method = Method::named("sa", &game, []).expect("known");
        assert!(method.with_prior(Arc::new(Prior::new([]))).is_none());
    }
}
