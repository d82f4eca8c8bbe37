//! Durations and counts as people write them.

use std::time::Duration;

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
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
