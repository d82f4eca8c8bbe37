//! The result for one file, as a line of text and as JSON.

use std::fmt;

use serde_json::{Value, json};
use verify::{BoxList, OrderResult, ProvenClaim, ReadError, Refusal, VerifiedGame};

/// The result for one file. Prints as `a.json: legal: 5T, 178 moves, no legal moves remain`.
#[derive(Debug)]
pub(crate) struct Report {
    file: String,
    outcome: Outcome,
}

#[derive(Debug)]
enum Outcome {
    Legal(VerifiedGame),
    Order(OrderResult),
    Proven(ProvenClaim),
    Refused(Refusal),
    Unreadable(ReadError),
}

impl Report {
    /// Verifies the text of a game or proof, or puts its lines in order.
    pub(crate) fn new(file: String, text: Result<String, ReadError>, order: bool) -> Report {
        let outcome = match text {
            Ok(text) if order => verify::order(&text).map_or_else(Outcome::Refused, Outcome::Order),
            Ok(text) if verify::is_proof(&text) => {
                verify::verify_proof(&text).map_or_else(Outcome::Refused, Outcome::Proven)
            }
            Ok(text) => verify::verify_game(&text).map_or_else(Outcome::Refused, Outcome::Legal),
            Err(ReadError::Refused(refusal)) => Outcome::Refused(refusal),
            Err(error) => Outcome::Unreadable(error),
        };
        Report { file, outcome }
    }

    /// 0 for success, 1 for a negative result, 2 for an error.
    pub(crate) fn exit_code(&self) -> u8 {
        match &self.outcome {
            Outcome::Legal(_)
            | Outcome::Order(OrderResult::Ordered { .. })
            | Outcome::Proven(_) => 0,
            Outcome::Order(OrderResult::Stuck { .. }) => 1,
            Outcome::Refused(refusal) if !refusal.is_malformed() => 1,
            Outcome::Refused(_) | Outcome::Unreadable(_) => 2,
        }
    }

    /// Whether there was nothing to verify.
    pub(crate) fn is_error(&self) -> bool {
        self.exit_code() == 2
    }

    /// The same for machines.
    pub(crate) fn to_json(&self) -> Value {
        let file = &self.file;
        match &self.outcome {
            Outcome::Legal(game) => json!({
                "file": file, "verdict": "legal", "game": game.rules().to_string(),
                "start": game.start().to_string(), "moves": game.score(),
                "left": game.remaining_moves(), "reason": null, "fault": null, "move": null,
            }),
            Outcome::Order(OrderResult::Ordered { game, order, .. }) => json!({
                "file": file, "verdict": "ordered", "game": game.rules().to_string(),
                "start": game.start().to_string(), "lines": game.score(),
                "playable": game.score(), "left": game.remaining_moves(),
                "order": numbers(order),
            }),
            Outcome::Order(OrderResult::Stuck { rules, playable, stuck, .. }) => json!({
                "file": file, "verdict": "stuck", "game": rules.to_string(),
                "lines": *playable as usize + stuck.len(), "playable": playable,
                "order": null, "stuck": numbers(stuck),
            }),
            Outcome::Proven(proven) => json!({
                "file": file, "verdict": "proven", "claim": proven.to_string(),
                "boxes_left": proven.claim().boxes_left(), "reason": null, "fault": null,
            }),
            Outcome::Refused(refusal) => json!({
                "file": file, "game": null, "moves": null, "left": null,
                "verdict": if refusal.is_malformed() { "error" } else { "refused" },
                "reason": refusal.to_string(), "fault": refusal.fault.name(),
                "move": refusal.number(),
            }),
            Outcome::Unreadable(error) => json!({
                "file": file, "verdict": "error", "game": null, "moves": null, "left": null,
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
            Outcome::Legal(game) => write!(f, ": legal: {game}"),
            Outcome::Order(result @ OrderResult::Ordered { order, .. }) => {
                write!(f, ": ordered: {result}; order:{}", list(order))
            }
            Outcome::Order(result @ OrderResult::Stuck { stuck, .. }) => {
                write!(f, ": stuck: {result}; stuck:{}", list(stuck))
            }
            Outcome::Proven(proven) => {
                write!(f, ": {proven}, proven")?;
                match proven.claim().boxes_left() {
                    [] => Ok(()),
                    boxes => write!(f, "\n  left: {}", BoxList(boxes)),
                }
            }
            Outcome::Refused(refusal) if refusal.is_malformed() => {
                write!(f, ": not a native file (`morpion convert` reads other games): {refusal}")
            }
            Outcome::Refused(refusal) => write!(f, ": refused: {refusal}"),
            Outcome::Unreadable(error) => write!(f, ": {error}"),
        }
    }
}

/// The numbers of lines, which count from 1 as people do.
fn numbers(indices: &[u32]) -> Vec<u32> {
    indices.iter().map(|index| index + 1).collect()
}

fn list(indices: &[u32]) -> String {
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
        let line = |text, order| report(text, order).to_string();
        assert_eq!(
            line(DRAWING, false),
            r"a\nb.json: legal: 3D from 3 dots, 2 moves, 3 legal moves remain"
        );
        assert_eq!(
            line(DRAWING, true),
            r"a\nb.json: ordered: 3D from 3 dots, 2 lines, 3 legal moves remain; order: 2 1"
        );
        assert_eq!(line(STUCK, true), r"a\nb.json: stuck: 3D, 1 of 2 lines can be drawn; stuck: 1");
        let refusal = r"a\nb.json: refused: line 1: no order draws all lines: ";
        assert_eq!(line(STUCK, false), refusal.to_owned() + "1 can be drawn, 1 cannot");
    }

    #[test]
    fn the_exit_code_distinguishes_negative_results_from_errors() {
        let missing = || Err(ReadError::Io(std::io::ErrorKind::NotFound.into()));
        assert_eq!(report(DRAWING, false).exit_code(), 0);
        assert_eq!(report(STUCK, false).exit_code(), 1);
        assert_eq!(report(STUCK, true).exit_code(), 1);
        assert_eq!(report("[]", false).exit_code(), 2);
        assert_eq!(Report::new("a".to_owned(), missing(), false).exit_code(), 2);
    }

    #[test]
    fn json_says_the_same() {
        let json = report(STUCK, false).to_json();
        assert_eq!((&json["verdict"], &json["move"]), (&json!("refused"), &json!(1)));
        assert_eq!(json["fault"], json!("stuck"));
        let json = report(DRAWING, true).to_json();
        assert_eq!((&json["verdict"], &json["order"]), (&json!("ordered"), &json!([2, 1])));
        let json = report(DRAWING, false).to_json();
        assert_eq!(
            (&json["game"], &json["moves"], &json["left"]),
            (&json!("3D"), &json!(2), &json!(3))
        );
    }
}
