//! Stands in for a command that this build leaves out.

use std::ffi::OsString;

use anyhow::{Result, bail};

use crate::output::Exit;

/// Not in this build; rebuild with `cargo build --release`
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Any arguments
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

pub(crate) fn run(Args { rest: _ }: Args) -> Result<Exit> {
    bail!("this command is not in this build; rebuild with `cargo build --release`");
}
