//! In place of a command that this program was built without.

use std::ffi::OsString;

use anyhow::{Result, bail};

use crate::output::Answer;

/// Not in this program, which was built without it; `cargo build --release` builds all of it
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Whatever is asked of it
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

pub(crate) fn run(Args { rest: _ }: Args) -> Result<Answer> {
    bail!("this program was built without this command; `cargo build --release` builds all of it");
}
