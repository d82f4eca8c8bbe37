//! `morpion env`.

use std::io::{self, BufRead};

use anyhow::{Context, Result, bail};
use lab::environment::{AgentReply, Environment};

use crate::args::GameArgs;
use crate::output::{Exit, print};

/// The longest line read.
const LINE: u64 = 1 << 16;

const EXAMPLES: &str = "\
Examples:
  echo '{\"play\": 0}' | morpion env 5T
  morpion env 5D                then type {\"play\": 3}, {\"undo\": 1}, {\"game\": null}";

/// Play by lines of JSON on standard input and output, for agents of any language
///
/// Each line of input is one request: {"new": "5T"}, {"play": INDEX}, {"play": MOVE}, {"undo": N},
/// {"state": null}, or {"game": null} for the game as a file. Each is answered by one line: the
/// score, the legal moves, whether the game is over, and the record; or {"error": ...}, after which
/// the position is as before. The first line printed is the start; the end of the input ends the
/// game.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let mut environment = Environment::new(args.game.game()?);
    print(serde_json::to_string(&AgentReply::State(environment.state()))?)?;
    let mut input = io::stdin().lock();
    loop {
        let mut line = String::new();
        let read = io::Read::take(&mut input, LINE).read_line(&mut line);
        if read.context("standard input")? == 0 {
            return Ok(Exit::Success);
        }
        if line.len() as u64 == LINE && !line.ends_with('\n') {
            bail!("standard input: a line of more than {LINE} bytes");
        }
        if !line.trim().is_empty() {
            print(serde_json::to_string(&environment.answer(line.trim()))?)?;
        }
    }
}
