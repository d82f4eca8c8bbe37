//! A start in the JSON of saved hunts and of tasks: `{"cross": 4}` or `{"dots": [[0,0], [1,0]]}`.

use geometry::{BadStart, Point, Start};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
/// A start as JSON.
pub enum Dots {
    /// A cross of this side.
    Cross(usize),
    /// Dots, each by its coordinates.
    Dots(Vec<(i32, i32)>),
}

impl Dots {
    /// The JSON of a start.
    pub fn of(start: &Start) -> Self {
        match start.cross_side() {
            Some(side) => Self::Cross(side),
            None => Self::Dots(start.dots().iter().map(|dot| (dot.x, dot.y)).collect()),
        }
    }

    /// The start, if it is one.
    pub fn into_start(self) -> Result<Start, BadStart> {
        match self {
            Self::Cross(side) => Start::cross(side),
            Self::Dots(dots) => Start::from_dots(dots.into_iter().map(|(x, y)| Point::new(x, y))),
        }
    }
}
