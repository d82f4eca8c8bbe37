//! Networks trained by self-play.
//!
//! A [`Network`] has a policy and a value for every position; a [`TrainingRun`] improves it by
//! self-play, with each game ranked among the recent ones: ranked reward (Laterre et al. 2018; for
//! this game Wang et al. 2020). [`TrainingSettings`] has all parameters. Legality is decided by
//! `rules`; files, pictures and progress are left to the caller. A [`VectorEnvironment`] is many
//! games side by side for an agent from elsewhere.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use geometry::Game;
//! use morpion_learn::{TrainingRun, TrainingSettings};
//!
//! let game = Game::named("5D")?;
//! let network = [("board", "14"), ("blocks", "1"), ("channels", "2"), ("dense", "2")];
//! let work = [("episodes", "2"), ("epochs", "1"), ("final-simulations", "0")];
//! let settings = TrainingSettings::read(&game, [&network[..], &work[..]].concat())?;
//! let mut run = TrainingRun::new(&game, settings, 1, Vec::new())?;
//! run.iterate(1, &|_event| ControlFlow::Continue(()))?;
//! assert_eq!(run.curve().len(), 1);
//! assert!(!run.best().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adam;
mod agent_board;
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
mod vector_environment;

pub use adam::Adam;
pub use agent_board::{AgentBoard, AgentBoardError};
pub use curve::{CurvePoint, curve_csv, mean_and_ci95};
pub use encoder::{EncodedPosition, Encoder, EncoderError, Observation};
pub use file::{NetworkFile, NetworkFileError};
pub use network::{Evaluation, LossWeights, Losses, Network, Shape, TrainingSample};
pub use network_method::{INFO, NetworkMethod, prior};
pub use reward::{Rewards, ranked};
pub use self_play::{Cancelled, Episode, MoveSelection, SelfPlay, play};
pub use settings::{PARAMETERS, PRESETS, Preset, TrainingSettings};
pub use training::{
    Event, OnEvent, ParameterChangeError, TrainError, TrainingRun, TrainingRunError,
};
pub use vector_environment::{EnvironmentArrays, EnvironmentRules, StepError, VectorEnvironment};
