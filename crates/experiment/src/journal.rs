//! The journal of an experiment: CSV, one row per run, safe against a kill at any moment.
//!
//! Lines that start with `#` are the settings; then come the column names and the rows. A row is
//! appended with one write when its run ends, so a kill can only truncate the last line, which is
//! dropped when the file is read again. When all runs are done the file is rewritten in the order
//! of the design, so it does not depend on timing. Any other damage is rejected with its line.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use store::files::write_atomic;

use crate::design::{ExperimentDesign, RunIndex};
use crate::output::display;

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RunResult {
    /// The run.
    pub run: RunIndex,
    /// Its seed.
    pub seed: u64,
    /// The moves of its best game.
    pub score: u64,
    /// The number of playouts.
    pub playouts: u64,
    /// The CPU time of the search.
    pub cpu: Duration,
    /// Its improvements, if the design is traced.
    pub improvements: Vec<Improvement>,
}

/// A new best game of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Improvement {
    /// The CPU time until then.
    pub at: Duration,
    /// Its number of moves.
    pub score: u64,
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The system refused.
    #[error("{}", display(.0))]
    Io(PathBuf, #[source] io::Error),
    /// Another process is writing it.
    #[error("{}: another run of this experiment is writing it", display(.0))]
    Busy(PathBuf),
    /// It is too large.
    #[error("{}: larger than {} MiB", display(.0), LIMIT >> 20)]
    TooLarge(PathBuf),
    /// It was made with other settings.
    #[error(
        "{} was made with other settings: line {line} is `{found}`, now it would be `{expected}`; \
         choose another --out, or use the same settings", display(.file)
    )]
    OtherSettings {
        /// The file.
        file: PathBuf,
        /// Its line.
        line: usize,
        /// The setting there.
        found: Box<str>,
        /// The setting now.
        expected: Box<str>,
    },
    /// It has more repeats than requested.
    #[error(
        "{}, line {line}, is run {} of its cell, but only {requested} are requested; request at \
         least as many as the file has, or choose another --out", display(.file), .repeat + 1
    )]
    MoreRepeats {
        /// The file.
        file: PathBuf,
        /// The line.
        line: usize,
        /// The repeat, from 0.
        repeat: u32,
        /// How many are requested.
        requested: u32,
    },
    /// A line is damaged.
    #[error("{}, line {line}: {fault}; repair or remove the file", display(.file))]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        fault: JournalFault,
    },
}

/// What is wrong with a line of a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JournalFault {
    /// The file ends before its rows.
    #[error("the file ends before its rows")]
    Ends,
    /// Not text.
    #[error("this is not UTF-8")]
    NotText,
    /// Not the column names.
    #[error("the column names are expected here")]
    Columns,
    /// Too few or too many values.
    #[error("a row with a value for each column is expected here")]
    Row,
    /// The experiment has no such run.
    #[error("the experiment has no such run")]
    NoSuchRun,
    /// Not the seed of that run.
    #[error("the seed is not that of this run")]
    Seed,
    /// An invalid value.
    #[error("the value of `{0}` is not valid")]
    Value(&'static str),
    /// The same run again.
    #[error("this run is in the file twice")]
    Twice,
}

/// The largest size of a journal.
const LIMIT: u64 = 256 << 20;

/// A journal open for appending.
#[derive(Debug)]
pub(crate) struct Journal<'a> {
    design: &'a ExperimentDesign,
    path: PathBuf,
    file: File,
    rows: BTreeMap<RunIndex, RunResult>,
    synced: Instant,
}

impl<'a> Journal<'a> {
    /// Opens the journal of a design, or creates it.
    pub(crate) fn open(design: &'a ExperimentDesign, path: &Path) -> Result<Self, JournalError> {
        let failed = |error| JournalError::Io(path.to_owned(), error);
        if !path.try_exists().map_err(failed)? {
            write_atomic(path, header(design).as_bytes()).map_err(failed)?;
        }
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(JournalError::Busy(path.to_owned())),
            // Not every file system has locks.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let mut bytes = Vec::new();
        (&mut file).take(LIMIT + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > LIMIT {
            return Err(JournalError::TooLarge(path.to_owned()));
        }
        if has_no_run(&bytes) {
            bytes = header(design).into_bytes();
            let rewritten = file.rewind().and_then(|()| file.write_all(&bytes));
            rewritten.map_err(failed)?;
        }
        let (rows, whole) = read(design, path, &bytes)?;
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Self { design, path: path.to_owned(), file, rows, synced: Instant::now() })
    }

    /// The rows so far.
    #[must_use]
    pub(crate) fn rows(&self) -> &BTreeMap<RunIndex, RunResult> {
        &self.rows
    }

    /// Appends a row.
    pub(crate) fn add(&mut self, row: RunResult) -> Result<(), JournalError> {
        let mut line = String::new();
        write_row(self.design, &row, &mut line);
        let mut written = self.file.write_all(line.as_bytes());
        // A kill loses nothing that was written, only a power failure may: once a second is enough.
        if self.synced.elapsed() > Duration::from_secs(1) {
            written = written.and_then(|()| self.file.sync_data());
            self.synced = Instant::now();
        }
        written.map_err(|error| JournalError::Io(self.path.clone(), error))?;
        self.rows.insert(row.run, row);
        Ok(())
    }

    /// Rewrites the file in the order of the design and returns its rows.
    pub(crate) fn finish(mut self) -> Result<Vec<RunResult>, JournalError> {
        let mut text = header(self.design);
        for row in self.rows.values() {
            write_row(self.design, row, &mut text);
        }
        let write = |file: &mut File| -> io::Result<()> {
            let mut old = Vec::new();
            file.seek(SeekFrom::Start(0))?;
            file.read_to_end(&mut old)?;
            if old == text.as_bytes() { Ok(()) } else { write_atomic(&self.path, text.as_bytes()) }
        };
        write(&mut self.file).map_err(|error| JournalError::Io(self.path.clone(), error))?;
        Ok(self.rows.into_values().collect())
    }
}

/// Whether a journal holds nothing but settings and column names: whatever they are, nothing is
/// lost with them.
fn has_no_run(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    text.starts_with("# morpion experiment ")
        && text.lines().filter(|line| !line.starts_with('#')).count() == 1
}

/// The settings and the column names.
fn header(design: &ExperimentDesign) -> String {
    let mut text = settings(design).join("\n");
    text.push('\n');
    text.push_str(&columns(design));
    text.push('\n');
    text
}

fn settings(design: &ExperimentDesign) -> Vec<String> {
    let mut lines = vec![
        format!("# morpion experiment {}", design.name),
        concat!("# program: morpion ", env!("CARGO_PKG_VERSION")).to_owned(),
    ];
    lines.extend(design.settings.iter().map(|(name, value)| format!("# {name}: {value}")));
    lines
}

fn columns(design: &ExperimentDesign) -> String {
    let mut names = design.columns.join(",");
    names.push_str(",repeat,seed,score,playouts,cpu_seconds");
    if design.traced {
        names.push_str(",improvements");
    }
    names
}

fn write_row(design: &ExperimentDesign, row: &RunResult, out: &mut String) {
    let RunResult { run, seed, score, playouts, cpu, improvements } = row;
    let values = design.cells[run.cell].values.join(",");
    let (repeat, cpu) = (run.repeat, cpu.as_secs_f64());
    let mut text = format!("{values},{repeat},{seed},{score},{playouts},{cpu:.6}");
    if design.traced {
        text.push(',');
        for (number, Improvement { at, score }) in improvements.iter().enumerate() {
            let space = if number > 0 { " " } else { "" };
            let _ = write!(text, "{space}{:.6}:{score}", at.as_secs_f64());
        }
    }
    text.push('\n');
    out.push_str(&text);
}

/// The rows of a file, and the length of its complete lines.
fn read(
    design: &ExperimentDesign,
    path: &Path,
    bytes: &[u8],
) -> Result<(BTreeMap<RunIndex, RunResult>, usize), JournalError> {
    let damaged = |line, fault| JournalError::Damaged { file: path.to_owned(), line, fault };
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(bytes[..whole].split_inclusive(|&byte| byte == b'\n')) {
        let text = str::from_utf8(line).map_err(|_| damaged(number, JournalFault::NotText))?;
        lines.push((number, text.trim_end_matches(['\n', '\r'])));
    }
    let mut lines = lines.into_iter();
    let expected = settings(design);
    for expected in &expected {
        let (line, found) = lines.next().ok_or_else(|| damaged(1, JournalFault::Ends))?;
        if found != expected {
            let (found, expected, file) = (short(found), short(expected), path.to_owned());
            return Err(JournalError::OtherSettings { file, line, found, expected });
        }
    }
    match lines.next() {
        None => return Err(damaged(expected.len() + 1, JournalFault::Ends)),
        Some((_, names)) if names == columns(design) => {}
        Some((line, _)) => return Err(damaged(line, JournalFault::Columns)),
    }
    let cells: HashMap<&[String], usize> =
        (0..).zip(&design.cells).map(|(number, cell)| (&cell.values[..], number)).collect();
    let mut rows = BTreeMap::new();
    for (line, text) in lines {
        let row = read_row(design, &cells, text).map_err(|fault| damaged(line, fault))?;
        let repeat = row.run.repeat;
        if repeat >= design.repeats {
            let (file, requested) = (path.to_owned(), design.repeats);
            return Err(JournalError::MoreRepeats { file, line, repeat, requested });
        }
        if rows.insert(row.run, row).is_some() {
            return Err(damaged(line, JournalFault::Twice));
        }
    }
    Ok((rows, whole))
}

/// The first part of a setting, for a message.
fn short(text: &str) -> Box<str> {
    let text = text.trim_start_matches(['#', ' ']);
    text.chars().take(200).flat_map(char::escape_debug).collect::<String>().into()
}

fn read_row(
    design: &ExperimentDesign,
    cells: &HashMap<&[String], usize>,
    text: &str,
) -> Result<RunResult, JournalFault> {
    let values: Vec<String> = text.split(',').map(str::to_owned).collect();
    let keys = design.columns.len();
    if values.len() != keys + 5 + usize::from(design.traced) {
        return Err(JournalFault::Row);
    }
    let cell = *cells.get(&values[..keys]).ok_or(JournalFault::NoSuchRun)?;
    let number = |index: usize, name: &'static str| -> Result<u64, JournalFault> {
        values[keys + index].parse().map_err(|_| JournalFault::Value(name))
    };
    let repeat = u32::try_from(number(0, "repeat")?).map_err(|_| JournalFault::Value("repeat"))?;
    let run = RunIndex { cell, repeat };
    let seed = number(1, "seed")?;
    if seed != design.seed_of(run) {
        return Err(JournalFault::Seed);
    }
    let (score, playouts) = (number(2, "score")?, number(3, "playouts")?);
    let cpu = seconds(&values[keys + 4]).ok_or(JournalFault::Value("cpu_seconds"))?;
    let improvements = match values.get(keys + 5) {
        Some(list) => improvements(list).ok_or(JournalFault::Value("improvements"))?,
        None => Vec::new(),
    };
    Ok(RunResult { run, seed, score, playouts, cpu, improvements })
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

fn improvements(list: &str) -> Option<Vec<Improvement>> {
    let one = |text: &str| -> Option<Improvement> {
        let (at, score) = text.split_once(':')?;
        Some(Improvement { at: seconds(at)?, score: score.parse().ok()? })
    };
    let list: Vec<Improvement> = list.split_whitespace().map(one).collect::<Option<_>>()?;
    let rises = |pair: &[Improvement]| pair[0].at <= pair[1].at && pair[0].score < pair[1].score;
    list.windows(2).all(rises).then_some(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::testing::random_games;
    use std::fs;

    fn row(design: &ExperimentDesign, cell: usize, repeat: u32) -> RunResult {
        let run = RunIndex { cell, repeat };
        RunResult {
            run,
            seed: design.seed_of(run),
            score: 20 + u64::from(repeat),
            playouts: 7,
            cpu: Duration::from_micros(1500),
            improvements: Vec::new(),
        }
    }

    /// A file with four rows that are out of order.
    fn sample(design: &ExperimentDesign, path: &Path) -> String {
        let mut journal = Journal::open(design, path).expect("a new file");
        for (cell, repeat) in [(1, 0), (0, 1), (1, 1), (0, 0)] {
            journal.add(row(design, cell, repeat)).expect("room");
        }
        fs::read_to_string(path).expect("a file")
    }

    #[test]
    fn rows_are_read_back_and_sorted() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("test.csv");
        let design = random_games(2);
        sample(&design, &path);
        let rows = Journal::open(&design, &path).expect("sound").finish().expect("written");
        let expected =
            [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(cell, repeat)| row(&design, cell, repeat));
        assert_eq!(rows, expected);
        let text = fs::read_to_string(&path).expect("a file");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "# morpion experiment test");
        assert_eq!(lines[3], "# sizes: 1 50");
        assert_eq!(lines[4], "game,playouts,repeat,seed,score,playouts,cpu_seconds");
        assert_eq!(lines[5], "4D,1,0,6603790743727323,20,7,0.001500");
        assert_eq!(fs::read_dir(dir.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_journal_without_runs_takes_other_settings_and_one_with_runs_does_not() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("test.csv");
        let design = random_games(2);
        drop(Journal::open(&design, &path).expect("a new file"));
        let other = ExperimentDesign { traced: true, ..random_games(2) };
        let mut journal = Journal::open(&other, &path).expect("nothing is lost");
        assert!(journal.rows().is_empty());
        journal.add(row(&other, 0, 0)).expect("room");
        drop(journal);
        assert!(Journal::open(&design, &path).is_err());
        assert_eq!(Journal::open(&other, &path).expect("sound").rows().len(), 1);
    }

    #[test]
    fn improvements_are_stored_if_traced() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("test.csv");
        let design = ExperimentDesign { traced: true, ..random_games(2) };
        let at = |micros, score| Improvement { at: Duration::from_micros(micros), score };
        let row = RunResult { improvements: vec![at(0, 3), at(2500, 21)], ..row(&design, 0, 1) };
        let mut journal = Journal::open(&design, &path).expect("a new file");
        journal.add(row.clone()).expect("room");
        drop(journal);
        let journal = Journal::open(&design, &path).expect("sound");
        assert_eq!(journal.rows()[&row.run], row);
        assert!(fs::read_to_string(&path).expect("a file").ends_with(",0.000000:3 0.002500:21\n"));
    }

    #[test]
    fn a_truncated_last_line_loses_only_itself() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("test.csv");
        let design = random_games(2);
        let text = sample(&design, &path);
        let rows = text.find("4D,").expect("rows");
        for end in rows..text.len() {
            fs::write(&path, &text[..end]).expect("a file");
            let mut journal = Journal::open(&design, &path).expect("sound");
            let rows_left = journal.rows().len();
            assert_eq!(rows_left, text[rows..end].matches('\n').count());
            if rows_left < 4 {
                let missing = design.runs().find(|run| !journal.rows().contains_key(run));
                let RunIndex { cell, repeat } = missing.expect("a run is missing");
                journal.add(row(&design, cell, repeat)).expect("room");
                drop(journal);
                let again = Journal::open(&design, &path).expect("sound");
                assert_eq!(again.rows().len(), rows_left + 1);
            }
        }
    }

    #[test]
    fn damage_is_rejected_with_its_line() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("test.csv");
        let design = random_games(2);
        let text = sample(&design, &path);
        let seed = design.seed_of(RunIndex { cell: 0, repeat: 1 }).to_string();
        let cases: &[(String, usize, JournalFault)] = &[
            (text.replace(&seed, "77"), 7, JournalFault::Seed),
            (
                text.replace(&format!("{seed},21"), &format!("{seed},x")),
                7,
                JournalFault::Value("score"),
            ),
            (text.replace("4D,1,1", "4D,2,1"), 7, JournalFault::NoSuchRun),
            (text.replace("4D,1,1", "1,1"), 7, JournalFault::Row),
            (text.replacen("0.001500", "-1", 1), 6, JournalFault::Value("cpu_seconds")),
            (text.replace("game,", "name,"), 5, JournalFault::Columns),
            (format!("{text}{}\n", text.lines().last().expect("a line")), 10, JournalFault::Twice),
            (format!("{text}\n"), 10, JournalFault::Row),
            (text[..text.find("game,").expect("columns")].to_owned(), 5, JournalFault::Ends),
            (String::new(), 1, JournalFault::Ends),
        ];
        for (text, expected, reason) in cases {
            fs::write(&path, text).expect("a file");
            match Journal::open(&design, &path) {
                Err(JournalError::Damaged { line, fault, .. }) => {
                    assert_eq!((line, fault), (*expected, *reason));
                }
                other => panic!("{reason:?}: {other:?}"),
            }
            assert_eq!(&fs::read_to_string(&path).expect("a file"), text, "unchanged");
        }
        fs::write(&path, [text.as_bytes(), b"\xff\xfe\n"].concat()).expect("a file");
        let error = Journal::open(&design, &path).expect_err("not text");
        assert!(error.to_string().contains("line 10"), "{error}");
    }

    #[test]
    fn other_settings_are_rejected() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("test.csv");
        let design = random_games(2);
        sample(&design, &path);
        let mut other = design.clone();
        other.settings[0].1 = "2".to_owned();
        let error = Journal::open(&other, &path).expect_err("another seed").to_string();
        assert!(error.contains("`seed: 1`") && error.contains("`seed: 2`"), "{error}");
        let fewer = ExperimentDesign { repeats: 1, ..design.clone() };
        let error = Journal::open(&fewer, &path).expect_err("more repeats");
        assert!(matches!(error, JournalError::MoreRepeats { repeat: 1, .. }), "{error}");
        let more = ExperimentDesign { repeats: 5, ..design };
        assert_eq!(Journal::open(&more, &path).expect("continued").rows().len(), 4);
    }

    #[test]
    fn only_one_process_writes() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("test.csv");
        let design = random_games(2);
        let _first = Journal::open(&design, &path).expect("a new file");
        assert!(matches!(Journal::open(&design, &path), Err(JournalError::Busy(_))));
    }
}
