//! Table 3: the best games of all runs.

use std::fmt::Write as _;

use render::chart::{Axis, Chart, Look, Mark, Panel, Series};
use render::{Theme, chart::chart};

use super::{Claim, Report, Results, Row, markdown};
use crate::paper;

/// Table 3 and where its games come from.
#[derive(Debug, Clone)]
pub struct Best {
    /// What people read.
    pub report: Report,
    /// The best run of each method and game, as CSV.
    pub csv: String,
}

/// The best of each method and game over the runs of several experiments.
pub fn best(all: &[Results<'_>]) -> Best {
    let mut csv =
        "game,method,score,published,runs,cpu_seconds,experiment,seed,command\n".to_owned();
    let (mut claims, mut series, mut commands) = (Vec::new(), Vec::new(), String::new());
    for (hue, (method, published)) in paper::TABLE_3.iter().enumerate() {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for (place, (game, &published)) in paper::GAMES.iter().zip(published).enumerate() {
            let x = place as f64 + (hue as f64 - 1.0) * 0.22;
            theirs.push(Mark::new(x, published as f64));
            let Some(found) = of(all, game, method) else { continue };
            let Found { results, row, runs, seconds } = found;
            ours.push(Mark::new(x, row.score as f64));
            let (name, command) = (results.plan.name, results.command(row));
            let Row { score, seed, .. } = row;
            let _ = writeln!(
                csv,
                "{game},{method},{score},{published},{runs},{seconds:.3},{name},{seed},{command}"
            );
            let _ = writeln!(commands, "{command}  # {score} moves, from {name}");
            claims.push(Claim {
                what: format!("{game} {}", method.to_uppercase()),
                published: published.to_string(),
                found: format!(
                    "{score} ({}, {} of processor time)",
                    markdown::runs(runs),
                    markdown::time(seconds)
                ),
                agrees: None,
            });
        }
        let name = method.to_uppercase();
        let published = format!("{name}, published");
        series.push(Series { name, hue, look: Look::Marks, points: ours });
        series.push(Series { name: published, hue, look: Look::Hollow, points: theirs });
    }
    let svg = chart(&Chart {
        title: "Table 3: the best solutions".to_owned(),
        note: "Best of all runs; hollow marks: Hyyrö and Poranen 2007".to_owned(),
        panels: vec![Panel {
            title: String::new(),
            x: Axis::names("game", paper::GAMES.map(str::to_owned).into()),
            y: Axis::linear("moves"),
            series,
        }],
        ordered: false,
        theme: Theme::Light,
    });
    let markdown = text(all, &claims, &commands);
    Best { report: Report { markdown, svg, comparisons: Vec::new(), claims }, csv }
}

/// The best run of a method and a game, and what it was chosen from.
struct Found<'a> {
    results: Results<'a>,
    row: &'a Row,
    runs: usize,
    seconds: f64,
}

fn of<'a>(all: &[Results<'a>], game: &str, method: &str) -> Option<Found<'a>> {
    let mut found: Option<Found<'a>> = None;
    let (mut runs, mut seconds) = (0, 0.0);
    for &results in all {
        let rows = || {
            results.rows.iter().filter(move |row| {
                let cell = &results.plan.cells[row.run.cell];
                cell.values[0] == game && cell.method.info().name == method
            })
        };
        runs += rows().count();
        seconds += rows().map(|row| row.cpu.as_secs_f64()).sum::<f64>();
        let Some(row) = Results::longest(rows()) else { continue };
        if found.as_ref().is_none_or(|found| row.score > found.row.score) {
            found = Some(Found { results, row, runs: 0, seconds: 0.0 });
        }
    }
    found.map(|found| Found { runs, seconds, ..found })
}

fn text(all: &[Results<'_>], claims: &[Claim], commands: &str) -> String {
    let mut sources = String::new();
    for results in all {
        let (name, runs) = (results.plan.name, markdown::runs(results.rows.len()));
        let time = markdown::time(results.cpu());
        let _ = writeln!(sources, "- [{name}](../{name}/{name}.md): {runs}, {time}");
    }
    let long = if all.iter().any(|results| results.plan.name == "long") {
        "The two long annealings whose parameters are known are among them"
    } else {
        "The long annealings that found the paper's 79 and 143 (`morpion experiment long`) are not among them"
    };
    let rows: Vec<Vec<String>> = paper::TABLE_3
        .iter()
        .map(|(method, published)| {
            let cell = |(game, published): (&&str, &u64)| {
                let what = format!("{game} {}", method.to_uppercase());
                let found = claims.iter().find(|claim| claim.what == what);
                let ours = found.and_then(|claim| claim.found.split(' ').next()).unwrap_or("-");
                format!("**{ours}** ({published})")
            };
            let name = format!("best {}", method.to_uppercase());
            std::iter::once(name).chain(paper::GAMES.iter().zip(published).map(cell)).collect()
        })
        .collect();
    let names = ["", "4D", "4T", "5D", "5T"];
    format!(
        "# Table 3: the best solutions, run again\n\n\
         Hyyrö and Poranen (2007), Table 3: the best score of each method. Ours in bold, theirs in brackets.\n\n{}\n\
         Ours are the best of these runs, each replayed by the judge:\n\n{sources}\n\
         {long}; the run that found 79 in 5D cannot be run again, since its parameters were lost. The best of more runs, or of \
         longer ones, is better: what was run decides as much as the method, and the paper does not say how many further \
         runs its own best come from. So there is no test here. What each was chosen from:\n\n{}\n\
         ## The games\n\nEach can be found again:\n\n```sh\n{commands}```\n",
        markdown::table(&names, &rows),
        markdown::claims(claims),
    )
}
