//! The same work on many templates, in parallel.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// Batches of items of each worker at least, so that all of them end at about the same time.
const BATCHES: usize = 16;

/// Most items whose results are passed on together: handing one over wakes a thread.
const MOST_IN_BATCH: usize = 16;

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
    let workers = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    if workers < 2 {
        return items.iter().map(work).try_for_each(take);
    }
    // Small enough that no worker waits long for the last ones.
    let batch = (items.len() / (workers.max(1) * BATCHES)).clamp(1, MOST_IN_BATCH);
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, results) = channel();
        for _ in 0..workers {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(batch, Ordering::Relaxed);
                    let Some(own) = items.get(at..items.len().min(at + batch)).filter(|own| !own.is_empty()) else {
                        break;
                    };
                    // Results are not used after an error.
                    if sender.send((at, own.iter().map(work).collect::<Vec<R>>())).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting: Vec<Option<R>> = items.iter().map(|_| None).collect();
        let mut taken = 0;
        for (at, some) in results {
            for (result, free) in some.into_iter().zip(&mut waiting[at..]) {
                *free = Some(result);
            }
            while let Some(result) = waiting.get_mut(taken).and_then(Option::take) {
                take(result)?;
                taken += 1;
            }
        }
        Ok(())
    })
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
