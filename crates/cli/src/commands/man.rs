//! `morpion man`.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Command;
use clap_mangen::Man;

use crate::output::{Exit, print_bytes};

const EXAMPLES: &str = "\
Examples:
  morpion man | man -l -
  morpion man -o ~/.local/share/man/man1";

/// Print the manual page, or write one per command
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Write a page for each command into this folder
    #[arg(short = 'o', long = "out", alias = "dir", value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: Args, command: Command) -> Result<Exit> {
    let Some(dir) = args.dir else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        print_bytes(&page)?;
        return Ok(Exit::Success);
    };
    let name = dir.display();
    crate::files::create_folder(&dir)?;
    clap_mangen::generate_to(command, &dir).with_context(|| format!("cannot write into {name}"))?;
    Ok(Exit::Success)
}
