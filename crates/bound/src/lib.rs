//! Upper bounds, and where there are none.
//!
//! The published [`formula`]s in exact numbers; the [`Board`]s on which relaxations are solved, and
//! the [`Family`] of octagons that holds every position; the [`model`]s of games on them, and the
//! [`certificate`]s that their solutions give; proofs for a [`hull`] by cases, of optima by a [`tree`], and for [`boxes`] that a game grows through; the [`caps`] that leave a
//! long game no room; a search for [`endless`] play. What is found here is a
//! claim: only the judge, `verify`, says that something is proven.
#![forbid(unsafe_code)]

mod board;
pub mod boxes;
pub mod caps;
pub mod certificate;
mod cover;
pub mod endless;
mod family;
pub mod formula;
pub mod growth;
pub mod hull;
pub mod lp;
pub mod model;
mod octagon;
pub mod tree;

pub use board::{BadBoard, Board, Margins, Square};
pub use cover::Cover;
pub use family::{Count, Family, NoFamily, published_boards};
pub use octagon::{BadOctagon, Octagon, gap_lines};
