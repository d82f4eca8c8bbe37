//! A survey as CSV: the settings in the first line, then a row per board.

use std::time::Duration;

use bound::{Board, Octagon};
use geometry::Game;

use super::{BoardProbe, LAYER, Stratum, SurveyOptions};

const COLUMNS: &str = "of,board,value,cpu_seconds";

/// Why a table cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseSurveyError {
    /// It was made with other settings, or is not a survey.
    #[error("line 1 should be `{expected}`; choose another --out, or use the same settings")]
    Settings {
        /// The settings now.
        expected: String,
    },
    /// A line is damaged.
    #[error("line {line} is not a row of a survey; repair or remove the file")]
    Row {
        /// The line, from 1.
        line: usize,
    },
}

/// The table of these probes.
#[must_use]
pub(crate) fn write(game: &Game, options: &SurveyOptions, probes: &[BoardProbe]) -> String {
    let mut text = format!("{}\n{COLUMNS}\n", settings(game, options));
    for BoardProbe { stratum, board, value, cpu } in probes {
        let of = match stratum {
            Stratum::Maximal => "maximal".to_owned(),
            Stratum::Hulls(least) => format!("hulls {least}"),
        };
        let board = board.to_string().replace(',', " ");
        let cpu = cpu.as_secs_f64();
        text.push_str(&format!("{of},{board},{value:.4},{cpu:.3}\n"));
    }
    text
}

/// The probes of a table, which must have been made with these options.
pub(crate) fn read(
    game: &Game,
    options: &SurveyOptions,
    text: &str,
) -> Result<Vec<BoardProbe>, ParseSurveyError> {
    let mut lines = (1..).zip(text.lines());
    let expected = settings(game, options);
    if lines.next().is_none_or(|(_, line)| line != expected) {
        return Err(ParseSurveyError::Settings { expected });
    }
    if lines.next().is_none_or(|(_, line)| line != COLUMNS) {
        return Err(ParseSurveyError::Row { line: 2 });
    }
    lines.map(|(line, text)| row(text).ok_or(ParseSurveyError::Row { line })).collect()
}

fn settings(game: &Game, options: &SurveyOptions) -> String {
    let SurveyOptions { maximal, hulls, target, seed } = options;
    format!(
        "# {}: {maximal} maximal boards; {hulls} hulls of each layer of {LAYER} dots with enough \
         dots for more than {target} moves; seed {seed}",
        game.rules
    )
}

fn row(text: &str) -> Option<BoardProbe> {
    let [of, board, value, cpu] = text.split(',').collect::<Vec<_>>().try_into().ok()?;
    let stratum = match of.split_once(' ') {
        None if of == "maximal" => Stratum::Maximal,
        Some(("hulls", least)) => Stratum::Hulls(least.parse().ok()?),
        _ => return None,
    };
    let value: f64 = value.parse().ok().filter(|value: &f64| value.is_finite())?;
    Some(BoardProbe { stratum, board: octagon(board)?, value, cpu: seconds(cpu)? })
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

    fn options() -> SurveyOptions {
        SurveyOptions { maximal: 2, hulls: 1, target: 485, seed: 1 }
    }

    fn probes() -> Vec<BoardProbe> {
        let probe = |stratum| BoardProbe {
            stratum,
            board: octagon("10 8 10 12 10 8 10 12").expect("an octagon"),
            value: 586.8235,
            cpu: Duration::from_millis(1250),
        };
        vec![probe(Stratum::Maximal), probe(Stratum::Hulls(522))]
    }

    #[test]
    fn a_table_is_read_back() {
        let game = Game::named("5T").expect("a game");
        let text = write(&game, &options(), &probes());
        assert_eq!(read(&game, &options(), &text), Ok(probes()));
    }

    #[test]
    fn other_settings_and_damaged_rows_are_rejected() {
        let game = Game::named("5T").expect("a game");
        let text = write(&game, &options(), &probes());
        let other = SurveyOptions { seed: 2, ..options() };
        assert!(matches!(read(&game, &other, &text), Err(ParseSurveyError::Settings { .. })));
        for broken in ["586.8235", "10 8 10", "hulls 522"] {
            let text = text.replacen(broken, "NaN", 1);
            assert!(
                matches!(read(&game, &options(), &text), Err(ParseSurveyError::Row { .. })),
                "{broken}"
            );
        }
    }
}
