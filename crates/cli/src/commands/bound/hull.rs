//! `morpion bound --hull FILE`: the octagonal hull of a game, and what its lemmas say of it.

use std::path::Path;

use anyhow::{Context, Result, bail};
use bound::{Octagon, gap_lines};
use geometry::Point;
use record::Play;
use render::shades::{Shades, shades};
use serde::Serialize;

use crate::commands::judged;
use crate::files;
use crate::output::{Exit, print, print_json};

#[derive(Serialize)]
struct Row {
    file: String,
    game: String,
    moves: usize,
    hull: String,
    /// The dots of the hull, and those of the game.
    area: u32,
    dots: usize,
    potential: u32,
    modifier: u32,
    /// Diagonals without a dot between others.
    gaps: usize,
    /// Free half-segments that look outwards, and the others.
    external: i64,
    internal: i64,
    picture: Option<String>,
}

/// Tells the hull of a game, and draws it.
pub(super) fn tell(file: &Path, picture: Option<&Path>, json: bool) -> Result<Exit> {
    let name = files::name(file);
    let judged = judged::judge(file, None)?;
    if let Err(refusal) = &judged.verdict {
        print(format_args!("{name}: refused: {refusal}"))?;
        return Ok(Exit::Negative);
    }
    let record = judged.record?;
    let Play::Moves(moves) = &record.play else {
        bail!("{name} is a drawing; `morpion order {name} --out FILE` makes a game of it");
    };
    let rules = record.game.rules;
    let new = moves.iter().map(|mv| mv.dot());
    let dots: Vec<Point> = record.game.start.dots().iter().copied().chain(new).collect();
    let (hull, corner) = Octagon::hull(dots.iter().copied()).context("a game without dots")?;
    let gaps = gap_lines(&dots);
    let external = i64::from(hull.potential()) - 2 * gaps as i64;
    let segments = moves.len() * (rules.length() - 1);
    let row = Row {
        file: name,
        game: record.game.to_string(),
        moves: moves.len(),
        hull: format!("octagon:{hull}"),
        area: hull.area(),
        dots: dots.len(),
        potential: hull.potential(),
        modifier: hull.modifier(),
        gaps,
        external,
        internal: 8 * dots.len() as i64 - 2 * segments as i64 - external,
        picture: picture.map(files::name),
    };
    if let Some(picture) = picture {
        let drawn = Shades {
            title: format!("{}: {} moves", row.game, row.moves),
            note: in_words(&row).join("\n"),
            rules,
            dots: dots.iter().map(|&dot| (dot, 1.0)).collect(),
            lines: moves.iter().map(|mv| (mv.line, 0.7)).collect(),
            outline: hull.vertices().map(|vertex| vertex + corner).to_vec(),
            theme: render::Theme::Light,
        };
        files::write(picture, shades(&drawn).as_bytes())?;
    }
    if json {
        print_json(&row)?;
    } else {
        print(format_args!("{}: {}, {} moves", row.file, row.game, row.moves))?;
        for line in in_words(&row) {
            print(format_args!("  {line}"))?;
        }
    }
    Ok(Exit::Success)
}

fn in_words(row: &Row) -> Vec<String> {
    let Row { hull, area, dots, potential, modifier, gaps, external, internal, .. } = row;
    let free = external + internal;
    vec![
        format!("hull {hull}: {area} points, {dots} of them dots"),
        format!("{free} free half-segments, {external} of them look outwards, {internal} inwards"),
        format!("potential {potential} = {external} + 2 x {gaps} gap lines; modifier {modifier}"),
    ]
}
