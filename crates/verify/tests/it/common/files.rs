//! The folders of test files and their tables.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;

use verify::{ReadError, Refusal};

/// One line of a table: a file and what is expected of it.
pub(crate) struct Expected {
    pub(crate) file: String,
    pub(crate) words: Vec<String>,
}

/// The table of a folder, which must name exactly the files that are there.
pub(crate) fn folder(name: &str) -> Vec<Expected> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name);
    let table = fs::read_to_string(folder.join("expected.txt")).expect("a table");
    let expected: Vec<Expected> = table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut words = line.split_whitespace().map(str::to_owned);
            let file = words.next().expect("a file name");
            Expected { file: format!("{name}/{file}"), words: words.collect() }
        })
        .collect();
    let named: BTreeSet<String> = expected.iter().map(|it| it.file.clone()).collect();
    let there: BTreeSet<String> = fs::read_dir(&folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name"))
        .filter(|file| file != "expected.txt")
        .map(|file| format!("{name}/{file}"))
        .collect();
    assert_eq!(named, there, "the table of {name} names the files that are there");
    assert_eq!(named.len(), expected.len(), "the table of {name} names each file once");
    expected
}

/// The text of a test file, read as the program reads it.
pub(crate) fn text_of(file: &str) -> Result<String, Refusal> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
    verify::read(File::open(path).expect("a test file")).map_err(|error| match error {
        ReadError::Refused(refusal) => refusal,
        error => panic!("{file}: {error}"),
    })
}
