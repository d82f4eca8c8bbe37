//! One case of a bound by extents: `extents SOLVER GAME BOUND FROM TO SIDES BELOW [gaps] [corners]`.
use std::ops::ControlFlow;
use std::time::Instant;

use geometry::Game;
use morpion_bound::extents::{Effort, Event, ExtentCase, ExtentStep, prove};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let solver = solver::Solver::open(&args[0]).expect("a solver");
    let game = Game::named(&args[1]).expect("a game");
    let n: Vec<u32> = args[2..7].iter().map(|it| it.parse().expect("a number")).collect();
    let case = ExtentCase { from: n[1], to: n[2], sides: n[3], below: n[4] };
    let mut effort = Effort::for_case(case);
    for word in &args[7..] {
        match word.as_str() {
            "gaps" => effort.gaps = true,
            "nogaps" => effort.gaps = false,
            "corners" => effort.corners = true,
            "nocorners" => effort.corners = false,
            it => {
                if let Some(d) = it.strip_prefix("dots=") {
                    effort.simplex_dots = d.parse().unwrap();
                }
                if let Some(d) = it.strip_prefix("top=") {
                    effort.strong_depth = d.parse().unwrap();
                }
            }
        }
    }
    let began = Instant::now();
    let mut last = began;
    let (mut kinds, mut seen) = ([0; 3], 0);
    let text = prove(solver, &game, case, n[0], effort, Vec::new(), &mut |event| {
        let Event::Step { step, done, leaves } = event;
        match step {
            ExtentStep::Split(split) => {
                kinds[match split {
                    morpion_bound::extents::ExtentSplit::Dot(_) => 0,
                    morpion_bound::extents::ExtentSplit::Extent(..) => 1,
                    _ => 2,
                }] += 1
            }
            _ => seen = leaves + 1,
        }
        if last.elapsed().as_secs() >= 10 {
            last = Instant::now();
            eprintln!(
                "{:.0} s: done {done:.4}, leaves {leaves}, estimate {:.0}, kinds {kinds:?}",
                began.elapsed().as_secs_f64(),
                leaves as f64 / done.max(1e-9)
            );
        }
        ControlFlow::Continue(())
    });
    match text {
        Ok(text) => {
            eprintln!(
                "{case} at {}: closed, {} leaves (seen {seen}), kinds {kinds:?}, {} bytes, {:.1} s",
                n[0],
                text.matches("leaf").count(),
                text.len(),
                began.elapsed().as_secs_f64()
            );
            print!("{text}");
        }
        Err(error) => eprintln!("{error}"),
    }
}
