//! `morpion bound GAME --boards`.

use anyhow::Result;
use bound::{FamilyCounts, HullFamily, published_boards};
use geometry::Game;
use lab::view::{HullCountView, InconclusiveView};

use crate::output::{Exit, print, print_json};

/// Counts the octagons that can be the hull of a position, and those of the published list.
pub(super) fn print_counts(game: &Game, json: bool) -> Result<Exit> {
    let family = match HullFamily::new(game) {
        Ok(family) => family,
        Err(error) => {
            let (game, reason) = (game.to_string(), error.to_string());
            if json { print_json(&InconclusiveView { game, reason }) } else { print(reason) }?;
            return Ok(Exit::Negative);
        }
    };
    let FamilyCounts { classes, maximal, largest } = family.count();
    let by_modifier = published_boards();
    let published = by_modifier.iter().sum();
    if json {
        print_json(&HullCountView {
            game: game.to_string(),
            potential: family.potential(),
            classes,
            maximal,
            largest,
            published,
            published_by_modifier: by_modifier,
        })?;
    } else {
        let [none, two, four] = by_modifier;
        print(format_args!(
            "octagons that can be the hull of a position of {game}: potential at most {} + \
             modifier\n\
             {classes:>9} up to translation and symmetry, the largest with {largest} dots\n\
             {maximal:>9} of them lie in no other\n\
             {published:>9} on the list published in 2015 \
             (modifier 0: {none}, 2: {two}, 4: {four})",
            family.potential()
        ))?;
    }
    Ok(Exit::Success)
}
