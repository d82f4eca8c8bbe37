//! `morpion bound`.

mod boards;
mod cover;
mod endless;
mod hull;
mod lines;
mod lp;
mod table;

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use bound::formula::{self, Formula, FormulaBound};
use geometry::Game;
use lab::known;
use serde::Serialize;

use crate::args::OptionalGame;
use crate::output::{Exit, print, print_json};

/// Says how long a game can be at most, and why
///
/// The bounds of Demaine, Demaine, Langerman and Langerman (2006) in exact numbers, for any start and
/// line length: each with its inequality written out. A formula that does not apply is a clean no
/// (exit code 1) and says which one does.
///
/// With --by lp: the linear programs of Michalewski, Nagórko and Pawlewicz (2015, 2016) for games
/// whose dots all lie on a board. A solver in floats (HiGHS; scripts/solver fetches it) only
/// suggests: what is printed as proven, the judge has found in whole numbers from the certificate.
///
/// Examples:
///   morpion bound 5D --by potential        at most 141
///   morpion bound 5T --by boundary         at most 705
///   morpion bound 4T --by parity           at most 192
///   morpion bound 6D                       exactly 12, by the best formula
///   morpion bound 5T --by lp --board square:20 --out certificates    at most 278 on 20 by 20 dots
///   morpion bound 5D --by lp --board box:3,2,2,2 --write 5D.mps      the linear program for any solver
///   morpion bound 5T --by cover --target 586 --out 586               5T <= 586, with a proof; goes on after Ctrl-C
///   morpion bound 5D --by lines --out proofs                         5D <= 133, with a proof
///   morpion bound 5T --by lp --board square:20 --picture 20.svg      the solution in shades
///   morpion bound --hull games/5T-168.json --picture hull.svg        a game in its octagonal hull
///   morpion bound --table                  k = 1 to 8, beside the verified games of ./games
///   morpion bound 5T --boards              how many octagons can be the hull of a position
///   morpion bound 3D --endless --out 3D.json    looks for play without end, writes a proof
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(flatten)]
    game: OptionalGame,

    /// By which argument [default: the one with the least bound]
    #[arg(long, value_name = "METHOD", conflicts_with_all = ["table", "boards", "endless"])]
    by: Option<By>,

    /// Print the bounds for k = 1 to 8 from the cross, beside what was published and the games at hand
    #[arg(long, conflicts_with_all = ["boards", "endless", "game", "rules"])]
    table: bool,

    /// With --table: the folder with the games to verify and compare
    #[arg(long, value_name = "DIR", default_value = "games", requires = "table")]
    games: PathBuf,

    /// Count the octagons that can be the hull of a position
    #[arg(long, conflicts_with = "endless")]
    boards: bool,

    /// Look for play that repeats itself for ever, and have it judged
    #[arg(long)]
    endless: bool,

    /// With --endless: at how many positions to look, for each way to look
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "endless")]
    effort: u32,

    /// With --endless: write the proof to this file; with --by lp: write the certificate into this folder; with
    /// --by cover: keep certificates in this folder, and in the end the proof; with --by lines: write the proof into
    /// this folder
    #[arg(long, value_name = "FILE|DIR")]
    out: Option<PathBuf>,

    /// Tell the octagonal hull of this game, and what the lemmas on hulls say of it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["by", "table", "boards", "endless", "game", "rules"])]
    hull: Option<PathBuf>,

    /// With --by lp: draw the solution, dots and lines in shades; with --hull: draw the game in its hull (.svg)
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,

    #[command(flatten)]
    lp: lp::LpArgs,

    #[command(flatten)]
    cover: cover::CoverArgs,

    /// Print one JSON document: game, by, board, value, bound, certificate and more
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum By {
    /// Every move uses up more slots than it adds: 5D, 6D, 6T and longer
    Potential,
    /// Few free slots cannot surround many dots: 5T
    Boundary,
    /// Slots by the parity of their dots: 4D, 4T
    Parity,
    /// All dots that could ever be placed, if they are finitely many: 6D, 6T and longer
    Closure,
    /// A linear program, for games on a --board
    Lp,
    /// Linear programs on few boards that together hold every position, for a --target: 5T, 5D
    Cover,
    /// Positions with little waste have large caps; linear programs on the boxes too small for two: 5D
    Lines,
}

impl By {
    /// The formula, if it is one.
    fn formula(self) -> Option<Formula> {
        match self {
            By::Potential => Some(Formula::Potential),
            By::Boundary => Some(Formula::Boundary),
            By::Parity => Some(Formula::Parity),
            By::Closure => Some(Formula::Closure),
            By::Lp | By::Cover | By::Lines => None,
        }
    }
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let by_lp = matches!(args.by, Some(By::Lp));
    if args.cover.are_given() && !matches!(args.by, Some(By::Cover)) {
        bail!("--target is for --by cover");
    }
    if args.lp.are_given() && !by_lp {
        bail!("--board is for --by lp");
    }
    let by_cover = matches!(args.by, Some(By::Cover));
    let by_lines = matches!(args.by, Some(By::Lines));
    if args.out.is_some() && !by_lp && !by_cover && !by_lines && !args.endless {
        bail!("--out is for --endless, --by lp, --by cover and --by lines");
    }
    if let Some(picture) = &args.picture {
        if !by_lp && args.hull.is_none() {
            bail!("--picture is for --by lp and --hull");
        }
        if picture.extension().is_none_or(|ending| ending != "svg") {
            bail!("--picture {}: such pictures are .svg files", crate::files::name(picture));
        }
        crate::files::check_place(picture)?;
    }
    if let Some(file) = &args.hull {
        return hull::tell(file, args.picture.as_deref(), args.json);
    }
    if args.table {
        return table::print_table(&args.games, args.json);
    }
    let game = args.game.game()?.context("name a game, like 5T, or ask for the --table")?;
    if args.boards {
        return boards::print_counts(&game, args.json);
    }
    if args.endless {
        return endless::look(&game, args.effort as usize, args.out.as_deref(), args.json);
    }
    if by_cover {
        let solver = args.lp.solver.open()?;
        return cover::run(&game, &args.cover, solver, args.out.as_deref(), args.json);
    }
    if by_lines {
        return lines::run(&game, || args.lp.solver.open(), args.out.as_deref(), args.json);
    }
    if by_lp {
        let places = lp::Places { out: args.out.as_deref(), picture: args.picture.as_deref() };
        return lp::run(&game, &args.lp, places, args.json);
    }
    by_formula(&game, args.by.and_then(By::formula), args.json)
}

#[derive(Serialize)]
struct Row {
    game: String,
    start: String,
    by: Option<&'static str>,
    board: Option<String>,
    value: Option<f64>,
    bound: Option<u64>,
    certificate: Option<String>,
    exact: Option<String>,
    argument: Vec<String>,
    printed: Option<i64>,
    reached: Option<u64>,
    /// What a proof that comes with the program shows.
    proven: Option<String>,
    reason: Option<String>,
}

fn by_formula(game: &Game, method: Option<Formula>, json: bool) -> Result<Exit> {
    let found = match method {
        Some(method) => formula::bound(game, method).map_err(anyhow::Error::from),
        None => {
            formula::best(game).with_context(|| format!("no bound for {game}: no formula applies"))
        }
    };
    let found = found.map_err(|no| match known::endless(game) {
        Some(proof) => anyhow!("{no}\n{proof}"),
        None => no,
    });
    let proven = known::bound(game);
    if json {
        print_json(&Row { proven: proven.map(|known| known.claim), ..row(game, method, &found) })?;
    } else {
        match &found {
            Ok(bound) => print(in_words(game, bound))?,
            Err(no) => print(no)?,
        }
        if let Some(known) = proven {
            print(format_args!("  less is proven: {known}"))?;
        }
    }
    Ok(if found.is_ok() { Exit::Success } else { Exit::Negative })
}

fn row(game: &Game, method: Option<Formula>, found: &Result<FormulaBound>) -> Row {
    let bound = found.as_ref().ok();
    Row {
        game: game.rules.to_string(),
        start: game.start_name(),
        by: bound.map(|bound| bound.formula).or(method).map(Formula::name),
        board: None,
        value: bound.map(|bound| bound.value.to_f64()),
        bound: bound.map(|bound| bound.bound),
        certificate: None,
        exact: bound.map(|bound| bound.value.to_string()),
        argument: bound.map(|bound| bound.argument.clone()).unwrap_or_default(),
        printed: bound.and_then(|bound| bound.published.as_ref()).map(|printed| printed.bound),
        reached: bound.and_then(|bound| bound.reached),
        proven: None,
        reason: found.as_ref().err().map(ToString::to_string),
    }
}

/// The bound, then its argument, a line for each step.
fn in_words(game: &Game, bound: &FormulaBound) -> String {
    let exactly = bound.reached == Some(bound.bound);
    let how = if exactly { "exactly" } else { "at most" };
    let mut lines = vec![format!("{game} by {}: {how} {} moves", bound.formula, bound.bound)];
    lines.extend(bound.argument.iter().map(|step| format!("  {step}")));
    if exactly {
        lines.push(format!("  and {} moves can be played", bound.bound));
    }
    if let Some(printed) = &bound.published {
        lines.push(format!("  in print: {}; {}", printed.bound, printed.reason));
    }
    lines.join("\n")
}
