//! Searches for starts with endless play: all sets of N dots in a box of W by H points.
//!
//!     cargo run --release -p morpion-bound --example starts -- 4D 7 4 4
//!
//! `morpion prove endless 4D --start dots.txt -o proof.json` writes a proof for a start found.

#![allow(clippy::print_stdout, reason = "an example prints")]

extern crate morpion_bound as bound;

use bound::endless;
use geometry::{Game, Point, Rules, Start};

/// Positions visited, for each start, direction and distance.
const EFFORT: usize = 100;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rules, dots, width, height] = &arguments[..] else {
        panic!("give rules, a number of dots, a width and a height, like 4D 7 4 4");
    };
    let rules: Rules = rules.parse().expect("rules like 4D");
    let [dots, width, height] =
        [dots, width, height].map(|it| it.parse::<u32>().expect("a number"));
    assert!(width * height < 32, "a box of fewer than 32 points");
    let (mut tried, mut found) = (0, 0);
    for set in (0u32..1 << (width * height)).filter(|set| set.count_ones() == dots) {
        let bits = (0..width * height).filter(|bit| set >> bit & 1 == 1);
        let points = bits.map(|bit| Point::new((bit % width) as i32, (bit / width) as i32));
        let start = Start::from_dots(points).expect("a few dots");
        let game = Game { rules, start };
        tried += 1;
        if let Some(play) = endless::find(&game, EFFORT) {
            found += 1;
            let points: Vec<String> = game.start.dots().iter().map(Point::to_string).collect();
            println!(
                "{}: {} moves, then {} over and over, moved by {}",
                points.join(" "),
                play.prefix.len(),
                play.period.len(),
                play.translation
            );
        }
    }
    println!("{found} of {tried} starts");
}
