//! Whatever is written reads back as what it was.

use geometry::{Game, Rules};
use png::text_metadata::ITXtChunk;
use proptest::prelude::*;
use record::{Format, PNG_KEYWORD, Play, Record, read, read_start, recognise};

use crate::common::{records, records_of};

fn usual_games() -> impl Strategy<Value = Game> {
    (2..=16usize, any::<bool>())
        .prop_map(|(l, touching)| Game::from_cross(Rules::new(l, touching).expect("in range")))
}

fn fives() -> impl Strategy<Value = Game> {
    any::<bool>().prop_map(|touching| Game::from_cross(Rules::new(5, touching).expect("in range")))
}

/// What is left of a record in a format without claims and provenance.
fn bare(record: &Record) -> Record {
    Record { play: record.play.clone(), ..Record::from_moves(record.game.clone(), vec![]) }
}

proptest! {
    #[test]
    fn native(record in records()) {
        let text = record.to_json();
        prop_assert_eq!(recognise(text.as_bytes()), Format::Native);
        let found = read(text.as_bytes(), None).expect("just written");
        prop_assert_eq!(found.to_json(), text);
        prop_assert_eq!(found, record);
    }

    #[test]
    fn pentasol(record in fives().prop_flat_map(records_of)) {
        let text = record.to_pentasol().expect("moves of 5T or 5D");
        prop_assert_eq!(recognise(text.as_bytes()), Format::Pentasol);
        let found = read(text.as_bytes(), Some(&record.game)).expect("just written");
        prop_assert_eq!(found, bare(&record));
    }

    #[test]
    fn pentasol_in_the_dialect(record in fives().prop_flat_map(records_of)) {
        let Play::Moves(moves) = &record.play else { unreachable!("records of moves") };
        prop_assume!(!moves.is_empty());
        let text: String = moves.iter().map(|mv| {
            let glyph = ["-", "|", "\\", "/"][mv.line.direction as usize];
            let (dot, k) = (mv.dot(), i32::from(mv.offset) - 2);
            format!("({},{}){glyph}{k:+}\n", dot.x + 1, dot.y + 1)
        }).collect();
        prop_assert_eq!(recognise(text.as_bytes()), Format::Pentasol);
        let found = read(text.as_bytes(), Some(&record.game)).expect("just written");
        prop_assert_eq!(found, bare(&record));
    }

    #[test]
    fn msr(record in usual_games().prop_flat_map(records_of)) {
        let text = record.to_msr().expect("moves from the usual cross");
        prop_assert_eq!(recognise(text.as_bytes()), Format::Msr);
        let found = read(text.as_bytes(), None).expect("just written");
        let mut expected = bare(&record);
        expected.claims.score = record.claims.score.or(Some(record.lines().len() as u64));
        expected.provenance.author = record.provenance.author;
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn text(record in records()) {
        let text = record.to_text();
        prop_assert_eq!(recognise(text.as_bytes()), Format::Text);
        let found = read(text.as_bytes(), None).expect("just written");
        if record.lines().len() == 0 {
            prop_assert_eq!(found, Record::from_moves(record.game, vec![]));
        } else {
            prop_assert_eq!(found, bare(&record).to_drawing());
        }
    }

    #[test]
    fn svg(record in records()) {
        let text = format!("<svg>{}</svg>", record.to_svg_metadata());
        prop_assert_eq!(recognise(text.as_bytes()), Format::Svg);
        prop_assert_eq!(read(text.as_bytes(), Some(&record.game)).expect("just written"), record);
    }

    #[test]
    fn png(record in records()) {
        let mut bytes = Vec::new();
        let mut writer = ::png::Encoder::new(&mut bytes, 1, 1).write_header().expect("in memory");
        let text = ITXtChunk::new(PNG_KEYWORD, record.to_json());
        writer.write_text_chunk(&text).expect("in memory");
        writer.write_image_data(&[0]).expect("in memory");
        writer.finish().expect("in memory");
        prop_assert_eq!(recognise(&bytes), Format::Png);
        prop_assert_eq!(read(&bytes, Some(&record.game)).expect("just written"), record);
    }

    #[test]
    fn starts(record in records()) {
        for text in [record.to_json(), record.to_text()] {
            let found = read_start(text.as_bytes()).expect("just written");
            prop_assert_eq!(&found, &record.game.start);
        }
    }
}
