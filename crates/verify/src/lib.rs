//! An independent verifier for Morpion Solitaire.
//!
//! [`verify_game`] replays a game file move by move, [`order`] finds an order in which the lines
//! of a drawing can be played, and [`verify_proof`] checks a proof about all games. Nothing else
//! makes a [`VerifiedGame`] or a [`ProvenClaim`], so code that holds one need not ask again.
//!
//! The verifier shares no code with the programs whose results it checks, so that it inherits none
//! of their mistakes. It has its own plain rules and reads what an outsider would read: bytes, in
//! the native formats only (`docs/reference/certificates.md`). Converting other formats is
//! `record`'s work, playing fast that of `rules`. There are no threads, no floats and no `unsafe`
//! code here.
//!
//! - [`game`](VerifiedGame): replay, order of a drawing, the shape of a game file;
//! - `proof`: one table of proof formats ([`FORMATS`]), one reader of their text, one generator of
//!   linear programs and one exact evaluator of their duals.
//!
//! ```
//! use morpion_verify::{Refusal, verify_game};
//!
//! let game = r#"{"format": "morpion-game/1", "rules": "5T", "start": "cross",
//!     "moves": [{"new": [7, 0], "line": [[3, 0], "E"]}]}"#;
//! let verified = verify_game(game)?;
//! assert_eq!(verified.to_string(), "5T, 1 move, 26 legal moves remain");
//!
//! let occupied = game.replace("[7, 0]", "[6, 0]");
//! let refusal = verify_game(&occupied).unwrap_err();
//! assert_eq!(refusal.to_string(), "move 1: there is already a dot at (6,0)");
//! # Ok::<(), Refusal>(())
//! ```
#![forbid(unsafe_code)]

mod fault;
mod game;
mod proof;
mod read;
mod refusal;
mod rules;
mod start;

pub use fault::{Fault, FormatFault, GameFault, ProofFault};
pub use game::{OrderResult, VerifiedGame, order, verify_game};
pub use proof::{
    Board, BoxList, Claim, EndlessPlay, FORMATS, MAX_BOARD_DOTS, ProofFormat, ProofStats,
    ProvenClaim, allowed_steps, is_proof, verify_proof,
};
pub use read::{MAX_BYTES, MAX_DOTS, MAX_MOVES, ReadError, read};
pub use refusal::{Place, Refusal};
pub use rules::{Direction, LIMIT, Line, Move, Point, Rules};
pub use start::Start;
