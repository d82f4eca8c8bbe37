//! The closure bound: all dots that could ever be placed, if they are finitely many.
//!
//! Ignore all overlaps but one kind and place dots while some line has all others. Not ignored:
//! what a line of some direction has placed is occupied in that direction, entirely by a disjoint
//! line, by a touching one except at its ends. By induction over a game every dot it places is
//! among those found here, and every line it draws is one by which we placed a dot. If these are
//! finitely many, only some of them fit on each lattice line without overlap. From the cross with
//! lines of six dots or more this is the argument of section 3.7: 24 dots can be placed, 12 at a
//! time, and no line results from them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use geometry::{Direction, Game, Line, Point, Rules};

use super::{BoundFormula, FormulaBound, Fraction, InapplicableReason};

/// The number of dots after which the search gives up.
const LIMIT: usize = 4096;

pub(super) fn bound(game: &Game) -> Result<FormulaBound, InapplicableReason> {
    let closure = Closure::new(game)?;
    let new = closure.dots.len() - game.start.dots().len();
    let lines = closure.lines;
    let places = by_lattice_line(&lines);
    let room: usize = places.values().map(|places| packed(places, game.rules)).sum();
    let bound = room.min(new);
    let argument = vec![
        format!("all games together could place {new} dots by {} lines", lines.len()),
        format!("of these lines {room} fit without overlap"),
        format!("m <= {bound}"),
    ];
    let (value, bound) = (Fraction::from(bound as i128), bound as u64);
    let reached = Some(play(game, &lines));
    Ok(FormulaBound {
        formula: BoundFormula::Closure,
        value,
        bound,
        argument,
        published: None,
        reached,
    })
}

/// The dots that could ever be placed, and by which lines.
struct Closure {
    rules: Rules,
    /// The dots, with a bit for each direction in which a line could place it. A dot of the start
    /// has a bit of its own.
    dots: HashMap<Point, u8>,
    lines: BTreeSet<Line>,
}

const OF_THE_START: u8 = 1 << 4;

impl Closure {
    fn new(game: &Game) -> Result<Self, InapplicableReason> {
        let start = game.start.dots();
        let dots = start.iter().map(|&dot| (dot, OF_THE_START)).collect();
        let mut closure = Self { rules: game.rules, dots, lines: BTreeSet::new() };
        let mut waiting = start.to_vec();
        while let Some(dot) = waiting.pop() {
            for line in lines_through(dot, game.rules) {
                waiting.extend(closure.draw(line));
                if closure.dots.len() > start.len() + LIMIT {
                    return Err(InapplicableReason::ClosureGrows { limit: LIMIT });
                }
            }
        }
        Ok(closure)
    }

    /// Places what `line` can place; returns the dots for which that is new.
    fn draw(&mut self, line: Line) -> Vec<Point> {
        let points: Vec<Point> = line.points(self.rules).collect();
        let last = points.len() - 1;
        let bit = 1 << line.direction as u8;
        let mut lacking = Vec::new();
        for (offset, point) in points.iter().enumerate() {
            let from = self.dots.get(point).copied().unwrap_or(0);
            let shared_end = self.rules.touching() && (offset == 0 || offset == last);
            if from & !bit == 0 && !(shared_end && from != 0) {
                lacking.push(offset);
            }
        }
        // With one dot lacking it is the new one; with none, any that the start does not have.
        let new: Vec<Point> = match lacking[..] {
            [] => points,
            [offset] => vec![points[offset]],
            _ => return Vec::new(),
        };
        let mut news = Vec::new();
        for point in new {
            let from = self.dots.entry(point).or_insert(0);
            if *from & OF_THE_START == 0 {
                self.lines.insert(line);
                if *from & bit == 0 {
                    *from |= bit;
                    news.push(point);
                }
            }
        }
        news
    }
}

fn lines_through(dot: Point, rules: Rules) -> impl Iterator<Item = Line> {
    Direction::ALL.into_iter().flat_map(move |direction| {
        let start = move |offset: usize| dot - direction.step() * offset as i32;
        (0..rules.length()).map(move |offset| Line::new(start(offset), direction))
    })
}

/// The places of lines along the lattice lines they lie on, sorted.
fn by_lattice_line(lines: &BTreeSet<Line>) -> BTreeMap<(Direction, i32), Vec<i32>> {
    let mut found: BTreeMap<_, Vec<i32>> = BTreeMap::new();
    for line in lines {
        let Point { x, y } = line.start;
        let (which, place) = match line.direction {
            Direction::East => (y, x),
            Direction::South => (x, y),
            Direction::SouthEast => (x - y, x),
            Direction::NorthEast => (x + y, x),
        };
        found.entry((line.direction, which)).or_default().push(place);
    }
    found.values_mut().for_each(|places| places.sort_unstable());
    found
}

/// The number of lines at these places of one lattice line that fit without overlap, chosen
/// greedily from the first.
fn packed(places: &[i32], rules: Rules) -> usize {
    let mut free = i32::MIN;
    let mut count = 0;
    for &place in places {
        if place >= free {
            free = place + rules.marks() as i32;
            count += 1;
        }
    }
    count
}

/// Plays these lines in order, repeatedly, while one can be drawn; returns the number of moves.
fn play(game: &Game, lines: &BTreeSet<Line>) -> u64 {
    let rules = game.rules;
    let mut dots: HashSet<Point> = game.start.dots().iter().copied().collect();
    let mut used = HashSet::new();
    let mut moves = 0;
    loop {
        let before = moves;
        for &line in lines {
            let missing: Vec<Point> =
                line.points(rules).filter(|dot| !dots.contains(dot)).collect();
            let overlaps = line.marks(rules).any(|mark| used.contains(&mark));
            if let ([new], false) = (&missing[..], overlaps) {
                dots.insert(*new);
                used.extend(line.marks(rules));
                moves += 1;
            }
        }
        if moves == before {
            return moves;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Start;

    #[test]
    fn a_long_line_has_24_dots_and_12_lines_at_a_time() {
        let bound = bound(&Game::named("6T").expect("known")).expect("finite");
        let argument = [
            "all games together could place 24 dots by 24 lines",
            "of these lines 12 fit without overlap",
            "m <= 12",
        ];
        assert_eq!(bound.argument, argument);
    }

    #[test]
    fn few_dots_are_seen_through() {
        let three = Start::from_dots([0, 1, 2].map(|x| Point::new(x, 0))).expect("few");
        let four = Start::from_dots([0, 1, 2, 3].map(|x| Point::new(x, 0))).expect("few");
        let bound = |start: &Start, name: &str| {
            let game = Game { rules: name.parse().expect("known"), start: start.clone() };
            bound(&game).map(|bound| (bound.bound, bound.reached))
        };
        assert_eq!(bound(&three, "5T"), Ok((0, Some(0))));
        assert_eq!(bound(&four, "5T"), Ok((1, Some(1))));
        assert!(bound(&three, "2D").is_err());
    }

    #[test]
    fn the_usual_games_go_beyond() {
        for name in ["5T", "5D", "4T", "4D", "3D"] {
            assert!(bound(&Game::named(name).expect("known")).is_err(), "{name}");
        }
    }
}
