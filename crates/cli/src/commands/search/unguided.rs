//! Stands in for searches with a trained network in a build without `learn`.

use anyhow::{Result, bail};
use geometry::{Game, Move};
use search::MethodSpec;

use super::Args;

/// No method uses a network in this build.
pub(super) fn method_of(
    args: &Args,
    name: Option<&str>,
    _: &Game,
    _: Option<&[Move]>,
    _: &[(&str, &str)],
) -> Result<Option<MethodSpec>> {
    if args.model.is_some() || name == Some("learned") {
        bail!("learning is not in this build; rebuild with `cargo build --release`");
    }
    Ok(None)
}
