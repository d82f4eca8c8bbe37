//! The game inside a PNG picture: the native JSON in an uncompressed `iTXt` chunk.
//!
//! Only the chunks are walked through, in place: no picture is decoded, and a chunk that claims
//! more bytes than there are costs nothing.

use flate2::Crc;

use crate::{Format, PngFault, ReadError};

/// The keyword of the `iTXt` chunk that holds a picture's game, as native JSON.
pub const PNG_KEYWORD: &str = "morpion-game";

/// By which a PNG is recognised, even when the rest of its signature is damaged.
pub(crate) const FIRST_BYTES: &[u8] = b"\x89PNG";

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The native JSON inside a picture, as it was written.
pub(crate) fn game_inside(bytes: &[u8]) -> Result<&str, ReadError> {
    let format = Format::Png;
    let mut rest = bytes.strip_prefix(SIGNATURE).ok_or(ReadError::Png(PngFault::Signature))?;
    let mut game = None;
    loop {
        let chunk = Chunk::first(&mut rest).ok_or(ReadError::Png(PngFault::CutShort))?;
        if chunk.kind == b"IEND" {
            break;
        }
        let Some(found) = chunk.game() else {
            continue;
        };
        if game.replace(found.map_err(ReadError::Png)?).is_some() {
            return Err(ReadError::SeveralGames { format });
        }
    }
    game.ok_or(ReadError::NoGame { format })
}

/// A chunk, as it lies in the file.
struct Chunk<'a> {
    kind: &'a [u8],
    data: &'a [u8],
    /// The kind and the data, which the checksum is of.
    checked: &'a [u8],
    checksum: u32,
}

impl<'a> Chunk<'a> {
    /// Takes the first chunk off; `None` if it goes beyond the end.
    fn first(rest: &mut &'a [u8]) -> Option<Self> {
        let (length, after) = rest.split_first_chunk()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (checked, after) = after.split_at_checked(length.checked_add(4)?)?;
        let (checksum, after) = after.split_first_chunk()?;
        *rest = after;
        let (kind, data) = checked.split_at(4);
        Some(Self { kind, data, checked, checksum: u32::from_be_bytes(*checksum) })
    }

    /// The game in this chunk; `None` if it is not the chunk with the game.
    ///
    /// An `iTXt` chunk is a keyword, whether and how the text is compressed, the language, the
    /// keyword in that language, and the text; a zero byte ends each but the last.
    fn game(&self) -> Option<Result<&'a str, PngFault>> {
        let data = self.data.strip_prefix(PNG_KEYWORD.as_bytes())?.strip_prefix(b"\0")?;
        if self.kind != b"iTXt" {
            return None;
        }
        let mut crc = Crc::new();
        crc.update(self.checked);
        if crc.sum() != self.checksum {
            return Some(Err(PngFault::Checksum));
        }
        let plain = data.strip_prefix(b"\0\0").and_then(|data| {
            let text = data.splitn(3, |&byte| byte == 0).nth(2)?;
            str::from_utf8(text).ok()
        });
        Some(plain.ok_or(PngFault::NotPlain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Record;
    use geometry::Game;
    use png::text_metadata::ITXtChunk;

    fn record() -> Record {
        let mut record = Record::from_moves(Game::named("5D").expect("known"), vec![]);
        record.provenance.author = Some("é".to_owned());
        record
    }

    /// A picture of one pixel with these texts.
    fn picture(texts: &[ITXtChunk]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = ::png::Encoder::new(&mut bytes, 1, 1);
        encoder.set_color(::png::ColorType::Grayscale);
        let mut writer = encoder.write_header().expect("memory takes any bytes");
        for text in texts {
            writer.write_text_chunk(text).expect("memory takes any bytes");
        }
        writer.write_image_data(&[0]).expect("memory takes any bytes");
        writer.finish().expect("memory takes any bytes");
        bytes
    }

    fn game_text() -> ITXtChunk {
        ITXtChunk::new(PNG_KEYWORD, record().to_json())
    }

    fn error(bytes: &[u8]) -> String {
        game_inside(bytes).expect_err("damaged").to_string()
    }

    #[test]
    fn a_picture_carries_its_game() {
        let other = ITXtChunk::new("Comment", "morpion-game");
        let bytes = picture(&[other, game_text()]);
        assert_eq!(game_inside(&bytes), Ok(record().to_json().as_str()));
        assert_eq!(crate::read(&bytes, None), Ok(record()));
        let native = crate::native_text(&bytes).expect("readable").expect("a game inside");
        assert_eq!(native, record().to_json());
    }

    #[test]
    fn a_picture_without_a_game_or_with_two_is_refused() {
        assert!(error(&picture(&[])).starts_with("no game inside this PNG picture"));
        let two = picture(&[game_text(), game_text()]);
        assert_eq!(error(&two), "more than one game inside this PNG picture");
        let mut compressed = game_text();
        compressed.compressed = true;
        let compressed = picture(&[compressed]);
        assert_eq!(error(&compressed), "PNG: the game is not stored as plain text in UTF-8");
    }

    #[test]
    fn a_damaged_picture_is_refused() {
        let bytes = picture(&[game_text()]);
        for end in 0..bytes.len() {
            assert!(error(&bytes[..end]).starts_with("PNG: "), "{end}");
        }
        let at = bytes.windows(5).position(|part| part == b"cross").expect("the game is there");
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert_eq!(error(&changed), "PNG: the checksum of the game is wrong");
        let mut false_length = bytes;
        false_length[8..12].copy_from_slice(&u32::MAX.to_be_bytes());
        assert_eq!(error(&false_length), "PNG: cut short, or a chunk with a false length");
    }
}
