//! `morpion reduce --model` and `--play`.

use std::path::Path;

use anyhow::{Context, Result, bail};
use evidence::FileCheck;
use geometry::{Line, Point};
use lab::reduction;
use lab::view::{GameModelView, ModelGameView};
use record::LineJson;
use reduce::{Assignment, Pattern};

use super::folder::Folder;
use crate::commands::game_file;
use crate::files;
use crate::output::{Exit, count, print, print_json};

/// The most stops of wires that are printed.
const MAX_STOPS: usize = 5;

/// Turns a model into a game.
pub(super) fn play(folder: &Folder, model: &Path, out: Option<&Path>, json: bool) -> Result<Exit> {
    let out = out.map_or_else(|| folder.game(), Path::to_owned);
    folder.check_foreign(&out)?;
    if files::is_same(&out, model) {
        bail!("{} is the model; name another file with --out", files::name(model));
    }
    let pattern = folder.open()?;
    files::check_writable(&out)?;
    let bytes = files::read(model)?;
    let (variables, name) = (pattern.formula().variables(), files::name(model));
    let model = Assignment::read(&bytes, variables).with_context(|| name.clone())?;
    let game = reduction::play(&pattern, &model).with_context(|| name)?;
    // A game that is too short replaces nothing.
    let is_written = game.reaches() || !out.exists();
    if is_written {
        files::write(&out, game.record.to_json().as_bytes())?;
    }
    let name = files::name(&out);
    let view = ModelGameView::new(&game, is_written.then(|| name.clone()));
    let ModelGameView { moves, threshold, reaches, .. } = view;
    if json {
        print_json(&view)?;
    } else if reaches {
        let moves = count(moves, "move");
        print(format_args!("{moves} (threshold {threshold}): {}", files::name(&out)))?;
    } else {
        let short = count(moves, "move");
        let unchanged = if is_written { "" } else { " is unchanged" };
        print(format_args!("{short}, below the threshold {threshold}: {name}{unchanged}"))?;
        print(format_args!("the model does not satisfy {}", clauses(&view.unsatisfied)))?;
    }
    Ok(if reaches { Exit::Success } else { Exit::Negative })
}

/// Turns a game into a model, or explains what is missing.
pub(super) fn read(folder: &Folder, game: &Path, json: bool) -> Result<Exit> {
    let pattern = folder.open()?;
    let name = files::name(game);
    let FileCheck { record, verdict, .. } = game_file::verify(game, None)?;
    if let Err(refusal) = verdict {
        let line = game_file::faulty_line(&refusal, record.as_ref().ok());
        return refused(&pattern, &name, format!("{refusal}{line}"), json);
    }
    let record = record.with_context(|| name.clone())?;
    let model = reduction::read(&pattern, &record).with_context(|| name.clone())?;
    let view = GameModelView::new(&model);
    let GameModelView { moves, threshold, reaches, .. } = view;
    if json {
        print_json(&view)?;
    } else if reaches {
        let moves = count(moves, "move");
        print(format_args!("{moves} (threshold {threshold}): the formula is satisfied by"))?;
        print(dimacs(&view.model))?;
    } else {
        let short = count(moves, "move");
        print(format_args!("{short}, below the threshold {threshold}"))?;
        print(missing(&view))?;
    }
    Ok(if reaches { Exit::Success } else { Exit::Negative })
}

/// A refused game has no model.
fn refused(pattern: &Pattern, name: &str, reason: String, json: bool) -> Result<Exit> {
    if json {
        print_json(&GameModelView::refused(pattern, reason))?;
    } else {
        print(format_args!("{name}: refused: {reason}"))?;
    }
    Ok(Exit::Negative)
}

/// What a game that is too short has left undone, a line for each thing.
fn missing(view: &GameModelView) -> String {
    let mut lines = Vec::new();
    if view.unsatisfied.is_empty() {
        let moves = count(view.threshold - view.moves, "move");
        lines.push(format!("its variables satisfy every clause, but {moves} are missing"));
    } else {
        lines.push(format!("its variables do not satisfy {}", clauses(&view.unsatisfied)));
    }
    if !view.undecided.is_empty() {
        let variables: Vec<String> = view.undecided.iter().take(20).map(u32::to_string).collect();
        let more = if view.undecided.len() > 20 { " ..." } else { "" };
        lines.push(format!("no line decides variable {}{more}", variables.join(", ")));
    }
    let Some(shortfall) = &view.shortfall else { return lines.join("\n") };
    if !shortfall.untriggered_clauses.is_empty() {
        let dry = clauses(&shortfall.untriggered_clauses);
        lines.push(format!("no dot reaches its checker from {dry}"));
    }
    if shortfall.untriggered_checkers.is_empty() {
        lines.push(format!("the treasure is drawn for {}", count(shortfall.treasure, "unit")));
    } else {
        let several = if shortfall.untriggered_checkers.len() == 1 { "" } else { "s" };
        let dry = clauses(&shortfall.untriggered_checkers);
        lines.push(format!("untriggered: the checker{several} of {dry}"));
    }
    for stop in shortfall.first_stops.iter().take(MAX_STOPS) {
        let [x, y] = stop.at;
        let why = match stop.blocked_by {
            Some(LineJson([x, y], direction)) => {
                format!("the line {} is in the way", Line::new(Point::new(x, y), direction.into()))
            }
            None => "its line can still be drawn".to_owned(),
        };
        lines.push(format!("{} stops before {}: {why}", stop.part, Point::new(x, y)));
    }
    if shortfall.stops > MAX_STOPS {
        lines.push(format!("and {} more", count(shortfall.stops - MAX_STOPS, "stop")));
    }
    lines.join("\n")
}

/// Clauses by their numbers in the formula.
fn clauses(numbers: &[usize]) -> String {
    let some: Vec<String> = numbers.iter().take(20).map(usize::to_string).collect();
    let more = if numbers.len() > 20 { " ..." } else { "" };
    format!("{} {}{more}", if numbers.len() == 1 { "clause" } else { "clauses" }, some.join(", "))
}

/// The model as SAT solvers print it.
fn dimacs(literals: &[i32]) -> String {
    let mut lines = Vec::new();
    for literals in literals.chunks(20) {
        let words: Vec<String> = literals.iter().map(i32::to_string).collect();
        lines.push(format!("v {}", words.join(" ")));
    }
    lines.push("v 0".to_owned());
    lines.join("\n")
}
