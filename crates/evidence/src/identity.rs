//! When two games are the same.
//!
//! Two games are the same if their lines are, in any order, after one of the symmetries of the
//! start. Two proofs are the same if their texts are.

use std::fmt;

use geometry::{Game, Line};

use crate::seal::{hash, hex, seal};

/// The identity of a game or a proof: 64 hexadecimal digits that depend on its content only.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(String);

impl Id {
    const SHORT: usize = 12;

    /// The id of a game with these lines.
    #[must_use]
    pub fn from_lines(game: &Game, lines: &[Line]) -> Self {
        let mut bytes = format!("{}\n", game.rules).into_bytes();
        for dot in game.start.dots() {
            bytes.extend([dot.x, dot.y].map(i32::to_le_bytes).as_flattened());
        }
        bytes.push(b'\n');
        for line in least_image(game, lines) {
            bytes.extend([line.start.x, line.start.y].map(i32::to_le_bytes).as_flattened());
            bytes.push(line.direction as u8);
        }
        Self(hex(&hash(&bytes)))
    }

    /// The id of a text.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        Self(hex(&hash(text.as_bytes())))
    }

    /// An id as it was stored.
    #[must_use]
    pub fn from_stored(digits: String) -> Self {
        Self(digits)
    }

    /// All its digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Enough digits for people.
    #[must_use]
    pub fn short(&self) -> &str {
        self.0.get(..Self::SHORT).unwrap_or(&self.0)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of a game in the archive: `5T`, `5T cross:6`, or `5T dots:` and sixteen digits that
/// identify the dots.
#[must_use]
pub fn game_key(game: &Game) -> String {
    let rules = game.rules;
    if game.is_usual() {
        return rules.to_string();
    }
    if game.start.cross_side().is_some() {
        return format!("{rules} {}", game.start_name());
    }
    let dots = game.start.dots().iter().map(|dot| format!("{},{}", dot.x, dot.y));
    let dots: Vec<String> = dots.collect();
    let digits = hex(&seal(&[dots.join(" ").as_bytes()]));
    format!("{rules} dots:{}", &digits[..16])
}

/// The lines, sorted, after the symmetry of the start that makes them least.
fn least_image(game: &Game, lines: &[Line]) -> Vec<Line> {
    let image = |symmetry: geometry::Symmetry| {
        let mut image: Vec<Line> =
            lines.iter().map(|&line| symmetry.line(line, game.rules)).collect();
        image.sort_unstable();
        image
    };
    game.start.symmetries().into_iter().map(image).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use geometry::{Move, Point, Start};
    use proptest::prelude::*;
    use rules::{PlainPosition, Position as _};

    use super::*;

    /// The legal game that `choices` select.
    fn played(game: &Game, choices: &[usize]) -> Vec<Move> {
        let mut board = PlainPosition::start(game.clone());
        for choice in choices {
            if !board.legal().is_empty() {
                board.play_nth(choice % board.legal().len());
            }
        }
        board.moves()
    }

    proptest! {
        #[test]
        fn images_of_a_game_are_the_same_game_in_any_order(
            choices in prop::collection::vec(0usize..1000, 1..25),
            turn in 0usize..8,
            by in 0usize..25,
        ) {
            let game = Game::named("5T").expect("a game");
            let lines: Vec<Line> = played(&game, &choices).iter().map(|mv| mv.line).collect();
            let symmetry = game.start.symmetries()[turn];
            let mut image: Vec<Line> =
                lines.iter().map(|&line| symmetry.line(line, game.rules)).collect();
            let middle = by % image.len();
            image.rotate_left(middle);
            prop_assert_eq!(Id::from_lines(&game, &lines), Id::from_lines(&game, &image));
            // And one line less is another game.
            prop_assert_ne!(Id::from_lines(&game, &lines), Id::from_lines(&game, &lines[1..]));
        }
    }

    #[test]
    fn without_symmetries_of_the_start_images_are_different_games() {
        let dots = [(0, 0), (1, 0), (2, 0), (0, 7)].map(|(x, y)| Point::new(x, y));
        let start = Start::from_dots(dots).expect("few dots");
        let game = Game { rules: "4T".parse().expect("rules"), start };
        let lines: Vec<Line> =
            [-1, 0].map(|x| Line::new(Point::new(x, 0), geometry::Direction::East)).into();
        assert_ne!(Id::from_lines(&game, &lines[..1]), Id::from_lines(&game, &lines[1..]));
    }

    #[test]
    fn different_starts_have_different_keys() {
        let usual = Game::named("5T").expect("a game");
        assert_eq!(game_key(&usual), "5T");
        let start = Start::cross(6).expect("a cross");
        assert_eq!(game_key(&Game { start, ..usual.clone() }), "5T cross:6");
        let with = |x| {
            let start = Start::from_dots([Point::new(x, 0)]).expect("a dot");
            game_key(&Game { start, ..usual.clone() })
        };
        assert!(with(1).starts_with("5T dots:") && with(1).len() == 24, "{}", with(1));
        assert_ne!(with(1), with(2));
    }
}
