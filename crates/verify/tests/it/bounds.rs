//! The verifier on bounds: `bound/` holds certificates with a table of what it says of them.

use verify::{Claim, Place, is_proof, verify_game, verify_proof};

use crate::common::files::{Expected, folder, text_of};
use crate::common::random::Random;

#[test]
fn every_certificate_is_verified_as_the_table_says() {
    for Expected { file, words } in folder("bound") {
        let found = match text_of(&file).and_then(|text| verify_proof(&text)) {
            Ok(proven) => {
                let bound = match proven.claim() {
                    Claim::OnBoard { moves: Some(moves), .. } => moves.to_string(),
                    Claim::OnBoard { moves: None, .. } => "-1".to_owned(),
                    claim => claim.upper_bound().expect("a bound").to_string(),
                };
                ["proven".to_owned(), bound]
            }
            Err(refusal) => {
                let message = refusal.to_string();
                let first = message.chars().next().expect("a message");
                assert!(!first.is_uppercase() && !message.ends_with('.'), "{file}: {message}");
                let place = match refusal.place {
                    Place::File => "-".to_owned(),
                    place => place.to_string(),
                };
                [refusal.fault.name().to_owned(), place]
            }
        };
        assert_eq!(found, [words[0].clone(), words[1..].join(" ")], "{file}");
        if let Ok(text) = text_of(&file) {
            assert!(is_proof(&text) && verify_game(&text).is_err(), "{file} is no game");
        }
    }
}

#[test]
fn what_is_proven_is_what_the_duals_show() {
    let text = text_of("bound/weaker-than-shown.cert").expect("a text");
    let proof = verify_proof(&text).expect("proven");
    assert!(text.contains("more than 9 moves") && proof.to_string().ends_with("more than 6 moves"));
    let Claim::OnBoard { rules, start, board, exact, .. } = proof.claim() else {
        panic!("a bound on a board")
    };
    assert_eq!((board.to_string(), *exact), ("box:1,1,0,0".to_owned(), false));
    assert_eq!((rules.to_string(), start.to_string()), ("3T".to_owned(), "3 dots".to_owned()));
}

#[test]
fn damaged_certificates_are_never_a_panic() {
    let mut random = Random(5);
    for name in ["tiny", "cuts", "no-game", "lines", "tree", "boxes", "extents"] {
        let text = text_of(&format!("bound/{name}.cert")).expect("a text");
        for _ in 0..500 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                bytes[at] = *random.choose(b"0123456789-, \nTDx:");
            }
            bytes.truncate(bytes.len() - random.below(2) * random.below(bytes.len()));
            let _ = verify_proof(&String::from_utf8_lossy(&bytes));
        }
    }
}

/// An integral solution has 16 moves, so that no multipliers and prices whatever prove less.
#[test]
fn changed_prices_prove_nothing_stronger() {
    let mut random = Random(6);
    let text = text_of("bound/extents.cert").expect("a text");
    let places: Vec<usize> =
        (0..text.len()).filter(|&at| text.as_bytes()[at].is_ascii_alphanumeric()).collect();
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..1000 {
        let mut bytes = text.clone().into_bytes();
        bytes[*random.choose(&places)] = *random.choose(b"0123456789ABCDEFabcdefz+-");
        match verify_proof(&String::from_utf8(bytes).expect("letters and digits")) {
            Ok(proof) => {
                assert_eq!(proof.to_string(), "6D <= 16");
                accepted += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(accepted > 20 && refused > 100, "{accepted} accepted, {refused} refused");
}
