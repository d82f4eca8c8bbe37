//! The file of results: CSV, one row per run, safe against a kill at any moment.
//!
//! Lines that begin with `#` say what was run; then come the names of the columns and the rows. A
//! row is added as soon as its run is over, with one write, so that a kill can only cut the last
//! line; a cut line is dropped when the file is read again. When all runs are done the file is
//! written anew in the order of the plan, so that it does not depend on who was ready first. Any
//! other damage is refused with its line: a result is never guessed.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::plan::{Plan, RunId};

/// The result of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Which run.
    pub run: RunId,
    /// Its seed.
    pub seed: u64,
    /// How many moves its best game has.
    pub score: u64,
    /// How many playouts it made.
    pub playouts: u64,
    /// How much processor time it took.
    pub cpu: Duration,
    /// When it improved, if the plan asks for that.
    pub improvements: Vec<Improvement>,
}

/// A better game on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Improvement {
    /// After how much processor time.
    pub at: Duration,
    /// How many moves it has.
    pub score: u64,
}

/// Why there is no file of results to go on with.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// The system refused.
    #[error("{}", shown(.0))]
    Io(PathBuf, #[source] io::Error),
    /// Another program is at work on the same file.
    #[error("{}: another run of this experiment is writing it", shown(.0))]
    Busy(PathBuf),
    /// Larger than such a file can be.
    #[error("{}: larger than {} MiB", shown(.0), LIMIT >> 20)]
    TooLarge(PathBuf),
    /// Made with other settings.
    #[error(
        "{} was made with other settings: line {line} says `{held}`, now it would be `{wanted}`; \
         choose another --out, or the settings it was made with", shown(.file)
    )]
    OtherSettings {
        /// The file.
        file: PathBuf,
        /// Its line.
        line: usize,
        /// What it says.
        held: Box<str>,
        /// What it would say now.
        wanted: Box<str>,
    },
    /// It holds more repeats than are wanted.
    #[error(
        "{}, line {line}, is run {} of its cell, but only {wanted} are asked for; ask for at least \
         as many as the file holds, or choose another --out", shown(.file), .repeat + 1
    )]
    MoreRepeats {
        /// The file.
        file: PathBuf,
        /// The line.
        line: usize,
        /// The repeat, from 0.
        repeat: u32,
        /// How many are asked for.
        wanted: u32,
    },
    /// Something is wrong with a line.
    #[error("{}, line {line}: {fault}; mend or remove the file", shown(.file))]
    Damaged {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        fault: Fault,
    },
}

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The file ends before its rows begin.
    #[error("the file ends before its rows begin")]
    Ends,
    /// Not text.
    #[error("this is not UTF-8")]
    NotText,
    /// Not the names of the columns.
    #[error("the names of the columns are expected here")]
    Columns,
    /// Too few or too many values.
    #[error("a row with a value for each column is expected here")]
    Row,
    /// The experiment has no such run.
    #[error("the experiment has no such run")]
    NoSuchRun,
    /// The seed is not the one of that run.
    #[error("the seed is not that of this run")]
    Seed,
    /// A value that cannot be right.
    #[error("the value of `{0}` cannot be right")]
    Value(&'static str),
    /// The same run again.
    #[error("this run is in the file twice")]
    Twice,
}

/// The most bytes a file of results may have.
const LIMIT: u64 = 256 << 20;

/// A file of results, open to be added to.
#[derive(Debug)]
pub struct Journal<'a> {
    plan: &'a Plan,
    path: PathBuf,
    file: File,
    rows: BTreeMap<RunId, Row>,
    synced: Instant,
}

impl<'a> Journal<'a> {
    /// Opens the results of a plan, or begins them.
    pub fn open(plan: &'a Plan, path: &Path) -> Result<Self, JournalError> {
        let trouble = |error| JournalError::Io(path.to_owned(), error);
        if !path.try_exists().map_err(trouble)? {
            replace(path, header(plan).as_bytes()).map_err(trouble)?;
        }
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(trouble)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(JournalError::Busy(path.to_owned())),
            // A file system without locks is used without.
            Err(TryLockError::Error(_)) | Ok(()) => {}
        }
        let mut bytes = Vec::new();
        (&mut file).take(LIMIT + 1).read_to_end(&mut bytes).map_err(trouble)?;
        if bytes.len() as u64 > LIMIT {
            return Err(JournalError::TooLarge(path.to_owned()));
        }
        let (rows, whole) = read(plan, path, &bytes)?;
        file.set_len(whole as u64).map_err(trouble)?;
        file.seek(SeekFrom::End(0)).map_err(trouble)?;
        Ok(Self { plan, path: path.to_owned(), file, rows, synced: Instant::now() })
    }

    /// The rows so far.
    pub fn rows(&self) -> &BTreeMap<RunId, Row> {
        &self.rows
    }

    /// Adds a row.
    pub fn add(&mut self, row: Row) -> Result<(), JournalError> {
        let mut line = String::new();
        write_row(self.plan, &row, &mut line);
        let mut written = self.file.write_all(line.as_bytes());
        // A kill loses nothing that was written; only a fall of the machine may, so once a second
        // is often enough.
        if self.synced.elapsed() > Duration::from_secs(1) {
            written = written.and_then(|()| self.file.sync_data());
            self.synced = Instant::now();
        }
        written.map_err(|error| JournalError::Io(self.path.clone(), error))?;
        self.rows.insert(row.run, row);
        Ok(())
    }

    /// Writes the file in the order of the plan and gives back its rows.
    pub fn finish(mut self) -> Result<Vec<Row>, JournalError> {
        let mut text = header(self.plan);
        for row in self.rows.values() {
            write_row(self.plan, row, &mut text);
        }
        let write = |file: &mut File| -> io::Result<()> {
            let mut held = Vec::new();
            file.seek(SeekFrom::Start(0))?;
            file.read_to_end(&mut held)?;
            if held == text.as_bytes() { Ok(()) } else { replace(&self.path, text.as_bytes()) }
        };
        write(&mut self.file).map_err(|error| JournalError::Io(self.path.clone(), error))?;
        Ok(self.rows.into_values().collect())
    }
}

/// Writes a whole file: under another name beside it, then renamed.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".part");
    let part = path.with_file_name(name);
    let write = || {
        let mut file = File::create(&part)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&part, path)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&part);
    })
}

/// The first lines: what was run, and the names of the columns.
fn header(plan: &Plan) -> String {
    let mut text = settings(plan).join("\n");
    text.push('\n');
    text.push_str(&columns(plan));
    text.push('\n');
    text
}

fn settings(plan: &Plan) -> Vec<String> {
    let mut lines = vec![
        format!("# morpion experiment {}", plan.name),
        concat!("# program: morpion ", env!("CARGO_PKG_VERSION")).to_owned(),
    ];
    lines.extend(plan.settings.iter().map(|(name, value)| format!("# {name}: {value}")));
    lines
}

fn columns(plan: &Plan) -> String {
    let mut names = plan.columns.join(",");
    names.push_str(",repeat,seed,score,playouts,cpu_seconds");
    if plan.traced {
        names.push_str(",improvements");
    }
    names
}

fn write_row(plan: &Plan, row: &Row, out: &mut String) {
    let Row { run, seed, score, playouts, cpu, improvements } = row;
    let values = plan.cells[run.cell].values.join(",");
    let (repeat, cpu) = (run.repeat, cpu.as_secs_f64());
    let mut text = format!("{values},{repeat},{seed},{score},{playouts},{cpu:.6}");
    if plan.traced {
        text.push(',');
        for (number, Improvement { at, score }) in improvements.iter().enumerate() {
            let space = if number > 0 { " " } else { "" };
            let _ = write!(text, "{space}{:.6}:{score}", at.as_secs_f64());
        }
    }
    text.push('\n');
    out.push_str(&text);
}

/// The rows of a file, and how many of its bytes are whole lines.
fn read(
    plan: &Plan,
    path: &Path,
    bytes: &[u8],
) -> Result<(BTreeMap<RunId, Row>, usize), JournalError> {
    let damaged = |line, fault| JournalError::Damaged { file: path.to_owned(), line, fault };
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(bytes[..whole].split_inclusive(|&byte| byte == b'\n')) {
        let text = str::from_utf8(line).map_err(|_| damaged(number, Fault::NotText))?;
        lines.push((number, text.trim_end_matches(['\n', '\r'])));
    }
    let mut lines = lines.into_iter();
    let wanted = settings(plan);
    for wanted in &wanted {
        let (line, held) = lines.next().ok_or_else(|| damaged(1, Fault::Ends))?;
        if held != wanted {
            let (held, wanted) = (short(held), short(wanted));
            return Err(JournalError::OtherSettings { file: path.to_owned(), line, held, wanted });
        }
    }
    match lines.next() {
        None => return Err(damaged(wanted.len() + 1, Fault::Ends)),
        Some((_, names)) if names == columns(plan) => {}
        Some((line, _)) => return Err(damaged(line, Fault::Columns)),
    }
    let cells: HashMap<&[String], usize> =
        (0..).zip(&plan.cells).map(|(number, cell)| (&cell.values[..], number)).collect();
    let mut rows = BTreeMap::new();
    for (line, text) in lines {
        let row = read_row(plan, &cells, text).map_err(|fault| damaged(line, fault))?;
        let repeat = row.run.repeat;
        if repeat >= plan.repeats {
            let (file, wanted) = (path.to_owned(), plan.repeats);
            return Err(JournalError::MoreRepeats { file, line, repeat, wanted });
        }
        if rows.insert(row.run, row).is_some() {
            return Err(damaged(line, Fault::Twice));
        }
    }
    Ok((rows, whole))
}

/// Enough of a setting to recognise it.
fn short(text: &str) -> Box<str> {
    let text = text.trim_start_matches(['#', ' ']);
    text.chars().take(200).flat_map(char::escape_debug).collect::<String>().into()
}

fn read_row(plan: &Plan, cells: &HashMap<&[String], usize>, text: &str) -> Result<Row, Fault> {
    let values: Vec<String> = text.split(',').map(str::to_owned).collect();
    let keys = plan.columns.len();
    if values.len() != keys + 5 + usize::from(plan.traced) {
        return Err(Fault::Row);
    }
    let cell = *cells.get(&values[..keys]).ok_or(Fault::NoSuchRun)?;
    let number = |index: usize, name: &'static str| -> Result<u64, Fault> {
        values[keys + index].parse().map_err(|_| Fault::Value(name))
    };
    let repeat = u32::try_from(number(0, "repeat")?).map_err(|_| Fault::Value("repeat"))?;
    let run = RunId { cell, repeat };
    let seed = number(1, "seed")?;
    if seed != plan.seed_of(run) {
        return Err(Fault::Seed);
    }
    let (score, playouts) = (number(2, "score")?, number(3, "playouts")?);
    let cpu = seconds(&values[keys + 4]).ok_or(Fault::Value("cpu_seconds"))?;
    let improvements = match values.get(keys + 5) {
        Some(list) => improvements(list).ok_or(Fault::Value("improvements"))?,
        None => Vec::new(),
    };
    Ok(Row { run, seed, score, playouts, cpu, improvements })
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

/// A path for people: nothing in it moves the cursor or begins a new line.
fn shown(path: &Path) -> String {
    let escape =
        |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    path.to_string_lossy().chars().map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::super::plan::testing::random_games;
    use super::*;

    fn row(plan: &Plan, cell: usize, repeat: u32) -> Row {
        let run = RunId { cell, repeat };
        Row {
            run,
            seed: plan.seed_of(run),
            score: 20 + u64::from(repeat),
            playouts: 7,
            cpu: Duration::from_micros(1500),
            improvements: Vec::new(),
        }
    }

    /// A file with four rows in an order of its own.
    fn sample(plan: &Plan, path: &Path) -> String {
        let mut journal = Journal::open(plan, path).expect("a new file");
        for (cell, repeat) in [(1, 0), (0, 1), (1, 1), (0, 0)] {
            journal.add(row(plan, cell, repeat)).expect("room");
        }
        fs::read_to_string(path).expect("a file")
    }

    #[test]
    fn what_was_written_is_read_again_and_put_in_order() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("test.csv");
        let plan = random_games(2);
        sample(&plan, &path);
        let rows = Journal::open(&plan, &path).expect("sound").finish().expect("written");
        let expected =
            [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(cell, repeat)| row(&plan, cell, repeat));
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
    fn improvements_go_along_if_asked_for() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("test.csv");
        let plan = Plan { traced: true, ..random_games(2) };
        let at = |micros, score| Improvement { at: Duration::from_micros(micros), score };
        let row = Row { improvements: vec![at(0, 3), at(2500, 21)], ..row(&plan, 0, 1) };
        let mut journal = Journal::open(&plan, &path).expect("a new file");
        journal.add(row.clone()).expect("room");
        drop(journal);
        let journal = Journal::open(&plan, &path).expect("sound");
        assert_eq!(journal.rows()[&row.run], row);
        assert!(fs::read_to_string(&path).expect("a file").ends_with(",0.000000:3 0.002500:21\n"));
    }

    #[test]
    fn wherever_the_last_line_is_cut_the_others_stay() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("test.csv");
        let plan = random_games(2);
        let text = sample(&plan, &path);
        let rows = text.find("4D,").expect("rows");
        for end in rows..text.len() {
            fs::write(&path, &text[..end]).expect("a file");
            let mut journal = Journal::open(&plan, &path).expect("sound");
            let held = journal.rows().len();
            assert_eq!(held, text[rows..end].matches('\n').count());
            if held < 4 {
                let missing = plan.runs().find(|run| !journal.rows().contains_key(run));
                let RunId { cell, repeat } = missing.expect("a run is missing");
                journal.add(row(&plan, cell, repeat)).expect("room");
                drop(journal);
                let again = Journal::open(&plan, &path).expect("sound");
                assert_eq!(again.rows().len(), held + 1);
            }
        }
    }

    #[test]
    fn damage_is_refused_with_its_line() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("test.csv");
        let plan = random_games(2);
        let text = sample(&plan, &path);
        let seed = plan.seed_of(RunId { cell: 0, repeat: 1 }).to_string();
        let cases: &[(String, usize, Fault)] = &[
            (text.replace(&seed, "77"), 7, Fault::Seed),
            (text.replace(&format!("{seed},21"), &format!("{seed},x")), 7, Fault::Value("score")),
            (text.replace("4D,1,1", "4D,2,1"), 7, Fault::NoSuchRun),
            (text.replace("4D,1,1", "1,1"), 7, Fault::Row),
            (text.replacen("0.001500", "-1", 1), 6, Fault::Value("cpu_seconds")),
            (text.replace("game,", "name,"), 5, Fault::Columns),
            (format!("{text}{}\n", text.lines().last().expect("a line")), 10, Fault::Twice),
            (format!("{text}\n"), 10, Fault::Row),
            (text[..text.find("game,").expect("columns")].to_owned(), 5, Fault::Ends),
            (String::new(), 1, Fault::Ends),
        ];
        for (text, expected, reason) in cases {
            fs::write(&path, text).expect("a file");
            match Journal::open(&plan, &path) {
                Err(JournalError::Damaged { line, fault, .. }) => {
                    assert_eq!((line, fault), (*expected, *reason));
                }
                other => panic!("{reason:?}: {other:?}"),
            }
            assert_eq!(&fs::read_to_string(&path).expect("a file"), text, "it stays as it is");
        }
        fs::write(&path, [text.as_bytes(), b"\xff\xfe\n"].concat()).expect("a file");
        let refused = Journal::open(&plan, &path).expect_err("not text");
        assert!(refused.to_string().contains("line 10"), "{refused}");
    }

    #[test]
    fn other_settings_are_refused() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("test.csv");
        let plan = random_games(2);
        sample(&plan, &path);
        let mut other = plan.clone();
        other.settings[0].1 = "2".to_owned();
        let refused = Journal::open(&other, &path).expect_err("another seed").to_string();
        assert!(refused.contains("`seed: 1`") && refused.contains("`seed: 2`"), "{refused}");
        let fewer = Plan { repeats: 1, ..plan.clone() };
        let refused = Journal::open(&fewer, &path).expect_err("more repeats");
        assert!(matches!(refused, JournalError::MoreRepeats { repeat: 1, .. }), "{refused}");
        let more = Plan { repeats: 5, ..plan };
        assert_eq!(Journal::open(&more, &path).expect("it goes on").rows().len(), 4);
    }

    #[test]
    fn two_do_not_write_at_once() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("test.csv");
        let plan = random_games(2);
        let _first = Journal::open(&plan, &path).expect("a new file");
        assert!(matches!(Journal::open(&plan, &path), Err(JournalError::Busy(_))));
    }
}
