//! The same work on many templates, in parallel.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Batches of items of each worker at least, so that all of them end at about the same time.
const BATCHES: usize = 16;

/// Most items whose results are passed on together: handing one over wakes a thread.
const MOST_IN_BATCH: usize = 16;

/// The threads beside this one, one for each further core; `None` with a single core, or when no thread starts. Called
/// before there is work for them, they are there when there is.
pub(crate) fn others() -> Option<&'static ThreadPool> {
    static OTHERS: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let start = || {
        let count = thread::available_parallelism().map_or(1, usize::from) - 1;
        if count == 0 { None } else { ThreadPoolBuilder::new().num_threads(count).build().ok() }
    };
    OTHERS.get_or_init(start).as_ref()
}

/// Does `work` on all items, on all cores, and passes the results to `take` in the order of the items, each as soon as
/// those before it are done.
///
/// # Errors
/// The first error of `take`.
pub(crate) fn in_parallel<I: Sync, R: Send, E>(
    items: &[I],
    work: impl Fn(&I) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let Some(others) = others().filter(|_| items.len() > 1) else {
        return items.iter().map(work).try_for_each(take);
    };
    let workers = items.len().min(others.current_num_threads() + 1);
    // Small enough that no worker waits long for the last ones.
    let batch = (items.len() / (workers * BATCHES)).clamp(1, MOST_IN_BATCH);
    let next = AtomicUsize::new(0);
    let next_batch = || {
        let at = next.fetch_add(batch, Ordering::Relaxed);
        let own = items.get(at..items.len().min(at + batch)).filter(|own| !own.is_empty())?;
        Some((at, own.iter().map(&work).collect::<Vec<R>>()))
    };
    let mut ordered = Ordered { waiting: items.iter().map(|_| None).collect(), taken: 0 };
    others.in_place_scope(|scope| {
        let (sender, results) = channel();
        // This thread is one of them: it has memory that was used, and is not woken for each result.
        for _ in 1..workers {
            let (sender, next_batch) = (sender.clone(), &next_batch);
            // Results are not used after an error.
            scope.spawn(move |_| while next_batch().is_some_and(|done| sender.send(done).is_ok()) {});
        }
        drop(sender);
        while let Some(own) = next_batch() {
            for done in std::iter::once(own).chain(results.try_iter()) {
                ordered.add(done, &mut take)?;
            }
        }
        results.into_iter().try_for_each(|done| ordered.add(done, &mut take))
    })
}

/// Results that wait for those before them.
struct Ordered<R> {
    waiting: Vec<Option<R>>,
    taken: usize,
}

impl<R> Ordered<R> {
    /// Adds the results of items from `at` on, and passes on what no longer waits.
    fn add<E>(&mut self, (at, some): (usize, Vec<R>), mut take: impl FnMut(R) -> Result<(), E>) -> Result<(), E> {
        for (result, free) in some.into_iter().zip(&mut self.waiting[at..]) {
            *free = Some(result);
        }
        while let Some(result) = self.waiting.get_mut(self.taken).and_then(Option::take) {
            take(result)?;
            self.taken += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        let mut taken = Vec::new();
        let work = |item: &u64| {
            thread::sleep(std::time::Duration::from_millis((100 - item) % 7));
            *item
        };
        let done: Result<(), ()> = in_parallel(&items, work, |item| {
            taken.push(item);
            Ok(())
        });
        assert_eq!((done, taken), (Ok(()), items));
    }

    #[test]
    fn an_error_ends_the_work() {
        let items: Vec<u64> = (0..10_000).collect();
        let done = AtomicUsize::new(0);
        let work = |item: &u64| {
            done.fetch_add(1, Ordering::Relaxed);
            thread::sleep(std::time::Duration::from_micros(100));
            *item
        };
        let result = in_parallel(&items, work, |item| if item == 3 { Err(item) } else { Ok(()) });
        assert_eq!(result, Err(3));
        assert!(done.into_inner() < items.len());
    }
}
