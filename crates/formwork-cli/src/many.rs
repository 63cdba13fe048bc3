//! The same work on many templates, in parallel.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::other_cores::OtherCores;

/// The part of what is left that a worker takes: of so many, divided by the workers. The last batches are small, so that
/// all workers end at about the same time.
const PART: usize = 4;

/// Most items whose results are passed on together: handing one over wakes a thread.
const MOST_IN_BATCH: usize = 16;

/// The threads beside the main one.
pub(crate) struct Others {
    pool: ThreadPool,
    cores: Arc<OtherCores>,
}

/// The threads beside this one, one for each further core; `None` with a single core, or when no thread starts. Called
/// before there is work for them, they are there when there is.
pub(crate) fn others() -> Option<&'static Others> {
    static OTHERS: OnceLock<Option<Others>> = OnceLock::new();
    let start = || {
        let count = thread::available_parallelism().map_or(1, usize::from) - 1;
        if count == 0 {
            return None;
        }
        let cores = Arc::new(OtherCores::new());
        let theirs = Arc::clone(&cores);
        let pool = ThreadPoolBuilder::new().num_threads(count).start_handler(move |_| theirs.enter()).build().ok()?;
        // One that waits for this core leaves it.
        thread::yield_now();
        Some(Others { pool, cores })
    };
    OTHERS.get_or_init(start).as_ref()
}

/// Does `work` on all items, on all cores, and passes the results to `take` in the order of the items, each as soon as
/// those before it are done. The items may take time, too: while one thread waits for the next ones, others work.
///
/// # Errors
/// The first error of `take`.
pub(crate) fn in_parallel<I: Send, R: Send, E>(
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    work: impl Fn(I) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let items = items.into_iter();
    // Of a walk, the number is not known.
    let count = items.size_hint().1.unwrap_or(usize::MAX);
    let Some(others) = others().filter(|_| count > 1) else {
        return items.map(work).try_for_each(take);
    };
    others.cores.make_place();
    let workers = count.min(others.pool.current_num_threads() + 1);
    let items = Mutex::new((0, items));
    let next_batch = || {
        let (at, own) = {
            let mut items = items.lock().unwrap_or_else(PoisonError::into_inner);
            let batch = ((count - items.0) / (workers * PART)).clamp(1, MOST_IN_BATCH);
            let own: Vec<I> = items.1.by_ref().take(batch).collect();
            items.0 += own.len();
            (items.0 - own.len(), own)
        };
        (!own.is_empty()).then(|| (at, own.into_iter().map(&work).collect::<Vec<R>>()))
    };
    let mut ordered = Ordered { waiting: Vec::new(), taken: 0 };
    others.pool.in_place_scope(|scope| {
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
        let end = at + some.len();
        if self.waiting.len() < end {
            self.waiting.resize_with(end, || None);
        }
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
    use std::sync::atomic::{AtomicUsize, Ordering};

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
