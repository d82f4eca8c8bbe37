use super::*;
use rand::SeedableRng;

/// A training that takes a moment.
fn small(more: &[(&'static str, &'static str)]) -> TrainingRun {
    let game = Game::named("5D").expect("known");
    let mut given = vec![
        ("board", "18"),
        ("blocks", "1"),
        ("channels", "6"),
        ("dense", "8"),
        ("episodes", "10"),
        ("group", "3"),
        ("epochs", "1"),
        ("batch", "40"),
        ("history", "2"),
        ("final-simulations", "2"),
    ];
    given.retain(|(name, _)| more.iter().all(|(other, _)| other != name));
    given.extend_from_slice(more);
    let settings = TrainingSettings::read(&game, given).expect("good values");
    TrainingRun::new(&game, settings, 7, Vec::new()).expect("good settings")
}

#[test]
fn the_same_seed_gives_the_same_weights_on_any_number_of_threads() {
    let after = |threads| {
        let mut training = small(&[("imitate", "1"), ("dropout", "0.2"), ("elite", "3")]);
        for _ in 0..3 {
            training.iterate(threads, &|_| ControlFlow::Continue(())).expect("finished");
        }
        training
    };
    let (one, three) = (after(1), after(3));
    assert_eq!(one.network, three.network);
    assert_eq!(one.adam, three.adam);
    assert_eq!(one.rewards, three.rewards);
    assert_eq!(one.best, three.best);
    assert_eq!(one.elite, three.elite);
    assert_eq!((one.iterations(), one.history.len(), one.elite.len()), (3, 2, 3));
    assert_eq!(one.rewards.recent().len(), 30);
    assert_ne!(one.network, small(&[]).network);
}

#[test]
fn an_iteration_that_stops_changes_nothing() {
    let mut training = small(&[]);
    training.iterate(2, &|_| ControlFlow::Continue(())).expect("finished");
    let before = training.clone();
    assert_eq!(training.iterate(2, &|_| ControlFlow::Break(())), Err(TrainError::Cancelled));
    assert_eq!(training, before);
}

#[test]
fn learning_that_goes_out_of_bounds_is_noticed_and_changes_nothing() {
    let mut training = small(&[]);
    training.iterate(1, &|_| ControlFlow::Continue(())).expect("finished");
    training.network.weights[5] = f32::NAN;
    let weights = training.network.weights.len();
    let refused = training.iterate(1, &|_| ControlFlow::Continue(())).expect_err("no number");
    assert!(matches!(refused, TrainError::Diverged { iteration: 2, .. }), "{refused}");
    assert_eq!((training.iterations(), training.network.weights.len()), (1, weights));
}

#[test]
fn every_game_is_stored_before_it_is_ranked() {
    let training = small(&[("rewards", "4"), ("ratio", "0.75")]);
    let games: Vec<Episode> = [3, 1, 2, 5, 4, 6]
        .map(|length| {
            let mut board = rules::PlainPosition::start(training.game().clone());
            (0..length).for_each(|_| {
                board.play_nth(0);
            });
            Episode { moves: board.moves(), ..Episode::default() }
        })
        .into();
    let iteration = Iteration {
        training: &training,
        iteration: 1,
        threads: 1,
        on: &|_| ControlFlow::Continue(()),
    };
    let (rewards, ranks) = iteration.ranked(&games);
    assert_eq!(rewards.recent().collect::<Vec<_>>(), [2, 5, 4, 6]);
    // Thresholds: 3, 3, 3, 5, 5, 6: the first, the fourth and the last are ties.
    assert_eq!(ranks[1..3], [-1, -1]);
    assert_eq!(ranks[4], -1);
    assert!(ranks.iter().all(|rank| rank.abs() == 1));
}

#[test]
fn a_teacher_is_followed() {
    let settings = [
        ("imitate", "1"),
        ("episodes", "1"),
        ("group", "1"),
        ("final-simulations", "0"),
        ("rate", "0.01"),
        ("teach", "10"),
        ("ratio", "1"),
        ("symmetries", "0"),
        ("entropy", "0"),
        ("value-weight", "0"),
    ];
    let mut training = small(&settings);
    let mut board = rules::PlainPosition::start(training.game().clone());
    for _ in 0..8 {
        board.play_nth(board.legal().len() / 2);
    }
    training.teachers = vec![board.moves()];
    let likelihood = |training: &TrainingRun| -> f32 {
        let mut board = rules::PlainPosition::start(training.game().clone());
        let mut logs = 0.0;
        for &mv in &training.teachers[0] {
            let encoded = training.encoder.encode(&board);
            let answer = training.network.evaluate(std::slice::from_ref(&encoded.observation));
            let played = board.legal().iter().position(|&other| other == mv).expect("legal");
            logs += encoded.move_probabilities(&answer[0].policy)[played].ln();
            board.play(mv).expect("legal");
        }
        logs
    };
    let before = likelihood(&training);
    for _ in 0..30 {
        training.iterate(1, &|_| ControlFlow::Continue(())).expect("finished");
    }
    let after = likelihood(&training);
    assert!(before < -20.0 && after > 0.6 * before, "{before} {after}");
}

#[test]
fn teachers_that_cannot_be_followed_are_refused() {
    let game = Game::named("5D").expect("known");
    let settings =
        || TrainingSettings::read(&game, [("board", "10"), ("channels", "2")]).expect("good");
    let board = rules::PlainPosition::start(game.clone());
    let outside = board
        .legal()
        .iter()
        .find(|mv| !Encoder::new(&game, 10, false).expect("a board").contains(**mv));
    let beyond = vec![*outside.expect("moves lead out of the box of the cross")];
    let refused = TrainingRun::new(&game, settings(), 1, vec![vec![], beyond]).expect_err("beyond");
    assert_eq!(refused, TrainingRunError::Beyond { game: 2, number: 1 });
    let inside = board
        .legal()
        .iter()
        .find(|mv| Encoder::new(&game, 10, false).expect("a board").contains(**mv));
    let twice = vec![*inside.expect("and some stay inside"); 2];
    let refused = TrainingRun::new(&game, settings(), 1, vec![twice]).expect_err("not legal");
    assert!(matches!(refused, TrainingRunError::Illegal { game: 1, number: 2, .. }), "{refused}");
    let large = [("channels", "1024"), ("blocks", "40")];
    let large = TrainingSettings::read(&game, large).expect("good values");
    assert_eq!(TrainingRun::new(&game, large, 1, vec![]), Err(TrainingRunError::TooLarge));
}

#[test]
fn a_policy_that_is_learnt_as_played_is_the_one_it_was_chosen_by() {
    let training = small(&[("merge", "1")]);
    let board = rules::PlainPosition::start(training.game().clone());
    let sampler = Sampler {
        board,
        encoder: &training.encoder,
        turns: Vec::new(),
        imitate: false,
        whole: false,
    };
    let policies = vec![vec![1.0 / 28.0; 28]];
    let moves = vec![sampler.board.legal()[3]];
    let episode = RankedEpisode { moves, policies, ranked: -1 };
    let sample = sampler.sample(&Source::Episode(&episode), 0, &mut Rng::seed_from_u64(1));
    assert_eq!((sample.value, sample.weight), (-1.0, 1.0));
    assert!((sample.policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    let sampler = Sampler { imitate: true, ..sampler };
    let sample = sampler.sample(&Source::Episode(&episode), 0, &mut Rng::seed_from_u64(1));
    assert_eq!((sample.value, sample.weight), (-1.0, 0.0));
    assert_eq!(sample.policy.iter().filter(|&&p| p == 1.0).count(), 1);
}

#[test]
fn a_training_goes_on_with_other_values_but_the_same_network() {
    let mut training = small(&[("imitate", "1"), ("elite", "3"), ("rewards", "15")]);
    for _ in 0..2 {
        training.iterate(2, &|_| ControlFlow::Continue(())).expect("finished");
    }
    for (name, value) in [("rate", "0.0001"), ("history", "1"), ("elite", "2"), ("rewards", "4")] {
        training.change(name, value).expect("can be changed");
    }
    assert_eq!(training.settings().values().real("rate"), 0.0001);
    assert_eq!((training.history.len(), training.elite.len()), (1, 2));
    assert_eq!(training.rewards.recent().len(), 4);
    training.iterate(2, &|_| ControlFlow::Continue(())).expect("finished");
    let read =
        TrainingRun::from_bytes(&training.to_bytes().expect("small")).expect("its own bytes");
    assert_eq!(read, training);

    let before = training.clone();
    assert_eq!(
        training.change("channels", "7"),
        Err(ParameterChangeError::Fixed("channels".into()))
    );
    assert!(matches!(training.change("rate", "-1"), Err(ParameterChangeError::Parameter(_))));
    assert!(matches!(training.change("speed", "1"), Err(ParameterChangeError::Parameter(_))));
    assert_eq!(training, before);
}
