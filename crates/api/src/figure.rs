//! Diagrams of the dot patterns that formulas become, and of the gadgets that they are made of.

use geometry::{Line, Point, Rules};
use reduce::closure::Closure;
use reduce::gadget::Gadget;
use reduce::{PartKind, Pattern, Row};

use render::Theme;
use render::diagram::{DiagramLabel, DiagramPart, PatternDiagram, diagram};

/// The picture of a whole pattern, its parts coloured and named.
pub fn pattern_figure(pattern: &Pattern, theme: Theme) -> String {
    let layout = pattern.layout();
    let part = |part: &reduce::LayoutPart| {
        of_rows(part.kind.name(), hue(part.kind), &layout.rows()[part.rows.clone()])
    };
    let names = layout.parts().iter().filter(|part| part.kind != PartKind::Rail);
    let name = |part: &reduce::LayoutPart| {
        let word = layout.name(part);
        let word = word
            .split_once(' ')
            .filter(|_| part.kind == PartKind::Variable)
            .map_or(&*word, |w| w.1);
        DiagramLabel { at: part.ports[0], word: word.to_owned(), hue: hue(part.kind) }
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

/// The picture of a gadget with its ports, and the points that stray lines can fill.
pub fn gadget_figure(gadget: &Gadget, rules: Rules) -> String {
    let port =
        |&(letter, at): &(char, Point)| DiagramLabel { at, word: letter.to_string(), hue: 1 };
    let rows = of_rows("dots, and holes that a line can fill", 0, &gadget.rows);
    let junk = DiagramPart {
        name: "points that a stray line can fill: they do no harm".to_owned(),
        hue: 3,
        dots: Vec::new(),
        holes: junk(gadget, rules, &rows.holes),
        lines: Vec::new(),
    };
    let parts = [junk, rows].into_iter().filter(|part| !part.holes.is_empty());
    diagram(&PatternDiagram {
        title: format!("{}, lines of {}", gadget.name, rules.length()),
        note: format!("{}\n{}", gadget.about, gadget.describe_relation()),
        rules,
        parts: parts.collect(),
        names: gadget.ports.iter().map(port).collect(),
        theme: Theme::Light,
    })
}

/// The points beside the holes that lines can fill when all ports have dots.
fn junk(gadget: &Gadget, rules: Rules, holes: &[Point]) -> Vec<Point> {
    let mut dots = gadget.dots();
    dots.extend(gadget.ports.iter().map(|port| port.1));
    // Without a closure the gadget is broken, and its verification says so.
    let Ok(closure) = Closure::new(rules.length(), &dots, []) else { return Vec::new() };
    let mut junk: Vec<Point> = closure.fillable().filter(|point| !holes.contains(point)).collect();
    junk.sort_unstable();
    junk
}

fn of_rows(name: &str, hue: usize, rows: &[Row]) -> DiagramPart {
    let sorted = |mut points: Vec<Point>| {
        points.sort_unstable();
        points.dedup();
        points
    };
    DiagramPart {
        name: name.to_owned(),
        hue,
        dots: sorted(rows.iter().flat_map(|row| row.dots()).collect()),
        holes: sorted(rows.iter().flat_map(|row| row.holes()).collect()),
        lines: rows.iter().map(|row| row.line).collect::<Vec<Line>>(),
    }
}

fn hue(kind: PartKind) -> usize {
    match kind {
        PartKind::Rail => 0,
        PartKind::Variable => 1,
        PartKind::Column => 2,
        PartKind::Tap => 3,
        PartKind::Treasure => 4,
        PartKind::Checker => 6,
    }
}
