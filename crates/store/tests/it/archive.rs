//! An archive from outside: what enters, what comes back, what is noticed.

use std::fs;
use std::path::{Path, PathBuf};

use evidence::{VerifiedProof, VerifiedRecord};
use geometry::{Game, Move};
use record::{Provenance, Record};
use rules::{PlainPosition, Position as _};
use store::{Archive, Finder, GameFilter, Insertion, Item, ProofFilter, StoreError};

/// A game of `count` moves, always the first legal one, or the last.
fn moves(game: &Game, first: bool, count: usize) -> Vec<Move> {
    let mut board = PlainPosition::start(game.clone());
    for _ in 0..count {
        let last = board.legal().len() - 1;
        board.play_nth(if first { 0 } else { last });
    }
    board.moves()
}

fn judged(game: &str, first: bool, count: usize, method: &str) -> VerifiedRecord {
    let game = Game::named(game).expect("a game");
    let mut record = Record::from_moves(game.clone(), moves(&game, first, count));
    record.provenance = Provenance { method: Some(method.to_owned()), ..Provenance::default() };
    VerifiedRecord::parse(&record.to_json()).expect("a legal game")
}

/// A proof that comes with the program.
fn proof() -> VerifiedProof {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proofs/endless/3T-cross.json");
    VerifiedProof::new(fs::read_to_string(file).expect("a proof")).expect("it holds")
}

#[test]
fn many_may_open_a_new_archive_at_once() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().expect("a folder");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let archive = Archive::open_or_create(folder.path()).expect("an archive");
                    assert!(archive.runs().expect("runs").is_empty());
                });
            }
        });
    }
}

fn archive() -> (tempfile::TempDir, Archive) {
    let folder = tempfile::tempdir().expect("a folder");
    let archive = Archive::open_or_create(folder.path()).expect("an archive");
    (folder, archive)
}

#[test]
fn a_game_is_kept_once_and_each_find_with_its_provenance() {
    let (folder, mut archive) = archive();
    let one = judged("5T", true, 9, "nrpa");
    assert_eq!(archive.add_game(&one, "here").expect("added"), Insertion::New);
    assert_eq!(archive.add_game(&one, "here").expect("added"), Insertion::Duplicate);
    // The same game, mirrored and from its last move to its first.
    let game = one.game().clone();
    let symmetry = game.start.symmetries()[3];
    let mut lines: Vec<_> =
        one.moves().iter().map(|mv| symmetry.line(mv.line, game.rules)).collect();
    lines.reverse();
    let image = VerifiedRecord::parse(&Record::from_lines(game, lines).to_json()).expect("legal");
    assert_ne!(image.to_json(), one.to_json());
    assert_eq!(archive.add_game(&image, "mirrored").expect("added"), Insertion::Duplicate);
    drop(archive);
    let archive = Archive::open(folder.path()).expect("it is there");
    let games = archive.games(&GameFilter::default()).expect("a list");
    assert_eq!(games.len(), 1);
    assert_eq!((games[0].discoveries, games[0].score), (2, 9));
    let stored = archive.game(games[0].id.short()).expect("found by its id");
    assert_eq!(stored.text, one.to_json());
    let origins: Vec<&str> = stored.discoveries.iter().map(|find| find.origin.as_str()).collect();
    assert_eq!(origins, ["here", "mirrored"]);
    assert_eq!(stored.discoveries[0].provenance.method.as_deref(), Some("nrpa"));
    assert_eq!(stored.discoveries[1].provenance, Provenance::default());
}

#[test]
fn lists_keep_to_what_is_asked() {
    let (_folder, mut archive) = archive();
    for (game, first, count, method) in [
        ("5T", true, 5, "nrpa"),
        ("5T", true, 9, "nmcs"),
        ("5D", true, 7, "nrpa"),
        ("5T", false, 7, "sa"),
    ] {
        archive.add_game(&judged(game, first, count, method), "a test").expect("added");
    }
    let scores = |filter: GameFilter| -> Vec<u32> {
        archive.games(&filter).expect("a list").iter().map(|entry| entry.score).collect()
    };
    assert_eq!(scores(GameFilter::default()), [9, 7, 7, 5]);
    let game = Some(Game::named("5T").expect("a game"));
    assert_eq!(scores(GameFilter { game: game.clone(), ..GameFilter::default() }), [9, 7, 5]);
    assert_eq!(scores(GameFilter { least: Some(7), game, ..GameFilter::default() }), [9, 7]);
    let method = Some("nrpa".to_owned());
    assert_eq!(scores(GameFilter { method, ..GameFilter::default() }), [7, 5]);
    let finder = Some(Finder::Search);
    assert_eq!(scores(GameFilter { finder, ..GameFilter::default() }), [9, 7, 7, 5]);
    let finder = Some(Finder::Hand);
    assert!(scores(GameFilter { finder, ..GameFilter::default() }).is_empty());
    assert_eq!(scores(GameFilter { limit: Some(1), ..GameFilter::default() }), [9]);
    let best: Vec<(String, u32)> = archive
        .best_games()
        .expect("a list")
        .into_iter()
        .map(|entry| (entry.game, entry.score))
        .collect();
    assert_eq!(best, [("5D".to_owned(), 7), ("5T".to_owned(), 9)]);
    assert!(matches!(archive.game("zz"), Err(StoreError::Unknown(_))));
    assert!(matches!(archive.game(""), Err(StoreError::Unknown(_))));
}

#[test]
fn proofs_come_back_as_they_were() {
    let (_folder, mut archive) = archive();
    let proof = proof();
    assert_eq!(archive.add_proof(&proof, "here").expect("added"), Insertion::New);
    assert_eq!(archive.add_proof(&proof, "there").expect("added"), Insertion::Duplicate);
    let list = archive.proofs(&ProofFilter::default()).expect("a list");
    assert_eq!(list.len(), 1);
    assert_eq!((list[0].game.as_str(), list[0].bound), ("3T", None));
    let stored = archive.proof(list[0].id.as_str()).expect("found");
    assert_eq!(stored.text, proof.text());
    assert_eq!(stored.entry.claim, proof.to_string());
}

/// Where some bytes first occur in a file: in a table, since indices come later.
fn place(bytes: &[u8], part: &[u8]) -> usize {
    bytes.windows(part.len()).position(|window| window == part).expect("they are there")
}

/// Adds two games and a proof, damages the disk and returns what an audit finds.
fn damaged(change: impl FnOnce(&Path)) -> Vec<(Item, String)> {
    let (folder, mut archive) = archive();
    for method in ["nrpa", "sa"] {
        let game = judged("5D", method == "sa", 8, method);
        archive.add_game(&game, "a test").expect("added");
    }
    archive.add_proof(&proof(), "a test").expect("added");
    let whole = archive.audit(|_, _| ()).expect("checked");
    assert_eq!((whole.games, whole.proofs, whole.damages), (2, 1, vec![]));
    drop(archive);
    change(folder.path());
    let archive = Archive::open(folder.path()).expect("it opens");
    let checked = archive.audit(|_, _| ()).expect("checked");
    checked.damages.into_iter().map(|damage| (damage.item, damage.reason)).collect()
}

fn flip(file: &Path, at: impl FnOnce(&[u8]) -> usize) {
    let mut bytes = fs::read(file).expect("a file");
    let at = at(&bytes);
    bytes[at] ^= 1;
    fs::write(file, bytes).expect("written");
}

#[test]
fn a_flipped_byte_of_a_game_is_noticed_wherever_it_is() {
    let id = judged("5D", true, 8, "sa").id().to_string();
    // The compressed file starts with these two bytes.
    for step in [0, 2, 5, 30, 60, 90] {
        let damages = damaged(|folder| {
            let database = folder.join("archive.sqlite");
            flip(&database, |bytes| {
                let row = place(bytes, id.as_bytes());
                row + place(&bytes[row..row + 400], &[0x1f, 0x8b]) + step
            });
        });
        assert_eq!(damages.len(), 1, "{damages:?}");
        assert_eq!(damages[0].0, Item::Game);
        assert!(damages[0].1.contains(&id), "{damages:?}");
    }
}

#[test]
fn a_flipped_byte_of_what_is_known_of_a_game_is_noticed() {
    for part in ["\"method\":\"sa\"", "a test"] {
        let damages = damaged(|folder| {
            flip(&folder.join("archive.sqlite"), |bytes| {
                let table = place(bytes, b"sa{\"method\":\"sa\"}a test");
                table + place(&bytes[table..table + 30], part.as_bytes())
            });
        });
        assert!(damages.iter().any(|(item, _)| *item == Item::Game), "{part}: {damages:?}");
    }
}

#[test]
fn a_flipped_byte_of_a_proof_is_noticed_and_so_is_a_missing_file() {
    let file = |folder: &Path| -> PathBuf {
        let inside = |folder: &Path| {
            fs::read_dir(folder).expect("a folder").next().expect("an entry").expect("one").path()
        };
        inside(&inside(&folder.join("files")))
    };
    for share in [0, 1, 2, 3] {
        let damages = damaged(|folder| {
            flip(&file(folder), |bytes| share * (bytes.len() - 1) / 3);
        });
        assert_eq!(damages.len(), 1, "{damages:?}");
        assert_eq!(damages[0].0, Item::Proof);
        assert!(damages[0].1.contains(proof().id().as_str()), "{damages:?}");
    }
    let damages = damaged(|folder| fs::remove_file(file(folder)).expect("removed"));
    assert_eq!(damages.len(), 1, "{damages:?}");
    assert_eq!(damages[0].0, Item::Proof);
}

#[test]
fn a_folder_of_other_things_is_not_touched() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(matches!(Archive::open(folder.path()), Err(StoreError::NoArchive(_))));
    fs::write(folder.path().join("letter.txt"), "dear").expect("written");
    assert!(matches!(Archive::open_or_create(folder.path()), Err(StoreError::OtherFolder(_))));
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    fs::write(
        folder.path().join("archive.sqlite"),
        "no database at all, but long enough to be read as one",
    )
    .expect("written");
    assert!(Archive::open(folder.path()).is_err());
}

#[test]
fn an_emptied_database_is_not_taken_for_a_new_archive() {
    let (folder, archive) = archive();
    drop(archive);
    let database = folder.path().join("archive.sqlite");
    fs::write(&database, "").expect("emptied");
    let refused = Archive::open(folder.path()).expect_err("nothing to open").to_string();
    assert!(refused.ends_with("archive.sqlite is empty: restore a copy, or name another archive"));
    fs::create_dir_all(folder.path().join("states")).expect("a folder");
    let refused = Archive::open_or_create(folder.path());
    assert!(matches!(refused, Err(StoreError::Emptied(_))), "{refused:?}");
    assert_eq!(fs::metadata(&database).expect("still there").len(), 0);
}

#[test]
fn a_full_disk_is_called_full() {
    let (folder, archive) = archive();
    drop(archive);
    let full = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_FULL);
    let error = StoreError::from(rusqlite::Error::SqliteFailure(full, None));
    assert_eq!(
        error.to_string(),
        "the disk is full; free some space, and the same command continues"
    );
    drop(folder);
}

#[test]
fn many_may_add_at_once() {
    let (folder, archive) = archive();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let folder = folder.path();
            scope.spawn(move || {
                let mut archive = Archive::open_or_create(folder).expect("an archive");
                for count in 1..10 {
                    let game = judged("5T", true, count, &format!("method{thread}"));
                    archive.add_game(&game, "a thread").expect("added");
                }
            });
        }
    });
    let games = archive.games(&GameFilter::default()).expect("a list");
    assert_eq!(games.len(), 9);
    assert!(games.iter().all(|game| game.discoveries == 4));
    assert_eq!(archive.audit(|_, _| ()).expect("checked").damages, []);
}

/// However far a hunt had come when its game was added, it has found that game once.
#[test]
fn a_hunt_finds_a_game_once() {
    let (_folder, mut archive) = archive();
    let found = |seed, playouts| {
        let game = judged("5T", true, 9, "nrpa");
        let provenance = game.provenance().clone();
        game.with_provenance(Provenance {
            seed: Some(seed),
            playouts: Some(playouts),
            cpu_seconds: Some(playouts as f64),
            ..provenance
        })
    };
    archive.add_game(&found(1, 10), "task 7, before its end").expect("added");
    archive.add_game(&found(1, 20), "task 7").expect("added");
    let id = found(1, 10).id().to_string();
    assert_eq!(archive.game(&id).expect("there").entry.discoveries, 1);
    archive.add_game(&found(2, 10), "task 8").expect("added");
    assert_eq!(archive.game(&id).expect("there").entry.discoveries, 2);
    assert_eq!(archive.audit(|_, _| ()).expect("audited").damages, []);
}
