//! Processes many templates in parallel.

use std::sync::OnceLock;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Calls `work` with all items, on all cores, and returns the results in the order of the items. Where threads cannot
/// be started, the current one does everything.
pub fn on_all<I: Send, R: Send>(items: Vec<I>, work: impl Fn(I) -> R + Send + Sync) -> Vec<R> {
    on(if items.len() > 1 { threads() } else { None }, items, work)
}

fn on<I: Send, R: Send>(threads: Option<&ThreadPool>, items: Vec<I>, work: impl Fn(I) -> R + Send + Sync) -> Vec<R> {
    match threads {
        Some(threads) => threads.install(|| items.into_par_iter().map(work).collect()),
        None => items.into_iter().map(work).collect(),
    }
}

/// Returns a thread pool, since rayon's own one panics where the system refuses a thread.
fn threads() -> Option<&'static ThreadPool> {
    static THREADS: OnceLock<Option<ThreadPool>> = OnceLock::new();
    THREADS.get_or_init(|| ThreadPoolBuilder::new().build().ok()).as_ref()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items_with_and_without_threads() {
        let items: Vec<u64> = (0..100).collect();
        let work = |item: u64| {
            std::thread::sleep(Duration::from_millis((100 - item) % 7));
            item
        };
        assert_eq!(on_all(items.clone(), work), items);
        assert_eq!(on(None, items.clone(), |item| item), items);
    }
}
