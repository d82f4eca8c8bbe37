//! Crash points for tests: in a debug build, `MORPION_FAILPOINT=NAME:N` kills the program the N-th
//! time it reaches the point NAME.

/// The point at which this process dies, if any.
pub(crate) struct Failpoint(Option<(String, u32)>);

impl Failpoint {
    pub(crate) fn from_environment() -> Self {
        let armed = || {
            let text = std::env::var("MORPION_FAILPOINT").ok()?;
            let (name, count) = text.split_once(':')?;
            Some((name.to_owned(), count.parse().ok()?))
        };
        Self(if cfg!(debug_assertions) { armed() } else { None })
    }

    /// Dies here, without cleaning up, if this is the point and the time.
    pub(crate) fn reach(&mut self, name: &str) {
        if let Some((armed, left)) = &mut self.0
            && armed == name
        {
            *left = left.saturating_sub(1);
            if *left == 0 {
                std::process::abort();
            }
        }
    }
}
