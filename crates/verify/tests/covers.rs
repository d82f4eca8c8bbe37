//! The covers and caps of this repository: bounds for whole games, in `proofs`.

use std::fs;
use std::path::Path;

use verify::{Proof, check, read};

/// The covers and caps, with their names.
fn covers() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs");
    let mut covers = Vec::new();
    for entry in fs::read_dir(folder).expect("the proofs") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let name = name.strip_suffix(".cover.gz").or_else(|| name.strip_suffix(".caps.gz"));
        if let Some(name) = name {
            let bytes = fs::read(&path).expect("a file");
            covers.push((name.to_owned(), read(&bytes[..]).expect("a text")));
        }
    }
    covers
}

#[test]
fn the_covers_of_this_repository_prove_what_they_are_called() {
    let covers = covers();
    assert!(!covers.is_empty());
    for (name, text) in covers {
        let proof = check(&text).unwrap_or_else(|no| panic!("{name}: {no}"));
        assert_eq!(proof.claim(), name.replace('-', " <= "));
        assert!(matches!(proof, Proof::Game(_)));
    }
}

#[test]
fn a_cover_for_less_or_without_a_board_is_refused() {
    for (name, text) in covers() {
        let (game, bound) = name.split_once('-').expect("named like 5T-586");
        let bound: u32 = bound.parse().expect("a bound");
        let less = text
            .replace(&format!("more than {bound} "), &format!("more than {} ", bound - 1))
            .replace(&format!("\nbound {bound}\n"), &format!("\nbound {}\n", bound - 1));
        assert!(check(&less).is_err(), "{game} <= {}", bound - 1);
        // Boards that hold octagons which no other does are at the end as well as at the beginning.
        let boards: Vec<&str> = text.split("\nboard ").collect();
        let count = boards.len() - 1;
        for left_out in [1, count / 2, count] {
            let mut some = boards.clone();
            some.remove(left_out);
            let lacking = some
                .join("\nboard ")
                .replace(&format!("\nboards {count}"), &format!("\nboards {}", count - 1));
            assert!(check(&lacking).is_err(), "{name} without board {left_out}");
        }
    }
}

/// One number changed, anywhere: either the judge refuses it, or it shows the same bound in another
/// way. Gives back how many are refused.
fn change_numbers(times: usize) -> usize {
    let mut chance: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut below = |bound: usize| {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        chance as usize % bound
    };
    let mut refused = 0;
    for (name, text) in covers() {
        let digits: Vec<usize> =
            (0..text.len()).filter(|&place| text.as_bytes()[place].is_ascii_digit()).collect();
        for _ in 0..times {
            let place = digits[below(digits.len())];
            let old = text.as_bytes()[place] - b'0';
            let new = (old + 1 + below(9) as u8) % 10;
            let mut changed = text.clone();
            changed.replace_range(place..=place, &new.to_string());
            match check(&changed) {
                Ok(proof) => assert_eq!(proof.claim(), name.replace('-', " <= "), "at {place}"),
                Err(_) => refused += 1,
            }
        }
    }
    refused
}

#[test]
fn a_changed_number_proves_nothing_more() {
    assert!(change_numbers(20) > 0);
}

#[test]
#[ignore = "takes a quarter of an hour"]
fn a_thousand_changed_numbers_prove_nothing_more() {
    assert!(change_numbers(1000) > 0);
}
