//! Every reader on damaged files, for a fixed number of rounds: the same functions and files that
//! `scripts/fuzz` gives to libFuzzer.

use std::path::Path;

use crate::common::Random;
use crate::fuzz::READERS;

/// How often the files of each reader are damaged; MORPION_READERS sets another number.
const ROUNDS: usize = 2000;

fn damage(file: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    const WORDS: [&[u8]; 10] = [
        b"99999999999999999999",
        b"-9223372036854775808",
        b"4294967296",
        b"-1",
        b"1e400",
        b"\xff\xfe",
        b"\"",
        b"[[",
        b"\0",
        b"\n",
    ];
    if file.is_empty() {
        file.push(b'0');
    }
    let at = random.below(file.len());
    let end = (at + 1 + random.below(30)).min(file.len());
    match random.below(8) {
        0 => file[at] ^= 1 << random.below(8),
        1 => file.truncate(at),
        2 => drop(file.drain(at..end)),
        3 => drop(file.splice(at..at, WORDS[random.below(WORDS.len())].iter().copied())),
        4 => {
            let copy = file[at..end].to_vec();
            drop(file.splice(at..at, copy));
        }
        5 => {
            let from = random.below(other.len());
            let piece = &other[from..(from + 30).min(other.len())];
            drop(file.splice(at..at, piece.iter().copied()));
        }
        _ => {
            if let Some(digit) = (at..file.len()).find(|&it| file[it].is_ascii_digit()) {
                file[digit] = b'0' + random.below(10) as u8;
            }
        }
    }
}

/// Fails unless there is a proof of each format to start from.
fn has_every_format(proofs: &[Vec<u8>]) {
    let texts: Vec<_> = proofs.iter().map(|proof| String::from_utf8_lossy(proof)).collect();
    for version in verify::FORMATS.iter().flat_map(|format| format.versions) {
        assert!(texts.iter().any(|text| text.contains(version)), "no {version} to start from");
    }
}

#[test]
fn no_reader_is_brought_down_by_damaged_files() {
    let rounds = std::env::var("MORPION_READERS").ok().and_then(|it| it.parse().ok());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for reader in READERS {
        let seeds = (reader.seeds)(&root);
        assert!(!seeds.is_empty(), "{} has files to start from", reader.name);
        seeds.iter().for_each(|seed| (reader.read)(seed));
        if reader.name == "proofs" {
            has_every_format(&seeds);
        }
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        for _ in 0..rounds.unwrap_or(ROUNDS) {
            let mut file = seeds[random.below(seeds.len())].clone();
            let other = &seeds[random.below(seeds.len())];
            for _ in 0..=random.below(3) {
                damage(&mut file, other, &mut random);
            }
            (reader.read)(&file);
        }
    }
}
