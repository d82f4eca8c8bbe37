//! `morpion show`.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use evidence::FileCheck;
use geometry::{Game, ParseGameError};
use lab::text::did_you_mean;
use record::Record;
use render::{Style, Terminal};

use super::game_file;
use crate::args::FileGame;
use crate::files;
use crate::output::{Exit, note, print_bytes};

const EXAMPLES: &str = "\
Examples:
  morpion show best.json
  morpion show 5T                               the start
  morpion show 5T --start dots.txt              another start
  morpion show --game 5T record.psol --open";

/// Draw a game, or the start of one, in the terminal
///
/// The numbers along the border are the coordinates used in files. An illegal game is drawn with
/// its faulty move marked, and the exit code is 1.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Game file, `-` for standard input, or a game like 5T, whose start is drawn; none with
    /// --game, or --rules and --start
    #[arg(value_name = "FILE|GAME", required_unless_present_any = ["game", "rules"])]
    file: Option<PathBuf>,

    #[command(flatten)]
    game: FileGame,

    /// Open a picture with the desktop's viewer instead
    #[arg(long)]
    open: bool,

    /// Use ASCII characters only
    #[arg(long)]
    ascii: bool,

    /// When to use colours
    #[arg(long, alias = "color", value_name = "WHEN", default_value = "auto")]
    colour: When,
}

/// Games that a mistyped name may mean.
const GAMES: [&str; 6] = ["5T", "5D", "4T", "4D", "6T", "6D"];

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum When {
    /// If stdout is a terminal and NO_COLOR is not set
    Auto,
    Always,
    Never,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let Some(file) = &args.file else {
        let game = args.game.game()?.context("no game given; name one, like 5T")?;
        return draw(&args, &Record::from_moves(game, Vec::new()), None);
    };
    if let Some(game) = named_game(file)? {
        let game = args.game.of_named(game)?;
        return draw(&args, &Record::from_moves(game, Vec::new()), None);
    }
    let game = args.game.game()?;
    let FileCheck { record, verdict, .. } = game_file::verify(file, game.as_ref())?;
    let name = files::name(file);
    let refusal = verdict.err();
    if let Some(refusal) = &refusal {
        let reason = game_file::reason(refusal, record.as_ref().ok());
        note(format_args!("{name}: refused: {reason}"));
    }
    let fault = refusal.as_ref().and_then(verify::Refusal::number).map(|number| number as usize);
    if refusal.is_some() && record.is_err() {
        // Moves that are no moves cannot be drawn.
        return Ok(Exit::Negative);
    }
    let record = record.with_context(|| name.to_string())?;
    draw(&args, &record, fault)?;
    Ok(if refusal.is_some() { Exit::Negative } else { Exit::Success })
}

/// The game that is named instead of a file; an error if it is neither.
fn named_game(file: &Path) -> Result<Option<Game>> {
    if file.exists() || files::is_standard(file) {
        return Ok(None);
    }
    let name = files::name(file);
    let error = match name.parse() {
        Ok(game) => return Ok(Some(game)),
        Err(error) => error,
    };
    let is_path = name.contains(['.', '/', '\\']);
    if is_path {
        bail!("{name}: no such file");
    }
    let is_like_a_game = |letters: &str| matches!(letters, "T" | "t" | "D" | "d");
    if is_like_a_game(name.trim_start_matches(|it: char| it.is_ascii_digit())) {
        return Err::<_, ParseGameError>(error).context("no such file");
    }
    // A game that shares its number or its letter with the name.
    let upper = name.to_uppercase();
    let likely = GAMES.into_iter().filter(|game| game.chars().any(|it| upper.contains(it)));
    match did_you_mean(&upper, likely) {
        near if near.is_empty() => {
            bail!("{name}: neither a file nor a game; games are named like 5T or 5D")
        }
        near => bail!("{name}: neither a file nor a game{near}"),
    }
}

fn draw(args: &Args, record: &Record, fault: Option<usize>) -> Result<Exit> {
    if args.open {
        open(record, fault)?;
    } else {
        let colour = match args.colour {
            // By the convention of no-color.org.
            When::Auto => io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
            when => when == When::Always,
        };
        let options = Terminal { ascii: args.ascii, colour, mark: fault, ..Terminal::default() };
        print_bytes(render::terminal(record, &options).as_bytes())?;
    }
    Ok(Exit::Success)
}

/// Writes a picture to a temporary folder and opens it with the desktop's viewer.
fn open(record: &Record, fault: Option<usize>) -> Result<()> {
    let folder = tempfile::Builder::new().prefix("morpion-").tempdir()?.keep();
    let path = folder.join("game.svg");
    files::write(&path, render::svg(record, &Style { fault, ..Style::default() }).as_bytes())?;
    for opener in ["xdg-open", "open"] {
        if launch(opener, &path) {
            note(format_args!("{}", files::name(&path)));
            return Ok(());
        }
    }
    bail!("found no program to open {} with", files::name(&path));
}

fn launch(opener: &str, path: &Path) -> bool {
    let mut command = Command::new(opener);
    let quiet = command.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
