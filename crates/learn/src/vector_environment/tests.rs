//! Every array is compared with one made afresh from the plain rules.

use geometry::{Direction, Game, Point, Start};
use rules::PlainPosition;

use super::*;

/// The arrays of an environment.
struct Owned {
    observations: Vec<u8>,
    masks: Vec<i8>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    scores: Vec<i64>,
    last: Vec<u8>,
}

impl Owned {
    fn new(environment: &VectorEnvironment) -> Self {
        let (games, board) = (environment.games(), environment.board());
        Self {
            observations: vec![7; games * board.observation_len()],
            masks: vec![7; games * board.actions()],
            rewards: vec![7.0; games],
            terminated: vec![true; games],
            truncated: vec![true; games],
            scores: vec![7; games],
            last: vec![7; games * board.observation_len()],
        }
    }

    fn arrays(&mut self) -> EnvironmentArrays<'_> {
        EnvironmentArrays {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            scores: &mut self.scores,
            final_observations: Some(&mut self.last),
        }
    }
}

/// The observation of a position: dots and marks, one by one.
fn observed(board: &AgentBoard, position: &PlainPosition) -> Vec<u8> {
    let rules = position.game().rules;
    let mut planes = vec![0; board.observation_len()];
    let mut set = |plane: usize, point: Point| {
        let Point { x, y } = point - board.corner();
        planes[(plane * board.side() + y as usize) * board.side() + x as usize] = 1;
    };
    position.game().start.dots().iter().for_each(|&dot| set(0, dot));
    for mv in position.moves() {
        set(0, mv.dot());
        let plane = 1 + Direction::ALL.iter().position(|&it| it == mv.line.direction).unwrap();
        mv.line.marks(rules).for_each(|(point, _)| set(plane, point));
    }
    planes
}

/// The mask of a position, and whether a legal move is beyond the edge.
fn masked(board: &AgentBoard, position: &PlainPosition, merged: bool) -> (Vec<i8>, bool) {
    let mut mask = vec![0; board.actions()];
    let mut beyond = false;
    for mv in position.legal() {
        let side = board.side() as i32;
        let at = |point: Point| {
            let Point { x, y } = point - board.corner();
            ((0..side).contains(&x) && (0..side).contains(&y)).then(|| (y * side + x) as usize)
        };
        if mv.line.points(position.game().rules).any(|point| at(point).is_none()) {
            beyond = true;
        } else if merged {
            mask[at(mv.dot()).unwrap()] = 1;
        } else {
            let place = at(mv.line.start).unwrap();
            mask[mv.line.direction as usize * board.places() + place] = 1;
        }
    }
    (mask, beyond)
}

fn plain(game: &Game, moves: &[Move]) -> PlainPosition {
    let mut position = PlainPosition::start(game.clone());
    position.play_all(moves).expect("legal moves");
    position
}

/// Plays at random and compares everything at every step.
fn compare(game: &Game, side: Option<usize>, merged: bool, steps: usize) -> (usize, usize) {
    let board = AgentBoard::new(game, side, merged).expect("a board");
    let rules = EnvironmentRules { autoreset: true, illegal_ends: false };
    let mut environment = VectorEnvironment::new(board.clone(), 3, rules, 11);
    let mut owned = Owned::new(&environment);
    environment.reset(None, &mut owned.arrays()).expect("arrays that fit");
    let (bytes, width) = (board.observation_len(), board.actions());
    let mut actions = vec![0; 3];
    let mut ended = (0, 0);
    for _ in 0..steps {
        environment.sample(&mut actions).expect("an array that fits");
        let before: Vec<_> = (0..3).map(|lane| environment.moves(lane)).collect();
        environment.step(&actions, &mut owned.arrays()).expect("legal actions");
        for lane in 0..3 {
            let position = plain(game, &environment.moves(lane));
            let is_over = owned.terminated[lane] || owned.truncated[lane];
            assert_eq!(owned.observations[lane * bytes..][..bytes], observed(&board, &position));
            let (mask, _) = masked(&board, &position, merged);
            assert_eq!(owned.masks[lane * width..][..width], mask);
            assert_eq!(position.score(), if is_over { 0 } else { before[lane].len() + 1 });
            assert_eq!(
                (owned.rewards[lane], owned.scores[lane] as usize),
                (1.0, before[lane].len() + 1)
            );
            let mut legal: Vec<u32> = environment.legal_actions(lane).to_vec();
            legal.sort_unstable();
            let expected = (0..).zip(&mask).filter(|(_, legal)| **legal == 1).map(|(it, _)| it);
            assert!(legal.iter().copied().eq(expected));
            if !is_over {
                continue;
            }
            // The game that has ended: some move of the action was its last.
            let mut last = plain(game, &before[lane]);
            let meant = |mv: &Move| board.action(*mv) == Some(actions[lane] as usize);
            let ends: Vec<PlainPosition> = last
                .legal()
                .to_vec()
                .into_iter()
                .filter(meant)
                .map(|mv| {
                    last.play(mv).expect("legal");
                    let end = last.clone();
                    last.undo();
                    end
                })
                .collect();
            let shown = &owned.last[lane * bytes..][..bytes];
            let end = ends.iter().find(|end| observed(&board, end) == shown).expect("one of them");
            let (mask, beyond) = masked(&board, end, merged);
            assert!(mask.iter().all(|&legal| legal == 0));
            assert_eq!((owned.truncated[lane], owned.terminated[lane]), (beyond, !beyond));
            if beyond { ended.1 += 1 } else { ended.0 += 1 }
        }
    }
    ended
}

#[test]
fn arrays_are_those_of_the_plain_rules_on_every_engine() {
    for name in ["5T", "5D", "4T", "4D"] {
        let game = Game::named(name).expect("a known game");
        for (side, merged) in [(None, false), (None, true), (Some(40), false)] {
            let (terminated, _) = compare(&game, side, merged, 150);
            assert!(terminated > 0, "{name} {side:?} {merged}");
        }
    }
    for name in ["6T", "3D", "2T"] {
        compare(&Game::named(name).expect("a known game"), None, name == "3D", 60);
    }
}

#[test]
fn any_start_can_be_played() {
    let dots = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 2), (-3, -2)];
    let start = Start::from_dots(dots.map(|(x, y)| Point::new(x, y))).expect("few dots");
    let game = Game { rules: "4T".parse().expect("rules"), start };
    let (terminated, truncated) = compare(&game, None, false, 60);
    assert!(terminated + truncated > 0);
}

#[test]
fn a_game_that_could_go_on_beyond_the_edge_is_truncated() {
    let game = Game::named("5T").expect("a known game");
    let (_, truncated) = compare(&game, Some(11), false, 300);
    assert!(truncated > 0);
}

#[test]
fn the_bit_engine_and_the_plain_one_see_the_same_board() {
    // One point more on a side is one too many for the bits.
    for name in ["5T", "4T"] {
        let game = Game::named(name).expect("a known game");
        let fits = |side| AgentBoard::new(&game, Some(side), false).expect("a board").fits_bits();
        assert!(fits(29) && !fits(31) && fits(30) == (name == "5T"), "{name}");
    }
}

fn small(illegal_ends: bool, autoreset: bool) -> (VectorEnvironment, Owned) {
    let game = Game::named("5D").expect("a known game");
    let board = AgentBoard::new(&game, None, false).expect("a board");
    let rules = EnvironmentRules { autoreset, illegal_ends };
    let mut environment = VectorEnvironment::new(board, 2, rules, 1);
    let mut owned = Owned::new(&environment);
    environment.reset(None, &mut owned.arrays()).expect("arrays that fit");
    (environment, owned)
}

#[test]
fn an_illegal_action_changes_nothing_or_ends_its_game() {
    let (mut environment, mut owned) = small(false, false);
    let legal = i64::from(environment.legal_actions(0)[0]);
    let observations = owned.observations.clone();
    for action in [-1, 0, i64::MAX] {
        let error = environment.step(&[legal, action], &mut owned.arrays()).expect_err("illegal");
        assert_eq!(error, StepError::Illegal { game: 1, action, legal: 28 });
        assert!(environment.moves(0).is_empty() && owned.observations == observations);
    }
    let (mut environment, mut owned) = small(true, false);
    environment.step(&[legal, -1], &mut owned.arrays()).expect("it ends");
    assert_eq!((&owned.terminated[..], &owned.rewards[..]), (&[false, true][..], &[1.0, 0.0][..]));
    assert_eq!(owned.truncated, [false, false]);
}

#[test]
fn without_autoreset_an_ended_game_has_no_actions_until_it_is_reset() {
    let (mut environment, mut owned) = small(false, false);
    let mut actions = vec![0; 2];
    while !owned.terminated[0] {
        environment.sample(&mut actions).expect("an array that fits");
        if owned.terminated[1] {
            environment.reset(Some(&[false, true]), &mut owned.arrays()).expect("arrays that fit");
            environment.sample(&mut actions).expect("an array that fits");
        }
        environment.step(&actions, &mut owned.arrays()).expect("legal actions");
    }
    assert!(environment.legal_actions(0).is_empty());
    assert!(environment.step(&actions, &mut owned.arrays()).is_err());
    environment.reset(Some(&[true, false]), &mut owned.arrays()).expect("arrays that fit");
    assert_eq!(environment.legal_actions(0).len(), 28);
}

#[test]
fn the_seed_decides_and_arrays_of_other_lengths_are_refused() {
    let play = |seed| {
        let (mut environment, mut owned) = small(false, true);
        environment.seed(seed);
        let mut actions = vec![0; 2];
        for _ in 0..30 {
            environment.sample(&mut actions).expect("an array that fits");
            environment.step(&actions, &mut owned.arrays()).expect("legal actions");
        }
        owned.observations
    };
    assert!(play(1) == play(1) && play(1) != play(2));
    let (mut environment, mut owned) = small(false, true);
    owned.scores.pop();
    let error = environment.step(&[0, 0], &mut owned.arrays()).expect_err("too short");
    assert_eq!(error, StepError::Length { name: "scores", found: 1, expected: 2 });
    assert!(environment.sample(&mut [0]).is_err());
}
