//! Diagrams of the dot patterns that formulas become, and of the gadgets that they are made of.

use geometry::{Line, Point, Rules};
use reduce::gadget::Gadget;
use reduce::{Kind, Pattern, Row};

use render::Theme;
use render::diagram::{Name, Part, PatternDiagram, diagram};

/// The picture of a whole pattern, its parts coloured and named.
pub fn pattern_figure(pattern: &Pattern, theme: Theme) -> String {
    let layout = pattern.layout();
    let part = |part: &reduce::Part| {
        of_rows(part.kind.name(), hue(part.kind), &layout.rows()[part.rows.clone()])
    };
    let names = layout.parts().iter().filter(|part| part.kind != Kind::Rail);
    let name = |part: &reduce::Part| {
        let word = layout.name(part);
        let word =
            word.split_once(' ').filter(|_| part.kind == Kind::Variable).map_or(&*word, |w| w.1);
        Name { at: part.ports[0], word: word.to_owned(), hue: hue(part.kind) }
    };
    let (variables, clauses) = (pattern.formula().variables(), pattern.formula().clauses().len());
    diagram(&PatternDiagram {
        title: format!("3-SAT as dots: {variables} variables, {clauses} clauses"),
        note: pattern.statement(),
        rules: pattern.rules(false),
        parts: layout.parts().iter().map(part).collect(),
        names: names.map(name).collect(),
        theme,
    })
}

/// The picture of a gadget with its ports.
pub fn gadget_figure(gadget: &Gadget, rules: Rules) -> String {
    let port = |&(letter, (x, y)): &(char, (i32, i32))| Name {
        at: Point::new(x, y),
        word: letter.to_string(),
        hue: 1,
    };
    diagram(&PatternDiagram {
        title: gadget.name.to_owned(),
        note: format!("{}\n{}", gadget.about, gadget.describe_relation()),
        rules,
        parts: vec![of_rows("dots, and holes that a line can fill", 0, gadget.rows)],
        names: gadget.ports.iter().map(port).collect(),
        theme: Theme::Light,
    })
}

fn of_rows(name: &str, hue: usize, rows: &[Row]) -> Part {
    let sorted = |mut points: Vec<Point>| {
        points.sort_unstable();
        points.dedup();
        points
    };
    Part {
        name: name.to_owned(),
        hue,
        dots: sorted(rows.iter().flat_map(|row| row.dots()).collect()),
        holes: sorted(rows.iter().flat_map(|row| row.holes()).collect()),
        lines: rows.iter().map(|row| row.line).collect::<Vec<Line>>(),
    }
}

fn hue(kind: Kind) -> usize {
    match kind {
        Kind::Rail => 0,
        Kind::Variable => 1,
        Kind::Column => 2,
        Kind::Tap => 3,
        Kind::Treasure => 4,
        Kind::Checker => 6,
    }
}
