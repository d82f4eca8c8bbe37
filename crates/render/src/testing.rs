//! Games for tests: some played by a plain generator, some that no player would play.

use std::collections::HashSet;

use geometry::{COORDINATE_LIMIT, Direction, Game, Line, Move, Point, Rules, Start};
use proptest::prelude::*;
use record::Record;

/// The first moves of some legal 5T game.
pub(crate) fn game(moves: usize) -> Record {
    legal(Game::named("5T").expect("a known game"), moves, 7)
}

/// The first moves of a legal game, drawn at random by the rules as they are written.
pub(crate) fn legal(game: Game, moves: usize, mut seed: u64) -> Record {
    let rules = game.rules;
    let mut dots: HashSet<Point> = game.start.dots().iter().copied().collect();
    let mut used: HashSet<(Point, Direction)> = HashSet::new();
    let mut played = Vec::new();
    while played.len() < moves {
        let mut options = Vec::new();
        let (low, high) = crate::look::bounds(&Record::from_moves(game.clone(), played.clone()));
        for x in low.x - rules.length() as i32..=high.x + 1 {
            for y in low.y - rules.length() as i32..=high.y + rules.length() as i32 {
                for direction in Direction::ALL {
                    let line = Line::new(Point::new(x, y), direction);
                    let missing: Vec<usize> = (0..rules.length())
                        .filter(|&offset| !dots.contains(&line.point(offset)))
                        .collect();
                    if let [offset] = missing[..]
                        && line.marks(rules).all(|mark| !used.contains(&mark))
                    {
                        options.push(Move::new(line, offset as u8));
                    }
                }
            }
        }
        let Some(last) = options.len().checked_sub(1) else { break };
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mv = options[((seed >> 33) as usize) % (last + 1)];
        dots.insert(mv.dot());
        used.extend(mv.line.marks(rules));
        played.push(mv);
    }
    Record::from_moves(game, played)
}

/// A game with these moves on a grid without any start.
pub(crate) fn without_start(rules: Rules, moves: Vec<Move>) -> Record {
    let start = Start::from_dots([]).expect("no dots are few");
    Record::from_moves(Game { rules, start }, moves)
}

/// Two dots as far apart as coordinates go, and a line at each.
pub(crate) fn far_apart() -> Record {
    let far = COORDINATE_LIMIT;
    let start = Start::from_dots([Point::new(-far, -far), Point::new(far, far)]);
    let rules = Rules::new(5, true).expect("5T");
    let game = Game { rules, start: start.expect("within the limit") };
    let moves = [Point::new(-far, far - 4), Point::new(far - 4, -far)]
        .map(|at| Move::new(Line::new(at, Direction::SouthEast), 0));
    Record::from_moves(game, moves.to_vec())
}

/// This many moves, each a knight's step from the one before and none of them legal.
pub(crate) fn crowd(moves: usize) -> Record {
    let rules = Rules::new(5, false).expect("5D");
    let list = (0..moves as i32).map(|number| {
        let at = Point::new(number % 300, (number / 300) % 300);
        Move::new(Line::new(at, Direction::ALL[number as usize % 4]), (number % 5) as u8)
    });
    without_start(rules, list.collect())
}

/// Any record at all, legal or not: moves or lines, near or far, and any text.
pub(crate) fn any_record() -> impl Strategy<Value = Record> {
    let near = -20..20;
    let far = -COORDINATE_LIMIT + 16..=COORDINATE_LIMIT - 16;
    let number = prop_oneof![8 => near, 1 => far];
    let point = (number.clone(), number).prop_map(|(x, y)| Point::new(x, y));
    let line = (point.clone(), 0usize..4)
        .prop_map(|(start, direction)| Line::new(start, Direction::ALL[direction]));
    let text = prop::option::of(prop::collection::vec(any::<char>(), 0..30));
    let text = text.prop_map(|text| text.map(String::from_iter));
    (
        (2usize..=16, any::<bool>(), any::<bool>()),
        prop::collection::vec(point, 0..30),
        prop::collection::vec((line, any::<u8>()), 0..30),
        (text.clone(), text),
    )
        .prop_map(|((length, touching, ordered), dots, lines, (author, program))| {
            let rules = Rules::new(length, touching).expect("in range");
            let game = Game { rules, start: Start::from_dots(dots).expect("few and near") };
            let offset = |any: u8| any % length as u8;
            let mut record = if ordered {
                let moves = lines.into_iter().map(|(line, any)| Move::new(line, offset(any)));
                Record::from_moves(game, moves.collect())
            } else {
                Record::from_lines(game, lines.into_iter().map(|(line, _)| line).collect())
            };
            record.provenance.author = author;
            record.provenance.program = program;
            record
        })
}
