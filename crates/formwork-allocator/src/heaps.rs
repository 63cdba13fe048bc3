//! A heap for each of a few threads: threads that allocate do not wait for each other.

use std::cell::Cell;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use dlmalloc::Dlmalloc;

use crate::chunk::{self, Chunks};

/// How many there are. More threads than that share them.
const COUNT: usize = u16::BITS as usize;

/// A heap, in cache lines of its own.
#[repr(align(128))]
struct Heap(Mutex<Dlmalloc<Chunks>>);

static HEAPS: [Heap; COUNT] = {
    let mut heaps = [const { Heap(Mutex::new(Dlmalloc::new_with_allocator(Chunks::new(0)))) }; COUNT];
    let mut heap = 0;
    while heap < COUNT {
        heaps[heap] = Heap(Mutex::new(Dlmalloc::new_with_allocator(Chunks::new(heap))));
        heap += 1;
    }
    heaps
};

/// Which heaps belong to a thread that runs: a bit for each.
static TAKEN: AtomicU16 = AtomicU16::new(0);

/// Threads so far that found all heaps taken.
static LATE: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The heap of the thread.
    static OWN: Cell<usize> = const { Cell::new(COUNT) };
    /// Whether no other thread has it.
    static IS_ALONE: Cell<bool> = const { Cell::new(false) };
}

/// The heap of the current thread.
pub(crate) fn own() -> MutexGuard<'static, Dlmalloc<Chunks>> {
    let own = OWN.get();
    if own < COUNT {
        return lock(own);
    }
    let free = |taken: u16| (taken != u16::MAX).then(|| taken | (taken + 1));
    let (own, is_alone) = match TAKEN.fetch_update(Ordering::Relaxed, Ordering::Relaxed, free) {
        Ok(taken) => (taken.trailing_ones() as usize, true),
        Err(_) => (LATE.fetch_add(1, Ordering::Relaxed) % COUNT, false),
    };
    OWN.set(own);
    IS_ALONE.set(is_alone);
    lock(own)
}

/// Leaves the heap of a thread that ends to the next one, which finds memory in it that was used before.
pub(crate) fn leave() {
    let own = OWN.replace(COUNT);
    if IS_ALONE.replace(false) {
        TAKEN.fetch_and(!(1 << own), Ordering::Relaxed);
    }
}

/// The heap that a block is from.
///
/// # Safety
/// The block is from a heap, and was not freed.
pub(crate) unsafe fn of(block: *mut u8) -> MutexGuard<'static, Dlmalloc<Chunks>> {
    // SAFETY: heaps have their blocks from `Chunks`.
    lock(unsafe { chunk::heap_of(block) })
}

/// Returns blocks to heaps: a heap stays locked for those that follow each other.
#[derive(Default)]
pub(crate) struct Returning {
    locked: Option<(usize, MutexGuard<'static, Dlmalloc<Chunks>>)>,
}

impl Returning {
    /// # Safety
    /// The block is from a heap, has this size and alignment, and is not used any more.
    pub(crate) unsafe fn free(&mut self, block: *mut u8, size: usize, align: usize) {
        // SAFETY: heaps have their blocks from `Chunks`.
        let number = unsafe { chunk::heap_of(block) };
        if self.locked.as_ref().is_none_or(|(locked, _)| *locked != number) {
            // Not two at a time.
            self.locked = None;
            self.locked = Some((number, lock(number)));
        }
        if let Some((_, heap)) = &mut self.locked {
            // SAFETY: as the caller promises.
            unsafe { heap.free(block, size, align) };
        }
    }
}

/// No panic leaves a heap in the middle of its work: it has none.
fn lock(heap: usize) -> MutexGuard<'static, Dlmalloc<Chunks>> {
    HEAPS[heap].0.lock().unwrap_or_else(PoisonError::into_inner)
}
