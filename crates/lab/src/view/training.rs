//! Training runs of networks.

use std::collections::BTreeMap;

use evidence::VerifiedRecord;
use serde::Serialize;

use super::BoardView;

/// A session of a training run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrainingView {
    /// The name of the game.
    pub game: String,
    /// The random seed.
    pub seed: u64,
    /// The number of finished iterations.
    pub iterations: u64,
    /// Whether all requested iterations are done.
    pub over: bool,
    /// The length of the best game.
    pub best: usize,
    /// The mean length of the games of the last iteration.
    pub mean: Option<f64>,
    /// Half the width of its 95 % confidence interval.
    pub error: Option<f64>,
    /// The ranking threshold of the last iteration.
    pub threshold: Option<u32>,
    /// The speed of self-play.
    pub games_per_second: Option<f64>,
    /// The speed of the network.
    pub positions_per_second: Option<f64>,
    /// The speed of learning.
    pub samples_per_second: Option<f64>,
    /// The elapsed time of this session.
    pub wall_seconds: f64,
    /// The folder.
    pub folder: String,
}

/// A training run and its whole learning curve.
#[cfg(feature = "learn")]
#[derive(Debug, Clone, Serialize)]
pub struct TrainingReportView {
    /// The name of the game.
    pub game: String,
    /// The random seed.
    pub seed: u64,
    /// The number of finished iterations.
    pub iterations: u64,
    /// The number of weights.
    pub weights: usize,
    /// The length of the best game.
    pub best: usize,
    /// The parameters.
    pub parameters: BTreeMap<&'static str, f64>,
    /// One object per iteration.
    pub curve: Vec<learn::CurvePoint>,
}

/// A network against itself before training.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ContestView {
    /// The name of the game.
    pub game: String,
    /// The number of games of each.
    pub games: u32,
    /// Tree search simulations per move.
    pub simulations: u32,
    /// The random seed.
    pub seed: u64,
    /// The iterations of training.
    pub iterations: u64,
    /// The trained network.
    pub trained: PlayerView,
    /// The untrained network.
    pub untrained: PlayerView,
    /// The mean advantage of the trained network.
    pub difference: f64,
    /// Half the width of its 95 % confidence interval.
    pub error: f64,
    /// Whether the advantage is significant.
    pub better: bool,
    /// Always true: the best game was verified.
    pub verified: bool,
    /// The file for the best game.
    pub out: Option<String>,
}

/// One side of a contest.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayerView {
    /// The mean length.
    pub mean: f64,
    /// Half the width of its 95 % confidence interval.
    pub error: f64,
    /// The length of the best game.
    pub best: usize,
    /// How many games left the board of the network.
    pub cut: usize,
    /// The speed of play.
    pub games_per_second: f64,
    /// The speed of the network.
    pub positions_per_second: f64,
}

/// A parameter of learning.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SettingView {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a few words.
    pub meaning: &'static str,
    /// The range of values.
    pub range: String,
    /// The default for the game.
    pub default: f64,
    /// The value in each preset.
    pub presets: Vec<f64>,
}

/// The name of a training run that was started, stopped or resumed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrainingNameView {
    /// The name of its folder.
    pub name: String,
}

/// A training run as a page shows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrainingRunView {
    /// The name of its folder.
    pub name: String,
    /// When the curve last changed, in seconds since 1970.
    pub changed: u64,
    /// Whether the server that shows it is training it.
    pub running: bool,
    /// The learning curve.
    pub curve: CurveView,
    /// The longest verified game so far.
    pub best: Option<TrainingBestView>,
}

/// A learning curve: columns of equal length, by name.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CurveView(pub BTreeMap<&'static str, Vec<f64>>);

/// The longest game of a training run, and the parameters of the network that played it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrainingBestView {
    /// The name of the game.
    pub game: String,
    /// The number of moves.
    pub score: u32,
    /// The game itself.
    #[serde(flatten)]
    pub board: BoardView,
    /// The random seed.
    pub seed: Option<u64>,
    /// The parameters.
    pub parameters: BTreeMap<String, String>,
}

impl From<&VerifiedRecord> for TrainingBestView {
    fn from(best: &VerifiedRecord) -> Self {
        let provenance = best.provenance();
        Self {
            game: best.game().to_string(),
            score: best.score(),
            board: BoardView::new(best.game(), best.moves()),
            seed: provenance.seed,
            parameters: provenance.parameters.clone().into_iter().collect(),
        }
    }
}

#[cfg(feature = "learn")]
mod from_learn {
    use geometry::Game;
    use learn::{
        CurvePoint, Episode, PARAMETERS, PRESETS, TrainingRun, TrainingSettings, mean_and_ci95,
    };

    use super::{PlayerView, SettingView, TrainingReportView, TrainingView};

    impl TrainingView {
        /// The end of a session of `seconds`, in this folder.
        #[must_use]
        pub fn new(training: &TrainingRun, folder: String, seconds: f64) -> Self {
            let last = training.curve().last();
            Self {
                game: training.game().to_string(),
                seed: training.seed(),
                iterations: training.iterations(),
                over: training.is_over(),
                best: training.best().len(),
                mean: last.map(|entry| entry.mean),
                error: last.map(|entry| entry.error),
                threshold: last.map(|entry| entry.threshold),
                games_per_second: last.map(CurvePoint::games_per_second),
                positions_per_second: last.map(CurvePoint::positions_per_second),
                samples_per_second: last.map(CurvePoint::samples_per_second),
                wall_seconds: (seconds * 1000.0).round() / 1000.0,
                folder,
            }
        }
    }

    impl TrainingReportView {
        /// A training run.
        #[must_use]
        pub fn new(training: &TrainingRun) -> Self {
            Self {
                game: training.game().to_string(),
                seed: training.seed(),
                iterations: training.iterations(),
                weights: training.network().size(),
                best: training.best().len(),
                parameters: training.settings().values().iter().collect(),
                curve: training.curve().to_vec(),
            }
        }
    }

    impl PlayerView {
        /// The games of one side, played in `seconds`.
        #[must_use]
        pub fn new(games: &[Episode], seconds: f64) -> Self {
            let lengths: Vec<f64> = games.iter().map(|game| game.moves.len() as f64).collect();
            let (mean, error) = mean_and_ci95(&lengths);
            let positions: u64 = games.iter().map(|game| game.positions).sum();
            Self {
                mean,
                error,
                best: games.iter().map(|game| game.best.len()).max().unwrap_or(0),
                cut: games.iter().filter(|game| game.is_truncated).count(),
                games_per_second: games.len() as f64 / seconds,
                positions_per_second: positions as f64 / seconds,
            }
        }
    }

    impl SettingView {
        /// All parameters, with the defaults for this game.
        #[must_use]
        pub fn list(game: &Game) -> Vec<Self> {
            let preset = |preset| {
                TrainingSettings::preset(preset, game, []).expect("a preset is within its ranges")
            };
            let presets: Vec<TrainingSettings> = PRESETS.iter().map(preset).collect();
            let row = |parameter: &search::Parameter| Self {
                name: parameter.name,
                meaning: parameter.meaning,
                range: parameter.range.to_string(),
                default: parameter.default.for_game(game),
                presets: presets.iter().map(|p| p.values().real(parameter.name)).collect(),
            };
            PARAMETERS.iter().map(row).collect()
        }
    }
}
