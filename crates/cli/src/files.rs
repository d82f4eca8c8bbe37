//! Files of the command: those of `lab::files`, and checks of `--out`.

use std::path::Path;

use anyhow::{Result, bail};
#[cfg(feature = "serve")]
pub(crate) use lab::files::read_secret;
pub(crate) use lab::files::{
    all_in, check_place, check_target, create_folder, is_standard, name, read, write,
};

/// Checks, before any work, that a native game can be written to `path` later. Leaves nothing
/// behind.
pub(crate) fn check_writable(path: &Path) -> Result<()> {
    check_out(path)?;
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("json");
    if !extension.eq_ignore_ascii_case("json") {
        bail!("{}: games are written as native JSON; use .json, then convert it", name(path));
    }
    Ok(())
}

/// Checks, before any work, that a file can be written to `path` later. Leaves nothing behind.
pub(crate) fn check_out(path: &Path) -> Result<()> {
    if is_standard(path) {
        bail!("--out must be a file, not standard output");
    }
    Ok(check_target(path)?)
}

/// Whether two paths lead to the same file; it need not exist.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}
