//! The same work on several threads with the same outcome as on one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does `jobs` pieces of work on up to `threads` threads and gives back what came of each, in their
/// order.
///
/// Which thread does which piece depends on who is faster; a piece must not.
pub(crate) fn map_parallel<T: Send>(
    threads: usize,
    jobs: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    if threads <= 1 || jobs <= 1 {
        return (0..jobs).map(work).collect();
    }
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(jobs)));
    let serve = || {
        loop {
            let job = next.fetch_add(1, Ordering::Relaxed);
            if job >= jobs {
                return;
            }
            let outcome = work(job);
            done.lock().expect("no thread panics holding this").push((job, outcome));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(jobs) {
            // This thread does the work if no other can be started.
            let _ = std::thread::Builder::new().spawn_scoped(scope, serve);
        }
        serve();
    });
    let mut done = done.into_inner().expect("no thread panics holding this");
    done.sort_unstable_by_key(|&(job, _)| job);
    done.into_iter().map(|(_, outcome)| outcome).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_come_in_order_on_any_number_of_threads() {
        for threads in [0, 1, 2, 7] {
            assert_eq!(
                map_parallel(threads, 100, |job| job * job),
                (0..100).map(|n| n * n).collect::<Vec<_>>()
            );
        }
        assert!(map_parallel(4, 0, |job| job).is_empty());
    }
}
