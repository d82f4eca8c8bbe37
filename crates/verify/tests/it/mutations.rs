//! Broken bytes: whatever happens to a file, the judge answers, and consistently.

use verify::{Ordering, check, is_proof, judge, order};

use crate::common::chance::Chance;
use crate::common::files::{folder, text_of};
use crate::common::naive::Game;

#[test]
fn no_change_of_bytes_brings_the_judge_down() {
    let chance = &mut Chance(1);
    let mut originals: Vec<String> = folder("accepted")
        .into_iter()
        .map(|expected| text_of(&expected.file).expect("a good file"))
        .collect();
    for most in [3, 10, 30] {
        let game = Game::random(chance, most);
        originals.extend([game.text(), game.drawing()]);
    }
    let mut accepted = 0;
    for _ in 0..40_000 {
        let mut bytes = chance.choose(&originals).clone().into_bytes();
        for _ in 0..1 + chance.below(3) {
            change(&mut bytes, chance);
        }
        if let Ok(text) = String::from_utf8(bytes) {
            accepted += u32::from(answers_agree(&text));
        }
    }
    assert!(accepted > 100, "some changes do no harm");
}

#[test]
fn no_change_of_bytes_in_a_proof_brings_the_judge_down() {
    let chance = &mut Chance(2);
    let texts = folder("endless").into_iter().map(|expected| text_of(&expected.file));
    let originals: Vec<String> = texts.map(|text| text.expect("a text")).collect();
    let mut accepted = 0;
    for _ in 0..20_000 {
        let mut bytes = chance.choose(&originals).clone().into_bytes();
        for _ in 0..1 + chance.below(3) {
            change(&mut bytes, chance);
        }
        if let Ok(text) = String::from_utf8(bytes) {
            let proven = check(&text).is_ok();
            assert!(!proven || is_proof(&text) && judge(&text).is_err(), "{text}");
            accepted += u32::from(proven);
        }
    }
    assert!(accepted > 10, "some changes do no harm: {accepted}");
}

/// Whether the judge accepts the text; if so, an order for its lines must exist too.
fn answers_agree(text: &str) -> bool {
    let (judged, ordered) = (judge(text), order(text));
    if let Ok(game) = &judged {
        let Ok(Ordering::Ordered { game: found, .. }) = ordered else {
            panic!("a legal game without an order: {text}")
        };
        assert_eq!((game.score(), game.left()), (found.score(), found.left()), "{text}");
    }
    judged.is_ok()
}

fn change(bytes: &mut Vec<u8>, chance: &mut Chance) {
    let at = chance.below(bytes.len());
    let letters = br#"0123456789-+.eE[]{}:,"TDSN\u /"#;
    match chance.below(7) {
        0 => bytes[at] ^= 1 << chance.below(8),
        1 => bytes[at] = *chance.choose(letters),
        2 => bytes.insert(at, *chance.choose(letters)),
        3 => drop(bytes.remove(at)),
        4 => bytes.truncate(at + 1),
        5 => {
            let end = (at + 1 + chance.below(40)).min(bytes.len());
            drop(bytes.drain(at..end));
        }
        _ => {
            let end = (at + 1 + chance.below(40)).min(bytes.len());
            let piece = bytes[at..end].to_vec();
            let to = chance.below(bytes.len());
            bytes.splice(to..to, piece);
        }
    }
    if bytes.is_empty() {
        bytes.push(b'{');
    }
}
