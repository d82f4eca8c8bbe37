//! `morpion bound --hull FILE`.

use std::path::Path;

use anyhow::{Context, Result, bail};
use bound::hull::HullStats;
use lab::view::HullView;
use record::Play;

use crate::commands::game_file;
use crate::files;
use crate::output::{Exit, print, print_json};

/// Prints the hull of a game, and draws it.
pub(super) fn show(file: &Path, picture: Option<&Path>, json: bool) -> Result<Exit> {
    let name = files::name(file);
    let check = game_file::verify(file, None)?;
    if let Err(refusal) = &check.verdict {
        print(format_args!("{name}: refused: {refusal}"))?;
        return Ok(Exit::Negative);
    }
    let record = check.record?;
    let Play::Moves(moves) = &record.play else {
        bail!("{name} is a drawing; `morpion order {name} --out FILE` makes a game of it");
    };
    let stats = HullStats::new(&record.game, moves).context("a game without dots")?;
    let view = HullView {
        file: name,
        game: record.game.to_string(),
        moves: moves.len(),
        hull: format!("octagon:{}", stats.hull),
        area: stats.hull.area(),
        dots: stats.dots.len(),
        potential: stats.hull.potential(),
        modifier: stats.hull.modifier(),
        gaps: stats.gaps,
        external: stats.external,
        internal: stats.internal,
        picture: picture.map(files::name),
    };
    if let Some(picture) = picture {
        let (note, theme) = (describe(&view).join("\n"), render::Theme::Light);
        let drawn = lab::figure::hull(&record.game, moves, &stats, note, theme);
        files::write(picture, drawn.as_bytes())?;
    }
    if json {
        print_json(&view)?;
    } else {
        print(format_args!("{}: {}, {} moves", view.file, view.game, view.moves))?;
        for line in describe(&view) {
            print(format_args!("  {line}"))?;
        }
    }
    Ok(Exit::Success)
}

fn describe(view: &HullView) -> Vec<String> {
    let HullView { hull, area, dots, potential, modifier, gaps, external, internal, .. } = view;
    let free = external + internal;
    vec![
        format!("hull {hull}: {area} points, {dots} of them dots"),
        format!("{free} free half-segments, {external} of them look outwards, {internal} inwards"),
        format!("potential {potential} = {external} + 2 x {gaps} gap lines; modifier {modifier}"),
    ]
}
