//! A survey as CSV: what was drawn in the first line, then a row for each board.

use std::time::Duration;

use bound::{Board, Octagon};
use geometry::Game;

use super::{Foothold, Footholds, LAYER, Probe, Stratum, Wish};

const COLUMNS: &str = "of,board,value,cpu_seconds,descent";

/// What is wrong with a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadTable {
    /// Made with other settings, or not a survey.
    #[error("line 1 should be `{wanted}`; choose another folder, or the settings it was made with")]
    Settings {
        /// What it would be now.
        wanted: String,
    },
    /// A line cannot be read.
    #[error("line {line} is not a row of a survey; mend or remove the file")]
    Row {
        /// The line, from 1.
        line: usize,
    },
}

/// The table of these probes.
pub fn write(game: &Game, wish: &Wish, probes: &[Probe]) -> String {
    let mut text = format!("{}\n{COLUMNS}\n", settings(game, wish));
    for Probe { stratum, board, value, cpu, descent } in probes {
        let of = match stratum {
            Stratum::Maximal => "maximal".to_owned(),
            Stratum::Hulls(least) => format!("hulls {least}"),
        };
        let board = board.to_string().replace(',', " ");
        let footholds = descent.0.iter().map(|Foothold { bound, programs, cpu }| {
            format!("{bound}:{programs}:{:.3}", cpu.as_secs_f64())
        });
        let footholds = footholds.collect::<Vec<_>>().join(" ");
        let cpu = cpu.as_secs_f64();
        text.push_str(&format!("{of},{board},{value:.4},{cpu:.3},{footholds}\n"));
    }
    text
}

/// The probes of a table, which must have been made for this wish.
pub fn read(game: &Game, wish: &Wish, text: &str) -> Result<Vec<Probe>, BadTable> {
    let mut lines = (1..).zip(text.lines());
    let wanted = settings(game, wish);
    if lines.next().is_none_or(|(_, line)| line != wanted) {
        return Err(BadTable::Settings { wanted });
    }
    if lines.next().is_none_or(|(_, line)| line != COLUMNS) {
        return Err(BadTable::Row { line: 2 });
    }
    lines.map(|(line, text)| row(text).ok_or(BadTable::Row { line })).collect()
}

fn settings(game: &Game, wish: &Wish) -> String {
    let Wish { maximal, hulls, programs, target, seed } = wish;
    format!(
        "# {}: {maximal} maximal boards; {hulls} hulls of each layer of {LAYER} dots, down to {target} moves or \
         {programs} linear programs; seed {seed}",
        game.rules
    )
}

fn row(text: &str) -> Option<Probe> {
    let [of, board, value, cpu, descent] = text.split(',').collect::<Vec<_>>().try_into().ok()?;
    let stratum = match of.split_once(' ') {
        None if of == "maximal" => Stratum::Maximal,
        Some(("hulls", least)) => Stratum::Hulls(least.parse().ok()?),
        _ => return None,
    };
    let foothold = |text: &str| {
        let [bound, programs, cpu] = text.split(':').collect::<Vec<_>>().try_into().ok()?;
        let (bound, programs) = (bound.parse().ok()?, programs.parse().ok()?);
        Some(Foothold { bound, programs, cpu: seconds(cpu)? })
    };
    let value: f64 = value.parse().ok().filter(|value: &f64| value.is_finite())?;
    Some(Probe {
        stratum,
        board: octagon(board)?,
        value,
        cpu: seconds(cpu)?,
        descent: Footholds(descent.split_whitespace().map(foothold).collect::<Option<_>>()?),
    })
}

fn octagon(sides: &str) -> Option<Octagon> {
    match format!("octagon:{}", sides.replace(' ', ",")).parse() {
        Ok(Board::Octagon(octagon)) => Some(octagon),
        _ => None,
    }
}

fn seconds(text: &str) -> Option<Duration> {
    Duration::try_from_secs_f64(text.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish() -> Wish {
        Wish { maximal: 2, hulls: 1, programs: 9, target: 485, seed: 1 }
    }

    fn probes() -> Vec<Probe> {
        let foothold = |bound, programs| Foothold { bound, programs, cpu: Duration::from_secs(2) };
        let probe = |stratum, footholds| Probe {
            stratum,
            board: octagon("10 8 10 12 10 8 10 12").expect("an octagon"),
            value: 586.8235,
            cpu: Duration::from_millis(1250),
            descent: Footholds(footholds),
        };
        let descent = vec![foothold(582, 1), foothold(577, 9)];
        vec![probe(Stratum::Maximal, vec![]), probe(Stratum::Hulls(522), descent)]
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let game = Game::named("5T").expect("a game");
        let text = write(&game, &wish(), &probes());
        assert_eq!(read(&game, &wish(), &text), Ok(probes()));
    }

    #[test]
    fn other_settings_and_broken_rows_are_refused() {
        let game = Game::named("5T").expect("a game");
        let text = write(&game, &wish(), &probes());
        let other = Wish { seed: 2, ..wish() };
        assert!(matches!(read(&game, &other, &text), Err(BadTable::Settings { .. })));
        for broken in ["586.8235", "10 8 10", "hulls 522", "577:9:"] {
            let text = text.replacen(broken, "NaN", 1);
            assert!(matches!(read(&game, &wish(), &text), Err(BadTable::Row { .. })), "{broken}");
        }
    }
}
