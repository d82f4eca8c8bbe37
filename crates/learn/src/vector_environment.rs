//! Many games side by side for an agent, on arrays that belong to its caller.
//!
//! A step changes the arrays in place: an observation differs from the one before by one dot and
//! one line, so nothing else of it is written. Traded for this: the arrays must be those of the
//! last call. They may hold anything else and nothing worse happens than wrong observations.
//! `tests` compares every array with one made afresh from the plain rules.

use std::fmt;

use geometry::Move;
use rand::SeedableRng;
use rules::{Engine, EngineVisitor, PlainEngine, Position, with_engine};
use search::Rng;
use search::random::below;

use crate::agent_board::AgentBoard;

/// Games side by side, each with an agent's action at every step.
pub struct VectorEnvironment {
    board: AgentBoard,
    lanes: Box<dyn Lanes>,
}

/// How an environment answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnvironmentRules {
    /// Whether a game that has ended starts again in the same step.
    pub autoreset: bool,
    /// Whether an illegal action ends the game, without reward, instead of being an error.
    pub illegal_ends: bool,
}

/// The arrays of an environment, one row for each game.
#[derive(Debug)]
pub struct EnvironmentArrays<'a> {
    /// Observations, [`AgentBoard::observation_len`] bytes each.
    pub observations: &'a mut [u8],
    /// For each action 1 if it is legal, else 0.
    pub masks: &'a mut [i8],
    /// The last reward: 1 for a move.
    pub rewards: &'a mut [f64],
    /// Whether the last step ended the game: no legal move remains.
    pub terminated: &'a mut [bool],
    /// The same, but a legal move remains beyond the edge of the board.
    pub truncated: &'a mut [bool],
    /// The number of moves; of a game that has just ended, its own.
    pub scores: &'a mut [i64],
    /// Where the last observation of a game that has just ended goes, if anywhere.
    pub final_observations: Option<&'a mut [u8]>,
}

/// Why the games cannot be stepped; nothing has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// An action that is not legal.
    #[error("action {action} of game {game} is not legal; there are {legal} legal actions")]
    Illegal {
        /// The index of the game.
        game: usize,
        /// The action.
        action: i64,
        /// The number of legal actions.
        legal: usize,
    },
    /// An array of another length.
    #[error("the array of {name} has {found} elements, not {expected}")]
    Length {
        /// The array.
        name: &'static str,
        /// Its length.
        found: usize,
        /// What it should be.
        expected: usize,
    },
}

impl VectorEnvironment {
    /// The most games.
    pub const MAX_GAMES: usize = 1 << 20;

    /// So many games on a board, each with its own random generator. They begin with
    /// [`reset`](Self::reset), which writes the arrays.
    pub fn new(board: AgentBoard, games: usize, rules: EnvironmentRules, seed: u64) -> Self {
        let maker = Maker { board: &board, games, rules };
        let mut lanes = match board.fits_bits() {
            true => with_engine(board.game(), maker),
            false => maker.visit(&PlainEngine::new(board.game().clone())),
        };
        lanes.seed(seed);
        Self { board, lanes }
    }

    /// The board.
    pub fn board(&self) -> &AgentBoard {
        &self.board
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.lanes.games()
    }

    /// Gives game `i` the random generator of `seed + i`.
    pub fn seed(&mut self, seed: u64) {
        self.lanes.seed(seed);
    }

    /// Starts the games again, or those of `which`.
    pub fn reset(
        &mut self,
        which: Option<&[bool]>,
        arrays: &mut EnvironmentArrays<'_>,
    ) -> Result<(), StepError> {
        self.check(arrays)?;
        if let Some(which) = which {
            length("which", which.len(), self.games())?;
        }
        self.lanes.reset(which, arrays);
        Ok(())
    }

    /// Plays one action in every game.
    pub fn step(
        &mut self,
        actions: &[i64],
        arrays: &mut EnvironmentArrays<'_>,
    ) -> Result<(), StepError> {
        self.check(arrays)?;
        length("actions", actions.len(), self.games())?;
        self.lanes.step(actions, arrays)
    }

    /// Samples a legal action uniformly for every game; 0 for one without any.
    pub fn sample(&mut self, actions: &mut [i64]) -> Result<(), StepError> {
        length("actions", actions.len(), self.games())?;
        self.lanes.sample(actions);
        Ok(())
    }

    /// The legal actions of a game.
    pub fn legal_actions(&self, game: usize) -> &[u32] {
        self.lanes.legal_actions(game)
    }

    /// The moves of a game so far.
    pub fn moves(&self, game: usize) -> Vec<Move> {
        self.lanes.moves(game)
    }

    fn check(&self, arrays: &EnvironmentArrays<'_>) -> Result<(), StepError> {
        let games = self.games();
        let observations = games * self.board.observation_len();
        length("observations", arrays.observations.len(), observations)?;
        length("masks", arrays.masks.len(), games * self.board.actions())?;
        length("rewards", arrays.rewards.len(), games)?;
        length("terminated", arrays.terminated.len(), games)?;
        length("truncated", arrays.truncated.len(), games)?;
        length("scores", arrays.scores.len(), games)?;
        match &arrays.final_observations {
            Some(array) => length("final observations", array.len(), observations),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for VectorEnvironment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VectorEnvironment").field("board", &self.board).finish_non_exhaustive()
    }
}

fn length(name: &'static str, found: usize, expected: usize) -> Result<(), StepError> {
    if found == expected { Ok(()) } else { Err(StepError::Length { name, found, expected }) }
}

/// The games on some engine.
trait Lanes: Send + Sync {
    fn games(&self) -> usize;
    fn seed(&mut self, seed: u64);
    fn reset(&mut self, which: Option<&[bool]>, arrays: &mut EnvironmentArrays<'_>);
    fn step(
        &mut self,
        actions: &[i64],
        arrays: &mut EnvironmentArrays<'_>,
    ) -> Result<(), StepError>;
    fn sample(&mut self, actions: &mut [i64]);
    fn legal_actions(&self, game: usize) -> &[u32];
    fn moves(&self, game: usize) -> Vec<Move>;
}

struct Maker<'a> {
    board: &'a AgentBoard,
    games: usize,
    rules: EnvironmentRules,
}

impl EngineVisitor for Maker<'_> {
    type Output = Box<dyn Lanes>;

    fn visit<E: Engine>(self, engine: &E) -> Self::Output {
        let position = engine.position();
        let lane = Lane {
            position: position.clone(),
            legal: Vec::new(),
            moves: Vec::new(),
            choices: Vec::new(),
            rng: Rng::seed_from_u64(0),
        };
        Box::new(EngineLanes {
            board: self.board.clone(),
            rules: self.rules,
            observation: self.board.start_observation(),
            chosen: vec![None; self.games],
            lanes: vec![lane; self.games],
            start: position,
        })
    }
}

struct EngineLanes<P: Position> {
    board: AgentBoard,
    rules: EnvironmentRules,
    start: P,
    /// The observation before the first move.
    observation: Vec<u8>,
    /// The index of each action among the legal ones.
    chosen: Vec<Option<usize>>,
    lanes: Vec<Lane<P>>,
}

/// One game.
#[derive(Clone)]
struct Lane<P: Position> {
    position: P,
    /// The legal moves, and the action of each; `BEYOND` if it is not on the board.
    legal: Vec<P::Code>,
    moves: Vec<u32>,
    /// The legal actions, each once.
    choices: Vec<u32>,
    rng: Rng,
}

const BEYOND: u32 = u32::MAX;

impl<P: Position> Lane<P> {
    /// Lists the actions of the position, and enters them into its mask.
    #[inline]
    fn list(&mut self, board: &AgentBoard, mask: &mut [i8]) {
        let Self { position, legal, moves, choices, .. } = self;
        // Moves that stay legal keep their order, and new ones follow.
        let (now, mut kept) = (position.legal(), 0);
        for index in 0..legal.len() {
            let action = moves[index];
            if now.get(kept) == Some(&legal[index]) {
                moves[kept] = action;
                kept += 1;
            } else if action != BEYOND {
                mask[action as usize] = 0;
            }
        }
        moves.truncate(kept);
        moves.extend(now[kept..].iter().map(|&code| {
            board.action(position.decode(code)).map_or(BEYOND, |action| action as u32)
        }));
        legal.clear();
        legal.extend_from_slice(now);
        choices.clear();
        if board.is_merged() {
            // Each once, and again if another line of it is gone.
            for &action in moves.iter().filter(|&&action| action != BEYOND) {
                if !choices.contains(&action) {
                    choices.push(action);
                    mask[action as usize] = 1;
                }
            }
        } else {
            choices.extend(moves.iter().filter(|&&action| action != BEYOND));
            let new = moves[kept..].iter().filter(|&&action| action != BEYOND);
            new.for_each(|&action| mask[action as usize] = 1);
        }
    }

    /// Lists the actions of a new game; nothing is in its mask.
    fn list_anew(&mut self, board: &AgentBoard, mask: &mut [i8]) {
        self.legal.clear();
        self.moves.clear();
        self.list(board, mask);
    }

    /// Whether a legal move is not an action.
    fn is_truncated(&self) -> bool {
        self.position.is_truncated() || self.moves.contains(&BEYOND)
    }

    /// The index of an action among the legal ones.
    #[inline]
    fn choice(&self, action: i64) -> Option<usize> {
        let action = u32::try_from(action).ok()?;
        self.choices.iter().position(|&legal| legal == action)
    }

    /// Plays the move of an action, of merged ones any with the same probability.
    #[inline]
    fn play(&mut self, choice: usize) -> Move {
        let action = self.choices[choice];
        let is_meant = |&(_, &other): &(usize, &u32)| other == action;
        let mut meant = self.moves.iter().enumerate().filter(is_meant).map(|(index, _)| index);
        let mut index = meant.next().expect("a legal action has a move");
        let more = meant.count();
        if more > 0 {
            let skip = below(&mut self.rng, more + 1);
            let mut meant = self.moves.iter().enumerate().filter(is_meant);
            index = meant.nth(skip).expect("counted before").0;
        }
        let mv = self.position.decode(self.position.legal()[index]);
        self.position.play_nth(index);
        mv
    }
}

impl<P: Position> EngineLanes<P> {
    fn restart(&mut self, game: usize, observation: &mut [u8], mask: &mut [i8]) {
        let lane = &mut self.lanes[game];
        lane.position.clone_from(&self.start);
        observation.copy_from_slice(&self.observation);
        lane.choices.iter().for_each(|&action| mask[action as usize] = 0);
        lane.list_anew(&self.board, mask);
    }
}

impl<P: Position + Send + Sync> Lanes for EngineLanes<P> {
    fn games(&self) -> usize {
        self.lanes.len()
    }

    fn seed(&mut self, seed: u64) {
        for (lane, index) in self.lanes.iter_mut().zip(0..) {
            lane.rng = Rng::seed_from_u64(seed.wrapping_add(index));
        }
    }

    fn reset(&mut self, which: Option<&[bool]>, arrays: &mut EnvironmentArrays<'_>) {
        let (bytes, actions) = (self.board.observation_len(), self.board.actions());
        for game in 0..self.lanes.len() {
            if which.is_some_and(|which| !which[game]) {
                continue;
            }
            let observation = &mut arrays.observations[game * bytes..][..bytes];
            // The array may be new.
            let mask = &mut arrays.masks[game * actions..][..actions];
            mask.fill(0);
            self.restart(game, observation, mask);
            (arrays.rewards[game], arrays.scores[game]) = (0.0, 0);
            (arrays.terminated[game], arrays.truncated[game]) = (false, false);
        }
    }

    fn step(
        &mut self,
        actions: &[i64],
        arrays: &mut EnvironmentArrays<'_>,
    ) -> Result<(), StepError> {
        for (game, (lane, &action)) in self.lanes.iter().zip(actions).enumerate() {
            self.chosen[game] = lane.choice(action);
            if self.chosen[game].is_none() && !self.rules.illegal_ends {
                let legal = lane.choices.len();
                return Err(StepError::Illegal { game, action, legal });
            }
        }
        let (bytes, actions) = (self.board.observation_len(), self.board.actions());
        for game in 0..self.lanes.len() {
            let observation = &mut arrays.observations[game * bytes..][..bytes];
            let mask = &mut arrays.masks[game * actions..][..actions];
            let lane = &mut self.lanes[game];
            let (reward, is_over) = match self.chosen[game] {
                Some(choice) => {
                    let mv = lane.play(choice);
                    self.board.draw(mv, observation);
                    lane.list(&self.board, mask);
                    (1.0, lane.choices.is_empty())
                }
                None => (0.0, true),
            };
            let truncated = is_over && reward > 0.0 && lane.is_truncated();
            arrays.rewards[game] = reward;
            arrays.scores[game] = lane.position.score() as i64;
            arrays.truncated[game] = truncated;
            arrays.terminated[game] = is_over && !truncated;
            if is_over && self.rules.autoreset {
                if let Some(array) = &mut arrays.final_observations {
                    array[game * bytes..][..bytes].copy_from_slice(observation);
                }
                self.restart(game, observation, mask);
            }
        }
        Ok(())
    }

    fn sample(&mut self, actions: &mut [i64]) {
        for (lane, action) in self.lanes.iter_mut().zip(actions) {
            *action = match lane.choices.len() {
                0 => 0,
                count => i64::from(lane.choices[below(&mut lane.rng, count)]),
            };
        }
    }

    fn legal_actions(&self, game: usize) -> &[u32] {
        &self.lanes[game].choices
    }

    fn moves(&self, game: usize) -> Vec<Move> {
        self.lanes[game].position.moves()
    }
}

#[cfg(test)]
mod tests;
