//! `morpion serve`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};
use geometry::Game;
use store::{Archive, GameFilter, ProofFilter};
use web::{Limits, Server, ServerSettings, Token};

use super::store::ArchiveArgs;
use crate::files;
use crate::interrupt::stop_server;
use crate::output::{Exit, note, print};
use crate::solver::SolverArgs;

const EXAMPLES: &str = "\
Examples:
  morpion serve --open
  morpion serve 5D --open                       a new game of 5D
  morpion serve --port 0                        any free port; the address is printed
  morpion serve --training training             follow `morpion learn train --out training`
  morpion serve --listen 0.0.0.0:8080 --name lab.example";

/// Serve the laboratory to the browser
///
/// Prints the address and serves until Ctrl-C; --open opens it in the browser. There are pages to
/// play, verify games, search and look up what is known, and a JSON API
/// (docs/reference/http-api.md). Only this machine can reach it, and only its own pages may send
/// requests. Other machines need --listen and the token in the printed address. Refused requests
/// are logged to stderr. Games found and saved go into the archive of `morpion store`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Game on the board of the address that is printed [default: that of the last visit]
    #[arg(value_name = "GAME")]
    game: Option<Game>,

    #[command(flatten)]
    archive: ArchiveArgs,

    /// Run without an archive
    #[arg(long, conflicts_with = "archive")]
    no_archive: bool,

    #[command(flatten)]
    solver: SolverArgs,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    /// Show the training runs in this folder or its subfolders, and put new ones there; repeatable
    /// [default: the folder trainings of the archive]
    #[arg(long = "training", value_name = "DIR")]
    training_runs: Vec<PathBuf>,

    /// Port on this machine; 0 for any free one
    #[arg(long, value_name = "PORT", default_value_t = 8080, conflicts_with = "listen")]
    port: u16,

    /// Listen at this address and port, with a random token unless --token-file gives one. The
    /// connection is not encrypted: on an open network, put a TLS proxy in front
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,

    /// File whose first line is the token; only its owner may be able to read it
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// Additional host name of the server, besides addresses and localhost, as behind a proxy;
    /// requests then need the token; repeatable
    #[arg(long = "name", value_name = "NAME")]
    names: Vec<String>,
}

pub(crate) fn run(mut args: Args) -> Result<Exit> {
    let address = args.listen.unwrap_or((IpAddr::from(Ipv4Addr::LOCALHOST), args.port).into());
    let token = match &args.token_file {
        Some(file) => Some(read_token(file)?),
        // A proxy on this machine passes on what comes from others.
        None if args.listen.is_some() || !args.names.is_empty() => Some(Token::random()?),
        None => None,
    };
    if let Some(file) = args.training_runs.iter().find(|folder| !folder.is_dir()) {
        bail!("--training {}: no such folder", files::name(file));
    }
    if args.training_runs.is_empty() && !args.no_archive {
        args.training_runs.push(args.archive.folder().join("trainings"));
    }
    let query =
        token.as_ref().map_or_else(String::new, |token| format!("?token={}", token.reveal()));
    let is_new = !args.archive.folder().exists();
    let settings = ServerSettings {
        token,
        names: args.names,
        limits: Limits::default(),
        solver: args.solver.find()?,
        archive: if args.no_archive { None } else { Some(args.archive.open_or_create()?) },
        training_runs: args.training_runs,
        log: Box::new(|line| note(line)),
    };
    let kept = match (&settings.archive, args.archive.folder()) {
        (Some(_), folder) => format!("games are kept in the archive {}", files::name(folder)),
        (None, _) => "nothing is kept".to_owned(),
    };
    let server = Server::bind(address, settings)
        .with_context(|| format!("cannot listen on {address}; use --port 0 for any free port"))?;
    let stopper = server.stopper();
    stop_server(move || stopper.stop());
    let board = args.game.map_or_else(String::new, |game| format!("#g/{game}/"));
    let page = format!("http://{}/{query}{board}", server.address()?);
    print(&page)?;
    if args.open {
        open(&page);
    }
    note(format_args!("Ctrl-C stops the server; {kept}"));
    server.run();
    if is_new && !args.no_archive {
        remove_if_empty(args.archive.folder());
    }
    Ok(Exit::Success)
}

/// Leaves nothing behind where nothing was kept: removes an archive that this server created and
/// nobody used.
fn remove_if_empty(folder: &Path) {
    let is_empty = || -> Result<bool> {
        let archive = Archive::open(folder)?;
        Ok(archive.games(&GameFilter::default())?.is_empty()
            && archive.proofs(&ProofFilter::default())?.is_empty()
            && archive.runs()?.is_empty()
            && archive.drafts().list().is_empty()
            && archive.hunts().names().is_empty())
    };
    if is_empty().unwrap_or(false) {
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// Opens a page in the browser; a note if there is none.
fn open(page: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let program = std::env::var("BROWSER").unwrap_or_else(|_| program.to_owned());
    let mut command = Command::new(&program);
    command.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let sorry = format!("no browser was found; open {page}");
    match command.spawn() {
        // It says by its exit code whether there is a browser; some stay until that is closed.
        Ok(mut opener) => drop(thread::spawn(move || {
            if opener.wait().is_ok_and(|status| !status.success()) {
                note(sorry);
            }
        })),
        Err(_) => note(sorry),
    }
}

fn read_token(file: &Path) -> Result<Token> {
    let bytes = files::read_secret(file)?;
    let text = String::from_utf8_lossy(&bytes);
    let Some(line) = text.lines().next() else {
        bail!("{}: the file is empty; its first line is the token", files::name(file))
    };
    Token::parse(line.trim()).with_context(|| files::name(file))
}
