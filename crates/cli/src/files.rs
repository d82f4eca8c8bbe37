//! Files in and out: never more than the limit in, all or nothing out.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

/// Reads a whole file, or stdin for `-`, up to the limit that every reader keeps.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let limit = record::limits::BYTES as u64;
    let mut bytes = Vec::new();
    let name = path.display();
    if is_standard(path) {
        io::stdin().lock().take(limit + 1).read_to_end(&mut bytes).context("standard input")?;
    } else {
        let file = File::open(path).with_context(|| format!("{name}"))?;
        if file.metadata().is_ok_and(|data| data.is_dir()) {
            bail!("{name}: a folder, not a file");
        }
        file.take(limit + 1).read_to_end(&mut bytes).with_context(|| format!("{name}"))?;
    }
    if bytes.len() as u64 > limit {
        bail!("{name}: larger than {} MiB", limit >> 20);
    }
    Ok(bytes)
}

/// Writes a whole file under a temporary name beside it, then renames it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let name = path.display();
    let mut file = beside(path).with_context(|| format!("cannot write {name}"))?;
    file.write_all(bytes).with_context(|| format!("cannot write {name}"))?;
    file.as_file().sync_all().with_context(|| format!("cannot write {name}"))?;
    file.persist(path).with_context(|| format!("cannot write {name}"))?;
    Ok(())
}

/// Finds out, before any work, whether a native game can be written to `path` later. Leaves nothing
/// behind.
pub(crate) fn check_writable(path: &Path) -> Result<()> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("json");
    if !ending.eq_ignore_ascii_case("json") {
        bail!(
            "{}: games are written as native JSON; name it .json, then convert it",
            path.display()
        );
    }
    if path.is_dir() {
        bail!("cannot write {}: it is a folder", path.display());
    }
    beside(path).map(drop).with_context(|| format!("cannot write {}", path.display()))
}

/// Whether a path stands for standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn beside(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".morpion-");
    #[cfg(unix)]
    {
        // What a plain `File::create` would ask for; the process's mask still applies.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    // The temporary name would only puzzle: the kind of trouble is enough.
    builder.tempfile_in(folder).map_err(|error| error.kind().into())
}
