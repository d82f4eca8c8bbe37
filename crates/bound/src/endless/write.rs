//! Endless play as a file of the format `morpion-endless/1` of `docs/reference/certificates.md`.

use geometry::{Move, Point};

use super::EndlessPlay;

impl EndlessPlay {
    /// The text of its file, which names the program that found it.
    #[must_use]
    pub fn to_text(&self, program: &str) -> String {
        let start = match self.game.start.cross_side() {
            Some(_) => format!("\"{}\"", self.game.start_name()),
            None => {
                let dots: Vec<String> =
                    self.game.start.dots().iter().map(|&dot| point_json(dot)).collect();
                format!("[{}]", dots.join(", "))
            }
        };
        format!(
            "{{\n  \"format\": \"morpion-endless/1\",\n  \"rules\": \"{}\",\n  \
            \"start\": {start},\n  \"prefix\": {},\n  \"period\": {},\n  \"translation\": {},\n  \
            \"provenance\": {{\"program\": \"{program}\"}}\n}}\n",
            self.game.rules,
            moves_json(&self.prefix),
            moves_json(&self.period),
            point_json(self.translation),
        )
    }
}

fn moves_json(moves: &[Move]) -> String {
    let moves = moves.iter().map(|mv| {
        let (new, first) = (point_json(mv.dot()), point_json(mv.line.start));
        format!("    {{\"new\": {new}, \"line\": [{first}, \"{}\"]}}", mv.line.direction)
    });
    match moves.collect::<Vec<_>>() {
        none if none.is_empty() => "[]".to_owned(),
        some => format!("[\n{}\n  ]", some.join(",\n")),
    }
}

fn point_json(point: Point) -> String {
    format!("[{}, {}]", point.x, point.y)
}
