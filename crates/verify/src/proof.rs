//! Proofs: files that claim something about all games, and what the judge says of them.

use serde::Deserialize;

use crate::bound::{self, BoardBound};
use crate::boxes::{self, BoxBound};
use crate::caps;
use crate::cover::{self, GameBound};
use crate::endless::{self, EndlessGame};
use crate::hull;
use crate::json;
use crate::refusal::Refusal;
use crate::tree::{self, Optimum};

/// A proof that the judge has checked. Only [`check`] makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Proof {
    /// Play that goes on for ever.
    Endless(EndlessGame),
    /// How long games on a board can be.
    Board(BoardBound),
    /// How long games can be, wherever their dots lie.
    Game(GameBound),
    /// How long the longest games are.
    Optimum(Optimum),
    /// Which boxes long games come to.
    Boxes(BoxBound),
}

impl Proof {
    /// What is proven, in words.
    pub fn claim(&self) -> String {
        match self {
            Proof::Endless(game) => game.claim(),
            Proof::Board(bound) => bound.claim(),
            Proof::Game(bound) => bound.claim(),
            Proof::Optimum(optimum) => optimum.claim(),
            Proof::Boxes(bound) => bound.claim(),
        }
    }

    /// The boxes that a longer game comes to, one of each eight images: rows and columns beyond the start, above, right, below
    /// and left. None for other proofs.
    pub fn left(&self) -> &[[u32; 4]] {
        match self {
            Proof::Boxes(bound) => bound.left(),
            _ => &[],
        }
    }
}

/// Boxes in words: `4,3,1,2 4,3,2,2`.
pub fn boxes_in_words(boxes: &[[u32; 4]]) -> String {
    let name = |sides: &[u32; 4]| sides.map(|steps| steps.to_string()).join(",");
    boxes.iter().map(name).collect::<Vec<_>>().join(" ")
}

/// Checks a proof.
pub fn check(text: &str) -> Result<Proof, Refusal> {
    if bound::is_certificate(text) {
        bound::check(text).map(Proof::Board)
    } else if hull::is_hull(text) {
        hull::check(text).map(Proof::Board)
    } else if cover::is_cover(text) {
        cover::check(text).map(Proof::Game)
    } else if caps::is_caps(text) {
        caps::check(text).map(Proof::Game)
    } else if tree::is_tree(text) {
        tree::check(text).map(Proof::Optimum)
    } else if boxes::is_boxes(text) {
        boxes::check(text).map(Proof::Boxes)
    } else {
        endless::check(text).map(Proof::Endless)
    }
}

/// Whether a text says that it is a proof, not a game.
pub fn is_proof(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Head {
        format: String,
    }
    let is_text_proof = [
        bound::is_certificate,
        hull::is_hull,
        cover::is_cover,
        caps::is_caps,
        tree::is_tree,
        boxes::is_boxes,
    ];
    if is_text_proof.iter().any(|is_one| is_one(text)) {
        return true;
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let head: Result<Head, _> = serde_json::from_str(text);
    head.is_ok_and(|head| head.format == json::ENDLESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_are_known_by_their_format() {
        assert!(is_proof(r#"{"rules":"5T","format":"morpion-endless/1"}"#));
        assert!(is_proof("morpion-bound/1\n") && is_proof("morpion-bound/2"));
        for text in ["", "{}", "[]", r#"{"format":"morpion-game/1"}"#, r#"{"format":7}"#] {
            assert!(!is_proof(text), "{text}");
        }
        let refusal = check(r#"{"format":"morpion-game/1"}"#).expect_err("a game");
        assert!(refusal.to_string().contains("a proof is \"morpion-endless/1\""), "{refusal}");
    }
}
