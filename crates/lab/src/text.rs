//! Durations and counts as people write them, and texts that are safe to print.

use std::time::Duration;

/// A text of one line that is safe to print: whatever a terminal would obey is escaped.
#[must_use]
pub fn escape(text: &str) -> String {
    escape_all_but(text, "")
}

/// The same for a text of several lines: breaks and tabs stay.
#[must_use]
pub fn escape_lines(text: &str) -> String {
    escape_all_but(text, "\n\t")
}

/// JSON that is safe to print: control characters that JSON allows are escaped as it does.
#[must_use]
pub fn escape_json(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for letter in json.chars() {
        match is_obeyed(letter) && letter != '\n' {
            true => safe.extend(format!("\\u{:04x}", u32::from(letter)).chars()),
            false => safe.push(letter),
        }
    }
    safe
}

fn escape_all_but(text: &str, layout: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match is_obeyed(letter) && !layout.contains(letter) {
            true => safe.extend(letter.escape_default()),
            false => safe.push(letter),
        }
    }
    safe
}

/// Whether a terminal obeys a character instead of showing it: controls, and marks that change the
/// direction of what follows.
fn is_obeyed(letter: char) -> bool {
    let turns = ['\u{200e}'..='\u{200f}', '\u{202a}'..='\u{202e}', '\u{2066}'..='\u{2069}'];
    letter.is_control() || turns.iter().any(|marks| marks.contains(&letter))
}

/// The name nearest to a misspelt one, as the end of a message: ``; did you mean `nrpa`?``.
#[must_use]
pub fn did_you_mean<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let name = name.to_lowercase();
    let most = if name.chars().count() < 5 { 1 } else { 2 };
    match names.into_iter().map(|other| (edits(&name, &other.to_lowercase()), other)).min() {
        Some((edits, other)) if edits <= most => format!("; did you mean `{other}`?"),
        _ => String::new(),
    }
}

/// How many letters are inserted, dropped, replaced or exchanged with their neighbour.
fn edits(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows = vec![(0..=other.len()).collect::<Vec<usize>>()];
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            let crossed =
                i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
            if crossed {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

/// Why a text is not a duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseDurationError {
    /// Not a number and a unit.
    #[error("expected a number and ms, s, m, h or d, like 90s or 10m")]
    Form,
    /// Out of range.
    #[error("the duration must be more than 0 and at most 366d")]
    Range,
}

/// Parses a positive duration: `90s`, `10m`, `2h`, `1.5h`, `500ms`; a bare number is in seconds.
pub fn parse_duration(text: &str) -> Result<Duration, ParseDurationError> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return Err(ParseDurationError::Form),
    };
    let number: f64 = digits.parse().map_err(|_| ParseDurationError::Form)?;
    let total = number * seconds;
    if !(total > 0.0 && total <= 366.0 * 86400.0) {
        return Err(ParseDurationError::Range);
    }
    Ok(Duration::from_secs_f64(total))
}

/// A duration for people: `40 s`, `12 min`, `3.5 h`, `12 days`.
#[must_use]
pub fn format_duration(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 100.0 => format!("{seconds:.0} s"),
        seconds if seconds < 6000.0 => format!("{:.0} min", seconds / 60.0),
        seconds if seconds < 48.0 * 3600.0 => format!("{:.1} h", seconds / 3600.0),
        seconds => format!("{:.0} days", seconds / 86400.0),
    }
}

/// A number of things: `1 move`, `3 moves`.
#[must_use]
pub fn count(number: usize, thing: &str) -> String {
    match (number, thing.strip_suffix("leaf")) {
        (1, _) => format!("1 {thing}"),
        (_, Some(before)) => format!("{number} {before}leaves"),
        _ if thing.ends_with('x') => format!("{number} {thing}es"),
        _ => format!("{number} {thing}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_printed() {
        let hostile = "a\u{1b}[31m\u{9b}2J\u{7f}\r\u{202e}b\n\tc";
        assert_eq!(escape(hostile), "a\\u{1b}[31m\\u{9b}2J\\u{7f}\\r\\u{202e}b\\n\\tc");
        assert!(escape_lines(hostile).ends_with("b\n\tc"));
        let json = serde_json::to_string(hostile).expect("JSON");
        let safe = escape_json(&json);
        assert!(!safe.chars().any(is_obeyed), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).expect("JSON"), hostile);
    }

    #[test]
    fn durations_are_read_as_people_write_them() {
        assert_eq!(parse_duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        for bad in ["", "s", "-5s", "nan", "NaNs", "inf", "0s", "5 s", "1e999s", "5x", "5ss", "é"]
        {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn durations_are_written_in_the_unit_that_suits_them() {
        let text = |seconds| format_duration(Duration::from_secs(seconds));
        assert_eq!([40, 720, 12_600, 1_036_800].map(text), ["40 s", "12 min", "3.5 h", "12 days"]);
    }

    #[test]
    fn a_misspelt_name_finds_its_neighbour() {
        let names = ["nrpa", "nmcs", "temper", "sa"];
        assert_eq!(did_you_mean("nrap", names), "; did you mean `nrpa`?");
        assert_eq!(did_you_mean("tempr", names), "; did you mean `temper`?");
        assert_eq!(did_you_mean("NRPA", names), "; did you mean `nrpa`?");
        assert_eq!(did_you_mean("foo", ["pool"]), "");
        assert_eq!(did_you_mean("simulated-annealing", names), "");
        assert_eq!((edits("", "abc"), edits("abc", ""), edits("same", "same")), (3, 3, 0));
    }
}
