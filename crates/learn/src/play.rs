//! Games by a network: many side by side, so that their positions are evaluated together.

use std::sync::atomic::{AtomicUsize, Ordering};

use geometry::Move;
use rules::{Engine, EngineVisitor, Position, with_engine};
use search::Rng;

use crate::chance::{Use, add_noise, draw, generator};
use crate::frame::{Frame, Seen};
use crate::network::{Evaluation, Network};
use crate::parallel::each;
use crate::settings::Settings;
use crate::tree::{Tree, Waiting};

/// How moves are chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    /// So many moves are drawn by chance; after them the most likely is played.
    pub steps: usize,
    /// Above 1, moves are drawn more evenly than the policy says.
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

impl Style {
    /// How self-play chooses moves.
    pub(crate) fn of(settings: &Settings, threshold: Option<u32>) -> Self {
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

    /// By the policy of the network alone, all moves drawn by chance.
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
        draw(&shares, rng)
    }
}

/// A game that was played.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Played {
    /// Its moves, those it began with included.
    pub moves: Vec<Move>,
    /// Before each move that was chosen, the probability of every move on the board.
    pub(crate) policies: Vec<Vec<f32>>,
    /// Whether it ended only because a legal move lay beyond the edge.
    pub is_cut: bool,
    /// The longest game that was seen: this one, or one that a tree search came to the end of.
    pub best: Vec<Move>,
    /// How many positions were evaluated.
    pub positions: u64,
}

/// Games that were stopped, as far as they had come.
#[derive(Debug, Clone, PartialEq)]
pub struct Stopped(pub Vec<Played>);

/// Plays games side by side from a position to their ends, one for each generator, or until `stop` says
/// so.
pub fn play<B: Position>(
    from: &B,
    frame: &Frame,
    network: &Network,
    style: &Style,
    rngs: &mut [Rng],
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Played>, Stopped> {
    let finish = |games: Vec<Game<'_, B>>| games.into_iter().map(Game::finish).collect();
    let mut games: Vec<Game<'_, B>> = rngs
        .iter_mut()
        .map(|rng| Game { tree: Tree::new(from.clone()), rng, played: Played::default() })
        .collect();
    let mut going: Vec<usize> = (0..games.len()).collect();
    loop {
        if stop() {
            return Err(Stopped(finish(games)));
        }
        let mut views = Vec::with_capacity(going.len());
        going.retain(|&number| {
            let game = &mut games[number];
            let seen = frame.see(game.tree.board());
            if seen.moves.is_empty() {
                game.played.is_cut = seen.is_truncated;
                return false;
            }
            views.push(seen);
            true
        });
        if going.is_empty() {
            return Ok(finish(games));
        }
        if style.simulations == 0 {
            let answers = evaluate(network, views.iter());
            for ((&number, seen), answer) in going.iter().zip(&views).zip(answers) {
                let game = &mut games[number];
                game.played.positions += 1;
                let waiting = game.tree.descend(frame, style.c, None);
                let waiting = waiting.expect("a position with moves is no end");
                game.tree.answer(&waiting, &seen.shares(&answer.policy), answer.value);
            }
        } else if simulate(&mut games, &going, frame, network, style, stop).is_none() {
            return Err(Stopped(finish(games)));
        }
        for &number in &going {
            games[number].step(style);
        }
    }
}

/// Who plays many games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Team {
    /// How many games are played side by side. The games depend on it.
    pub group: usize,
    /// How many groups are at work at the same time. The games do not depend on it.
    pub threads: usize,
}

impl Team {
    /// Plays a game for each generator, and tells how many are done; `None` if `stop` says so before.
    pub(crate) fn play<B: Position + Sync>(
        self,
        from: &B,
        (frame, network, style): (&Frame, &Network, &Style),
        rngs: &[Rng],
        stop: &(dyn Fn() -> bool + Sync),
        tell: &(dyn Fn(usize) + Sync),
    ) -> Option<Vec<Played>> {
        let done = AtomicUsize::new(0);
        let groups: Vec<&[Rng]> = rngs.chunks(self.group.max(1)).collect();
        let games = each(self.threads, groups.len(), |number| {
            let games =
                play(from, frame, network, style, &mut groups[number].to_vec(), stop).ok()?;
            tell(done.fetch_add(games.len(), Ordering::Relaxed) + games.len());
            Some(games)
        });
        let games: Option<Vec<_>> = games.into_iter().collect();
        Some(games?.into_iter().flatten().collect())
    }

    /// Plays so many games from the start; `None` if `stop` says so before.
    pub fn play_games(
        self,
        frame: &Frame,
        network: &Network,
        style: &Style,
        games: usize,
        seed: u64,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<Played>> {
        let rngs = (0..games as u64).map(|game| generator(seed, 0, Use::Game, game)).collect();
        with_engine(frame.game(), Games { team: self, frame, network, style, rngs, stop })
    }
}

struct Games<'a> {
    team: Team,
    frame: &'a Frame,
    network: &'a Network,
    style: &'a Style,
    rngs: Vec<Rng>,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl EngineVisitor for Games<'_> {
    type Output = Option<Vec<Played>>;

    fn visit<E: Engine>(self, engine: &E) -> Self::Output {
        let Self { team, frame, network, style, rngs, stop } = self;
        team.play(&engine.position(), (frame, network, style), &rngs, stop, &|_| {})
    }
}

/// A game under way.
struct Game<'a, B> {
    tree: Tree<B>,
    rng: &'a mut Rng,
    played: Played,
}

impl<B: Position> Game<'_, B> {
    /// Plays a move.
    fn step(&mut self, style: &Style) {
        let shares = self.tree.shares();
        let number = style.choose(self.tree.board().score(), &shares, self.rng);
        self.played.policies.push(shares);
        self.tree.advance(number);
    }

    fn finish(mut self) -> Played {
        self.played.moves = self.tree.board().moves();
        let found = self.tree.best();
        let longer = if found.len() > self.played.moves.len() { found } else { &self.played.moves };
        self.played.best = longer.to_vec();
        self.played
    }
}

/// Makes the simulations of all games that go on, side by side.
fn simulate<B: Position>(
    games: &mut [Game<'_, B>],
    going: &[usize],
    frame: &Frame,
    network: &Network,
    style: &Style,
    stop: &dyn Fn() -> bool,
) -> Option<()> {
    let mut fresh = vec![true; going.len()];
    let mut done = vec![0; going.len()];
    loop {
        if stop() {
            return None;
        }
        let mut waiting: Vec<(usize, Waiting)> = Vec::new();
        for (place, &number) in going.iter().enumerate() {
            let game = &mut games[number];
            // Before anything else the root's own moves are needed, and then the noise on them.
            let has_root = game.tree.has_root();
            if has_root && fresh[place] {
                let Game { tree, rng, .. } = game;
                tree.change_root(|priors| {
                    add_noise(priors, style.noise, style.noise_shape, rng);
                });
                fresh[place] = false;
            }
            let left = style.simulations - done[place];
            let count = if has_root { left.min(style.leaves) } else { 1 };
            for _ in 0..count {
                if let Some(found) = game.tree.descend(frame, style.c, style.threshold) {
                    waiting.push((number, found));
                }
            }
            done[place] += if has_root { count } else { 0 };
        }
        let answers = evaluate(network, waiting.iter().map(|(_, waiting)| &waiting.seen));
        for ((number, waiting), Evaluation { policy, value }) in waiting.iter().zip(answers) {
            let game = &mut games[*number];
            game.played.positions += 1;
            game.tree.answer(waiting, &waiting.seen.shares(&policy), value);
        }
        if done.iter().all(|&done| done >= style.simulations) {
            return Some(());
        }
    }
}

fn evaluate<'a>(network: &Network, seen: impl Iterator<Item = &'a Seen>) -> Vec<Evaluation> {
    let positions: Vec<_> = seen.map(|seen| seen.position.clone()).collect();
    network.evaluate(&positions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rules::{BitEngine, Engine, PlainPosition};

    fn frame(side: usize) -> Frame {
        Frame::new(&geometry::Game::named("5D").expect("known"), side, false).expect("a board")
    }

    fn network(frame: &Frame) -> Network {
        let given = [("blocks", "1"), ("channels", "4"), ("dense", "4")];
        let settings = Settings::read(frame.game(), given).expect("good values");
        Network::new(settings.shape(frame), &mut Rng::seed_from_u64(1))
    }

    fn games(side: usize, style: &Style, count: u64) -> Vec<Played> {
        let frame = frame(side);
        let mut rngs: Vec<Rng> = (0..count).map(Rng::seed_from_u64).collect();
        let board = BitEngine::<5, false>::new().position();
        let games = play(&board, &frame, &network(&frame), style, &mut rngs, &|| false);
        games.expect("nobody stops it")
    }

    #[test]
    fn games_are_legal_and_come_to_their_end() {
        for style in [
            Style::by_policy(),
            Style { simulations: 6, leaves: 2, noise: 0.2, ..Style::by_policy() },
        ] {
            for game in games(20, &style, 5) {
                let mut board = PlainPosition::start(frame(20).game().clone());
                game.moves.iter().for_each(|&mv| board.play(mv).expect("legal"));
                assert!(board.legal().is_empty() && !game.is_cut);
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
        let lengths = games(24, &Style::by_policy(), 100).into_iter().map(|game| game.moves.len());
        // 42.9 is the mean of random games; the standard deviation of one is below 10.
        let mean = lengths.sum::<usize>() as f64 / 100.0;
        assert!((mean - 42.9).abs() < 4.0, "{mean}");
    }

    #[test]
    fn a_game_that_would_leave_the_board_is_cut_off() {
        let games = games(10, &Style::by_policy(), 20);
        assert!(games.iter().any(|game| game.is_cut));
        // 100 places, 36 of them taken.
        assert!(games.iter().all(|game| game.moves.len() <= 64));
    }

    #[test]
    fn after_the_steps_the_most_likely_move_is_played() {
        let style = Style { steps: 3, ..Style::by_policy() };
        let mut rng = Rng::seed_from_u64(1);
        assert_eq!(style.choose(3, &[0.2, 0.4, 0.4], &mut rng), 1);
        let drawn: std::collections::HashSet<usize> =
            (0..100).map(|_| style.choose(2, &[0.2, 0.4, 0.4], &mut rng)).collect();
        assert_eq!(drawn.len(), 3);
    }

    #[test]
    fn the_same_generators_play_the_same_games_and_stopping_stops() {
        let style = Style { simulations: 4, ..Style::by_policy() };
        assert_eq!(games(20, &style, 3), games(20, &style, 3));
        let frame = frame(20);
        let board = BitEngine::<5, false>::new().position();
        let mut rngs = [Rng::seed_from_u64(1)];
        let stopped = play(&board, &frame, &network(&frame), &style, &mut rngs, &|| true);
        assert_eq!(stopped, Err(Stopped(vec![Played::default()])));
    }
}
