//! Small blocks that a thread has for itself: most requests are served without a lock, and without a look at memory that
//! was not used for long.

use std::cell::Cell;
use std::ptr;
use std::sync::{MutexGuard, OnceLock};

use dlmalloc::Dlmalloc;
use libc::{c_void, pthread_key_create, pthread_key_t, pthread_setspecific};

use crate::chunk::Chunks;
use crate::heaps;

/// The size that blocks of a class have at most. Heaps have blocks of 24 bytes, 40, 56 and so on.
const fn capacity(class: usize) -> usize {
    16 * class + 8
}

/// The number of classes. The first is not used.
const CLASSES: usize = 33;

/// The size of the largest blocks that are kept.
pub(crate) const LARGEST: usize = capacity(CLASSES - 1);

/// The alignment that all blocks of a heap have.
pub(crate) const ALIGN: usize = 16;

/// Bytes that are taken from a heap at a time.
const TAKEN: usize = 512;

/// Bytes of a class that a thread keeps at most.
const KEPT: usize = 8 << 10;

/// A block that is free: the next one is noted in it.
struct Free {
    next: *mut Free,
}

/// Blocks of a class that are free.
struct Bin {
    first: Cell<*mut Free>,
    count: Cell<usize>,
}

struct Cache {
    bins: [Bin; CLASSES],
    /// Whether the blocks are returned at the end of the thread.
    is_returned: Cell<bool>,
}

thread_local! {
    // Nothing of it is dropped: it is there until the thread has ended.
    static CACHE: Cache = const {
        Cache {
            bins: [const { Bin { first: Cell::new(ptr::null_mut()), count: Cell::new(0) } }; CLASSES],
            is_returned: Cell::new(false),
        }
    };
}

/// The class of blocks that have at least this size, in bytes, which is not above [`LARGEST`].
pub(crate) fn class_of(size: usize) -> usize {
    (size.max(capacity(1)) + 7) / 16
}

/// A block of a class; null when the system has no more memory.
pub(crate) fn allocate(class: usize) -> *mut u8 {
    CACHE.with(|cache| {
        let bin = &cache.bins[class];
        let block = bin.pop();
        if block.is_null() { cache.take(class) } else { block }
    })
}

/// Takes back a block.
///
/// # Safety
/// It is from [`allocate`], of this class, and not used any more.
pub(crate) unsafe fn free(block: *mut u8, class: usize) {
    CACHE.with(|cache| {
        let bin = &cache.bins[class];
        if bin.count.get() == 0 {
            cache.be_returned();
        }
        // SAFETY: as the caller promises.
        unsafe { bin.push(block) };
        if bin.count.get() * capacity(class) > KEPT {
            bin.return_some(class, bin.count.get() / 2);
        }
    });
}

/// The heap of the current thread.
pub(crate) fn heap() -> MutexGuard<'static, Dlmalloc<Chunks>> {
    CACHE.with(Cache::be_returned);
    heaps::own()
}

impl Cache {
    /// A block from the heap of the thread. Further ones are kept.
    #[cold]
    fn take(&self, class: usize) -> *mut u8 {
        self.be_returned();
        let size = capacity(class);
        let mut heap = heaps::own();
        // SAFETY: the size is not zero, and the alignment that of all blocks.
        let first = unsafe { heap.malloc(size, ALIGN) };
        if first.is_null() {
            return first;
        }
        let mut others = [ptr::null_mut(); TAKEN / capacity(1)];
        let count = (TAKEN / size).saturating_sub(1);
        for other in &mut others[..count] {
            // SAFETY: as above.
            *other = unsafe { heap.malloc(size, ALIGN) };
        }
        drop(heap);
        // What is used next is beside what was used last.
        for &block in others[..count].iter().rev().filter(|block| !block.is_null()) {
            // SAFETY: a new block of this class.
            unsafe { self.bins[class].push(block) };
        }
        first
    }

    /// Makes sure that all blocks are returned at the end of the thread.
    fn be_returned(&self) {
        if !self.is_returned.replace(true)
            && let Some(key) = key()
        {
            // SAFETY: the key exists; the value is not null, and not looked at. When it fails, some blocks are lost.
            unsafe { pthread_setspecific(key, ptr::from_ref(self).cast()) };
        }
    }
}

impl Bin {
    fn pop(&self) -> *mut u8 {
        let block = self.first.get();
        if !block.is_null() {
            // SAFETY: blocks in a bin are free, and have the next one in them.
            self.first.set(unsafe { (*block).next });
            self.count.set(self.count.get() - 1);
        }
        block.cast()
    }

    /// # Safety
    /// The block has the class of the bin, and is not used.
    unsafe fn push(&self, block: *mut u8) {
        let block: *mut Free = block.cast();
        // SAFETY: as the caller promises: the smallest class has place for it.
        unsafe { block.write(Free { next: self.first.get() }) };
        self.first.set(block);
        self.count.set(self.count.get() + 1);
    }

    /// Returns blocks to the heaps that they are from: those that were freed last, which are still in the caches of the
    /// processor.
    #[cold]
    fn return_some(&self, class: usize, count: usize) {
        let mut heaps = heaps::Returning::default();
        for _ in 0..count {
            let block = self.pop();
            if block.is_null() {
                return;
            }
            // SAFETY: a block of this class, which nobody uses.
            unsafe { heaps.free(block, capacity(class), ALIGN) };
        }
    }
}

/// What calls [`end`] at the end of threads.
fn key() -> Option<pthread_key_t> {
    static KEY: OnceLock<Option<pthread_key_t>> = OnceLock::new();
    *KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: the function may be called with any value.
        let status = unsafe { pthread_key_create(&raw mut key, Some(end)) };
        (status == 0).then_some(key)
    })
}

/// Returns what a thread has at its end, and its heap. When something else that ends with it frees more, this is called again.
extern "C" fn end(_: *mut c_void) {
    CACHE.with(|cache| {
        cache.is_returned.set(false);
        for (class, bin) in cache.bins.iter().enumerate() {
            bin.return_some(class, usize::MAX);
        }
    });
    heaps::leave();
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::thread;

    use super::*;

    #[test]
    fn classes_have_the_sizes_that_they_are_for() {
        for size in 1..=LARGEST {
            let class = class_of(size);
            assert!(class > 0 && class < CLASSES && capacity(class) >= size, "{size}");
            assert!(class == 1 || capacity(class - 1) < size, "{size}");
        }
    }

    #[test]
    fn what_was_freed_is_used_again_first() {
        let blocks: Vec<*mut u8> = (0..4).map(|_| allocate(5)).collect();
        // SAFETY: each is freed once.
        blocks.iter().for_each(|&block| unsafe { free(block, 5) });
        let again: Vec<*mut u8> = (0..4).map(|_| allocate(5)).collect();
        assert!(again.iter().eq(blocks.iter().rev()));
    }

    /// The addresses of blocks that a thread has at the same time and frees, and how many of them it keeps.
    fn used(count: usize) -> (Vec<usize>, usize) {
        let blocks: Vec<usize> = (0..count).map(|_| allocate(7).expose_provenance()).collect();
        for &block in &blocks {
            // SAFETY: each is freed once.
            unsafe { free(ptr::with_exposed_provenance_mut(block), 7) };
        }
        (blocks, CACHE.with(|cache| cache.bins[7].count.get()))
    }

    #[test]
    fn a_thread_keeps_no_more_than_some_blocks() {
        let (_, kept) = used(10_000);
        assert!(kept > 0 && kept * capacity(7) <= KEPT, "{kept}");
    }

    #[test]
    fn a_thread_keeps_nothing_at_its_end() {
        const BLOCKS: usize = 50;
        const THREADS: usize = 2000;
        let mut seen = HashSet::new();
        for _ in 0..THREADS {
            let (blocks, kept) = thread::scope(|scope| scope.spawn(|| used(BLOCKS)).join()).expect("it ends");
            assert!(kept >= BLOCKS, "{kept}");
            seen.extend(blocks);
        }
        // They are of the heap that each thread finds free, and of others in the time that other tests take.
        assert!(seen.len() < THREADS * BLOCKS / 2, "{}", seen.len());
    }
}
