//! A hundred thousand damaged files of every format, read and judged: no panic, no hang, no flood.

use std::io::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use geometry::{Game, Point, Start};
use hunt::{HuntBudget, HuntSpec};
use record::Record;
use search::MethodSpec;

use crate::common::Random;

const MUTATIONS: usize = 100_000;

fn found(game: Game) -> Record {
    let method = MethodSpec::named("random", &game, []).expect("a method");
    let budget = HuntBudget { playouts: Some(20), ..HuntBudget::default() };
    let spec = HuntSpec { game, prefix: Vec::new(), method, seed: 1, threads: 1, budget };
    hunt::run(&spec, None, &|_| std::ops::ControlFlow::Continue(()))
        .expect("a find")
        .game
        .into_record()
}

/// Valid files of every format.
fn valid_files() -> Vec<Vec<u8>> {
    let touching = found(Game::named("5T").expect("known"));
    let short = found(Game::named("4D").expect("known"));
    let dots = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 2), (0, 3)].map(|(x, y)| Point::new(x, y));
    let start = Start::from_dots(dots).expect("few dots");
    let custom = found(Game { rules: "4T".parse().expect("known"), start });
    let msr = touching.to_msr().expect("a usual game");
    let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    deflate.write_all(msr.as_bytes()).expect("in memory");
    let packed = deflate.finish().expect("in memory");
    let style = render::Style::default();
    let width = render::Size::Width(100);
    vec![
        touching.to_json().into(),
        short.to_json().into(),
        custom.to_json().into(),
        short.to_drawing().to_json().into(),
        touching.to_pentasol().expect("5T").into(),
        b"(4,0)|-2\n(5,4)-+2\n(3,8)\\+0\n".to_vec(),
        msr.into(),
        format!("MS1:{}", BASE64_URL_SAFE_NO_PAD.encode(packed)).into(),
        br#"{"game":"5T","moves":[{"new":[3,-1],"dir":"V","start":[3,-1]}]}"#.to_vec(),
        custom.to_text().into(),
        render::svg(&custom, &style).into(),
        render::png(&custom, &style, width).expect("a picture"),
    ]
}

fn damage(file: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    const WORDS: [&[u8]; 12] = [
        b"99999999999999999999",
        b"-1048577",
        b"1e9",
        b"\xff\xfe",
        b"\"",
        b"{\"",
        b"[[",
        b"null",
        b"\0",
        b"<!ENTITY",
        b"\n",
        b"5D",
    ];
    let at = random.below(file.len());
    let some = |random: &mut Random| 1 + random.below(40);
    match random.below(10) {
        // Another number in the same place: still a file, another game.
        6.. => {
            let digits: Vec<usize> =
                (0..file.len()).filter(|&i| file[i].is_ascii_digit()).collect();
            if let Some(&i) = digits.get(random.below(digits.len())) {
                file[i] = b'0' + random.below(10) as u8;
            }
        }
        0 => file[at] ^= 1 << random.below(8),
        1 => file.truncate(at),
        2 => drop(file.drain(at..(at + some(random)).min(file.len()))),
        3 => drop(file.splice(at..at, WORDS[random.below(WORDS.len())].iter().copied())),
        4 => {
            let copy = file[at..(at + some(random)).min(file.len())].to_vec();
            let place = random.below(file.len());
            drop(file.splice(place..place, copy));
        }
        _ => {
            let from = random.below(other.len());
            let piece = &other[from..(from + some(random)).min(other.len())];
            drop(file.splice(at..at, piece.iter().copied()));
        }
    }
}

/// Set for the process that reads the damaged files.
const ALONE: &str = "MORPION_TEST_MUTATIONS";

/// Runs in a process of its own, so that the peak of memory is that of this test alone.
#[test]
fn damaged_files_are_refused_or_judged() {
    if std::env::var_os(ALONE).is_none() {
        let this = std::env::current_exe().expect("the test program");
        let args = ["--exact", "mutations::damaged_files_are_refused_or_judged"];
        let command = std::process::Command::new(this).args(args).env(ALONE, "1").output();
        let output = command.expect("the test program runs");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    let files = valid_files();
    let five = Game::named("5T").expect("known");
    for file in &files {
        let record = record::read(file, None).or_else(|_| record::read(file, Some(&five)));
        verify::verify_game(&record.expect("a valid file").to_json()).expect("a legal game");
    }
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut legal, mut refused, mut unreadable) = (0, 0, 0);
    for round in 0..MUTATIONS {
        let mut file = files[round % files.len()].clone();
        let other = &files[random.below(files.len())];
        for _ in 0..=random.below(3) {
            if !file.is_empty() {
                damage(&mut file, other, &mut random);
            }
        }
        let _ = record::read_start(&file);
        let text = match record::native_text(&file) {
            Ok(Some(text)) => text.into_owned(),
            Ok(None) => match record::read(&file, Some(&five)) {
                Ok(record) => record.to_json(),
                Err(_) => {
                    unreadable += 1;
                    continue;
                }
            },
            Err(_) => {
                unreadable += 1;
                continue;
            }
        };
        let _ = verify::order(&text);
        match verify::verify_game(&text) {
            Ok(_) => legal += 1,
            Err(refusal) if refusal.is_malformed() => unreadable += 1,
            Err(_) => refused += 1,
        }
    }
    // The damage is neither harmless nor hopeless: all three outcomes are well tried.
    assert!(legal > 1000 && refused > 1000 && unreadable > 1000, "{legal} {refused} {unreadable}");
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string("/proc/self/status").expect("about this process");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
        assert!(kilobytes < 200_000, "{kilobytes} kB");
    }
}
