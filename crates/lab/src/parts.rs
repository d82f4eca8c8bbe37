//! Work in parts: on several threads, each result stored as soon as it is there.
//!
//! [`run`] is the one pool of the laboratory: it hands out parts in order, passes results on one at
//! a time and stops at the first error. [`PartsFile`] stores results as text: a line that names the
//! work, then a line for each part, its number and its result. A process killed while writing
//! leaves at most half a line, which is dropped. [`resume`] puts both together.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs parts on several threads and passes each result to `finish`, one at a time.
///
/// `work` also receives the number of its thread. No further part starts after an error or after
/// `finish` breaks; the first error is returned. This thread works too, so that all is done even if
/// no other can be started.
pub fn run<P: Send, R: Send, E: Send>(
    parts: impl IntoIterator<Item = P, IntoIter: Send>,
    threads: u32,
    work: impl Fn(usize, P) -> Result<R, E> + Sync,
    finish: impl FnMut(R) -> Result<ControlFlow<()>, E> + Send,
) -> Result<(), E> {
    let parts = parts.into_iter();
    let most = parts.size_hint().1.unwrap_or(usize::MAX);
    let parts = Mutex::new(parts);
    let outcome = Mutex::new((finish, Ok(())));
    let stop = AtomicBool::new(false);
    let worker = |thread: usize| {
        while !stop.load(Ordering::Relaxed) {
            let part = parts.lock().expect("no thread panics with the parts").next();
            let Some(part) = part else { break };
            let result = work(thread, part);
            let mut outcome = outcome.lock().expect("no thread panics with the results");
            let (finish, first_error) = &mut *outcome;
            match result.and_then(finish) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => stop.store(true, Ordering::Relaxed),
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    if first_error.is_ok() {
                        *first_error = Err(error);
                    }
                }
            }
        }
    };
    std::thread::scope(|scope| {
        let worker = &worker;
        for thread in 1..(threads as usize).min(most) {
            if std::thread::Builder::new().spawn_scoped(scope, move || worker(thread)).is_err() {
                break;
            }
        }
        worker(0);
    });
    outcome.into_inner().expect("no thread panics with the results").1
}

/// Runs the parts that have no result yet and stores each result, as `write` prints it. `on` is
/// called with the number of results after each part; if it breaks, there are fewer results than
/// parts.
pub fn resume<R: Send, E: From<PartsError> + Send>(
    parts: usize,
    threads: u32,
    (mut file, mut results): (Option<PartsFile>, BTreeMap<usize, R>),
    work: impl Fn(usize) -> Result<R, E> + Sync,
    write: impl Fn(&R) -> String + Sync,
    on: &(dyn Fn(usize) -> ControlFlow<()> + Sync),
) -> Result<BTreeMap<usize, R>, E> {
    let open: Vec<usize> = (0..parts).filter(|part| !results.contains_key(part)).collect();
    let work = |_, part| -> Result<_, E> { Ok((part, work(part)?)) };
    run(open, threads, work, |(part, result)| {
        if let Some(file) = &mut file {
            file.append(part, &write(&result))?;
        }
        results.insert(part, result);
        Ok(on(results.len()))
    })?;
    Ok(results)
}

/// A file of results, locked while it is open.
#[derive(Debug)]
pub struct PartsFile {
    file: File,
    name: String,
}

impl PartsFile {
    /// The maximum size.
    const MAX_BYTES: u64 = 1 << 30;

    /// Opens the file of this work, or creates it; returns the results in it. `read` knows what a
    /// result of a part can be.
    pub fn open<R>(
        path: &Path,
        work: &str,
        parts: usize,
        read: impl Fn(usize, &str) -> Option<R>,
    ) -> Result<(Self, BTreeMap<usize, R>), PartsError> {
        let name = crate::files::name(path);
        let file_error = |source| PartsError::File { file: name.clone(), source };
        let file = OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut file = file.map_err(file_error)?;
        file.try_lock().map_err(|_| PartsError::Locked { file: name.clone() })?;
        let mut bytes = Vec::new();
        let size = (&mut file).take(Self::MAX_BYTES + 1).read_to_end(&mut bytes);
        if size.map_err(file_error)? as u64 > Self::MAX_BYTES {
            return Err(PartsError::TooLarge { file: name });
        }
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        bytes.truncate(whole);
        file.set_len(whole as u64).map_err(file_error)?;
        file.seek(SeekFrom::End(0)).map_err(file_error)?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let line = error.as_bytes()[..error.utf8_error().valid_up_to()].split(|&b| b == b'\n');
            PartsError::Line { file: name.clone(), line: line.count() }
        })?;
        let mut opened = Self { file, name: name.clone() };
        let mut lines = text.lines();
        match lines.next() {
            None => opened.write(&format!("{work}\n"))?,
            Some(first) if first == work => {}
            Some(_) => return Err(PartsError::OtherWork { file: name, work: work.to_owned() }),
        }
        let mut results = BTreeMap::new();
        for (number, line) in (2..).zip(lines) {
            let part = line.split_once(' ').and_then(|(part, result)| {
                let part = part.parse().ok().filter(|&part: &usize| part < parts)?;
                Some((part, read(part, result)?))
            });
            let error = || PartsError::Line { file: name.clone(), line: number };
            let (part, result) = part.ok_or_else(error)?;
            results.insert(part, result);
        }
        Ok((opened, results))
    }

    /// Stores the result of a part.
    pub fn append(&mut self, part: usize, result: &str) -> Result<(), PartsError> {
        self.write(&format!("{part} {result}\n"))
    }

    fn write(&mut self, line: &str) -> Result<(), PartsError> {
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|source| PartsError::File { file: self.name.clone(), source })
    }
}

/// Why results cannot be read or stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartsError {
    /// The file cannot be read or written.
    #[error("{file}")]
    File {
        /// The file.
        file: String,
        /// What the system reports.
        #[source]
        source: io::Error,
    },
    /// Another process has the file open.
    #[error("{file} is in use by another process")]
    Locked {
        /// The file.
        file: String,
    },
    /// The file is too large.
    #[error("{file} is larger than 1 GiB")]
    TooLarge {
        /// The file.
        file: String,
    },
    /// The file stores other results.
    #[error("{file} is of other work, not of `{}`; choose another file", shortened(.work))]
    OtherWork {
        /// The file.
        file: String,
        /// The work at hand.
        work: String,
    },
    /// The file is damaged.
    #[error(
        "{file}: line {line} is not the number of a part and its result; delete the line, and the \
         part is done again"
    )]
    Line {
        /// The file.
        file: String,
        /// The line, counted from 1.
        line: usize,
    },
}

/// The beginning of a text.
fn shortened(text: &str) -> String {
    const LETTERS: usize = 40;
    match text.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_done_once_on_any_number_of_threads() {
        for threads in [0, 1, 3, 50] {
            let mut done = Vec::new();
            let square = |_, part: u32| Ok::<_, ()>(part * part);
            let finished = run(0..40, threads, square, |square| {
                done.push(square);
                Ok(ControlFlow::Continue(()))
            });
            assert_eq!(finished, Ok(()));
            done.sort_unstable();
            assert_eq!(done, (0..40).map(|part| part * part).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn an_error_and_a_break_stop_the_rest() {
        let work = |_, part: u32| if part == 5 { Err("five") } else { Ok(part) };
        let mut last = 0;
        let error = run(0.., 2, work, |part| {
            last = part;
            Ok(ControlFlow::Continue(()))
        });
        assert!(error == Err("five") && last <= 7, "{last}");
        let stopped = run(0.., 2, |_, part: u32| Ok::<_, ()>(part), |_| Ok(ControlFlow::Break(())));
        assert_eq!(stopped, Ok(()));
    }

    #[test]
    fn results_are_resumed_after_half_a_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("parts");
        let number = |_, result: &str| result.parse::<usize>().ok();
        let (mut file, results) = PartsFile::open(&path, "squares", 4, number).expect("a new file");
        assert!(results.is_empty());
        file.append(2, "4").expect("written");
        let locked = PartsFile::open(&path, "squares", 4, number);
        assert!(matches!(locked, Err(PartsError::Locked { .. })), "{locked:?}");
        drop(file);
        std::fs::write(&path, "squares\n2 4\n1").expect("written");
        let stored = PartsFile::open(&path, "squares", 4, number).expect("the same work");
        let stored = (Some(stored.0), stored.1);
        let square = |part: usize| Ok::<_, PartsError>(part * part);
        let all = resume(4, 2, stored, square, usize::to_string, &|_| ControlFlow::Continue(()));
        assert_eq!(all.expect("no error").into_values().collect::<Vec<_>>(), [0, 1, 4, 9]);
        let text = std::fs::read_to_string(&path).expect("text");
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, ["0 0", "1 1", "2 4", "3 9", "squares"]);
        let other = PartsFile::open(&path, "cubes", 4, number);
        assert!(matches!(other, Err(PartsError::OtherWork { .. })), "{other:?}");
        let fewer = PartsFile::open(&path, "squares", 3, number);
        assert!(matches!(fewer, Err(PartsError::Line { .. })), "{fewer:?}");
        let odd = PartsFile::open(&path, "squares", 4, |_, result| (result == "1").then_some(()));
        assert!(matches!(odd, Err(PartsError::Line { line: 2, .. })), "{odd:?}");
    }
}
