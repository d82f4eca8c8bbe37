//! `morpion reduce gadgets`.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use geometry::{Point, Rules};
use lab::figure::gadget_figure;
use lab::view::GadgetView;
use reduce::gadget::{Gadget, GadgetReport, gadgets};

use crate::files;
use crate::interrupt::ResultList;
use crate::output::{Exit, count, print};
use crate::progress::with_progress;

const EXAMPLES: &str = "\
Examples:
  morpion reduce gadgets
  morpion reduce gadgets tap clause
  morpion reduce gadgets --length 4
  morpion reduce gadgets --out pictures";

/// List, draw and verify the gadgets of the reduction
///
/// A gadget is verified by playing all games from its dots, touching and disjoint, while dots
/// arrive at its driven ports at any moment or never: the ports that can be reached must be exactly
/// those of its relation. Exit code 1 if they are not. One gadget has too many games: the clause
/// for lines of 4. The closure of its dots, which holds every move of every game, reaches no port
/// beyond its relation, and the intended lines reach all within.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Names of gadgets [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Dots per line, 4 to 16
    #[arg(long, value_name = "DOTS", default_value_t = 5, value_parser = super::length)]
    length: usize,

    /// Draw each gadget as SVG into this folder
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print one JSON list: name, about, dots, ports, relation, verdict, by, positions, maximal,
    /// reason
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> Result<Exit> {
    let all = gadgets(args.length)?;
    let games = [true, false].map(|touching| Rules::new(args.length, touching));
    let [touching, disjoint] = games.map(|rules| rules.expect("a line length with gadgets"));
    for name in &args.names {
        if !all.iter().any(|gadget| gadget.name == name) {
            let all: Vec<&str> = all.iter().map(|gadget| gadget.name).collect();
            bail!("unknown gadget `{name}`; the gadgets are: {}", all.join("; "));
        }
    }
    let named = |name: &String| all.iter().find(|gadget| gadget.name == name);
    let mut chosen: Vec<&Gadget> = args.names.iter().filter_map(named).collect();
    if args.names.is_empty() {
        chosen.extend(&all);
    }
    let mut exit = Exit::Success;
    let rows = ResultList::new(args.json, |gadgets| format!("{} so far", count(gadgets, "gadget")));
    for gadget in chosen {
        let picture = match &args.out {
            Some(folder) => {
                let name = gadget.name.replace(", ", "-").replace(' ', "-");
                let file = folder.join(format!("{name}.svg"));
                files::check_place(&file).with_context(|| files::name(folder))?;
                files::write(&file, gadget_figure(gadget, disjoint).as_bytes())?;
                Some(files::name(&file))
            }
            None => None,
        };
        let row = row(gadget, [touching, disjoint], picture);
        if row.verdict != "verified" {
            exit = Exit::Negative;
        }
        if !args.json {
            print(in_words(gadget, [touching, disjoint], &row))?;
        }
        rows.push(row);
    }
    rows.finish()?;
    Ok(exit)
}

/// A gadget and the result of playing all its games.
fn row(gadget: &Gadget, games: [Rules; 2], picture: Option<String>) -> GadgetView {
    let verified = with_progress(|say| {
        games.map(|rules| {
            say(&format!("playing all games of {} in {rules}", gadget.name));
            gadget.verify(rules)
        })
    });
    let reason = verified.iter().find_map(|found| found.as_ref().err()).map(ToString::to_string);
    let reports: Vec<GadgetReport> = verified.into_iter().flatten().collect();
    GadgetView::new(gadget, &reports, reason, picture)
}

fn in_words(gadget: &Gadget, games: [Rules; 2], row: &GadgetView) -> String {
    let verdict = match &row.reason {
        None => {
            let [touching, disjoint] = games;
            match row.positions[..] {
                [one, other] => {
                    format!("verified: {one} positions in {touching}, {other} in {disjoint}")
                }
                _ => format!("verified by closure, for {touching} and {disjoint}: too many games"),
            }
        }
        Some(reason) => format!("BROKEN: {reason}"),
    };
    let dots = count(row.dots.len(), "dot");
    let drawing = drawing(gadget);
    format!("{} ({dots}): {}\n  {}\n  {verdict}\n{drawing}", row.name, row.about, row.relation)
}

/// Dots as `o`, holes as `.`, ports by their letters.
fn drawing(gadget: &Gadget) -> String {
    let dots = gadget.dots();
    let holes: Vec<Point> = gadget.rows.iter().flat_map(|row| row.holes()).collect();
    let all = || dots.iter().chain(&holes);
    let ends = |of: fn(&Point) -> i32| {
        (all().map(of).min().unwrap_or(0), all().map(of).max().unwrap_or(0))
    };
    let ((left, right), (top, bottom)) = (ends(|p| p.x), ends(|p| p.y));
    let letter = |x: i32, y: i32| {
        let point = Point::new(x, y);
        let port = gadget.ports.iter().find(|port| port.1 == point).map(|port| port.0);
        let hole = || holes.contains(&point).then_some('.');
        port.or_else(|| dots.binary_search(&point).is_ok().then_some('o')).or_else(hole)
    };
    let mut text = String::new();
    for y in top..=bottom {
        let row: String = (left..=right).map(|x| letter(x, y).unwrap_or(' ')).collect();
        text += format!("    {row}").trim_end();
        text.push('\n');
    }
    text
}
