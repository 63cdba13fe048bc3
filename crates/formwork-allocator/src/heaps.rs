//! A heap for each of a few threads: threads that allocate do not wait for each other.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use dlmalloc::Dlmalloc;

use crate::chunk::{self, Chunks};

/// How many there are. More threads than that share them.
const COUNT: usize = 16;

/// A heap, in cache lines of its own.
#[repr(align(128))]
struct Heap(Mutex<Dlmalloc<Chunks>>);

static HEAPS: [Heap; COUNT] = {
    let mut heaps = [const { Heap(Mutex::new(Dlmalloc::new_with_allocator(Chunks { heap: 0 }))) }; COUNT];
    let mut heap = 0;
    while heap < COUNT {
        heaps[heap] = Heap(Mutex::new(Dlmalloc::new_with_allocator(Chunks { heap })));
        heap += 1;
    }
    heaps
};

/// Threads so far that have allocated something.
static THREADS: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The heap of the thread.
    static OWN: Cell<usize> = const { Cell::new(COUNT) };
}

/// The heap of the current thread.
pub(crate) fn own() -> MutexGuard<'static, Dlmalloc<Chunks>> {
    let own = OWN.get();
    if own < COUNT {
        return lock(own);
    }
    let own = THREADS.fetch_add(1, Ordering::Relaxed) % COUNT;
    OWN.set(own);
    lock(own)
}

/// The heap that a block is from.
///
/// # Safety
/// The block is from a heap, and was not freed.
pub(crate) unsafe fn of(block: *mut u8) -> MutexGuard<'static, Dlmalloc<Chunks>> {
    // SAFETY: heaps have their blocks from `Chunks`.
    lock(unsafe { chunk::heap_of(block) })
}

/// No panic leaves a heap in the middle of its work: it has none.
fn lock(heap: usize) -> MutexGuard<'static, Dlmalloc<Chunks>> {
    HEAPS[heap].0.lock().unwrap_or_else(PoisonError::into_inner)
}
