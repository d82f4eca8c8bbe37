//! The verifier on files: `accepted/` holds good ones, `refused/` one broken file per reason and
//! more. Each folder has a table, `expected.txt`, of what the verifier says.

use std::collections::BTreeSet;

use verify::{Fault, MAX_BYTES, MAX_DOTS, MAX_MOVES, Refusal, order, verify_game};

use crate::common::files::{Expected, folder, text_of};

/// Reasons for which a file would be too large to keep; the tests below make them, and
/// `budget.rs` the last.
const MADE_HERE: [&str; 4] = ["too-large", "too-many-dots", "too-many-moves", "too-much-work"];

fn name_and_number(refusal: &Refusal) -> (String, Option<u32>) {
    (refusal.fault.name().to_owned(), refusal.number())
}

#[test]
fn every_broken_file_is_refused_for_its_reason_at_its_move() {
    for Expected { file, words } in folder("refused") {
        let [reason, number] = &words[..] else { panic!("{file}: a reason and a number") };
        let refusal = text_of(&file).and_then(|text| verify_game(&text)).expect_err(&file);
        assert_eq!(name_and_number(&refusal), (reason.clone(), number.parse().ok()), "{file}");
    }
}

#[test]
fn every_good_file_is_accepted_with_its_numbers() {
    for Expected { file, words } in folder("accepted") {
        let game = text_of(&file).and_then(|text| verify_game(&text)).expect(&file);
        let found = [game.score().to_string(), game.remaining_moves().to_string()];
        assert_eq!(found[..], words[..], "{file}");
        assert_eq!(game.legal_moves().len() as u64, game.remaining_moves(), "{file}");
    }
}

#[test]
fn every_reason_has_a_file() {
    let files = folder("refused").into_iter().chain(folder("endless")).chain(folder("bound"));
    let mut covered: BTreeSet<String> = files.map(|expected| expected.words[0].clone()).collect();
    covered.remove("proven");
    let reasons = Fault::names().filter(|reason| !MADE_HERE.contains(reason));
    assert_eq!(covered, reasons.map(str::to_owned).collect());
}

#[test]
fn a_message_is_lower_case_without_a_full_stop() {
    for Expected { file, .. } in folder("refused") {
        let message =
            text_of(&file).and_then(|text| verify_game(&text)).expect_err(&file).to_string();
        let first = message.chars().next().expect("a message");
        assert!(!first.is_uppercase() && !message.ends_with('.'), "{file}: {message}");
    }
}

#[test]
fn a_text_beyond_the_size_limit_is_refused_unread() {
    let text = " ".repeat(MAX_BYTES + 1);
    for refusal in
        [verify_game(&text).expect_err("too large"), order(&text).expect_err("too large")]
    {
        assert_eq!(name_and_number(&refusal), ("too-large".to_owned(), None));
    }
}

#[test]
fn too_many_lines_are_refused() {
    let lines = r#"[[0,0],"E"],"#.repeat(MAX_MOVES);
    let text = format!(
        r#"{{"format":"morpion-game/1","rules":"5T","start":"cross","lines":[{lines}[[0,0],"E"]]}}"#
    );
    let refusal = verify_game(&text).expect_err("too many lines");
    assert_eq!(name_and_number(&refusal), ("too-many-moves".to_owned(), None));
}

#[test]
fn too_many_dots_are_refused() {
    let dots = "[0,0],".repeat(MAX_DOTS);
    let text =
        format!(r#"{{"format":"morpion-game/1","rules":"5T","start":[{dots}[0,0]],"moves":[]}}"#);
    let refusal = verify_game(&text).expect_err("too many dots");
    assert_eq!(name_and_number(&refusal), ("too-many-dots".to_owned(), None));
}
