//! Broken bytes: whatever happens to a file, the verifier answers, and consistently.

use verify::{OrderResult, is_proof, order, verify_game, verify_proof};

use crate::common::files::{folder, text_of};
use crate::common::naive::Game;
use crate::common::random::Random;

#[test]
fn no_change_of_bytes_brings_the_verifier_down() {
    let random = &mut Random(1);
    let mut originals: Vec<String> = folder("accepted")
        .into_iter()
        .map(|expected| text_of(&expected.file).expect("a good file"))
        .collect();
    for most in [3, 10, 30] {
        let game = Game::random(random, most);
        originals.extend([game.text(), game.drawing()]);
    }
    let mut accepted = 0;
    for _ in 0..40_000 {
        let mut bytes = random.choose(&originals).clone().into_bytes();
        for _ in 0..1 + random.below(3) {
            change(&mut bytes, random);
        }
        if let Ok(text) = String::from_utf8(bytes) {
            accepted += u32::from(answers_agree(&text));
        }
    }
    assert!(accepted > 100, "some changes do no harm");
}

#[test]
fn no_change_of_bytes_in_a_proof_brings_the_verifier_down() {
    let random = &mut Random(2);
    let texts = folder("endless").into_iter().map(|expected| text_of(&expected.file));
    let originals: Vec<String> = texts.map(|text| text.expect("a text")).collect();
    let mut accepted = 0;
    for _ in 0..20_000 {
        let mut bytes = random.choose(&originals).clone().into_bytes();
        for _ in 0..1 + random.below(3) {
            change(&mut bytes, random);
        }
        if let Ok(text) = String::from_utf8(bytes) {
            let proven = verify_proof(&text).is_ok();
            assert!(!proven || is_proof(&text) && verify_game(&text).is_err(), "{text}");
            accepted += u32::from(proven);
        }
    }
    assert!(accepted > 10, "some changes do no harm: {accepted}");
}

/// Whether the verifier accepts the text; if so, an order for its lines must exist too.
fn answers_agree(text: &str) -> bool {
    let (verified, ordered) = (verify_game(text), order(text));
    if let Ok(game) = &verified {
        let Ok(OrderResult::Ordered { game: found, .. }) = ordered else {
            panic!("a legal game without an order: {text}")
        };
        assert_eq!(
            (game.score(), game.remaining_moves()),
            (found.score(), found.remaining_moves()),
            "{text}"
        );
    }
    verified.is_ok()
}

fn change(bytes: &mut Vec<u8>, random: &mut Random) {
    let at = random.below(bytes.len());
    let letters = br#"0123456789-+.eE[]{}:,"TDSN\u /"#;
    match random.below(7) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = *random.choose(letters),
        2 => bytes.insert(at, *random.choose(letters)),
        3 => drop(bytes.remove(at)),
        4 => bytes.truncate(at + 1),
        5 => {
            let end = (at + 1 + random.below(40)).min(bytes.len());
            drop(bytes.drain(at..end));
        }
        _ => {
            let end = (at + 1 + random.below(40)).min(bytes.len());
            let piece = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, piece);
        }
    }
    if bytes.is_empty() {
        bytes.push(b'{');
    }
}
