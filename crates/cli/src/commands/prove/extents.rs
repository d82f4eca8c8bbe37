//! `morpion prove extents`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result, bail};
use lab::prove::extents::{Event, ExtentRequest, prove};
use lab::view::ExtentView;
use verify::ProofFormat;

use super::{WorkArgs, continue_unless, file_name};
use crate::files;
use crate::output::{Exit, count, note, print, print_json};
use crate::progress::Progress;

/// Bound a disjoint game by how far positions extend: one branch-and-bound tree for each extent
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    work: WorkArgs,

    /// Number of moves that no game exceeds, as is to be proven
    #[arg(long, value_name = "N")]
    target: u32,

    /// Proof by extents, of any target and complete or not, whose splits are tried first
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
}

pub(crate) fn run(args: Args) -> Result<Exit> {
    let Args { work, target, from } = args;
    work.check_target(target)?;
    if let Some(from) = &from {
        check_splits(from)?;
    }
    let (game, solver, stop) = (&work.game, work.solver.open()?, work.stop_flag()?);
    let (folder, threads) = (&*work.out, work.threads());
    let request = ExtentRequest { game, target, folder, from: from.as_deref(), threads, solver };
    let line = Progress::new();
    let running: Mutex<BTreeMap<u32, (f64, usize)>> = Mutex::default();
    let proof = prove(&request, &|event| {
        let mut running = running.lock().expect("no thread panics with it");
        match event {
            Event::Progress { case, done, leaves } => {
                running.insert(case.from, (done, leaves));
                let shares = running.iter().map(|(extent, (done, leaves))| {
                    let expected = *leaves as f64 / done.max(1e-6);
                    let expected = if *done > 0.0 { format!("{expected:.0}") } else { "?".into() };
                    let done = 100.0 * done;
                    format!("extent {extent}: {done:.2} %, {leaves} of about {expected} leaves")
                });
                line.show(format_args!("{}", shares.collect::<Vec<_>>().join("; ")));
            }
            Event::Case { case, complete, cases } => {
                running.remove(&case.from);
                note(format_args!("{case} is complete: {complete} of {cases}"));
            }
        }
        continue_unless(&stop)
    });
    drop(line);
    let proof = proof.map_err(|error| work.explain(error))?;
    let stats = proof.proven.stats();
    let view = ExtentView {
        game: game.rules.to_string(),
        by: "extents",
        claim: proof.proven.to_string(),
        bound: target,
        trees: stats.trees,
        leaves: stats.leaves,
        certificate: file_name(&proof).unwrap_or_default(),
        bytes: proof.bytes,
    };
    if work.json {
        print_json(&view)?;
    } else {
        let ExtentView { trees, leaves, certificate, bytes, .. } = &view;
        print(format_args!("{}, proven", view.claim))?;
        let trees = count(*trees, "tree");
        print(format_args!("  {trees} with {leaves} leaves in {certificate}, {bytes} bytes"))?;
    }
    Ok(Exit::Success)
}

/// An error unless a file has splits of a proof by extents, which may be incomplete or old.
fn check_splits(file: &Path) -> Result<()> {
    let name = files::name(file);
    let text = verify::read(&files::read(file)?[..]).with_context(|| format!("--from {name}"))?;
    let format = ProofFormat::of(&text);
    if format.is_some_and(|format| format.extension == "extents") {
        return Ok(());
    }
    let what = format.map_or("no proof", |format| format.title);
    bail!("--from {name}: {what}, not a bound by extents (.extents.gz)")
}
