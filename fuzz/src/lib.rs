//! Everything that reads bytes from outside, one function each, and files to start from.
//!
//! `scripts/fuzz` runs them under libFuzzer, and the tests of the command mutate the same files for
//! a fixed number of rounds. A reader may refuse anything; it may not panic, and what it accepts
//! must keep its promises.
#![allow(unreachable_pub, dead_code)]

use std::path::{Path, PathBuf};

use evidence::AnyCheck;
use geometry::Game;

/// A reader of bytes.
pub struct Reader {
    /// The name of its target.
    pub name: &'static str,
    /// Reads, and panics if a promise is broken.
    pub read: fn(&[u8]),
    /// Files to start from; the argument is the folder of this repository.
    pub seeds: fn(&Path) -> Vec<Vec<u8>>,
}

/// All readers.
pub const READERS: &[Reader] = &[
    Reader { name: "games", read: games, seeds: game_files },
    Reader { name: "proofs", read: proofs, seeds: proof_files },
    Reader { name: "records", read: records, seeds: record_files },
    Reader { name: "starts", read: starts, seeds: record_files },
    Reader { name: "formulas", read: formulas, seeds: formula_files },
    Reader { name: "plans", read: plans, seeds: plan_files },
    Reader { name: "tasks", read: tasks, seeds: task_files },
    Reader { name: "checkpoints", read: checkpoints, seeds: checkpoint_files },
    Reader { name: "networks", read: networks, seeds: network_files },
];

/// Both verifiers on a game, which must agree; a legal game must have an order.
pub fn games(bytes: &[u8]) {
    let checked = evidence::verify_any(bytes, None);
    let Ok(text) = verify::read(bytes) else { return };
    let ordered = verify::order(&text);
    if record::recognise(text.as_bytes()) != record::Format::Native || verify::is_proof(&text) {
        return;
    }
    match (verify::verify_game(&text), checked) {
        (Ok(game), Ok(AnyCheck::Game(check))) => {
            let other = check.verdict.expect("one verifier accepts it, the other must");
            assert_eq!(game.score(), other.score());
            assert!(matches!(ordered, Ok(verify::OrderResult::Ordered { .. })), "no order");
        }
        (Err(refusal), Ok(AnyCheck::Game(check))) => {
            assert_eq!(check.verdict.expect_err("refused").to_string(), refusal.to_string());
        }
        (Err(refusal), Err(_)) => assert!(refusal.is_malformed(), "{refusal}"),
        (one, other) => panic!("{one:?} and {other:?}"),
    }
}

/// A proof within its budget.
pub fn proofs(bytes: &[u8]) {
    let Ok(text) = verify::read(bytes) else { return };
    if let Ok(proven) = verify::verify_proof(&text) {
        assert!(proven.stats().steps <= verify::allowed_steps(text.len()));
        assert!(verify::is_proof(&text));
    }
}

/// A game in any format, which is the same when it is written and read again.
pub fn records(bytes: &[u8]) {
    let game = Game::named("5T").expect("a known game");
    if let Ok(read) = record::read(bytes, Some(&game)) {
        let again = record::read(read.to_json().as_bytes(), None);
        assert_eq!(again.as_ref(), Ok(&read));
    }
}

/// A start.
pub fn starts(bytes: &[u8]) {
    let _ = record::read_start(bytes);
}

/// A formula in DIMACS, and a model.
pub fn formulas(bytes: &[u8]) {
    let _ = reduce::Formula::read(bytes);
    let _ = reduce::Assignment::read(bytes, 8);
}

/// A plan of runs.
pub fn plans(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = lab::jobs::JobPlan::parse(text, "plan");
    }
}

/// A task, and what a worker submits for it.
pub fn tasks(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (task, result) = text.split_once('\0').unwrap_or((text, ""));
    if let Ok(job) = lab::jobs::Job::parse(task) {
        let _ = lab::jobs::verify_result(&job, result.as_bytes());
    }
}

/// The state of a hunt.
pub fn checkpoints(bytes: &[u8]) {
    let _ = hunt::Checkpoint::from_bytes(bytes);
}

/// A network.
pub fn networks(bytes: &[u8]) {
    let _ = learn::NetworkFile::from_bytes(bytes);
}

/// All files in a folder of the repository, the text of those that are compressed.
fn files(root: &Path, folder: &str, most: usize) -> Vec<Vec<u8>> {
    let paths = paths(root, folder);
    let bytes = paths.iter().filter_map(|path| std::fs::read(path).ok());
    let texts = bytes.map(|it| verify::read(&it[..]).map_or(it, String::into_bytes));
    texts.filter(|text| text.len() <= most).collect()
}

fn paths(root: &Path, folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn game_files(root: &Path) -> Vec<Vec<u8>> {
    let folders = ["games", "crates/verify/tests/accepted", "crates/verify/tests/refused"];
    folders.iter().flat_map(|folder| files(root, folder, 20_000)).collect()
}

fn proof_files(root: &Path) -> Vec<Vec<u8>> {
    let folders = ["proofs/endless", "crates/verify/tests/bound", "crates/verify/tests/endless"];
    let whole = folders.iter().flat_map(|folder| files(root, folder, 20_000));
    whole.chain(paths(root, "proofs").iter().filter_map(|path| beginning(path))).collect()
}

/// The first lines of a compressed proof, which is read up to where it is cut.
fn beginning(path: &Path) -> Option<Vec<u8>> {
    use std::io::Read as _;
    let mut proof = Vec::new();
    let file = std::fs::File::open(path).ok()?;
    flate2::read::GzDecoder::new(file).take(20_000).read_to_end(&mut proof).ok()?;
    let end = proof.iter().rposition(|&byte| byte == b'\n')?;
    proof.truncate(end + 1);
    Some(proof)
}

fn record_files(root: &Path) -> Vec<Vec<u8>> {
    let mut all = files(root, "games", 20_000);
    let read = |bytes: &Vec<u8>| record::read(bytes, None).ok();
    for record in all.iter().filter_map(read).collect::<Vec<_>>() {
        all.push(record.to_text().into_bytes());
        all.push(format!("<svg>{}</svg>", record.to_svg_metadata()).into_bytes());
        all.extend(record.to_msr().map(String::into_bytes));
        all.extend(record.to_pentasol().map(String::into_bytes));
    }
    all.push(br#"{"game":"5T","moves":[{"new":[3,-1],"dir":"V","start":[3,-1]}]}"#.to_vec());
    all.push(b"3,4\n5,6\n".to_vec());
    all
}

fn formula_files(_: &Path) -> Vec<Vec<u8>> {
    let texts = ["p cnf 3 2\n1 -2 3 0\n-1 2 0\n", "c a\np cnf 1 1\n1 0\n", "v 1 -2 3 0\n", "1 -2"];
    texts.map(|text| text.as_bytes().to_vec()).into()
}

fn plan_files(_: &Path) -> Vec<Vec<u8>> {
    let hunt = "[[hunt]]\ngame = \"5D\"\nmethod = \"random\"\ntime = \"200ms\"\nrepetitions = 9\n";
    let proof = "losses = 7\n[[proof]]\ngame = \"5T\"\nboards = [\"square:8\", \"box:1,1,1,1\"]\n";
    [hunt, proof].map(|text| text.as_bytes().to_vec()).into()
}

fn task_files(root: &Path) -> Vec<Vec<u8>> {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("a plan of ours");
    let plans = plan_files(root)
        .into_iter()
        .map(|plan| lab::jobs::JobPlan::parse(&text(plan), "plan").expect("a plan of ours"));
    let game = text(files(root, "games", 20_000).swap_remove(0));
    let jobs: Vec<lab::jobs::Job> = plans.flat_map(|plan| plan.jobs).collect();
    let seed = |job: &lab::jobs::Job| {
        let mut result = lab::jobs::JobResult::new(job, 0.5);
        result.game = Some(game.clone());
        [job.body().as_bytes(), b"\0", &result.to_bytes()].concat()
    };
    jobs.iter().map(seed).collect()
}

fn checkpoint_files(_: &Path) -> Vec<Vec<u8>> {
    use std::ops::ControlFlow;
    let game = Game::named("5D").expect("a known game");
    let method = search::MethodSpec::named("random", &game, []).expect("a method");
    let budget = hunt::HuntBudget { playouts: Some(20), ..hunt::HuntBudget::default() };
    let spec = hunt::HuntSpec { game, prefix: Vec::new(), method, seed: 1, threads: 1, budget };
    let saved = std::sync::Mutex::new(Vec::new());
    let every = Some(std::time::Duration::ZERO);
    let _ = hunt::run(&spec, every, &|event| {
        if let hunt::Event::Checkpoint(checkpoint) = event {
            let mut saved = saved.lock().expect("one thread");
            if saved.len() < 3 {
                saved.extend(checkpoint.to_bytes().ok());
            }
        }
        ControlFlow::Continue(())
    });
    saved.into_inner().expect("one thread")
}

fn network_files(root: &Path) -> Vec<Vec<u8>> {
    std::fs::read(root.join("models/5D.net")).into_iter().collect()
}
