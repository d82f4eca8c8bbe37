//! Lengths of time as people write them.

use std::time::Duration;

/// Why a text is no length of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadDuration {
    /// Not a number and a unit.
    #[error("a time is a number and ms, s, m, h or d, like 90s or 10m")]
    Form,
    /// Nothing, or too much.
    #[error("a time must be more than nothing and at most a year")]
    Range,
}

/// A positive length of time: `90s`, `10m`, `2h`, `1.5h`, `500ms`; a bare number is in seconds.
pub fn parse_duration(text: &str) -> Result<Duration, BadDuration> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return Err(BadDuration::Form),
    };
    let number: f64 = digits.parse().map_err(|_| BadDuration::Form)?;
    let total = number * seconds;
    if !(total > 0.0 && total <= 366.0 * 86400.0) {
        return Err(BadDuration::Range);
    }
    Ok(Duration::from_secs_f64(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_people_write_them() {
        assert_eq!(parse_duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("1.5h"), Ok(Duration::from_secs(5400)));
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        for bad in ["", "s", "-5s", "nan", "NaNs", "inf", "0s", "5 s", "1e999s", "5x", "5ss", "é"]
        {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }
}
