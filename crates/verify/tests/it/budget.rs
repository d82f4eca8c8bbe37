//! Small files that ask for much: each is refused after the work that a file of its size may ask
//! for, and every proof of this repository stays far below it.

use std::fmt::Write as _;

use verify::{allowed_steps, verify_proof};

/// The name of the fault of a text.
fn fault(text: &str) -> &'static str {
    verify_proof(text).expect_err("no proof").fault.name()
}

/// The head of a proof by boxes that claims next to nothing, so that every leaf is pruned.
const BOXES: &str = "morpion-boxes/1\nwords\nrules 5T\nbound 4000000000\n";

#[test]
fn a_row_named_twice_in_a_leaf_is_refused() {
    let leaf = |duals: &str| format!("{BOXES}within 0,0,0,0\ncuts 0\nleaf 1{duals}\n");
    let refusal = verify_proof(&leaf(" 7:0 9:0 7:0")).expect_err("twice").to_string();
    assert_eq!(
        refusal,
        "line 7 of the file: expected a leaf with rows that exist, none of them twice"
    );
    // In any order: the words are checked at the end only.
    assert_eq!(fault(&leaf(" 9:0 7:0 1")), "false-words");
}

#[test]
fn many_leaves_that_say_nothing_are_refused() {
    fn tree(depth: usize, text: &mut String) {
        if depth == 0 {
            return text.push_str("leaf 1\n");
        }
        writeln!(text, "split {}", 9000 + depth).expect("in memory");
        tree(depth - 1, text);
        tree(depth - 1, text);
    }
    let mut text = format!("{BOXES}within 12,12,12,12\ncuts 0\n");
    tree(15, &mut text);
    assert!(text.len() < 800_000, "{}", text.len());
    assert_eq!(fault(&text), "too-much-work");
}

#[test]
fn many_regions_with_a_bare_leaf_each_are_refused() {
    let mut text = BOXES.to_owned();
    for number in 0..4000 {
        let (above, left) = (number / 12 % 12, number % 12);
        let right = number / 144;
        let region = format!("{above},{right},12,{left}");
        writeln!(text, "meeting {region}\ncuts 0\nleaf 1").expect("in memory");
    }
    assert_eq!(fault(&text), "too-much-work");
}

#[test]
fn cases_that_extend_too_far_are_refused() {
    let head = "morpion-extents/2\n5D: no game has more than 20 moves\nrules 5D\nbound 20\n";
    let refusal = verify_proof(&format!("{head}exit 99\nleaf 0 0 0\n"));
    assert_eq!(refusal.expect_err("too large").fault.name(), "board-too-large");
}

#[test]
fn the_proofs_of_this_repository_stay_far_below_their_budget() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs");
    let files = ["", "endless"].map(|name| folder.join(name));
    let files = files.iter().flat_map(|folder| std::fs::read_dir(folder).expect("proofs"));
    let mut proofs = 0;
    for file in files.map(|entry| entry.expect("an entry").path()) {
        if !file.is_file() {
            continue;
        }
        let text = verify::read(std::fs::File::open(&file).expect("a file")).expect("a text");
        let proven = verify_proof(&text).unwrap_or_else(|refusal| panic!("{file:?}: {refusal}"));
        let steps = proven.stats().steps;
        // The caps are one fixed enumeration, and 43 kB.
        let share = if file.to_string_lossy().contains("caps") { 2 } else { 4 };
        let allowed = allowed_steps(text.len()) / share;
        assert!(steps > 0 && steps < allowed, "{file:?}: {steps} steps");
        proofs += 1;
    }
    assert!(proofs >= 14, "{proofs}");
}
