//! What a worker has claimed, and when each claim is due for a sign of life.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant};

/// Claims, each with what a sign of life takes: a way to tell the server, or a file.
pub(crate) struct Claims<T> {
    held: HashMap<u64, Held<T>>,
    next: u64,
}

struct Held<T> {
    claim: Weak<u64>,
    means: T,
    lease: Duration,
    due: Instant,
}

impl<T> Default for Claims<T> {
    fn default() -> Self {
        Self { held: HashMap::new(), next: 0 }
    }
}

impl<T: Clone> Claims<T> {
    /// Takes up a claim, which is held for as long as somebody has its number.
    pub(crate) fn hold(&mut self, means: T, lease: Duration) -> Arc<u64> {
        self.next += 1;
        let number = Arc::new(self.next);
        let (claim, due) = (Arc::downgrade(&number), Instant::now() + lease / 3);
        self.held.insert(*number, Held { claim, means, lease, due });
        number
    }

    /// Lets go of a claim; nothing if it is not held.
    pub(crate) fn let_go(&mut self, number: u64) -> Option<T> {
        self.held.remove(&number).map(|held| held.means)
    }

    /// The claims that are due for a sign of life, three in every lease.
    pub(crate) fn due(&mut self) -> Vec<T> {
        let now = Instant::now();
        self.held.retain(|_, held| held.claim.strong_count() > 0);
        let due = self.held.values_mut().filter(|held| held.due <= now);
        due.map(|held| {
            held.due = now + held.lease / 3;
            held.means.clone()
        })
        .collect()
    }
}

/// Nobody panics with one of these locks in hand.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nobody panics with the lock in hand")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_due_while_somebody_has_them() {
        let mut claims = Claims::default();
        let soon = claims.hold("soon", Duration::ZERO);
        let _late = claims.hold("late", Duration::from_secs(3600));
        let gone = claims.hold("gone", Duration::ZERO);
        assert_eq!(claims.let_go(*gone), Some("gone"));
        assert_eq!(claims.let_go(*gone), None);
        assert_eq!(claims.due(), ["soon"]);
        drop(soon);
        assert!(claims.due().is_empty());
    }
}
