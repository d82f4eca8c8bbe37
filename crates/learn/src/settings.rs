//! The parameters of learning: names, meanings, ranges and defaults.
//!
//! The defaults are those of Table I of Wang et al. (2020), and what the paper does not have is
//! switched off. [`PRESETS`] has others by name.

use geometry::Game;
use search::DefaultValue::{Always, ByGame};
use search::{Parameter, ParameterError, ParameterValues};

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

/// All parameters.
pub const PARAMETERS: &[Parameter] = &[
    Parameter::integer("board", 2..=64, Always(22.0))
        .meaning("places along each edge of the board; a game that would leave it is cut off"),
    Parameter::integer("merge", 0..=1, Always(0.0)).meaning(
        "1: moves with the same new dot are one action, as in the paper; 0: an action is a line \
             and its new dot",
    ),
    Parameter::integer("blocks", 0..=40, Always(0.0)).meaning(
        "residual blocks of the network; 0: four convolutions and two dense layers, as in the \
             paper",
    ),
    Parameter::integer("channels", 1..=1024, Always(64.0))
        .meaning("numbers for each place between convolutions"),
    Parameter::integer("dense", 1..=4096, Always(256.0)).meaning("width of the first dense layer"),
    Parameter::real("dropout", 0.0..=0.95, Always(0.3))
        .meaning("d: probability with which numbers are dropped while learning"),
    Parameter::integer("iterations", 1..=100_000_000, Always(100.0))
        .meaning("I: how often games are played and learnt from"),
    Parameter::integer("episodes", 1..=1_000_000, Always(50.0)).meaning("E: games in an iteration"),
    Parameter::integer("steps", 0..=1_000_000, ByGame(half_the_record)).meaning(
        "T': moves that are sampled before only the most likely is played; half the \
             best known game",
    ),
    Parameter::integer("simulations", 0..=1_000_000, Always(0.0)).meaning(
        "m in self-play: simulations of the tree search for each move; 0: the policy of the \
             network alone",
    ),
    Parameter::integer("final-simulations", 0..=1_000_000, Always(20_000.0))
        .meaning("m of stage 3, in which the new network plays once; 0: no stage 3"),
    Parameter::real("c", 0.0..=1000.0, Always(1.0)).meaning("c: how much the tree search explores"),
    Parameter::integer("leaves", 1..=1024, Always(1.0))
        .meaning("positions that a tree search evaluates together"),
    Parameter::integer("history", 1..=10_000, Always(10.0))
        .meaning("rs: iterations whose games are learnt from"),
    Parameter::integer("epochs", 1..=1000, Always(5.0))
        .meaning("ep: how often they are gone through in an iteration"),
    Parameter::integer("batch", 1..=65_536, Always(64.0))
        .meaning("bs: positions for each step of learning"),
    Parameter::real("rate", 1e-9..=10.0, Always(0.005)).meaning("lr: learning rate of Adam"),
    Parameter::integer("rewards", 1..=100_000_000, Always(200.0))
        .meaning("L: length of the list B of rewards"),
    Parameter::real("ratio", 0.0..=1.0, Always(0.75))
        .meaning("alpha: which of the rewards in B, in order, is the threshold"),
    Parameter::integer("symmetries", 0..=1, Always(1.0))
        .meaning("1: every position is learnt in a random one of its symmetric forms"),
    Parameter::integer("group", 1..=4096, Always(32.0))
        .meaning("games played side by side, so that their positions are evaluated in batches"),
    Parameter::integer("imitate", 0..=1, Always(0.0)).meaning(
        "1: learns the moves of games with ranked reward 1; 0: learns the policy by which moves \
             were chosen, as in the paper",
    ),
    Parameter::integer("whole", 0..=1, Always(0.0)).meaning(
        "1: of imitated games all legal moves are learnt equally, in a new random order each \
             time; 0: the move played",
    ),
    Parameter::real("value-weight", 0.0..=1000.0, Always(1.0)).meaning(
        "how much the value matters beside the policy; with 0 and imitate=1, games with ranked \
             reward -1 are left out",
    ),
    Parameter::real("entropy", 0.0..=10.0, Always(0.0))
        .meaning("weight of the entropy of the policy"),
    Parameter::real("decay", 0.0..=1.0, Always(0.0)).meaning("weight decay"),
    Parameter::real("temperature", 0.01..=100.0, Always(1.0))
        .meaning("above 1, the distribution of moves is flatter than the policy"),
    Parameter::real("noise", 0.0..=1.0, Always(0.0)).meaning(
        "share of a random policy (Dirichlet) in the one that moves are sampled from, or that a \
             tree search starts with",
    ),
    Parameter::real("noise-shape", 0.001..=100.0, Always(0.3))
        .meaning("how even that random policy is"),
    Parameter::integer("elite", 0..=100_000, Always(0.0))
        .meaning("best games so far that are learnt in every iteration, with ranked reward 1"),
    Parameter::integer("teach", 1..=1000, Always(1.0))
        .meaning("how often each game of a teacher is learnt in an epoch"),
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

    /// An integer parameter.
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
