//! The log of refused requests: one line each, limited per second.

use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Instant;

use axum::http::{Method, StatusCode, Uri};

/// Lines per second that are written; more are only counted.
const LINES: u32 = 20;

/// Writes lines somewhere.
pub(crate) struct Log {
    write: Box<dyn Fn(&str) + Send + Sync>,
    flood: Mutex<Flood>,
}

/// The lines of the current second.
struct Flood {
    since: Instant,
    lines: u32,
}

impl Log {
    pub(crate) fn new(write: Box<dyn Fn(&str) + Send + Sync>) -> Self {
        Self { write, flood: Mutex::new(Flood { since: Instant::now(), lines: 0 }) }
    }

    /// Logs a refused request.
    pub(crate) fn refused(&self, what: &RequestLine, status: StatusCode, reason: &str) {
        let RequestLine { peer, method, path } = what;
        self.line(&format!("{peer} {method} {path} {}: {reason}", status.as_u16()));
    }

    /// Logs any other line.
    pub(crate) fn line(&self, text: &str) {
        let mut flood = self.flood.lock().expect("nothing panics while it writes a line");
        if flood.since.elapsed().as_secs() >= 1 {
            let dropped = flood.lines.saturating_sub(LINES);
            if dropped > 0 {
                (self.write)(&format!("({dropped} more lines)"));
            }
            *flood = Flood { since: Instant::now(), lines: 0 };
        }
        flood.lines += 1;
        if flood.lines <= LINES {
            (self.write)(text);
        }
    }
}

/// A request in one line, safe to print.
pub(crate) struct RequestLine {
    peer: IpAddr,
    method: String,
    path: String,
}

impl RequestLine {
    pub(crate) fn new(peer: IpAddr, method: &Method, uri: &Uri) -> Self {
        let short = |text: &str, most| {
            text.chars().take(most).flat_map(char::escape_debug).collect::<String>()
        };
        Self { peer, method: short(method.as_str(), 10), path: short(uri.path(), 100) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn a_flood_of_lines_is_cut() {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&lines);
        let log = Log::new(Box::new(move |line| kept.lock().expect("alone").push(line.to_owned())));
        for number in 0..1000 {
            log.line(&number.to_string());
        }
        let count = lines.lock().expect("alone").len();
        // A second may pass on the way.
        assert!((LINES as usize..200).contains(&count), "{count}");
    }

    #[test]
    fn logged_paths_are_safe_to_print() {
        let uri = Uri::from_static("/a%1b?secret");
        let asked = RequestLine::new([127, 0, 0, 1].into(), &Method::GET, &uri);
        assert_eq!((asked.path.as_str(), asked.method.as_str()), ("/a%1b", "GET"));
    }
}
