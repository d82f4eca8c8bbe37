//! `morpion prove caps`.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use geometry::Game;
use lab::prove::ProveError;
use lab::prove::caps::{Event, applies_to, prove};
use lab::view::{BoardValueView, CapsView};

use super::{continue_unless, file_name};
use crate::interrupt::{Interruption, TimeLimit};
use crate::output::{Exit, count, print, print_json};
use crate::progress::Progress;
use crate::solver::SolverArgs;

/// Bound 5D by waste and caps, and by linear programs on the boxes too small for two caps
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game: 5D
    #[arg(value_name = "GAME")]
    game: Game,

    /// Write the proof into this folder
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    limit: TimeLimit,

    #[command(flatten)]
    solver: SolverArgs,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    bound(&args.game, &args.solver, &args.limit, args.out.as_deref(), args.json)
}

/// Bounds a game by caps.
pub(crate) fn bound(
    game: &Game,
    solver: &SolverArgs,
    limit: &TimeLimit,
    out: Option<&Path>,
    json: bool,
) -> Result<Exit> {
    let mut view = CapsView {
        game: game.rules.to_string(),
        by: "lines",
        rows: bound::caps::ROWS,
        ..CapsView::default()
    };
    if !applies_to(game) {
        bail!("no bound for {game} by caps, which are known for 5D from the cross only");
    }
    let (solver, stop, line) = (solver.open()?, limit.stop_flag(), Progress::new());
    let report = prove(game, solver, out, &mut |Event::Certified(boards)| {
        line.show(format_args!("{} certified", count(boards, "board")));
        continue_unless(&stop)
    });
    drop(line);
    let report = report.map_err(|error| match error {
        ProveError::Interrupted => Interruption("nothing is kept: run it again".to_owned()).into(),
        error => anyhow::Error::new(error),
    })?;
    view.bound = report.proof.proven.claim().upper_bound();
    view.claim = Some(report.proof.proven.to_string());
    view.certificate = file_name(&report.proof);
    view.least = report.least;
    let boards = report.boards.into_iter();
    view.boards =
        boards.map(|(board, value)| BoardValueView { board: board.to_string(), value }).collect();
    if json {
        print_json(&view)?;
        return Ok(Exit::Success);
    }
    let numbers: Vec<String> = view.least.iter().map(u32::to_string).collect();
    print(format_args!("{}, proven", report.proof.proven))?;
    print(format_args!(
        "  the first {} rows of a position with waste 0, 1, ... have at least {} dots",
        view.rows,
        numbers.join(", ")
    ))?;
    for BoardValueView { board, value } in &view.boards {
        print(format_args!("  {board}: value {value:.4}"))?;
    }
    if let Some(name) = &view.certificate {
        print(format_args!("  certificate: {name}, {} bytes", report.proof.bytes))?;
    }
    Ok(Exit::Success)
}
