//! A trained network as a search method, or as the prior of NRPA.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use geometry::{Game, Line, Move};
use rand::{Rng as _, SeedableRng};
use rules::{Engine, EngineVisitor, Position, with_engine};
use search::DefaultValue::Always;
use search::{
    BudgetMeter, Method, MethodBuild, MethodInfo, MethodState, Parameter, ParameterValues, Prior,
    Rng, Run, SearchState, StateError,
};

use crate::file::NetworkFile;
use crate::reward::Rewards;
use crate::self_play::{Cancelled, MoveSelection, play};

/// What there is to know about the method.
pub const INFO: MethodInfo = MethodInfo {
    name: "learned",
    summary: "games by a trained network, with or without a tree search; needs --model",
    source: "Wang, Preuss, Emmerich and Plaat 2020; tree search: Silver et al. 2017",
    playout: "games",
    parameters: PARAMETERS,
    build: MethodBuild::External,
};

const PARAMETERS: &[Parameter] = &[
    Parameter::integer("simulations", 0..=1_000_000, Always(0.0)).meaning(
        "simulations of the tree search for each move; 0: the policy of the network alone",
    ),
    Parameter::real("c", 0.0..=1000.0, Always(1.0)).meaning("how much the tree search explores"),
    Parameter::real("temperature", 0.01..=100.0, Always(1.0))
        .meaning("above 1, the distribution of moves is flatter than the policy"),
    Parameter::integer("group", 1..=4096, Always(32.0)).meaning("games played side by side"),
];

/// The list B and the ratio by which a tree search ranks the games that it sees.
const RECENT: usize = 200;
const RATIO: f64 = 0.75;

/// A network that looks for long games.
#[derive(Debug)]
pub struct NetworkMethod {
    model: Arc<NetworkFile>,
    selection: MoveSelection,
    group: u64,
}

impl NetworkMethod {
    /// The network of a model with values of [`INFO`]'s parameters.
    pub fn new(model: Arc<NetworkFile>, values: &ParameterValues) -> Self {
        let selection = MoveSelection {
            simulations: values.integer("simulations") as usize,
            c: values.real("c") as f32,
            temperature: values.real("temperature") as f32,
            ..MoveSelection::by_policy()
        };
        Self { model, selection, group: values.integer("group") }
    }
}

impl Method for NetworkMethod {
    fn start(&self, game: &Game, prefix: &[Move], _rng: &mut Rng) -> Box<dyn Run> {
        with_engine(game, Starter { guide: self, prefix })
    }
}

struct Starter<'a> {
    guide: &'a NetworkMethod,
    prefix: &'a [Move],
}

impl EngineVisitor for Starter<'_> {
    type Output = Box<dyn Run>;

    fn visit<E: Engine>(self, engine: &E) -> Box<dyn Run> {
        let Self { guide, prefix } = self;
        // A network sees nothing beyond the edge of its board.
        let fits = prefix.iter().all(|&mv| guide.model.encoder.contains(mv));
        let start = engine.position_after(prefix).ok().filter(|_| fits);
        Box::new(NetworkRun {
            model: Arc::clone(&guide.model),
            selection: guide.selection,
            group: guide.group,
            start,
            best: prefix.to_vec(),
            rewards: Rewards::new(RECENT),
        })
    }
}

struct NetworkRun<P> {
    model: Arc<NetworkFile>,
    selection: MoveSelection,
    group: u64,
    /// The position after the first moves, if they fit the board of the network.
    start: Option<P>,
    best: Vec<Move>,
    rewards: Rewards,
}

impl<P: Position + Send> Run for NetworkRun<P> {
    /// Plays a group of games.
    fn step(&mut self, meter: &mut BudgetMeter<'_>, rng: &mut Rng) -> ControlFlow<()> {
        let Some(start) = &self.start else { return ControlFlow::Break(()) };
        let count = meter.playouts(self.group);
        if count == 0 {
            return ControlFlow::Break(());
        }
        let mut rngs: Vec<Rng> = (0..count).map(|_| Rng::seed_from_u64(rng.next_u64())).collect();
        let selection =
            MoveSelection { threshold: self.rewards.threshold(RATIO), ..self.selection };
        let NetworkFile { encoder, network, .. } = &*self.model;
        let meter = RefCell::new(meter);
        let stop = || meter.borrow_mut().look().is_break();
        let games = play(start, encoder, network, &selection, &mut rngs, &stop);
        // What came of games that were stopped counts as well.
        for game in games.unwrap_or_else(|Cancelled(games)| games) {
            self.rewards.store(game.moves.len() as u32);
            if game.best.len() > self.best.len() {
                self.best = game.best;
                let _ = meter.borrow_mut().improved(&self.best);
            }
        }
        ControlFlow::Continue(())
    }

    fn best(&self) -> &[Move] {
        &self.best
    }

    /// Searches by a network cannot be saved.
    fn state(&self) -> Option<MethodState> {
        None
    }

    fn restore(&mut self, _state: &SearchState) -> Result<(), StateError> {
        Err(StateError::Method)
    }
}

/// The prior of NRPA from a network: for each line that was legal in some games of the
/// network, the mean of the logarithm of how much more likely than others it was.
pub fn prior(model: &NetworkFile, games: usize, seed: u64) -> Prior {
    with_engine(model.encoder.game(), Ask { model, games, seed })
}

struct Ask<'a> {
    model: &'a NetworkFile,
    games: usize,
    seed: u64,
}

impl EngineVisitor for Ask<'_> {
    type Output = Prior;

    fn visit<E: Engine>(self, engine: &E) -> Prior {
        let Self { model, games, seed } = self;
        let mut rngs: Vec<Rng> =
            (0..games as u64).map(|game| Rng::seed_from_u64(seed ^ game << 32)).collect();
        let selection = MoveSelection::by_policy();
        let start = engine.position();
        let played = play(&start, &model.encoder, &model.network, &selection, &mut rngs, &|| false);
        let mut sums: HashMap<Line, (f64, u32)> = HashMap::new();
        for game in played.into_iter().flatten() {
            let mut board = start.clone();
            for (&mv, policy) in game.moves.iter().zip(&game.policies) {
                let on_board = board.legal().iter().map(|&code| board.decode(code));
                let on_board = on_board.filter(|&mv| model.encoder.contains(mv));
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
    use crate::settings::TrainingSettings;
    use crate::training::TrainingRun;
    use search::{Budget, MethodSpec};

    fn model() -> NetworkFile {
        let game = Game::named("5D").expect("known");
        let given = [("board", "20"), ("blocks", "1"), ("channels", "4"), ("dense", "4")];
        let settings = TrainingSettings::read(&game, given).expect("good values");
        TrainingRun::new(&game, settings, 1, vec![]).expect("good settings").model()
    }

    fn search(given: &[(&'static str, &'static str)], playouts: u64, from: &[Move]) -> Vec<Move> {
        let game = Game::named("5D").expect("known");
        let values =
            ParameterValues::parse(PARAMETERS, &game, given.iter().copied()).expect("good values");
        let guide = Arc::new(NetworkMethod::new(Arc::new(model()), &values));
        let method = MethodSpec::external(&INFO, values, guide);
        let search = method.start(&game, from, Rng::seed_from_u64(3));
        search.run(Budget::playouts(playouts), |_| ControlFlow::Continue(()))
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
