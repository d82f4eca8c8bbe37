//! A pattern with one dot too few, or one dot elsewhere, is never certified.

use std::collections::BTreeSet;

use geometry::Point;
use reduce::{CertifyError, CompileError, Family, Instance, Layout, Spacing, certify};

use crate::common::{Chance, compile, compile_for, formula};

#[test]
fn every_dot_counts() {
    for length in [4, 5, 9] {
        refuses_mutants(length);
    }
}

/// Deletes or moves one dot, 500 times.
fn refuses_mutants(length: usize) {
    let pattern = compile_for(length, &formula(2, &[vec![1, 2], vec![-1, 2], vec![1, -2]]));
    let (layout, dots) = (pattern.layout(), pattern.start().dots());
    let threshold = pattern.threshold();
    certify(layout, dots, threshold).expect("as it was made");
    let (low, high) = pattern.start().bounds().expect("dots");
    let mut chance = Chance(3);
    let mut flaws: BTreeSet<&str> = BTreeSet::new();
    for trial in 0..500 {
        let mut mutant = dots.to_vec();
        let gone = mutant.swap_remove(chance.below(dots.len()));
        let mut changed = format!("without {gone}");
        if trial % 2 == 1 {
            // Half of the moves are to a neighbour, where they do most harm.
            let place = loop {
                let near = trial % 4 == 1;
                let mut across = |low: i32, high: i32, at: i32| match near {
                    true => at - 2 + chance.below(5) as i32,
                    false => low - 4 + chance.below((high - low + 9) as usize) as i32,
                };
                let place =
                    Point::new(across(low.x, high.x, gone.x), across(low.y, high.y, gone.y));
                if dots.binary_search(&place).is_err() {
                    break place;
                }
            };
            mutant.push(place);
            changed = format!("with {gone} at {place}");
        }
        let flaw = certify(layout, &mutant, threshold).expect_err(&changed);
        flaws.insert(match flaw {
            CertifyError::Missing(_) => "missing",
            CertifyError::Unsound { .. } => "unsound",
            CertifyError::Stopped(_) => "stopped",
            CertifyError::ClosureError(_) => "endless",
            _ => "another",
        });
    }
    assert!(flaws.contains("missing") && flaws.contains("unsound"), "{flaws:?}");
}

#[test]
fn one_dot_more_is_refused_or_does_no_harm() {
    for length in [4, 5] {
        adds_a_dot(length);
    }
}

fn adds_a_dot(length: usize) {
    let pattern = compile_for(length, &formula(2, &[vec![1, 2], vec![-1, 2], vec![1, -2]]));
    let (layout, dots) = (pattern.layout(), pattern.start().dots());
    let (low, high) = pattern.start().bounds().expect("dots");
    let mut chance = Chance(4);
    let mut refused = 0;
    for _ in 0..100 {
        let across = |low: i32, high: i32, at: usize| low + at as i32 % (high - low + 1);
        let x = across(low.x, high.x, chance.below(1 << 20));
        let y = across(low.y, high.y, chance.below(1 << 20));
        let mutant = [dots, &[Point::new(x, y)]].concat();
        refused += usize::from(certify(layout, &mutant, pattern.threshold()).is_err());
    }
    assert!((1..100).contains(&refused), "{refused}");
}

#[test]
fn layouts_that_are_too_narrow_are_refused() {
    let clauses = [vec![1, 2, 3], vec![-1, -2, 3], vec![1, -2, -3], vec![-1, 2, -3]];
    let instance = Instance::new(&formula(3, &clauses));
    for (variable, clause) in [(10, 4), (10, 6), (8, 8), (6, 8), (9, 8)] {
        let measures = Spacing { variable, clause };
        let layout = Layout::new(5, instance.clone(), measures, 200).expect("small");
        certify(&layout, &layout.dots(), 150).expect_err("too narrow");
    }
    // The tile of lines of 4 has its size: at any other its pieces do not meet.
    for (variable, clause) in [(92, 37), (92, 39), (90, 38), (94, 38), (46, 19)] {
        let layout = Layout::new(4, instance.clone(), Spacing { variable, clause }, 4000);
        let layout = layout.expect("small");
        certify(&layout, &layout.dots(), 3000).expect_err("not the size of the tile");
    }
    let tile = Family::for_length(4).expect("a design").spacing();
    let layout = Layout::new(4, instance.clone(), tile, 4000).expect("small");
    certify(&layout, &layout.dots(), 3000).expect("the size of the tile");
    let roomy = Spacing { variable: 14, clause: 10 };
    let layout = Layout::new(5, instance, roomy, 2000).expect("small");
    certify(&layout, &layout.dots(), 2000).expect("wider is as good");
}

#[test]
fn a_threshold_out_of_place_is_refused() {
    let pattern = compile(&formula(2, &[vec![1, 2], vec![-1, -2]]));
    let (layout, dots) = (pattern.layout(), pattern.start().dots());
    let (ceiling, reach) = (pattern.certificate().ceiling(), pattern.certificate().reach());
    let easy = certify(layout, dots, ceiling).expect_err("too low");
    assert_eq!(easy, CertifyError::TooEasy { ceiling, threshold: ceiling });
    let hard = certify(layout, dots, reach + 1).expect_err("too high");
    assert_eq!(hard, CertifyError::TooHard { reach, threshold: reach + 1 });
    let error = CompileError::from(hard).to_string();
    assert!(error.contains("our mistake"), "{error}");
}
