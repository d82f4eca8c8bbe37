//! A game in another format, or as a picture.

use evidence::{NativeFile, VerifiedRecord};
use record::{Play, Record};
use render::{Animation, Size, Style, Theme};
use serde::Deserialize;

use crate::{ApiError, PlayError, limits, named, within};

/// The style of a picture.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct ConvertRequest {
    /// The game of a file that does not say it.
    pub game: Option<String>,
    /// `light` or `dark`.
    pub theme: Option<String>,
    /// Whether moves are coloured from early to late.
    pub colours: Option<bool>,
    /// Whether moves have their numbers.
    pub numbers: Option<bool>,
    /// How wide, in pixels.
    pub width: Option<u32>,
}

/// A file to be saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvertedFile {
    /// Its media type.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Converts a file of any format to `json`, `pentasol`, `msr`, `text`, `tex`, `svg`, `png` or
/// `gif`.
pub fn convert(
    bytes: &[u8],
    format: &str,
    request: &ConvertRequest,
) -> Result<ConvertedFile, ApiError> {
    let game = request.game.as_deref().map(named).transpose()?;
    let mut record = NativeFile::read(bytes, game.as_ref())?.record?;
    within("moves", record.lines().len(), limits::VERIFIED_MOVES)?;
    within("dots", record.game.start.dots().len(), limits::DOTS)?;
    // A drawing that can be played is shown in its order.
    if matches!(record.play, Play::Drawing(_))
        && let Ok(game) = VerifiedRecord::new(record.clone())
    {
        record.play = Play::Moves(game.moves().to_vec());
    }
    write_record(&record, format, request)
}

/// Writes a record as `json`, `pentasol`, `msr`, `text`, `tex`, `svg`, `png` or `gif`.
pub fn write_record(
    record: &Record,
    format: &str,
    request: &ConvertRequest,
) -> Result<ConvertedFile, ApiError> {
    let style = Style {
        theme: theme(request.theme.as_deref())?,
        colour_by_time: request.colours.unwrap_or(false),
        numbers: request.numbers.unwrap_or(true),
        ..Style::default()
    };
    let width = request.width.unwrap_or(1200);
    if !(64..=4000).contains(&width) {
        let found = width.to_string().into();
        return Err(ApiError::Value { name: "width", found, expected: "choose from 64 to 4000" });
    }
    let text = "text/plain; charset=utf-8";
    let (kind, ending, bytes): (&'static str, &str, Vec<u8>) = match format {
        "json" => ("application/json", "json", record.to_json().into()),
        "pentasol" => (text, "psol", record.to_pentasol()?.into()),
        "msr" => ("application/json", "msr", record.to_msr()?.into()),
        "text" => (text, "txt", record.to_text().into()),
        "tex" => (text, "tex", render::tikz(record, &style).into()),
        "svg" => ("image/svg+xml", "svg", render::svg(record, &style).into()),
        "png" => ("image/png", "png", render::png(record, &style, Size::Width(width))?),
        "gif" => {
            let animation = Animation { width: width.min(800), ..Animation::default() };
            ("image/gif", "gif", render::gif(record, &style, &animation)?)
        }
        _ => return Err(PlayError::NotFound.into()),
    };
    let name = format!("morpion-{}-{}.{ending}", record.game.rules, record.lines().len());
    Ok(ConvertedFile { kind, name, bytes })
}

/// The theme of this name [default: light].
pub fn theme(name: Option<&str>) -> Result<Theme, ApiError> {
    match name {
        None | Some("light") => Ok(Theme::Light),
        Some("dark") => Ok(Theme::Dark),
        Some(other) => {
            let found = other.chars().take(40).collect();
            Err(ApiError::Value { name: "theme", found, expected: "choose light or dark" })
        }
    }
}
