//! `morpion man`.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Command;
use clap_mangen::Man;

use crate::output::{Answer, print_bytes};

/// Prints the manual page, or writes one for each command
///
/// Examples:
///   morpion man | man -l -
///   morpion man --dir ~/.local/share/man/man1
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Write a page for each command into this folder
    #[arg(long)]
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: Args, command: Command) -> Result<Answer> {
    let Some(dir) = args.dir else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        print_bytes(&page)?;
        return Ok(Answer::Yes);
    };
    let name = dir.display();
    std::fs::create_dir_all(&dir).with_context(|| format!("cannot make {name}"))?;
    clap_mangen::generate_to(command, &dir).with_context(|| format!("cannot write into {name}"))?;
    Ok(Answer::Yes)
}
