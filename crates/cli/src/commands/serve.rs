//! `morpion serve`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use web::{Limits, Server, Settings, Token};

use super::store::ArchiveArgs;
use crate::files;
use crate::output::{Answer, note, print};
use crate::solver::SolverArgs;

/// Opens the laboratory in the browser
///
/// Prints the address and answers until Ctrl-C: pages to play, to check games, to hunt and to look at what is
/// known, and a JSON API for programs (docs/web.md). Only this machine can reach it, and only its own pages may
/// ask. Another address needs --listen; then every visitor needs the token in the printed address. Refused
/// requests are told on stderr. What is found and kept goes into the archive of `morpion store`.
///
/// Examples:
///   morpion serve
///   morpion serve --port 0                        any free port; the address is printed
///   morpion serve --training training             shows how `morpion learn train --out training` goes
///   morpion serve --listen 0.0.0.0:8080 --name lab.example
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    archive: ArchiveArgs,

    /// Keep no archive
    #[arg(long, conflicts_with = "archive")]
    no_archive: bool,

    #[command(flatten)]
    solver: SolverArgs,

    /// Show the training in this folder, or those in its folders, as they go on; may be given several times
    #[arg(long = "training", value_name = "DIR")]
    trainings: Vec<PathBuf>,

    /// The port on this machine; 0 takes any that is free
    #[arg(long, value_name = "PORT", default_value_t = 8080, conflicts_with = "listen")]
    port: u16,

    /// Let other machines in at this address and port; a token is drawn unless --token-file has one. The
    /// connection is not encrypted: for the open network, put a TLS proxy in front
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,

    /// A file whose first line is the token
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// A name by which the server may be called, besides addresses and localhost
    #[arg(long = "name", value_name = "NAME")]
    names: Vec<String>,
}

pub(crate) fn run(args: Args) -> Result<Answer> {
    let address = args.listen.unwrap_or((IpAddr::from(Ipv4Addr::LOCALHOST), args.port).into());
    let token = match &args.token_file {
        Some(file) => Some(read_token(file)?),
        None if address.ip().is_loopback() => None,
        None => Some(Token::drawn()?),
    };
    if let Some(file) = args.trainings.iter().find(|folder| !folder.is_dir()) {
        bail!("--training {}: there is no such folder", files::name(file));
    }
    let query =
        token.as_ref().map_or_else(String::new, |token| format!("?token={}", token.reveal()));
    let settings = Settings {
        token,
        names: args.names,
        limits: Limits::default(),
        solver: args.solver.find()?,
        archive: if args.no_archive { None } else { Some(args.archive.open_or_create()?) },
        trainings: args.trainings,
        log: Box::new(|line| note(line)),
    };
    let server = Server::bind(address, settings).with_context(|| {
        format!("cannot listen on {address}; --port 0 takes any port that is free")
    })?;
    let stopper = server.stopper();
    ctrlc::set_handler(move || stopper.stop()).context("cannot listen to Ctrl-C")?;
    print(format_args!("http://{}/{query}", server.address()?))?;
    note("Ctrl-C stops the server");
    server.run();
    Ok(Answer::Yes)
}

fn read_token(file: &Path) -> Result<Token> {
    let bytes = files::read(file)?;
    let text = String::from_utf8_lossy(&bytes);
    let Some(line) = text.lines().next() else { bail!("{}: no token in it", files::name(file)) };
    Token::chosen(line.trim()).with_context(|| files::name(file))
}
