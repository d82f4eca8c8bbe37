//! Programs as files for any solver: MPS and LP.
//!
//! MPS minimises by convention, so its costs are negated; LP files maximise.

use std::fmt::Write as _;

use geometry::{Direction, Point};

use super::{Constraint, ConstraintKind, LinearProgram, Sense, Variable, VariableMeaning};

/// A file format for linear programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProgramFormat {
    /// Free MPS.
    Mps,
    /// The LP format.
    Lp,
}

impl LinearProgram {
    /// The text of a file with this program and a comment, which may have several lines.
    ///
    /// If `integer`, all variables but turns are to be integers.
    #[must_use]
    pub fn to_text(&self, format: ProgramFormat, comment: &str, integer: bool) -> String {
        let mut text = String::new();
        let mark = if format == ProgramFormat::Mps { '*' } else { '\\' };
        comment.lines().for_each(|line| writes(&mut text, format_args!("{mark} {line}\n")));
        match format {
            ProgramFormat::Mps => mps(self, integer, &mut text),
            ProgramFormat::Lp => lp(self, integer, &mut text),
        }
        text
    }
}

fn mps(program: &LinearProgram, integer: bool, text: &mut String) {
    text.push_str("NAME morpion\nROWS\n N moves\n");
    for row in &program.constraints {
        let sense = match row.sense {
            Sense::AtMost => 'L',
            Sense::AtLeast => 'G',
            Sense::Equal => 'E',
        };
        writes(text, format_args!(" {sense} {}\n", constraint_name(row.kind)));
    }
    text.push_str("COLUMNS\n");
    let mut terms = vec![Vec::new(); program.variables.len()];
    for row in &program.constraints {
        row.terms.iter().for_each(|&(variable, factor)| terms[variable].push((row.kind, factor)));
    }
    let mut marked = false;
    for (variable, terms) in program.variables.iter().zip(terms) {
        let name = variable_name(variable.meaning);
        if marked != (integer && is_integer(variable)) {
            marked = !marked;
            let marker = if marked { "INTORG" } else { "INTEND" };
            writes(text, format_args!(" marker 'MARKER' '{marker}'\n"));
        }
        // A variable in no constraint needs a line too, or it would be missing.
        writes(text, format_args!(" {name} moves {}\n", -variable.cost));
        for (kind, factor) in terms {
            writes(text, format_args!(" {name} {} {factor}\n", constraint_name(kind)));
        }
    }
    if marked {
        text.push_str(" marker 'MARKER' 'INTEND'\n");
    }
    text.push_str("RHS\n");
    for Constraint { kind, rhs, .. } in program.constraints.iter().filter(|row| row.rhs != 0) {
        writes(text, format_args!(" rhs {} {rhs}\n", constraint_name(*kind)));
    }
    text.push_str("BOUNDS\n");
    for Variable { meaning, low, high, .. } in &program.variables {
        let name = variable_name(*meaning);
        match low == high {
            true => writes(text, format_args!(" FX bound {name} {low}\n")),
            false => writes(text, format_args!(" UP bound {name} {high}\n")),
        }
    }
    text.push_str("ENDATA\n");
}

fn lp(program: &LinearProgram, integer: bool, text: &mut String) {
    text.push_str("maximize\n moves:");
    let costs = program.variables.iter().map(|variable| variable.cost).enumerate();
    sum(program, costs.filter(|&(_, cost)| cost != 0), text);
    text.push_str("\nsubject to\n");
    for Constraint { kind, terms, sense, rhs } in &program.constraints {
        writes(text, format_args!(" {}:", constraint_name(*kind)));
        sum(program, terms.iter().copied(), text);
        let sense = match sense {
            Sense::AtMost => "<=",
            Sense::AtLeast => ">=",
            Sense::Equal => "=",
        };
        writes(text, format_args!(" {sense} {rhs}\n"));
    }
    text.push_str("bounds\n");
    for Variable { meaning, low, high, .. } in &program.variables {
        writes(text, format_args!(" {low} <= {} <= {high}\n", variable_name(*meaning)));
    }
    if integer {
        text.push_str("general\n");
        for variable in program.variables.iter().filter(|variable| is_integer(variable)) {
            writes(text, format_args!(" {}\n", variable_name(variable.meaning)));
        }
    }
    text.push_str("end\n");
}

/// Turns only have to come one after the other.
fn is_integer(variable: &Variable) -> bool {
    !matches!(variable.meaning, VariableMeaning::Turn(_))
}

/// A sum, eight terms to a line.
fn sum(program: &LinearProgram, terms: impl Iterator<Item = (usize, i64)>, text: &mut String) {
    for (count, (variable, factor)) in terms.enumerate() {
        if count > 0 && count % 8 == 0 {
            text.push_str("\n ");
        }
        let sign = if factor < 0 { '-' } else { '+' };
        let name = variable_name(program.variables[variable].meaning);
        match factor.abs() {
            1 => writes(text, format_args!(" {sign} {name}")),
            size => writes(text, format_args!(" {sign} {size} {name}")),
        }
    }
}

/// A name without signs, which parsers would take for operators.
fn variable_name(meaning: VariableMeaning) -> String {
    match meaning {
        VariableMeaning::Dot(dot) => format!("dot_{}", at(dot)),
        VariableMeaning::Line(line) => format!("line_{}_{}", line.direction, at(line.start)),
        VariableMeaning::Birth(birth) => {
            let (line, offset) = (birth.line, birth.offset);
            format!("birth_{}_{}_{offset}", line.direction, at(line.start))
        }
        VariableMeaning::Turn(dot) => format!("turn_{}", at(dot)),
    }
}

fn constraint_name(kind: ConstraintKind) -> String {
    let of =
        |word: &str, dot: Point, direction: Direction| format!("{word}_{direction}_{}", at(dot));
    match kind {
        ConstraintKind::Balance => "balance".to_owned(),
        ConstraintKind::Behind(dot, direction) => of("behind", dot, direction),
        ConstraintKind::Ahead(dot, direction) => of("ahead", dot, direction),
        ConstraintKind::Through(dot, direction) => of("through", dot, direction),
        ConstraintKind::Placed(dot) => format!("placed_{}", at(dot)),
        ConstraintKind::Holds(dot, direction) => of("holds", dot, direction),
        ConstraintKind::First(number) => format!("first_{number}"),
        ConstraintKind::After(earlier, later) => format!("after_{}_{}", at(earlier), at(later)),
        ConstraintKind::Symmetric(number) => format!("symmetric_{number}"),
        ConstraintKind::Region => "case".to_owned(),
    }
}

/// `3_m1` for (3,-1).
fn at(dot: Point) -> String {
    format!("{}_{}", dot.x, dot.y).replace('-', "m")
}

fn writes(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("writing to a string succeeds");
}
