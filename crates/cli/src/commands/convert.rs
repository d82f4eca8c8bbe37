//! `morpion convert`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use evidence::FileCheck;
use record::{Play, Record};
use render::{Animation, Size, Style, Terminal, Theme};
use verify::{Fault, GameFault};

use super::game_file;
use crate::args::FileGame;
use crate::files;
use crate::output::{Exit, note, print_bytes};

const EXAMPLES: &str = "\
Examples:
  morpion convert --game 5T record.psol record.svg
  morpion convert best.json best.gif --theme dark
  morpion convert grid.txt - --to json";

/// Convert a game to another format or a picture
///
/// The output format follows the file extension: .json (native), .psol (Pentasol, 5T and 5D), .msr,
/// .txt (drawing and lines as text), .svg, .png, .gif, .tex (TikZ). SVG and PNG carry their game
/// and convert back. An illegal game is refused unless --unchecked is given.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Input file; `-` for standard input
    #[arg(value_name = "IN")]
    input: PathBuf,

    /// Output file; `-` for standard output, with --to
    #[arg(value_name = "OUT", required_unless_present = "out")]
    output: Option<PathBuf>,

    /// The same as OUT
    #[arg(short, long, value_name = "FILE", conflicts_with = "output")]
    out: Option<PathBuf>,

    /// Output format [default: by the file extension]
    #[arg(long, value_name = "FORMAT")]
    to: Option<Target>,

    #[command(flatten)]
    game: FileGame,

    /// Convert an illegal game too
    #[arg(long)]
    unchecked: bool,

    #[command(flatten)]
    picture: PictureArgs,
}

/// How pictures look.
#[derive(clap::Args)]
struct PictureArgs {
    /// Colour theme
    #[arg(long, value_name = "THEME", default_value = "light")]
    theme: ThemeName,

    /// Omit move numbers
    #[arg(long)]
    no_numbers: bool,

    /// Colour the moves from early to late
    #[arg(long, alias = "color-by-time")]
    colour_by_time: bool,

    /// Omit the caption
    #[arg(long)]
    no_caption: bool,

    /// Width of a PNG or GIF in pixels [default: by the size of the game]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=16384))]
    width: Option<u32>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ThemeName {
    Light,
    Dark,
}

impl PictureArgs {
    /// Prints what has no effect.
    fn note_without_effect(&self, target: Target) {
        let has_width = matches!(target, Target::Png | Target::Gif);
        let is_picture = has_width || matches!(target, Target::Svg | Target::Tex);
        let without_effect = [
            ("--width", self.width.is_some() && !has_width, "a PNG or GIF"),
            ("--theme", matches!(self.theme, ThemeName::Dark) && !is_picture, "a picture"),
            ("--no-numbers", self.no_numbers && !is_picture, "a picture"),
            ("--colour-by-time", self.colour_by_time && !is_picture, "a picture"),
            ("--no-caption", self.no_caption && !is_picture, "a picture"),
        ];
        for (flag, _, what) in without_effect.iter().filter(|(_, is_given, _)| *is_given) {
            note(format_args!("{flag} is for {what} and has no effect here"));
        }
    }

    fn style(&self) -> Style {
        Style {
            theme: match self.theme {
                ThemeName::Light => Theme::Light,
                ThemeName::Dark => Theme::Dark,
            },
            numbers: !self.no_numbers,
            colour_by_time: self.colour_by_time,
            caption: !self.no_caption,
            ..Style::default()
        }
    }
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Target {
    Json,
    Psol,
    Msr,
    Txt,
    Svg,
    Png,
    Gif,
    Tex,
}

impl Target {
    /// Whether the format needs the order of the moves.
    fn is_ordered(self) -> bool {
        matches!(self, Self::Psol | Self::Msr | Self::Gif)
    }

    fn from_extension(path: &Path) -> Result<Self> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        <Self as clap::ValueEnum>::from_str(ending, true).map_err(|_| {
            let name = files::name(path);
            anyhow::anyhow!(
                "cannot tell the format from `{name}`; supported: .json .psol .msr .txt .svg .png \
                 .gif .tex, or pass --to"
            )
        })
    }
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let output = args.output.or(args.out).context("no output file given")?;
    let target = match args.to {
        Some(target) => target,
        None => Target::from_extension(&output)?,
    };
    args.picture.note_without_effect(target);
    let game = args.game.game()?;
    let FileCheck { record, verdict, .. } = game_file::verify(&args.input, game.as_ref())?;
    let name = files::name(&args.input);
    let mut style = args.picture.style();
    let record = match verdict {
        Err(refusal) if !args.unchecked => {
            let record = record.ok();
            let advice = match game_file::hint(&refusal, record.as_ref()) {
                hint if hint.is_empty() => "; --unchecked converts it anyway".to_owned(),
                hint => hint,
            };
            note(format_args!("{name}: refused: {refusal}{advice}"));
            return Ok(Exit::Negative);
        }
        Ok(game) => {
            let record = record.with_context(|| name.to_string())?;
            match record.play {
                Play::Drawing(_) if target.is_ordered() => {
                    note(format_args!(
                        "{name}: a drawing; its moves are written in the order found"
                    ));
                    Record { play: Play::Moves(game.moves().to_vec()), ..record }
                }
                _ => record,
            }
        }
        Err(refusal) => {
            let record = record.with_context(|| name.to_string())?;
            match &refusal.fault {
                Fault::Game(GameFault::Stuck { stuck, .. }) => {
                    let lines: Vec<_> = record.lines().collect();
                    style.stuck = stuck.iter().map(|&i| lines[i as usize]).collect();
                }
                _ => style.fault = refusal.number().map(|number| number as usize),
            }
            record
        }
    };
    let bytes = write(&record, target, &style, args.picture.width)?;
    check_size(target, bytes.len())?;
    if files::is_standard(&output) {
        print_bytes(&bytes)?;
    } else {
        files::write(&output, &bytes)?;
    }
    Ok(Exit::Success)
}

/// What is written can be read again.
fn check_size(target: Target, bytes: usize) -> Result<()> {
    let most = record::limits::BYTES;
    if bytes > most && !matches!(target, Target::Gif | Target::Tex) {
        let size = bytes >> 20;
        bail!("the file would have {size} MiB, and at most {} MiB are read again", most >> 20);
    }
    Ok(())
}

fn write(record: &Record, target: Target, style: &Style, width: Option<u32>) -> Result<Vec<u8>> {
    let size = width.map_or(Size::Scale(1.0), Size::Width);
    Ok(match target {
        Target::Json => record.to_json().into(),
        Target::Psol => record.to_pentasol()?.into(),
        Target::Msr => record.to_msr()?.into(),
        Target::Txt => with_picture(record).into(),
        Target::Svg => render::svg(record, style).into(),
        Target::Png => render::png(record, style, size)?,
        Target::Gif => {
            let animation = Animation::default();
            let width = width.unwrap_or(animation.width);
            render::gif(record, style, &Animation { width, ..animation })?
        }
        Target::Tex => render::tikz(record, style).into(),
    })
}

/// The text form with the drawing above it, as comments.
fn with_picture(record: &Record) -> String {
    let mut text = String::new();
    for line in render::terminal(record, &Terminal::default()).lines() {
        text += format!("# {line}").trim_end();
        text += "\n";
    }
    text + &record.to_text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_that_would_not_be_read() {
        let most = record::limits::BYTES;
        for target in [Target::Svg, Target::Json, Target::Txt, Target::Png] {
            assert!(check_size(target, most).is_ok());
            let error = check_size(target, most + 1).expect_err("too large").to_string();
            assert!(error.contains("128 MiB are read"), "{error}");
        }
        assert!(check_size(Target::Gif, most + 1).is_ok(), "a GIF carries no game");
    }
}
