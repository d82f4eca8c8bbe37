//! The laboratory as web pages.
//!
//! A [`Server`] listens on one address and serves the pages, which are embedded in the program, and
//! a JSON API (`docs/reference/http-api.md`, `docs/reference/openapi.json`). The pages only draw:
//! legality is decided here by `rules`, and results count once `verify` accepts them. A page holds
//! its own game and sends it with every request, so the server keeps no sessions; only hunts live
//! in `hunts`. Training runs are read from the folders in [`ServerSettings::training_runs`].
//!
//! All input is untrusted: `guard` admits requests addressed to this server, at a limited rate, and
//! bodies have limits of size and time. The crate prints nothing: refusals go to
//! [`ServerSettings::log`].
//!
//! ```
//! use morpion_web::{Limits, Server, ServerSettings};
//!
//! let settings = ServerSettings {
//!     token: None,
//!     names: Vec::new(),
//!     limits: Limits::default(),
//!     archive: None,
//!     solver: None,
//!     training_runs: Vec::new(),
//!     log: Box::new(|_line| {}),
//! };
//! let server = Server::bind("127.0.0.1:0".parse()?, settings)?;
//! assert_ne!(server.address()?.port(), 0);
//! let stopper = server.stopper();
//! let thread = std::thread::spawn(move || server.run());
//! stopper.stop();
//! thread.join().expect("a clean end");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
mod routes;
mod server;
mod table;
mod token;
mod trainings;
mod work;

pub use limits::Limits;
pub use server::{Server, ServerSettings, Stopper};
pub use token::{Token, TokenError};
