//! The parameters of learning: names, meanings, ranges and defaults.
//!
//! The defaults are those of Table I of Wang et al. (2020), and for what the paper does not have,
//! such that it makes no difference. [`PRESETS`] has others by name.

use geometry::Game;
use search::{DefaultValue, Parameter, ParameterError, ParameterRange, ParameterValues};

use crate::encoder::Encoder;
use crate::network::{LossWeights, Shape};

/// Parameters under a name.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// What they are for.
    pub summary: &'static str,
    /// Name and value of each.
    pub values: &'static [(&'static str, &'static str)],
}

/// The presets there are.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "paper",
        summary: "as Wang et al. (2020) published it: Table I, a policy for each place, four \
            convolutions",
        values: &[("merge", "1")],
    },
    Preset {
        name: "small",
        summary: "learns on two cores in an hour: a small residual network that imitates the \
            best of its own games as sets of lines",
        values: &[
            ("board", "20"),
            ("blocks", "2"),
            ("channels", "24"),
            ("dense", "16"),
            ("dropout", "0"),
            ("iterations", "100000"),
            ("episodes", "512"),
            ("steps", "10000"),
            ("final-simulations", "0"),
            ("history", "1"),
            ("epochs", "8"),
            ("rate", "0.001"),
            ("rewards", "2048"),
            ("ratio", "0.99"),
            ("symmetries", "0"),
            ("imitate", "1"),
            ("whole", "1"),
            ("value-weight", "0"),
            ("elite", "20"),
        ],
    },
];

const fn integer(
    name: &'static str,
    (min, max): (u64, u64),
    default: f64,
    meaning: &'static str,
) -> Parameter {
    Parameter {
        name,
        meaning,
        range: ParameterRange::Integer { min, max },
        default: DefaultValue::Always(default),
    }
}

const fn real(
    name: &'static str,
    (min, max): (f64, f64),
    default: f64,
    meaning: &'static str,
) -> Parameter {
    Parameter {
        name,
        meaning,
        range: ParameterRange::Real { min, max },
        default: DefaultValue::Always(default),
    }
}

/// All parameters.
pub const PARAMETERS: &[Parameter] = &[
    integer(
        "board",
        (2, 64),
        22.0,
        "places along each edge of the board; a game that would leave it is cut off",
    ),
    integer(
        "merge",
        (0, 1),
        0.0,
        "1: moves with the same new dot are one action, as in the paper; 0: an action is a line \
         and its new dot",
    ),
    integer(
        "blocks",
        (0, 40),
        0.0,
        "residual blocks of the network; 0: four convolutions and two dense layers, as in the \
         paper",
    ),
    integer("channels", (1, 1024), 64.0, "numbers for each place between convolutions"),
    integer("dense", (1, 4096), 256.0, "width of the first dense layer"),
    real(
        "dropout",
        (0.0, 0.95),
        0.3,
        "d: probability with which numbers are dropped while learning",
    ),
    integer("iterations", (1, 100_000_000), 100.0, "I: how often games are played and learnt from"),
    integer("episodes", (1, 1_000_000), 50.0, "E: games in an iteration"),
    Parameter {
        name: "steps",
        meaning: "T': moves that are sampled before only the most likely is played; half the \
            best known game",
        range: ParameterRange::Integer { min: 0, max: 1_000_000 },
        default: DefaultValue::ByGame(half_the_record),
    },
    integer(
        "simulations",
        (0, 1_000_000),
        0.0,
        "m in self-play: simulations of the tree search for each move; 0: the policy of the \
         network alone",
    ),
    integer(
        "final-simulations",
        (0, 1_000_000),
        20_000.0,
        "m of stage 3, in which the new network plays once; 0: no stage 3",
    ),
    real("c", (0.0, 1000.0), 1.0, "c: how much the tree search explores"),
    integer("leaves", (1, 1024), 1.0, "positions that a tree search evaluates together"),
    integer("history", (1, 10_000), 10.0, "rs: iterations whose games are learnt from"),
    integer("epochs", (1, 1000), 5.0, "ep: how often they are gone through in an iteration"),
    integer("batch", (1, 65_536), 64.0, "bs: positions for each step of learning"),
    real("rate", (1e-9, 10.0), 0.005, "lr: learning rate of Adam"),
    integer("rewards", (1, 100_000_000), 200.0, "L: length of the list B of rewards"),
    real("ratio", (0.0, 1.0), 0.75, "alpha: which of the rewards in B, in order, is the threshold"),
    integer(
        "symmetries",
        (0, 1),
        1.0,
        "1: every position is learnt in a random one of its symmetric forms",
    ),
    integer(
        "group",
        (1, 4096),
        32.0,
        "games played side by side, so that their positions are evaluated in batches",
    ),
    integer(
        "imitate",
        (0, 1),
        0.0,
        "1: learns the moves of games with ranked reward 1; 0: learns the policy by which moves \
         were chosen, as in the paper",
    ),
    integer(
        "whole",
        (0, 1),
        0.0,
        "1: of imitated games all legal moves are learnt equally, in a new random order each \
         time; 0: the move played",
    ),
    real(
        "value-weight",
        (0.0, 1000.0),
        1.0,
        "how much the value matters beside the policy; with 0 and imitate=1, games with ranked \
         reward -1 are left out",
    ),
    real("entropy", (0.0, 10.0), 0.0, "weight of the entropy of the policy"),
    real("decay", (0.0, 1.0), 0.0, "weight decay"),
    real(
        "temperature",
        (0.01, 100.0),
        1.0,
        "above 1, the distribution of moves is flatter than the policy",
    ),
    real(
        "noise",
        (0.0, 1.0),
        0.0,
        "share of a random policy (Dirichlet) in the one that moves are sampled from, or that a \
         tree search starts with",
    ),
    real("noise-shape", (0.001, 100.0), 0.3, "how even that random policy is"),
    integer(
        "elite",
        (0, 100_000),
        0.0,
        "best games so far that are learnt in every iteration, with ranked reward 1",
    ),
    integer("teach", (1, 1000), 1.0, "how often each game of a teacher is learnt in an epoch"),
];

/// Half of the longest game known of the usual games; of others that of 5D.
fn half_the_record(game: &Game) -> f64 {
    let usual = game.is_usual();
    match (game.rules.length(), game.rules.touching()) {
        (5, true) if usual => 89.0,
        (4, true) if usual => 31.0,
        (4, false) if usual => 17.0,
        _ => 41.0,
    }
}

/// The parameters with their values.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainingSettings {
    game: Game,
    values: ParameterValues,
}

impl TrainingSettings {
    /// The values given, and defaults for the rest.
    pub fn read<'a>(
        game: &Game,
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, ParameterError> {
        Ok(Self { game: game.clone(), values: ParameterValues::parse(PARAMETERS, game, given)? })
    }

    /// The same values but for one.
    pub(crate) fn with(&self, name: &str, value: &str) -> Result<Self, ParameterError> {
        let rest = self.values.iter().filter(|&(other, _)| other != name);
        let rest: Vec<(&str, String)> =
            rest.map(|(name, value)| (name, value.to_string())).collect();
        let given = rest.iter().map(|(name, value)| (*name, value.as_str()));
        Self::read(&self.game, given.chain([(name, value)]))
    }

    /// The values of a preset, but for those given, and defaults for the rest.
    pub fn preset<'a>(
        preset: &Preset,
        game: &Game,
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, ParameterError> {
        let given: Vec<_> = given.into_iter().collect();
        let rest = preset.values.iter().filter(|(name, _)| given.iter().all(|(n, _)| n != name));
        Self::read(game, rest.copied().chain(given.iter().copied()))
    }

    /// All names and values.
    pub fn values(&self) -> &ParameterValues {
        &self.values
    }

    /// A whole value.
    pub(crate) fn count(&self, name: &str) -> usize {
        self.values.integer(name) as usize
    }

    /// Whether a value that is 0 or 1 is 1.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.values.integer(name) == 1
    }

    /// A real value.
    pub(crate) fn real(&self, name: &str) -> f32 {
        self.values.real(name) as f32
    }

    /// How the network for a board is built.
    pub(crate) fn shape(&self, encoder: &Encoder) -> Shape {
        Shape {
            side: encoder.side(),
            planes: encoder.planes(),
            actions: encoder.actions(),
            blocks: self.count("blocks"),
            channels: self.count("channels"),
            dense: self.count("dense"),
            dropout: self.real("dropout"),
        }
    }

    /// How samples are weighed.
    pub(crate) fn loss_weights(&self) -> LossWeights {
        LossWeights { value: self.real("value-weight"), entropy: self.real("entropy") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_table_1() {
        let game = Game::named("5D").expect("known");
        let settings = TrainingSettings::read(&game, []).expect("defaults");
        let table = [
            ("iterations", 100.0),
            ("episodes", 50.0),
            ("steps", 41.0),
            ("final-simulations", 20_000.0),
            ("c", 1.0),
            ("history", 10.0),
            ("epochs", 5.0),
            ("batch", 64.0),
            ("rate", 0.005),
            ("dropout", 0.3),
            ("rewards", 200.0),
            ("ratio", 0.75),
        ];
        for (name, value) in table {
            assert_eq!(settings.values().real(name), value, "{name}");
        }
    }

    #[test]
    fn presets_can_be_read_and_changed() {
        let game = Game::named("5T").expect("known");
        for preset in PRESETS {
            TrainingSettings::preset(preset, &game, []).expect(preset.name);
            let changed =
                TrainingSettings::preset(preset, &game, [("merge", "0"), ("board", "24")]);
            let changed = changed.expect("good values");
            assert_eq!((changed.count("board"), changed.is("merge")), (24, false));
        }
        assert!(TrainingSettings::preset(&PRESETS[0], &game, [("bord", "24")]).is_err());
    }
}
