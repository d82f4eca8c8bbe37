//! A hunt that was stopped and resumed, however often and on however many threads, writes the record
//! of one that was never stopped; and nothing that is read as a saved hunt does harm.

use std::io::{Read, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use geometry::{Game, Move, Start};
use hunt::{BadSave, Hunt, HuntError, SavedHunt, Watcher, hunt, resume};
use record::{Play, Record};
use search::Method;
use serde_json::{Value, json};

/// Stops a hunt after so many questions, and keeps what was saved.
struct Stopper {
    questions: AtomicUsize,
    every: Duration,
    saved: Mutex<Option<Vec<u8>>>,
}

impl Stopper {
    fn after(questions: usize, every: Duration) -> Self {
        Self { questions: AtomicUsize::new(questions), every, saved: Mutex::new(None) }
    }

    /// What was saved last, read back.
    fn saved(self) -> Option<SavedHunt> {
        let bytes = self.saved.into_inner().expect("no panic");
        bytes.map(|bytes| SavedHunt::from_bytes(&bytes).expect("as saved"))
    }
}

impl Watcher for Stopper {
    fn improved(&self, _record: &Record) {}

    fn stands(&self, _best: usize, _playouts: u64) {
        let count = |left: usize| Some(left.saturating_sub(1));
        let _ = self.questions.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count);
    }

    fn wants_stop(&self) -> bool {
        self.questions.load(Ordering::Relaxed) == 0
    }

    fn save_every(&self) -> Option<Duration> {
        Some(self.every)
    }

    fn save(&self, saved: &SavedHunt) {
        *self.saved.lock().expect("no panic") = Some(saved.to_bytes().expect("small"));
    }
}

const NEVER: usize = usize::MAX;
const AT_THE_END: Duration = Duration::from_secs(1000);

/// So short that runs are compared, within a thread and between threads, many times.
const SHORT_ROUNDS: [(&str, &str); 4] =
    [("replicas", "4"), ("proposals", "20"), ("round", "1000"), ("one-in", "2")];

fn wish(game: &Game, method: &str, parameters: &[(&str, &str)], threads: u32) -> Hunt {
    let method = Method::named(method, game, parameters.iter().copied()).expect("a method");
    Hunt {
        game: game.clone(),
        from: Vec::new(),
        method,
        seed: 3,
        threads,
        playouts: None,
        time: None,
        target: None,
    }
}

fn stopped_and_resumed(wish: &Hunt, playouts: u64, questions: usize, every: Duration) -> String {
    let wish = Hunt { playouts: Some(playouts), ..wish.clone() };
    let stopper = Stopper::after(questions, every);
    let mut find = hunt(&wish, &stopper).expect("a find");
    let mut saved = stopper.saved();
    // Every session gets a little further than the last.
    for session in 1.. {
        if find.playouts == playouts {
            break;
        }
        let stopper = Stopper::after(questions * session, every);
        let mut next = saved.take().expect("a hunt that is stopped is saved");
        assert!(next.playouts() <= playouts);
        next.hunt.playouts = Some(playouts);
        find = resume(next, &stopper).expect("a find");
        saved = stopper.saved();
    }
    find.game.to_json()
}

#[test]
fn a_resumed_hunt_writes_the_record_of_an_uninterrupted_one() {
    let five = Game::named("5D").expect("known");
    let plain =
        Game { rules: "5D".parse().expect("known"), start: Start::cross(3).expect("in range") };
    let nrpa = [("level", "2"), ("iterations", "20"), ("beam", "2")];
    for (game, method, parameters, playouts) in [
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
            let wish = wish(game, method, parameters, threads);
            let whole = Hunt { playouts: Some(playouts), ..wish.clone() };
            let whole = hunt(&whole, &Stopper::after(NEVER, AT_THE_END)).expect("a find");
            assert_eq!(whole.playouts, playouts);
            let expected = whole.game.to_json();
            for every in [AT_THE_END, Duration::from_millis(1)] {
                let found = stopped_and_resumed(&wish, playouts, 7, every);
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
    let plain = Hunt { playouts: Some(500), ..wish(&game, "random", &[], 1) };
    let never = Stopper::after(NEVER, AT_THE_END);
    let mut from = moves(hunt(&plain, &never).expect("a find").game.into_record());
    from.truncate(20);
    let first = Hunt { from: from.clone(), playouts: Some(1000), ..wish(&game, "temper", &[], 2) };
    let stopper = Stopper::after(NEVER, AT_THE_END);
    let before = hunt(&first, &stopper).expect("a find");
    let mut saved = stopper.saved().expect("saved at the end");
    assert_eq!((saved.playouts(), saved.hunt.threads), (1000, 2));
    assert_eq!(saved.hunt.from, from);
    assert_eq!(saved.best(), moves(before.game.into_record()));
    assert_eq!((saved.hunt.playouts, saved.hunt.time), (None, None));
    // A smaller budget is spent already, a larger one goes on.
    saved.hunt.playouts = Some(10);
    assert_eq!(resume(saved.clone(), &never).expect("a find").playouts, 1000);
    saved.hunt.playouts = Some(3000);
    let after = resume(saved.clone(), &never).expect("a find");
    assert_eq!(after.playouts, 3000);
    assert!(after.cpu >= before.cpu && after.wall >= before.wall);
    assert!(moves(after.game.into_record()).starts_with(&from));
    // What is long enough is found already.
    saved.hunt.target = Some(saved.best().len());
    assert_eq!(resume(saved, &never).expect("a find").playouts, 1000);
}

#[test]
fn threads_hear_how_the_runs_of_the_others_end() {
    let game = Game::named("5D").expect("known");
    let wish = Hunt { playouts: Some(60_000), ..wish(&game, "temper", &SHORT_ROUNDS, 3) };
    let stopper = Stopper::after(NEVER, AT_THE_END);
    hunt(&wish, &stopper).expect("a find");
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
        // All of its own, and those of the others but for what they told last.
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

/// A small saved hunt.
fn example() -> Vec<u8> {
    let game = Game::named("5D").expect("known");
    let stopper = Stopper::after(NEVER, AT_THE_END);
    let parameters = [("replicas", "2"), ("proposals", "9"), ("round", "30")];
    let wish = Hunt { playouts: Some(200), ..wish(&game, "temper", &parameters, 2) };
    hunt(&wish, &stopper).expect("a find");
    stopper.saved.into_inner().expect("no panic").expect("saved")
}

#[test]
fn what_is_no_saved_hunt_is_refused_and_says_why() {
    let good = unpacked(&example());
    SavedHunt::from_bytes(&packed(&good.to_string())).expect("still good");
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
        let error = SavedHunt::from_bytes(&packed(&bad.to_string())).expect_err(field);
        assert!(error.to_string().contains(reason), "{field}: {error}");
    }
    for bytes in [&b""[..], b"{}", &example()[..100], &packed("{"), &packed("[]")] {
        SavedHunt::from_bytes(bytes).expect_err("no saved hunt");
    }
    // What only the search can know is refused before any thread starts.
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
        let saved = SavedHunt::from_bytes(&packed(&bad.to_string())).expect("looks well");
        let refused = resume(saved, &Stopper::after(NEVER, AT_THE_END));
        assert!(matches!(refused, Err(HuntError::State { .. })), "{path}");
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
    assert!(matches!(SavedHunt::from_bytes(&bomb), Err(BadSave::TooLarge(_))));
}

#[test]
fn damaged_bytes_do_no_harm() {
    let bytes = example();
    let text = unpacked(&bytes).to_string();
    let mut chance: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut below = |bound: usize| {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        chance as usize % bound
    };
    let mut gone_on = 0;
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
        let Ok(mut saved) = SavedHunt::from_bytes(&damaged) else { continue };
        saved.hunt.playouts = Some(saved.playouts().saturating_add(10));
        if let Ok(find) = resume(saved, &Stopper::after(NEVER, AT_THE_END)) {
            assert_eq!(find.game.moves().len(), find.game.score() as usize);
            gone_on += 1;
        }
    }
    assert!(gone_on > 100 && gone_on < 1400, "{gone_on}");
}
