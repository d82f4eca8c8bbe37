//! Bytes that mean harm, or nothing: they are refused, without a panic, a hang or a flood.

use std::io::Write;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use geometry::{Direction, Game, Line, Move, Point, Start};
use png::text_metadata::ITXtChunk;
use proptest::prelude::*;
use proptest::sample::Index;
use record::{PNG_KEYWORD, Record, native_text, read, read_start};

/// Reads bytes in every way there is; an error must be short enough for a terminal.
fn read_all_ways(bytes: &[u8]) {
    let game = Game::named("5T").expect("a known game");
    let errors = [read(bytes, Some(&game)).err(), read(bytes, None).err(), read_start(bytes).err()];
    for message in errors.into_iter().flatten().map(|error| error.to_string()) {
        assert!(message.chars().count() < 500, "{message}");
        assert!(!message.chars().any(char::is_control), "{message:?}");
    }
    let _ = native_text(bytes);
}

fn compact(json: &str) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(json.as_bytes()).expect("in memory");
    let deflated = encoder.finish().expect("in memory");
    format!("MS1:{}", BASE64_URL_SAFE_NO_PAD.encode(deflated)).into_bytes()
}

fn picture(record: &Record) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = png::Encoder::new(&mut bytes, 1, 1).write_header().expect("in memory");
    let text = ITXtChunk::new(PNG_KEYWORD, record.to_json());
    writer.write_text_chunk(&text).expect("in memory");
    writer.write_image_data(&[0]).expect("in memory");
    writer.finish().expect("in memory");
    bytes
}

/// One small valid file in every format.
fn valid_files() -> Vec<Vec<u8>> {
    let game = Game::named("5T").expect("a known game");
    let mv = |x, y, direction, offset| Move::new(Line::new(Point::new(x, y), direction), offset);
    let moves = vec![
        mv(3, -1, Direction::South, 0),
        mv(0, 3, Direction::East, 4),
        mv(0, 5, Direction::SouthEast, 2),
        mv(2, 3, Direction::NorthEast, 2),
    ];
    let mut record = Record::from_moves(game.clone(), moves);
    record.claims.score = Some(4);
    record.provenance.author = Some("é\"<&>".to_owned());
    let dots = [(1, 0), (0, 1), (2, 1)].map(|(x, y)| Point::new(x, y));
    let own = Game { start: Start::from_dots(dots).expect("few dots"), ..game };
    let own = Record { game: own, ..record.to_drawing() };
    let msr = record.to_msr().expect("a usual game");
    vec![
        record.to_json().into_bytes(),
        own.to_json().into_bytes(),
        record.to_pentasol().expect("5T").into_bytes(),
        b"(4,0)|+0\n(5,4)-+2\n(3,8)\\+0\n".to_vec(),
        compact(&msr),
        msr.into_bytes(),
        br#"{"game":"5T","note":"n","moves":[{"new":[3,-1],"dir":"V","start":[3,-1]}]}"#.to_vec(),
        own.to_text().into_bytes(),
        b"# dots\n1,0\n(0, 1)\n2,1\n".to_vec(),
        b".o.\no.x\n".to_vec(),
        "5T\n.##\n\u{b7}#.\n".as_bytes().to_vec(),
        b"5T / 3,0 7,0 / 3,0 3,4".to_vec(),
        format!("<svg xmlns='s'>{}<g/></svg>", own.to_svg_metadata()).into_bytes(),
        picture(&own),
    ]
}

/// Pieces that break things.
const PIECES: &[&[u8]] = &[
    b"",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"-",
    b"#",
    b"\"",
    b"\\ud800",
    b"{",
    b"[",
    b"]",
    b"}",
    b",",
    b"(",
    b")",
    b"99999999999999999999",
    b"-1048576",
    b"1048577",
    b"1e999",
    b"NaN",
    b"null",
    b"<",
    b"&",
    b"&x;",
    b"]]>",
    b"<!DOCTYPE a [<!ENTITY x 'y'>]>",
    b"\x7f\xff\xff\xff",
    b"\r\n",
    b"cross:",
];

/// Where to change a file, how many bytes to cut there, and what to put in their place.
fn changes() -> impl Strategy<Value = (Index, usize, Index, u8)> {
    (any::<Index>(), 0..8usize, any::<Index>(), any::<u8>())
}

#[test]
fn the_valid_files_are_valid() {
    let game = Game::named("5T").expect("a known game");
    for bytes in valid_files() {
        let readable = read(&bytes, None).or_else(|_| read(&bytes, Some(&game)));
        let start = read_start(&bytes);
        assert!(readable.is_ok() || start.is_ok(), "{:?} {start:?}", readable.err());
    }
}

#[test]
fn every_beginning_of_a_file_is_survived() {
    for bytes in valid_files() {
        for end in 0..bytes.len() {
            read_all_ways(&bytes[..end]);
        }
    }
}

#[test]
fn floods_are_refused_or_read_in_linear_time() {
    let many = 300_000;
    let repeated = |piece: &str| piece.repeat(many);
    let floods = [
        repeated("["),
        repeated("{\"moves\":"),
        format!("{{\"format\":\"morpion-game/1\",\"moves\":{}", repeated("[")),
        format!("{{\"format\":\"morpion-game/1\",\"provenance\":{{\"a\":{}", repeated("[")),
        format!("{{\"format\":\"morpion-game/1\",\"provenance\":{}", repeated("{\"a\":")),
        format!("{{\"format\":\"morpion-game/1\",\"provenance\":[{}0]}}", repeated("0,")),
        format!("{{\"version\":\"0.1\",\"x\":{}", repeated("[")),
        format!("{{\"version\":\"0.1\",\"x\":{}0{}}}", repeated("["), repeated("]")),
        format!("{{\"{}\":1}}", repeated("x")),
        format!("{{\"format\":\"{}\"}}", repeated("\\u001b")),
        format!("{{\"format\":{}}}", repeated("9")),
        repeated("("),
        repeated("(1,1)"),
        repeated("(1,1)|0"),
        repeated("1,1\n"),
        repeated("1,1 1,5\n"),
        repeated("9"),
        repeated("-"),
        repeated("o"),
        repeated("o\n"),
        repeated("#\n"),
        repeated("\r"),
        format!("MS1:{}", repeated("A")),
        repeated("<a>"),
        repeated("<a b='"),
        repeated("&amp;"),
        format!("<svg>{}", repeated("&amp;")),
        format!("<svg xmlns='urn:morpion:game'><game>{}</game></svg>", repeated("&#91;")),
    ];
    for flood in &floods {
        read_all_ways(flood.as_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn changed_files_are_survived(
        which in any::<Index>(),
        changes in prop::collection::vec(changes(), 1..4),
    ) {
        let files = valid_files();
        let mut bytes = which.get(&files).clone();
        for (at, cut, piece, byte) in changes {
            let at = at.index(bytes.len() + 1);
            let end = (at + cut).min(bytes.len());
            let piece = piece.index(PIECES.len() + 4);
            let random = [byte];
            bytes.splice(at..end, PIECES.get(piece).copied().unwrap_or(&random).iter().copied());
        }
        read_all_ways(&bytes);
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_all_ways(&bytes);
    }

    #[test]
    fn any_text_is_survived(text in "[-(), 0-9a-zTD:|/\\\\\\[\\]{}\"#oX.*\n]{0,60}") {
        read_all_ways(text.as_bytes());
    }
}
