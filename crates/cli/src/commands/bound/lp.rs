//! `morpion bound GAME --by lp`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use bound::lp::LpError;
use bound::program::{DrawingSymmetry, LinearProgram, ProgramFormat};
use bound::{Board, BoardProblem, Formulation};
use geometry::{Game, Point};
use lab::prove::ProveError;
use lab::prove::board::{file_name, prove};
use lab::view::BoardBoundView;
use solver::{LpMethod, SolveStatus};
use verify::Claim;

use crate::commands::game_file;
use crate::files;
use crate::output::{Exit, count, print, print_json};
use crate::solver::SolverArgs;

/// Arguments of `--by lp`.
#[derive(clap::Args)]
pub(crate) struct LpArgs {
    /// With --by lp: where all dots lie: square:20, octagon:10,8,10,12,10,8,10,12 or box:3,2,2,2
    /// (rows and columns beyond the start: above, right, below, left)
    #[arg(long, value_name = "BOARD", group = "place")]
    board: Option<Board>,

    /// With --by lp --write: the board is where this game has dots, and the points around them
    #[arg(long, value_name = "GAME", group = "place", requires = "write")]
    shape: Option<PathBuf>,

    /// With --shape: how far the board goes beyond the dots of the game
    #[arg(long, value_name = "N", default_value_t = 0, requires = "shape",
        value_parser = clap::value_parser!(u8).range(..=20))]
    rim: u8,

    /// With --by lp: the formulation [default: births if the start has its place, else lines]
    #[arg(long, value_name = "MODEL", requires = "place")]
    model: Option<ModelName>,

    /// With --by lp: only games that reach every side of the board
    #[arg(long, requires = "board")]
    exact: bool,

    /// With --by lp: the algorithm of the solver
    #[arg(long, value_name = "HOW", default_value = "interior-point", requires = "board")]
    solve: How,

    /// With --by lp: write the linear program to this file, .mps or .lp, and do not solve it; its
    /// solutions are drawings for `morpion order`
    #[arg(long, value_name = "FILE", requires = "place", conflicts_with = "out")]
    write: Option<PathBuf>,

    /// With --write: the integer program
    #[arg(long, requires = "write")]
    integer: bool,

    /// With --write: only drawings with this symmetry about the centre of the board; repeatable
    #[arg(long, value_name = "SYMMETRY", requires = "write")]
    symmetric: Vec<SymmetryName>,

    #[command(flatten)]
    pub(super) solver: SolverArgs,
}

impl LpArgs {
    /// Whether any of these arguments is given.
    pub(super) fn are_given(&self) -> bool {
        self.board.is_some() || self.shape.is_some()
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum ModelName {
    /// Dots and lines
    Lines,
    /// Dots and lines with their new dots
    Births,
    /// Births with the turns of dots, to be written: its integer solutions are the legal games
    Ordered,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum SymmetryName {
    /// Turned by 180 degrees
    HalfTurn,
    /// Turned by 90 degrees
    QuarterTurn,
    /// Left and right exchanged
    LeftRight,
    /// Top and bottom exchanged
    TopBottom,
    /// Reflected in the diagonal from the top left
    Falling,
    /// Reflected in the diagonal from the bottom left
    Rising,
}

impl From<SymmetryName> for DrawingSymmetry {
    fn from(name: SymmetryName) -> Self {
        match name {
            SymmetryName::HalfTurn => Self::HalfTurn,
            SymmetryName::QuarterTurn => Self::QuarterTurn,
            SymmetryName::LeftRight => Self::LeftRight,
            SymmetryName::TopBottom => Self::TopBottom,
            SymmetryName::Falling => Self::Falling,
            SymmetryName::Rising => Self::Rising,
        }
    }
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
    if let Some(file) = &args.write {
        return write(game, args, file, json);
    }
    let board = args.board.context("--by lp needs a --board, like square:20 or box:3,2,2,2")?;
    let formulation = match args.model {
        Some(ModelName::Lines) => Formulation::Lines,
        Some(ModelName::Births) => Formulation::Births,
        Some(ModelName::Ordered) => bail!("the model ordered has no certificates; use --write"),
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
    solve(&problem, args, places, view, json)
}

/// Writes the program of a board, or of the shape of a game, for other solvers.
fn write(game: &Game, args: &LpArgs, file: &Path, json: bool) -> Result<Exit> {
    let format = match file.extension().and_then(|ending| ending.to_str()) {
        Some("mps") => ProgramFormat::Mps,
        Some("lp") => ProgramFormat::Lp,
        _ => bail!("{}: linear programs are written as .mps or .lp", files::name(file)),
    };
    let default = args.board.as_ref().map_or(Formulation::Births, Formulation::for_board);
    let (formulation, model) = match args.model {
        Some(ModelName::Lines) => (Formulation::Lines, "lines"),
        Some(ModelName::Births) => (Formulation::Births, "births"),
        Some(ModelName::Ordered) => (Formulation::Births, "ordered"),
        None => (default, default.name()),
    };
    let (mut program, board) = match (args.board, &args.shape) {
        (Some(board), _) => {
            let problem = BoardProblem::new(game.clone(), board, formulation);
            let problem = BoardProblem { exact: args.exact, ..problem };
            let program = problem.program().with_context(|| format!("--board {board}"))?;
            (program, board.to_string())
        }
        (None, Some(shape)) if !args.exact => {
            let name = format!("{} and {} points around it", files::name(shape), args.rim);
            (shape_program(game, shape, i32::from(args.rim), formulation)?, name)
        }
        (None, Some(_)) => bail!("--exact is for a --board"),
        (None, None) => bail!("--write needs a --board, like square:20, or a --shape"),
    };
    if model == "ordered" {
        program.add_order(game.rules);
    }
    for symmetry in &args.symmetric {
        program.add_symmetry((*symmetry).into(), game.rules).context("--symmetric")?;
    }
    let comment = format!(
        "{game} on {board}, model {model}{}: the most moves{}",
        if args.exact { ", exact" } else { "" },
        if args.integer { "" } else { ", relaxed to fractions" }
    );
    files::write(file, program.to_text(format, &comment, args.integer).as_bytes())?;
    let view = BoardBoundView {
        game: game.rules.to_string(),
        start: game.start_name(),
        by: "lp",
        board,
        model,
        exact: args.exact,
        columns: program.variables.len(),
        rows: program.constraints.len(),
        written: Some(files::name(file)),
        ..BoardBoundView::default()
    };
    if json {
        print_json(&view)?;
    } else {
        let (columns, rows) = (count(view.columns, "column"), count(view.rows, "row"));
        print(format_args!("{}: {columns}, {rows}", files::name(file)))?;
    }
    Ok(Exit::Success)
}

/// The program on the dots of a game and the points at most `rim` rows and columns from one.
fn shape_program(
    game: &Game,
    shape: &Path,
    rim: i32,
    formulation: Formulation,
) -> Result<LinearProgram> {
    let record = game_file::verify(shape, Some(game))?.record?;
    let dots = record.game.start.dots().iter().copied();
    let lines = record.lines().flat_map(|line| line.points(game.rules));
    let around = |dot: Point| {
        let rows = -rim..=rim;
        rows.flat_map(move |y| (-rim..=rim).map(move |x| Point::new(dot.x + x, dot.y + y)))
    };
    let dots: Vec<Point> = dots.chain(lines).flat_map(around).collect();
    Ok(BoardProblem::program_on(game, &dots, formulation))
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
    let (columns, rows) = (count(view.columns, "column"), count(view.rows, "row"));
    lines.push(format!("  {value} of the model {}: {columns}, {rows}", view.model));
    if let Some(file) = &view.certificate {
        lines.push(format!("  certificate: {file}, {bytes} bytes"));
    }
    lines.join("\n")
}
