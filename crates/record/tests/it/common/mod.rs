//! Records of all kinds, for the laws: any moves at all, since legality is not this crate's matter.

use geometry::{Direction, Game, Line, Move, Point, Rules, Start};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use record::{Claims, Play, Provenance, Record};
use serde_json::{Map, Value};

/// Far enough from the coordinate limit for a line of any length and direction.
const FAR: i32 = geometry::COORDINATE_LIMIT - 16;

fn coordinates() -> impl Strategy<Value = i32> {
    prop_oneof![8 => -30..30, 1 => -FAR..=FAR, 1 => Just(FAR), 1 => Just(-FAR)]
}

fn points() -> impl Strategy<Value = Point> {
    (coordinates(), coordinates()).prop_map(|(x, y)| Point::new(x, y))
}

fn rules() -> impl Strategy<Value = Rules> {
    let length = Rules::MIN_LENGTH..=Rules::MAX_LENGTH;
    (length, any::<bool>()).prop_map(|(l, touching)| Rules::new(l, touching).expect("in range"))
}

fn starts() -> impl Strategy<Value = Start> {
    prop_oneof![
        (1..20usize).prop_map(|side| Start::cross(side).expect("in range")),
        vec(points(), 0..40).prop_map(|dots| Start::from_dots(dots).expect("within the limit")),
    ]
}

/// Games from any start, and from the usual cross.
fn games() -> impl Strategy<Value = Game> {
    prop_oneof![
        rules().prop_map(Game::from_cross),
        (rules(), starts()).prop_map(|(rules, start)| Game { rules, start }),
    ]
}

fn lines() -> impl Strategy<Value = Line> {
    (points(), 0..4usize).prop_map(|(start, d)| Line::new(start, Direction::ALL[d]))
}

/// Moves by the given rules.
fn moves(rules: Rules) -> impl Strategy<Value = Vec<Move>> {
    let mv = (lines(), 0..rules.length() as u8).prop_map(|(line, offset)| Move::new(line, offset));
    vec(mv, 0..30)
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(any::<String>(), inner, 0..4)
                .prop_map(|map| Value::Object(Map::from_iter(map))),
        ]
    })
}

fn provenances() -> impl Strategy<Value = Provenance> {
    let text = || option::of(any::<String>());
    let texts = (text(), text(), text(), btree_map(any::<String>(), any::<String>(), 0..3));
    let numbers = (any::<Option<u64>>(), any::<Option<u32>>(), any::<Option<u64>>());
    let seconds = option::of(prop::num::f64::NORMAL | prop::num::f64::ZERO);
    let other = btree_map("[A-Zé\"\\\\ ]{0,8}", values(), 0..3);
    (texts, numbers, seconds, other).prop_map(
        |((program, method, author, parameters), (seed, threads, playouts), cpu_seconds, other)| {
            let other = Map::from_iter(other);
            Provenance {
                program,
                method,
                parameters,
                seed,
                threads,
                playouts,
                cpu_seconds,
                author,
                other,
            }
        },
    )
}

fn claims() -> impl Strategy<Value = Claims> {
    (any::<Option<u64>>(), any::<Option<bool>>())
        .prop_map(|(score, terminal)| Claims { score, terminal })
}

/// Records of moves in `game`.
pub(crate) fn records_of(game: Game) -> impl Strategy<Value = Record> {
    let rules = game.rules;
    (Just(game), moves(rules), claims(), provenances()).prop_map(
        |(game, moves, claims, provenance)| Record {
            game,
            play: Play::Moves(moves),
            claims,
            provenance,
        },
    )
}

/// Records of all kinds.
pub(crate) fn records() -> impl Strategy<Value = Record> {
    let drawn = any::<bool>();
    (games().prop_flat_map(records_of), drawn)
        .prop_map(|(record, drawn)| if drawn { record.to_drawing() } else { record })
}
