//! Work on many things at once, taken over in their order.
//!
//! Decides how many threads there are. The order in which results are taken never depends on them.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::collections::BTreeMap;
use std::sync::mpsc;
use std::thread;

/// More threads gain nothing: what they make is taken over by one.
const MOST: usize = 8;

/// Does `work` for 0 to `n - 1` on several threads, and gives each result to `take` on this one, in order. Where `take`
/// fails, the rest is left.
pub(crate) fn in_order<T: Send, E>(
    n: usize,
    work: impl Fn(usize) -> T + Sync,
    mut take: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(MOST).min(n);
    let next = AtomicUsize::new(0);
    let (to, from) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let (to, next, work) = (to.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= n || to.send((at, work(at))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(to);
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (at, result) in &from {
            early.insert(at, result);
            while let Some(result) = early.remove(&due) {
                if let Err(problem) = take(due, result) {
                    next.store(n, Ordering::Relaxed);
                    return Err(problem);
                }
                due += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_a_failure_ends_it() {
        let mut taken = Vec::new();
        let all: Result<(), ()> = in_order(
            100,
            |n| n * n,
            |at, n| {
                taken.push((at, n));
                Ok(())
            },
        );
        assert_eq!(all, Ok(()));
        assert_eq!(taken, (0..100).map(|n| (n, n * n)).collect::<Vec<_>>());
        let mut count = 0;
        let failed = in_order(
            100,
            |n| n,
            |at, _| {
                count += 1;
                if at == 3 { Err(at) } else { Ok(()) }
            },
        );
        assert_eq!((failed, count), (Err(3), 4));
    }

    #[test]
    fn no_work_is_no_failure() {
        assert_eq!(in_order(0, |n| n, |_, _| Err(())), Ok(()));
    }
}
