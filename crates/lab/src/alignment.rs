//! Drawings in other coordinates: shifted, mirrored, turned, or of the other kind of lines.
//!
//! Which lines can be played depends on where the start lies among them, and on nothing else, as
//! long as no two overlap. So every place of the start is tried at which some line could be played
//! first, and the one that lets most lines be played is the reading.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;

use api::view::OrderView;
use evidence::{GameOrder, missing_dots};
use geometry::{Direction, Game, Line, Point, Rules, Start, Symmetry};
use record::{Play, Record};
use rules::{PlainPosition, Position};

/// How many lines a drawing must have: one line fits anywhere, and many take long.
const LINES: RangeInclusive<usize> = 2..=1000;

/// The most dots of a start that is looked for elsewhere.
const DOTS: usize = 1000;

/// The most dots and lines that are looked at for each symmetry, which takes about a second.
const WORK: usize = 100_000_000;

/// How many lines are tried as the missing one.
const CANDIDATES: usize = 1000;

/// How many lines may fit a wrong reading by chance.
const BY_CHANCE: usize = 10;

/// How many lines do not fit the right reading of a short drawing.
const FAULTY: usize = 2;

/// Another reading of a drawing.
#[derive(Debug)]
pub struct Alignment {
    /// What was changed: `moved by (-1,-1)`.
    pub change: String,
    /// The order of the lines in the usual coordinates, or those that are still stuck.
    pub order: GameOrder,
    /// The drawing in its own coordinates, with the start where this reading has it.
    pub drawing: Record,
}

/// Looks for coordinates in which more lines of a drawing can be played than as written: moved,
/// mirrored, turned, with y upward; if lines overlap, as touching instead of disjoint. A reading
/// that fits all lines is taken; one that does not, only if it fits far more than as written, and
/// nearly all of them, perhaps with one more: if a line is missing, many lines fit in wrong places.
#[must_use]
pub fn align(drawing: &Record) -> Option<Alignment> {
    let lines: Vec<Line> = drawing.lines().collect();
    if !LINES.contains(&lines.len()) || drawing.game.start.dots().len() > DOTS {
        return None;
    }
    let game = fitting_game(&drawing.game, &lines)?;
    let grid = Grid::new(&lines, game.rules);
    let (here, as_written) = (Point::new(0, 0), grid.playable(game.start.dots(), Point::new(0, 0)));
    let mut best: Option<(usize, Reading)> =
        (game != drawing.game).then(|| (as_written, Reading::as_written(&game)));
    for reading in readings(&game) {
        for shift in reading.shifts(&lines) {
            let playable = grid.playable(&reading.dots, shift);
            if playable > best.as_ref().map_or(as_written, |(most, _)| *most) {
                best = Some((playable, Reading { shift, ..reading.clone() }));
            }
        }
    }
    let (playable, reading) = best?;
    let all = lines.len();
    let is_better = match playable == all {
        // Of a few lines that fit some may be moved to where all do.
        true => all > BY_CHANCE || 2 * as_written < all,
        false => playable >= 2 * as_written + BY_CHANCE.min(all / 2),
    };
    if !is_better {
        return None;
    }
    let Reading { symmetry, name, dots, shift, .. } = reading;
    let back = symmetry.point(shift);
    let usual = lines.iter().map(|&line| {
        let image = symmetry.line(line, game.rules);
        Line::new(image.start - back, image.direction)
    });
    let usual = Record::from_lines(game.clone(), usual.collect());
    let order = GameOrder::find(&usual.to_json()).ok()?;
    let few = FAULTY.max(all / 20);
    if let GameOrder::Stuck { stuck } = &order
        && stuck.len() > few
        && missing_line(&usual, stuck, few).is_none()
    {
        return None;
    }
    let moved = (back != here).then(|| format!("moved by ({},{})", -back.x, -back.y));
    let renamed = (game != drawing.game).then(|| format!("as {}", game.rules));
    let parts = [name.map(str::to_owned), moved, renamed];
    let start = Start::from_dots(dots.iter().map(|&dot| dot + shift)).ok()?;
    Some(Alignment {
        change: parts.into_iter().flatten().collect::<Vec<_>>().join(", "),
        order,
        drawing: Record::from_lines(Game { rules: game.rules, start }, lines),
    })
}

/// What could be meant by a drawing of which not all lines can be played, in words: other
/// coordinates, or one line more. A game with an order means what it says.
#[must_use]
pub fn hint(drawing: &Record) -> Option<String> {
    if !matches!(drawing.play, Play::Drawing(_)) {
        return None;
    }
    let all = drawing.lines().len();
    match align(drawing) {
        Some(Alignment { change, order: GameOrder::Ordered { .. }, .. }) => {
            Some(format!("{change}, all {all} lines fit: `morpion order` writes that game"))
        }
        Some(Alignment { change, order: GameOrder::Stuck { stuck }, .. }) => {
            Some(format!("{change}, {} of {all} lines fit", all - stuck.len()))
        }
        None => match GameOrder::find(&drawing.to_json()).ok()? {
            GameOrder::Stuck { stuck } => missing_hint(drawing, &stuck),
            GameOrder::Ordered { .. } => None,
        },
    }
}

/// That the lines of a typed grid are those of another game than its first line names, if all fit.
#[must_use]
pub fn hint_at_game(text: &str) -> Option<String> {
    let (rules, lines) = text.trim_start().split_once('\n')?;
    let rules: Rules = rules.trim().parse().ok()?;
    let others = ["5T", "5D", "4T", "4D"].into_iter().filter(|name| *name != rules.to_string());
    others.into_iter().find_map(|name| {
        let drawing = record::read(lines.as_bytes(), Some(&Game::named(name).ok()?)).ok()?;
        match GameOrder::find(&drawing.to_json()).ok()? {
            GameOrder::Ordered { game, .. } => {
                Some(format!("as {name}, all {} lines fit", game.score()))
            }
            GameOrder::Stuck { .. } => None,
        }
    })
}

/// That a line is missing, if every stuck line only waits for others; and with which line all fit,
/// if there is one.
#[must_use]
pub fn missing_hint(drawing: &Record, stuck: &[u32]) -> Option<String> {
    // A line adds one dot; every other has to come from another line.
    let waits = OrderView::stuck(drawing, stuck).stuck.iter().all(|line| line.waits);
    let hint = match waits {
        true => "no line is wrong in itself; probably a line is missing",
        false => "perhaps a line is missing",
    };
    match missing_line(drawing, stuck, 0) {
        Some(line) => {
            let (one, other) = (line.start, line.end(drawing.game.rules));
            Some(format!("{hint}: with {},{} {},{} all fit", one.x, one.y, other.x, other.y))
        }
        None => waits.then(|| hint.to_owned()),
    }
}

/// A line with which all others can be played but for so many: it adds a dot that stuck lines lack.
fn missing_line(drawing: &Record, stuck: &[u32], but: usize) -> Option<Line> {
    let rules = drawing.game.rules;
    let lines: Vec<Line> = drawing.lines().collect();
    let start = drawing.game.start.dots();
    let is_stuck: HashSet<u32> = stuck.iter().copied().collect();
    let playable = (0..).zip(&lines).filter(|(number, _)| !is_stuck.contains(number));
    let mut dots: HashSet<Point> = start.iter().copied().collect();
    dots.extend(playable.flat_map(|(_, line)| line.points(rules)));
    let lacking: BTreeSet<Point> = missing_dots(drawing, stuck).into_iter().flatten().collect();
    let through = |dot: Point| {
        Direction::ALL.into_iter().flat_map(move |direction| {
            let from = Line::new(Point::new(0, 0), direction).points(rules);
            from.map(move |step| Line::new(dot - step, direction))
        })
    };
    let is_playable = |line: &Line| line.points(rules).filter(|it| !dots.contains(it)).count() == 1;
    let candidates = lacking.into_iter().flat_map(through).filter(is_playable);
    let with = |line: Line| [&lines[..], &[line]].concat();
    let fits = |line: &Line| {
        let lines = with(*line);
        !overlap(&lines, rules)
            && Grid::new(&lines, rules).playable(start, Point::new(0, 0)) + but >= lines.len()
    };
    candidates.take(CANDIDATES).find(fits)
}

/// The game of a drawing, or its touching kind if lines overlap; `None` if they still do.
fn fitting_game(game: &Game, lines: &[Line]) -> Option<Game> {
    if !overlap(lines, game.rules) {
        return Some(game.clone());
    }
    let rules = Rules::new(game.rules.length(), true).ok()?;
    (!overlap(lines, rules)).then(|| Game { rules, start: game.start.clone() })
}

fn overlap(lines: &[Line], rules: Rules) -> bool {
    let mut used = HashSet::new();
    lines.iter().any(|line| line.marks(rules).any(|mark| !used.insert(mark)))
}

/// A symmetry of the plane that a drawing may have been subjected to, and where its start then is.
#[derive(Clone)]
struct Reading {
    /// From the drawing to the usual coordinates, without the shift.
    symmetry: Symmetry,
    /// How people call it; the identity has no name.
    name: Option<&'static str>,
    /// The start in the coordinates of the drawing, without the shift.
    dots: Vec<Point>,
    /// The lines that could be played first, likewise.
    first: Vec<Line>,
    /// How far the drawing has moved.
    shift: Point,
}

impl Reading {
    fn as_written(game: &Game) -> Self {
        let dots = game.start.dots().to_vec();
        let (symmetry, shift) = (Symmetry::IDENTITY, Point::new(0, 0));
        Self { symmetry, name: None, dots, first: Vec::new(), shift }
    }

    /// The shifts after which some line could be played first: those that suit most lines first,
    /// then the smallest.
    fn shifts(&self, lines: &[Line]) -> Vec<Point> {
        let mut votes: HashMap<Point, usize> = HashMap::new();
        for first in &self.first {
            for line in lines.iter().filter(|line| line.direction == first.direction) {
                *votes.entry(line.start - first.start).or_default() += 1;
            }
        }
        let mut shifts: Vec<(Point, usize)> = votes.into_iter().collect();
        shifts.sort_by_key(|&(shift, votes)| {
            (usize::MAX - votes, shift.x.abs() + shift.y.abs(), shift.x, shift.y)
        });
        let most = WORK / (self.dots.len() + lines.len());
        shifts.into_iter().take(most).map(|(shift, _)| shift).collect()
    }
}

/// One reading for each symmetry that does not bring the start back to itself: of the cross, which
/// has them all, a shift is enough.
fn readings(game: &Game) -> Vec<Reading> {
    let start = PlainPosition::start(game.clone());
    let first: Vec<Line> = start.legal().iter().map(|&code| start.decode(code).line).collect();
    let all = symmetries();
    let mut shapes: HashSet<Vec<Point>> = HashSet::new();
    let mut readings = Vec::new();
    for &(symmetry, name) in &all {
        // Only the inverse brings this point back.
        let point = Point::new(1, 2);
        let inverse = all.iter().find(|(other, _)| other.point(symmetry.point(point)) == point);
        let (inverse, _) = *inverse.expect("the symmetries are a group");
        let mut dots: Vec<Point> =
            game.start.dots().iter().map(|&dot| inverse.point(dot)).collect();
        dots.sort_unstable();
        let corner = dots.iter().copied().min().unwrap_or(Point::new(0, 0));
        if shapes.insert(dots.iter().map(|&dot| dot - corner).collect()) {
            let first = first.iter().map(|&line| inverse.line(line, game.rules)).collect();
            readings.push(Reading { symmetry, name, dots, first, shift: Point::new(0, 0) });
        }
    }
    readings
}

/// The eight symmetries around (0,0), each with its name; the identity has none.
fn symmetries() -> Vec<(Symmetry, Option<&'static str>)> {
    let named = |symmetry: Symmetry| {
        let zero = symmetry.point(Point::new(0, 0));
        let image = |x, y| symmetry.point(Point::new(x, y)) - zero;
        let name = match (image(1, 0), image(0, 1)) {
            (Point { x: 1, y: 0 }, Point { x: 0, y: 1 }) => None,
            (Point { x: 1, y: 0 }, Point { x: 0, y: -1 }) => Some("with y upward"),
            (Point { x: -1, y: 0 }, Point { x: 0, y: 1 }) => Some("mirrored"),
            (Point { x: 0, y: 1 }, Point { x: 1, y: 0 }) => Some("with x and y exchanged"),
            _ => Some("turned"),
        };
        (symmetry, name)
    };
    let mut all: Vec<_> =
        Symmetry::of_box(Point::new(0, 0), Point::new(0, 0)).into_iter().map(named).collect();
    all.sort_by_key(|(_, name)| match name {
        None => 0,
        Some("with y upward") => 1,
        Some("turned") => 3,
        Some(_) => 2,
    });
    all
}

/// Lines that do not overlap, by the dots that they pass.
struct Grid {
    rules: Rules,
    lines: Vec<Line>,
    through: HashMap<Point, Vec<usize>>,
}

impl Grid {
    fn new(lines: &[Line], rules: Rules) -> Self {
        let mut through: HashMap<Point, Vec<usize>> = HashMap::new();
        for (number, line) in lines.iter().enumerate() {
            line.points(rules).for_each(|dot| through.entry(dot).or_default().push(number));
        }
        Self { rules, lines: lines.to_vec(), through }
    }

    /// How many lines can be played from a start at `shift`. Playing whatever can be played finds
    /// the most (Demaine et al. 2006, section 4.1); the verifier decides in the end.
    fn playable(&self, start: &[Point], shift: Point) -> usize {
        let mut gaps = vec![self.rules.length(); self.lines.len()];
        let mut dots: HashSet<Point> = HashSet::new();
        let mut ready: Vec<usize> = Vec::new();
        let mut place = |dot: Point, dots: &mut HashSet<Point>, ready: &mut Vec<usize>| {
            if !dots.insert(dot) {
                return;
            }
            for &line in self.through.get(&dot).into_iter().flatten() {
                gaps[line] -= 1;
                if gaps[line] == 1 {
                    ready.push(line);
                }
            }
        };
        let near = start.iter().map(|&dot| dot + shift);
        near.filter(|dot| self.through.contains_key(dot))
            .for_each(|dot| place(dot, &mut dots, &mut ready));
        let mut playable = 0;
        while let Some(line) = ready.pop() {
            let gap = self.lines[line].points(self.rules).find(|dot| !dots.contains(dot));
            if let Some(gap) = gap {
                playable += 1;
                place(gap, &mut dots, &mut ready);
            }
        }
        playable
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random (Knuth's linear congruential generator).
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) as usize % limit
        }
    }

    /// A random game, played to its end, its lines sorted.
    fn random_lines(game: &Game, numbers: &mut Numbers) -> Vec<Line> {
        let mut position = PlainPosition::start(game.clone());
        while !position.legal().is_empty() {
            let legal = position.legal().len();
            position.play_nth(numbers.below(legal));
        }
        let mut lines: Vec<Line> = position.moves().into_iter().map(|mv| mv.line).collect();
        lines.sort_unstable_by_key(|line| (line.start, line.direction));
        lines
    }

    fn game(name: &str) -> Game {
        Game::named(name).expect("known")
    }

    /// The number of lines that can be played, and of those that are stuck.
    fn outcome(order: &GameOrder, lines: usize) -> (usize, usize) {
        match order {
            GameOrder::Ordered { order, .. } => (order.len(), 0),
            GameOrder::Stuck { stuck } => (lines - stuck.len(), stuck.len()),
        }
    }

    /// A drawing as a text that is typed in.
    fn typed(game: &Game, lines: &[Line]) -> Record {
        let rows = lines.iter().map(|line| {
            let (one, other) = (line.start, line.end(game.rules));
            format!("{},{} {},{}\n", one.x, one.y, other.x, other.y)
        });
        let text = format!("{}\n{}", game.rules, rows.collect::<String>());
        record::read(text.as_bytes(), None).expect("a drawing")
    }

    #[test]
    fn any_game_is_found_after_any_shift_and_symmetry() {
        let mut numbers = Numbers(1);
        for name in ["5T", "5D", "4T"] {
            let game = game(name);
            for _ in 0..12 {
                let lines = random_lines(&game, &mut numbers);
                for (symmetry, _) in symmetries() {
                    let mut upto5 = || numbers.below(11) as i32 - 5;
                    let shift = Point::new(upto5(), upto5());
                    let change = |&line: &Line| {
                        let image = symmetry.line(line, game.rules);
                        Line::new(image.start + shift, image.direction)
                    };
                    let changed: Vec<Line> = lines.iter().map(change).collect();
                    let drawing = typed(&game, &changed);
                    let as_written = GameOrder::find(&drawing.to_json()).expect("a drawing");
                    let order = match &as_written {
                        GameOrder::Stuck { .. } => &align(&drawing).expect("it fits").order,
                        order => order,
                    };
                    let all = (lines.len(), 0);
                    assert_eq!(outcome(order, lines.len()), all, "{name} {symmetry:?} {shift:?}");
                }
            }
        }
    }

    #[test]
    fn a_shifted_drawing_says_how_and_one_mistyped_line_is_still_found_in_its_own_coordinates() {
        let game = game("5T");
        let mut numbers = Numbers(5);
        let lines = random_lines(&game, &mut numbers);
        let shift = |line: &Line| Line::new(line.start + Point::new(1, 1), line.direction);
        let mut lines: Vec<Line> = lines.iter().map(shift).collect();
        let all = lines.len();
        let found = align(&typed(&game, &lines)).expect("it fits");
        assert_eq!((&*found.change, outcome(&found.order, all)), ("moved by (-1,-1)", (all, 0)));
        lines.push(Line::new(Point::new(40, 40), Direction::East));
        let found = align(&typed(&game, &lines)).expect("most of it fits");
        assert_eq!(found.change, "moved by (-1,-1)");
        assert!(matches!(&found.order, GameOrder::Stuck { stuck } if *stuck == [all as u32]));
        let corner = Point::new(4, 1);
        assert!(found.drawing.game.start.dots().contains(&corner), "{:?}", found.drawing.game);
    }

    #[test]
    fn a_start_without_symmetries_is_found_turned() {
        let point = |(x, y)| Point::new(x, y);
        let start = Start::from_dots([(0, 0), (1, 0), (2, 1)].map(point)).expect("dots");
        let game = Game { rules: game("3D").rules, start };
        let lines = [(Point::new(2, 0), Direction::South), (Point::new(0, 0), Direction::East)];
        for (symmetry, name) in symmetries() {
            let change = |(start, direction)| {
                let image = symmetry.line(Line::new(start, direction), game.rules);
                Line::new(image.start + Point::new(3, 2), image.direction)
            };
            let drawing = Record::from_lines(game.clone(), lines.map(change).to_vec());
            let found = align(&drawing).expect("it fits");
            assert_eq!(outcome(&found.order, 2), (2, 0), "{name:?}: {}", found.change);
        }
    }

    #[test]
    fn a_touching_game_called_disjoint_is_recognised() {
        let touching = random_lines(&game("5T"), &mut Numbers(2));
        let found = align(&Record::from_lines(game("5D"), touching.clone())).expect("as 5T");
        let all = touching.len();
        assert_eq!((&*found.change, outcome(&found.order, all)), ("as 5T", (all, 0)));
    }

    /// Whichever line of a long game was forgotten, the drawing stays where it is, and the line is
    /// found.
    #[test]
    fn a_forgotten_line_is_no_shift() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/5T-168.json");
        let record = record::read(&std::fs::read(file).expect("a file"), None).expect("a game");
        let all: Vec<Line> = record.lines().collect();
        let mut named = 0;
        for missing in 0..all.len() {
            let mut lines = all.clone();
            let line = lines.remove(missing);
            let drawing = typed(&record.game, &lines);
            let order = GameOrder::find(&drawing.to_json()).expect("a drawing");
            let GameOrder::Stuck { stuck } = order else { continue };
            assert!(align(&drawing).is_none(), "{missing}");
            let hint = missing_hint(&drawing, &stuck).expect("one is missing");
            let (one, other) = (line.start, line.end(record.game.rules));
            let ends = format!("with {},{} {},{} all fit", one.x, one.y, other.x, other.y);
            named += usize::from(hint.ends_with(&ends));
        }
        assert!(named > 100, "{named}");
    }

    #[test]
    fn what_fits_nowhere_is_left_alone() {
        let game = game("5T");
        let line = |x, y| Line::new(Point::new(x, y), Direction::East);
        let far = Record::from_lines(game.clone(), vec![line(3, 0), line(50, 50)]);
        assert!(align(&far).is_none());
        assert!(align(&Record::from_lines(game.clone(), Vec::new())).is_none());
        // One mistyped line of a grid that is right otherwise.
        let mut lines = random_lines(&game, &mut Numbers(3));
        lines.push(line(50, 50));
        assert!(align(&Record::from_lines(game, lines)).is_none());
    }
}
