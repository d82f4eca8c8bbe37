//! `morpion reduce`.

mod folder;
mod gadgets;
mod games;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lab::figure::pattern_figure;
use lab::view::{ReductionFilesView, ReductionView};
use reduce::{CompileError, Family, Formula, Pattern, Stage};
use render::Theme;

use crate::files;
use crate::output::{Exit, count, print, print_json};
use crate::progress::with_progress;
use folder::Folder;

const EXAMPLES: &str = "\
Examples:
  morpion reduce formula.cnf --out pattern
  morpion reduce --model model.txt pattern         writes pattern/game.json
  morpion reduce --play pattern/game.json pattern
  morpion reduce formula.cnf --out pattern --gap 10    10 times more moves with a model
  morpion reduce formula.cnf --out pattern --length 4  lines of 4 dots
  morpion reduce gadgets                           list, draw and verify gadgets";

/// Turn a 3-SAT formula into a dot pattern, a model into a game, a game into a model
///
/// From the dots a game of at least N moves exists, touching or disjoint, if and only if the
/// formula is satisfiable (Demaine, Demaine, Langerman and Langerman 2006, section 4.2). This is
/// proven again for every pattern before it is written. The folder gets start.json (the dots, for
/// --start), reduction.json (the layout) and pattern.svg (a picture).
///
/// --model plays the game of a model (DIMACS v lines, as SAT solvers print them); the exit code is
/// 1 if the model does not satisfy the formula. --play reads the model out of any game from the
/// dots, in any order, with any additional moves; the exit code is 1 if the game is too short, with
/// what is missing: the variables that no line decides, the clauses and checkers that stay
/// untriggered, and where wires stop.
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    after_help = EXAMPLES,
)]
pub(crate) struct Args {
    /// Formula in DIMACS CNF with clauses of up to 3 literals (`-` for standard input); with
    /// --model or --play the folder of a pattern
    #[arg(value_name = "FORMULA|DIR", required = true)]
    input: Option<PathBuf>,

    /// Folder for the pattern; with --model the file for the game [default: game.json in DIR]
    #[arg(short, long, value_name = "DIR|FILE", conflicts_with = "play")]
    out: Option<PathBuf>,

    /// Minimum ratio between the moves of a game with a model and of any game without, >= 1
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0,
        conflicts_with_all = ["model", "play"])]
    gap: f64,

    /// Dots per line, 4 to 16
    #[arg(long, value_name = "DOTS", default_value_t = 5, value_parser = length,
        conflicts_with_all = ["model", "play"])]
    length: usize,

    /// Play the game of this model; `-` for standard input
    #[arg(long, value_name = "MODEL", conflicts_with = "play")]
    model: Option<PathBuf>,

    /// Read the model out of this game; `-` for standard input
    #[arg(long, value_name = "GAME")]
    play: Option<PathBuf>,

    /// Print one JSON document
    #[arg(long)]
    json: bool,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Subcommand)]
enum Command {
    Gadgets(gadgets::Args),
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    if let Some(Command::Gadgets(args)) = args.command {
        return gadgets::run(args);
    }
    let input = args.input.context("no formula given; name one, or use `gadgets`")?;
    if let Some(model) = &args.model {
        return games::play(&Folder::new(&input), model, args.out.as_deref(), args.json);
    }
    if let Some(game) = &args.play {
        return games::read(&Folder::new(&input), game, args.json);
    }
    if input.is_dir() {
        bail!("{} is a folder; add --model or --play, or name a formula", files::name(&input));
    }
    let Some(out) = &args.out else { bail!("no folder for the pattern; name one with --out") };
    let folder = Folder::new(out);
    folder.check_foreign(&input)?;
    folder.remove_if_failed(|| compile(&input, args.length, args.gap, &folder, args.json))
}

/// A line length for which gadgets exist.
fn length(text: &str) -> Result<usize> {
    let length: usize = text.parse().context("not a number of dots")?;
    Family::for_length(length)?;
    Ok(length)
}

fn compile(input: &Path, length: usize, gap: f64, folder: &Folder, json: bool) -> Result<Exit> {
    let bytes = files::read(input)?;
    let formula = Formula::read(&bytes).with_context(|| files::name(input))?;
    folder.check()?;
    let pattern = with_stages(|at| Pattern::compile(formula, length, gap, at)).map_err(
        |error| match error {
            CompileError::Gap(_) => anyhow::Error::new(error).context("--gap"),
            error => anyhow::Error::new(error).context(files::name(input)),
        },
    )?;
    folder.write(&pattern, &pattern_figure(&pattern, Theme::Light))?;
    if json {
        print_json(&ReductionFilesView {
            reduction: ReductionView::new(&pattern),
            start: files::name(&folder.start()),
            sidecar: files::name(&folder.sidecar()),
            picture: files::name(&folder.picture()),
        })?;
        return Ok(Exit::Success);
    }
    let dots = count(pattern.start().dots().len(), "dot");
    print(pattern.statement())?;
    let ceiling = pattern.certificate().ceiling();
    print(format_args!("  certified: {dots}; at most {ceiling} moves without a model"))?;
    for file in [folder.start(), folder.sidecar(), folder.picture()] {
        print(format_args!("  {}", files::name(&file)))?;
    }
    Ok(Exit::Success)
}

/// Makes a pattern and shows its stages on the progress line.
fn with_stages<T>(make: impl FnOnce(&mut dyn FnMut(Stage)) -> T) -> T {
    with_progress(|say| {
        make(&mut |stage| {
            say(match stage {
                Stage::Layout => "placing gadgets",
                Stage::Ceiling => "counting moves without the treasure",
                Stage::Treasure => "placing the treasure",
                Stage::Certify => "proving the pattern correct",
            });
        })
    })
}
