//! What a move needs, and nothing else, so that a page can have it soon: no formats but the JSON
//! that pages send, no engine but the plain one.

use geometry::{Direction, Game, Line, Move, Point, RulesError, Start};
use record::{DotJson, MoveJson};
use rules::{IllegalSequence, PlainPosition, Position};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::limits;
use crate::link;
use crate::view::{ErrorView, ObstacleView, PositionView};

/// Why a question about a move has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// No such question, game, format or proof.
    #[error("not found")]
    NotFound,
    /// Not the JSON of the question.
    #[error("invalid request: {0}")]
    Json(#[from] serde_json::Error),
    /// No such rules.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The start is none.
    #[error("the start is none; write `cross` or a list of dots")]
    Start,
    /// A move that is none, wherever it is played.
    #[error("move {number}: the new dot is not on the line")]
    Move {
        /// Which move, counted from 1.
        number: usize,
    },
    /// A move that is not legal.
    #[error(transparent)]
    Illegal(#[from] IllegalSequence),
    /// More than this door takes.
    #[error("more than {most} {what}; the `morpion` command takes more")]
    TooMuch {
        /// Moves, dots, variables or clauses.
        what: &'static str,
        /// The limit.
        most: usize,
    },
    /// Not a link of a game.
    #[error("this link holds no game; it may be cut off")]
    Link,
}

impl PlayError {
    /// A name for pages and programs, which stays the same when the message changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound => "not-found",
            Self::Json(_) => "json",
            Self::Rules(_) => "rules",
            Self::Start => "read-start",
            Self::Move { .. } => "read-move",
            Self::Illegal(_) => "illegal",
            Self::TooMuch { .. } => "too-much",
            Self::Link => "link",
        }
    }

    /// The faulty move, counted from 1.
    #[must_use]
    pub fn number(&self) -> Option<usize> {
        match self {
            Self::Illegal(sequence) => Some(sequence.number),
            Self::Move { number } => Some(*number),
            _ => None,
        }
    }

    /// The error as a page shows it.
    #[must_use]
    pub fn view(&self) -> ErrorView {
        ErrorView::new(self.code(), self.to_string(), self.number())
    }
}

/// A game as pages send it: the native format without its other forms.
#[derive(Deserialize)]
struct PageGame {
    rules: String,
    start: PageStart,
    moves: Vec<MoveJson>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum PageStart {
    Name(String),
    Dots(Vec<DotJson>),
}

/// Answers `position`, `obstacle`, `link` and `open`, as JSON.
pub fn answer_play(path: &str, query: &Value, body: &[u8]) -> Result<Vec<u8>, PlayError> {
    let game = || page_game(body);
    match path {
        "position" => game().and_then(|(game, moves)| json(&position(&game, &moves)?)),
        "obstacle" => {
            let at = serde_json::from_value(query["at"].clone())?;
            game().and_then(|(game, moves)| json(&obstacle(&game, &moves, at)?))
        }
        "link" => game().and_then(|(game, moves)| json(&link::link(&game, &moves)?)),
        "open" => {
            let text = std::str::from_utf8(body).map_err(|_| PlayError::Link)?;
            json(&link::open_link(text)?)
        }
        _ => Err(PlayError::NotFound),
    }
}

fn json(view: &impl Serialize) -> Result<Vec<u8>, PlayError> {
    Ok(serde_json::to_vec(view)?)
}

fn page_game(body: &[u8]) -> Result<(Game, Vec<Move>), PlayError> {
    let PageGame { rules, start, moves } = serde_json::from_slice(body)?;
    let mut game = named(&rules)?;
    match start {
        PageStart::Name(name) if name == "cross" => {}
        PageStart::Name(_) => return Err(PlayError::Start),
        PageStart::Dots(dots) => {
            within("dots", dots.len(), limits::DOTS)?;
            let dots = dots.iter().map(|&[x, y]| Point::new(x, y));
            game.start = Start::from_dots(dots).map_err(|_| PlayError::Start)?;
        }
    }
    within("moves", moves.len(), limits::PLAYED_MOVES)?;
    let read = |(number, mv): (usize, &MoveJson)| {
        mv.to_move(game.rules).map_err(|_| PlayError::Move { number })
    };
    let moves = (1..).zip(&moves).map(read).collect::<Result<_, _>>()?;
    Ok((game, moves))
}

/// Refuses too many of anything.
pub fn within(what: &'static str, count: usize, most: usize) -> Result<(), PlayError> {
    if count > most { Err(PlayError::TooMuch { what, most }) } else { Ok(()) }
}

/// The usual game of this name.
pub fn named(name: &str) -> Result<Game, PlayError> {
    Ok(Game::from_cross(name.parse()?))
}

/// The legal moves after these, by the plain engine.
fn position(game: &Game, moves: &[Move]) -> Result<PositionView, PlayError> {
    let mut position = PlainPosition::start(game.clone());
    let mut counts = vec![position.legal().len()];
    for (number, &mv) in (1..).zip(moves) {
        position.play(mv).map_err(|reason| IllegalSequence { number, reason })?;
        counts.push(position.legal().len());
    }
    Ok(PositionView::new(game, position.legal(), counts))
}

/// Why no line can be drawn through a new dot at this point.
pub(crate) fn obstacle(
    game: &Game,
    moves: &[Move],
    at: DotJson,
) -> Result<ObstacleView, PlayError> {
    let (rules, point) = (game.rules, Point::new(at[0], at[1]));
    let mut position = PlainPosition::start(game.clone());
    position.play_all(moves)?;
    let needed = rules.length() - 1;
    if position.has_dot(point) {
        return Ok(ObstacleView { kind: "dot", dots: 0, needed });
    }
    let lines = Direction::ALL.into_iter().flat_map(|direction| {
        (0..rules.length() as i32).map(move |offset| {
            let Point { x, y } = direction.step();
            let start =
                Point::new(point.x.saturating_sub(x * offset), point.y.saturating_sub(y * offset));
            Line::new(start, direction)
        })
    });
    // The line that comes nearest: with the most dots, and of those one that overlaps no other.
    let near = |line: Line| {
        let dots = line.points(rules).filter(|&point| position.has_dot(point)).count();
        (dots, !position.overlaps(line))
    };
    let within_limit = |line: &Line| line.start.within_limit() && line.end(rules).within_limit();
    let best = lines.filter(within_limit).map(near).max().unwrap_or_default();
    let kind = match best {
        (dots, false) if dots == needed => "overlap",
        (dots, true) if dots == needed => "none",
        _ => "few",
    };
    Ok(ObstacleView { kind, dots: best.0, needed })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn game(moves: &str) -> Vec<u8> {
        format!(r#"{{"format":"morpion-game/1","rules":"5T","start":"cross","moves":[{moves}]}}"#)
            .into()
    }

    #[test]
    fn the_plain_answers_are_those_of_the_other_engines() {
        let text = include_bytes!("../data/games/5T-169.json");
        let mut record: Value = serde_json::from_slice(text).expect("JSON");
        for moves in [169, 120, 60, 1, 0] {
            record["moves"].as_array_mut().expect("moves").truncate(moves);
            let body = record.to_string();
            let answer = answer_play("position", &json!({}), body.as_bytes()).expect("legal");
            let other = serde_json::to_vec(&crate::position(body.as_bytes()).expect("legal"));
            assert_eq!(answer, other.expect("JSON"));
        }
    }

    #[test]
    fn a_point_is_taken_too_empty_or_in_the_way_of_a_line() {
        let asked = |moves: &str, at: [i32; 2]| {
            let answer = answer_play("obstacle", &json!({ "at": at }), &game(moves));
            serde_json::from_slice::<Value>(&answer.expect("legal")).expect("JSON")
        };
        let kind = |moves: &str, at| asked(moves, at)["kind"].clone();
        assert_eq!(kind("", [3, 0]), "dot");
        assert_eq!(kind("", [2, 0]), "none", "a legal move");
        assert_eq!(asked("", [1, 0]), json!({"kind": "few", "dots": 3, "needed": 4}));
        assert_eq!(kind("", [i32::MAX, i32::MIN]), "few");
        let first = r#"{"new":[2,0],"line":[[2,0],"E"]}"#;
        assert_eq!(kind(first, [7, 0]), "overlap");
    }

    #[test]
    fn errors_have_codes_and_the_faulty_move() {
        let code = |path: &str, body: &[u8]| {
            let error = answer_play(path, &json!({}), body).expect_err("refused").view();
            (error.code, error.number)
        };
        let twice = r#"{"new":[2,0],"line":[[2,0],"E"]},{"new":[2,0],"line":[[2,0],"E"]}"#;
        assert_eq!(code("position", &game(twice)), ("illegal", Some(2)));
        let off = r#"{"new":[20,0],"line":[[2,0],"E"]}"#;
        assert_eq!(code("link", &game(off)), ("read-move", Some(1)));
        assert_eq!(code("position", b"{"), ("json", None));
        assert_eq!(code("open", b"5T"), ("link", None));
        assert_eq!(code("verify", b""), ("not-found", None));
    }
}
