//! `morpion bound 5D --by lines`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use bound::caps::{self, CapsProof, ROWS};
use bound::lp::certify;
use bound::{BoardProblem, Formulation};
use geometry::Game;
use serde::Serialize;
use solver::{LpMethod, Solver};

use crate::files;
use crate::output::{Exit, count, print, print_json};
use crate::progress::Progress;

#[derive(Serialize)]
struct Row {
    game: String,
    by: &'static str,
    bound: Option<u32>,
    rows: usize,
    least: Vec<u32>,
    boards: Vec<BoardRow>,
    claim: Option<String>,
    certificate: Option<String>,
    reason: Option<&'static str>,
}

#[derive(Serialize)]
struct BoardRow {
    board: String,
    value: f64,
}

/// Solves the boxes without room for two caps, finds the least bound that caps allow beyond them, and has
/// the whole judged.
pub(super) fn run(
    game: &Game,
    open: impl FnOnce() -> Result<Solver>,
    out: Option<&Path>,
    json: bool,
) -> Result<Exit> {
    let mut row = Row {
        game: game.rules.to_string(),
        by: "lines",
        bound: None,
        rows: ROWS,
        least: Vec::new(),
        boards: Vec::new(),
        claim: None,
        certificate: None,
        reason: None,
    };
    if !game.is_usual() || game.rules.length() != 5 || game.rules.touching() {
        let reason = "caps are known for 5D from the cross only";
        match json {
            true => print_json(&Row { reason: Some(reason), ..row })?,
            false => print(format_args!("no bound for {game} by lines: {reason}"))?,
        }
        return Ok(Exit::Negative);
    }
    let solver = open()?;
    let mut certificates = Vec::new();
    let line = Progress::new();
    for board in caps::boards(ROWS) {
        line.show(format_args!("{} certified", count(certificates.len(), "board")));
        let task = BoardProblem::new(game.clone(), board, Formulation::Lines);
        let solved = certify(solver, &task, LpMethod::InteriorPoint)?;
        row.boards.push(BoardRow { board: board.to_string(), value: solved.solution.value });
        certificates.push(solved.certificate);
    }
    drop(line);
    let largest = certificates.iter().map(|certificate| certificate.bound).max().unwrap_or(0);
    let largest = u32::try_from(largest).context("a box holds some game")?;
    let proven = (largest..).find_map(|bound| Some((bound, caps::least_dots(ROWS, bound).ok()?)));
    let (bound, least) = proven.context("caps of games without waste have no room")?;
    let proof = CapsProof { rules: game.rules, bound, rows: ROWS, least, certificates };
    prove(&proof, out, row, json)
}

/// Has the proof judged, and keeps it.
fn prove(caps: &CapsProof, out: Option<&Path>, mut row: Row, json: bool) -> Result<Exit> {
    let bytes = caps.to_bytes();
    let proof = verify::read(&bytes[..]).map(|text| verify::verify_proof(&text));
    let proof = proof?.context("the verifier refuses the proof")?;
    if let Some(folder) = out {
        fs::create_dir_all(folder).with_context(|| format!("--out {}", files::name(folder)))?;
        let file = folder.join(format!("{}-{}.caps.gz", caps.rules, caps.bound));
        files::write(&file, &bytes)?;
        row.certificate = Some(files::name(&file));
    }
    row.bound = proof.claim().upper_bound();
    row.claim = Some(proof.to_string());
    row.least.clone_from(&caps.least);
    if json {
        print_json(&row)?;
        return Ok(Exit::Success);
    }
    let numbers: Vec<String> = row.least.iter().map(u32::to_string).collect();
    print(format_args!("{proof}, proven"))?;
    print(format_args!(
        "  the first {} rows of a position with waste 0, 1, ... have at least {} dots",
        row.rows,
        numbers.join(", ")
    ))?;
    for BoardRow { board, value } in &row.boards {
        print(format_args!("  {board}: value {value:.4}"))?;
    }
    if let Some(name) = &row.certificate {
        print(format_args!("  certificate: {name}, {} bytes", bytes.len()))?;
    }
    Ok(Exit::Success)
}
