//! Proofs: files that claim something about all games.
//!
//! [`FORMATS`] is the table of proof formats. [`verify_proof`] finds the row that a file names,
//! and the row's function verifies the rest. **A new format is one file in this folder and one row
//! here**: the program, `morpion verify`, the archive and the web page read the table, and every
//! part that formats share has one home:
//!
//! - `budget`: how much work a file may ask for, by its size;
//! - `text`: reads a text format line by line (keys, numbers, dots, duals);
//! - `claim`: what can be claimed, in types, and the one statement in words of each claim;
//! - `board`: finite boards by name, and boxes turned and mirrored;
//! - `lp`: linear programs generated from the rules, the evaluation of their duals in exact integer
//!   arithmetic, and branch-and-bound trees over them.

mod board;
mod bound;
mod boxes;
mod budget;
mod caps;
mod claim;
mod cover;
mod endless;
mod extents;
mod lp;
mod range;
mod text;
mod tree;

use serde::Deserialize;

use crate::fault::FormatFault;
use crate::read::{self, shortened};
use crate::refusal::Refusal;

pub use board::{Board, MAX_BOARD_DOTS};
use budget::Budget;
pub use budget::allowed_steps;
pub use claim::{BoxList, Claim, ProofStats, ProvenClaim};
pub use endless::EndlessPlay;
use text::Text;

/// All proof formats.
pub const FORMATS: &[ProofFormat] = &[
    ProofFormat {
        name: "morpion-bound",
        versions: &["morpion-bound/1"],
        extension: "cert",
        title: "a bound on a board",
        reader: Reader::Text(bound::verify),
    },
    ProofFormat {
        name: "morpion-cover",
        versions: &["morpion-cover/5"],
        extension: "cover",
        title: "a bound by a cover",
        reader: Reader::Text(cover::verify),
    },
    ProofFormat {
        name: "morpion-caps",
        versions: &["morpion-caps/1"],
        extension: "caps",
        title: "a bound by caps",
        reader: Reader::Text(caps::verify),
    },
    ProofFormat {
        name: "morpion-tree",
        versions: &["morpion-tree/1"],
        extension: "tree",
        title: "an optimum by branch and bound",
        reader: Reader::Text(tree::verify),
    },
    ProofFormat {
        name: "morpion-boxes",
        versions: &["morpion-boxes/1"],
        extension: "boxes",
        title: "a bound by boxes",
        reader: Reader::Text(boxes::verify),
    },
    ProofFormat {
        name: "morpion-extents",
        versions: &["morpion-extents/2"],
        extension: "extents",
        title: "a bound by extents",
        reader: Reader::Text(extents::verify),
    },
    ProofFormat {
        name: "morpion-endless",
        versions: &["morpion-endless/1"],
        extension: "json",
        title: "endless play",
        reader: Reader::Json(endless::verify),
    },
];

/// A format of proofs.
#[derive(Debug)]
#[non_exhaustive]
pub struct ProofFormat {
    /// The name without a version.
    pub name: &'static str,
    /// The versions that are verified, as they stand in a file.
    pub versions: &'static [&'static str],
    /// How file names end, before `.gz` if they are compressed; JSON is not compressed.
    pub extension: &'static str,
    /// What such a file is, in words.
    pub title: &'static str,
    reader: Reader,
}

/// How a format is read: line by line, its version alone on the first line, or as JSON with a field
/// `format`.
#[derive(Debug)]
enum Reader {
    Text(fn(&mut Text<'_>) -> Result<ProvenClaim, Refusal>),
    Json(fn(&str, &mut Budget) -> Result<ProvenClaim, Refusal>),
}

impl ProofFormat {
    /// The format that a text says it is in, whatever its version.
    #[must_use]
    pub fn of(text: &str) -> Option<&'static ProofFormat> {
        #[derive(Deserialize)]
        struct Head {
            format: String,
        }
        let text = read::open(text).ok()?;
        let is_named = |format: &&ProofFormat, text: &str| {
            text.strip_prefix(format.name).is_some_and(|version| version.starts_with('/'))
        };
        let mut texts = FORMATS.iter().filter(|format| matches!(format.reader, Reader::Text(_)));
        texts.find(|format| is_named(format, text)).or_else(|| {
            let head: Head = serde_json::from_str(text).ok()?;
            let mut json = FORMATS.iter().filter(|it| matches!(it.reader, Reader::Json(_)));
            json.find(|format| format.versions.contains(&&*head.format))
        })
    }

    /// The ending of file names: `.cover.gz`, `.json`.
    #[must_use]
    pub fn file_suffix(&self) -> String {
        match self.reader {
            Reader::Text(_) => format!(".{}.gz", self.extension),
            Reader::Json(_) => format!(".{}", self.extension),
        }
    }

    /// The format with its versions: `a bound by caps is "morpion-caps/1"`.
    fn describe(&self) -> String {
        let versions: Vec<String> = self.versions.iter().map(|it| format!("{it:?}")).collect();
        format!("{} is {}", self.title, versions.join(" or "))
    }
}

/// Verifies a proof, in any of the [`FORMATS`]. A text that names none of them is read as JSON.
pub fn verify_proof(text: &str) -> Result<ProvenClaim, Refusal> {
    match ProofFormat::of(text) {
        Some(ProofFormat { reader: Reader::Json(verify), .. }) => verify_json(text, *verify),
        Some(format @ ProofFormat { reader: Reader::Text(verify), .. }) => {
            let mut text = Text::open(text)?;
            match format.versions.contains(&text.version()) {
                true => Ok(verify(&mut text)?.with_steps(text.budget().spent())),
                false => {
                    let (text, wanted) = (shortened(text.version()), format.describe());
                    Err(FormatFault::UnknownFormat { text, wanted }.into())
                }
            }
        }
        None => verify_json(text, endless::verify),
    }
}

fn verify_json(
    text: &str,
    verify: fn(&str, &mut Budget) -> Result<ProvenClaim, Refusal>,
) -> Result<ProvenClaim, Refusal> {
    let text = read::open(text)?;
    let mut budget = Budget::of_bytes(text.len());
    Ok(verify(text, &mut budget)?.with_steps(budget.spent()))
}

/// Whether a text says that it is a proof, not a game.
#[must_use]
pub fn is_proof(text: &str) -> bool {
    ProofFormat::of(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_are_recognised_by_their_format() {
        assert!(is_proof(r#"{"rules":"5T","format":"morpion-endless/1"}"#));
        assert!(is_proof("morpion-bound/1\n") && is_proof("\u{feff}morpion-bound/2"));
        for text in ["", "{}", "[]", r#"{"format":"morpion-game/1"}"#, r#"{"format":7}"#] {
            assert!(!is_proof(text), "{text}");
        }
        let refusal = verify_proof(r#"{"format":"morpion-game/1"}"#).expect_err("a game");
        let wanted = r#"the format is "morpion-game/1"; a proof is "morpion-bound/1", "#;
        assert!(refusal.to_string().starts_with(wanted), "{refusal}");
        let refusal = verify_proof("morpion-cover/3\n").expect_err("another version");
        let wanted = r#""morpion-cover/5""#;
        assert!(refusal.to_string().ends_with(wanted), "{refusal}");
    }

    #[test]
    fn no_two_formats_share_a_name_or_an_extension() {
        for (number, one) in FORMATS.iter().enumerate() {
            assert!(one.versions.iter().all(|it| it.starts_with(&format!("{}/", one.name))));
            for other in &FORMATS[..number] {
                assert!(one.name != other.name && one.extension != other.extension);
            }
        }
    }
}
