//! Large blocks. The C library maps each by itself, and unmaps it when it is freed: a vector that each of many diagnostics
//! needs would be made of new pages every time. So some of those that are freed are kept for the next requests.

use std::alloc::{GlobalAlloc as _, Layout, System};
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use libc::malloc_usable_size;

/// How many are kept at most.
const MOST: usize = 16;

/// Bytes that are kept at most.
const MOST_BYTES: usize = 4 << 20;

/// A block is used for requests of more than one in this many of its bytes.
const SHARE: usize = 4;

/// The blocks that are kept.
struct Kept {
    /// The first ones are those that were freed first.
    blocks: [(*mut u8, usize); MOST],
    count: usize,
    bytes: usize,
}

// SAFETY: nothing else has the blocks.
unsafe impl Send for Kept {}

static KEPT: Mutex<Kept> = Mutex::new(Kept { blocks: [(ptr::null_mut(), 0); MOST], count: 0, bytes: 0 });

fn kept() -> MutexGuard<'static, Kept> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Kept {
    /// The smallest block that fits a request.
    fn take(&mut self, size: usize) -> Option<*mut u8> {
        let fits = |&at: &usize| (size..size.saturating_mul(SHARE)).contains(&self.blocks[at].1);
        let at = (0..self.count).filter(fits).min_by_key(|&at| self.blocks[at].1)?;
        Some(self.remove(at))
    }

    fn remove(&mut self, at: usize) -> *mut u8 {
        let (block, size) = self.blocks[at];
        self.blocks.copy_within(at + 1..self.count, at);
        self.count -= 1;
        self.bytes -= size;
        block
    }

    /// Keeps a block, and returns to the system what is too much then.
    ///
    /// # Safety
    /// The block is from the C library, and not used any more.
    unsafe fn add(&mut self, block: *mut u8) {
        // SAFETY: as the caller promises.
        let size = unsafe { malloc_usable_size(block.cast()) };
        // SAFETY: as the caller promises, now and for those that are kept.
        let free = |block: *mut u8| unsafe { libc::free(block.cast()) };
        if size > MOST_BYTES {
            return free(block);
        }
        while self.count == MOST || self.bytes + size > MOST_BYTES {
            free(self.remove(0));
        }
        self.blocks[self.count] = (block, size);
        self.count += 1;
        self.bytes += size;
    }
}

/// A block for a layout, which has the alignment of the C library's blocks at most; null when the system has no more
/// memory.
///
/// # Safety
/// As for [`GlobalAlloc::alloc`](std::alloc::GlobalAlloc::alloc).
pub(crate) unsafe fn allocate(layout: Layout) -> *mut u8 {
    let found = kept().take(layout.size());
    // SAFETY: as the caller promises.
    found.unwrap_or_else(|| unsafe { System.alloc(layout) })
}

/// Takes back a block.
///
/// # Safety
/// It is from this module, and not used any more.
pub(crate) unsafe fn free(block: *mut u8) {
    // SAFETY: as the caller promises; the C library knows the size of its blocks by itself.
    unsafe { kept().add(block) };
}

/// Changes the size of a block to another large one.
///
/// # Safety
/// As for [`GlobalAlloc::realloc`](std::alloc::GlobalAlloc::realloc); the block is from this module.
pub(crate) unsafe fn reallocate(block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
    // SAFETY: the block is from the C library.
    let has = unsafe { malloc_usable_size(block.cast()) };
    if (size..size.saturating_mul(SHARE)).contains(&has) {
        return block;
    }
    let found = if size > has { kept().take(size) } else { None };
    // SAFETY: as the caller promises: both blocks have the bytes that are copied.
    unsafe {
        let Some(larger) = found else { return System.realloc(block, layout, size) };
        larger.copy_from_nonoverlapping(block, layout.size());
        free(block);
        larger
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn none() -> Kept {
        Kept { blocks: [(ptr::null_mut(), 0); MOST], count: 0, bytes: 0 }
    }

    fn block(size: usize) -> *mut u8 {
        // SAFETY: the size is not zero.
        unsafe { libc::malloc(size).cast() }
    }

    fn sizes(kept: &Kept) -> Vec<usize> {
        kept.blocks[..kept.count].iter().map(|&(_, size)| size >> 10).collect()
    }

    #[test]
    fn the_smallest_block_that_fits_is_used_again() {
        let mut kept = none();
        let blocks = [400, 200, 800].map(|size| block(size << 10));
        for block in blocks {
            // SAFETY: a new block of the C library.
            unsafe { kept.add(block) };
        }
        assert_eq!(kept.take(900 << 10), None);
        assert_eq!(kept.take(150 << 10), Some(blocks[1]));
        assert_eq!(kept.take(150 << 10), Some(blocks[0]));
        assert_eq!(kept.take(150 << 10), None, "800 KiB are too many for 150");
        assert_eq!(kept.take(700 << 10), Some(blocks[2]));
        assert_eq!((kept.count, kept.bytes), (0, 0));
        for block in blocks {
            // SAFETY: from the C library, and used no more.
            unsafe { libc::free(block.cast()) };
        }
    }

    #[test]
    fn few_blocks_and_bytes_are_kept() {
        let mut kept = none();
        for size in (200..).take(MOST + 3) {
            // SAFETY: a new block of the C library.
            unsafe { kept.add(block(size << 10)) };
            assert!(kept.count <= MOST && kept.bytes <= MOST_BYTES);
        }
        // SAFETY: new blocks of the C library.
        unsafe {
            kept.add(block(MOST_BYTES + (1 << 20)));
            assert!(!sizes(&kept).contains(&((MOST_BYTES >> 10) + 1024)));
            kept.add(block(MOST_BYTES - (64 << 10)));
        }
        assert_eq!(kept.count, 1, "{:?}", sizes(&kept));
    }
}
