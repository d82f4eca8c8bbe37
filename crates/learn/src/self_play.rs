//! Self-play: many games side by side, so that their positions are evaluated in batches.

use std::ops::Range;

use geometry::Move;
use rules::{Engine, EngineVisitor, Position, with_engine};
use search::Rng;

use crate::encoder::{EncodedPosition, Encoder};
use crate::network::{Evaluation, Network};
use crate::parallel::map_parallel;
use crate::random::{Purpose, add_noise, generator, sample_index};
use crate::settings::TrainingSettings;
use crate::tree::{PendingLeaf, SearchTree};

/// How moves are chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveSelection {
    /// The number of moves that are sampled; after them the most likely one is played.
    pub steps: usize,
    /// Above 1, the distribution of moves is flatter than the policy.
    pub temperature: f32,
    /// The share of a random policy.
    pub noise: f32,
    /// How even that one is.
    pub noise_shape: f32,
    /// Simulations of the tree search for each move; 0 for the policy of the network alone.
    pub simulations: usize,
    /// Positions that a tree search evaluates together.
    pub leaves: usize,
    /// How much the tree search explores.
    pub c: f32,
    /// The number of moves above which a game counts as good to the tree search.
    pub threshold: Option<u32>,
}

impl MoveSelection {
    /// How self-play chooses moves.
    pub(crate) fn for_self_play(settings: &TrainingSettings, threshold: Option<u32>) -> Self {
        Self {
            steps: settings.count("steps"),
            temperature: settings.real("temperature"),
            noise: settings.real("noise"),
            noise_shape: settings.real("noise-shape"),
            simulations: settings.count("simulations"),
            leaves: settings.count("leaves"),
            c: settings.real("c"),
            threshold,
        }
    }

    /// By the policy of the network alone, all moves sampled.
    pub fn by_policy() -> Self {
        Self {
            steps: usize::MAX,
            temperature: 1.0,
            noise: 0.0,
            noise_shape: 1.0,
            simulations: 0,
            leaves: 1,
            c: 1.0,
            threshold: None,
        }
    }

    /// Which move is played, given the probability of each.
    fn choose(&self, step: usize, shares: &[f32], rng: &mut Rng) -> usize {
        if step >= self.steps {
            let most = shares.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            return shares.iter().position(|&share| share == most).unwrap_or(0);
        }
        let mut shares = shares.to_vec();
        if self.temperature != 1.0 {
            shares.iter_mut().for_each(|share| *share = share.powf(1.0 / self.temperature));
            let sum: f32 = shares.iter().sum();
            shares.iter_mut().for_each(|share| *share /= sum);
        }
        if self.simulations == 0 {
            add_noise(&mut shares, self.noise, self.noise_shape, rng);
        }
        sample_index(&shares, rng)
    }
}

/// A game that was played.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Episode {
    /// Its moves, those it began with included.
    pub moves: Vec<Move>,
    /// Before each move that was chosen, the probability of every move on the board.
    pub(crate) policies: Vec<Vec<f32>>,
    /// Whether it ended only because a legal move lay beyond the edge.
    pub is_truncated: bool,
    /// The longest game that was encoded: this one, or one that a tree search came to the end of.
    pub best: Vec<Move>,
    /// How many positions were evaluated.
    pub positions: u64,
}

/// Games that were cancelled, up to there.
#[derive(Debug, Clone, PartialEq)]
pub struct Cancelled(pub Vec<Episode>);

/// Plays games side by side from a position to their ends, one for each generator, or until `stop`
/// returns true.
pub fn play<B: Position>(
    from: &B,
    encoder: &Encoder,
    network: &Network,
    selection: &MoveSelection,
    rngs: &mut [Rng],
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Episode>, Cancelled> {
    let finish = |games: Vec<Game<'_, B>>| games.into_iter().map(Game::finish).collect();
    let mut games: Vec<Game<'_, B>> = rngs
        .iter_mut()
        .map(|rng| Game { tree: SearchTree::new(from.clone()), rng, played: Episode::default() })
        .collect();
    let mut going: Vec<usize> = (0..games.len()).collect();
    loop {
        if stop() {
            return Err(Cancelled(finish(games)));
        }
        let mut views = Vec::with_capacity(going.len());
        going.retain(|&number| {
            let game = &mut games[number];
            let encoded = encoder.encode(game.tree.board());
            if encoded.moves.is_empty() {
                game.played.is_truncated = encoded.is_truncated;
                return false;
            }
            views.push(encoded);
            true
        });
        if going.is_empty() {
            return Ok(finish(games));
        }
        if selection.simulations == 0 {
            let answers = evaluate(network, views.iter());
            for ((&number, encoded), answer) in going.iter().zip(&views).zip(answers) {
                let game = &mut games[number];
                game.played.positions += 1;
                let waiting = game.tree.descend(encoder, selection.c, None);
                let waiting = waiting.expect("a position with moves is no end");
                game.tree.answer(
                    &waiting,
                    &encoded.move_probabilities(&answer.policy),
                    answer.value,
                );
            }
        } else if simulate(&mut games, &going, encoder, network, selection, stop).is_none() {
            return Err(Cancelled(finish(games)));
        }
        for &number in &going {
            games[number].step(selection);
        }
    }
}

/// Who plays many games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SelfPlay {
    /// How many games are played side by side. The games depend on it.
    pub group: usize,
    /// How many groups are at work at the same time. The games do not depend on it.
    pub threads: usize,
}

impl SelfPlay {
    /// Plays a game for each generator and reports how many more are finished. If `stop` returns
    /// true, the error has the games so far, those that have not ended included.
    pub(crate) fn play<B: Position + Sync>(
        self,
        from: &B,
        (encoder, network, selection): (&Encoder, &Network, &MoveSelection),
        rngs: &[Rng],
        stop: &(dyn Fn() -> bool + Sync),
        finished: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Episode>, Cancelled> {
        let groups: Vec<&[Rng]> = rngs.chunks(self.group.max(1)).collect();
        let groups = map_parallel(self.threads, groups.len(), |number| {
            let mut rngs = groups[number].to_vec();
            play(from, encoder, network, selection, &mut rngs, stop)
                .inspect(|games| finished(games.len()))
        });
        let is_cancelled = groups.iter().any(Result::is_err);
        let games = groups.into_iter().map(|group| group.unwrap_or_else(|Cancelled(games)| games));
        let games = games.flatten().collect();
        if is_cancelled { Err(Cancelled(games)) } else { Ok(games) }
    }

    /// Plays the games with these numbers from the start. A game depends on the seed, its number
    /// and the other games of its group.
    pub fn play_games(
        self,
        encoder: &Encoder,
        network: &Network,
        selection: &MoveSelection,
        games: Range<u64>,
        seed: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Episode>, Cancelled> {
        let rngs = games.map(|game| generator(seed, 0, Purpose::Game, game)).collect();
        with_engine(
            encoder.game(),
            Games { self_play: self, encoder, network, selection, rngs, stop },
        )
    }
}

struct Games<'a> {
    self_play: SelfPlay,
    encoder: &'a Encoder,
    network: &'a Network,
    selection: &'a MoveSelection,
    rngs: Vec<Rng>,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl EngineVisitor for Games<'_> {
    type Output = Result<Vec<Episode>, Cancelled>;

    fn visit<E: Engine>(self, engine: &E) -> Self::Output {
        let Self { self_play, encoder, network, selection, rngs, stop } = self;
        let players = (encoder, network, selection);
        self_play.play(&engine.position(), players, &rngs, stop, &|_| {})
    }
}

/// A game under way.
struct Game<'a, B> {
    tree: SearchTree<B>,
    rng: &'a mut Rng,
    played: Episode,
}

impl<B: Position> Game<'_, B> {
    /// Plays a move.
    fn step(&mut self, selection: &MoveSelection) {
        let shares = self.tree.visit_shares();
        let number = selection.choose(self.tree.board().score(), &shares, self.rng);
        self.played.policies.push(shares);
        self.tree.advance(number);
    }

    fn finish(mut self) -> Episode {
        self.played.moves = self.tree.board().moves();
        let found = self.tree.best();
        let longer = if found.len() > self.played.moves.len() { found } else { &self.played.moves };
        self.played.best = longer.to_vec();
        self.played
    }
}

/// Makes the simulations of all unfinished games, side by side.
fn simulate<B: Position>(
    games: &mut [Game<'_, B>],
    going: &[usize],
    encoder: &Encoder,
    network: &Network,
    selection: &MoveSelection,
    stop: &dyn Fn() -> bool,
) -> Option<()> {
    let mut fresh = vec![true; going.len()];
    let mut done = vec![0; going.len()];
    loop {
        if stop() {
            return None;
        }
        let mut waiting: Vec<(usize, PendingLeaf)> = Vec::new();
        for (place, &number) in going.iter().enumerate() {
            let game = &mut games[number];
            // Before anything else the root's own moves are needed, and then the noise on them.
            let has_root = game.tree.has_root();
            if has_root && fresh[place] {
                let Game { tree, rng, .. } = game;
                tree.change_root(|priors| {
                    add_noise(priors, selection.noise, selection.noise_shape, rng);
                });
                fresh[place] = false;
            }
            let left = selection.simulations - done[place];
            let count = if has_root { left.min(selection.leaves) } else { 1 };
            for _ in 0..count {
                if let Some(found) = game.tree.descend(encoder, selection.c, selection.threshold) {
                    waiting.push((number, found));
                }
            }
            done[place] += if has_root { count } else { 0 };
        }
        let answers = evaluate(network, waiting.iter().map(|(_, waiting)| &waiting.encoded));
        for ((number, waiting), Evaluation { policy, value }) in waiting.iter().zip(answers) {
            let game = &mut games[*number];
            game.played.positions += 1;
            game.tree.answer(waiting, &waiting.encoded.move_probabilities(&policy), value);
        }
        if done.iter().all(|&done| done >= selection.simulations) {
            return Some(());
        }
    }
}

fn evaluate<'a>(
    network: &Network,
    encoded: impl Iterator<Item = &'a EncodedPosition>,
) -> Vec<Evaluation> {
    let positions: Vec<_> = encoded.map(|encoded| encoded.observation.clone()).collect();
    network.evaluate(&positions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rules::{BitEngine, Engine, PlainPosition};

    fn encoder(side: usize) -> Encoder {
        Encoder::new(&geometry::Game::named("5D").expect("known"), side, false).expect("a board")
    }

    fn network(encoder: &Encoder) -> Network {
        let given = [("blocks", "1"), ("channels", "4"), ("dense", "4")];
        let settings = TrainingSettings::read(encoder.game(), given).expect("good values");
        Network::new(settings.shape(encoder), &mut Rng::seed_from_u64(1))
    }

    fn games(side: usize, selection: &MoveSelection, count: u64) -> Vec<Episode> {
        let encoder = encoder(side);
        let mut rngs: Vec<Rng> = (0..count).map(Rng::seed_from_u64).collect();
        let board = BitEngine::<5, false>::new().position();
        let games = play(&board, &encoder, &network(&encoder), selection, &mut rngs, &|| false);
        games.expect("nobody stops it")
    }

    #[test]
    fn games_are_legal_and_come_to_their_end() {
        for selection in [
            MoveSelection::by_policy(),
            MoveSelection { simulations: 6, leaves: 2, noise: 0.2, ..MoveSelection::by_policy() },
        ] {
            for game in games(20, &selection, 5) {
                let mut board = PlainPosition::start(encoder(20).game().clone());
                game.moves.iter().for_each(|&mv| board.play(mv).expect("legal"));
                assert!(board.legal().is_empty() && !game.is_truncated);
                assert_eq!(game.policies.len(), game.moves.len());
                assert!(game.best.len() >= game.moves.len());
                for policy in &game.policies {
                    assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
                }
            }
        }
    }

    #[test]
    fn an_untrained_network_plays_like_chance() {
        let lengths =
            games(24, &MoveSelection::by_policy(), 100).into_iter().map(|game| game.moves.len());
        // 42.9 is the mean of random games; the standard deviation of one is below 10.
        let mean = lengths.sum::<usize>() as f64 / 100.0;
        assert!((mean - 42.9).abs() < 4.0, "{mean}");
    }

    #[test]
    fn a_game_that_would_leave_the_board_is_cut_off() {
        let games = games(10, &MoveSelection::by_policy(), 20);
        assert!(games.iter().any(|game| game.is_truncated));
        // 100 places, 36 of them taken.
        assert!(games.iter().all(|game| game.moves.len() <= 64));
    }

    #[test]
    fn after_the_steps_the_most_likely_move_is_played() {
        let selection = MoveSelection { steps: 3, ..MoveSelection::by_policy() };
        let mut rng = Rng::seed_from_u64(1);
        assert_eq!(selection.choose(3, &[0.2, 0.4, 0.4], &mut rng), 1);
        let drawn: std::collections::HashSet<usize> =
            (0..100).map(|_| selection.choose(2, &[0.2, 0.4, 0.4], &mut rng)).collect();
        assert_eq!(drawn.len(), 3);
    }

    #[test]
    fn the_same_generators_play_the_same_games_and_stopping_stops() {
        let selection = MoveSelection { simulations: 4, ..MoveSelection::by_policy() };
        assert_eq!(games(20, &selection, 3), games(20, &selection, 3));
        let encoder = encoder(20);
        let board = BitEngine::<5, false>::new().position();
        let mut rngs = [Rng::seed_from_u64(1)];
        let stopped = play(&board, &encoder, &network(&encoder), &selection, &mut rngs, &|| true);
        assert_eq!(stopped, Err(Cancelled(vec![Episode::default()])));
    }
}
