//! Drawings in other coordinates: shifted, mirrored, turned, or of the other kind of lines.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use evidence::{GameOrder, VerifiedRecord};
use geometry::{Game, Line, Point, Rules, Symmetry};
use record::Record;
use rules::{PlainPosition, Position};

/// The most shifts that are tried for each symmetry.
const SHIFTS: usize = 60;

/// How many lines a drawing must have: one line fits anywhere, and many take long.
const LINES: RangeInclusive<usize> = 2..=1000;

/// A drawing that can be played after its coordinates were changed.
#[derive(Debug)]
pub struct Alignment {
    /// The game, verified, in the usual coordinates.
    pub game: VerifiedRecord,
    /// The numbers of its lines in the drawing, in the order of play, from 0.
    pub order: Vec<u32>,
    /// What was changed: `moved by (-1,-1)`.
    pub change: String,
}

/// Looks for coordinates in which all lines of a drawing can be played: moved, mirrored, turned,
/// with y upward, touching or disjoint. The first of these that fits is taken. It is meant for
/// drawings of which nothing fits as written.
#[must_use]
pub fn align(drawing: &Record) -> Option<Alignment> {
    let lines: Vec<Line> = drawing.lines().collect();
    if !LINES.contains(&lines.len()) {
        return None;
    }
    let other = Rules::new(drawing.game.rules.length(), !drawing.game.rules.touching()).ok()?;
    let other = Game { rules: other, start: drawing.game.start.clone() };
    [&drawing.game, &other].into_iter().find_map(|game| {
        let renamed = if *game == drawing.game { None } else { Some(format!("as {game}")) };
        symmetries().into_iter().find_map(|(symmetry, name)| {
            let turned = lines.iter().map(|&line| symmetry.line(line, game.rules));
            let turned: Vec<Line> = turned.collect();
            shifts(game, &turned).into_iter().find_map(|shift| {
                let moved = turned.iter().map(|line| Line::new(line.start + shift, line.direction));
                let text = Record::from_lines(game.clone(), moved.collect()).to_json();
                let Ok(GameOrder::Ordered { game: found, order }) = GameOrder::find(&text) else {
                    return None;
                };
                let moved = (shift != Point::new(0, 0))
                    .then(|| format!("moved by ({},{})", shift.x, shift.y));
                let parts = [name.map(str::to_owned), moved, renamed.clone()];
                let change = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
                Some(Alignment { game: *found, order, change })
            })
        })
    })
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

/// Shifts after which some line could be played first, those that suit most lines first.
fn shifts(game: &Game, lines: &[Line]) -> Vec<Point> {
    let start = PlainPosition::start(game.clone());
    let mut votes: HashMap<Point, usize> = HashMap::new();
    for &code in start.legal() {
        let first = start.decode(code).line;
        for line in lines.iter().filter(|line| line.direction == first.direction) {
            *votes.entry(first.start - line.start).or_default() += 1;
        }
    }
    let mut shifts: Vec<(Point, usize)> = votes.into_iter().collect();
    // Equal votes: the smallest shift first, so that the result does not depend on chance.
    shifts.sort_by_key(|&(shift, votes)| {
        (usize::MAX - votes, shift.x.abs() + shift.y.abs(), shift.x, shift.y)
    });
    shifts.into_iter().take(SHIFTS).map(|(shift, _)| shift).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A random-looking game of 5T as a drawing, its lines changed.
    fn drawing(change: impl Fn(Line) -> Line) -> Record {
        let game = Game::named("5T").expect("known");
        let mut position = PlainPosition::start(game.clone());
        for step in 0..40 {
            let legal = position.legal().len();
            if legal > 0 {
                position.play_nth(step * 7 % legal);
            }
        }
        let lines = position.moves().into_iter().map(|mv| change(mv.line)).collect();
        Record::from_lines(game, lines)
    }

    #[test]
    fn a_shifted_or_mirrored_drawing_is_brought_back() {
        let rules = Game::named("5T").expect("known").rules;
        let moved = drawing(|line| Line::new(line.start + Point::new(1, 1), line.direction));
        let found = align(&moved).expect("it fits");
        assert_eq!(found.change, "moved by (-1,-1)");
        assert_eq!(found.game.score() as usize, moved.lines().len());
        for (symmetry, _) in symmetries() {
            let turned = drawing(|line| symmetry.line(line, rules));
            assert!(align(&turned).is_some(), "{symmetry:?}");
        }
    }

    #[test]
    fn a_touching_game_called_disjoint_is_recognised() {
        let touching = drawing(|line| line);
        let disjoint = Game::named("5D").expect("known");
        let drawing = Record::from_lines(disjoint, touching.lines().collect());
        let Some(found) = align(&drawing) else { panic!("it fits as 5T") };
        assert_eq!(found.change, "as 5T");
    }

    #[test]
    fn what_fits_nowhere_is_left_alone() {
        let game = Game::named("5T").expect("known");
        let line = |x, y| Line::new(Point::new(x, y), geometry::Direction::East);
        let far = Record::from_lines(game.clone(), vec![line(3, 0), line(50, 50)]);
        assert!(align(&far).is_none());
        assert!(align(&Record::from_lines(game, Vec::new())).is_none());
    }
}
