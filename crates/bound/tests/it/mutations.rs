//! Tampered certificates: the verifier never claims more than a second evaluator, that of this
//! crate.

use std::path::Path;

use bound::certificate::dual_bound;
use bound::program::Cut;
use bound::{BoardProblem, Formulation};
use geometry::{Game, Point, Start};
use proptest::prelude::*;
use verify::Claim;

fn certificate(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../verify/tests/bound");
    std::fs::read_to_string(folder.join(name)).expect("a certificate")
}

/// The bound on a board that the verifier finds proven, -1 if there is no game.
fn proven_bound(text: &str) -> Option<i128> {
    match verify::verify_proof(text).ok()?.claim() {
        Claim::OnBoard { moves, .. } => {
            Some(moves.map_or(-1, |moves| i128::try_from(moves).expect("a small number")))
        }
        _ => None,
    }
}

/// What the numbers of a certificate show, read and evaluated without any code of the verifier;
/// `None` if they make no sense.
fn evaluated(text: &str) -> Option<i128> {
    let line = |word: &str| text.lines().find_map(|line| line.strip_prefix(word)).map(str::trim);
    let points = |text: &str| -> Option<Vec<Point>> {
        let point = |word: &str| {
            let (x, y) = word.split_once(',')?;
            Some(Point::new(x.parse().ok()?, y.parse().ok()?))
        };
        text.split_whitespace().map(point).collect()
    };
    let rules = line("rules ")?.parse().ok()?;
    let start = match line("start ")? {
        "cross" => Game::from_cross(rules).start,
        dots => Start::from_dots(points(dots)?).ok()?,
    };
    let formulation = match line("model ")? {
        "births" => Formulation::Births,
        _ => Formulation::Lines,
    };
    let cuts = text.lines().filter_map(|line| line.strip_prefix("cut ")).map(|dots| {
        let mut dots = points(dots)?;
        let marked = dots.remove(0);
        dots.sort_unstable();
        Some(Cut { dots, marked })
    });
    let problem = BoardProblem {
        exact: text.lines().any(|line| line == "exact"),
        cuts: cuts.collect::<Option<_>>()?,
        ..BoardProblem::new(Game { rules, start }, line("board ")?.parse().ok()?, formulation)
    };
    let program = problem.program().ok()?;
    let duals = text.lines().skip_while(|line| !line.starts_with("duals ")).skip(1);
    let duals: Vec<i64> =
        duals.flat_map(str::split_whitespace).map(|dual| dual.parse().expect("a dual")).collect();
    (duals.len() == program.constraints.len()).then(|| {
        let scale = line("scale ").expect("a scale").parse().expect("a number");
        dual_bound(&program, scale, &duals)
    })
}

/// The text with one of its integers changed, also those in the words.
fn mutated(text: &str, which: usize, change: i64) -> String {
    let bytes = text.as_bytes();
    let starts: Vec<usize> = (0..bytes.len())
        .filter(|&i| bytes[i].is_ascii_digit() && (i == 0 || !bytes[i - 1].is_ascii_digit()))
        .collect();
    let digits = starts[which % starts.len()];
    let end = digits + bytes[digits..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let start = if digits > 0 && bytes[digits - 1] == b'-' { digits - 1 } else { digits };
    let number: i64 = text[start..end].parse().expect("digits");
    format!("{}{}{}", &text[..start], number.saturating_add(change), &text[end..])
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(1000)
    })]

    #[test]
    fn a_changed_number_is_refused_or_proves_what_it_shows(
        name in prop::sample::select(vec![
            "tiny.cert", "cuts.cert", "births.cert", "exact-hull.cert", "no-game.cert",
        ]),
        which in any::<usize>(),
        change in prop_oneof![Just(1i64), Just(-1), -3000i64..3000, Just(i64::MAX), Just(i64::MIN)],
    ) {
        let text = certificate(name);
        prop_assert!(verify::verify_proof(&text).is_ok());
        let text = mutated(&text, which, change);
        if let Some(bound) = proven_bound(&text) {
            prop_assert_eq!(Some(bound), evaluated(&text), "{}", text);
            let claimed = text.lines().find_map(|line| line.strip_prefix("bound "));
            let claimed: i128 = claimed.expect("a bound").parse().expect("a number");
            prop_assert!(bound <= claimed);
        }
    }
}

#[test]
fn the_second_evaluator_agrees_on_the_certificates_themselves() {
    for name in
        ["tiny.cert", "cuts.cert", "births.cert", "lines.cert", "exact-hull.cert", "no-game.cert"]
    {
        let text = certificate(name);
        let bound = proven_bound(&text).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(Some(bound), evaluated(&text), "{name}");
    }
}
