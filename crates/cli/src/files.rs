//! Files of the command: those of `lab::files`, and checks of `--out`.

use std::path::Path;

use anyhow::{Result, bail};
pub(crate) use lab::files::{
    all_in, check_place, check_target, exclusively, is_standard, name, read, write, write_locked,
};

/// Checks, before any work, that a native game can be written to `path` later. Leaves nothing
/// behind.
pub(crate) fn check_writable(path: &Path) -> Result<()> {
    if is_standard(path) {
        bail!("--out must be a file, not standard output");
    }
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("json");
    if !extension.eq_ignore_ascii_case("json") {
        bail!("{}: games are written as native JSON; use .json, then convert it", name(path));
    }
    Ok(check_target(path)?)
}
