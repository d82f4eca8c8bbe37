//! In place of searches with a trained network, in a program that was built without learning.

use anyhow::{Result, bail};
use geometry::{Game, Move};
use search::Method;

use super::Args;

/// No method uses a network here.
pub(super) fn method_of(
    args: &Args,
    _: &Game,
    _: Option<&[Move]>,
    _: &[(&str, &str)],
) -> Result<Option<Method>> {
    if args.model.is_some() || args.method.as_deref() == Some("learned") {
        bail!("this program was built without learning; `cargo build --release` builds all of it");
    }
    Ok(None)
}
