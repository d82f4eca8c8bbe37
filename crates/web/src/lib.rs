//! The laboratory as web pages.
//!
//! A [`Server`] answers on one address: the files of the pages, which are part of the program, and a
//! JSON API (`docs/web.md`, `docs/openapi.json`). The pages draw what they are given; what is legal is
//! found out here, by `rules`, and what counts is decided by the judge. Play is kept by the page, which
//! sends the whole game with every question, so that nothing piles up here; only hunts live in
//! `hunts`. Trainings are looked at in the folders that [`Settings::trainings`] names.
//!
//! Everything that comes in is hostile: `guard` lets in requests that mean this server, at a bearable
//! rate, and bodies have limits of size and time. This room prints nothing:
//! refusals are told to [`Settings::log`].

mod answer;
mod api;
mod assets;
mod body;
mod guard;
mod hunts;
mod limits;
mod log;
mod rate;
mod refusal;
mod server;
mod shelf;
mod table;
mod token;
mod trainings;
mod work;

pub use limits::Limits;
pub use server::{Server, Settings, Stopper};
pub use token::{BadToken, Token};
