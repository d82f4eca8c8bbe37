//! `morpion bound GAME --by lp`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use bound::lp::{LpError, certify};
use bound::program::{LinearProgram, ProgramFormat};
use bound::{Board, BoardProblem, Formulation};
use cpu_time::ProcessTime;
use geometry::Game;
use serde::Serialize;
use solver::{LpMethod, SolveStatus};
use verify::Claim;

use crate::files;
use crate::output::{Exit, print, print_json};
use crate::solver::SolverArgs;

/// What belongs to `--by lp`.
#[derive(clap::Args)]
pub(crate) struct LpArgs {
    /// With --by lp: where all dots lie: square:20, octagon:10,8,10,12,10,8,10,12 or box:3,2,2,2 (so far
    /// beyond the start: above, right, below, left)
    #[arg(long, value_name = "BOARD")]
    board: Option<Board>,

    /// With --by lp: what the unknowns are [default: births in a box, else lines]
    #[arg(long, value_name = "MODEL", requires = "board")]
    model: Option<ModelName>,

    /// With --by lp: only games that meet every side of the board
    #[arg(long, requires = "board")]
    exact: bool,

    /// With --by lp: how to solve it
    #[arg(long, value_name = "HOW", default_value = "interior-point", requires = "board")]
    solve: How,

    /// With --by lp: write the linear program to this file, .mps or .lp, and do not solve it
    #[arg(long, value_name = "FILE", requires = "board", conflicts_with = "out")]
    write: Option<PathBuf>,

    #[command(flatten)]
    pub(super) solver: SolverArgs,
}

impl LpArgs {
    /// Whether anything here was asked for.
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
    /// The most exact
    DualSimplex,
    /// PDLP
    FirstOrder,
}

#[derive(Serialize)]
struct Row {
    game: String,
    start: String,
    by: &'static str,
    board: String,
    model: &'static str,
    exact: bool,
    columns: usize,
    rows: usize,
    value: Option<f64>,
    bound: Option<i64>,
    claim: Option<String>,
    scale: Option<i64>,
    certificate: Option<String>,
    picture: Option<String>,
    written: Option<String>,
    solve_cpu_seconds: Option<f64>,
    check_cpu_seconds: Option<f64>,
}

/// Where results go.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    /// The folder of certificates.
    pub(super) out: Option<&'a Path>,
    /// The file of the picture.
    pub(super) picture: Option<&'a Path>,
}

/// Solves the model of a board, or writes it to a file.
pub(super) fn run(game: &Game, args: &LpArgs, places: Places<'_>, json: bool) -> Result<Exit> {
    let board = args.board.context("--by lp needs a --board, like square:20 or box:3,2,2,2")?;
    let kind = match (args.model, board) {
        (Some(ModelName::Lines), _) => Formulation::Lines,
        (Some(ModelName::Births), _) | (None, Board::Box(_)) => Formulation::Births,
        (None, _) => Formulation::Lines,
    };
    let task = BoardProblem { exact: args.exact, ..BoardProblem::new(game.clone(), board, kind) };
    let model = task.program().with_context(|| format!("--board {board}"))?;
    let row = Row {
        game: game.rules.to_string(),
        start: game.start_name(),
        by: "lp",
        board: board.to_string(),
        model: kind.name(),
        exact: task.exact,
        columns: model.variables.len(),
        rows: model.constraints.len(),
        value: None,
        bound: None,
        claim: None,
        scale: None,
        certificate: None,
        picture: None,
        written: None,
        solve_cpu_seconds: None,
        check_cpu_seconds: None,
    };
    match &args.write {
        Some(file) => write(&task, &model, file, row, json),
        None => solve(&task, args, places, row, json),
    }
}

/// Writes the model for other solvers.
fn write(
    task: &BoardProblem,
    model: &LinearProgram,
    file: &Path,
    row: Row,
    json: bool,
) -> Result<Exit> {
    let format = match file.extension().and_then(|ending| ending.to_str()) {
        Some("mps") => ProgramFormat::Mps,
        Some("lp") => ProgramFormat::Lp,
        _ => bail!("{}: linear programs are written as .mps or .lp", files::name(file)),
    };
    let comment = format!(
        "{} on {}, model {}{}: the most moves, relaxed to fractions",
        task.game,
        task.board,
        task.formulation,
        if task.exact { ", exact" } else { "" }
    );
    files::write(file, model.to_text(format, &comment).as_bytes())?;
    let (columns, rows) = (row.columns, row.rows);
    if json {
        print_json(&Row { written: Some(files::name(file)), ..row })?;
    } else {
        print(format_args!("{}: {columns} columns, {rows} rows", files::name(file)))?;
    }
    Ok(Exit::Success)
}

/// Solves the model, and says what the judge says of the certificate.
fn solve(
    task: &BoardProblem,
    args: &LpArgs,
    places: Places<'_>,
    row: Row,
    json: bool,
) -> Result<Exit> {
    let solver = args.solver.open()?;
    let file = places.out.map(|folder| folder.join(file_name(task)));
    if let Some(file) = &file {
        files::check_place(file)?;
    }
    let method = match args.solve {
        How::InteriorPoint => LpMethod::InteriorPoint,
        How::DualSimplex => LpMethod::DualSimplex,
        How::FirstOrder => LpMethod::FirstOrder,
    };
    let clock = ProcessTime::now();
    let solved = certify(solver, task, method).map_err(|no| match no {
        LpError::Unsolved { .. } => anyhow!("{no}; try another --solve"),
        no => no.into(),
    })?;
    let solve_seconds = clock.elapsed().as_secs_f64();
    let (solution, certificate) = (&solved.solution, &solved.certificate);
    let bytes = certificate.to_bytes();

    let clock = ProcessTime::now();
    let proof = verify::read(&bytes[..]).map(|text| verify::verify_proof(&text));
    let proof = proof?.context("the verifier refuses the certificate")?;
    let check_seconds = clock.elapsed().as_secs_f64();
    let &Claim::OnBoard { moves, .. } = proof.claim() else { bail!("not a bound on a board") };
    if let Some(file) = &file {
        files::write(file, &bytes)?;
    }
    if let Some(picture) = places.picture {
        if solution.status != SolveStatus::Optimal {
            bail!("there is no solution to draw: {proof}");
        }
        files::write(picture, lab::figure::shades(task, &solved, render::Theme::Light).as_bytes())?;
    }

    let value = (solution.status == SolveStatus::Optimal).then_some(solution.value);
    let row = Row {
        value,
        bound: moves.map_or(Some(-1), |moves| i64::try_from(moves).ok()),
        claim: Some(proof.to_string()),
        scale: Some(certificate.scale),
        certificate: file.as_deref().map(files::name),
        picture: places.picture.map(files::name),
        solve_cpu_seconds: Some(solve_seconds),
        check_cpu_seconds: Some(check_seconds),
        ..row
    };
    if json {
        print_json(&row)?;
    } else {
        print(in_words(&row, bytes.len()))?;
    }
    Ok(Exit::Success)
}

fn in_words(row: &Row, bytes: usize) -> String {
    let mut lines = Vec::new();
    lines.extend(row.claim.as_ref().map(|claim| format!("{claim}, proven")));
    let value = row.value.map_or("no solution".to_owned(), |value| format!("value {value:.6}"));
    let (model, columns, rows) = (row.model, row.columns, row.rows);
    lines.push(format!("  {value} of the model {model}: {columns} columns, {rows} rows"));
    if let Some(file) = &row.certificate {
        lines.push(format!("  certificate: {file}, {bytes} bytes"));
    }
    lines.join("\n")
}

/// `5T-square-20-lines.cert.gz`.
fn file_name(task: &BoardProblem) -> String {
    let start = match task.game.is_usual() {
        true => String::new(),
        false => format!("-from-{}", task.game.start_name()),
    };
    let exact = if task.exact { "-exact" } else { "" };
    let name = format!("{}{start}-{}-{}{exact}", task.game.rules, task.board, task.formulation);
    name.replace([':', ',', ' '], "-") + ".cert.gz"
}
