//! The same work on many templates, in parallel.

use std::collections::VecDeque;
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

/// A worker: this thread, or one of the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Worker(usize);

impl Worker {
    /// The current one.
    pub(crate) fn current() -> Worker {
        Worker(rayon::current_thread_index().map_or(0, |at| at + 1))
    }
}

/// Does `work` on all items, on all cores, and passes the results to `take` in the order of the items, each as soon as
/// those before it are done. The items may take time, too: while one thread waits for the next ones, others work.
///
/// # Errors
/// The first error of `take`.
pub(crate) fn in_parallel<I: Send, R: Send, E>(
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    work: impl Fn(I) -> R + Sync,
    take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let items = items.into_iter().enumerate();
    // Of a walk, the number is not known.
    let count = items.size_hint().1.unwrap_or(usize::MAX);
    run(Sequence { items, left: count }, count, work, take)
}

/// The same for items that a worker each has handled before: it gets them again, while it has some left. What is in the
/// caches of its core, and in its memory, is used and freed there.
///
/// # Errors
/// The first error of `take`.
pub(crate) fn in_parallel_again<I: Send, R: Send, E>(
    items: impl IntoIterator<Item = (Worker, I)>,
    work: impl Fn(I) -> R + Sync,
    take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let mut queues = Queues { queues: Vec::new(), left: 0 };
    for (at, (Worker(worker), item)) in items.into_iter().enumerate() {
        if queues.queues.len() <= worker {
            queues.queues.resize_with(worker + 1, VecDeque::new);
        }
        queues.queues[worker].push_back((at, item));
        queues.left += 1;
    }
    let count = queues.left;
    run(queues, count, work, take)
}

/// Items that are not yet worked on, with their positions.
trait Source: Send {
    type Item: Send;

    /// The next ones for a worker, of `workers`; none when all are taken.
    fn batch(&mut self, worker: Worker, workers: usize) -> Vec<(usize, Self::Item)>;
}

/// How many items a worker takes when so many are left.
fn batch_of(left: usize, workers: usize) -> usize {
    (left / (workers * PART)).clamp(1, MOST_IN_BATCH)
}

/// Items for whoever comes first.
struct Sequence<S> {
    items: S,
    left: usize,
}

impl<I: Send, S: Iterator<Item = (usize, I)> + Send> Source for Sequence<S> {
    type Item = I;

    fn batch(&mut self, _: Worker, workers: usize) -> Vec<(usize, I)> {
        let batch: Vec<_> = self.items.by_ref().take(batch_of(self.left, workers)).collect();
        self.left -= batch.len();
        batch
    }
}

/// Items of each worker.
struct Queues<I> {
    queues: Vec<VecDeque<(usize, I)>>,
    left: usize,
}

impl<I: Send> Source for Queues<I> {
    type Item = I;

    fn batch(&mut self, Worker(worker): Worker, workers: usize) -> Vec<(usize, I)> {
        let from = match self.queues.get(worker) {
            Some(own) if !own.is_empty() => Some(worker),
            _ => (0..self.queues.len()).max_by_key(|&at| self.queues[at].len()),
        };
        let Some(queue) = from.map(|from| &mut self.queues[from]) else { return Vec::new() };
        let count = batch_of(self.left, workers).min(queue.len());
        self.left -= count;
        queue.drain(..count).collect()
    }
}

fn run<I: Send, R: Send, E>(
    source: impl Source<Item = I>,
    count: usize,
    work: impl Fn(I) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let others = others().filter(|_| count > 1);
    let workers = others.map_or(1, |others| count.min(others.pool.current_num_threads() + 1));
    let source = Mutex::new(source);
    let next_batch = || {
        let own = source.lock().unwrap_or_else(PoisonError::into_inner).batch(Worker::current(), workers);
        (!own.is_empty()).then(|| own.into_iter().map(|(at, item)| (at, work(item))).collect::<Vec<(usize, R)>>())
    };
    let mut ordered = Ordered { waiting: Vec::new(), taken: 0 };
    let Some(others) = others else {
        while let Some(own) = next_batch() {
            ordered.add(own, &mut take)?;
        }
        return Ok(());
    };
    others.cores.make_place();
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
    /// Adds the results of items at these positions, and passes on what no longer waits.
    fn add<E>(&mut self, some: Vec<(usize, R)>, mut take: impl FnMut(R) -> Result<(), E>) -> Result<(), E> {
        for (at, result) in some {
            if self.waiting.len() <= at {
                self.waiting.resize_with(at + 1, || None);
            }
            self.waiting[at] = Some(result);
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
    fn workers_get_their_own_items_first_and_then_those_of_others() {
        let items = || (0..1000).map(|at| (Worker(usize::from(at % 10 == 0)), at));
        let mut taken = Vec::new();
        let done: Result<(), ()> = in_parallel_again(
            items(),
            |item| item,
            |item| {
                taken.push(item);
                Ok(())
            },
        );
        assert_eq!((done, taken), (Ok(()), (0..1000).collect::<Vec<i32>>()));
        let mut queues = Queues { queues: vec![VecDeque::new(), VecDeque::new()], left: 1000 };
        for (at, (Worker(worker), item)) in items().enumerate() {
            queues.queues[worker].push_back((at, item));
        }
        let mut of_other = 0;
        while of_other < 50 {
            let batch = queues.batch(Worker(1), 2);
            of_other += batch.iter().filter(|(at, _)| at % 10 != 0).count();
            assert!(of_other == 0 || queues.queues[1].is_empty(), "{batch:?}");
            assert!(!batch.is_empty() && batch.len() <= MOST_IN_BATCH);
        }
        let rest: usize = std::iter::from_fn(|| Some(queues.batch(Worker(7), 2).len()).filter(|&some| some > 0)).sum();
        assert_eq!((rest, queues.left), (1000 - 100 - of_other, 0));
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
