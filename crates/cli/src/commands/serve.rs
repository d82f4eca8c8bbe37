//! `morpion serve`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use web::{Limits, Server, Settings, Token};

use super::store::ArchiveArgs;
use crate::files;
use crate::output::{Exit, note, print};
use crate::solver::SolverArgs;

const EXAMPLES: &str = "\
Examples:
  morpion serve
  morpion serve --port 0                        any free port; the address is printed
  morpion serve --training training             follow `morpion learn train --out training`
  morpion serve --listen 0.0.0.0:8080 --name lab.example";

/// Open the laboratory in the browser
///
/// Prints the address and serves until Ctrl-C: pages to play, verify games, search and look up what
/// is known, and a JSON API (docs/web.md). Only this machine can reach it, and only its own pages
/// may send requests. Other machines need --listen and the token in the printed address. Refused
/// requests are logged to stderr. Games found and saved go into the archive of `morpion store`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    archive: ArchiveArgs,

    /// Run without an archive
    #[arg(long, conflicts_with = "archive")]
    no_archive: bool,

    #[command(flatten)]
    solver: SolverArgs,

    /// Show the training runs in this folder or its subfolders; repeatable
    #[arg(long = "training", value_name = "DIR")]
    training_runs: Vec<PathBuf>,

    /// Port on this machine; 0 for any free one
    #[arg(long, value_name = "PORT", default_value_t = 8080, conflicts_with = "listen")]
    port: u16,

    /// Accept other machines at this address and port, with a random token unless --token-file
    /// gives one. The connection is not encrypted: on an open network, put a TLS proxy in front
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,

    /// File whose first line is the token
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// Additional host name of the server, besides addresses and localhost; repeatable
    #[arg(long = "name", value_name = "NAME")]
    names: Vec<String>,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let address = args.listen.unwrap_or((IpAddr::from(Ipv4Addr::LOCALHOST), args.port).into());
    let token = match &args.token_file {
        Some(file) => Some(read_token(file)?),
        None if address.ip().is_loopback() => None,
        None => Some(Token::random()?),
    };
    if let Some(file) = args.training_runs.iter().find(|folder| !folder.is_dir()) {
        bail!("--training {}: no such folder", files::name(file));
    }
    let query =
        token.as_ref().map_or_else(String::new, |token| format!("?token={}", token.reveal()));
    let settings = Settings {
        token,
        names: args.names,
        limits: Limits::default(),
        solver: args.solver.find()?,
        archive: if args.no_archive { None } else { Some(args.archive.open_or_create()?) },
        training_runs: args.training_runs,
        log: Box::new(|line| note(line)),
    };
    let server = Server::bind(address, settings)
        .with_context(|| format!("cannot listen on {address}; use --port 0 for any free port"))?;
    let stopper = server.stopper();
    ctrlc::set_handler(move || stopper.stop()).context("cannot handle Ctrl-C")?;
    print(format_args!("http://{}/{query}", server.address()?))?;
    note("Ctrl-C stops the server");
    server.run();
    Ok(Exit::Success)
}

fn read_token(file: &Path) -> Result<Token> {
    let bytes = files::read(file)?;
    let text = String::from_utf8_lossy(&bytes);
    let Some(line) = text.lines().next() else {
        bail!("{}: the file is empty; its first line is the token", files::name(file))
    };
    Token::parse(line.trim()).with_context(|| files::name(file))
}
