//! Models as files for any solver: MPS and LP.
//!
//! MPS minimises by tradition, so there the costs are negative; LP files say that they maximise.

use std::fmt::Write as _;

use geometry::{Direction, Point};

use super::{Column, Model, Row, Says, Sense, Unknown};

/// A file format for linear programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Free MPS.
    Mps,
    /// The LP format.
    Lp,
}

impl Model {
    /// The text of a file with this model. What it says of itself may be of several lines.
    pub fn to_text(&self, format: Format, comment: &str) -> String {
        let mut text = String::new();
        let mark = if format == Format::Mps { '*' } else { '\\' };
        comment.lines().for_each(|line| writes(&mut text, format_args!("{mark} {line}\n")));
        match format {
            Format::Mps => mps(self, &mut text),
            Format::Lp => lp(self, &mut text),
        }
        text
    }
}

fn mps(model: &Model, text: &mut String) {
    text.push_str("NAME morpion\nROWS\n N moves\n");
    for row in &model.rows {
        let sense = match row.sense {
            Sense::AtMost => 'L',
            Sense::AtLeast => 'G',
            Sense::Equal => 'E',
        };
        writes(text, format_args!(" {sense} {}\n", row_name(row.says)));
    }
    text.push_str("COLUMNS\n");
    let mut terms = vec![Vec::new(); model.columns.len()];
    for row in &model.rows {
        row.terms.iter().for_each(|&(column, factor)| terms[column].push((row.says, factor)));
    }
    for (column, terms) in model.columns.iter().zip(terms) {
        let name = column_name(column.unknown);
        // Even a column in no row has a line, so that it is there.
        writes(text, format_args!(" {name} moves {}\n", -column.cost));
        for (says, factor) in terms {
            writes(text, format_args!(" {name} {} {factor}\n", row_name(says)));
        }
    }
    text.push_str("RHS\n");
    for Row { says, right, .. } in model.rows.iter().filter(|row| row.right != 0) {
        writes(text, format_args!(" rhs {} {right}\n", row_name(*says)));
    }
    text.push_str("BOUNDS\n");
    for Column { unknown, low, high, .. } in &model.columns {
        let name = column_name(*unknown);
        match low == high {
            true => writes(text, format_args!(" FX bound {name} {low}\n")),
            false => writes(text, format_args!(" UP bound {name} {high}\n")),
        }
    }
    text.push_str("ENDATA\n");
}

fn lp(model: &Model, text: &mut String) {
    text.push_str("maximize\n moves:");
    let costs = model.columns.iter().map(|column| column.cost).enumerate();
    sum(model, costs.filter(|&(_, cost)| cost != 0), text);
    text.push_str("\nsubject to\n");
    for Row { says, terms, sense, right } in &model.rows {
        writes(text, format_args!(" {}:", row_name(*says)));
        sum(model, terms.iter().copied(), text);
        let sense = match sense {
            Sense::AtMost => "<=",
            Sense::AtLeast => ">=",
            Sense::Equal => "=",
        };
        writes(text, format_args!(" {sense} {right}\n"));
    }
    text.push_str("bounds\n");
    for Column { unknown, low, high, .. } in &model.columns {
        writes(text, format_args!(" {low} <= {} <= {high}\n", column_name(*unknown)));
    }
    text.push_str("end\n");
}

/// A sum, in lines that are not too long for anybody.
fn sum(model: &Model, terms: impl Iterator<Item = (usize, i64)>, text: &mut String) {
    for (count, (column, factor)) in terms.enumerate() {
        if count > 0 && count % 8 == 0 {
            text.push_str("\n ");
        }
        let sign = if factor < 0 { '-' } else { '+' };
        let name = column_name(model.columns[column].unknown);
        match factor.abs() {
            1 => writes(text, format_args!(" {sign} {name}")),
            size => writes(text, format_args!(" {sign} {size} {name}")),
        }
    }
}

/// A name without signs, which would be read as arithmetic.
fn column_name(unknown: Unknown) -> String {
    match unknown {
        Unknown::Dot(dot) => format!("dot_{}", at(dot)),
        Unknown::Line(line) => format!("line_{}_{}", line.direction, at(line.start)),
        Unknown::Birth(birth) => {
            let (line, offset) = (birth.line, birth.offset);
            format!("birth_{}_{}_{offset}", line.direction, at(line.start))
        }
    }
}

fn row_name(says: Says) -> String {
    let of =
        |word: &str, dot: Point, direction: Direction| format!("{word}_{direction}_{}", at(dot));
    match says {
        Says::Balance => "balance".to_owned(),
        Says::Behind(dot, direction) => of("behind", dot, direction),
        Says::Ahead(dot, direction) => of("ahead", dot, direction),
        Says::Through(dot, direction) => of("through", dot, direction),
        Says::Placed(dot) => format!("placed_{}", at(dot)),
        Says::Holds(dot, direction) => of("holds", dot, direction),
        Says::First(number) => format!("first_{number}"),
        Says::Case => "case".to_owned(),
    }
}

/// `3_m1` for (3,-1).
fn at(dot: Point) -> String {
    format!("{}_{}", dot.x, dot.y).replace('-', "m")
}

fn writes(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("a text takes what is written");
}
