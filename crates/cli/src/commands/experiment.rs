//! `morpion experiment`.

mod args;
mod boards;
mod list;
mod scale;
mod stage;

use std::path::Path;

use anyhow::{Context, Result, bail};
use experiment::plans::{self, Choice, Prefix, Targets};
use experiment::report::{self, Report, Results};
use experiment::{Plan, Row};

use self::args::{
    AllArgs, AnytimeArgs, Basic, LongArgs, NmcsArgs, PrefixArgs, TableArgs, WholeArgs,
};
use self::boards::BoardsArgs;
use self::stage::{Part, Stage};
use super::judged;
use crate::files;
use crate::output::Exit;

/// Runs a published table or figure again, beside the published values
///
/// Without a name, lists the experiments with their cost. Each writes three files into its folder:
/// NAME.csv has every single run with its seed, NAME.md puts ours beside theirs and says whether
/// they agree, NAME.svg is a picture. Every run is kept at once: after Ctrl-C or a crash the same
/// command goes on where it was. Scores depend on --seed only, not on threads.
///
/// Examples:
///   morpion experiment
///   morpion experiment table2 --quick
///   morpion experiment fig4 --repeats 5 --sizes 10000,100000 --out out/my-fig4
///   morpion experiment prefix --from record.json --keep 80,85,90,95
///   morpion experiment nmcs --levels 3 --repeats 4
///   morpion experiment anytime --method temper --method sa:t0=4,t1=4 --game 5D --for 30s --target 80
///   morpion experiment all --out results
#[derive(clap::Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    name: Option<Name>,

    /// Print the list of experiments as JSON
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Name {
    /// Random sampling (RS1, RS2): Hyyrö and Poranen 2007, Table 1
    Table1(TableArgs),
    /// RS1 by the average and by the longest endgame, beside Table 1
    Readings(TableArgs),
    /// Simulated annealing at the best temperatures: Table 2
    Table2(TableArgs),
    /// The best games of all runs of table1, table2, fig4 and fig5, which are made if missing: Table 3
    Table3(WholeArgs),
    /// Annealing of 4D and 4T at all temperatures: Figure 4
    Fig4(TableArgs),
    /// Annealing of 5D and 5T at all temperatures: Figure 5
    Fig5(TableArgs),
    /// The two long annealings of section 3.2 whose parameters are known
    Long(LongArgs),
    /// Annealing from the first moves of a game: section 3.3
    Prefix(PrefixArgs),
    /// Single games by nested Monte-Carlo search: Cazenave 2009
    Nmcs(NmcsArgs),
    /// Score against processor time, for any methods on any games
    Anytime(AnytimeArgs),
    /// Linear programs of random boards of 5T: how values are spread, what proofs would cost
    Boards(BoardsArgs),
    /// What many cores would do for a proof and for a hunt: a simulation from measured times
    Scale(scale::ScaleArgs),
    /// table1, table2, fig4, fig5 and table3, each in a folder of its own
    All(AllArgs),
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let Some(name) = args.name else { return list::run(args.json) };
    match name {
        Name::Table1(args) => table(&args, "table1", plans::table1, report::table1),
        Name::Readings(args) => table(&args, "readings", plans::readings, report::readings),
        Name::Table2(args) => table(&args, "table2", plans::table2, report::table2),
        Name::Fig4(args) => table(&args, "fig4", plans::fig4, report::figure),
        Name::Fig5(args) => table(&args, "fig5", plans::fig5, report::figure),
        Name::Long(args) => {
            let plan = plans::long(&args.common.choice());
            one(&args.common.basic, Part::new(plan, args.common.basic.out("long"), report::long))
        }
        Name::Prefix(args) => {
            let (plan, moves) = prefix_plan(&args, &args.common.choice())?;
            let write = move |results: Results<'_>| report::prefix(results, moves);
            one(&args.common.basic, Part::new(plan, args.common.basic.out("prefix"), write))
        }
        Name::Nmcs(args) => {
            let choice = Choice { sizes: args.levels(), ..args.common.choice() };
            let basic = &args.common.basic;
            one(basic, Part::new(plans::nmcs(&choice), basic.out("nmcs"), report::nmcs))
        }
        Name::Anytime(args) => {
            let targets = args.targets()?;
            let until = if args.stop { targets.clone() } else { Targets::default() };
            let (games, methods) = (args.games(), args.methods());
            let plan = plans::anytime(&games, &methods, args.time(), &until, &args.choice())?;
            let write = move |results: Results<'_>| report::anytime(results, &targets);
            one(&args.basic, Part::new(plan, args.basic.out("anytime"), write))
        }
        Name::Boards(args) => boards::run(&args),
        Name::Scale(args) => scale::run(&args),
        Name::Table3(args) => {
            let out = args.common.basic.out("table3");
            let beside = out.parent().map(Path::to_owned).unwrap_or_default();
            let parts = published(&args.common.choice(), &beside, args.long);
            whole(&args.common.basic, parts, &out, None, false)
        }
        Name::All(args) => all(&args),
    }
}

fn table(
    args: &TableArgs,
    name: &str,
    plan: fn(&Choice) -> Plan,
    report: fn(Results<'_>) -> Report,
) -> Result<Exit> {
    let choice = Choice { sizes: args.sizes(), ..args.common.choice() };
    let basic = &args.common.basic;
    one(basic, Part::new(plan(&choice), basic.out(name), report))
}

/// One experiment in one folder.
fn one(basic: &Basic, part: Part) -> Result<Exit> {
    let stage = Stage::new(basic.threads())?;
    stage.check(std::slice::from_ref(&part))?;
    let Some(rows) = stage.run(&part)? else { return Ok(Exit::Negative) };
    let told = stage.publish(&part, &rows)?;
    stage::print(&[told], basic.json, false)
}

fn all(args: &AllArgs) -> Result<Exit> {
    let basic = &args.common.basic;
    let out = basic.out_or("out");
    let choice = args.common.choice();
    let prefix = match &args.from {
        Some(from) => {
            let prefix = prefix_of(from, None)?;
            let moves = prefix.moves.len();
            let plan = plans::prefix(&prefix, &choice)?;
            let write = move |results: Results<'_>| report::prefix(results, moves);
            Some(Part::new(plan, out.join("prefix"), write))
        }
        None => None,
    };
    let parts = published(&choice, &out, args.long);
    whole(basic, parts, &out.join("table3"), prefix, true)
}

/// The experiments that Table 3 takes its games from, each in its folder under `out`.
fn published(choice: &Choice, out: &Path, long: bool) -> Vec<Part> {
    let mut parts = vec![
        Part::new(plans::table1(choice), out.join("table1"), report::table1),
        Part::new(plans::table2(choice), out.join("table2"), report::table2),
        Part::new(plans::fig4(choice), out.join("fig4"), report::figure),
        Part::new(plans::fig5(choice), out.join("fig5"), report::figure),
    ];
    let made = Part::new(plans::long(choice), out.join("long"), report::long);
    // Long runs that were made before count even if nobody asks for new ones.
    if long || made.csv().exists() {
        parts.push(made);
    }
    parts
}

/// Several experiments, then the best of them as Table 3.
fn whole(
    basic: &Basic,
    parts: Vec<Part>,
    out: &Path,
    extra: Option<Part>,
    tell_all: bool,
) -> Result<Exit> {
    let stage = Stage::new(basic.threads())?;
    stage.check(&parts)?;
    stage.check(extra.as_slice())?;
    stage::make_folder(out)?;
    let (mut all, mut told): (Vec<Vec<Row>>, Vec<_>) = (Vec::new(), Vec::new());
    for part in &parts {
        let Some(rows) = stage.run(part)? else { return Ok(Exit::Negative) };
        told.push(stage.publish(part, &rows)?);
        all.push(rows);
    }
    let results: Vec<Results<'_>> =
        parts.iter().zip(&all).map(|(part, rows)| Results { plan: &part.plan, rows }).collect();
    let best = report::best(&results);
    files::write(&out.join("table3.csv"), best.csv.as_bytes())?;
    let table3 = stage::write(out, "table3", best.report, &results)?;
    if !tell_all {
        return stage::print(&[table3], basic.json, false);
    }
    told.push(table3);
    if let Some(part) = &extra {
        let Some(rows) = stage.run(part)? else { return Ok(Exit::Negative) };
        told.push(stage.publish(part, &rows)?);
    }
    stage::print(&told, basic.json, true)
}

fn prefix_plan(args: &PrefixArgs, choice: &Choice) -> Result<(Plan, usize)> {
    let mut prefix = prefix_of(&args.from, args.game.game()?.as_ref())?;
    let moves = prefix.moves.len();
    prefix.keep.clone_from(&args.keep);
    (prefix.steps, prefix.temperature) = (args.steps, args.temperature);
    if let Some(&keep) = args.keep.iter().flatten().find(|&&keep| keep > moves) {
        bail!("--keep {keep}: {} has only {moves} moves", files::name(&args.from));
    }
    Ok((plans::prefix(&prefix, choice).context("--temperature")?, moves))
}

/// The game of a file, which must be legal, to be gone on with from its first moves.
fn prefix_of(file: &Path, game: Option<&geometry::Game>) -> Result<Prefix> {
    let name = files::name(file);
    let judged = judged::judge(file, game)?;
    let moves = judged::moves(&judged.verdict.with_context(|| format!("--from {name}"))?);
    let game = judged.record.with_context(|| format!("--from {name}"))?.game;
    Ok(Prefix { game, moves, keep: None, steps: None, temperature: None })
}
