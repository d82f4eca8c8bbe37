//! The database schema, and the migrations of older archives.
//!
//! The database's `user_version` counts the migrations that were applied. A migration, once
//! published, never changes; every change of the schema is a new one.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::{StoreError, chain};

/// Marks our databases (`application_id`): "Morp".
const MARK: i64 = 0x4d6f_7270;

/// The migration from each version to the next; the first is from nothing.
const MIGRATIONS: [&str; 4] = [
    include_str!("schema/1.sql"),
    include_str!("schema/2.sql"),
    include_str!("schema/3.sql"),
    include_str!("schema/4.sql"),
];

/// The version that this program writes.
pub(crate) const VERSION: i64 = MIGRATIONS.len() as i64;

/// The first version with a chain.
const CHAIN: i64 = 4;

/// What the schema of a database has that it should not have, or lacks, in words.
pub(crate) fn faults(connection: &Connection) -> Result<Vec<String>, StoreError> {
    let mut fresh = Connection::open_in_memory()?;
    migrate(&mut fresh, Path::new(""))?;
    let (wanted, found) = (objects(&fresh)?, objects(connection)?);
    let names = |of: &BTreeSet<[String; 4]>, without: &BTreeSet<[String; 4]>| -> Vec<String> {
        of.difference(without).map(|[kind, name, ..]| format!("{kind} {name}")).collect()
    };
    let strange = names(&found, &wanted).into_iter().map(|it| format!("the {it} is not ours"));
    let lacking = names(&wanted, &found).into_iter().map(|it| format!("the {it} is not there"));
    Ok(strange.chain(lacking).collect())
}

/// Tables, indexes, triggers and views: kind, name, table and definition of each.
fn objects(connection: &Connection) -> Result<BTreeSet<[String; 4]>, StoreError> {
    let sql = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema";
    let mut statement = connection.prepare(sql)?;
    let rows =
        statement.query_map([], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?]))?;
    // What SQLite makes for itself, like statistics, is its own.
    let is_ours = |row: &rusqlite::Result<[String; 4]>| {
        row.as_ref().map_or(true, |[_, name, ..]| !name.starts_with("sqlite_stat"))
    };
    Ok(rows.filter(is_ours).collect::<Result<_, _>>()?)
}

/// Migrates a database to this program's version, in one transaction.
pub(crate) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    // All of it as of one moment, while another process may be migrating.
    let found = version(&*connection.transaction()?, path)?;
    if found < VERSION {
        migrate_to(connection, path, VERSION)?;
    }
    Ok(())
}

/// The version of a database; 0 if it is empty.
fn version(connection: &Connection, path: &Path) -> Result<i64, StoreError> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (mark, found) = (pragma("application_id")?, pragma("user_version")?);
    if mark != MARK {
        let tables: i64 =
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        return match (mark, found, tables) {
            (0, 0, 0) => Ok(0),
            _ => Err(StoreError::OtherDatabase(path.to_owned())),
        };
    }
    match found > VERSION {
        true => Err(StoreError::Newer { path: path.to_owned(), found, known: VERSION }),
        false => Ok(found),
    }
}

/// Applies the migrations up to a version.
fn migrate_to(connection: &mut Connection, path: &Path, wanted: i64) -> Result<(), StoreError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have migrated it in between.
    let found = version(&transaction, path)?;
    for migration in MIGRATIONS.iter().take(wanted as usize).skip(found as usize) {
        transaction.execute_batch(migration)?;
    }
    if wanted >= CHAIN {
        chain::extend(&transaction)?;
    }
    transaction.pragma_update(None, "application_id", MARK)?;
    transaction.pragma_update(None, "user_version", wanted.max(found))?;
    transaction.commit()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connection() -> Connection {
        Connection::open_in_memory().expect("memory")
    }

    #[test]
    fn every_version_migrates_to_the_same_tables() {
        let tables = |connection: &Connection| -> Vec<String> {
            let mut rows = connection
                .prepare("SELECT sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY name")
                .expect("a statement");
            let rows = rows.query_map([], |row| row.get(0)).expect("rows");
            rows.map(|row| row.expect("a row")).collect()
        };
        let mut fresh = connection();
        migrate(&mut fresh, Path::new("a")).expect("new");
        assert!(!tables(&fresh).is_empty());
        for version in 1..VERSION {
            let mut old = connection();
            migrate_to(&mut old, Path::new("a"), version).expect("an old one");
            assert_ne!(tables(&old), tables(&fresh));
            migrate(&mut old, Path::new("a")).expect("migrated");
            assert_eq!(tables(&old), tables(&fresh));
        }
    }

    #[test]
    fn newer_archives_and_other_databases_are_rejected() {
        let mut newer = connection();
        migrate(&mut newer, Path::new("a")).expect("new");
        newer.pragma_update(None, "user_version", VERSION + 1).expect("changed");
        let error = migrate(&mut newer, Path::new("a")).expect_err("newer");
        assert!(error.to_string().contains("use a newer one"), "{error}");
        let mut other = connection();
        other.execute_batch("CREATE TABLE letters (text TEXT)").expect("a table");
        let error = migrate(&mut other, Path::new("a")).expect_err("another program's");
        assert!(matches!(error, StoreError::OtherDatabase(_)), "{error}");
    }

    #[test]
    fn an_archive_of_the_first_version_opens_with_everything_in_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("archive.sqlite");
        let text = r#"{"format":"morpion-game/1","rules":"5T","start":"cross","moves":[]}"#;
        let game = evidence::VerifiedRecord::parse(text).expect("a legal game");
        let mut old = Connection::open(&file).expect("a database");
        migrate_to(&mut old, folder.path(), 1).expect("version 1");
        crate::games::add(&old, &game, "long ago").expect("added");
        drop(old);
        let mut archive = crate::Archive::open(folder.path()).expect("migrated");
        let stored = archive.game(game.id().as_str()).expect("still there");
        assert_eq!((stored.text.as_str(), stored.discoveries.len()), (&*game.to_json(), 1));
        assert_eq!(archive.audit(|_, _| ()).expect("audited").damages, []);
        // And runs, which the first version did not have.
        archive.begin_run("run", "a run", "", []).expect("started");
        assert_eq!(archive.runs().expect("runs").len(), 1);
    }
}
