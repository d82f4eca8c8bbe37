//! Looking for play that repeats itself for ever.
//!
//! Play that moves on in one direction sees only what lies near its front. So the search forgets
//! every dot that has fallen far enough behind and takes two positions for the same if one is the
//! other moved. A walk through the positions so simplified that comes back to one, moved, can go on
//! for ever: forgetting takes away moves but adds none, for new dots may not be placed where
//! something has been forgotten. Whether what is found really is endless play is for the judge to say.

use std::collections::{BTreeMap, HashMap, HashSet};

use geometry::{Direction, Game, Line, Move, Point, Rules};

/// Play that repeats itself: the moves of the prefix, then those of the period again and again, each
/// time moved on by the translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndlessPlay {
    /// What is played.
    pub game: Game,
    /// The moves before the first period.
    pub prefix: Vec<Move>,
    /// The moves that are repeated.
    pub period: Vec<Move>,
    /// By how much each period lies beyond the one before.
    pub translation: Point,
}

/// The directions in which play may move on, as the direction in which a front advances.
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

/// How far behind the front, in dots, something is forgotten.
const REACHES: [i32; 5] = [3, 4, 6, 10, 16];

/// The longest play looked at.
const MOST_MOVES: usize = 400;

/// Looks for endless play, at no more than `effort` positions for each way to look, and keeps the
/// shortest.
pub fn find(game: &Game, effort: usize) -> Option<EndlessPlay> {
    if game.start.dots().is_empty() {
        return None;
    }
    let ways =
        REACHES.iter().flat_map(|&reach| FRONTS.map(|front| (reach, Point::new(front.0, front.1))));
    let found = ways.into_iter().filter_map(|(reach, front)| {
        let steps = front.x.abs().max(front.y.abs());
        let walk = Walk {
            rules: game.rules,
            front,
            reach: reach * steps,
            effort,
            seen: HashSet::new(),
            path: HashMap::new(),
            moves: Vec::new(),
        };
        walk.run(game)
    });
    found.min_by_key(|play| play.prefix.len() + play.period.len())
}

/// What is known near the front: dots, and in which directions each is used up, as bits.
type View = BTreeMap<Point, u8>;

/// A depth-first walk through the simplified positions.
struct Walk {
    rules: Rules,
    front: Point,
    reach: i32,
    /// How many positions may still be looked at.
    effort: usize,
    /// Positions looked at, moved so that their first dot is at (0,0).
    seen: HashSet<Vec<(Point, u8)>>,
    /// Those on the way to the present one: after how many moves, and where the first dot was.
    path: HashMap<Vec<(Point, u8)>, (usize, Point)>,
    moves: Vec<Move>,
}

impl Walk {
    fn run(mut self, game: &Game) -> Option<EndlessPlay> {
        let view = self.near(game.start.dots().iter().map(|&dot| (dot, 0)).collect());
        let (repeated, translation) = self.go_on(&view)?;
        let mut prefix = self.moves;
        let mut period = prefix.split_off(repeated);
        // The play may have repeated itself before the view of it did.
        while prefix
            .last()
            .is_some_and(|&last| moved(last, translation) == period[period.len() - 1])
        {
            period.pop();
            period.insert(0, prefix.pop().expect("there is a last move"));
        }
        Some(EndlessPlay { game: game.clone(), prefix, period, translation })
    }

    /// Goes on from a view; how many moves there were when the last view was seen before, and by
    /// how much it has moved since.
    fn go_on(&mut self, view: &View) -> Option<(usize, Point)> {
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
            if let Some(found) = self.go_on(&next) {
                return Some(found);
            }
            self.moves.pop();
        }
        self.path.remove(&name);
        None
    }

    /// The moves that the view allows, those that reach furthest first.
    fn moves_in(&self, view: &View) -> Vec<Move> {
        let behind = self.horizon(view);
        let mut moves = Vec::new();
        for &dot in view.keys() {
            for direction in Direction::ALL {
                // Each line is met at its first dot that is there.
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
    fn move_by(&self, line: Line, view: &View) -> Option<Move> {
        let mut new = None;
        for (offset, point) in line.points(self.rules).enumerate() {
            match view.get(&point) {
                None if new.is_some() => return None,
                None => new = Some(offset as u8),
                Some(used) if offset < self.uses() && used >> line.direction as u8 & 1 == 1 => {
                    return None;
                }
                Some(_) => {}
            }
        }
        new.map(|offset| Move::new(line, offset))
    }

    /// The view after a move.
    fn after(&self, view: &View, mv: Move) -> View {
        let mut next = view.clone();
        next.insert(mv.dot(), 0);
        for point in mv.line.points(self.rules).take(self.uses()) {
            *next.get_mut(&point).expect("the dots of a line are in view") |=
                1 << mv.line.direction as u8;
        }
        self.near(next)
    }

    /// What is left when all that lies behind is forgotten.
    fn near(&self, mut view: View) -> View {
        let behind = self.horizon(&view);
        view.retain(|&dot, _| self.advance(dot) > behind);
        view
    }

    /// What is at most as far is forgotten.
    fn horizon(&self, view: &View) -> i32 {
        view.keys().map(|&dot| self.advance(dot)).max().unwrap_or(0) - self.reach
    }

    fn advance(&self, dot: Point) -> i32 {
        self.front.x * dot.x + self.front.y * dot.y
    }

    /// How many dots a line uses up in its direction, from its first on; touching ones leave the last.
    fn uses(&self) -> usize {
        self.rules.length() - usize::from(self.rules.touching())
    }
}

fn moved(mv: Move, by: Point) -> Move {
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

    /// Plays on for some periods by plain rules; the judge proves that it never ends.
    fn goes_on(play: &EndlessPlay) {
        let rules = play.game.rules;
        let mut dots: HashSet<Point> = play.game.start.dots().iter().copied().collect();
        let mut used = HashSet::new();
        let rounds = (0..50).flat_map(|round| {
            play.period.iter().map(move |&mv| moved(mv, play.translation * round))
        });
        for mv in play.prefix.iter().copied().chain(rounds) {
            assert!(dots.insert(mv.dot()), "{mv}");
            assert!(mv.line.points(rules).all(|dot| dots.contains(&dot)), "{mv}");
            let uses = rules.length() - usize::from(rules.touching());
            for point in mv.line.points(rules).take(uses) {
                assert!(used.insert((point, mv.line.direction)), "{mv}");
            }
        }
    }

    #[test]
    fn the_games_that_the_paper_calls_endless_are() {
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
                goes_on(&play);
            }
        }
    }

    #[test]
    fn games_with_an_end_are_not_called_endless() {
        for name in ["6T", "6D", "4D"] {
            assert_eq!(find(&Game::named(name).expect("known"), 300), None, "{name}");
        }
        assert_eq!(find(&from("2D", &[]), 300), None);
    }
}
