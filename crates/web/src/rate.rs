//! Rate limiting: a token bucket per address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Instant;

/// The most addresses to track.
const ADDRESSES: usize = 4096;

/// The buckets of all addresses.
pub(crate) struct Rate {
    per_second: f64,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

struct Bucket {
    left: f64,
    filled: Instant,
}

impl Rate {
    /// `per_second` requests on average, with bursts of twice as many.
    pub(crate) fn new(per_second: u32) -> Self {
        Self { per_second: per_second.into(), buckets: Mutex::default() }
    }

    /// Takes a token for this address, if there is one.
    pub(crate) fn admits(&self, peer: IpAddr) -> bool {
        let (now, most) = (Instant::now(), 2.0 * self.per_second);
        let mut buckets = self.buckets.lock().expect("nothing panics while it counts");
        if buckets.len() >= ADDRESSES && !buckets.contains_key(&peer) {
            // Full buckets carry no information; if all are in use, start over.
            let is_full = |bucket: &Bucket| {
                bucket.left + self.per_second * now.duration_since(bucket.filled).as_secs_f64()
                    >= most
            };
            buckets.retain(|_, bucket| !is_full(bucket));
            if buckets.len() >= ADDRESSES {
                buckets.clear();
            }
        }
        let bucket = buckets.entry(peer).or_insert(Bucket { left: most, filled: now });
        let since = now.duration_since(bucket.filled).as_secs_f64();
        bucket.left = (bucket.left + self.per_second * since).min(most);
        bucket.filled = now;
        if bucket.left < 1.0 {
            return false;
        }
        bucket.left -= 1.0;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_runs_dry_and_others_do_not() {
        let rate = Rate::new(1);
        let peer = |last| IpAddr::from([10, 0, 0, last]);
        let admitted = (0..100).filter(|_| rate.admits(peer(1))).count();
        assert!((2..50).contains(&admitted), "{admitted}");
        assert!(rate.admits(peer(2)));
    }

    #[test]
    fn the_number_of_addresses_is_limited() {
        let rate = Rate::new(1);
        for number in 0..10_000_u32 {
            assert!(rate.admits(IpAddr::from(number.to_be_bytes())));
        }
        assert!(rate.buckets.lock().expect("alone").len() <= ADDRESSES);
    }
}
