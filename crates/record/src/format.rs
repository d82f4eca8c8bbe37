//! The format of a file, recognised by its content and never by its name.

use std::fmt;

use crate::{json, msr, native, pentasol, png};

/// The formats that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Our own JSON, `morpion-game/1`: the only one that the verifier reads.
    Native,
    /// The field's exchange format: one move per line around a reference point, 5T and 5D only.
    Pentasol,
    /// Morpion Solitaire records 0.1, as JSON or in its compact form.
    Msr,
    /// The plain JSON that moves are passed around in: `game` and `moves`, nothing more.
    Exchange,
    /// Dots and lines as people type them from paper.
    Text,
    /// A picture with its game in the metadata.
    Svg,
    /// A picture with its game in a text chunk.
    Png,
}

impl Format {
    /// The games that the format can hold, in words.
    pub(crate) fn games(self) -> &'static str {
        match self {
            Self::Pentasol => "5T and 5D from the usual cross",
            Self::Msr | Self::Exchange => "games from the usual cross",
            Self::Native | Self::Text | Self::Svg | Self::Png => "any game",
        }
    }

    /// The version of the format that is read, if it has versions.
    pub(crate) fn version(self) -> &'static str {
        match self {
            Self::Native | Self::Svg | Self::Png => native::FORMAT,
            Self::Msr => msr::VERSION,
            Self::Pentasol | Self::Exchange | Self::Text => "",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Native => "native JSON",
            Self::Pentasol => "Pentasol",
            Self::Msr => "MSR",
            Self::Exchange => "exchange JSON",
            Self::Text => "text",
            Self::Svg => "SVG",
            Self::Png => "PNG",
        })
    }
}

/// The format that `bytes` are in, or come nearest to.
///
/// This looks no further than it must: a file of a format may still turn out to be damaged.
/// Whatever looks like nothing else counts as text.
pub fn recognise(bytes: &[u8]) -> Format {
    if bytes.starts_with(png::FIRST_BYTES) {
        return Format::Png;
    }
    let Some(text) = as_text(bytes) else {
        return Format::Text;
    };
    let beginning = text.trim_start();
    if beginning.starts_with('{') {
        json::kind(text)
    } else if beginning.starts_with('<') {
        Format::Svg
    } else if beginning.starts_with(msr::COMPACT) {
        Format::Msr
    } else if pentasol::is_likely(text) {
        Format::Pentasol
    } else {
        Format::Text
    }
}

/// The text without a byte order mark; `None` if it is not UTF-8.
pub(crate) fn as_text(bytes: &[u8]) -> Option<&str> {
    let text = str::from_utf8(bytes).ok()?;
    Some(text.strip_prefix('\u{feff}').unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_known_by_its_content() {
        let cases: &[(&[u8], Format)] = &[
            (br#"{"format": "morpion-game/1"}"#, Format::Native),
            (br#" {"moves": [], "format": 7}"#, Format::Native),
            (br#"{"rules": "5T", "moves": []}"#, Format::Native),
            (br#"{"version": "0.1", "variant": "5T", "moves": []}"#, Format::Msr),
            (br#"{"moves": [], "version": "9"}"#, Format::Msr),
            (b"MS1:abcd", Format::Msr),
            (br#"{"game": "4D", "moves": []}"#, Format::Exchange),
            (
                br#"{"moves": [{"new": [1, 2]}], "note": {"version": 1}, "game": "4D"}"#,
                Format::Exchange,
            ),
            (br#"{"moves": [[[[[["#, Format::Native),
            (br#"{"game": "4D", "moves": [{"new"#, Format::Exchange),
            (b"\xef\xbb\xbf<?xml version='1.0'?><svg/>", Format::Svg),
            (b"\x89PNG\r\n", Format::Png),
            (b"\xef\xbb\xbf# a game\r\n(28,28)\r\n(27,27) / 0\r\n", Format::Pentasol),
            (b"(28,28)\n", Format::Pentasol),
            (b"(28,28) (29,28) - -2", Format::Pentasol),
            (b"(3,3)/+0\n", Format::Pentasol),
            (b"(29,28)--2", Format::Pentasol),
            (b"(28,28)\n(29,28) - (33,28)\n", Format::Text),
            (b"(28,28)\n(29,28) - 33,28\n", Format::Text),
            (b"(28,28)\n(29,28)\n", Format::Text),
            (b"28,28\n", Format::Text),
            (b"5T / 3,0 7,0", Format::Text),
            (b"# http://example.com/a|b\\c\n5T\n", Format::Text),
            (b"", Format::Text),
            (b"\xff\xfe", Format::Text),
            (b"[1, 2]", Format::Text),
        ];
        for &(bytes, format) in cases {
            assert_eq!(recognise(bytes), format, "{}", String::from_utf8_lossy(bytes));
        }
    }
}
