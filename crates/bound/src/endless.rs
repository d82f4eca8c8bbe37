//! The search for endless play: moves that repeat for ever.
//!
//! Play that advances in one direction sees only what is near its front. So the search forgets
//! every dot that is far enough behind and identifies positions that are translates of each other.
//! A walk through these simplified positions that returns to one of them, translated, can continue
//! for ever: forgetting removes moves but adds none, because new dots may not be placed where
//! something has been forgotten. Whether the result really is endless play is for the verifier to
//! decide.

mod write;

use std::collections::{BTreeMap, HashMap, HashSet};

use geometry::{Direction, Game, Line, Move, Point, Rules};

/// Play that repeats: the moves of the prefix, then those of the period over and over, translated
/// once more each time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndlessPlay {
    /// The game.
    pub game: Game,
    /// The moves before the first period.
    pub prefix: Vec<Move>,
    /// The moves that are repeated.
    pub period: Vec<Move>,
    /// The offset from each period to the next.
    pub translation: Point,
}

/// The directions in which a front may advance.
const FRONTS: [(i32, i32); 12] = [
    (1, 0),
    (0, 1),
    (-1, 0),
    (0, -1),
    (1, 1),
    (-1, -1),
    (1, -1),
    (-1, 1),
    (1, 2),
    (2, 1),
    (-1, -2),
    (-2, -1),
];

/// How far behind the front, in dots, positions are forgotten.
const REACHES: [i32; 5] = [3, 4, 6, 10, 16];

/// The longest play considered.
const MOST_MOVES: usize = 400;

/// Searches for endless play, visiting at most `effort` positions for each front and reach, and
/// returns the shortest.
#[must_use]
pub fn find(game: &Game, effort: usize) -> Option<EndlessPlay> {
    if game.start.dots().is_empty() {
        return None;
    }
    let ways =
        REACHES.iter().flat_map(|&reach| FRONTS.map(|front| (reach, Point::new(front.0, front.1))));
    let plays = ways.into_iter().filter_map(|(reach, front)| {
        let steps = front.x.abs().max(front.y.abs());
        let search = FrontSearch {
            rules: game.rules,
            front,
            reach: reach * steps,
            effort,
            seen: HashSet::new(),
            path: HashMap::new(),
            moves: Vec::new(),
        };
        search.run(game)
    });
    plays.min_by_key(|play| play.prefix.len() + play.period.len())
}

/// What is near the front: dots, and in which directions each is occupied, as bits.
type FrontView = BTreeMap<Point, u8>;

/// A depth-first walk through the simplified positions.
struct FrontSearch {
    rules: Rules,
    front: Point,
    reach: i32,
    /// The number of positions that may still be visited.
    effort: usize,
    /// Positions visited, translated so that their first dot is at (0,0).
    seen: HashSet<Vec<(Point, u8)>>,
    /// Those on the way to the current one: the number of moves, and where the first dot was.
    path: HashMap<Vec<(Point, u8)>, (usize, Point)>,
    moves: Vec<Move>,
}

impl FrontSearch {
    fn run(mut self, game: &Game) -> Option<EndlessPlay> {
        let view = self.near(game.start.dots().iter().map(|&dot| (dot, 0)).collect());
        let (repeated, translation) = self.search(&view)?;
        let mut prefix = self.moves;
        let mut period = prefix.split_off(repeated);
        // The play may have repeated before the view of it did.
        while prefix
            .last()
            .is_some_and(|&last| translated(last, translation) == period[period.len() - 1])
        {
            period.pop();
            period.insert(0, prefix.pop().expect("there is a last move"));
        }
        Some(EndlessPlay { game: game.clone(), prefix, period, translation })
    }

    /// Continues from a view. Returns the number of moves when the repeated view was first seen,
    /// and its translation since.
    fn search(&mut self, view: &FrontView) -> Option<(usize, Point)> {
        self.effort = self.effort.checked_sub(1)?;
        if self.moves.len() > MOST_MOVES {
            return None;
        }
        let (&first, _) = view.first_key_value()?;
        let name: Vec<(Point, u8)> = view.iter().map(|(&dot, &used)| (dot - first, used)).collect();
        if let Some(&(moves, place)) = self.path.get(&name) {
            return Some((moves, first - place));
        }
        if !self.seen.insert(name.clone()) {
            return None;
        }
        self.path.insert(name.clone(), (self.moves.len(), first));
        for mv in self.moves_in(view) {
            self.moves.push(mv);
            let next = self.after(view, mv);
            if let Some(found) = self.search(&next) {
                return Some(found);
            }
            self.moves.pop();
        }
        self.path.remove(&name);
        None
    }

    /// The moves that the view allows, the most advanced first.
    fn moves_in(&self, view: &FrontView) -> Vec<Move> {
        let behind = self.horizon(view);
        let mut moves = Vec::new();
        for &dot in view.keys() {
            for direction in Direction::ALL {
                // Each line is found from the first of its dots that exists.
                for offset in 0..2 {
                    let line = Line::new(dot - direction.step() * offset, direction);
                    moves.extend(self.move_by(line, view));
                }
            }
        }
        moves.retain(|mv| self.advance(mv.dot()) > behind);
        moves.sort_unstable_by_key(|mv| (-self.advance(mv.dot()), *mv));
        moves.dedup();
        moves
    }

    /// The move that draws this line, if there is one.
    fn move_by(&self, line: Line, view: &FrontView) -> Option<Move> {
        let mut new = None;
        for (offset, point) in line.points(self.rules).enumerate() {
            match view.get(&point) {
                None if new.is_some() => return None,
                None => new = Some(offset as u8),
                Some(used)
                    if offset < self.rules.marks() && used >> line.direction as u8 & 1 == 1 =>
                {
                    return None;
                }
                Some(_) => {}
            }
        }
        new.map(|offset| Move::new(line, offset))
    }

    /// The view after a move.
    fn after(&self, view: &FrontView, mv: Move) -> FrontView {
        let mut next = view.clone();
        next.insert(mv.dot(), 0);
        for (point, direction) in mv.line.marks(self.rules) {
            *next.get_mut(&point).expect("the dots of a line are in view") |= 1 << direction as u8;
        }
        self.near(next)
    }

    /// The view without what is behind the horizon.
    fn near(&self, mut view: FrontView) -> FrontView {
        let behind = self.horizon(&view);
        view.retain(|&dot, _| self.advance(dot) > behind);
        view
    }

    /// Positions up to here are forgotten.
    fn horizon(&self, view: &FrontView) -> i32 {
        view.keys().map(|&dot| self.advance(dot)).max().unwrap_or(0) - self.reach
    }

    fn advance(&self, dot: Point) -> i32 {
        self.front.x * dot.x + self.front.y * dot.y
    }
}

fn translated(mv: Move, by: Point) -> Move {
    Move { line: Line::new(mv.line.start + by, mv.line.direction), ..mv }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Start;

    fn from(name: &str, dots: &[(i32, i32)]) -> Game {
        let start = Start::from_dots(dots.iter().map(|&(x, y)| Point::new(x, y)));
        Game { rules: name.parse().expect("known"), start: start.expect("few dots") }
    }

    /// Plays some periods by plain rules; only the verifier proves that it never ends.
    fn check_periods(play: &EndlessPlay) {
        let rules = play.game.rules;
        let mut dots: HashSet<Point> = play.game.start.dots().iter().copied().collect();
        let mut used = HashSet::new();
        let rounds = (0..50).flat_map(|round| {
            play.period.iter().map(move |&mv| translated(mv, play.translation * round))
        });
        for mv in play.prefix.iter().copied().chain(rounds) {
            assert!(dots.insert(mv.dot()), "{mv}");
            assert!(mv.line.points(rules).all(|dot| dots.contains(&dot)), "{mv}");
            assert!(mv.line.marks(rules).all(|mark| used.insert(mark)), "{mv}");
        }
    }

    #[test]
    fn the_games_that_the_paper_calls_endless_are_endless() {
        let seven = [(0, 0), (0, 2), (0, 3), (1, 2), (2, 1), (3, 1), (3, 2)];
        for kind in ["D", "T"] {
            let game = |name: &str| Game::named(&format!("{name}{kind}")).expect("known");
            let games = [
                game("2"),
                game("3"),
                from(&format!("3{kind}"), &[(0, 0), (1, 0), (1, 1)]),
                from(&format!("4{kind}"), &seven),
            ];
            for game in games {
                let play = find(&game, 1000).unwrap_or_else(|| panic!("{game}"));
                check_periods(&play);
            }
        }
    }

    #[test]
    fn finite_games_are_not_endless() {
        for name in ["6T", "6D", "4D"] {
            assert_eq!(find(&Game::named(name).expect("known"), 300), None, "{name}");
        }
        assert_eq!(find(&from("2D", &[]), 300), None);
    }
}
