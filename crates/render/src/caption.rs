//! What is said about a game in words.

use record::{Play, Record};

use crate::glyphs;
use crate::look::bounds;

/// The game and its length: `5T · 178 moves`.
pub(crate) fn summary(record: &Record) -> String {
    let (count, noun) = match &record.play {
        Play::Moves(moves) => (moves.len(), "move"),
        Play::Drawing(lines) => (lines.len(), "line"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{} · {count} {noun}{plural}", record.game)
}

/// The summary, then who or what found the game.
pub(crate) fn full(record: &Record) -> String {
    let mut caption = summary(record);
    let provenance = &record.provenance;
    for part in [&provenance.author, &provenance.method, &provenance.program].into_iter().flatten()
    {
        let part = cleaned(part);
        if !part.is_empty() {
            caption.push_str(" · ");
            caption.push_str(&part);
        }
    }
    caption
}

/// What a picture shows, for those who cannot see it.
pub(crate) fn description(record: &Record) -> String {
    let (low, high) = bounds(record);
    let order = match record.play {
        Play::Moves(_) => "The dots of the moves carry their numbers.",
        Play::Drawing(_) => "The order of play is not known.",
    };
    format!(
        "A grid from {low} to {high}, x to the right, y down. Solid: the {} dots of the start. \
         {order}",
        record.game.start.dots().len(),
    )
}

/// The full caption, cut short if it does not fit into `room` pixels at this letter height.
pub(crate) fn fitting(record: &Record, room: f64, height: f64) -> String {
    let mut caption = full(record);
    if glyphs::width(&caption, height) <= room {
        return caption;
    }
    while !caption.is_empty() && glyphs::width(&format!("{caption}…"), height) > room {
        caption.pop();
    }
    caption.truncate(caption.trim_end_matches([' ', '·', ',']).len());
    caption + "…"
}

/// A string of a file as one short line: no control characters, no runs of spaces.
fn cleaned(text: &str) -> String {
    const LONGEST: usize = 80;
    let visible: String = text.chars().filter(|&c| !invisible(c)).collect();
    let words = visible.split(|c: char| c.is_whitespace() || c.is_control());
    let line = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    line.chars().take(LONGEST).collect()
}

/// Characters that XML forbids or that change how the text around them is shown.
fn invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn a_caption_names_game_length_and_finder() {
        let mut record = testing::game(3);
        record.provenance.author = Some("Ada\n\u{0}  L.\u{202e}".to_owned());
        record.provenance.program = Some("\u{7}".to_owned());
        assert_eq!(full(&record), "5T · 3 moves · Ada L.");
        assert_eq!(summary(&testing::game(1)), "5T · 1 move");
    }

    #[test]
    fn a_long_caption_is_cut_to_its_room() {
        let mut record = testing::game(3);
        record.provenance.author = Some("x".repeat(10_000));
        let caption = fitting(&record, 200.0, 10.0);
        assert!(caption.ends_with('…') && glyphs::width(&caption, 10.0) <= 200.0, "{caption}");
    }
}
