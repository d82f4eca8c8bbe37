//! The chain of everything that was added to an archive.
//!
//! A seal says that a row is what was written; the chain says that every row is still there. It
//! guards against accidents and careless hands: whoever rewrites all of it leaves no trace here.

use evidence::seal::seal;
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::StoreError;

/// The tables whose rows are in the chain.
const TABLES: [&str; 3] = ["games", "finds", "proofs"];

/// Appends the rows that are not in the chain yet; called before every commit that adds some.
pub(crate) fn extend(connection: &Connection) -> Result<(), StoreError> {
    let mut last: Vec<u8> = connection
        .prepare_cached("SELECT link FROM chain ORDER BY number DESC LIMIT 1")?
        .query_row([], |row| row.get(0))
        .optional()?
        .unwrap_or_default();
    for table in TABLES {
        let sql = format!(
            "SELECT number, seal FROM {table} WHERE number >
                 (SELECT coalesce(max(row), 0) FROM chain WHERE what = ?1) ORDER BY number"
        );
        let mut statement = connection.prepare_cached(&sql)?;
        let rows = statement.query_map([table], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let rows: Vec<(i64, Vec<u8>)> = rows.collect::<Result<_, _>>()?;
        let mut insert =
            connection.prepare_cached("INSERT INTO chain (what, row, link) VALUES (?1, ?2, ?3)")?;
        for (row, sealed) in rows {
            last = link(&last, table, row, &sealed).to_vec();
            insert.execute(params![table, row, last])?;
        }
    }
    Ok(())
}

/// What is wrong with the chain, in words.
pub(crate) fn faults(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut faults = Vec::new();
    let mut statement =
        connection.prepare("SELECT number, what, row, link FROM chain ORDER BY number")?;
    let mut rows = statement.query([])?;
    let (mut last, mut count) = (Vec::new(), 0_i64);
    while let Some(row) = rows.next()? {
        let (number, what): (i64, String) = (row.get(0)?, row.get(1)?);
        let (entry, found): (i64, Vec<u8>) = (row.get(2)?, row.get(3)?);
        count += 1;
        if number != count {
            faults.push(format!("the entry {count} of the chain is gone"));
            count = number;
        }
        let Some(table) = TABLES.into_iter().find(|table| *table == what) else {
            faults.push(format!("the entry {number} of the chain is of an unknown kind"));
            continue;
        };
        let sql = format!("SELECT seal FROM {table} WHERE number = ?1");
        let sealed: Option<Vec<u8>> =
            connection.prepare_cached(&sql)?.query_row([entry], |row| row.get(0)).optional()?;
        match sealed {
            None => faults.push(format!("the row {entry} of {table} is gone")),
            Some(sealed) if link(&last, table, entry, &sealed)[..] != found[..] => {
                faults.push(format!("the row {entry} of {table} is not the one that was added"));
            }
            Some(_) => {}
        }
        last = found;
    }
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = 'chain'";
    let all: Option<i64> = connection.query_row(sql, [], |row| row.get(0)).optional()?;
    if all.unwrap_or(0) != count {
        let all = all.unwrap_or(0);
        faults.push(format!("the chain ends at {count}, but {all} entries were made"));
    }
    for table in TABLES {
        let sql = format!(
            "SELECT (SELECT count(*) FROM {table}),
                    (SELECT count(*) FROM chain WHERE what = ?1)"
        );
        let (rows, chained): (i64, i64) =
            connection.query_row(&sql, [table], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if rows != chained {
            faults.push(format!("there are {rows} rows of {table}, and {chained} were added"));
        }
    }
    let sql = "SELECT id FROM games WHERE number NOT IN (SELECT game FROM finds)";
    let mut statement = connection.prepare(sql)?;
    for id in statement.query_map([], |row| row.get::<_, String>(0))? {
        faults.push(format!("nobody has found the game {}", id?));
    }
    Ok(faults)
}

fn link(last: &[u8], table: &str, row: i64, sealed: &[u8]) -> [u8; 32] {
    seal(&[last, table.as_bytes(), &row.to_le_bytes(), sealed])
}

#[cfg(test)]
mod tests {
    use crate::Archive;
    use evidence::VerifiedRecord;

    /// A game that a hunt has found.
    fn game(moves: &str, seed: u32) -> VerifiedRecord {
        let head = r#"{"format":"morpion-game/1","rules":"5T","start":"cross""#;
        let hunt = format!(r#""provenance":{{"method":"nrpa","seed":{seed},"playouts":10}}"#);
        VerifiedRecord::parse(&format!(r#"{head},"moves":[{moves}],{hunt}}}"#)).expect("legal")
    }

    /// What `audit` finds after a change behind its back.
    fn damages(change: &str) -> Vec<String> {
        damages_in(&[], change)
    }

    /// The same with more discoveries of the first game, by hunts of these seeds.
    fn damages_in(more: &[u32], change: &str) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut archive = Archive::open_or_create(folder.path()).expect("an archive");
        let moves = [
            "",
            r#"{"new":[7,0],"line":[[3,0],"E"]}"#,
            r#"{"new":[3,-1],"line":[[3,-1],"S"]},{"new":[7,0],"line":[[3,0],"E"]}"#,
        ];
        for moves in moves {
            archive.add_game(&game(moves, 1), "a test").expect("added");
        }
        for &seed in more {
            archive.add_game(&game("", seed), "a test").expect("added");
        }
        assert_eq!(archive.audit(|_, _| ()).expect("audited").damages, []);
        archive.connection.pragma_update(None, "foreign_keys", false).expect("as a stranger");
        archive.connection.execute_batch(change).expect("changed");
        let damages = archive.audit(|_, _| ()).expect("audited").damages;
        damages.into_iter().map(|damage| damage.reason).collect()
    }

    #[test]
    fn what_disappears_is_missed() {
        let last = "DELETE FROM finds WHERE number = 3; DELETE FROM games WHERE number = 3;";
        let cut = format!("{last} DELETE FROM chain WHERE row = 3;");
        for (change, words) in [
            (
                "DELETE FROM finds WHERE game = 1; DELETE FROM games WHERE number = 1",
                "row 1 of games",
            ),
            ("DELETE FROM finds WHERE game = 2", "nobody has found the game"),
            (last, "the row 3 of games is gone"),
            (&*cut, "the chain ends at 4, but 6 entries were made"),
            ("DELETE FROM chain WHERE number = 2", "the entry 2 of the chain is gone"),
            ("UPDATE chain SET link = x'00' WHERE number = 1", "is not the one that was added"),
        ] {
            let damages = damages(change);
            assert!(damages.iter().any(|it| it.contains(words)), "{change}: {damages:?}");
        }
    }

    #[test]
    fn what_is_said_about_a_discovery_stays_as_it_was() {
        for (change, words) in [
            ("UPDATE finds SET method = 'beam' WHERE number = 1", "another method"),
            ("UPDATE finds SET origin = 'mine' WHERE number = 1", "checksum"),
            ("UPDATE finds SET digest = x'00' WHERE number = 1", "checksum"),
            ("UPDATE finds SET added = 1 WHERE number = 1", "checksum"),
            (
                "UPDATE finds SET provenance = replace(provenance, '10', '11') WHERE number = 1",
                "checksum",
            ),
            ("UPDATE finds SET game = 99 WHERE number = 4", "a row of games that is gone"),
            ("UPDATE finds SET game = 2 WHERE number = 4", "checksum"),
        ] {
            let damages = damages_in(&[2], change);
            assert!(damages.iter().any(|it| it.contains(words)), "{change}: {damages:?}");
        }
    }

    #[test]
    fn what_is_planted_is_found() {
        for (change, words) in [
            (
                "CREATE TRIGGER planted AFTER INSERT ON games BEGIN DELETE FROM games; END",
                "the trigger planted is not ours",
            ),
            ("CREATE VIEW planted AS SELECT 1", "the view planted is not ours"),
            ("DROP INDEX games_by_score", "the index games_by_score is not there"),
        ] {
            let damages = damages(change);
            assert!(damages.iter().any(|it| it.contains(words)), "{change}: {damages:?}");
        }
    }
}
