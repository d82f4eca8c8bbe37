//! Upper bounds, and where there are none.
//!
//! the [`Board`]s on which relaxations are solved, and
//! the [`Family`] of octagons that holds every position. What is found here is a claim: only the
//! judge, `verify`, says that something is proven.
#![forbid(unsafe_code)]

mod board;
mod family;
mod octagon;

pub use board::{BadBoard, Board, Margins, Square};
pub use family::{Count, Family, NoFamily, published_boards};
pub use octagon::{BadOctagon, Octagon, gap_lines};
