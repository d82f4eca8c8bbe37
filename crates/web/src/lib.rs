//! The laboratory as web pages.
//!
//! A [`Server`] listens on one address and serves the pages, which are embedded in the program, and
//! a JSON API (`docs/web.md`, `docs/openapi.json`). The pages only draw: legality is decided here by
//! `rules`, and results count once `verify` accepts them. A page holds its own game and sends it with
//! every request, so the server keeps no sessions; only hunts live in `hunts`. Training runs are read
//! from the folders in [`Settings::training_runs`].
//!
//! All input is untrusted: `guard` admits requests addressed to this server, at a limited rate, and
//! bodies have limits of size and time. The crate prints nothing: refusals go to [`Settings::log`].

mod api;
mod archive_handle;
mod assets;
mod body;
mod guard;
mod hunts;
mod limits;
mod log;
mod rate;
mod refusal;
mod response;
mod server;
mod table;
mod token;
mod work;

pub use limits::Limits;
pub use server::{Server, Settings, Stopper};
pub use token::{Token, TokenError};
