//! `morpion completions`.

use anyhow::Result;
use clap::Command;
use clap_complete::Shell;

use crate::output::{Exit, print_bytes};

/// Print completions for a shell
///
/// Example: morpion completions bash > ~/.local/share/bash-completion/completions/morpion
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Shell
    shell: Shell,
}

pub(crate) fn run(args: Args, mut command: Command) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "morpion", &mut script);
    print_bytes(&script)?;
    Ok(Exit::Success)
}
