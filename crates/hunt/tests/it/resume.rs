//! A hunt that was stopped and resumed, however often and on however many threads, writes the
//! record of one that was never stopped; and nothing that is read as a checkpoint does harm.

use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use geometry::{Game, Move, Start};
use hunt::{Checkpoint, CheckpointError, Event, HuntBudget, HuntError, HuntResult, HuntSpec};
use record::{Play, Record};
use search::MethodSpec;
use serde_json::{Value, json};

/// Stops a hunt after some reports of progress, and keeps its last checkpoint.
struct Stopper {
    reports: AtomicUsize,
    every: Duration,
    saved: Mutex<Option<Vec<u8>>>,
}

impl Stopper {
    fn after(reports: usize, every: Duration) -> Self {
        Self { reports: AtomicUsize::new(reports), every, saved: Mutex::new(None) }
    }

    /// The last checkpoint, read back.
    fn saved(self) -> Option<Checkpoint> {
        let bytes = self.saved.into_inner().expect("no panic");
        bytes.map(|bytes| Checkpoint::from_bytes(&bytes).expect("as saved"))
    }
}

impl Stopper {
    fn report(&self, event: Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Progress { .. } => {
                let count = |left: usize| Some(left.saturating_sub(1));
                let _ = self.reports.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count);
            }
            Event::Checkpoint(checkpoint) => {
                let bytes = checkpoint.to_bytes().expect("small");
                *self.saved.lock().expect("no panic") = Some(bytes);
            }
            _ => {}
        }
        match self.reports.load(Ordering::Relaxed) {
            0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }

    fn run(&self, spec: &HuntSpec) -> HuntResult {
        hunt::run(spec, Some(self.every), &|event| self.report(event)).expect("a game")
    }

    fn resume(&self, checkpoint: Checkpoint, budget: HuntBudget) -> HuntResult {
        let on = |event: Event<'_>| self.report(event);
        hunt::resume(checkpoint, budget, Some(self.every), &on).expect("a game")
    }
}

const NEVER: usize = usize::MAX;
const AT_THE_END: Duration = Duration::from_secs(1000);

/// So short that runs are compared many times, within a thread and between threads.
const SHORT_ROUNDS: [(&str, &str); 4] =
    [("replicas", "4"), ("proposals", "20"), ("round", "1000"), ("one-in", "2")];

fn spec(
    game: &Game,
    method: &str,
    parameters: &[(&str, &str)],
    threads: u32,
    budget: HuntBudget,
) -> HuntSpec {
    let method = MethodSpec::named(method, game, parameters.iter().copied()).expect("a method");
    HuntSpec { game: game.clone(), prefix: Vec::new(), method, seed: 3, threads, budget }
}

fn playouts(playouts: u64) -> HuntBudget {
    HuntBudget { playouts: Some(playouts), ..HuntBudget::default() }
}

fn stopped_and_resumed(spec: &HuntSpec, reports: usize, every: Duration) -> String {
    let stopper = Stopper::after(reports, every);
    let mut found = stopper.run(spec);
    let mut saved = stopper.saved();
    // Every session gets a little further than the last.
    for session in 1.. {
        if Some(found.playouts) == spec.budget.playouts {
            break;
        }
        let stopper = Stopper::after(reports * session, every);
        let next = saved.take().expect("a hunt that is stopped is saved");
        next.check_compatible(spec).expect("the same hunt");
        assert!(Some(next.playouts()) <= spec.budget.playouts);
        found = stopper.resume(next, spec.budget);
        saved = stopper.saved();
    }
    found.game.to_json()
}

#[test]
fn a_resumed_hunt_writes_the_record_of_an_uninterrupted_one() {
    let five = Game::named("5D").expect("known");
    let plain =
        Game { rules: "5D".parse().expect("known"), start: Start::cross(3).expect("in range") };
    let nrpa = [("level", "2"), ("iterations", "20"), ("beam", "2")];
    for (game, method, parameters, most) in [
        (&five, "random", &[][..], 20_001),
        (&five, "rs1", &[("samples", "3")], 20_001),
        (&five, "sa", &[("steps", "9000")], 2_000_001),
        (&five, "nmcs", &[("level", "2")], 20_001),
        (&five, "nrpa", &nrpa, 5_001),
        (&five, "auto", &[], 20_001),
        (&five, "temper", &SHORT_ROUNDS, 60_001),
        (&plain, "auto", &[], 3_001),
    ] {
        for threads in [1, 3] {
            let spec = spec(game, method, parameters, threads, playouts(most));
            let whole = Stopper::after(NEVER, AT_THE_END).run(&spec);
            assert_eq!(whole.playouts, most);
            let expected = whole.game.to_json();
            for every in [AT_THE_END, Duration::from_millis(1)] {
                let found = stopped_and_resumed(&spec, 7, every);
                assert_eq!(found, expected, "{method} on {threads} threads");
            }
        }
    }
}

fn moves(record: Record) -> Vec<Move> {
    match record.play {
        Play::Moves(moves) => moves,
        Play::Drawing(_) => panic!("a game has moves"),
    }
}

#[test]
fn first_moves_budgets_and_times_are_those_of_all_sessions() {
    let game = Game::named("5D").expect("known");
    let never = Stopper::after(NEVER, AT_THE_END);
    let mut prefix =
        moves(never.run(&spec(&game, "random", &[], 1, playouts(500))).game.into_record());
    prefix.truncate(20);
    let first =
        HuntSpec { prefix: prefix.clone(), ..spec(&game, "temper", &[], 2, playouts(1000)) };
    let stopper = Stopper::after(NEVER, AT_THE_END);
    let before = stopper.run(&first);
    let saved = stopper.saved().expect("saved at the end");
    assert_eq!((saved.playouts(), saved.spec.threads), (1000, 2));
    assert_eq!(saved.spec.prefix, prefix);
    assert_eq!(saved.best(), moves(before.game.into_record()));
    assert_eq!(saved.spec.budget, HuntBudget::default());
    // A smaller budget is spent already, a larger one is not.
    assert_eq!(never.resume(saved.clone(), playouts(10)).playouts, 1000);
    let after = never.resume(saved.clone(), playouts(3000));
    assert_eq!(after.playouts, 3000);
    assert!(after.cpu >= before.cpu && after.wall >= before.wall);
    assert!(moves(after.game.into_record()).starts_with(&prefix));
    // A game that reaches the target is known already.
    let reached = HuntBudget { target: Some(saved.best().len()), ..playouts(3000) };
    assert_eq!(never.resume(saved.clone(), reached).playouts, 1000);
    let other = HuntSpec { seed: 4, ..first };
    let refused = saved.check_compatible(&other).expect_err("another seed");
    assert!(refused.to_string().contains("seed"), "{refused}");
}

#[test]
fn threads_receive_the_results_of_the_others() {
    let game = Game::named("5D").expect("known");
    let stopper = Stopper::after(NEVER, AT_THE_END);
    let _ = stopper.run(&spec(&game, "temper", &SHORT_ROUNDS, 3, playouts(60_000)));
    let saved = unpacked(&stopper.saved().expect("saved").to_bytes().expect("small"));
    let first_round = |island: &Value| -> (usize, usize) {
        let inside = &island["search"]["temper"];
        let told = inside["told"].as_array().expect("a list").iter();
        let own = told.filter(|word| word["round"] == 0).count();
        (inside["rounds"][0]["scores"].as_array().expect("a list").len(), own)
    };
    let islands: Vec<_> =
        saved["islands"].as_array().expect("a list").iter().map(first_round).collect();
    let own: usize = islands.iter().map(|(_, own)| own).sum();
    for &(known, alone) in &islands {
        // All of its own, and those of the others except the last ones published.
        assert!(known > alone + 5 && known + 4 >= own, "{islands:?}");
    }
}

fn unpacked(bytes: &[u8]) -> Value {
    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text).expect("packed");
    serde_json::from_str(&text).expect("JSON")
}

fn packed(text: &str) -> Vec<u8> {
    let mut pack = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    pack.write_all(text.as_bytes()).expect("in memory");
    pack.finish().expect("in memory")
}

/// A small checkpoint.
fn example() -> Vec<u8> {
    let game = Game::named("5D").expect("known");
    let stopper = Stopper::after(NEVER, AT_THE_END);
    let parameters = [("replicas", "2"), ("proposals", "9"), ("round", "30")];
    let _ = stopper.run(&spec(&game, "temper", &parameters, 2, playouts(200)));
    stopper.saved.into_inner().expect("no panic").expect("saved")
}

#[test]
fn what_is_not_a_checkpoint_is_refused_with_the_reason() {
    let good = unpacked(&example());
    Checkpoint::from_bytes(&packed(&good.to_string())).expect("still good");
    let cases = [
        ("format", json!("morpion-search/2"), "morpion-search/2"),
        ("program", json!("morpion 99.0.0"), "morpion 99.0.0"),
        ("rules", json!("5X"), "like 5T"),
        ("start", json!({"cross": 0}), "side"),
        ("start", json!({"dots": [[9_999_999, 0]]}), "limit"),
        ("start", json!({"dots": []}), "refuses"),
        ("from", json!(1000), "first moves"),
        ("method", json!("none"), "no such method"),
        ("parameters", json!({"coldest": "nan"}), "coldest"),
        ("threads", json!(3), "threads"),
        ("threads", json!(0), "threads"),
        ("cpu_seconds", json!(-1), "time"),
        ("wall_seconds", json!(1e300), "time"),
        ("best", json!([[0, 0, "E", 0]]), "refuses"),
        ("best", json!([["x"]]), "not a saved search"),
        ("more", json!(1), "unknown field"),
    ];
    for (field, value, reason) in cases {
        let mut bad = good.clone();
        bad[field] = value;
        let error = Checkpoint::from_bytes(&packed(&bad.to_string())).expect_err(field);
        assert!(error.to_string().contains(reason), "{field}: {error}");
    }
    for bytes in [&b""[..], b"{}", &example()[..100], &packed("{"), &packed("[]")] {
        Checkpoint::from_bytes(bytes).expect_err("not a checkpoint");
    }
    // The states of the searches are checked too.
    for (path, value) in [
        ("/islands/1/generator/s", json!([0, 0, 0, 0])),
        ("/islands/0/search", json!("random")),
        ("/islands/1/search/temper/run/turn/replica", json!(2)),
        ("/islands/1/search/temper/run/replicas/0/lines/3", json!([0, 0, "E", 0])),
        ("/islands/0/search/temper/rounds/0/resting/0/0", json!(1000)),
        ("/islands/0/search/temper/rounds/0/resting/0/1/turn/proposals", json!(1)),
        ("/islands/0/search/temper/told/0/round", json!(64)),
        ("/islands/1/best/0/3", json!(200)),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(path).expect("there is such a value") = value;
        let refused = Checkpoint::from_bytes(&packed(&bad.to_string()));
        let is_state = |error: &CheckpointError| {
            matches!(error, CheckpointError::State(HuntError::State { .. }))
        };
        assert!(refused.as_ref().is_err_and(is_state), "{path}: {refused:?}");
    }
}

#[test]
fn a_bomb_is_refused() {
    let mut pack = GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..200 {
        pack.write_all(&[b' '; 1 << 20]).expect("in memory");
    }
    let bomb = pack.finish().expect("in memory");
    assert!(bomb.len() < 400_000);
    assert!(matches!(Checkpoint::from_bytes(&bomb), Err(CheckpointError::TooLarge(_))));
}

#[test]
fn damaged_bytes_do_no_harm() {
    let bytes = example();
    let text = unpacked(&bytes).to_string();
    let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut below = |bound: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random as usize % bound
    };
    let mut resumed = 0;
    for round in 0..1500 {
        let damaged = if round % 3 == 0 {
            let mut damaged = bytes.clone();
            let at = below(damaged.len());
            match round % 2 {
                0 => damaged[at] ^= 1 << below(8),
                _ => damaged.truncate(at),
            }
            damaged
        } else {
            let mut damaged = text.clone().into_bytes();
            for _ in 0..=below(2) {
                let at = below(damaged.len());
                if damaged[at].is_ascii_digit() {
                    damaged[at] = b'0' + below(10) as u8;
                } else if round % 7 == 0 {
                    damaged.remove(at);
                }
            }
            packed(&String::from_utf8(damaged).expect("ASCII"))
        };
        let Ok(saved) = Checkpoint::from_bytes(&damaged) else { continue };
        let budget = playouts(saved.playouts().saturating_add(10));
        let found = Stopper::after(NEVER, AT_THE_END).resume(saved, budget);
        assert_eq!(found.game.moves().len(), found.game.score() as usize);
        resumed += 1;
    }
    assert!(resumed > 100 && resumed < 1400, "{resumed}");
}
