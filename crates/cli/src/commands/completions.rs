//! `morpion completions`.

use anyhow::Result;
use clap::Command;
use clap_complete::Shell;

use crate::output::{Answer, print_bytes};

/// Prints completions for a shell
///
/// Example: morpion completions bash > ~/.local/share/bash-completion/completions/morpion
#[derive(clap::Args)]
pub(crate) struct Args {
    /// For which shell
    shell: Shell,
}

pub(crate) fn run(args: Args, mut command: Command) -> Result<Answer> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "morpion", &mut script);
    print_bytes(&script)?;
    Ok(Answer::Yes)
}
