//! The law of resuming: a search that was stopped and resumed, however often, finds what one that
//! was never stopped finds; and a damaged state is refused, or gives a legal game.

use std::ops::ControlFlow;

use geometry::{Game, Move, Start};
use rand::{Rng as _, SeedableRng};
use rules::{PlainPosition, Position};
use search::{Budget, Event, METHODS, MethodSpec, Rng, Search, SearchState, StateError};
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
            vec![("replicas", "3"), ("proposals", "7"), ("round", "100"), ("launch", "0")],
            vec![("replicas", "3"), ("proposals", "7"), ("round", "100"), ("launch", "30")],
            vec![
                ("replicas", "2"),
                ("proposals", "9"),
                ("round", "40"),
                ("launch", "90"),
                ("free", "2"),
                ("price-cold", "1"),
                ("remake", "0.3"),
            ],
            vec![
                ("replicas", "3"),
                ("proposals", "7"),
                ("round", "100"),
                ("launch", "60"),
                ("free", "2"),
                ("price-cold", "1"),
                ("remake", "0.3"),
                ("symmetry", "1"),
            ],
            vec![("replicas", "2"), ("proposals", "9"), ("remake", "0.3"), ("symmetry", "4")],
            vec![("replicas", "1"), ("proposals", "50"), ("round", "0")],
        ],
        _ => vec![vec![]],
    }
}

/// A search to the end of its budget, with its states.
struct Outcome {
    best: Vec<Move>,
    /// All games reported.
    games: Vec<Vec<Move>>,
    /// The states on the way, if wanted, and the last one.
    states: Vec<SearchState>,
}

/// Runs a search until it has made so many playouts, or found a game of `target` moves.
fn drive(mut search: Search, playouts: u64, often: bool, target: usize) -> Outcome {
    let (mut games, mut states) = (Vec::new(), Vec::new());
    let mut on = |event: Event<'_>| {
        if let Event::Improved(game) = event {
            games.push(game.to_vec());
            if game.len() >= target {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    let best = {
        let mut meter = search.meter(Budget::playouts(playouts), &mut on);
        let mut steps = 0;
        while search.step(&mut meter).is_continue() {
            steps += 1;
            if often && steps % 29 == 0 {
                states.push(search.state(&meter).expect("nothing was cut"));
            }
        }
        states.push(search.state(&meter).expect("nothing was cut"));
        search.finish(&mut meter)
    };
    Outcome { best, games, states }
}

impl Outcome {
    fn last(&self) -> &SearchState {
        self.states.last().expect("a state at the end")
    }
}

/// A method on a game, from a position.
struct Case<'a> {
    game: &'a Game,
    prefix: &'a [Move],
    method: &'a MethodSpec,
}

impl Case<'_> {
    fn start(&self, seed: u64) -> Search {
        self.method.start(self.game, self.prefix, Rng::seed_from_u64(seed))
    }

    fn resume(&self, state: &SearchState) -> Search {
        self.method.resume(self.game, self.prefix, state).expect("a good state")
    }
}

/// Through a file and back.
fn stored(state: &SearchState) -> SearchState {
    let text = serde_json::to_string(state).expect("plain data");
    let read: SearchState = serde_json::from_str(&text).expect("as written");
    assert_eq!(&read, state);
    read
}

/// A random game's first moves.
fn first_moves(game: &Game, moves: usize) -> Vec<Move> {
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
    let from = first_moves(&named("5D"), 12);
    let plain = first_moves(&cross("5D", 3), 4);
    vec![
        (named("5D"), vec![], 1500),
        (named("5D"), from, 1500),
        (named("4T"), vec![], 1000),
        (named("6T"), vec![], 500),
        (cross("5D", 3), vec![], 600),
        (cross("5D", 3), plain, 600),
    ]
}

fn check_law(case: &Case<'_>, playouts: u64, name: &str) {
    let whole = drive(case.start(5), playouts, true, usize::MAX);

    // Cut at random places, several times.
    let mut random = Rng::seed_from_u64(17);
    for _ in 0..2 {
        let mut cuts: Vec<u64> = (0..6).map(|_| random.next_u64() % playouts).collect();
        cuts.sort_unstable();
        let mut outcome = drive(case.start(5), cuts[0], false, usize::MAX);
        for cut in cuts[1..].iter().copied().chain([playouts]) {
            let search = case.resume(&stored(outcome.last()));
            outcome = drive(search, cut, false, usize::MAX);
        }
        assert_eq!(outcome.best, whole.best, "{name}");
        assert!(outcome.last() == whole.last(), "{name}");
    }

    // From states that were taken on the way.
    for _ in 0..3 {
        let state = &whole.states[random.next_u32() as usize % whole.states.len()];
        let outcome = drive(case.resume(&stored(state)), playouts, false, usize::MAX);
        assert_eq!(outcome.best, whole.best, "{name}");
        assert!(outcome.last() == whole.last(), "{name}");
    }

    // With a smaller budget than was spent, nothing happens.
    assert_eq!(drive(case.resume(whole.last()), 1, false, usize::MAX).best, whole.best, "{name}");
}

#[test]
fn a_resumed_search_finds_what_an_uninterrupted_one_finds() {
    for (game, prefix, playouts) in games() {
        for info in METHODS {
            for given in settings(info.name) {
                let name = format!("{} {given:?} on {game} from {}", info.name, prefix.len());
                let method = MethodSpec::named(info.name, &game, given).expect("a method");
                let case = Case { game: &game, prefix: &prefix, method: &method };
                check_law(&case, playouts, &name);
            }
        }
    }
}

#[test]
fn a_search_that_reached_its_target_resumes_exactly() {
    let game = Game::named("5D").expect("known");
    for info in METHODS {
        for given in settings(info.name) {
            let method = MethodSpec::named(info.name, &game, given).expect("a method");
            let case = Case { game: &game, prefix: &[], method: &method };
            let expected = drive(case.start(8), 4000, false, usize::MAX).best;
            let some = drive(case.start(8), 4000, false, expected.len() - 3);
            assert!(some.best.len() + 3 >= expected.len());
            let state = stored(some.last());
            assert!(state.playouts() < 4000 && state.best() == some.best);
            assert_eq!(drive(case.resume(&state), 4000, false, usize::MAX).best, expected);
        }
    }
}

/// Resumes from damaged states: each is refused, or leads to a legal game. Returns how many were
/// accepted and refused.
fn check_damage(case: &Case<'_>, rounds: usize) -> (usize, usize) {
    let mut rng = Rng::seed_from_u64(2);
    let whole = drive(case.start(2), 333, false, usize::MAX);
    let text = serde_json::to_string(whole.last()).expect("plain data");
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
        let state = serde_json::from_slice::<SearchState>(&damaged).ok();
        let resumed = state.and_then(|state| {
            Some((case.method.resume(case.game, case.prefix, &state).ok()?, state))
        });
        let Some((search, state)) = resumed else {
            refused += 1;
            continue;
        };
        accepted += 1;
        let most = state.playouts().saturating_add(40).min(1 << 60);
        let outcome = drive(search, most, true, usize::MAX);
        for game in outcome.games.iter().chain([&outcome.best]) {
            assert!(game.starts_with(case.prefix));
            PlainPosition::start(case.game.clone()).play_all(game).expect("a legal game");
        }
    }
    (accepted, refused)
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
    for (game, prefix, _) in games().into_iter().skip(1) {
        for info in METHODS {
            for given in settings(info.name) {
                let method = MethodSpec::named(info.name, &game, given).expect("a method");
                let case = Case { game: &game, prefix: &prefix, method: &method };
                let (accepted, refused) = check_damage(&case, 60);
                assert!(accepted > 0 && refused > 5, "{} {accepted} {refused}", info.name);
            }
        }
    }
}

#[test]
fn a_state_of_another_method_is_refused() {
    let game = Game::named("5D").expect("known");
    let method = |name| MethodSpec::named(name, &game, []).expect("a method");
    let random = method("random");
    let case = Case { game: &game, prefix: &[], method: &random };
    let outcome = drive(case.start(1), 9, false, usize::MAX);
    for name in ["rs1", "sa", "nmcs", "nrpa", "pool", "temper", "auto"] {
        let refused = method(name).resume(&game, &[], outcome.last()).err();
        assert_eq!(refused, Some(StateError::Method), "{name}");
    }
}
