//! Why a question has no answer: a code for pages, which have words of their own, and a message.

use std::fmt::Write as _;

use record::ReadError;

use crate::PlayError;
use crate::view::ErrorView;

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApiError {
    /// What may be wrong with any question.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A value out of its range.
    #[error("invalid {name} `{found}`; {expected}")]
    Value {
        /// The name of the value.
        name: &'static str,
        /// What was given.
        found: Box<str>,
        /// What would do.
        expected: &'static str,
    },
    /// Not a file of a game.
    #[error("cannot read the game: {0}")]
    Read(#[from] ReadError),
    /// A drawing where a game is needed.
    #[error("a drawing has no order of moves; verify it first")]
    Drawing,
    /// The verifier refuses it.
    #[error("{0}")]
    Refused(verify::Refusal),
    /// The verifier accepts it, but it is nothing that can be shown.
    #[error("{0}")]
    NotAccepted(Box<str>),
    /// The game cannot be drawn.
    #[error("cannot draw this: {0}")]
    Render(#[from] render::RenderError),
    /// The format cannot hold the game.
    #[error("cannot write this: {0}")]
    Write(#[from] record::WriteError),
    /// Not a formula.
    #[error("cannot read the formula: {0}")]
    Formula(#[from] reduce::cnf::ParseFormulaError),
    /// No pattern for the formula.
    #[error(transparent)]
    Compile(#[from] reduce::CompileError),
    /// Literals that are no model.
    #[error(transparent)]
    Model(#[from] reduce::assignment::AssignmentFault),
    /// A model or a game that does not fit its pattern.
    #[error(transparent)]
    Reduction(#[from] crate::reduction::ReductionError),
    /// No such method, or no such parameter.
    #[error(transparent)]
    Search(search::MethodError),
}

impl ApiError {
    /// A name for pages and programs, which stays the same when the message changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Play(error) => error.code(),
            Self::Value { .. } => "value",
            Self::Read(error) => read_code(error),
            Self::Drawing => "drawing",
            Self::Refused(refusal) => refusal.fault.name(),
            Self::NotAccepted(_) => "not-accepted",
            Self::Render(_) => "render",
            Self::Write(_) => "write",
            Self::Formula(_) => "formula",
            Self::Compile(_) => "compile",
            Self::Model(_) => "model",
            Self::Reduction(_) => "reduction",
            Self::Search(_) => "search",
        }
    }

    /// The faulty move, counted from 1.
    #[must_use]
    pub fn number(&self) -> Option<usize> {
        match self {
            Self::Play(error) => error.number(),
            Self::Refused(refusal) => refusal.number().map(|number| number as usize),
            _ => None,
        }
    }

    /// The error as a page shows it.
    #[must_use]
    pub fn view(&self) -> ErrorView {
        // Libraries may quote the input at length.
        let error: String =
            self.to_string().chars().filter(|c| !c.is_control()).take(500).collect();
        ErrorView::new(self.code(), error, self.number())
    }
}

fn read_code(error: &ReadError) -> &'static str {
    match error {
        ReadError::TooLarge => "read-too-large",
        ReadError::Empty => "read-empty",
        ReadError::NotText => "read-not-text",
        ReadError::NeedsGame { .. } => "read-needs-game",
        ReadError::OtherGame { .. } => "read-other-game",
        ReadError::GameNotInFormat { .. } => "read-game-not-in-format",
        ReadError::Version { .. } => "read-version",
        ReadError::Json { .. } => "read-json",
        ReadError::Rules { .. } => "read-rules",
        ReadError::Start(_) => "read-start",
        ReadError::MovesOrLines => "read-moves-or-lines",
        ReadError::Move { .. } => "read-move",
        ReadError::Drawn { .. } => "read-drawn",
        ReadError::Line { .. } => "read-line",
        ReadError::Compact(_) => "read-compact",
        ReadError::Svg { .. } => "read-svg",
        ReadError::Png(_) => "read-png",
        ReadError::NoGame { .. } => "read-no-game",
        ReadError::SeveralGames { .. } => "read-several-games",
        ReadError::Inside { error } => read_code(error),
        _ => "read",
    }
}

impl ErrorView {
    /// An error by its code; the values are what varies in the message: its numbers and quotations.
    #[must_use]
    pub fn new(code: &'static str, error: String, number: Option<usize>) -> Self {
        Self { code, values: values(&error), error, number }
    }
}

/// The numbers, and what stands in backticks, in the order of a message.
pub(crate) fn values(message: &str) -> Vec<String> {
    let mut values = Vec::new();
    for (index, part) in message.split('`').enumerate() {
        if index % 2 == 1 {
            values.push(part.to_owned());
            continue;
        }
        let mut number = String::new();
        for c in part.chars().chain([' ']) {
            if c.is_ascii_digit() || c == '-' && number.is_empty() {
                let _ = number.write_char(c);
            } else if !number.is_empty() {
                let digits = std::mem::take(&mut number);
                values.extend((digits != "-").then_some(digits));
            }
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_the_numbers_and_quotations_of_a_message() {
        assert_eq!(values("move 3: there is no dot at (-1,4)"), ["3", "-1", "4"]);
        assert_eq!(values("invalid width `5 m`; choose from 64 to 4000"), ["5 m", "64", "4000"]);
        assert_eq!(values("not found - at all"), [""; 0]);
    }

    #[test]
    fn an_error_has_a_code_its_values_and_the_faulty_move() {
        let text = br#"{"format":"morpion-game/1","rules":"5T","start":"cross","moves":[
            {"new":[4,3],"line":[[3,3],"E"]}]}"#;
        let error = crate::position(text).expect_err("no such line").view();
        assert_eq!((error.code, error.number), ("illegal", Some(1)));
        assert_eq!(crate::position(b"").expect_err("nothing").code(), "read-empty");
    }
}
