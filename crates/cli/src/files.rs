//! Bounded reads and atomic writes of files.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Reads a file, or stdin for `-`, up to the common size limit.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    read_up_to(path, record::limits::BYTES as u64)
}

/// Reads a file, or stdin for `-`, of at most `limit` bytes.
pub(crate) fn read_up_to(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_standard(path) {
        io::stdin().lock().take(limit + 1).read_to_end(&mut bytes).context("standard input")?;
    } else {
        let file = File::open(path).with_context(|| name(path))?;
        if file.metadata().is_ok_and(|data| data.is_dir()) {
            bail!("{} is a folder, not a file", name(path));
        }
        file.take(limit + 1).read_to_end(&mut bytes).with_context(|| name(path))?;
    }
    if bytes.len() as u64 > limit {
        bail!("{}: larger than {} MiB", name(path), limit >> 20);
    }
    Ok(bytes)
}

/// Writes a file atomically: under another name beside it, then renamed. Links are followed, and
/// what is not a regular file (a device, a pipe) is written to directly.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    exclusively(path, || write_now(path, bytes))
}

/// Does some work while no other `morpion` writes in the same folder.
pub(crate) fn exclusively<T>(path: &Path, work: impl FnOnce() -> Result<T>) -> Result<T> {
    // A file system without locks is used without: renames are atomic anyway.
    let folder = File::open(folder_of(&target_of(path))).ok();
    let _locked = folder.as_ref().map(File::lock);
    work()
}

/// [`write()`] inside [`exclusively`].
pub(crate) fn write_now(path: &Path, bytes: &[u8]) -> Result<()> {
    let target = target_of(path);
    let context = || format!("cannot write {}", name(path));
    let old = fs::metadata(&target);
    if old.is_ok_and(|data| !data.is_file() && !data.is_dir()) {
        let mut file = OpenOptions::new().write(true).open(&target).with_context(context)?;
        return file.write_all(bytes).with_context(context);
    }
    store::files::write_atomic_as(&part_of(&target), &target, bytes).with_context(context)
}

/// Checks, before any work, that a native game can be written to `path` later. Leaves nothing
/// behind.
pub(crate) fn check_writable(path: &Path) -> Result<()> {
    if is_standard(path) {
        bail!("--out must be a file, not standard output");
    }
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("json");
    if !ending.eq_ignore_ascii_case("json") {
        bail!("{}: games are written as native JSON; use .json, then convert it", name(path));
    }
    check_target(path)
}

/// Checks, before any work, that a file can be written later; creates its folder.
pub(crate) fn check_place(path: &Path) -> Result<()> {
    let folder = folder_of(path);
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", name(folder)))?;
    check_target(path)
}

/// Checks that something can be written there. Leaves nothing behind.
fn check_target(path: &Path) -> Result<()> {
    let target = target_of(path);
    if target.is_dir() {
        bail!("cannot write {}: it is a folder", name(path));
    }
    exclusively(path, || {
        let part = part_of(&target);
        File::create(&part).and_then(|_| fs::remove_file(&part))?;
        Ok(())
    })
    .with_context(|| format!("cannot write {}", name(path)))
}

/// All files in a folder and its subfolders, in order. Links to folders are not followed, so that
/// this terminates.
pub(crate) fn all_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| name(&folder))? {
            let entry = entry.with_context(|| name(&folder))?;
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(entry.path());
            } else {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Whether a path stands for standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A path that is safe to print: control characters are escaped.
pub(crate) fn name(path: &Path) -> String {
    let escape =
        |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    path.to_string_lossy().chars().map(escape).collect()
}

/// The final target of a path, existing or not.
fn target_of(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    // As many links as the system would follow.
    for _ in 0..40 {
        match fs::read_link(&target) {
            Ok(next) => target = folder_of(&target).join(next),
            Err(_) => break,
        }
    }
    target
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The temporary name of a file being written. Always the same, so that one left behind by a
/// killed program is reused.
fn part_of(target: &Path) -> PathBuf {
    let mut part = OsString::from(".");
    part.push(target.file_name().unwrap_or_default());
    part.push(".part");
    target.with_file_name(part)
}
