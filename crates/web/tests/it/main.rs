//! The integration tests, in one program.

extern crate morpion_web as web;

mod api;
mod attacks;
mod browser;
mod browser_files;
mod common;
mod kept;
mod openapi;
mod scripts;
#[path = "../../../queue/tests/it/common/until.rs"]
mod until;
