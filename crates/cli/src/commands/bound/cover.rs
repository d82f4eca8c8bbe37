//! `morpion bound GAME --by cover`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context, Result, bail};
use bound::certificate::Certificate;
use bound::{Board, Cover, Octagon};
use geometry::Game;
use run::cover::{CoverWatcher, NoCover, cover};
use serde::Serialize;
use solver::Solver;
use verify::Proof;

use crate::args::{MAX_THREADS, all_cores};
use crate::files;
use crate::output::{Answer, count, note, print, print_json};
use crate::progress::Progress;

/// How the certificate of a board is called.
const CERTIFICATE: &str = ".cert.gz";

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
) -> Result<Answer> {
    let target = args.target.context("--by cover needs a --target, like 586")?;
    let folder = out.context("--by cover needs a folder for its certificates: --out DIR")?;
    if folder.exists() && !folder.is_dir() {
        bail!("--out {} is not a folder", files::name(folder));
    }
    fs::create_dir_all(folder).with_context(|| format!("--out {}", files::name(folder)))?;
    let known = certificates(game, target, folder)?;
    if !known.is_empty() {
        note(format_args!(
            "goes on with {} in {}",
            count(known.len(), "board"),
            files::name(folder)
        ));
    }
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    ctrlc::set_handler(move || asked.store(true, Ordering::Relaxed))
        .context("cannot listen to Ctrl-C")?;
    let watch = Watch {
        folder,
        stop,
        found: AtomicUsize::new(known.len()),
        unwritable: AtomicBool::new(false),
        line: Progress::new(),
    };
    let boards: Vec<Octagon> = known.iter().filter_map(octagon).collect();
    let threads = args.threads.unwrap_or_else(all_cores);
    let ending = cover(game, target, solver, &boards, threads, &watch);
    drop(watch.line);
    if watch.unwritable.into_inner() {
        bail!("a certificate could not be written into {}", files::name(folder));
    }
    let row = Row {
        game: game.rules.to_string(),
        by: "cover",
        board: None,
        value: None,
        bound: None,
        boards: watch.found.into_inner(),
        claim: None,
        certificate: None,
        reason: None,
    };
    match ending {
        Ok(()) => prove(game, target, folder, row, json),
        Err(no @ (NoCover::Stopped { .. } | NoCover::TooLarge { .. })) => {
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
            Ok(Answer::No)
        }
        Err(no) => Err(no.into()),
    }
}

/// Puts the certificates together and has them judged.
fn prove(game: &Game, target: u32, folder: &Path, row: Row, json: bool) -> Result<Answer> {
    let certificates = needed(certificates(game, target, folder)?);
    let (boards, rules) = (certificates.len(), game.rules);
    let bytes = Cover { rules, bound: target, certificates }.to_bytes();
    let proof = verify::read(&bytes[..]).map(|text| verify::check(&text));
    let proof = proof?.context("the judge refuses the proof")?;
    let Proof::Game(proven) = &proof else { bail!("the judge takes it for something else") };
    let file = folder.join(format!("{rules}-{target}.cover.gz"));
    files::write(&file, &bytes)?;
    let name = files::name(&file);
    if json {
        let (bound, claim) = (Some(proven.bound()), Some(proven.claim()));
        print_json(&Row { bound, claim, boards, certificate: Some(name), ..row })?;
    } else {
        print(format_args!("{}, proven", proven.claim()))?;
        print(format_args!("  by {}: {name}, {} bytes", count(boards, "board"), bytes.len()))?;
    }
    Ok(Answer::Yes)
}

/// The certificates that a folder holds: those of boards for this game and bound, all found good by
/// the judge.
fn certificates(game: &Game, target: u32, folder: &Path) -> Result<Vec<Certificate>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| files::name(folder))? {
        let path = entry.with_context(|| files::name(folder))?.path();
        if path.to_str().is_some_and(|name| name.ends_with(CERTIFICATE)) {
            paths.push(path);
        }
    }
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        let name = files::name(&path);
        let text = verify::read(&files::read(&path)?[..]).with_context(|| name.clone())?;
        let proof = verify::check(&text);
        let proof = proof.with_context(|| format!("the judge refuses {name}; remove it"))?;
        let Proof::Board(proven) = &proof else { continue };
        let fits = proven.rules().to_string() == game.rules.to_string()
            && !proven.exact()
            && proven.bound() <= i128::from(target);
        if fits && let Some(certificate) = Certificate::of_lines(game, &text) {
            found.push(certificate);
        }
    }
    Ok(found)
}

/// Leaves out certificates of boards that lie in another.
fn needed(mut certificates: Vec<Certificate>) -> Vec<Certificate> {
    certificates.sort_by_key(|certificate| {
        octagon(certificate).map(|board| std::cmp::Reverse(board.area()))
    });
    let mut kept: Vec<(Octagon, Certificate)> = Vec::new();
    for certificate in certificates {
        if let Some(board) = octagon(&certificate)
            && !kept.iter().any(|(larger, _)| larger.fits_turned(&board))
        {
            kept.push((board, certificate));
        }
    }
    kept.into_iter().map(|(_, certificate)| certificate).collect()
}

fn octagon(certificate: &Certificate) -> Option<Octagon> {
    match certificate.task.board {
        Board::Octagon(octagon) => Some(octagon),
        Board::Square(square) => Some(square.octagon()),
        Board::Box(_) => None,
    }
}

/// Keeps every certificate at once, and shows how it goes.
struct Watch<'a> {
    folder: &'a Path,
    stop: Arc<AtomicBool>,
    found: AtomicUsize,
    unwritable: AtomicBool,
    line: Progress,
}

impl CoverWatcher for Watch<'_> {
    fn found(&self, certificate: &Certificate, left: usize) {
        let name = format!("{}{CERTIFICATE}", certificate.task.board).replace([':', ','], "-");
        if let Err(trouble) = files::write(&self.folder.join(name), &certificate.to_bytes()) {
            note(format_args!("morpion: {trouble:#}"));
            self.unwritable.store(true, Ordering::Relaxed);
            self.stop.store(true, Ordering::Relaxed);
        }
        let found = self.found.fetch_add(1, Ordering::Relaxed) + 1;
        self.line.show(format_args!("{found} boards certified, {left} left to cover"));
    }

    fn wants_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
