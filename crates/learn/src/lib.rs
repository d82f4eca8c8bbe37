//! Players that learn by themselves.
//!
//! A [`Network`] says of a position how good it is and which moves are promising; a [`Training`] makes it
//! better by the games it plays, each compared with the recent ones: ranked reward (Laterre et al. 2018; for
//! this game Wang et al. 2020). [`Settings`] has everything that can be chosen. What is legal is
//! `rules`'; files, pictures and progress are the caller's.

mod adam;
mod chance;
mod curve;
mod file;
mod frame;
mod guide;
mod layer;
mod network;
mod parallel;
mod play;
mod reward;
mod settings;
mod tensor;
mod training;
mod tree;

pub use adam::Adam;
pub use curve::{Entry, interval, to_csv};
pub use file::{BadModel, Model};
pub use frame::{BadFrame, Frame, Position, Seen};
pub use guide::{Guide, INFO, prior};
pub use network::{Evaluation, Lesson, Losses, Network, Objective, Shape};
pub use play::{Played, Stopped, Style, Team, play};
pub use reward::{Rewards, ranked};
pub use settings::{PARAMETERS, PRESETS, Preset, Settings};
pub use training::{BadChange, BadTraining, News, Training, Unfinished, Watcher};
