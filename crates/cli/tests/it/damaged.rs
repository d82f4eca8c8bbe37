//! Files that were right once: proofs that were changed or cut, grids with a slip of the pen.

use std::io::Write;

use crate::common::Bench;

/// A proof of the repository, inflated.
fn proof(name: &str) -> String {
    let path = format!("{}/../../proofs/{name}", env!("CARGO_MANIFEST_DIR"));
    verify::read(std::fs::File::open(path).expect("a proof")).expect("text")
}

/// A text with one of its lines changed; `None` deletes it.
fn with_line(text: &str, number: usize, line: Option<&str>) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.splice(number - 1..number, line);
    lines.join("\n") + "\n"
}

/// A text without its last line.
fn without_end(text: &str) -> String {
    with_line(text, text.lines().count(), None)
}

#[test]
fn a_damaged_proof_is_called_one_and_the_line_is_named() {
    let bench = Bench::new();
    let good = proof("5D-133.caps.gz");
    let endless = proof("endless/3D-cross.json");
    let caps = "a proof (a bound by caps), damaged: line";
    for (name, text, expected) in [
        ("bound", good.replace("133", "132"), caps),
        ("cut", good[..10_000].to_owned(), caps),
        ("twice", good.clone() + &good, caps),
        ("word", with_line(&good, 12, Some("abc")), caps),
        ("missing", with_line(&good, 2, None), "damaged: line 3 of the file: expected"),
        ("boards", with_line(&good, 7, Some("boards 99999999999999")), "damaged: line 7"),
        (
            "version",
            good.replace("morpion-caps/1", "morpion-caps/2"),
            "format morpion-caps/2 is not one this program reads (morpion-caps/1)",
        ),
        ("tree", without_end(&proof("4D-35.tree.gz")), "branch and bound), damaged: line 2941"),
        ("extents", with_line(&proof("5D-121.extents.gz"), 300, None), "extents), damaged: line "),
        ("endless", endless[..300].to_owned(), "a proof (endless play), damaged: round 1, move 5"),
    ] {
        bench.write(name, text);
        let no = bench.run(&["verify", name]).fails();
        assert!(no.err.contains(expected), "{name}: {}", no.err);
    }
}

#[test]
fn a_folder_does_not_hide_damaged_proofs_and_games() {
    let bench = Bench::new();
    let cut = &proof("5D-133.caps.gz")[..10_000];
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(cut.as_bytes()).expect("a vector takes all");
    let gzip = gzip.finish().expect("a vector takes all");
    std::fs::create_dir_all(bench.path("box")).expect("a folder");
    let game = "5T\n3,0 7,0\n";
    bench.write("box/notes.txt", "call the dentist\n");
    bench.write("box/good.txt", game);
    for (name, content) in [
        ("b2.tree", without_end(&proof("4D-35.tree.gz")).into_bytes()),
        ("cut.caps", cut.into()),
        ("packed", gzip),
        ("endless", b"{\"format\": \"morpion-endless/1\", \"rules\"".to_vec()),
        ("grid.txt", b"5T\n3 -1 3 3\n3,0 7,0\n".to_vec()),
    ] {
        let name = format!("box/{name}");
        bench.write(&name, content);
        for command in [&["verify", "box"][..], &["store", "import", "box"]] {
            let ran = bench.run(command);
            assert!(ran.code != Some(0) && ran.err.contains(&name), "{name}: {}", ran.err);
            assert!(!ran.err.contains("notes.txt"), "{}", ran.err);
        }
        bench.run(&["verify", "box"]).ends_with_error();
        std::fs::remove_file(bench.path(&name)).expect("it was written");
    }
    bench.run(&["verify", "box"]).succeeds();
}

#[test]
fn a_forgotten_line_is_missed_and_no_shift() {
    let bench = Bench::new();
    bench.find("5T", "game.json");
    bench.run(&["convert", "game.json", "grid.txt"]).succeeds();
    let grid = String::from_utf8(bench.read("grid.txt")).expect("text");
    let first = grid.lines().position(|line| line.starts_with('(')).expect("a line") + 1;
    bench.write("grid.txt", with_line(&grid, first, None));
    let stuck = bench.run(&["order", "grid.txt"]).ends_negative().out;
    assert!(stuck.contains("a line is missing"), "{stuck}");
    assert!(!stuck.contains("36 dots"), "{stuck}");
    let stuck = bench.run(&["order", "grid.txt", "--json"]).ends_negative().json();
    assert!(stuck["reason"].as_str().is_some_and(|it| it.contains("is missing")), "{stuck}");
}

#[test]
fn the_hint_at_other_coordinates_is_given_by_every_command() {
    let bench = Bench::new();
    bench.write("shifted.txt", "5T\n4,1 8,1\n4,0 4,4\n1,4 5,4\n");
    bench.find("5T", "game.json");
    let hint = "moved by (-1,-1), all 3 lines fit: `morpion order` writes that game";
    for args in [
        &["convert", "shifted.txt", "x.svg"][..],
        &["show", "shifted.txt"],
        &["compare", "shifted.txt", "game.json"],
        &["store", "import", "shifted.txt"],
    ] {
        let ran = bench.run(args);
        assert!(ran.code != Some(0) && ran.err.contains(hint), "{args:?}: {}", ran.err);
        assert!(!ran.err.contains("--unchecked"), "{}", ran.err);
    }
    assert!(bench.run(&["verify", "shifted.txt"]).ends_negative().out.contains(hint));
    let rows = bench.run(&["verify", "--json", "shifted.txt"]).ends_negative().json();
    assert!(rows[0]["reason"].as_str().is_some_and(|reason| reason.contains(hint)), "{rows}");
}

#[test]
fn pentasol_of_5d_is_not_lost_to_a_search_for_5t() {
    let bench = Bench::new();
    bench.find("5D", "game.json");
    bench.run(&["convert", "game.json", "keep.psol"]).succeeds();
    let kept = bench.read("keep.psol");
    let search = |game: &'static str, file: &'static str| {
        let args = ["search", game, "--playouts", "9", "--seed", "1", "--threads", "1", "-o"];
        [&args[..], &[file]].concat()
    };
    let no = bench.run(&search("5T", "keep.psol")).fails();
    assert!(no.err.contains("of 5D, not of 5T") && no.err.contains("another --out"), "{}", no.err);
    assert_eq!(bench.read("keep.psol"), kept);
    bench.run(&search("5D", "keep.psol")).succeeds();
    // A file that its own search has written is continued.
    bench.run(&search("5T", "new.psol")).succeeds();
    bench.run(&search("5T", "new.psol")).succeeds();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/5T-168.json");
    bench.run(&["convert", root, "five.psol"]).succeeds();
    let no = bench.run(&search("5D", "five.psol")).fails();
    assert!(no.err.contains("of 5T, not of 5D"), "{}", no.err);
}

#[test]
fn a_slip_in_a_typed_grid_is_named_with_its_line() {
    let bench = Bench::new();
    for (text, line) in [
        ("5T\n3 0 7 0\n", 2),
        ("5T\n3,0 7,0 8,0\n", 2),
        ("5T\n3, 0 to 7, 0\n3,-1 -> 3,3\n[0,3] [4,3]\n", 4),
        ("5T\nline 1: 3,0 7,0\n", 2),
        ("5T\n3,0 7,0\n3 -1 3 3\n0,3 4,3\n", 3),
        ("5T\nA1 A5 A6\n", 2),
        ("5T 3,0 7,0\n3,-1 3,3\n", 1),
        ("5T\n3,0 7,0\n(0 , 3)(4,3)\n", 3),
        ("3,0 7,0\nthe long line at the top\n", 2),
    ] {
        bench.write("grid.txt", text);
        for args in [&["order", "grid.txt"][..], &["verify", "grid.txt"]] {
            let no = bench.run(args).fails();
            let expected = format!("line {line}: expected");
            assert!(no.err.contains(&expected), "{text}: {}", no.err);
        }
    }
}
