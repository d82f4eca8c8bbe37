//! The game inside an SVG picture: the native JSON as the text of `<morpion:game>`.
//!
//! The picture is read as a stream. A tree of it would take many times its size, and comparing
//! every attribute with its neighbours takes a hostile file forever. Entities are not expanded,
//! and a document type is passed over.

use quick_xml::NsReader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, Event};
use quick_xml::name::{Namespace, ResolveResult};

use crate::error::Snippet;
use crate::{Format, ReadError, Record};

/// The namespace of the element `game` that holds a picture's game, as native JSON.
pub const SVG_NAMESPACE: &str = "urn:morpion:game";

/// The name of the element.
const ELEMENT: &str = "game";

impl Record {
    /// The `<metadata>` element that makes an SVG picture carry this record.
    pub fn to_svg_metadata(&self) -> String {
        let mut text = String::new();
        for c in self.to_json().trim_end().chars() {
            match c {
                '&' => text.push_str("&amp;"),
                '<' => text.push_str("&lt;"),
                '>' => text.push_str("&gt;"),
                // XML cannot hold these two at all, but JSON can spell them.
                '\u{fffe}' => text.push_str("\\ufffe"),
                '\u{ffff}' => text.push_str("\\uffff"),
                _ => text.push(c),
            }
        }
        format!(
            "<metadata><morpion:{ELEMENT} xmlns:morpion=\"{SVG_NAMESPACE}\">{text}\
             </morpion:{ELEMENT}></metadata>"
        )
    }
}

/// The native JSON inside a picture, as it was written.
pub(crate) fn game_inside(text: &str) -> Result<String, ReadError> {
    let format = Format::Svg;
    let mut reader = NsReader::from_str(text);
    let mut game = None;
    let mut depth = 0usize;
    loop {
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => {
                let problem = Snippet::of_message(&error.to_string());
                return Err(fault(text, reader.error_position(), problem));
            }
        };
        match event {
            Event::Start(element) => {
                let (namespace, name) = reader.resolver().resolve_element(element.name());
                let ours = ResolveResult::Bound(Namespace(SVG_NAMESPACE));
                if namespace == ours && name.as_ref() == ELEMENT {
                    if game.is_some() {
                        return Err(ReadError::SeveralGames { format });
                    }
                    game = Some(text_to_end(text, &mut reader)?);
                } else {
                    depth += 1;
                }
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::Eof => break,
            _ => {}
        }
    }
    if depth > 0 {
        return Err(fault(text, text.len() as u64, Snippet::of("cut short")));
    }
    game.ok_or(ReadError::NoGame { format })
}

/// The text up to the end of the current element, which holds no other elements.
fn text_to_end(text: &str, reader: &mut NsReader<&[u8]>) -> Result<String, ReadError> {
    let mut found = String::new();
    loop {
        let problem = match reader.read_event() {
            Ok(Event::Text(part)) => {
                found.push_str(&part);
                continue;
            }
            Ok(Event::CData(part)) => {
                found.push_str(&part);
                continue;
            }
            Ok(Event::GeneralRef(reference)) => match resolve(&reference) {
                Some(c) => {
                    found.push_str(&c);
                    continue;
                }
                None => Snippet::of("an unknown entity in the game"),
            },
            Ok(Event::Comment(_) | Event::PI(_)) => continue,
            Ok(Event::End(_)) => return Ok(found),
            Ok(Event::Eof) => Snippet::of("cut short"),
            Ok(_) => Snippet::of("an element in the game"),
            Err(error) => Snippet::of_message(&error.to_string()),
        };
        return Err(fault(text, reader.buffer_position(), problem));
    }
}

/// The character that `&name;` or `&#number;` stands for.
fn resolve(reference: &BytesRef<'_>) -> Option<String> {
    match reference.resolve_char_ref() {
        Ok(Some(c)) => Some(c.to_string()),
        Ok(None) => resolve_predefined_entity(reference).map(str::to_owned),
        Err(_) => None,
    }
}

/// A problem at this byte of the file.
fn fault(text: &str, position: u64, problem: Snippet) -> ReadError {
    let before = text.bytes().take(usize::try_from(position).unwrap_or(usize::MAX));
    let line = before.filter(|&byte| byte == b'\n').count() + 1;
    ReadError::Svg { line, problem }
}

#[cfg(test)]
mod tests {
    use super::*;
    use geometry::Game;

    fn picture(metadata: &str) -> String {
        format!(
            "<?xml version=\"1.0\"?>\n<!-- a game -->\n<svg xmlns=\"http://www.w3.org/2000/svg\" \
             width=\"10\">{metadata}<g><path d=\"M0 0\"/></g>\n</svg>\n"
        )
    }

    fn record() -> Record {
        let mut record = Record::from_moves(Game::named("5D").expect("known"), vec![]);
        record.provenance.author = Some("<a&b> \"]]>\" \u{fffe}\u{ffff}\t\u{1} é".to_owned());
        record
    }

    fn error(text: &str) -> String {
        game_inside(text).expect_err(text).to_string()
    }

    #[test]
    fn a_picture_carries_its_game() {
        let text = picture(&record().to_svg_metadata());
        let found = game_inside(&text).expect("a game inside");
        assert_eq!(crate::read(found.as_bytes(), None), Ok(record()));
        assert_eq!(crate::read(text.as_bytes(), None), Ok(record()));
    }

    #[test]
    fn other_tools_may_write_the_same_game_another_way() {
        let inside = |text: &str| game_inside(text).expect(text);
        let own = format!("xmlns:m='{SVG_NAMESPACE}'");
        assert_eq!(
            inside(&format!("<svg {own}><m:game><![CDATA[<&]]>&#65;&quot;</m:game></svg>")),
            "<&A\""
        );
        assert_eq!(
            inside(&format!("<svg><game xmlns='{SVG_NAMESPACE}'>a<!-- b -->c</game></svg>")),
            "ac"
        );
        let declared = "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'svg11.dtd'>";
        assert_eq!(inside(&format!("{declared}<svg {own}><m:game>a</m:game></svg>")), "a");
    }

    #[test]
    fn a_picture_without_a_game_or_with_two_is_refused() {
        assert!(error(&picture("")).starts_with("no game inside this SVG picture"));
        assert!(error("<svg><game>{}</game></svg>").starts_with("no game inside"));
        assert!(error("<svg><m:game xmlns:m='urn:other'>{}</m:game></svg>").starts_with("no game"));
        let metadata = record().to_svg_metadata();
        let two = picture(&format!("{metadata}{metadata}"));
        assert_eq!(error(&two), "more than one game inside this SVG picture");
    }

    #[test]
    fn a_damaged_picture_is_refused_with_its_line() {
        let text = picture(&record().to_svg_metadata());
        for end in [60, text.len() / 2, text.len() - 8] {
            assert!(error(&text[..end]).starts_with("SVG, line"), "{end}");
        }
        assert!(error("<svg>\n<a>\n</b></svg>").starts_with("SVG, line 3: "));
        let element = format!("<svg><game xmlns='{SVG_NAMESPACE}'><b/></game></svg>");
        assert_eq!(error(&element), "SVG, line 1: an element in the game");
        let long = format!("<svg></{}>", "x".repeat(100_000));
        assert!(error(&long).len() < 500, "{}", error(&long).len());
    }

    #[test]
    fn entities_are_not_expanded() {
        let mut laughs = "<!DOCTYPE svg [<!ENTITY a0 'ha'>".to_owned();
        for n in 1..30 {
            let twice = format!("&a{0};&a{0};", n - 1);
            laughs.push_str(&format!("<!ENTITY a{n} '{twice}'>"));
        }
        let game = format!("<game xmlns='{SVG_NAMESPACE}'>&a29;</game>");
        let inside = format!("{laughs}]><svg>{game}</svg>");
        assert_eq!(error(&inside), "SVG, line 1: an unknown entity in the game");
        assert!(error(&format!("{laughs}]><svg>&a29;</svg>")).starts_with("no game inside"));
    }

    #[test]
    fn floods_of_attributes_names_and_elements_pass_quickly() {
        let mut attributes = String::from("<svg");
        let mut names = String::from("<svg");
        for n in 0..100_000 {
            attributes.push_str(&format!(" a{n}=''"));
            names.push_str(&format!(" xmlns:a{n}='u'"));
        }
        assert!(error(&format!("{attributes}/>")).starts_with("no game inside"));
        assert!(error(&format!("{names}/>")).starts_with("SVG, line 1"));
        assert!(error(&"<a>".repeat(100_000)).starts_with("SVG, line 1"));
        assert!(error(&format!("<svg>{}</svg>", "<game/>".repeat(100_000))).starts_with("no game"));
    }
}
