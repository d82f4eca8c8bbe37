//! The questions of the pages and their answers, as plain data.
//!
//! Every function here is pure: bytes or values in, a view out. The server, the WebAssembly module
//! and the Python package answer with them, so that a page gives the same answer with a server and
//! without one. [`answer`] takes a question by the name of its route.
//!
//! Network, disks, threads and clocks are left to the doors; what is legal to `rules`, what counts
//! to `verify`.
//!
//! ```
//! let game = br#"{"format":"morpion-game/1","rules":"5T","start":"cross","moves":[]}"#;
//! assert_eq!(morpion_api::position(game)?.legal.len(), 28);
//! assert_eq!(morpion_api::verify(game, None)?.verdict.verdict, "legal");
//! # Ok::<(), morpion_api::ApiError>(())
//! ```

mod answer;
mod continuation;
mod convert;
mod error;
pub mod figure;
mod games;
pub mod known;
pub mod limits;
mod link;
mod model;
mod native;
mod play;
mod position;
mod reduce;
pub mod reduction;
mod verify;
pub mod view;

pub use answer::{Answer, answer};
pub use continuation::{ContinueRequest, continue_game};
pub use convert::{ConvertRequest, ConvertedFile, convert, theme, write_record};
pub use error::ApiError;
pub use games::{
    OWN_GAMES, RecordGameView, game, methods, records, verify_proof, verify_proof_file,
};
pub use link::open_link;
pub use model::find_model;
pub use native::played;
pub use play::{PlayError, answer_play, named, within};
pub use position::{link, obstacle, position};
pub use reduce::{ModelRequest, ReduceRequest, play_model, reduce};
pub use verify::{order, verify};
