//! A game as the end of an address: `5T/` and about one letter for each move.
//!
//! A move is its place in the list of legal moves, whose order `rules` promises, so a link can hold
//! legal games only. A number is written in digits of base 32, the highest first; all but the last
//! are raised by 32. Another start than the usual cross follows the rules after a point: its
//! corner, its width, and the gaps between its dots, row by row.

use geometry::{Game, Move, Point, Start};
use rules::{IllegalSequence, PlainPosition, Position};
use serde_json::json;

use crate::limits;
use crate::play::{PlayError, named, within};
use crate::view::{LinkView, PositionView, SharedGameView};

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The link of a game.
pub(crate) fn link(game: &Game, moves: &[Move]) -> Result<LinkView, PlayError> {
    let mut link = game.rules.to_string();
    if !game.is_usual() {
        link.push('.');
        write_start(&game.start, &mut link);
    }
    link.push('/');
    let mut position = PlainPosition::start(game.clone());
    for (number, &mv) in (1..).zip(moves) {
        let Some(index) = position.legal().iter().position(|&legal| legal == mv) else {
            let reason = position.refusal(mv);
            return Err(IllegalSequence { number, reason }.into());
        };
        write_number(index as u64, &mut link);
        position.play_nth(index);
    }
    Ok(LinkView { link })
}

/// The game of a link, and its position.
pub fn open_link(link: &str) -> Result<SharedGameView, PlayError> {
    let (head, letters) = link.split_once('/').ok_or(PlayError::Link)?;
    let (rules, start) = match head.split_once('.') {
        Some((rules, start)) => (rules, Some(start)),
        None => (head, None),
    };
    let mut game = named(rules)?;
    if let Some(start) = start {
        game.start = read_start(start)?;
    }
    within("moves", letters.len(), 4 * limits::PLAYED_MOVES)?;
    let mut position = PlainPosition::start(game.clone());
    let (mut rest, mut counts) = (letters.as_bytes(), vec![position.legal().len()]);
    while !rest.is_empty() {
        let index = read_number(&mut rest)? as usize;
        if index >= position.legal().len() {
            return Err(PlayError::Link);
        }
        position.play_nth(index);
        counts.push(position.legal().len());
        within("moves", counts.len() - 1, limits::PLAYED_MOVES)?;
    }
    Ok(SharedGameView {
        record: native(&game, &position.moves()),
        position: PositionView::new(&game, position.legal(), counts),
    })
}

/// The game in the native format.
fn native(game: &Game, moves: &[Move]) -> serde_json::Value {
    let dots = |dot: &Point| [dot.x, dot.y];
    let start = match game.is_usual() {
        true => json!("cross"),
        false => json!(game.start.dots().iter().map(dots).collect::<Vec<_>>()),
    };
    let moves: Vec<record::MoveJson> = moves.iter().map(|&mv| mv.into()).collect();
    let rules = game.rules.to_string();
    json!({"format": "morpion-game/1", "rules": rules, "start": start, "moves": moves})
}

fn write_number(number: u64, text: &mut String) {
    let digits = (64 - number.leading_zeros()).div_ceil(5).max(1);
    for digit in (0..digits).rev() {
        let value = (number >> (5 * digit) & 31) as usize;
        text.push(LETTERS[value + if digit > 0 { 32 } else { 0 }].into());
    }
}

fn read_number(letters: &mut &[u8]) -> Result<u64, PlayError> {
    let mut number: u64 = 0;
    loop {
        let (&first, rest) = letters.split_first().ok_or(PlayError::Link)?;
        *letters = rest;
        let value = LETTERS.iter().position(|&letter| letter == first).ok_or(PlayError::Link)?;
        if number >> 40 != 0 {
            return Err(PlayError::Link);
        }
        number = number << 5 | (value as u64 & 31);
        if value < 32 {
            return Ok(number);
        }
    }
}

fn write_start(start: &Start, text: &mut String) {
    let Some((low, high)) = start.bounds() else { return };
    let width = i64::from(high.x - low.x) + 1;
    for coordinate in [low.x, low.y] {
        write_number((coordinate << 1 ^ coordinate >> 31) as u32 as u64, text);
    }
    write_number(width as u64, text);
    let place = |dot: &Point| i64::from(dot.y - low.y) * width + i64::from(dot.x - low.x);
    let mut places: Vec<i64> = start.dots().iter().map(place).collect();
    places.sort_unstable();
    let mut next = 0;
    for place in places {
        write_number((place - next) as u64, text);
        next = place + 1;
    }
}

fn read_start(text: &str) -> Result<Start, PlayError> {
    let mut letters = text.as_bytes();
    let mut dots = Vec::new();
    if !letters.is_empty() {
        let mut coordinate = || {
            let number = u32::try_from(read_number(&mut letters)?).map_err(|_| PlayError::Link)?;
            Ok::<_, PlayError>((number >> 1) as i32 ^ -((number & 1) as i32))
        };
        let low = Point::new(coordinate()?, coordinate()?);
        let width = read_number(&mut letters)?.max(1);
        let mut next: u64 = 0;
        while !letters.is_empty() {
            let place = next + read_number(&mut letters)?;
            next = place + 1;
            let at = |low: i32, by: u64| {
                let by = i32::try_from(by).ok()?;
                low.checked_add(by)
            };
            let (x, y) = (at(low.x, place % width), at(low.y, place / width));
            let dot = x.zip(y).map(|(x, y)| Point::new(x, y)).ok_or(PlayError::Link)?;
            dots.push(dot);
            within("dots", dots.len(), limits::DOTS)?;
        }
    }
    Start::from_dots(dots).map_err(|_| PlayError::Link)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::played;
    use geometry::Rules;
    use proptest::prelude::*;
    use record::Record;

    fn link(text: &[u8]) -> Result<LinkView, crate::ApiError> {
        crate::link(text)
    }

    fn moves_of(link: &str) -> (Game, Vec<geometry::Move>) {
        let record = open_link(link).expect("a link").record;
        played(record.to_string().as_bytes()).expect("a game")
    }

    #[test]
    fn a_long_game_takes_a_letter_for_each_move() {
        let text = include_bytes!("../data/games/5T-169.json");
        let link = link(text).expect("legal").link;
        assert!(link.len() <= 3 + 180, "{} letters: {link}", link.len());
        let (game, moves) = moves_of(&link);
        let (same, expected) = played(text).expect("a game");
        assert_eq!((game, moves), (same, expected));
    }

    #[test]
    fn what_is_no_link_is_refused() {
        for text in ["", "5T", "5T/!", "5T/9", "5T/____________A", "7/A", "5T.A/", "5T/\u{e9}"] {
            assert!(open_link(text).is_err(), "{text}");
        }
        assert_eq!(open_link("5T/").expect("no moves").position.legal.len(), 28);
    }

    proptest! {
        #[test]
        fn a_game_from_any_start_comes_back(
            dots in prop::collection::btree_set((-40..40i32, -40..40i32), 1..60),
            choices in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
        ) {
            let rules = Rules::new(3, true).expect("rules");
            let start = Start::from_dots(dots.iter().map(|&(x, y)| Point::new(x, y)));
            let game = Game { rules, start: start.expect("dots") };
            let mut position = PlainPosition::start(game.clone());
            for choice in choices {
                if !position.legal().is_empty() {
                    position.play_nth(choice.index(position.legal().len()));
                }
            }
            let text = Record::from_moves(game.clone(), position.moves()).to_json();
            let link = link(text.as_bytes()).expect("legal").link;
            prop_assert_eq!(moves_of(&link), (game, position.moves()));
        }

        #[test]
        fn any_text_is_a_game_or_refused(text in "[0-9A-Za-z./_-]{0,40}") {
            let _ = open_link(&text);
            let _ = open_link(&format!("4D.{text}"));
        }
    }
}
