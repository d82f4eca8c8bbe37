//! What goes along with the dots of a pattern, as a file: `morpion-reduction/1`.
//!
//! The formula, the statement, and where everything is. `docs/reference/state-files.md` specifies
//! it. A pattern is made again from what it says about the formula, and must be the same: the rest
//! of the file is for people and other programs.

use std::fmt::Write;

use geometry::{Move, Point};
use record::MoveJson;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::cnf::{CnfError, Formula, Literal};
use crate::layout::{LayoutPart, Spacing};
use crate::pattern::{CompileError, Pattern, Stage};

/// What every sidecar says first.
const FORMAT: &str = "morpion-reduction/1";

/// Why a sidecar gives no pattern.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SidecarError {
    /// No JSON, or not what it should hold.
    #[error("damaged, or not of a reduction: {0}; reduce the formula again")]
    Json(serde_json::Error),
    /// Another format or another version of it.
    #[error("the format is not {FORMAT}")]
    Format,
    /// A literal that is none.
    #[error("0 is no literal")]
    Zero,
    /// No formula of ours.
    #[error(transparent)]
    Formula(#[from] CnfError),
    /// The pattern cannot be made.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The pattern made from it is not the one that it describes.
    #[error("it was changed, or made by another version: reduce the formula again")]
    Other,
}

/// By hand: the message contains the cause, which should not be repeated as the source.
impl From<serde_json::Error> for SidecarError {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}

/// What is read again.
#[derive(Deserialize)]
struct Read {
    format: String,
    formula: Clauses,
    length: usize,
    gap: f64,
    layout: Distances,
    dots: usize,
    threshold: usize,
}

#[derive(Serialize, Deserialize)]
struct Clauses {
    variables: u32,
    clauses: Vec<Vec<i32>>,
}

#[derive(Serialize, Deserialize, PartialEq)]
struct Distances {
    variable: i32,
    clause: i32,
}

impl From<Spacing> for Distances {
    fn from(Spacing { variable, clause }: Spacing) -> Self {
        Self { variable, clause }
    }
}

impl Pattern {
    /// The sidecar: one line for each field, and for each element of a list.
    pub fn to_sidecar(&self) -> String {
        let formula = Clauses {
            variables: self.formula().variables(),
            clauses: self.formula().clauses().iter().map(|clause| numbers(clause)).collect(),
        };
        let (certificate, layout) = (self.certificate(), self.layout());
        let treasure = layout.treasure();
        let proven = json!({
            "ceiling": certificate.ceiling(),
            "reach": certificate.reach(),
            "fillable": certificate.fillable(),
            "junk": certificate.unintended_points(),
        });
        let ends = json!({
            "units": treasure.len() - 1,
            "from": point(treasure[0]),
            "to": point(treasure[treasure.len() - 1]),
        });
        let fields = [
            ("format", json!(FORMAT)),
            ("statement", json!(self.statement())),
            ("formula", json!(formula)),
            ("length", json!(layout.length())),
            ("gap", json!(self.gap())),
            ("layout", json!(Distances::from(layout.family().spacing()))),
            ("dots", json!(self.start().dots().len())),
            ("threshold", json!(self.threshold())),
            ("certificate", proven),
            ("treasure", ends),
            ("choices", self.choices()),
            ("parts", self.parts()),
        ];
        let mut out = String::from("{");
        for (number, (name, value)) in fields.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            let value = match value {
                Value::Array(items) => {
                    let items: Vec<String> = items.iter().map(Value::to_string).collect();
                    format!("[\n    {}\n  ]", items.join(",\n    "))
                }
                other => other.to_string(),
            };
            write!(out, "{comma}\n  \"{name}\": {value}").expect("a string takes any text");
        }
        out + "\n}\n"
    }

    /// For each variable in use the moves that make it true and false.
    fn choices(&self) -> Value {
        let names = &self.layout().instance().names;
        let choices = self.layout().choices().iter().zip(names);
        let choice = |(&[yes, no], name): (&[Move; 2], &Option<u32>)| {
            json!({
                "variable": name,
                "true": played(yes),
                "false": played(no),
            })
        };
        choices.map(choice).collect()
    }

    /// Every part with its ports.
    fn parts(&self) -> Value {
        let part = |part: &LayoutPart| {
            json!({
                "kind": part.kind.name(),
                "name": self.layout().name(part),
                "from": point(part.ports[0]),
                "to": point(part.ports[1]),
            })
        };
        self.layout().parts().iter().map(part).collect()
    }

    /// Makes the pattern of a sidecar again; it is proven again, too.
    pub fn from_sidecar(text: &str, at: &mut dyn FnMut(Stage)) -> Result<Self, SidecarError> {
        let read: Read = serde_json::from_str(text)?;
        if read.format != FORMAT {
            return Err(SidecarError::Format);
        }
        let literal = |&number: &i32| Literal::new(number).ok_or(SidecarError::Zero);
        let clause = |clause: &Vec<i32>| clause.iter().map(literal).collect::<Result<Vec<_>, _>>();
        let clauses = read.formula.clauses.iter().map(clause).collect::<Result<Vec<_>, _>>()?;
        let formula = Formula::new(read.formula.variables, clauses)?;
        let pattern = Self::compile(formula, read.length, read.gap, at)?;
        let same = read.layout == pattern.layout().family().spacing().into()
            && read.dots == pattern.start().dots().len()
            && read.threshold == pattern.threshold();
        if same { Ok(pattern) } else { Err(SidecarError::Other) }
    }
}

fn numbers(clause: &[Literal]) -> Vec<i32> {
    clause.iter().map(|literal| literal.number()).collect()
}

fn point(point: Point) -> [i32; 2] {
    [point.x, point.y]
}

/// A move as in a native game file.
fn played(mv: Move) -> Value {
    json!(MoveJson::from(mv))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern() -> Pattern {
        let formula = Formula::read(b"p cnf 4 3\n1 -4 0\n4 0\n1 -1 0\n").expect("DIMACS");
        Pattern::compile(formula, 5, 1.5, &mut |_| ()).expect("certified")
    }

    #[test]
    fn a_sidecar_makes_the_same_pattern_again() {
        let pattern = pattern();
        let text = pattern.to_sidecar();
        let again = Pattern::from_sidecar(&text, &mut |_| ()).expect("as written");
        assert_eq!(again.start(), pattern.start());
        assert_eq!(again.formula(), pattern.formula());
        assert_eq!(again.to_sidecar(), text);
        let value: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value["choices"][1]["variable"], 4);
        assert_eq!(value["choices"][1]["true"]["new"], json!([0, 40]));
        let last = value["parts"].as_array().and_then(|parts| parts.last()).expect("parts");
        assert_eq!(last["to"], value["treasure"]["to"]);
    }

    #[test]
    fn a_changed_sidecar_is_refused() {
        let text = pattern().to_sidecar();
        for (from, to, message) in [
            ("morpion-reduction/1", "morpion-reduction/2", "the format is not"),
            ("[1,-4]", "[1,4]", "it was changed"),
            ("[1,-4]", "[1,0]", "0 is no literal"),
            ("[1,-4]", "[1,5]", "literal 5 is of no variable"),
            ("\"gap\": 1.5", "\"gap\": 0.5", "the gap must be"),
            ("\"variable\":10", "\"variable\":12", "it was changed"),
            ("\"length\": 5", "\"length\": 4", "it was changed"),
            ("\"length\": 5", "\"length\": 17", "there are gadgets for lines of 4 to 16"),
            ("\"gap\"", "\"gab\"", "missing field `gap`"),
        ] {
            assert!(text.contains(from), "{from}");
            let changed = text.replacen(from, to, 1);
            let error = Pattern::from_sidecar(&changed, &mut |_| ()).expect_err(to).to_string();
            assert!(error.contains(message), "{to}: {error}");
        }
    }
}
