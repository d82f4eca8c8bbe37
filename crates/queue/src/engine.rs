//! Parts that engines are built from: the leases a worker holds, and the clock they go by.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::Name;

/// Identifies a claim to the engine that made it; the lease is renewed while the claim has it.
#[derive(Debug)]
pub struct Ticket {
    number: u64,
    is_lost: Arc<AtomicBool>,
}

impl Ticket {
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost.load(Ordering::Relaxed)
    }
}

/// The key under which a plan says that it excludes a worker.
pub fn exclusion(worker: &str) -> Name {
    // FNV-1a: a worker's name may be longer than a key.
    let hash = worker.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    format!("excluded-{hash:016x}").parse().expect("letters and digits")
}

/// The leases that a worker holds, each with what the engine needs to renew it.
#[derive(Debug)]
pub struct Leases<T> {
    held: HashMap<u64, Lease<T>>,
    next: u64,
    clock: Clock,
}

#[derive(Debug)]
struct Lease<T> {
    is_lost: Weak<AtomicBool>,
    handle: T,
    length: Duration,
    /// When the next heartbeat is due.
    due: Instant,
}

impl<T> Leases<T> {
    /// No leases yet.
    pub fn new(clock: Clock) -> Self {
        Self { held: HashMap::new(), next: 0, clock }
    }

    /// Takes up a lease, which is held for as long as its ticket exists.
    pub fn hold(&mut self, handle: T, length: Duration) -> Ticket {
        self.next += 1;
        let ticket = Ticket { number: self.next, is_lost: Arc::default() };
        let (is_lost, due) = (Arc::downgrade(&ticket.is_lost), self.clock.now() + length / 3);
        self.held.insert(ticket.number, Lease { is_lost, handle, length, due });
        ticket
    }

    /// Gives up a lease; `None` if it is not held.
    pub fn give_up(&mut self, ticket: &Ticket) -> Option<T> {
        self.held.remove(&ticket.number).map(|lease| lease.handle)
    }

    /// What a lease is renewed with, if it is held.
    pub fn handle_mut(&mut self, ticket: &Ticket) -> Option<&mut T> {
        self.held.get_mut(&ticket.number).map(|lease| &mut lease.handle)
    }

    /// Sends a heartbeat for each lease that is due for one, three times in its length. `renew`
    /// returns whether the claim still stands.
    pub fn renew_due(&mut self, mut renew: impl FnMut(&T) -> bool) {
        let now = self.clock.now();
        self.held.retain(|_, lease| {
            let Some(is_lost) = lease.is_lost.upgrade() else { return false };
            if lease.due <= now {
                lease.due = now + lease.length / 3;
                if !renew(&lease.handle) {
                    is_lost.store(true, Ordering::Relaxed);
                    return false;
                }
            }
            true
        });
    }
}

/// The system's clock, plus what a test has advanced it by. Clones are the same clock.
#[derive(Debug, Clone, Default)]
pub struct Clock {
    advanced_millis: Arc<AtomicU64>,
}

impl Clock {
    /// Now, on this machine.
    pub fn now(&self) -> Instant {
        Instant::now() + self.advanced()
    }

    /// Milliseconds since 1970.
    pub fn unix_millis(&self) -> i64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from((since + self.advanced()).as_millis()).unwrap_or(i64::MAX)
    }

    /// Lets time pass at once, for tests.
    pub fn advance(&self, by: Duration) {
        self.advanced_millis.fetch_add(by.as_millis() as u64, Ordering::Relaxed);
    }

    fn advanced(&self) -> Duration {
        Duration::from_millis(self.advanced_millis.load(Ordering::Relaxed))
    }
}

/// Locks a mutex under which nothing panics.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("nothing panics under this lock")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(leases: &mut Leases<&'static str>) -> Vec<&'static str> {
        let mut due = Vec::new();
        leases.renew_due(|handle| {
            due.push(*handle);
            true
        });
        due.sort_unstable();
        due
    }

    #[test]
    fn a_heartbeat_is_due_three_times_in_a_lease_while_the_claim_exists() {
        let clock = Clock::default();
        let mut leases = Leases::new(clock.clone());
        let short = leases.hold("short", Duration::from_secs(600));
        let _long = leases.hold("long", Duration::from_secs(3600));
        let gone = leases.hold("gone", Duration::from_secs(600));
        assert_eq!(leases.give_up(&gone), Some("gone"));
        assert_eq!(leases.give_up(&gone), None);
        assert!(due(&mut leases).is_empty());
        clock.advance(Duration::from_secs(201));
        assert_eq!(due(&mut leases), ["short"]);
        assert!(due(&mut leases).is_empty());
        clock.advance(Duration::from_secs(1001));
        assert_eq!(due(&mut leases), ["long", "short"]);
        drop(short);
        clock.advance(Duration::from_secs(3600));
        assert_eq!(due(&mut leases), ["long"]);
    }

    #[test]
    fn a_claim_learns_that_it_is_lost() {
        let clock = Clock::default();
        let mut leases = Leases::new(clock.clone());
        let ticket = leases.hold((), Duration::from_secs(600));
        clock.advance(Duration::from_secs(300));
        leases.renew_due(|()| true);
        assert!(!ticket.is_lost());
        clock.advance(Duration::from_secs(300));
        leases.renew_due(|()| false);
        assert!(ticket.is_lost());
        assert_eq!(leases.give_up(&ticket), None);
    }
}
