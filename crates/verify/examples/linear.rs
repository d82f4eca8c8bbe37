//! Measures that the verifier is linear: time per line for 10^4, 10^5 and 10^6 lines, and the
//! memory.
//!
//!     cargo run --release -p morpion-verify --example linear [SHAPE LINES [FILE]]
//!
//! With a FILE, the drawing is written there and nothing is measured. The drawings are generated
//! here, shuffled, and their results asserted. Shapes: `field`, a field of random dots played until
//! it is full enough; `chain`, where each line waits for the one before; `rows`, where each line
//! has four start dots of its own; `far`, the same, each row far from all others. Time excludes
//! making the text and includes reading it.
#![allow(clippy::print_stdout)]

extern crate morpion_verify as verify;

use std::fmt::Write;

use verify::{OrderResult, order, verify_game};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [] => {
            for shape in ["field", "chain", "rows", "far"] {
                for lines in [10_000, 100_000, 1_000_000] {
                    measure(shape, lines);
                }
            }
        }
        [shape, lines] => measure(shape, number(lines)),
        [shape, lines, file] => {
            std::fs::write(file, drawing(shape, number(lines)).text()).expect("a writable file");
        }
        _ => println!("usage: linear [SHAPE LINES [FILE]]"),
    }
}

fn number(text: &str) -> usize {
    text.parse().expect("a number of lines")
}

fn drawing(shape: &str, lines: usize) -> Drawing {
    match shape {
        "field" => field(lines),
        "chain" => chain(lines),
        "rows" => rows(lines, 2),
        "far" => rows(lines, 1000),
        _ => panic!("no such shape"),
    }
}

fn measure(shape: &str, lines: usize) {
    let drawing = drawing(shape, lines);
    let (as_drawing, as_game) = (drawing.text(), drawing.game());
    drop(drawing);

    let rounds = (1_000_000 / lines).min(20) as u64;
    let clock = cpu_time();
    for _ in 0..rounds {
        let Ok(OrderResult::Ordered { game, .. }) = order(&as_drawing) else {
            panic!("an order exists")
        };
        assert_eq!(game.score() as usize, lines);
    }
    let ordering = (cpu_time() - clock) / rounds / lines as u64;
    if std::env::var("ONLY").is_ok() {
        println!("{shape} {lines} {ordering} peak {}", peak());
        return;
    }
    let clock = cpu_time();
    for _ in 0..rounds {
        assert_eq!(verify_game(&as_game).map(|game| game.score() as usize), Ok(lines));
    }
    let verifying = (cpu_time() - clock) / rounds / lines as u64;
    let size = as_drawing.len() / 1_000_000;
    println!(
        "{shape:6} {lines:8} lines {size:4} MB: order {ordering:5} ns a line, \
        verify {verifying:5}; \
        peak {}",
        peak(),
    );
}

/// The CPU time of this process in nanoseconds, as Linux reports it.
fn cpu_time() -> u64 {
    let times = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    times.split(' ').next().and_then(|time| time.parse().ok()).expect("Linux")
}

/// The peak memory of this process, as Linux reports it.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.map_or("unknown", str::trim).to_owned()
}

const DIRECTIONS: [(&str, i32, i32); 4] = [("E", 1, 0), ("S", 0, 1), ("SE", 1, 1), ("NE", 1, -1)];

type Dot = (i32, i32);

struct Drawing {
    start: Vec<Dot>,
    /// New dot, first dot, direction, in an order of play.
    moves: Vec<(Dot, Dot, usize)>,
}

impl Drawing {
    fn head(&self) -> String {
        let mut text = String::from(r#"{"format":"morpion-game/1","rules":"5T","start":["#);
        let dots: Vec<String> = self.start.iter().map(|(x, y)| format!("[{x},{y}]")).collect();
        text += &dots.join(",");
        text
    }

    /// The lines, shuffled.
    fn text(&self) -> String {
        let mut text = self.head() + r#"],"lines":["#;
        let mut moves = self.moves.clone();
        let mut random = Random(1);
        for last in (1..moves.len()).rev() {
            moves.swap(last, random.below(last + 1));
        }
        for (_, (x, y), direction) in moves {
            write!(text, r#"[[{x},{y}],"{}"],"#, DIRECTIONS[direction].0).expect("memory");
        }
        text.pop();
        text + "]}"
    }

    fn game(&self) -> String {
        let mut text = self.head() + r#"],"moves":["#;
        for ((new_x, new_y), (x, y), direction) in &self.moves {
            let name = DIRECTIONS[*direction].0;
            write!(text, r#"{{"new":[{new_x},{new_y}],"line":[[{x},{y}],"{name}"]}},"#)
                .expect("memory");
        }
        text.pop();
        text + "]}"
    }
}

/// Rows of four dots, `apart` rows and columns from each other.
fn rows(lines: usize, apart: i32) -> Drawing {
    let side = lines.isqrt() as i32 + 1;
    let firsts = (0..lines as i32).map(|index| (index % side * (4 + apart), index / side * apart));
    let firsts = firsts.map(|(x, y)| (x - 1_000_000, y - 1_000_000));
    Drawing {
        start: firsts.clone().flat_map(|(x, y)| (0..4).map(move |step| (x + step, y))).collect(),
        moves: firsts.map(|(x, y)| ((x + 4, y), (x, y), 0)).collect(),
    }
}

/// Zigzags of lines, each from the last dot of the one before, in strips of fifty thousand.
fn chain(lines: usize) -> Drawing {
    let mut drawing = Drawing { start: Vec::new(), moves: Vec::new() };
    for index in 0..lines as i32 {
        let (strip, step) = (index / 50_000, index % 50_000);
        let direction = if step % 2 == 0 { 2 } else { 3 };
        let (_, dx, dy) = DIRECTIONS[direction];
        let (x, y) = (4 * step, 20 * strip + if step % 2 == 0 { 0 } else { 4 });
        let from = if step == 0 { 0 } else { 1 };
        drawing.start.extend((from..4).map(|along| (x + along * dx, y + along * dy)));
        drawing.moves.push(((x + 4 * dx, y + 4 * dy), (x, y), direction));
    }
    drawing
}

/// A square of random dots, played from corner to corner again and again.
fn field(lines: usize) -> Drawing {
    let side = (lines * 3).isqrt() as i32 + 20;
    let cell = |x: i32, y: i32| (y * side + x) as usize;
    let mut random = Random(7);
    let mut drawing = Drawing { start: Vec::new(), moves: Vec::new() };
    let mut dots = vec![false; cell(0, side)];
    let mut used = vec![[false; 4]; cell(0, side)];
    for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
        if random.below(100) < 40 {
            dots[cell(x, y)] = true;
            drawing.start.push((x, y));
        }
    }
    loop {
        let before = drawing.moves.len();
        for (x, y) in (4..side - 4).flat_map(|y| (4..side - 4).map(move |x| (x, y))) {
            for (direction, &(_, dx, dy)) in DIRECTIONS.iter().enumerate() {
                let along = |step: i32| (x + step * dx, y + step * dy);
                let at = |step| cell(along(step).0, along(step).1);
                let mut gaps = (0..5).filter(|&step| !dots[at(step)]);
                let (Some(gap), None) = (gaps.next(), gaps.next()) else { continue };
                if (0..4).any(|step| used[at(step)][direction]) {
                    continue;
                }
                (0..4).for_each(|step| used[at(step)][direction] = true);
                drawing.moves.push((along(gap), (x, y), direction));
                dots[at(gap)] = true;
                if drawing.moves.len() == lines {
                    return drawing;
                }
            }
        }
        assert!(drawing.moves.len() > before, "the field is too small");
    }
}

/// A plain random generator (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}
