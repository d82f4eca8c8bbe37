//! An initial policy, known from elsewhere.

use std::sync::Arc;

use geometry::Line;
use rules::{Engine, PolicyRollout};

use super::playout::Player;
use super::policy::{LIMIT, Policy};
use super::{Nrpa, NrpaRun};
use crate::method::EngineMethod;
use crate::run::SearchBase;
use crate::{Rng, Run};

/// The weights of some lines; others have weight 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Prior(Vec<(Line, f32)>);

impl Prior {
    /// These weights, clamped to the range of a policy; those that are not a number are dropped.
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

    /// The number of lines with a weight.
    pub fn lines(&self) -> usize {
        self.0.len()
    }

    /// The policy with these weights. Lines off the grid never come up.
    pub(super) fn policy<R: PolicyRollout>(&self, player: &mut Player<R>) -> Policy {
        let known: Vec<(u32, f32)> = self
            .0
            .iter()
            .filter_map(|&(line, weight)| Some((*player.intern_lines(&[line])?.first()?, weight)))
            .collect();
        Policy::from_weights(player.line_count(), known.into_iter())
            .expect("the weights are in range")
    }
}

/// The method with an initial policy.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct InformedNrpa {
    pub(crate) nrpa: Nrpa,
    pub(crate) prior: Arc<Prior>,
}

impl EngineMethod for InformedNrpa {
    fn start_on<E: Engine>(&self, base: SearchBase<E>, _rng: &mut Rng) -> Box<dyn Run> {
        Box::new(NrpaRun::new(self.nrpa, Some(Arc::clone(&self.prior)), base))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MethodSpec;
    use crate::testing;
    use geometry::{Direction, Game, Move, Point};

    fn found(prior: Option<Prior>, playouts: u64) -> Vec<Move> {
        let game = Game::named("5D").expect("known");
        let given = [("level", "1"), ("playouts", "1")];
        let mut method = MethodSpec::named("nrpa", &game, given).expect("good values");
        if let Some(prior) = prior {
            method = method.with_prior(Arc::new(prior)).expect("nrpa takes one");
        }
        testing::found(method.method(), "5D", playouts, 3)
    }

    #[test]
    fn prior_knowledge_is_played_from_the_first_game() {
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
    fn an_empty_prior_changes_nothing() {
        assert_eq!(found(Some(Prior::new([])), 50), found(None, 50));
    }

    #[test]
    fn impossible_lines_and_nan_weights_do_no_harm() {
        let far = Line::new(Point::new(1000, 1000), Direction::East);
        let near = Line::new(Point::new(0, 3), Direction::East);
        let prior = Prior::new([(far, 1.0), (near, f32::NAN), (near, f32::INFINITY)]);
        assert_eq!(prior.lines(), 2);
        assert!(found(Some(prior), 10).len() > 20);
    }

    #[test]
    fn other_methods_take_no_prior() {
        let game = Game::named("5D").expect("known");
        let method = MethodSpec::named("sa", &game, []).expect("known");
        assert!(method.with_prior(Arc::new(Prior::new([]))).is_none());
    }
}
