//! Work in parts: on several threads, each result kept in a file as soon as it is there.
//!
//! The file is a text: a line that says what the work is, then a line for each part, its number and its result.
//! What was killed while writing leaves half a line at most, which is dropped.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context, Result, anyhow, bail};

use crate::files;

/// The results of parts by their numbers.
pub(crate) type Results = BTreeMap<usize, String>;

/// Where results are kept.
pub(crate) struct Journal {
    file: File,
}

impl Journal {
    /// The most bytes of a journal.
    const MAX_BYTES: u64 = 1 << 30;

    /// Opens a journal of this work, or begins one; gives what is in it.
    pub(crate) fn open(path: &Path, work: &str, parts: usize) -> Result<(Self, Results)> {
        let name = || files::name(path);
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path);
        let file = file.as_mut().map_err(|error| anyhow!("{}: {error}", name()))?;
        file.try_lock().with_context(|| format!("{} is in use", name()))?;
        let mut bytes = Vec::new();
        file.take(Self::MAX_BYTES + 1).read_to_end(&mut bytes).with_context(name)?;
        if bytes.len() as u64 > Self::MAX_BYTES {
            bail!("{}: larger than a journal can be", name());
        }
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        file.set_len(whole as u64).with_context(name)?;
        file.seek(SeekFrom::End(0)).with_context(name)?;
        let text = String::from_utf8(bytes[..whole].to_vec()).with_context(name)?;
        let mut lines = text.lines();
        let mut journal = Self { file: file.try_clone().with_context(name)? };
        match lines.next() {
            None => journal.write(&format!("{work}\n")).with_context(name)?,
            Some(first) if first == work => {}
            Some(_) => bail!("{} is of other work: expected \"{work}\"; name another file", name()),
        }
        let mut results = Results::new();
        for (number, line) in (2..).zip(lines) {
            let part = line.split_once(' ').and_then(|(part, result)| {
                Some((part.parse().ok().filter(|&part: &usize| part < parts)?, result.to_owned()))
            });
            let (part, result) = part.with_context(|| {
                format!("{}: line {number} is not the number of a part and its result", name())
            })?;
            results.insert(part, result);
        }
        Ok((journal, results))
    }

    /// Keeps the result of a part.
    pub(crate) fn keep(&mut self, part: usize, result: &str) -> Result<()> {
        self.write(&format!("{part} {result}\n")).context("the journal")
    }

    fn write(&mut self, line: &str) -> std::io::Result<()> {
        self.file.write_all(line.as_bytes())
    }
}

/// Does all parts that are not done, and keeps each result; stops early if asked to.
pub(crate) fn conduct(
    parts: usize,
    threads: u32,
    (journal, mut results): (Option<Journal>, Results),
    stop: &AtomicBool,
    progress: &(dyn Fn(usize) + Sync),
    work: &(dyn Fn(usize) -> Result<String> + Sync),
) -> Result<Results> {
    let open: Vec<usize> = (0..parts).filter(|part| !results.contains_key(part)).collect();
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((journal, &mut results, Ok(())));
    let run = || {
        while !stop.load(Ordering::Relaxed) {
            let Some(&part) = open.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            let result = work(part);
            let mut shared = shared.lock().expect("no thread panics with the results");
            let (journal, results, outcome) = &mut *shared;
            let kept = result.and_then(|result| {
                if let Some(journal) = journal {
                    journal.keep(part, &result)?;
                }
                results.insert(part, result);
                Ok(())
            });
            if let Err(error) = kept {
                *outcome = Err(error);
                next.store(open.len(), Ordering::Relaxed);
            }
            progress(results.len());
        }
    };
    std::thread::scope(|scope| {
        // This thread works too, so the work is done even if no other can be started.
        for _ in 1..threads {
            if std::thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
    shared.into_inner().expect("no thread panics with the results").2?;
    Ok(results)
}
