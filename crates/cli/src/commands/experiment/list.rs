//! The list of experiments with what they cost.

use anyhow::Result;
use experiment::Plan;
use experiment::plans::{self, Choice};
use serde::Serialize;

use super::args::ANYTIME;
use crate::output::{Exit, print, print_json};

#[derive(Serialize)]
struct Row {
    name: &'static str,
    what: &'static str,
    runs: usize,
    /// About how many seconds of processor time it takes.
    cpu_seconds: f64,
    quick_cpu_seconds: f64,
}

pub(super) fn run(json: bool) -> Result<Exit> {
    let rows = rows();
    if json {
        print_json(&rows)?;
        return Ok(Exit::Success);
    }
    let title = ["name", "runs", "CPU time", "--quick", "what"];
    print(format_args!(
        "{:<8} {:>6} {:>9} {:>9}  {}",
        title[0], title[1], title[2], title[3], title[4]
    ))?;
    for Row { name, what, runs, cpu_seconds, quick_cpu_seconds } in rows {
        let (whole, quick) = (time(cpu_seconds), time(quick_cpu_seconds));
        print(format_args!("{name:<8} {runs:>6} {whole:>9} {quick:>9}  {what}"))?;
    }
    print("\nProcessor time is about that of a core of 2.8 GHz; all cores are used.")?;
    print("`morpion experiment NAME` runs one; `morpion experiment NAME --help` says more.")?;
    Ok(Exit::Success)
}

fn rows() -> Vec<Row> {
    let choice = |quick| Choice { quick, repeats: None, sizes: None, seed: 1 };
    let (whole, quick) = (choice(false), choice(true));
    let row = |name, what, plan: fn(&Choice) -> Plan| {
        let (plan, quick) = (plan(&whole), plan(&quick));
        Row {
            name,
            what,
            runs: plan.total(),
            cpu_seconds: plan.cost(),
            quick_cpu_seconds: quick.cost(),
        }
    };
    let table1 = row("table1", "random sampling: Hyyrö and Poranen 2007, Table 1", plans::table1);
    let readings = row("readings", "two readings of RS1, beside Table 1", plans::readings);
    let table2 = row("table2", "annealing at the best temperatures: Table 2", plans::table2);
    let fig4 = row("fig4", "annealing of 4D and 4T at all temperatures: Figure 4", plans::fig4);
    let fig5 = row("fig5", "annealing of 5D and 5T at all temperatures: Figure 5", plans::fig5);
    let long = row("long", "two long annealings: section 3.2", plans::long);
    let parts = [&table1, &table2, &fig4, &fig5];
    let sum = |name, what| Row {
        name,
        what,
        runs: parts.iter().map(|row| row.runs).sum(),
        cpu_seconds: parts.iter().map(|row| row.cpu_seconds).sum(),
        quick_cpu_seconds: parts.iter().map(|row| row.quick_cpu_seconds).sum(),
    };
    let table3 = sum("table3", "the best of table1, table2, fig4 and fig5: Table 3");
    let all = sum("all", "table1, table2, fig4, fig5 and table3");
    let step = table2.cpu_seconds / (4.0 * 20.0 * 11_110_000.0);
    let prefix = Row {
        name: "prefix",
        what: "annealing from the first moves of a game: section 3.3",
        runs: 13 * 20,
        cpu_seconds: 13.0 * 20.0 * 1e7 * step,
        quick_cpu_seconds: 13.0 * 5.0 * 3e5 * step,
    };
    let nmcs = row("nmcs", "nested Monte-Carlo search: Cazenave 2009, levels 1 and 2", plans::nmcs);
    let (methods, seeds, time) = ANYTIME;
    let runs = 2 * methods.len() * seeds as usize;
    let anytime = Row {
        name: "anytime",
        what: "score against processor time, any methods on any games",
        runs,
        cpu_seconds: runs as f64 * time.as_secs_f64(),
        quick_cpu_seconds: (2 * methods.len() * 3) as f64,
    };
    let boards = Row {
        name: "boards",
        what: "linear programs of random boards of 5T, and what proofs would cost",
        runs: 288,
        cpu_seconds: 1500.0,
        quick_cpu_seconds: 30.0,
    };
    let scale = Row {
        name: "scale",
        what: "what many cores would do for a proof and for a hunt, simulated",
        runs: 9 * 3 * 10,
        cpu_seconds: 30.0,
        quick_cpu_seconds: 3.0,
    };
    let published = vec![table1, readings, table2, table3, fig4, fig5, long, prefix, nmcs];
    published.into_iter().chain([anytime, boards, scale, all]).collect()
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 5400.0 => format!("{:.1} h", s / 3600.0),
        s if s >= 90.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.0} s", s.max(1.0)),
    }
}
