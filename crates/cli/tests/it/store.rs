//! The archive, through the real binary.

use serde_json::Value;

use crate::common::Bench;

/// A folder with the games and two of the proofs that come with the program, all imported.
fn filled() -> Bench {
    let bench = Bench::new();
    let here = |path: &str| format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"));
    let rows = bench
        .run(&["store", "import", "--json", &here("games"), &here("proofs/endless")])
        .succeeds()
        .json();
    let rows = rows.as_array().expect("a list");
    assert!(rows.len() >= 11, "{rows:?}");
    assert!(rows.iter().all(|row| row["verdict"] == "new"), "{rows:?}");
    bench
}

#[test]
fn what_is_imported_is_listed_and_comes_out_as_it_was() {
    let bench = filled();
    let list = bench.run(&["store", "list", "--game", "5T", "--json"]).succeeds().json();
    let list = list.as_array().expect("a list");
    let scores: Vec<u64> =
        list.iter().map(|row| row["score"].as_u64().expect("a number")).collect();
    assert_eq!(scores[..3], [175, 169, 168]);
    let best = bench.run(&["store", "best", "--json"]).succeeds().json();
    let of = |game: &str| {
        best.as_array().expect("a list").iter().find(|row| row["game"] == game).cloned()
    };
    assert_eq!(of("5D").expect("a game")["best"]["score"], 82);
    assert_eq!(of("5T").expect("a game")["best"]["score"], 175);
    let id = list[0]["id"].as_str().expect("an id");
    bench.run(&["store", "get", &id[..8], "--out", "game.json"]).succeeds();
    bench.run(&["verify", "game.json"]).succeeds();
    let told = bench.run(&["store", "get", &id[..8]]).succeeds();
    assert_eq!(told.out.as_bytes(), bench.read("game.json"));
    // Once more: there already, and nothing changes.
    let again = bench.run(&["store", "import", "--json", "game.json"]).succeeds().json();
    assert_eq!(again[0]["verdict"], "again");
    bench.run(&["store", "export", "out", "--limit", "2"]).succeeds();
    bench.run(&["store", "export", "out", "--proofs"]).succeeds();
    bench.run(&["store", "import", "--archive", "other", "out"]).succeeds();
    let other = bench.run(&["store", "list", "--archive", "other", "--json"]).succeeds().json();
    assert_eq!(other.as_array().expect("a list").len(), 2);
    let checked = bench.run(&["store", "check", "--json"]).succeeds().json();
    assert_eq!(checked["damages"], Value::Array(vec![]));
}

#[test]
fn exported_proofs_are_compressed_and_named_after_their_format() {
    let bench = Bench::new();
    let here = |name: &str| format!("{}/../../proofs/{name}", env!("CARGO_MANIFEST_DIR"));
    let (caps, tree) = (here("5D-133.caps.gz"), here("4D-35.tree.gz"));
    bench.run(&["store", "import", &caps, &tree, &here("endless/3D-cross.json")]).succeeds();
    let rows = bench.run(&["store", "export", "out", "--proofs", "--json"]).succeeds().json();
    let files: Vec<&str> = rows
        .as_array()
        .expect("a list")
        .iter()
        .map(|row| &row["file"])
        .map(|file| file.as_str().expect("a name"))
        .collect();
    for suffix in [".caps.gz", ".tree.gz", ".json"] {
        let file = files.iter().find(|file| file.ends_with(suffix)).expect(suffix);
        assert_eq!(bench.read(file).starts_with(&[0x1f, 0x8b]), suffix.ends_with(".gz"), "{file}");
    }
    bench.run(&["verify", "out"]).succeeds();
}

#[test]
fn an_illegal_game_stays_outside() {
    let bench = Bench::new();
    bench.find("5D", "game.json");
    let text = String::from_utf8(bench.read("game.json")).expect("text");
    let (_, from) = text.split_once("\"moves\"").expect("moves");
    let first = from.lines().nth(1).expect("a move").to_owned();
    let twice = text.replacen(&first, &format!("{first}\n{first}"), 1);
    bench.write("twice.json", twice);
    bench.write("nothing.json", "{}");
    let ran = bench.run(&["store", "import", "twice.json"]).ends_negative();
    assert!(ran.err.contains("twice.json") && ran.err.contains("refuse"), "{}", ran.err);
    bench.run(&["store", "import", "nothing.json"]).fails();
    let list = bench.run(&["store", "list", "--json"]).succeeds().json();
    assert_eq!(list, Value::Array(vec![]));
}

#[test]
fn a_flipped_byte_is_named() {
    let bench = Bench::new();
    bench.find("5D", "game.json");
    bench.run(&["store", "import", "game.json"]).succeeds();
    let list = bench.run(&["store", "list", "--limit", "1", "--json"]).succeeds().json();
    let id = list[0]["id"].as_str().expect("an id").to_owned();
    let mut bytes = bench.read("archive/archive.sqlite");
    let find = |bytes: &[u8], part: &[u8]| bytes.windows(part.len()).position(|at| at == part);
    let at = find(&bytes, id.as_bytes()).expect("the row");
    let at = at + find(&bytes[at..], &[0x1f, 0x8b]).expect("its file") + 40;
    bytes[at] ^= 0x10;
    bench.write("archive/archive.sqlite", bytes);
    let ran = bench.run(&["store", "check"]).ends_negative();
    assert!(ran.out.contains(&id), "{}", ran.out);
    bench.run(&["store", "get", &id]).fails();
}

#[test]
fn errors_are_reported() {
    let bench = Bench::new();
    let ran = bench.run(&["store", "list"]).fails();
    assert!(ran.err.contains("archive") && ran.err.contains("import"), "{}", ran.err);
    assert!(bench.files().is_empty(), "looking makes nothing");
    bench.write("letter.txt", "dear");
    bench.run(&["store", "import", "--archive", ".", "letter.txt"]).fails();
    let bench = filled();
    bench.run(&["store", "get", "zzz"]).fails();
    // A byte of the database's own head: the version.
    let mut bytes = bench.read("archive/archive.sqlite");
    bytes[63] = 99;
    bench.write("archive/archive.sqlite", bytes);
    let ran = bench.run(&["store", "list"]).fails();
    assert!(ran.err.contains("version 99"), "{}", ran.err);
}
