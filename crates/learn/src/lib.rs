//! Players that learn by themselves.
//!
//! A [`Network`] says of a position how good it is and which moves are promising; a [`TrainingRun`] makes it
//! better by the games it plays, each compared with the recent ones: ranked reward (Laterre et al. 2018; for
//! this game Wang et al. 2020). [`Settings`] has everything that can be chosen. What is legal is
//! `rules`'; files, pictures and progress are the caller's.

mod adam;
mod curve;
mod encoder;
mod file;
mod layer;
mod network;
mod network_method;
mod parallel;
mod random;
mod reward;
mod self_play;
mod settings;
mod tensor;
mod training;
mod tree;

pub use adam::Adam;
pub use curve::{CurvePoint, curve_csv, mean_and_ci95};
pub use encoder::{EncodedPosition, Encoder, EncoderError, Observation};
pub use file::{NetworkFile, NetworkFileError};
pub use network::{Evaluation, LossWeights, Losses, Network, Shape, TrainingSample};
pub use network_method::{INFO, NetworkMethod, prior};
pub use reward::{Rewards, ranked};
pub use self_play::{Cancelled, Episode, MoveSelection, SelfPlay, play};
pub use settings::{PARAMETERS, PRESETS, Preset, Settings};
pub use training::{
    Event, OnEvent, ParameterChangeError, TrainError, TrainingRun, TrainingRunError,
};
