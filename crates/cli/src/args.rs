//! Arguments shared by several commands, and their parsers.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::builder::RangedU64ValueParser;
use geometry::{Game, Rules, Start};

use crate::files;

/// `GAME`, or `--rules` with `--start`.
#[derive(clap::Args)]
pub(crate) struct GameArgs {
    /// Game: line length and T (touching) or D (disjoint), from the usual cross: 5T, 5D, 4T, 6D
    #[arg(value_name = "GAME", required_unless_present = "rules", conflicts_with = "rules")]
    game: Option<Game>,

    #[command(flatten)]
    custom: CustomGame,
}

impl GameArgs {
    /// The requested game.
    pub(crate) fn game(&self) -> Result<Game> {
        self.custom.game(self.game.as_ref())?.context("no game given; name one, like 5T")
    }
}

/// `GAME`, or `--rules` with `--start`, or neither.
#[derive(clap::Args)]
pub(crate) struct OptionalGame {
    /// Game: line length and T (touching) or D (disjoint), from the usual cross: 5T, 5D, 4T, 6D
    #[arg(value_name = "GAME", conflicts_with = "rules")]
    game: Option<Game>,

    #[command(flatten)]
    custom: CustomGame,
}

impl OptionalGame {
    /// The requested game, if any.
    pub(crate) fn game(&self) -> Result<Option<Game>> {
        self.custom.game(self.game.as_ref())
    }
}

/// `--game`, or `--rules` with `--start`: the game of files that do not name it.
#[derive(clap::Args)]
pub(crate) struct FileGame {
    /// Game of files that do not name it: 5T, 5D, ... [default for Pentasol: 5D, then 5T]
    #[arg(long, value_name = "GAME", conflicts_with = "rules")]
    game: Option<Game>,

    #[command(flatten)]
    custom: CustomGame,
}

impl FileGame {
    /// A game that was named instead of a file, with the start that is requested.
    pub(crate) fn of_named(&self, named: Game) -> Result<Game> {
        let asked = self.custom.rules.or(self.game.as_ref().map(|game| game.rules));
        if let Some(asked) = asked.filter(|&asked| asked != named.rules) {
            bail!("{named} contradicts {asked}; name one of them");
        }
        Ok(self.custom.game(Some(&named))?.unwrap_or(named))
    }

    /// The requested game, if any.
    pub(crate) fn game(&self) -> Result<Option<Game>> {
        self.custom.game(self.game.as_ref())
    }
}

#[derive(clap::Args)]
struct CustomGame {
    /// Rules, e.g. 5T; the same as the game, to be read well with --start
    #[arg(long, value_name = "RULES")]
    rules: Option<Rules>,

    /// Starting dots: `cross:N` for the cross of side N, or a file (text, picture, or a game
    /// whose start is used)
    #[arg(long, value_name = "START")]
    start: Option<String>,
}

impl CustomGame {
    fn game(&self, named: Option<&Game>) -> Result<Option<Game>> {
        let rules = self.rules.or(named.map(|game| game.rules));
        let Some(start) = &self.start else { return Ok(rules.map(Game::from_cross)) };
        let rules = rules.context("--start needs rules: name the game, like 5T or --game 5T")?;
        Ok(Some(Game { rules, start: read_start(start, rules)? }))
    }
}

fn read_start(start: &str, rules: Rules) -> Result<Start> {
    if start == "cross" || start.starts_with("cross:") {
        return record::parse_start_name(start, rules).with_context(|| format!("--start {start}"));
    }
    let bytes = files::read(Path::new(start))?;
    record::read_start(&bytes).with_context(|| start.to_owned())
}

/// A positive length of time: `90s`, `10m`, `2h`, `1.5h`, `500ms`; a bare number is in seconds.
pub(crate) fn duration(text: &str) -> Result<Duration> {
    Ok(lab::text::parse_duration(text)?)
}

/// A positive integer: `1000000` or `1e6`.
pub(crate) fn amount(text: &str) -> Result<u64> {
    let (digits, zeros) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let number: Option<u64> = digits.parse().ok().filter(|&number| number > 0);
    let read = number.zip(zeros.parse::<u32>().ok());
    let (number, zeros) = read.context("expected a positive integer, like 1000000 or 1e6")?;
    let amount = 10u64.checked_pow(zeros).and_then(|times| number.checked_mul(times));
    amount.with_context(|| format!("the number is too large; at most {}", u64::MAX))
}

/// An amount of memory: `500M`, `2G`, `1T`, or bytes.
pub(crate) fn memory(text: &str) -> Result<u64> {
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'K' | b'k') => (&text[..text.len() - 1], 10),
        Some(b'M' | b'm') => (&text[..text.len() - 1], 20),
        Some(b'G' | b'g') => (&text[..text.len() - 1], 30),
        Some(b'T' | b't') => (&text[..text.len() - 1], 40),
        _ => (text, 0),
    };
    let number: u64 = digits.parse().context("expected an amount of memory, like 500M or 2G")?;
    number.checked_mul(1 << shift).context("the amount of memory is out of range")
}

/// The default number of threads.
pub(crate) fn all_cores() -> u32 {
    std::thread::available_parallelism().map_or(1, |n| n.get() as u32).min(MAX_THREADS)
}

/// The most threads that can be requested.
pub(crate) const MAX_THREADS: u32 = 1024;

/// Parses a number of threads.
pub(crate) fn threads() -> RangedU64ValueParser<u32> {
    RangedU64ValueParser::new().range(1..=u64::from(MAX_THREADS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_positive_integers() {
        let read = |text| amount(text).ok();
        assert_eq!((read("17"), read("2e3"), read("1E6")), (Some(17), Some(2000), Some(1_000_000)));
        for bad in [
            "",
            "0",
            "0e5",
            "-1",
            "1.5",
            "1e",
            "e6",
            "1e-2",
            "1e20",
            "99999999999999999999",
            "many",
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn memory_is_read_as_people_write_it() {
        assert_eq!(memory("2G").expect("an amount"), 2 << 30);
        assert_eq!(memory("1000").expect("an amount"), 1000);
        for bad in ["", "G", "-1G", "1.5G", "99999999999T", "é"] {
            assert!(memory(bad).is_err(), "{bad}");
        }
    }
}
