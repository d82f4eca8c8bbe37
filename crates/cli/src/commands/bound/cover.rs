//! `morpion bound GAME --by cover`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use bound::certificate::Certificate;
use bound::hull::HullProof;
use bound::{Board, Cover, Octagon};
use geometry::Game;
use lab::prove::cover::{CoverWatcher, Known, NoCover, cover};
use serde::Serialize;
use solver::Solver;
use verify::Claim;

use crate::args::{MAX_THREADS, all_cores};
use crate::files;
use crate::interrupt::stop_flag;
use crate::output::{Exit, count, note, print, print_json};
use crate::progress::Progress;

/// How the certificate of a board is called.
const CERTIFICATE: &str = ".cert.gz";

/// How the proof for a hull is called.
const HULL: &str = ".hull.gz";

/// What belongs to `--by cover`.
#[derive(clap::Args)]
pub(crate) struct CoverArgs {
    /// With --by cover: the bound to be proven
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..))]
    target: Option<u32>,

    /// With --by cover: how many boards are solved at a time [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_THREADS)), requires = "target")]
    threads: Option<u32>,
}

impl CoverArgs {
    /// Whether anything here was asked for.
    pub(super) fn are_given(&self) -> bool {
        self.target.is_some()
    }
}

#[derive(Serialize)]
struct Row {
    game: String,
    by: &'static str,
    board: Option<String>,
    value: Option<f64>,
    bound: Option<u32>,
    boards: usize,
    hulls: usize,
    claim: Option<String>,
    certificate: Option<String>,
    reason: Option<String>,
}

/// Finds boards until they prove the bound, keeps each at once, and has the whole judged.
pub(super) fn run(
    game: &Game,
    args: &CoverArgs,
    solver: Solver,
    out: Option<&Path>,
    json: bool,
) -> Result<Exit> {
    let target = args.target.context("--by cover needs a --target, like 586")?;
    let folder = out.context("--by cover needs a folder for its certificates: --out DIR")?;
    if folder.exists() && !folder.is_dir() {
        bail!("--out {} is not a folder", files::name(folder));
    }
    fs::create_dir_all(folder).with_context(|| format!("--out {}", files::name(folder)))?;
    let kept = Kept::read(game, target, folder)?;
    if !kept.certificates.is_empty() || !kept.hulls.is_empty() {
        note(format_args!("goes on with {} in {}", kept.counted(), files::name(folder)));
    }
    let stop = stop_flag()?;
    let watch = Watch {
        game,
        target,
        folder,
        stop,
        boards: AtomicUsize::new(kept.certificates.len()),
        hulls: AtomicUsize::new(kept.hulls.len()),
        unwritable: AtomicBool::new(false),
        line: Progress::new(),
    };
    let known = Known {
        boards: kept.certificates.iter().filter_map(octagon).collect(),
        hulls: kept.hulls.iter().map(|(hull, _)| *hull).collect(),
    };
    let threads = args.threads.unwrap_or_else(all_cores);
    let ending = cover(game, target, solver, &known, threads, &watch);
    drop(watch.line);
    if watch.unwritable.into_inner() {
        bail!("a proof could not be written into {}", files::name(folder));
    }
    let row = Row {
        game: game.rules.to_string(),
        by: "cover",
        board: None,
        value: None,
        bound: None,
        boards: watch.boards.into_inner(),
        hulls: watch.hulls.into_inner(),
        claim: None,
        certificate: None,
        reason: None,
    };
    match ending {
        Ok(()) => prove(game, target, folder, row, json),
        Err(no @ (NoCover::Stopped { .. } | NoCover::Hull { .. })) => {
            let again = if matches!(no, NoCover::Stopped { .. }) {
                "; the same command goes on"
            } else {
                ""
            };
            let reason = format!("{no}{again}");
            if json {
                print_json(&Row { reason: Some(reason), ..row })?;
            } else {
                print(format_args!("{} <= {target} is not proven: {reason}", game.rules))?;
            }
            Ok(Exit::Negative)
        }
        Err(no) => Err(no.into()),
    }
}

/// Puts the certificates together and has them judged.
fn prove(game: &Game, target: u32, folder: &Path, row: Row, json: bool) -> Result<Exit> {
    let Kept { certificates, hulls } = Kept::read(game, target, folder)?.needed();
    let (boards, rules) = (certificates.len(), game.rules);
    let bytes = Cover { rules, bound: target, certificates, hulls }.to_bytes();
    let proof = verify::read(&bytes[..]).map(|text| verify::verify_proof(&text));
    let proof = proof?.context("the verifier refuses the proof")?;
    let file = folder.join(format!("{rules}-{target}.cover.gz"));
    files::write(&file, &bytes)?;
    let name = files::name(&file);
    if json {
        let (bound, claim) = (proof.claim().upper_bound(), Some(proof.to_string()));
        let hulls = proof.stats().hulls;
        print_json(&Row { bound, claim, boards, hulls, certificate: Some(name), ..row })?;
    } else {
        print(format_args!("{proof}, proven"))?;
        print(format_args!(
            "  by {}: {name}, {} bytes",
            counted(proof.stats().boards, proof.stats().hulls),
            bytes.len()
        ))?;
    }
    Ok(Exit::Success)
}

/// `40 boards` or `40 boards and 3 hulls`.
fn counted(boards: usize, hulls: usize) -> String {
    match hulls {
        0 => count(boards, "board"),
        _ => format!("{} and {}", count(boards, "board"), count(hulls, "hull")),
    }
}

/// What a folder holds for this game and bound, all found good by the judge.
struct Kept {
    certificates: Vec<Certificate>,
    /// Hulls, with their cases as they are written.
    hulls: Vec<(Octagon, String)>,
}

impl Kept {
    fn read(game: &Game, target: u32, folder: &Path) -> Result<Kept> {
        let mut paths: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(folder).with_context(|| files::name(folder))? {
            let path = entry.with_context(|| files::name(folder))?.path();
            let is = |ending| path.to_str().is_some_and(|name| name.ends_with(ending));
            if is(CERTIFICATE) || is(HULL) {
                paths.push(path);
            }
        }
        paths.sort();
        let mut kept = Kept { certificates: Vec::new(), hulls: Vec::new() };
        for path in paths {
            let name = files::name(&path);
            let text = verify::read(&files::read(&path)?[..]).with_context(|| name.clone())?;
            let proof = verify::verify_proof(&text);
            let proof = proof.with_context(|| format!("the verifier refuses {name}; remove it"))?;
            let &Claim::OnBoard { rules, exact, moves, .. } = proof.claim() else { continue };
            let fits = rules.to_string() == game.rules.to_string()
                && moves.is_none_or(|moves| moves <= u128::from(target));
            if !fits {
                continue;
            }
            if let (true, Some((hull, cases))) = (exact, HullProof::parse(&text)) {
                kept.hulls.push((hull, cases.to_owned()));
            } else if let (false, Some(certificate)) = (exact, Certificate::parse(game, &text)) {
                kept.certificates.push(certificate);
            }
        }
        Ok(kept)
    }

    fn counted(&self) -> String {
        counted(self.certificates.len(), self.hulls.len())
    }

    /// Leaves out boards that lie in another, and hulls that lie in a board.
    fn needed(mut self) -> Kept {
        self.certificates.sort_by_key(|certificate| {
            octagon(certificate).map(|board| std::cmp::Reverse(board.area()))
        });
        let mut boards: Vec<Octagon> = Vec::new();
        let mut is_new = |board: &Octagon| {
            let new = !boards.iter().any(|larger| larger.fits_any_image(board));
            if new {
                boards.push(*board);
            }
            new
        };
        self.certificates
            .retain(|certificate| octagon(certificate).is_some_and(|board| is_new(&board)));
        self.hulls.retain(|(hull, _)| !boards.iter().any(|board| board.fits_any_image(hull)));
        self
    }
}

fn octagon(certificate: &Certificate) -> Option<Octagon> {
    match certificate.problem.board {
        Board::Octagon(octagon) => Some(octagon),
        Board::Square(square) => Some(square.octagon()),
        Board::Box(_) => None,
    }
}

/// Keeps every proof at once, and shows how it goes.
struct Watch<'a> {
    game: &'a Game,
    target: u32,
    folder: &'a Path,
    stop: Arc<AtomicBool>,
    boards: AtomicUsize,
    hulls: AtomicUsize,
    unwritable: AtomicBool,
    line: Progress,
}

impl Watch<'_> {
    fn keep(&self, name: &str, bytes: &[u8], left: usize) {
        if let Err(error) = files::write(&self.folder.join(name), bytes) {
            note(format_args!("morpion: {error:#}"));
            self.unwritable.store(true, Ordering::Relaxed);
            self.stop.store(true, Ordering::Relaxed);
        }
        let load = |number: &AtomicUsize| number.load(Ordering::Relaxed);
        let found = counted(load(&self.boards), load(&self.hulls));
        self.line.show(format_args!("{found} certified, {left} left to cover"));
    }
}

impl CoverWatcher for Watch<'_> {
    fn found(&self, certificate: &Certificate, left: usize) {
        self.boards.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}{CERTIFICATE}", certificate.problem.board).replace([':', ','], "-");
        self.keep(&name, &certificate.to_bytes(), left);
    }

    fn found_hull(&self, proof: &HullProof, left: usize) {
        self.hulls.fetch_add(1, Ordering::Relaxed);
        let name = format!("octagon-{}{HULL}", proof.hull).replace(',', "-");
        self.keep(&name, &proof.to_bytes(self.game, self.target), left);
    }

    fn wants_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
