//! `morpion bound GAME --by lp`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use bound::lp::LpError;
use bound::program::{LinearProgram, ProgramFormat};
use bound::{Board, BoardProblem, Formulation};
use geometry::Game;
use lab::prove::ProveError;
use lab::prove::board::{file_name, prove};
use lab::view::BoardBoundView;
use solver::{LpMethod, SolveStatus};
use verify::Claim;

use crate::files;
use crate::output::{Exit, print, print_json};
use crate::solver::SolverArgs;

/// Arguments of `--by lp`.
#[derive(clap::Args)]
pub(crate) struct LpArgs {
    /// With --by lp: where all dots lie: square:20, octagon:10,8,10,12,10,8,10,12 or box:3,2,2,2
    /// (rows and columns beyond the start: above, right, below, left)
    #[arg(long, value_name = "BOARD")]
    board: Option<Board>,

    /// With --by lp: the formulation [default: births in a box, else lines]
    #[arg(long, value_name = "MODEL", requires = "board")]
    model: Option<ModelName>,

    /// With --by lp: only games that reach every side of the board
    #[arg(long, requires = "board")]
    exact: bool,

    /// With --by lp: the algorithm of the solver
    #[arg(long, value_name = "HOW", default_value = "interior-point", requires = "board")]
    solve: How,

    /// With --by lp: write the linear program to this file, .mps or .lp, and do not solve it
    #[arg(long, value_name = "FILE", requires = "board", conflicts_with = "out")]
    write: Option<PathBuf>,

    #[command(flatten)]
    pub(super) solver: SolverArgs,
}

impl LpArgs {
    /// Whether any of these arguments is given.
    pub(super) fn are_given(&self) -> bool {
        self.board.is_some()
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ModelName {
    /// Dots and lines
    Lines,
    /// Dots and lines with their new dots
    Births,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum How {
    /// The fastest for most boards
    InteriorPoint,
    /// The most precise
    DualSimplex,
    /// PDLP
    FirstOrder,
}

impl From<How> for LpMethod {
    fn from(how: How) -> Self {
        match how {
            How::InteriorPoint => LpMethod::InteriorPoint,
            How::DualSimplex => LpMethod::DualSimplex,
            How::FirstOrder => LpMethod::FirstOrder,
        }
    }
}

/// Where results are written.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    /// The folder of certificates.
    pub(super) out: Option<&'a Path>,
    /// The file of the picture.
    pub(super) picture: Option<&'a Path>,
}

/// Bounds the games on a board, or writes the linear program to a file.
pub(super) fn run(game: &Game, args: &LpArgs, places: Places<'_>, json: bool) -> Result<Exit> {
    let board = args.board.context("--by lp needs a --board, like square:20 or box:3,2,2,2")?;
    let formulation = match args.model {
        Some(ModelName::Lines) => Formulation::Lines,
        Some(ModelName::Births) => Formulation::Births,
        None => Formulation::for_board(&board),
    };
    let problem =
        BoardProblem { exact: args.exact, ..BoardProblem::new(game.clone(), board, formulation) };
    let program = problem.program().with_context(|| format!("--board {board}"))?;
    let view = BoardBoundView {
        game: game.rules.to_string(),
        start: game.start_name(),
        by: "lp",
        board: board.to_string(),
        model: formulation.name(),
        exact: problem.exact,
        columns: program.variables.len(),
        rows: program.constraints.len(),
        ..BoardBoundView::default()
    };
    match &args.write {
        Some(file) => write(&problem, &program, file, view, json),
        None => solve(&problem, args, places, view, json),
    }
}

/// Writes the linear program for other solvers.
fn write(
    problem: &BoardProblem,
    program: &LinearProgram,
    file: &Path,
    view: BoardBoundView,
    json: bool,
) -> Result<Exit> {
    let format = match file.extension().and_then(|ending| ending.to_str()) {
        Some("mps") => ProgramFormat::Mps,
        Some("lp") => ProgramFormat::Lp,
        _ => bail!("{}: linear programs are written as .mps or .lp", files::name(file)),
    };
    let comment = format!(
        "{} on {}, model {}{}: the most moves, relaxed to fractions",
        problem.game,
        problem.board,
        problem.formulation,
        if problem.exact { ", exact" } else { "" }
    );
    files::write(file, program.to_text(format, &comment).as_bytes())?;
    let (columns, rows) = (view.columns, view.rows);
    if json {
        print_json(&BoardBoundView { written: Some(files::name(file)), ..view })?;
    } else {
        print(format_args!("{}: {columns} columns, {rows} rows", files::name(file)))?;
    }
    Ok(Exit::Success)
}

/// Solves the linear program and reports what is proven.
fn solve(
    problem: &BoardProblem,
    args: &LpArgs,
    places: Places<'_>,
    view: BoardBoundView,
    json: bool,
) -> Result<Exit> {
    let solver = args.solver.open()?;
    if let Some(folder) = places.out {
        files::check_place(&folder.join(file_name(problem)))?;
    }
    let proven = prove(problem, solver, args.solve.into(), places.out);
    let proven = proven.map_err(|error| match error {
        ProveError::Lp(error @ LpError::Unsolved { .. }) => anyhow!("{error}; try another --solve"),
        error => error.into(),
    })?;
    let (solution, proof) = (&proven.solved.solution, &proven.proof);
    if let Some(picture) = places.picture {
        if solution.status != SolveStatus::Optimal {
            bail!("there is no solution to draw: {}", proof.proven);
        }
        let drawn = lab::figure::shades(problem, &proven.solved, render::Theme::Light);
        files::write(picture, drawn.as_bytes())?;
    }
    let bound = match proof.proven.claim() {
        Claim::OnBoard { moves: Some(moves), .. } => i64::try_from(*moves).ok(),
        _ => Some(-1),
    };
    let view = BoardBoundView {
        value: (solution.status == SolveStatus::Optimal).then_some(solution.value),
        bound,
        claim: Some(proof.proven.to_string()),
        scale: Some(proven.solved.certificate.scale),
        certificate: proof.file.as_deref().map(files::name),
        picture: places.picture.map(files::name),
        solve_cpu_seconds: Some(proven.solve_cpu.as_secs_f64()),
        check_cpu_seconds: Some(proven.verify_cpu.as_secs_f64()),
        ..view
    };
    if json {
        print_json(&view)?;
    } else {
        print(describe(&view, proof.bytes))?;
    }
    Ok(Exit::Success)
}

fn describe(view: &BoardBoundView, bytes: usize) -> String {
    let mut lines = Vec::new();
    lines.extend(view.claim.as_ref().map(|claim| format!("{claim}, proven")));
    let value = view.value.map_or("no solution".to_owned(), |value| format!("value {value:.6}"));
    let (model, columns, rows) = (view.model, view.columns, view.rows);
    lines.push(format!("  {value} of the model {model}: {columns} columns, {rows} rows"));
    if let Some(file) = &view.certificate {
        lines.push(format!("  certificate: {file}, {bytes} bytes"));
    }
    lines.join("\n")
}
