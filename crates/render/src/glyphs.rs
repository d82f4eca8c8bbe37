//! Digits and letters drawn as strokes.
//!
//! A bare machine has no fonts, and a picture must look the same on all: so the numbers, and in
//! pixels the caption too, are drawn with these strokes. They are made for this program: one line
//! width, round ends, capitals and digits ten units high, open shapes that stay apart when small.

use crate::shape::Path;

/// The height of capitals and digits, in the units of the strokes.
const HEIGHT: f64 = 10.0;
/// The empty room after each glyph.
const GAP: f64 = 2.6;
/// What is drawn for a character without strokes.
const UNKNOWN: (f64, &str) = (5.0, "M0 1H5V10H0Z");

/// One line of text: its strokes, with the left end of the baseline at the origin, and its width.
///
/// `height` is that of a capital letter.
pub(crate) fn text(content: &str, height: f64) -> (Path, f64) {
    let scale = height / HEIGHT;
    let mut path = Path::default();
    let mut right = 0.0;
    for character in content.chars() {
        let (width, strokes) = glyph(character);
        path.append(strokes, scale, right * scale, -height);
        right += width + GAP;
    }
    (path, (right - GAP).max(0.0) * scale)
}

/// How wide a line of text is.
pub(crate) fn width(content: &str, height: f64) -> f64 {
    let units: f64 = content.chars().map(|character| glyph(character).0 + GAP).sum();
    (units - GAP).max(0.0) * height / HEIGHT
}

/// A number centred on the origin, no higher than `height` and no wider than `room`, and its
/// height.
///
/// All numbers with equally many digits are equally high.
pub(crate) fn number(number: usize, height: f64, room: f64) -> (Path, f64) {
    let digits = number.to_string();
    let widest = "8".repeat(digits.len());
    let height = height.min(height * room / width(&widest, height));
    let (path, width) = text(&digits, height);
    (path.moved(-width / 2.0, height / 2.0), height)
}

/// The width and the strokes of a character, from the top left corner of a capital letter.
fn glyph(character: char) -> (f64, &'static str) {
    let plain = without_accent(character);
    match GLYPHS.binary_search_by_key(&plain, |glyph| glyph.0) {
        Ok(place) => (GLYPHS[place].1, GLYPHS[place].2),
        Err(_) => UNKNOWN,
    }
}

/// The letter under the accent, for the Latin letters that names are written with.
pub(crate) fn without_accent(character: char) -> char {
    match character {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'À'..='Å' | 'Ā' | 'Ă' | 'Ą' => 'A',
        'ç' | 'ć' | 'č' => 'c',
        'Ç' | 'Ć' | 'Č' => 'C',
        'ď' | 'đ' => 'd',
        'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => 'e',
        'È'..='Ë' | 'Ē' | 'Ė' | 'Ę' | 'Ě' => 'E',
        'ğ' => 'g',
        'ì'..='ï' | 'ī' | 'ı' => 'i',
        'Ì'..='Ï' | 'Ī' | 'İ' => 'I',
        'ł' => 'l',
        'Ł' => 'L',
        'ñ' | 'ń' | 'ň' => 'n',
        'Ñ' | 'Ń' | 'Ň' => 'N',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => 'o',
        'Ò'..='Ö' | 'Ø' | 'Ō' | 'Ő' => 'O',
        'ř' => 'r',
        'Ř' => 'R',
        'ś' | 'š' | 'ş' => 's',
        'Ś' | 'Š' | 'Ş' => 'S',
        'ť' => 't',
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => 'u',
        'Ù'..='Ü' | 'Ū' | 'Ů' | 'Ű' => 'U',
        'ý' | 'ÿ' => 'y',
        'Ý' => 'Y',
        'ź' | 'ż' | 'ž' => 'z',
        'Ź' | 'Ż' | 'Ž' => 'Z',
        '‘' | '’' => '\'',
        '“' | '”' => '"',
        '‐'..='―' => '-',
        '\u{a0}' => ' ',
        other => other,
    }
}

/// Character, width, strokes; sorted by character.
#[rustfmt::skip]
const GLYPHS: [(char, f64, &str); 97] = [
    (' ', 1.4, ""),
    ('!', 0.0, "M0 0V6.6M0 9.6V10"),
    ('"', 2.0, "M0 0V2.6M2 0V2.6"),
    ('#', 6.0, "M2 1L1 10M5 1L4 10M.4 4H6M0 7H5.6"),
    ('$', 5.8, "M5.4 2.1C4.8 1.3 4 .9 2.9 .9C1.5 .9 .4 1.7 .4 2.9C.4 5.8 5.8 4.2 5.8 7C5.8 8.3 \
        4.6 9.1 2.9 9.1C1.6 9.1 .6 8.6 0 7.6M2.9 -.6V10.6"),
    ('%', 8.0, "M7 0L1 10M1.8 0C.8 0 0 1 0 2.2C0 3.4 .8 4.4 1.8 4.4C2.8 4.4 3.6 3.4 3.6 2.2C3.6 1 \
        2.8 0 1.8 0ZM6.2 5.6C5.2 5.6 4.4 6.6 4.4 7.8C4.4 9 5.2 10 6.2 10C7.2 10 8 9 8 7.8C8 6.6 \
        7.2 5.6 6.2 5.6Z"),
    ('&', 7.0, "M7 10L1.9 3.9C1 2.8 1.1 0 3.2 0C5.1 0 5.2 2.6 3.8 3.6L1.7 5.1C-.9 7 .2 10 2.9 \
        10C4.9 10 6.3 8.4 6.6 5.8"),
    ('\'', 0.0, "M0 0V2.6"),
    ('(', 2.2, "M2.2 -1C.7 .6 0 2.6 0 5C0 7.4 .7 9.4 2.2 11"),
    (')', 2.2, "M0 -1C1.5 .6 2.2 2.6 2.2 5C2.2 7.4 1.5 9.4 0 11"),
    ('*', 4.4, "M2.2 .5V5.5M0 1.7L4.4 4.3M4.4 1.7L0 4.3"),
    ('+', 5.4, "M2.7 3V8.4M0 5.7H5.4"),
    (',', 0.8, "M.8 9.6L0 11.6"),
    ('-', 3.2, "M0 6H3.2"),
    ('.', 0.0, "M0 9.7V10"),
    ('/', 4.4, "M0 11L4.4 -1"),
    ('0', 6.0, "M3 0C.9 0 0 2 0 5C0 8 .9 10 3 10C5.1 10 6 8 6 5C6 2 5.1 0 3 0Z"),
    ('1', 2.6, "M0 2.1L2.6 0V10"),
    ('2', 5.8, "M.2 2.7C.2 1 1.4 0 3 0C4.6 0 5.7 1.1 5.7 2.7C5.7 4.1 5 5.1 3.8 6.3L0 10H5.8"),
    ('3', 6.0, "M.4 1.7C.9 .6 1.8 0 3 0C4.6 0 5.6 1 5.6 2.4C5.6 3.8 4.5 4.7 2.4 4.7C4.7 4.7 6 5.7 \
        6 7.3C6 9 4.8 10 3 10C1.5 10 .5 9.3 0 8.1"),
    ('4', 6.2, "M4.6 10V0L0 7.1H6.2"),
    ('5', 5.8, "M5.3 0H1L.5 4.7C1.1 4 1.9 3.7 2.8 3.7C4.6 3.7 5.8 5 5.8 6.8C5.8 8.7 4.6 10 2.8 \
        10C1.5 10 .5 9.3 0 8.2"),
    ('6', 6.0, "M5.2 1C4.6 .4 3.9 0 3.1 0C1 0 0 2.2 0 5.6C0 8.5 1.1 10 3 10C4.8 10 6 8.7 6 6.9C6 \
        5.1 4.8 3.9 3.1 3.9C1.6 3.9 .4 4.9 0 6.4"),
    ('7', 5.6, "M0 0H5.6L1.9 10"),
    ('8', 6.0, "M3 4.7C1.4 4.7 .5 3.7 .5 2.4C.5 1 1.5 0 3 0C4.5 0 5.5 1 5.5 2.4C5.5 3.7 4.6 4.7 3 \
        4.7C1.2 4.7 0 5.7 0 7.3C0 9 1.2 10 3 10C4.8 10 6 9 6 7.3C6 5.7 4.8 4.7 3 4.7Z"),
    ('9', 6.0, "M.8 9C1.4 9.6 2.1 10 2.9 10C5 10 6 7.8 6 4.4C6 1.5 4.9 0 3 0C1.2 0 0 1.3 0 3.1C0 \
        4.9 1.2 6.1 2.9 6.1C4.4 6.1 5.6 5.1 6 3.6"),
    (':', 0.0, "M0 4.4V4.7M0 9.7V10"),
    (';', 0.8, "M.6 4.4V4.7M.8 9.6L0 11.6"),
    ('<', 4.6, "M4.6 2.8L0 5.8L4.6 8.8"),
    ('=', 5.0, "M0 4.5H5M0 7.3H5"),
    ('>', 4.6, "M0 2.8L4.6 5.8L0 8.8"),
    ('?', 5.0, "M0 2.2C.2 .8 1.2 0 2.5 0C4 0 5 .9 5 2.4C5 4.6 2.5 4.5 2.5 7M2.5 9.6V10"),
    ('@', 8.6, "M6.2 6.9C5.8 7.8 5 8.2 4.2 8.2C2.9 8.2 2.2 7.3 2.2 6C2.2 4.6 3.1 3.4 4.5 3.4C5.3 \
        3.4 6 3.7 6.4 4.4L6 7.1C6 8 6.5 8.3 7 8.3C8 8.3 8.6 7.2 8.6 5.7C8.6 3 6.9 1.2 4.4 1.2C1.8 \
        1.2 0 3.3 0 6.2C0 9.2 1.8 11.2 4.5 11.2C5.4 11.2 6.2 11 6.9 10.6"),
    ('A', 7.0, "M0 10L3.5 0L7 10M1.2 6.6H5.8"),
    ('B', 6.0, "M0 0H3.1C4.7 0 5.6 .9 5.6 2.4C5.6 3.8 4.7 4.7 3.1 4.7H0M3.1 4.7C5 4.7 6 5.7 6 \
        7.3C6 9 5 10 3.1 10H0V0"),
    ('C', 6.6, "M6.6 2C5.9 .7 4.9 0 3.8 0C1.6 0 0 2.1 0 5C0 7.9 1.6 10 3.8 10C4.9 10 5.9 9.3 6.6 \
        8"),
    ('D', 6.6, "M0 0H2.5C5.1 0 6.6 1.9 6.6 5C6.6 8.1 5.1 10 2.5 10H0Z"),
    ('E', 5.2, "M5.2 0H0V10H5.2M0 4.8H4.6"),
    ('F', 5.2, "M5.2 0H0V10M0 4.9H4.4"),
    ('G', 6.9, "M6.6 2C5.9 .7 4.9 0 3.8 0C1.6 0 0 2.1 0 5C0 7.9 1.6 10 3.8 10C5.6 10 6.9 8.7 6.9 \
        6.4V5.4H4.2"),
    ('H', 6.4, "M0 0V10M6.4 0V10M0 4.8H6.4"),
    ('I', 0.0, "M0 0V10"),
    ('J', 4.0, "M4 0V7.2C4 9 3.2 10 1.8 10C1 10 .4 9.7 0 9.1"),
    ('K', 6.2, "M0 0V10M5.8 0L0 6.2M2.3 3.8L6.2 10"),
    ('L', 4.8, "M0 0V10H4.8"),
    ('M', 8.0, "M0 10V0L4 6.6L8 0V10"),
    ('N', 6.6, "M0 10V0L6.6 10V0"),
    ('O', 7.8, "M3.9 0C6.1 0 7.8 2.1 7.8 5C7.8 7.9 6.1 10 3.9 10C1.7 10 0 7.9 0 5C0 2.1 1.7 0 3.9 \
        0Z"),
    ('P', 6.0, "M0 10V0H3.2C5 0 6 1.1 6 2.8C6 4.5 5 5.6 3.2 5.6H0"),
    ('Q', 7.8, "M3.9 0C6.1 0 7.8 2.1 7.8 5C7.8 7.9 6.1 10 3.9 10C1.7 10 0 7.9 0 5C0 2.1 1.7 0 3.9 \
        0ZM4.9 7.4L7.6 10.6"),
    ('R', 6.2, "M0 10V0H3.2C5 0 6 1.1 6 2.8C6 4.5 5 5.6 3.2 5.6H0M3.3 5.6L6.2 10"),
    ('S', 6.0, "M5.6 1.7C5 .6 4.2 0 3 0C1.5 0 .4 .9 .4 2.4C.4 5.8 6 4 6 7.4C6 9 4.8 10 3 10C1.6 \
        10 .5 9.2 0 8"),
    ('T', 6.6, "M0 0H6.6M3.3 0V10"),
    ('U', 6.4, "M0 0V6.4C0 8.7 1.2 10 3.2 10C5.2 10 6.4 8.7 6.4 6.4V0"),
    ('V', 6.8, "M0 0L3.4 10L6.8 0"),
    ('W', 9.6, "M0 0L2.4 10L4.8 0L7.2 10L9.6 0"),
    ('X', 6.2, "M0 0L6.2 10M6.2 0L0 10"),
    ('Y', 6.4, "M0 0L3.2 5L6.4 0M3.2 5V10"),
    ('Z', 6.0, "M0 0H6L0 10H6"),
    ('[', 2.0, "M2 -1H0V11H2"),
    ('\\', 4.4, "M0 -1L4.4 11"),
    (']', 2.0, "M0 -1H2V11H0"),
    ('^', 4.4, "M0 3.2L2.2 0L4.4 3.2"),
    ('_', 5.4, "M0 11.5H5.4"),
    ('`', 1.6, "M0 0L1.6 2"),
    ('a', 5.4, "M2.7 3.4C4.2 3.4 5.4 4.9 5.4 6.7C5.4 8.5 4.2 10 2.7 10C1.2 10 0 8.5 0 6.7C0 4.9 \
        1.2 3.4 2.7 3.4ZM5.4 3.4V10"),
    ('b', 5.4, "M2.7 3.4C4.2 3.4 5.4 4.9 5.4 6.7C5.4 8.5 4.2 10 2.7 10C1.2 10 0 8.5 0 6.7C0 4.9 \
        1.2 3.4 2.7 3.4ZM0 0V10"),
    ('c', 4.9, "M4.9 4.6C4.4 3.8 3.6 3.4 2.8 3.4C1.2 3.4 0 4.9 0 6.7C0 8.5 1.2 10 2.8 10C3.6 10 \
        4.4 9.6 4.9 8.8"),
    ('d', 5.4, "M2.7 3.4C4.2 3.4 5.4 4.9 5.4 6.7C5.4 8.5 4.2 10 2.7 10C1.2 10 0 8.5 0 6.7C0 4.9 \
        1.2 3.4 2.7 3.4ZM5.4 0V10"),
    ('e', 5.4, "M0 6.6H5.4C5.4 4.8 4.3 3.4 2.7 3.4C1.2 3.4 0 4.9 0 6.7C0 8.5 1.2 10 2.8 10C3.7 10 \
        4.5 9.6 5 8.9"),
    ('f', 3.8, "M3.8 .1C3.6 0 3.3 0 3 0C2 0 1.4 .7 1.4 2V10M0 3.4H3.4"),
    ('g', 5.4, "M2.7 3.4C4.2 3.4 5.4 4.9 5.4 6.7C5.4 8.5 4.2 10 2.7 10C1.2 10 0 8.5 0 6.7C0 4.9 \
        1.2 3.4 2.7 3.4ZM5.4 3.4V10.5C5.4 12.1 4.3 13 2.8 13C1.8 13 .9 12.7 .3 12.1"),
    ('h', 5.0, "M0 0V10M0 6.2C0 4.5 1.1 3.4 2.6 3.4C4.1 3.4 5 4.4 5 6.2V10"),
    ('i', 0.0, "M0 3.4V10M0 .6V.9"),
    ('j', 1.5, "M1.5 3.4V11.2C1.5 12.4 1 13 0 13M1.5 .6V.9"),
    ('k', 4.8, "M0 0V10M4.5 3.4L0 7.4M1.7 5.9L4.8 10"),
    ('l', 0.0, "M0 0V10"),
    ('m', 8.4, "M0 3.4V10M0 6C0 4.4 .9 3.4 2.2 3.4C3.5 3.4 4.2 4.3 4.2 6V10M4.2 6C4.2 4.4 5.1 3.4 \
        6.4 3.4C7.7 3.4 8.4 4.3 8.4 6V10"),
    ('n', 5.0, "M0 3.4V10M0 6.2C0 4.5 1.1 3.4 2.6 3.4C4.1 3.4 5 4.4 5 6.2V10"),
    ('o', 5.4, "M2.7 3.4C4.2 3.4 5.4 4.9 5.4 6.7C5.4 8.5 4.2 10 2.7 10C1.2 10 0 8.5 0 6.7C0 4.9 \
        1.2 3.4 2.7 3.4Z"),
    ('p', 5.4, "M2.7 3.4C4.2 3.4 5.4 4.9 5.4 6.7C5.4 8.5 4.2 10 2.7 10C1.2 10 0 8.5 0 6.7C0 4.9 \
        1.2 3.4 2.7 3.4ZM0 3.4V13"),
    ('q', 5.4, "M2.7 3.4C4.2 3.4 5.4 4.9 5.4 6.7C5.4 8.5 4.2 10 2.7 10C1.2 10 0 8.5 0 6.7C0 4.9 \
        1.2 3.4 2.7 3.4ZM5.4 3.4V13"),
    ('r', 2.8, "M0 3.4V10M0 6.4C0 4.5 1 3.4 2.8 3.4"),
    ('s', 4.6, "M4.4 4.4C3.9 3.7 3.2 3.4 2.3 3.4C1.1 3.4 .2 4 .2 5C.2 7.4 4.6 6 4.6 8.2C4.6 9.3 \
        3.6 10 2.3 10C1.2 10 .4 9.6 0 8.8"),
    ('t', 3.8, "M1.4 1.2V8C1.4 9.3 2 10 3 10C3.3 10 3.6 9.9 3.8 9.8M0 3.4H3.6"),
    ('u', 5.0, "M0 3.4V7.2C0 9 .9 10 2.4 10C3.9 10 5 8.9 5 7.2M5 3.4V10"),
    ('v', 5.0, "M0 3.4L2.5 10L5 3.4"),
    ('w', 7.6, "M0 3.4L1.9 10L3.8 3.4L5.7 10L7.6 3.4"),
    ('x', 4.8, "M0 3.4L4.8 10M4.8 3.4L0 10"),
    ('y', 5.2, "M0 3.4L2.6 10M5.2 3.4L2.4 11C1.9 12.4 1.3 13 .3 13"),
    ('z', 4.6, "M0 3.4H4.6L0 10H4.6"),
    ('{', 2.6, "M2.6 -1C.2 -1 2.2 4.4 0 5C2.2 5.6 .2 11 2.6 11"),
    ('|', 0.0, "M0 -1V11"),
    ('}', 2.6, "M0 -1C2.4 -1 .4 4.4 2.6 5C.4 5.6 2.4 11 0 11"),
    ('~', 5.4, "M0 6.4C.6 5.2 1.6 4.9 2.7 5.7C3.8 6.5 4.8 6.2 5.4 5"),
    ('·', 0.0, "M0 5.6V5.9"),
    ('…', 5.0, "M0 9.7V10M2.5 9.7V10M5 9.7V10"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_for_the_search() {
        assert!(GLYPHS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn every_letter_of_a_caption_has_strokes() {
        for character in (' '..='~').chain("·…".chars()) {
            assert_ne!(glyph(character), UNKNOWN, "{character}");
        }
        assert_eq!(glyph('ó'), glyph('o'));
        assert_eq!(glyph('三'), UNKNOWN);
    }

    #[test]
    fn every_glyph_stays_inside_its_width() {
        for (character, width, strokes) in GLYPHS {
            let mut path = Path::default();
            path.append(strokes, 1.0, 0.0, 0.0);
            if let Some((low, high)) = path.bounds() {
                assert!(low.x >= -0.91 && high.x <= width + 0.01, "{character}: {low:?} {high:?}");
                assert!(low.y >= -1.01 && high.y <= 13.01, "{character}: {low:?} {high:?}");
            }
        }
    }

    #[test]
    fn a_long_number_shrinks_into_its_room() {
        let narrow = number(1_000_000, 10.0, 12.0).0.bounds().expect("digits have strokes");
        assert!(narrow.1.x - narrow.0.x <= 12.0);
        let short = number(8, 10.0, 12.0).0.bounds().expect("digits have strokes");
        assert!((short.1.y - short.0.y - 10.0).abs() < 1e-9);
    }
}
