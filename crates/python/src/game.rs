//! Games as they are named in Python: rules by name, a start by name, as dots or as a file.

use std::path::PathBuf;

use geometry::{Game, Point, Rules, Start};
use pyo3::prelude::*;

use crate::error;
use crate::source::read_bytes;

/// A start: `cross`, `cross:N`, a list of dots, or a file of dots.
#[derive(FromPyObject)]
pub(crate) enum StartArgument {
    Name(String),
    Dots(Vec<(i32, i32)>),
    File(PathBuf),
}

/// The game of these rules, from this start or from the usual cross.
pub(crate) fn parse(py: Python<'_>, name: &str, start: Option<StartArgument>) -> PyResult<Game> {
    let usual: Game = name.parse().map_err(|fault| error::game(&fault))?;
    match start {
        None => Ok(usual),
        Some(start) => Ok(Game { start: parse_start(py, start, usual.rules)?, ..usual }),
    }
}

fn parse_start(py: Python<'_>, start: StartArgument, rules: Rules) -> PyResult<Start> {
    match start {
        StartArgument::Name(name) => {
            ::record::parse_start_name(&name, rules).map_err(|fault| error::game(&fault))
        }
        StartArgument::Dots(dots) => {
            let dots = dots.into_iter().map(|(x, y)| Point::new(x, y));
            Start::from_dots(dots).map_err(|fault| error::game(&fault))
        }
        StartArgument::File(path) => {
            let bytes = read_bytes(py, &path)?;
            ::record::read_start(&bytes).map_err(|fault| error::read(&fault))
        }
    }
}

/// What a caller knows about the game of a file.
pub(crate) fn optional(
    py: Python<'_>,
    name: Option<&str>,
    start: Option<StartArgument>,
) -> PyResult<Option<Game>> {
    name.map(|name| parse(py, name, start)).transpose()
}

/// The dots of a start.
pub(crate) fn dots(start: &Start) -> Vec<(i32, i32)> {
    start.dots().iter().map(|dot| (dot.x, dot.y)).collect()
}
