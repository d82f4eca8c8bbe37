//! A game in another format, or as a picture.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::Response;
use evidence::{NativeFile, VerifiedRecord};
use record::{Play, Record};
use render::{Animation, Size, Style, Theme};
use serde::Deserialize;

use super::native::{named, within};
use crate::body::Whole;
use crate::limits;
use crate::refusal::Refusal;
use crate::response::{self, ApiResult};
use crate::server::App;

/// The style of a picture.
#[derive(Deserialize)]
pub(crate) struct ConvertRequest {
    game: Option<String>,
    /// `light` or `dark`.
    theme: Option<String>,
    /// Whether moves are coloured from early to late.
    colours: Option<bool>,
    /// Whether moves have their numbers.
    numbers: Option<bool>,
    /// How wide, in pixels.
    width: Option<u32>,
}

/// Converts the body, in any format.
pub(crate) async fn convert(
    State(app): State<Arc<App>>,
    Path(format): Path<String>,
    Query(request): Query<ConvertRequest>,
    body: Whole,
) -> ApiResult {
    let game = request.game.as_deref().map(named).transpose()?;
    let work = if format == "gif" { &app.slow } else { &app.quick };
    let file = work.run(move |_| {
        let file = NativeFile::read(&body.0, game.as_ref())?;
        let mut record = file.record?;
        within("moves", record.lines().len(), limits::VERIFIED_MOVES)?;
        within("dots", record.game.start.dots().len(), limits::DOTS)?;
        // A drawing that can be played is shown in its order.
        if matches!(record.play, Play::Drawing(_))
            && let Ok(game) = VerifiedRecord::new(record.clone())
        {
            record.play = Play::Moves(game.moves().to_vec());
        }
        write(&record, &format, &request)
    });
    file.await?
}

fn write(record: &Record, format: &str, request: &ConvertRequest) -> Result<Response, Refusal> {
    let style = style(request)?;
    let width = request.width.unwrap_or(1200);
    if !(64..=4000).contains(&width) {
        let found = width.to_string().into();
        return Err(Refusal::Value { name: "width", found, expected: "choose from 64 to 4000" });
    }
    let name = format!("morpion-{}-{}", record.game.rules, record.lines().len());
    let file = |kind, ending: &str, bytes: Vec<u8>| {
        response::file(kind, &format!("{name}.{ending}"), bytes)
    };
    Ok(match format {
        "json" => file("application/json", "json", record.to_json().into()),
        "pentasol" => file("text/plain; charset=utf-8", "psol", record.to_pentasol()?.into()),
        "msr" => file("application/json", "msr", record.to_msr()?.into()),
        "text" => file("text/plain; charset=utf-8", "txt", record.to_text().into()),
        "tex" => file("text/plain; charset=utf-8", "tex", render::tikz(record, &style).into()),
        "svg" => file("image/svg+xml", "svg", render::svg(record, &style).into()),
        "png" => {
            let bytes = render::png(record, &style, Size::Width(width))?;
            file("image/png", "png", bytes)
        }
        "gif" => {
            let animation = Animation { width: width.min(800), ..Animation::default() };
            file("image/gif", "gif", render::gif(record, &style, &animation)?)
        }
        _ => return Err(Refusal::NotFound),
    })
}

fn style(request: &ConvertRequest) -> Result<Style, Refusal> {
    let theme = theme(request.theme.as_deref())?;
    let colour_by_time = request.colours.unwrap_or(false);
    Ok(Style {
        theme,
        colour_by_time,
        numbers: request.numbers.unwrap_or(true),
        ..Style::default()
    })
}

/// The theme of this name [default: light].
pub(super) fn theme(name: Option<&str>) -> Result<Theme, Refusal> {
    match name {
        None | Some("light") => Ok(Theme::Light),
        Some("dark") => Ok(Theme::Dark),
        Some(other) => {
            let found = other.chars().take(40).collect();
            Err(Refusal::Value { name: "theme", found, expected: "choose light or dark" })
        }
    }
}
