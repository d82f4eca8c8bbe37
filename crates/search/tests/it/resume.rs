//! The law of resuming: a search that was stopped and resumed, however often, finds what one that
//! was never stopped finds; and a damaged state is refused, or gives a legal game.

use std::ops::ControlFlow;

use geometry::{Game, Move, Start};
use rand::{Rng as _, SeedableRng};
use rules::{Engine, EngineVisitor, PlainPosition, Position, with_engine};
use search::{Budget, METHODS, Method, Observer, Rng, Searcher, State, Unwatched};
use serde_json::Value;

/// Small settings, so that a few thousand playouts see every corner of a method.
fn settings(method: &str) -> Vec<Vec<(&'static str, &'static str)>> {
    match method {
        "rs1" | "rs1max" => vec![vec![("samples", "3")], vec![("samples", "1"), ("games", "2")]],
        "rs2" => vec![vec![("samples", "7")]],
        "sa" => vec![
            vec![("steps", "700"), ("t0", "4"), ("t1", "1"), ("cooling", "0.8")],
            vec![("steps", "5000")],
        ],
        "nmcs" => vec![vec![("level", "1"), ("games", "2")], vec![("level", "2")]],
        "nrpa" => vec![
            vec![("level", "3"), ("iterations", "6")],
            vec![("level", "2"), ("iterations", "9"), ("beam", "3"), ("playouts", "2")],
            vec![("level", "3"), ("iterations", "5"), ("beam", "2"), ("repeats", "2")],
            vec![("level", "1"), ("iterations", "50"), ("repeats", "1"), ("playouts", "1")],
        ],
        "pool" => vec![
            vec![("games", "40"), ("period", "300"), ("replay", "50")],
            vec![("games", "5"), ("window", "30")],
        ],
        "temper" => vec![
            vec![("replicas", "3"), ("proposals", "7"), ("round", "100")],
            vec![("replicas", "1"), ("proposals", "50"), ("round", "0")],
        ],
        _ => vec![vec![]],
    }
}

/// Keeps the states it is given; wants them often or only at the end.
struct Keeper {
    often: bool,
    states: Vec<State>,
    games: Vec<Vec<Move>>,
}

impl Keeper {
    fn new(often: bool) -> Self {
        Self { often, states: Vec::new(), games: Vec::new() }
    }
}

impl Observer for Keeper {
    fn improved(&mut self, game: &[Move]) -> ControlFlow<()> {
        self.games.push(game.to_vec());
        ControlFlow::Continue(())
    }

    fn wants_state(&mut self, last: bool) -> bool {
        last || self.often
    }

    fn state(&mut self, state: State) {
        self.states.push(state);
    }
}

fn budget(playouts: u64) -> Budget {
    Budget { playouts: Some(playouts), deadline: None }
}

/// Through a file and back.
fn stored(state: &State) -> State {
    let text = serde_json::to_string(state).expect("plain data");
    let read: State = serde_json::from_str(&text).expect("as written");
    assert_eq!(&read, state);
    read
}

/// A random game's first moves.
fn beginning(game: &Game, moves: usize) -> Vec<Move> {
    let mut position = PlainPosition::start(game.clone());
    let mut rng = Rng::seed_from_u64(99);
    for _ in 0..moves {
        position.play_nth(rng.next_u32() as usize % position.legal().len());
    }
    position.moves()
}

/// The games that are tried: fast ones, plain ones, and from a position.
fn games() -> Vec<(Game, Vec<Move>, u64)> {
    let named = |name: &str| Game::named(name).expect("known");
    let cross = |rules: &str, side| Game {
        rules: rules.parse().expect("known"),
        start: Start::cross(side).expect("in range"),
    };
    let from = beginning(&named("5D"), 12);
    let plain = beginning(&cross("5D", 3), 4);
    vec![
        (named("5D"), vec![], 1500),
        (named("5D"), from, 1500),
        (named("4T"), vec![], 1000),
        (named("6T"), vec![], 500),
        (cross("5D", 3), vec![], 600),
        (cross("5D", 3), plain, 600),
    ]
}

struct Law<'a> {
    method: &'a Method,
    from: &'a [Move],
    playouts: u64,
    name: String,
}

impl EngineVisitor for Law<'_> {
    type Output = ();

    fn visit<E: Engine>(self, engine: &E) {
        let Self { method, from, playouts, name } = self;
        let mut rng = Rng::seed_from_u64(5);
        let mut whole = Keeper::new(true);
        let expected = method.search(engine, from, budget(playouts), &mut rng, &mut whole);
        let last = whole.states.last().expect("a state at the end").clone();

        // Cut at random places, several times.
        let mut chance = Rng::seed_from_u64(17);
        for _ in 0..2 {
            let mut cuts: Vec<u64> = (0..6).map(|_| chance.next_u64() % playouts).collect();
            cuts.sort_unstable();
            let mut keeper = Keeper::new(false);
            let mut rng = Rng::seed_from_u64(5);
            method.search(engine, from, budget(cuts[0]), &mut rng, &mut keeper);
            for &cut in &cuts[1..] {
                let state = stored(keeper.states.last().expect("a state at the end"));
                method
                    .resume(engine, from, &state, budget(cut), &mut keeper)
                    .expect("a good state");
            }
            let state = stored(keeper.states.last().expect("a state at the end"));
            let found = method.resume(engine, from, &state, budget(playouts), &mut keeper);
            assert_eq!(found.expect("a good state"), expected, "{name}");
            assert!(keeper.states.last() == Some(&last), "{name}");
        }

        // From states that were taken on the way.
        for _ in 0..3 {
            let state = &whole.states[chance.next_u32() as usize % whole.states.len()];
            let mut keeper = Keeper::new(false);
            let found = method.resume(engine, from, &stored(state), budget(playouts), &mut keeper);
            assert_eq!(found.expect("a good state"), expected, "{name}");
            assert!(keeper.states.last() == Some(&last), "{name}");
        }

        // With a smaller budget than was spent, nothing happens.
        let found = method.resume(engine, from, &last, budget(1), &mut Unwatched);
        assert_eq!(found.expect("a good state"), expected, "{name}");
    }
}

#[test]
fn a_resumed_search_finds_what_an_uninterrupted_one_finds() {
    for (game, from, playouts) in games() {
        for info in METHODS {
            for given in settings(info.name) {
                let name = format!("{} {given:?} on {game} from {}", info.name, from.len());
                let method = Method::named(info.name, &game, given).expect("a method");
                with_engine(&game, Law { method: &method, from: &from, playouts, name });
            }
        }
    }
}

/// A search that is stopped because a game is long enough goes on exactly, too.
struct Target<'a>(&'a Method);

struct StopAt {
    length: usize,
    keeper: Keeper,
}

impl Observer for StopAt {
    fn improved(&mut self, game: &[Move]) -> ControlFlow<()> {
        if game.len() >= self.length { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn wants_state(&mut self, last: bool) -> bool {
        last
    }

    fn state(&mut self, state: State) {
        self.keeper.state(state);
    }
}

impl EngineVisitor for Target<'_> {
    type Output = ();

    fn visit<E: Engine>(self, engine: &E) {
        let Self(method) = self;
        let mut rng = Rng::seed_from_u64(8);
        let expected = method.search(engine, &[], budget(4000), &mut rng, &mut Unwatched);
        let mut observer = StopAt { length: expected.len() - 3, keeper: Keeper::new(false) };
        let mut rng = Rng::seed_from_u64(8);
        let some = method.search(engine, &[], budget(4000), &mut rng, &mut observer);
        assert!(some.len() + 3 >= expected.len());
        let state = stored(observer.keeper.states.last().expect("a state at the end"));
        assert!(state.playouts() < 4000 && state.best() == some);
        let found = method.resume(engine, &[], &state, budget(4000), &mut Unwatched);
        assert_eq!(found.expect("a good state"), expected);
    }
}

#[test]
fn a_search_that_reached_its_target_goes_on_exactly() {
    let game = Game::named("5D").expect("known");
    for info in METHODS {
        for given in settings(info.name) {
            let method = Method::named(info.name, &game, given).expect("a method");
            with_engine(&game, Target(&method));
        }
    }
}

/// Resumes from damaged states: each is refused, or leads to a legal game.
struct Damage<'a> {
    method: &'a Method,
    from: &'a [Move],
    rounds: usize,
}

impl EngineVisitor for Damage<'_> {
    type Output = (usize, usize);

    fn visit<E: Engine>(self, engine: &E) -> (usize, usize) {
        let Self { method, from, rounds } = self;
        let mut rng = Rng::seed_from_u64(2);
        let mut keeper = Keeper::new(false);
        method.search(engine, from, budget(333), &mut rng, &mut keeper);
        let text = serde_json::to_string(keeper.states.last().expect("a state")).expect("data");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        let (mut accepted, mut refused) = (0, 0);
        for round in 0..rounds {
            let damaged = if round % 2 == 0 {
                let mut value = value.clone();
                change_value(&mut value, &mut rng);
                value.to_string().into_bytes()
            } else {
                let mut bytes = text.clone().into_bytes();
                change_bytes(&mut bytes, &mut rng);
                bytes
            };
            let Ok(state) = serde_json::from_slice::<State>(&damaged) else {
                refused += 1;
                continue;
            };
            let most = state.playouts().saturating_add(40).min(1 << 60);
            let mut games = Keeper::new(true);
            let Ok(found) = method.resume(engine, from, &state, budget(most), &mut games) else {
                refused += 1;
                continue;
            };
            accepted += 1;
            for game in games.games.iter().chain([&found]) {
                assert!(game.starts_with(from));
                let mut position = PlainPosition::start(engine.game().clone());
                for &mv in game {
                    position.play(mv).expect("a legal game");
                }
            }
        }
        (accepted, refused)
    }
}

/// Puts something else in the place of a value somewhere inside.
fn change_value(value: &mut Value, rng: &mut Rng) {
    let mut below = |bound: usize| rng.next_u64() as usize % bound;
    let mut at = value;
    // Walks down at random, and stops at a leaf or sometimes before.
    loop {
        let inner = match at {
            Value::Array(items) => items.len(),
            Value::Object(fields) => fields.len(),
            _ => 0,
        };
        if inner == 0 || below(8) == 0 {
            break;
        }
        let n = below(inner);
        at = match at {
            Value::Array(items) => &mut items[n],
            Value::Object(fields) => fields.values_mut().nth(n).expect("counted"),
            _ => unreachable!("only these have values inside"),
        };
    }
    match (below(4), &mut *at) {
        (0, Value::Array(items)) => drop(items.pop()),
        (1, Value::Array(items)) if !items.is_empty() => items.reverse(),
        (2, Value::Array(items)) if !items.is_empty() => items.push(items[0].clone()),
        (0, Value::Number(number)) => {
            let next = number.as_i64().unwrap_or(0).wrapping_add(1);
            *at = next.into();
        }
        (1, Value::Number(number)) => {
            let before = number.as_i64().unwrap_or(0).wrapping_sub(1);
            *at = before.into();
        }
        _ => {
            let others = [
                Value::Null,
                0.into(),
                1.into(),
                7.into(),
                (-1).into(),
                u64::MAX.into(),
                i64::MIN.into(),
                1e300.into(),
                (1u64 << 33).into(),
                0.5.into(),
                "NE".into(),
                true.into(),
                Value::Array(vec![]),
                vec![Value::Null; 3].into(),
            ];
            *at = others[below(others.len())].clone();
        }
    }
}

/// Flips, cuts, removes or doubles bytes.
fn change_bytes(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let mut below = |bound: usize| rng.next_u64() as usize % bound;
    let at = below(bytes.len());
    match below(5) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..(at + 9).min(bytes.len()))),
        2 => bytes[at] ^= 1 << below(8),
        _ => {
            let digits: Vec<usize> =
                (0..bytes.len()).filter(|&i| bytes[i].is_ascii_digit()).collect();
            bytes[digits[below(digits.len())]] = b'0' + below(10) as u8;
        }
    }
}

#[test]
fn damaged_states_are_refused_or_lead_to_legal_games() {
    for (game, from, _) in games().into_iter().skip(1) {
        for info in METHODS {
            for given in settings(info.name) {
                let method = Method::named(info.name, &game, given).expect("a method");
                let task = Damage { method: &method, from: &from, rounds: 60 };
                let (accepted, refused) = with_engine(&game, task);
                assert!(accepted > 0 && refused > 5, "{} {accepted} {refused}", info.name);
            }
        }
    }
}

#[test]
fn a_state_of_another_method_is_refused() {
    let game = Game::named("5D").expect("known");
    let method = |name| Method::named(name, &game, []).expect("a method");
    let engine = rules::BitEngine::<5, false>::new();
    let mut keeper = Keeper::new(false);
    let mut rng = Rng::seed_from_u64(1);
    method("random").search(&engine, &[], budget(9), &mut rng, &mut keeper);
    for name in ["rs1", "sa", "nmcs", "nrpa", "temper", "auto"] {
        let refused =
            method(name).resume(&engine, &[], &keeper.states[0], budget(9), &mut Unwatched);
        assert_eq!(refused, Err(search::BadState::Method), "{name}");
    }
}
