//! The covers and caps of this repository: bounds for whole games, in `proofs`.

use std::fs;
use std::path::Path;

use verify::{Claim, Place, read, verify_proof};

use crate::common::random::Random;

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
        let proof = verify_proof(&text).unwrap_or_else(|no| panic!("{name}: {no}"));
        assert_eq!(proof.to_string(), name.replace('-', " <= "));
        assert!(matches!(proof.claim(), Claim::AtMost { .. }));
    }
}

/// What a cover mostly consists of.
fn kind(text: &str) -> &'static str {
    if text.contains("\nranges ") { "range" } else { "board" }
}

#[test]
fn a_cover_for_less_or_without_a_board_is_refused() {
    for (name, text) in covers() {
        let (game, bound) = name.split_once('-').expect("named like 5D-133");
        let bound: u32 = bound.parse().expect("a bound");
        let less = text
            .replace(&format!("more than {bound} "), &format!("more than {} ", bound - 1))
            .replace(&format!("\nbound {bound}\n"), &format!("\nbound {}\n", bound - 1));
        assert!(verify_proof(&less).is_err(), "{game} <= {}", bound - 1);
        let kind = kind(&text);
        let parts: Vec<&str> = text.split(&format!("\n{kind} ")).collect();
        let count = parts.len() - 1;
        // A box of its own is at the end as well as at the beginning; of ranges, each is there for
        // hulls that those before it do not bound.
        for left_out in [1, count / 2, count] {
            let mut some = parts.clone();
            some.remove(left_out);
            let lacking = some
                .join(&format!("\n{kind} "))
                .replace(&format!("\n{kind}s {count}"), &format!("\n{kind}s {}", count - 1));
            assert!(verify_proof(&lacking).is_err(), "{name} without {kind} {left_out}");
        }
    }
}

/// Whether the verifier refuses a changed proof; otherwise it must show the bound it is named for.
fn is_refused(name: &str, changed: &str) -> bool {
    match verify_proof(changed) {
        Ok(proof) => {
            assert_eq!(proof.to_string(), name.replace('-', " <= "));
            false
        }
        Err(_) => true,
    }
}

/// The certificate of the board or the tree of the range whose part of the proof holds this place,
/// as a proof by itself, and where the place is then; `None` outside of such parts. A range by
/// itself does not cover all hulls.
fn by_itself(name: &str, text: &str, place: usize) -> Option<(String, usize)> {
    let (game, bound) = name.split_once('-')?;
    let marks = ["\nboard ", "\nrange "];
    let start = marks.iter().filter_map(|mark| text[..place].rfind(mark)).max()? + 1;
    let ends = marks.iter().filter_map(|mark| text[place..].find(mark));
    let end = ends.min().map_or(text.len(), |after| place + after + 1);
    let (first, numbers) = text[start..end].split_once('\n')?;
    let before = start + first.len() + 1;
    if place < before {
        return None;
    }
    if first.starts_with("range ") {
        let head = format!(
            "morpion-cover/5\n{game}: no game has more than {bound} moves\nrules {game}\n\
             bound {bound}\nranges 1\n{first}\n"
        );
        let moved = head.len() + place - before;
        return Some((head + numbers, moved));
    }
    let board = first.strip_prefix("board ")?;
    let where_dots_lie = match board.starts_with("box:") {
        true => format!("in {board} around the start"),
        false => format!("on {board} (moved, turned or mirrored)"),
    };
    let head = format!(
        "morpion-bound/1\n{game}: no game whose dots all lie {where_dots_lie} has more \
         than {bound} moves\nrules {game}\nstart cross\nboard {board}\nmodel lines\nbound {bound}\n"
    );
    let moved = head.len() + place - before;
    Some((head + numbers, moved))
}

#[test]
fn the_hull_that_resists_most_is_bounded_by_483_and_not_by_less() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ranges/hardest.cover.gz");
    let text = read(&fs::read(file).expect("a file")[..]).expect("a text");
    let refusal = |text: &str| verify_proof(text).expect_err("one hull is not all");
    // Its range is fine, so that the first hull outside of it is named.
    assert_eq!(refusal(&text).fault.name(), "uncovered");
    let less = refusal(&text.replace(" 483", " 482"));
    assert_eq!((less.fault.name(), less.place), ("false-bound", Place::Range(1)), "{less}");
    // With slack there are more hulls, for which these integers are too weak.
    let wide = text.replace("slack 0", "slack 1").replacen("\n0\n", "\n0 0\n", 1);
    let wider = refusal(&wide);
    assert_eq!((wider.fault.name(), wider.place), ("false-bound", Place::Range(1)), "{wider}");
    let short = refusal(&text.replace("slack 0", "slack 1"));
    assert!(short.is_malformed(), "a price is missing: {short}");
    let both = text.replace("\nleaf", "\nsplit E 0 9\nleaf");
    assert!(refusal(&both).is_malformed(), "the second part has no leaf");
    let beyond = refusal(&text.replace("\nleaf", "\nsplit E 0 99\nleaf"));
    assert!(beyond.to_string().contains("a split of a lattice line that exists"), "{beyond}");
}

#[test]
fn integers_that_have_no_absolute_value_are_malformed() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ranges/hardest.cover.gz");
    let text = read(&fs::read(file).expect("a file")[..]).expect("a text");
    let leaf = text.lines().position(|line| line.starts_with("leaf ")).expect("a leaf");
    // The scale and m, t of a side, C of a count, a price.
    for (line, word) in [(leaf, 1), (leaf, 2), (leaf + 1, 0), (leaf + 9, 0), (leaf + 23, 0)] {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut words: Vec<&str> = lines[line].split(' ').collect();
        words[word] = "-9223372036854775808";
        lines[line] = words.join(" ");
        let refusal = verify_proof(&lines.join("\n")).expect_err("too small");
        assert!(refusal.is_malformed(), "line {line}: {refusal}");
    }
}

/// Second parts do not wait when their turn comes, so trees are as deep as they like along them.
#[test]
fn at_most_100_second_parts_wait() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ranges/hardest.cover.gz");
    let text = read(&fs::read(file).expect("a file")[..]).expect("a text");
    let deep = |splits: usize| {
        let lines =
            (0..splits).map(|split| format!("\nsplit E {} {}", 12 + split / 12, 20 - split % 12));
        text.replacen("\nleaf", &(lines.collect::<String>() + "\nleaf"), 1)
    };
    let line = |splits| verify_proof(&deep(splits)).expect_err("halves are missing").to_string();
    assert!(!line(100).contains("100 second parts"), "{}", line(100));
    assert!(line(101).contains("at most 100 second parts wait"), "{}", line(101));
}

/// Any digit changed: either the verifier refuses the proof, or it shows the same bound in another
/// way.
///
/// A digit of a certificate says nothing of the other boards, so this board is verified by itself.
#[test]
fn a_thousand_changed_numbers_prove_nothing_more() {
    let mut random = Random(7);
    for (name, text) in covers() {
        let digits: Vec<usize> =
            (0..text.len()).filter(|&place| text.as_bytes()[place].is_ascii_digit()).collect();
        let mut refused = 0;
        for _ in 0..1000 {
            let place = *random.choose(&digits);
            let old = text.as_bytes()[place];
            let digit = (old - b'0' + 1 + random.below(9) as u8) % 10;
            let change = |mut text: String, place: usize| {
                text.replace_range(place..=place, &digit.to_string());
                text
            };
            let is_refused = match by_itself(&name, &text, place) {
                None => is_refused(&name, &change(text.clone(), place)),
                Some((board, place)) => {
                    assert_eq!(board.as_bytes()[place], old);
                    let refusal = verify_proof(&change(board, place)).err();
                    refusal.is_some_and(|refusal| refusal.fault.name() != "uncovered")
                }
            };
            refused += usize::from(is_refused);
        }
        assert!((1..1000).contains(&refused), "{name}: {refused} of 1000 are refused");
    }
}

#[test]
fn every_kind_of_number_changed_is_refused() {
    for (name, text) in covers() {
        let (_, bound) = name.split_once('-').expect("named like 5D-133");
        let kind = kind(&text);
        let key = format!("{kind} ");
        let count = text.split(&format!("\n{key}")).count() - 1;
        let board = text.lines().find(|line| line.starts_with(&key)).expect("a board");
        let larger = board.replacen(':', ":1", 1);
        for (from, to) in [
            (format!("\nbound {bound}"), format!("\nbound {bound}0")),
            (format!("\n{kind}s {count}"), format!("\n{kind}s {}", count + 1)),
            (format!("\n{kind}s {count}"), format!("\n{kind}s {}", count - 1)),
            (board.to_owned(), larger),
        ] {
            let changed = text.replacen(&from, &to, 1);
            assert_ne!(changed, text);
            assert!(is_refused(&name, &changed), "{from} made {to}");
        }
    }
}

#[test]
fn nothing_may_follow_a_proof() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs");
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).expect("the proofs") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        // The largest take long, and others have their formats.
        if !name.ends_with(".gz") || fs::metadata(&path).expect("a file").len() > 10_000_000 {
            continue;
        }
        let bytes = fs::read(&path).expect("a proof");
        let text = read(&bytes[..]).expect("a text");
        assert!(verify_proof(&format!("{text}\n\n")).is_ok(), "{name}: empty lines say nothing");
        for tail in ["leaf 0 0 0", "case 18 18\nleaf 1 0 0", "\0"] {
            assert!(verify_proof(&format!("{text}{tail}\n")).is_err(), "{name}: {tail}");
        }
        names.push(name);
    }
    assert!(names.len() >= 4, "{names:?}");
}
