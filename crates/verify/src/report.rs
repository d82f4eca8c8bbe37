//! What the program says of one file, in words and as JSON.

use std::fmt;

use serde_json::{Value, json};
use verify::{Ordering, Proof, ReadError, Refusal, VerifiedGame};

/// What is said of one file. Prints as `a.json: legal: 5T, 178 moves, none left`.
#[derive(Debug)]
pub(crate) struct Report {
    file: String,
    outcome: Outcome,
}

#[derive(Debug)]
enum Outcome {
    Legal(VerifiedGame),
    Order(Ordering),
    Proven(Proof),
    Refused(Refusal),
    Unreadable(ReadError),
}

impl Report {
    /// Judges the text of a file, or orders it; a proof is checked.
    pub(crate) fn new(file: String, text: Result<String, ReadError>, order: bool) -> Report {
        let outcome = match text {
            Ok(text) if order => verify::order(&text).map_or_else(Outcome::Refused, Outcome::Order),
            Ok(text) if verify::is_proof(&text) => {
                verify::check(&text).map_or_else(Outcome::Refused, Outcome::Proven)
            }
            Ok(text) => verify::judge(&text).map_or_else(Outcome::Refused, Outcome::Legal),
            Err(ReadError::Refused(refusal)) => Outcome::Refused(refusal),
            Err(error) => Outcome::Unreadable(error),
        };
        Report { file, outcome }
    }

    /// 0 for yes, 1 for a clean no, 2 for trouble.
    pub(crate) fn exit_code(&self) -> u8 {
        match &self.outcome {
            Outcome::Legal(_) | Outcome::Order(Ordering::Ordered { .. }) | Outcome::Proven(_) => 0,
            Outcome::Order(Ordering::Stuck { .. }) => 1,
            Outcome::Refused(refusal) if !refusal.is_malformed() => 1,
            Outcome::Refused(_) | Outcome::Unreadable(_) => 2,
        }
    }

    /// Whether there was nothing to judge.
    pub(crate) fn is_unreadable(&self) -> bool {
        self.exit_code() == 2
    }

    /// The same for machines.
    pub(crate) fn to_json(&self) -> Value {
        let file = &self.file;
        match &self.outcome {
            Outcome::Legal(game) => json!({
                "file": file, "verdict": "legal", "game": game.rules().to_string(),
                "start": game.start().to_string(), "moves": game.score(), "left": game.left(),
                "reason": null, "fault": null, "move": null,
            }),
            Outcome::Order(Ordering::Ordered { game, order, .. }) => json!({
                "file": file, "verdict": "ordered", "game": game.rules().to_string(),
                "start": game.start().to_string(), "lines": game.score(),
                "playable": game.score(), "left": game.left(), "order": numbers(order),
            }),
            Outcome::Order(Ordering::Stuck { rules, playable, stuck, .. }) => json!({
                "file": file, "verdict": "stuck", "game": rules.to_string(),
                "lines": *playable as usize + stuck.len(), "playable": playable,
                "order": null, "stuck": numbers(stuck),
            }),
            Outcome::Proven(proof) => json!({
                "file": file, "verdict": "proven", "claim": proof.claim(),
                "boxes_left": proof.left(), "reason": null, "fault": null,
            }),
            Outcome::Refused(refusal) => json!({
                "file": file, "game": null, "moves": null, "left": null,
                "verdict": if refusal.is_malformed() { "trouble" } else { "refused" },
                "reason": refusal.to_string(), "fault": refusal.fault.name(),
                "move": refusal.number(),
            }),
            Outcome::Unreadable(error) => json!({
                "file": file, "verdict": "trouble", "game": null, "moves": null, "left": null,
                "reason": error.to_string(), "fault": "unreadable", "move": null,
            }),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A name with a line break or an escape sequence in it must not break the line.
        for letter in self.file.chars() {
            match letter.is_control() {
                true => write!(f, "{}", letter.escape_default())?,
                false => write!(f, "{letter}")?,
            }
        }
        match &self.outcome {
            Outcome::Legal(game) => write!(f, ": legal: {}", summary(game, "move")),
            Outcome::Order(Ordering::Ordered { game, order, .. }) => {
                write!(f, ": ordered: {}; order:{}", summary(game, "line"), listed(order))
            }
            Outcome::Order(Ordering::Stuck { rules, playable, stuck, .. }) => {
                let lines = *playable as usize + stuck.len();
                write!(f, ": stuck: {rules}, {playable} of {lines} lines can be drawn; ")?;
                write!(f, "stuck:{}", listed(stuck))
            }
            Outcome::Proven(proof) => {
                write!(f, ": {}, proven", proof.claim())?;
                match proof.left() {
                    [] => Ok(()),
                    left => write!(f, "\n  left: {}", verify::boxes_in_words(left)),
                }
            }
            Outcome::Refused(refusal) if refusal.is_malformed() => {
                write!(f, ": no native file (`morpion convert` reads other games): {refusal}")
            }
            Outcome::Refused(refusal) => write!(f, ": refused: {refusal}"),
            Outcome::Unreadable(error) => write!(f, ": {error}"),
        }
    }
}

/// `5T, 178 moves, none left`, or `3D from 4 dots, 1 line, 2 more possible`.
fn summary(game: &VerifiedGame, what: &str) -> String {
    let start = match game.start() {
        verify::Start::Cross => String::new(),
        start => format!(" from {start}"),
    };
    let score = game.score();
    let plural = if score == 1 { "" } else { "s" };
    let left = match game.left() {
        0 => "none left".to_owned(),
        left => format!("{left} more possible"),
    };
    format!("{}{start}, {score} {what}{plural}, {left}", game.rules())
}

/// The numbers of lines, which count from 1 as people do.
fn numbers(indices: &[u32]) -> Vec<u32> {
    indices.iter().map(|index| index + 1).collect()
}

fn listed(indices: &[u32]) -> String {
    numbers(indices).iter().map(|number| format!(" {number}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWING: &str = r#"{"format":"morpion-game/1","rules":"3D","start":[[0,0],[1,0],[2,1]],
        "lines":[[[2,0],"S"],[[0,0],"E"]]}"#;
    const STUCK: &str = r#"{"format":"morpion-game/1","rules":"3D","start":[[0,0],[1,0]],
        "lines":[[[9,0],"S"],[[0,0],"E"]]}"#;

    fn report(text: &str, order: bool) -> Report {
        Report::new("a\nb.json".to_owned(), Ok(text.to_owned()), order)
    }

    #[test]
    fn a_report_is_one_line() {
        let said = |text, order| report(text, order).to_string();
        assert_eq!(
            said(DRAWING, false),
            r"a\nb.json: legal: 3D from 3 dots, 2 moves, 3 more possible"
        );
        assert_eq!(
            said(DRAWING, true),
            r"a\nb.json: ordered: 3D from 3 dots, 2 lines, 3 more possible; order: 2 1"
        );
        assert_eq!(said(STUCK, true), r"a\nb.json: stuck: 3D, 1 of 2 lines can be drawn; stuck: 1");
        let refusal = r"a\nb.json: refused: line 1: in no order can all lines be drawn: ";
        assert_eq!(said(STUCK, false), refusal.to_owned() + "1 can, 1 cannot");
    }

    #[test]
    fn the_exit_code_tells_a_no_from_trouble() {
        let missing = || Err(ReadError::Io(std::io::ErrorKind::NotFound.into()));
        assert_eq!(report(DRAWING, false).exit_code(), 0);
        assert_eq!(report(STUCK, false).exit_code(), 1);
        assert_eq!(report(STUCK, true).exit_code(), 1);
        assert_eq!(report("[]", false).exit_code(), 2);
        assert_eq!(Report::new("a".to_owned(), missing(), false).exit_code(), 2);
    }

    #[test]
    fn machines_are_told_the_same() {
        let told = report(STUCK, false).to_json();
        assert_eq!((&told["verdict"], &told["move"]), (&json!("refused"), &json!(1)));
        assert_eq!(told["fault"], json!("stuck"));
        let told = report(DRAWING, true).to_json();
        assert_eq!((&told["verdict"], &told["order"]), (&json!("ordered"), &json!([2, 1])));
        let told = report(DRAWING, false).to_json();
        assert_eq!(
            (&told["game"], &told["moves"], &told["left"]),
            (&json!("3D"), &json!(2), &json!(3))
        );
    }
}
