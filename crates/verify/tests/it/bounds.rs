//! The judge on bounds: `bound/` holds certificates with a table of what it says of them.

use verify::{Place, Proof, check, is_proof, judge};

use crate::common::chance::Chance;
use crate::common::files::{Expected, folder, text_of};

#[test]
fn every_certificate_is_judged_as_the_table_says() {
    for Expected { file, words } in folder("bound") {
        let told = match text_of(&file).and_then(|text| check(&text)) {
            Ok(Proof::Board(bound)) => ["proven".to_owned(), bound.bound().to_string()],
            Ok(Proof::Game(bound)) => ["proven".to_owned(), bound.bound().to_string()],
            Ok(Proof::Optimum(proven)) => ["proven".to_owned(), proven.moves().to_string()],
            Ok(other) => panic!("{file}: {other:?}"),
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
        assert_eq!(told, [words[0].clone(), words[1..].join(" ")], "{file}");
        if let Ok(text) = text_of(&file) {
            assert!(is_proof(&text) && judge(&text).is_err(), "{file} is no game");
        }
    }
}

#[test]
fn what_is_proven_is_what_the_duals_show() {
    let text = text_of("bound/weaker-than-shown.cert").expect("a text");
    let proof = check(&text).expect("proven");
    assert!(text.contains("more than 9 moves") && proof.claim().ends_with("more than 6 moves"));
    let Proof::Board(bound) = proof else { panic!("a bound") };
    assert_eq!((bound.board().to_string(), bound.exact()), ("box:1,1,0,0".to_owned(), false));
    assert_eq!(
        (bound.rules().to_string(), bound.start().to_string()),
        ("3T".to_owned(), "3 dots".to_owned())
    );
}

#[test]
fn damaged_certificates_are_never_a_panic() {
    let mut chance = Chance(5);
    for name in ["tiny", "cuts", "no-game", "lines", "tree"] {
        let text = text_of(&format!("bound/{name}.cert")).expect("a text");
        for _ in 0..500 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..=chance.below(3) {
                let at = chance.below(bytes.len());
                bytes[at] = *chance.choose(b"0123456789-, \nTDx:");
            }
            bytes.truncate(bytes.len() - chance.below(2) * chance.below(bytes.len()));
            let _ = check(&String::from_utf8_lossy(&bytes));
        }
    }
}
