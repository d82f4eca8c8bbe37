//! `morpion bound`.

mod boards;
mod hull;
mod lp;
mod table;

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use bound::formula::{self, BoundFormula, FormulaBound};
use geometry::Game;
use lab::known;
use lab::records::{self, RecordView};
use lab::view::FormulaView;

use super::prove::{WorkArgs, caps, cover, endless};
use crate::args::{OptionalGame, threads};
use crate::interrupt::TimeLimit;
use crate::output::{Exit, print, print_json};

const EXAMPLES: &str = "\
Examples:
  morpion bound 5D                                               the least certified bound, and why
  morpion bound 5D --by potential                                at most 141 moves
  morpion bound 5T --by boundary                                 at most 705 moves
  morpion bound 6D                                               exactly 12, by the best formula
  morpion bound 5T --by lp --board square:20 -o certificates     at most 278 on 20 by 20 dots
  morpion bound 5D --by lp --board box:3,2,2,2 --write 5D.mps    the LP, for any solver
  morpion bound 5T --by lp --board square:20 --picture 20.svg    the fractional solution
  morpion bound --hull games/5T-168.json --picture hull.svg      a game in its octagonal hull
  morpion bound --table                                          k = 1 to 8, and ./games
  morpion bound 5T --boards                                      possible hulls of a position";

/// Upper bounds on the length of a game, with the argument
///
/// The least bound with a certificate comes first, then the record, the best formula with its
/// argument, and bounds in print. `morpion records` has all games in one table.
///
/// The formulas of Demaine, Demaine, Langerman and Langerman (2006) in exact numbers, for any start
/// and line length, each with its inequality written out. If a formula does not apply, the exit
/// code is 1 and another formula is named.
///
/// With --by lp: LP relaxations of Michalewski, Nagórko and Pawlewicz (2015, 2016) for games whose
/// dots all lie on a board. HiGHS (fetch it with scripts/solver) only suggests duals: what is
/// printed as proven has been verified in integers from the certificate.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    game: OptionalGame,

    /// Argument [default: the formula with the least bound]
    #[arg(long, value_name = "METHOD", conflicts_with_all = ["table", "boards", "endless"])]
    by: Option<By>,

    /// Print the bounds for k = 1 to 8 from the cross, beside published ones and the games at hand
    #[arg(long, conflicts_with_all = ["boards", "endless", "game", "rules"])]
    table: bool,

    /// With --table: the folder of games to verify and compare
    #[arg(long, value_name = "DIR", default_value = "games", requires = "table")]
    games: PathBuf,

    /// Count the octagons that can be the hull of a position
    #[arg(long, alias = "octagons", conflicts_with = "endless")]
    boards: bool,

    /// Former spelling of `morpion prove endless`
    #[arg(long, hide = true)]
    endless: bool,

    /// With --endless: number of positions to visit, for each direction and distance
    #[arg(
        long, hide = true, value_name = "N", requires = "endless",
        default_value_t = endless::EFFORT
    )]
    effort: u32,

    /// With --by lp: write the certificate into this folder
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print the octagonal hull of this game, and the quantities of the lemmas on hulls
    #[arg(
        long, value_name = "FILE",
        conflicts_with_all = ["by", "table", "boards", "endless", "game", "rules"]
    )]
    hull: Option<PathBuf>,

    /// With --by lp: draw the fractional solution; with --hull: draw the game in its hull (.svg)
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,

    #[command(flatten)]
    limit: TimeLimit,

    #[command(flatten)]
    lp: lp::LpArgs,

    /// With --by cover: the bound to prove
    #[arg(long, hide = true, value_name = "N")]
    target: Option<u32>,

    /// With --by cover: number of threads
    #[arg(long, hide = true, value_name = "N", value_parser = threads())]
    threads: Option<u32>,

    /// Print one JSON document: game, by, board, value, bound, certificate and more
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum By {
    /// Every move uses more slots than it adds: 5D, 6D, 6T and longer
    Potential,
    /// Few free slots cannot surround many dots: 5T
    Boundary,
    /// Slots by the parity of their dots: 4D, 4T
    Parity,
    /// All dots that could ever be placed, if they are finitely many: 6D, 6T and longer
    Closure,
    /// An LP relaxation, for games on a --board
    Lp,
    /// Former spelling of `morpion prove cover`
    #[value(hide = true)]
    Cover,
    /// Former spelling of `morpion prove caps`
    #[value(hide = true, alias = "caps")]
    Lines,
}

impl By {
    /// The formula, if it is one.
    fn formula(self) -> Option<BoundFormula> {
        match self {
            By::Potential => Some(BoundFormula::Potential),
            By::Boundary => Some(BoundFormula::Boundary),
            By::Parity => Some(BoundFormula::Parity),
            By::Closure => Some(BoundFormula::Closure),
            By::Lp | By::Cover | By::Lines => None,
        }
    }
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    check(&args)?;
    if let Some(file) = &args.hull {
        return hull::show(file, args.picture.as_deref(), args.json);
    }
    if args.table {
        return table::print_table(&args.games, args.json);
    }
    let game = args.game.game()?.context("name a game, like 5T, or use --table")?;
    if args.boards {
        return boards::print_counts(&game, args.json);
    }
    let (out, json) = (args.out.as_deref(), args.json);
    if args.endless {
        return endless::search(&game, args.effort, out, json);
    }
    match args.by {
        Some(By::Cover) => {
            let target = args.target.context("--by cover needs a --target, like 530")?;
            let out =
                args.out.context("--by cover needs a folder for its certificates: --out DIR")?;
            let (threads, solver) = (args.threads, args.lp.solver);
            let limit = args.limit;
            let work = WorkArgs { game, out, threads, limit, solver, json };
            work.check_target(target)?;
            cover::run(cover::Args { work, target })
        }
        Some(By::Lines) => caps::bound(&game, &args.lp.solver, &args.limit, out, json),
        Some(By::Lp) => {
            args.limit.end_without_result();
            let places = lp::Places { out, picture: args.picture.as_deref() };
            lp::run(&game, &args.lp, places, json)
        }
        by => by_formula(&game, by.and_then(By::formula), json),
    }
}

/// An error if an argument does not fit the others.
fn check(args: &Args) -> Result<()> {
    if args.target.is_some() && args.by != Some(By::Cover) {
        bail!("--target is for --by cover");
    }
    if args.threads.is_some() && args.by != Some(By::Cover) {
        bail!("--threads is for `morpion prove`; leave it out");
    }
    if args.lp.are_given() && args.by != Some(By::Lp) {
        bail!("--board is for --by lp");
    }
    let writes = matches!(args.by, Some(By::Lp | By::Cover | By::Lines)) || args.endless;
    if args.out.is_some() && !writes {
        bail!("--out is for --by lp; proofs are written by `morpion prove`");
    }
    if let Some(picture) = &args.picture {
        if args.by != Some(By::Lp) && args.hull.is_none() {
            bail!("--picture is for --by lp and --hull");
        }
        if picture.extension().is_none_or(|ending| ending != "svg") {
            bail!("--picture {}: such pictures are .svg files", crate::files::name(picture));
        }
        crate::files::check_place(picture)?;
    }
    Ok(())
}

/// The least certified bound first, then the formula with its argument, then what is in print.
fn by_formula(game: &Game, formula: Option<BoundFormula>, json: bool) -> Result<Exit> {
    let found = match formula {
        Some(formula) => formula::bound(game, formula).map_err(anyhow::Error::from),
        None => {
            formula::best(game).with_context(|| format!("no bound for {game}: no formula applies"))
        }
    };
    let found = found.map_err(|error| match known::endless(game) {
        Some(proof) => anyhow!("{error}\n{proof}"),
        None => error,
    });
    let proven = known::bound(game);
    let bounds = records::upper_bounds(game, proven.as_ref());
    let least = bounds.iter().find(|bound| bound.certified && formula.is_none());
    let exit = if found.is_ok() || least.is_some() { Exit::Success } else { Exit::Negative };
    if json {
        let mut view = view(game, formula, &found);
        if let Some(least) = least.filter(|least| Some(&least.by) != view.by.as_ref()) {
            // These belong to the formula, which stands in the list.
            (view.value, view.exact) = (None, None);
            view.argument.clear();
            view.bound = Some(least.bound);
            view.by = Some(least.by.clone());
            view.proof.clone_from(&least.proof);
        }
        view.proven = proven.map(|known| known.claim);
        view.record = records::record(game);
        view.bounds = bounds;
        print_json(&view)?;
        return Ok(exit);
    }
    if let (Some(known), None) = (&proven, formula) {
        print(format_args!("{} (certified, proofs/{})", known.claim, known.file))?;
    }
    if let (Some(least), None, None) = (least, &proven, formula) {
        let is_exact = found.as_ref().is_ok_and(|found| found.reached == Some(least.bound));
        let sign = if is_exact { "=" } else { "<=" };
        print(format_args!("{game} {sign} {} (by {})", least.bound, least.by))?;
    }
    if let (Some(record), None) = (records::record(game), formula) {
        let RecordView { moves, by, year } = record;
        print(format_args!("record: {moves} moves, {by} {year}"))?;
    }
    match &found {
        Ok(bound) => print(describe(game, bound))?,
        Err(error) => print(error)?,
    }
    if let (Some(known), Some(_)) = (&proven, formula) {
        print(format_args!("  a smaller bound is proven: {known}"))?;
    }
    for bound in bounds.iter().filter(|bound| !bound.certified && formula.is_none()) {
        let printed = records::printed_bound(game).map_or("", |printed| printed.evidence);
        print(format_args!("in print: {} moves, {} ({printed})", bound.bound, bound.by))?;
    }
    Ok(exit)
}

fn view(game: &Game, formula: Option<BoundFormula>, found: &Result<FormulaBound>) -> FormulaView {
    let bound = found.as_ref().ok();
    let by = bound.map(|bound| bound.formula).or(formula).map(BoundFormula::name);
    FormulaView {
        game: game.rules.to_string(),
        start: game.start_name(),
        by: by.map(str::to_owned),
        value: bound.map(|bound| bound.value.to_f64()),
        bound: bound.map(|bound| bound.bound),
        exact: bound.map(|bound| bound.value.to_string()),
        argument: bound.map(|bound| bound.argument.clone()).unwrap_or_default(),
        printed: bound.and_then(|bound| bound.published.as_ref()).map(|it| it.bound),
        reached: bound.and_then(|bound| bound.reached),
        reason: found.as_ref().err().map(ToString::to_string),
        ..FormulaView::default()
    }
}

/// The bound, then its argument, a line for each step.
fn describe(game: &Game, bound: &FormulaBound) -> String {
    let is_exact = bound.reached == Some(bound.bound);
    let how = if is_exact { "exactly" } else { "at most" };
    let mut lines = vec![format!("{game} by {}: {how} {} moves", bound.formula, bound.bound)];
    lines.extend(bound.argument.iter().map(|step| format!("  {step}")));
    if is_exact {
        lines.push(format!("  and {} moves can be played", bound.bound));
    }
    if let Some(published) = &bound.published {
        lines.push(format!("  published: {}; {}", published.bound, published.reason));
    }
    lines.join("\n")
}
