//! A trained network in the service of search: by itself, or as what NRPA knows beforehand.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use geometry::{Game, Line, Move};
use rand::{Rng as _, SeedableRng};
use rules::{Engine, EngineVisitor, Position, with_engine};
use search::{Default, Kind, Meter, MethodInfo, Outside, Parameter, Prior, Rng, Values};

use crate::file::Model;
use crate::play::{Stopped, Style, play};
use crate::reward::Rewards;

/// What there is to know about the method.
pub const INFO: MethodInfo = MethodInfo {
    name: "learned",
    summary: "games by a trained network, with or without a tree search; needs --model",
    source: "Wang, Preuss, Emmerich and Plaat 2020; tree search: Silver et al. 2017",
    playout: "games",
    parameters: PARAMETERS,
};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "simulations",
        meaning: "simulations of the tree search for each move; 0: the policy of the network alone",
        kind: Kind::Integer { min: 0, max: 1_000_000 },
        default: Default::Always(0.0),
    },
    Parameter {
        name: "c",
        meaning: "how much the tree search explores",
        kind: Kind::Real { min: 0.0, max: 1000.0 },
        default: Default::Always(1.0),
    },
    Parameter {
        name: "temperature",
        meaning: "above 1, moves are drawn more evenly than the policy says",
        kind: Kind::Real { min: 0.01, max: 100.0 },
        default: Default::Always(1.0),
    },
    Parameter {
        name: "group",
        meaning: "games that are played side by side",
        kind: Kind::Integer { min: 1, max: 4096 },
        default: Default::Always(32.0),
    },
];

/// The list B and the ratio by which a tree search ranks the games that it sees.
const RECENT: usize = 200;
const RATIO: f64 = 0.75;

/// A network that looks for long games.
#[derive(Debug)]
pub struct Guide {
    model: Arc<Model>,
    style: Style,
    group: u64,
}

impl Guide {
    /// The network of a model with values of [`INFO`]'s parameters.
    pub fn new(model: Arc<Model>, values: &Values) -> Self {
        let style = Style {
            simulations: values.integer("simulations") as usize,
            c: values.real("c") as f32,
            temperature: values.real("temperature") as f32,
            ..Style::by_policy()
        };
        Self { model, style, group: values.integer("group") }
    }
}

impl Outside for Guide {
    fn search(
        &self,
        game: &Game,
        from: &[Move],
        meter: &mut Meter<'_>,
        rng: &mut Rng,
    ) -> Vec<Move> {
        with_engine(game, Search { guide: self, from, meter, rng })
    }
}

struct Search<'a, 'm> {
    guide: &'a Guide,
    from: &'a [Move],
    meter: &'a mut Meter<'m>,
    rng: &'a mut Rng,
}

impl EngineVisitor for Search<'_, '_> {
    type Output = Vec<Move>;

    fn visit<E: Engine>(self, engine: &E) -> Vec<Move> {
        let Self { guide, from, meter, rng } = self;
        let Guide { model, style, group } = guide;
        let mut best = from.to_vec();
        let mut board = engine.position();
        for &mv in from {
            // A network sees nothing beyond the edge of its board.
            if !model.frame.holds(mv) || board.play(mv).is_err() {
                return best;
            }
        }
        let mut rewards = Rewards::new(RECENT);
        let meter = RefCell::new(meter);
        loop {
            let count = meter.borrow_mut().playouts(*group);
            if count == 0 {
                return best;
            }
            let mut rngs: Vec<Rng> =
                (0..count).map(|_| Rng::seed_from_u64(rng.next_u64())).collect();
            let style = Style { threshold: rewards.threshold(RATIO), ..*style };
            let stop = || meter.borrow_mut().look().is_break();
            let games = play(&board, &model.frame, &model.network, &style, &mut rngs, &stop);
            // What came of games that were stopped counts as well.
            for game in games.unwrap_or_else(|Stopped(games)| games) {
                rewards.store(game.moves.len() as u32);
                if game.best.len() > best.len() {
                    best = game.best;
                    let _ = meter.borrow_mut().improved(&best);
                }
            }
        }
    }
}

/// What NRPA can know from a network beforehand: for each line that was legal in some games of the
/// network, the mean of the logarithm of how much more likely than others it was.
pub fn prior(model: &Model, games: usize, seed: u64) -> Prior {
    with_engine(model.frame.game(), Ask { model, games, seed })
}

struct Ask<'a> {
    model: &'a Model,
    games: usize,
    seed: u64,
}

impl EngineVisitor for Ask<'_> {
    type Output = Prior;

    fn visit<E: Engine>(self, engine: &E) -> Prior {
        let Self { model, games, seed } = self;
        let mut rngs: Vec<Rng> =
            (0..games as u64).map(|game| Rng::seed_from_u64(seed ^ game << 32)).collect();
        let style = Style::by_policy();
        let start = engine.position();
        let played = play(&start, &model.frame, &model.network, &style, &mut rngs, &|| false);
        let mut sums: HashMap<Line, (f64, u32)> = HashMap::new();
        for game in played.into_iter().flatten() {
            let mut board = start.clone();
            for (&mv, policy) in game.moves.iter().zip(&game.policies) {
                let on_board = board.legal().iter().map(|&code| board.decode(code));
                let on_board = on_board.filter(|&mv| model.frame.holds(mv));
                for (mv, &share) in on_board.zip(policy) {
                    let times = f64::from(share) * policy.len() as f64;
                    let (sum, count) = sums.entry(mv.line).or_default();
                    *sum += times.max(1e-6).ln();
                    *count += 1;
                }
                board.play(mv).expect("it was played");
            }
        }
        Prior::new(
            sums.into_iter().map(|(line, (sum, count))| (line, (sum / f64::from(count)) as f32)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;
    use crate::training::Training;
    use search::{Budget, Method, Searcher, Unwatched};

    fn model() -> Model {
        let game = Game::named("5D").expect("known");
        let given = [("board", "20"), ("blocks", "1"), ("channels", "4"), ("dense", "4")];
        let settings = Settings::read(&game, given).expect("good values");
        Training::new(&game, settings, 1, vec![]).expect("good settings").model()
    }

    fn search(given: &[(&'static str, &'static str)], playouts: u64, from: &[Move]) -> Vec<Move> {
        let game = Game::named("5D").expect("known");
        let values = Values::read(PARAMETERS, &game, given.iter().copied()).expect("good values");
        let guide = Arc::new(Guide::new(Arc::new(model()), &values));
        let method = Method::outside(&INFO, values, guide);
        let budget = Budget { playouts: Some(playouts), deadline: None };
        let mut rng = Rng::seed_from_u64(3);
        method.search(&rules::PlainEngine::new(game), from, budget, &mut rng, &mut Unwatched)
    }

    #[test]
    fn a_network_finds_games_and_keeps_what_it_was_given() {
        let game = search(&[("group", "4")], 10, &[]);
        assert!(game.len() > 40);
        assert_eq!(search(&[("group", "4")], 10, &[]), game);
        let more = search(&[("simulations", "3"), ("group", "2")], 2, &game[..20]);
        assert_eq!(more[..20], game[..20]);
        assert!(more.len() > 20);
        assert_eq!(search(&[], 0, &[]), []);
    }

    #[test]
    fn a_network_that_knows_nothing_tells_nrpa_next_to_nothing() {
        let found = prior(&model(), 20, 1);
        assert!(found.lines() > 100);
        assert_eq!(found, prior(&model(), 20, 1));
    }
}
