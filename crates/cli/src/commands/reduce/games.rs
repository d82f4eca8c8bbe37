//! `morpion reduce --model` and `--play`.

use std::path::Path;

use anyhow::{Context, Result, bail};
use evidence::{FileCheck, VerifiedRecord};
use geometry::Game;
use record::{Provenance, Record};
use reduce::{Literal, Model, Pattern};
use serde::Serialize;

use super::folder::Folder;
use crate::commands::judged;
use crate::files;
use crate::output::{Exit, count, print, print_json};

#[derive(Serialize)]
struct Played {
    moves: usize,
    threshold: usize,
    reaches: bool,
    unsatisfied: Vec<usize>,
    out: String,
}

/// Turns a model into a game.
pub(super) fn play(folder: &Folder, model: &Path, out: Option<&Path>, json: bool) -> Result<Exit> {
    let out = out.map_or_else(|| folder.game(), Path::to_owned);
    folder.check_foreign(&out)?;
    let pattern = folder.open()?;
    files::check_writable(&out)?;
    let bytes = files::read(model)?;
    let formula = pattern.formula();
    let model = Model::read(&bytes, formula.variables()).with_context(|| files::name(model))?;
    let used = pattern.layout().instance().names.iter().flatten();
    if let Some(missing) = used.copied().find(|&variable| model.value(variable).is_none()) {
        bail!("the model assigns no value to variable {missing}; add {missing} or -{missing}");
    }
    let record = Record {
        provenance: Provenance {
            program: Some(hunt::PROGRAM.to_owned()),
            method: Some("reduce".to_owned()),
            ..Provenance::default()
        },
        ..Record::from_moves(
            Game { rules: pattern.rules(false), start: pattern.start().clone() },
            pattern.play(&model),
        )
    };
    let text = record.to_json();
    let game = VerifiedRecord::new(record)
        .context("the verifier refuses the game of a model: a bug in this program")?;
    files::write(&out, text.as_bytes())?;
    let (moves, threshold) = (game.score() as usize, pattern.threshold());
    let reaches = moves >= threshold;
    let unsatisfied = model.unsatisfied(formula);
    if json {
        print_json(&Played { moves, threshold, reaches, unsatisfied, out: files::name(&out) })?;
    } else if reaches {
        let moves = count(moves, "move");
        print(format_args!("{moves} (threshold {threshold}): {}", files::name(&out)))?;
    } else {
        let short = count(moves, "move");
        print(format_args!("{short}, below the threshold {threshold}: {}", files::name(&out)))?;
        print(format_args!("the model does not satisfy {}", clauses(&unsatisfied)))?;
    }
    Ok(if reaches { Exit::Success } else { Exit::Negative })
}

#[derive(Serialize)]
struct Understood {
    moves: usize,
    threshold: usize,
    reaches: bool,
    satisfied: bool,
    model: Vec<i32>,
    undecided: Vec<u32>,
    unsatisfied: Vec<usize>,
    verdict: &'static str,
    reason: Option<String>,
}

/// Turns a game into a model, or explains what is missing.
pub(super) fn read(folder: &Folder, game: &Path, json: bool) -> Result<Exit> {
    let pattern = folder.open()?;
    let name = files::name(game);
    let FileCheck { record, verdict, .. } = judged::judge(game, None)?;
    let played = match verdict {
        Ok(played) => played,
        Err(refusal) => {
            let line = judged::ends_of_fault(&refusal, record.as_ref().ok());
            return refused(&pattern, &name, format!("{refusal}{line}"), json);
        }
    };
    let record = record.with_context(|| name.clone())?;
    if record.game.start != *pattern.start() {
        bail!("{name}: the game does not start from the dots of this folder");
    }
    let [touching, disjoint] = [true, false].map(|touching| pattern.rules(touching));
    if ![touching, disjoint].contains(&record.game.rules) {
        let found = record.game.rules;
        bail!("{name}: a game of {found}, but the pattern is for {touching} and {disjoint}");
    }
    let (moves, threshold) = (played.score() as usize, pattern.threshold());
    let model = pattern.read(record.lines());
    let unsatisfied = model.unsatisfied(pattern.formula());
    let used = pattern.layout().instance().names.iter().flatten().copied();
    let undecided: Vec<u32> = used.filter(|&v| model.value(v).is_none()).collect();
    let reaches = moves >= threshold;
    let satisfied = unsatisfied.is_empty();
    if reaches && !satisfied {
        bail!("{name}: long enough, but without a model: a bug in the certificate");
    }
    let literals: Vec<i32> = model.literals().map(Literal::number).collect();
    if json {
        print_json(&Understood {
            moves,
            threshold,
            reaches,
            satisfied,
            model: literals,
            undecided,
            unsatisfied,
            verdict: "legal",
            reason: None,
        })?;
    } else if reaches {
        let moves = count(moves, "move");
        print(format_args!("{moves} (threshold {threshold}): the formula is satisfied by"))?;
        print(dimacs(&literals))?;
    } else {
        let short = count(moves, "move");
        print(format_args!("{short}, below the threshold {threshold}"))?;
        print(missing(&unsatisfied, &undecided, threshold - moves))?;
    }
    Ok(if reaches { Exit::Success } else { Exit::Negative })
}

/// A refused game has no model.
fn refused(pattern: &Pattern, name: &str, reason: String, json: bool) -> Result<Exit> {
    if json {
        print_json(&Understood {
            moves: 0,
            threshold: pattern.threshold(),
            reaches: false,
            satisfied: false,
            model: Vec::new(),
            undecided: Vec::new(),
            unsatisfied: Vec::new(),
            verdict: "refused",
            reason: Some(reason),
        })?;
    } else {
        print(format_args!("{name}: refused: {reason}"))?;
    }
    Ok(Exit::Negative)
}

fn missing(unsatisfied: &[usize], undecided: &[u32], moves: usize) -> String {
    if unsatisfied.is_empty() {
        let moves = count(moves, "move");
        return format!(
            "its variables satisfy every clause, but {moves} are missing: additional moves have \
             blocked a wire, so columns, checkers or treasure stay unplayed"
        );
    }
    let mut text = format!("its variables do not satisfy {}", clauses(unsatisfied));
    if !undecided.is_empty() {
        let variables: Vec<String> = undecided.iter().take(20).map(u32::to_string).collect();
        let more = if undecided.len() > 20 { " ..." } else { "" };
        text += &format!("\nno line decides variable {}{more}", variables.join(", "));
    }
    text
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
