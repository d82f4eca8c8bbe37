//! The game once more, as naive as can be, to hold against the verifier.
//!
//! Written from the rules in words: lines are lists of dots, and two lines in one direction are
//! compared by the dots they share.

use std::collections::HashSet;

use super::random::Random;

pub(crate) type Dot = (i32, i32);

pub(crate) const DIRECTIONS: [(&str, Dot); 4] =
    [("E", (1, 0)), ("S", (0, 1)), ("SE", (1, 1)), ("NE", (1, -1))];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Move {
    pub(crate) new: Dot,
    pub(crate) first: Dot,
    pub(crate) direction: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct Game {
    pub(crate) length: i32,
    pub(crate) touching: bool,
    pub(crate) start: Vec<Dot>,
    pub(crate) moves: Vec<Move>,
}

impl Game {
    /// Plays at random until no move is left or there are `most`.
    pub(crate) fn random(random: &mut Random, most: usize) -> Game {
        let length = *random.choose(&[2, 3, 3, 4, 4, 4, 5, 5, 5, 5, 6, 9]);
        let (touching, size) = (random.below(2) == 0, length + 3);
        let mut start: Vec<Dot> = (0..size).flat_map(|x| (0..size).map(move |y| (x, y))).collect();
        random.shuffle(&mut start);
        start.truncate(start.len() * (40 + random.below(40)) / 100);
        let mut game = Game { length, touching, start, moves: Vec::new() };
        while game.moves.len() < most {
            let legal = game.legal_moves();
            if legal.is_empty() {
                break;
            }
            game.moves.push(*random.choose(&legal));
        }
        game
    }

    pub(crate) fn rules(&self) -> String {
        format!("{}{}", self.length, if self.touching { "T" } else { "D" })
    }

    pub(crate) fn dots_of(&self, mv: Move) -> Vec<Dot> {
        let (dx, dy) = DIRECTIONS[mv.direction].1;
        (0..self.length).map(|step| (mv.first.0 + step * dx, mv.first.1 + step * dy)).collect()
    }

    pub(crate) fn overlap(&self, one: Move, other: Move) -> bool {
        let dots = self.dots_of(one);
        let shared = self.dots_of(other).iter().filter(|dot| dots.contains(dot)).count();
        one.direction == other.direction && shared > usize::from(self.touching)
    }

    pub(crate) fn dots_before(&self, number: usize) -> HashSet<Dot> {
        let new = self.moves[..number].iter().map(|mv| mv.new);
        self.start.iter().copied().chain(new).collect()
    }

    /// All moves that are legal after the last one.
    pub(crate) fn legal_moves(&self) -> Vec<Move> {
        let apart = |mv: &Move| self.moves.iter().all(|&other| !self.overlap(*mv, other));
        self.completions().into_iter().filter(apart).collect()
    }

    /// All lines with one gap after the last move, whether or not they overlap others.
    pub(crate) fn completions(&self) -> Vec<Move> {
        let dots = self.dots_before(self.moves.len());
        let reach = |coordinate: fn(&Dot) -> i32| {
            let least = dots.iter().map(coordinate).min().unwrap_or(0) - self.length;
            let most = dots.iter().map(coordinate).max().unwrap_or(0) + self.length;
            least..=most
        };
        let mut found = Vec::new();
        for first in reach(|dot| dot.0).flat_map(|x| reach(|dot| dot.1).map(move |y| (x, y))) {
            for direction in 0..4 {
                let mut mv = Move { new: first, first, direction };
                let line = self.dots_of(mv);
                let gaps: Vec<&Dot> = line.iter().filter(|dot| !dots.contains(dot)).collect();
                if let [&gap] = gaps[..] {
                    mv.new = gap;
                    found.push(mv);
                }
            }
        }
        found
    }

    /// The first move that is not legal: its number, counting from 1, and the reason.
    pub(crate) fn first_fault(&self) -> Option<(u32, &'static str)> {
        (0..self.moves.len()).find_map(|index| {
            let (mv, dots) = (self.moves[index], self.dots_before(index));
            let line = self.dots_of(mv);
            let missing = line.iter().any(|dot| *dot != mv.new && !dots.contains(dot));
            let reason = if !line.contains(&mv.new) {
                "not-on-line"
            } else if dots.contains(&mv.new) {
                "occupied"
            } else if missing {
                "missing-dot"
            } else if self.moves[..index].iter().any(|&other| self.overlap(mv, other)) {
                "overlap"
            } else {
                return None;
            };
            Some((index as u32 + 1, reason))
        })
    }

    /// How many of the lines can be drawn, trying them over and over in the order of the list.
    pub(crate) fn playable(&self) -> usize {
        let mut dots: HashSet<Dot> = self.start.iter().copied().collect();
        let mut waiting = self.moves.clone();
        loop {
            let before = waiting.len();
            waiting.retain(|&mv| {
                let line = self.dots_of(mv);
                let gaps: Vec<Dot> = line.into_iter().filter(|dot| !dots.contains(dot)).collect();
                dots.extend(gaps.iter().filter(|_| gaps.len() == 1));
                gaps.len() != 1
            });
            if waiting.len() == before {
                return self.moves.len() - before;
            }
        }
    }

    /// The file of the game.
    pub(crate) fn text(&self) -> String {
        let moves = self.moves.iter().enumerate().map(|(index, &mv)| {
            format!(r#"{{"new":[{},{}],"line":{}}}"#, mv.new.0, mv.new.1, self.line(mv, index))
        });
        self.file("moves", &moves.collect::<Vec<String>>())
    }

    /// The file of the lines without their order.
    pub(crate) fn drawing(&self) -> String {
        let lines = self.moves.iter().enumerate().map(|(index, &mv)| self.line(mv, index));
        self.file("lines", &lines.collect::<Vec<String>>())
    }

    fn file(&self, name: &str, items: &[String]) -> String {
        let start: Vec<String> = self.start.iter().map(|(x, y)| format!("[{x},{y}]")).collect();
        format!(
            r#"{{"format":"morpion-game/1","rules":"{}","start":[{}],"{name}":[{}]}}"#,
            self.rules(),
            start.join(","),
            items.join(",")
        )
    }

    /// A line in one of the three ways to write it.
    fn line(&self, mv: Move, index: usize) -> String {
        let (x, y) = mv.first;
        let (last_x, last_y) = self.dots_of(mv)[self.length as usize - 1];
        match index % 3 {
            0 => format!(r#"[[{x},{y}],"{}"]"#, DIRECTIONS[mv.direction].0),
            1 => format!("[[{x},{y}],[{last_x},{last_y}]]"),
            _ => format!("[[{last_x},{last_y}],[{x},{y}]]"),
        }
    }
}
