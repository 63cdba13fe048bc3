//! Runs the same work many times on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Calls `work` for each number below `count`, and returns the results in the order of the numbers. At most `width`
/// threads run, including the calling one; when the system cannot create threads, that one does all of the work.
pub fn in_parallel<T: Send>(width: usize, count: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, T)>> = Mutex::new(Vec::with_capacity(count));
    let work_on = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                break;
            }
            let result = work(number);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
        }
    };
    thread::scope(|scope| {
        for _ in 1..width.min(count) {
            if thread::Builder::new().spawn_scoped(scope, work_on).is_err() {
                break;
            }
        }
        work_on();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

pub(crate) fn on_all_cores<T: Send>(count: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    in_parallel(thread::available_parallelism().map_or(1, usize::from), count, work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_whatever_the_width() {
        for width in [0, 1, 3, 100] {
            assert_eq!(in_parallel(width, 10, &|number| number * number), (0..10).map(|n| n * n).collect::<Vec<_>>());
        }
        assert_eq!(in_parallel(4, 0, &|number| number), Vec::<usize>::new());
    }
}
