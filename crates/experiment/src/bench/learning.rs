//! The speed of a network in play and in learning, against one that sums term by term, and of
//! batches against single positions.

use std::hint::black_box;
use std::time::Duration;

use geometry::Game;
use learn::{
    LossWeights, MoveSelection, Observation, PRESETS, SelfPlay, TrainingRun, TrainingSample,
    TrainingSettings,
};
use rand::SeedableRng;
use rules::{PlainPosition, Position as _};
use search::Rng;

use super::{MeasurementView, time};

/// How many positions are evaluated or learnt in a round, and how many together.
const POSITIONS: usize = 128;
const TOGETHER: usize = 16;
const GAMES: usize = 16;

/// The network of the preset `small` for 5D.
pub(super) fn measure(rounds: u32) -> Vec<MeasurementView> {
    let game = Game::named("5D").expect("a known game");
    let preset = PRESETS.iter().find(|preset| preset.name == "small").expect("a known preset");
    let settings = TrainingSettings::preset(preset, &game, []).expect("good values");
    let training = TrainingRun::new(&game, settings, 1, Vec::new()).expect("good settings");
    let (model, network) = (training.model(), training.network());
    let samples = samples(&game, &model.encoder);
    let positions: Vec<Observation> =
        samples.iter().map(|sample| sample.observation.clone()).collect();
    let evaluate = |fast: bool| {
        black_box(if fast {
            network.evaluate(&positions)
        } else {
            network.evaluate_plainly(&positions)
        });
    };
    let objective = LossWeights { value: 1.0, entropy: 0.0 };
    let study = |together: usize| {
        let mut rng = Rng::seed_from_u64(1);
        for some in samples.chunks(together) {
            let mut sums = vec![0.0; network.size()];
            black_box(network.accumulate_gradient(some, objective, &mut rng, &mut sums));
        }
    };
    let play = || {
        let self_play = SelfPlay { group: GAMES, threads: 1 };
        let selection = MoveSelection::by_policy();
        let games = 0..GAMES as u64;
        let played = self_play.play_games(&model.encoder, network, &selection, games, 1, &|| false);
        black_box(played.expect("it is not stopped"));
    };
    let figure =
        |what, count: usize, unit, reference: Option<&'static str>, work: &dyn Fn(bool)| {
            let (mut fast, mut plain) = (Duration::MAX, Duration::MAX);
            for _ in 0..rounds {
                fast = fast.min(time(|| work(true)));
                if reference.is_some() {
                    plain = plain.min(time(|| work(false)));
                }
            }
            MeasurementView {
                what: format!("5D: {what}"),
                value: count as f64 / fast.as_secs_f64(),
                unit,
                ratio: reference.map(|_| plain.as_secs_f64() / fast.as_secs_f64()),
                reference,
                parts: Vec::new(),
            }
        };
    let plain = Some("sum by sum");
    let single = Some("one at a time");
    vec![
        figure("positions evaluated by a network", POSITIONS, "positions/s", plain, &evaluate),
        figure("positions learnt by a network", POSITIONS, "positions/s", single, &|many| {
            study(if many { TOGETHER } else { 1 });
        }),
        figure("games by a network", GAMES, "games/s", None, &|_| play()),
    ]
}

/// Positions of games in which always the middle one of the legal moves is played.
fn samples(game: &Game, encoder: &learn::Encoder) -> Vec<TrainingSample> {
    let mut board = PlainPosition::start(game.clone());
    (0..POSITIONS)
        .map(|_| {
            let mut encoded = encoder.encode(&board);
            if encoded.choices() == 0 {
                board = PlainPosition::start(game.clone());
                encoded = encoder.encode(&board);
            }
            board.play_nth(board.legal().len() / 2);
            let policy = encoded.uniform_policy();
            TrainingSample { observation: encoded.observation, policy, value: 1.0, weight: 1.0 }
        })
        .collect()
}
