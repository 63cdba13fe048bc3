//! The allocator of the static program on Linux, which is linked with musl: that C library returns memory to the system
//! that is asked for again, page by page.
//!
//! Small blocks come from `dlmalloc`, which uses again what was returned to it, large ones from the C library.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::{Mutex, MutexGuard, PoisonError};

use dlmalloc::Dlmalloc;

/// From this size on, in bytes, musl maps a block by itself: it grows without a copy, and is unmapped when it is freed.
const LARGE: usize = 128 << 10;

/// Small blocks of all threads.
static SMALL: Mutex<Dlmalloc> = Mutex::new(Dlmalloc::new());

/// An allocator for `#[global_allocator]`.
#[derive(Clone, Copy, Debug)]
pub struct Allocator;

// SAFETY: which allocator a block is from follows from the size in its layout, and both keep the contract.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let size = layout.size();
        // SAFETY: as the caller promises.
        unsafe { if is_large(size) { System.alloc(layout) } else { small().malloc(size, layout.align()) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let size = layout.size();
        // SAFETY: as the caller promises.
        unsafe { if is_large(size) { System.alloc_zeroed(layout) } else { small().calloc(size, layout.align()) } }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let size = layout.size();
        // SAFETY: as the caller promises; the size is that of the allocation.
        unsafe {
            if is_large(size) { System.dealloc(block, layout) } else { small().free(block, size, layout.align()) }
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises; the size of the layout is that of the allocation.
        unsafe {
            match (is_large(layout.size()), is_large(size)) {
                (true, true) => System.realloc(block, layout, size),
                (false, false) => small().realloc(block, layout.size(), layout.align(), size),
                (true, false) | (false, true) => self.replace(block, layout, size),
            }
        }
    }
}

impl Allocator {
    /// Moves a block to the other allocator.
    ///
    /// # Safety
    /// As for [`GlobalAlloc::realloc`].
    unsafe fn replace(self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises: the new layout is valid, and both blocks have the bytes that are copied.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                new.copy_from_nonoverlapping(block, layout.size().min(size));
                self.dealloc(block, layout);
            }
            new
        }
    }
}

/// The allocator of small blocks. No panic leaves it in the middle of its work: it has none.
fn small() -> MutexGuard<'static, Dlmalloc> {
    SMALL.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_large(size: usize) -> bool {
    size >= LARGE
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written at a place: no two blocks near each other are equal.
    fn pattern(at: usize) -> u8 {
        (at.wrapping_mul(167) ^ (at >> 8)).to_le_bytes()[0]
    }

    #[test]
    fn a_block_keeps_its_bytes_whatever_size_it_gets() {
        let sizes = [1, 100, LARGE - 1, LARGE, LARGE + 1, 10 * LARGE, LARGE, LARGE - 1, 7];
        for align in [1, 16, 4096] {
            let layout = |size| Layout::from_size_align(size, align).expect("a layout");
            // SAFETY: every layout is that of the block.
            unsafe {
                let mut block = Allocator.alloc(layout(sizes[0]));
                block.write(pattern(0));
                for pair in sizes.windows(2) {
                    block = Allocator.realloc(block, layout(pair[0]), pair[1]);
                    assert!(!block.is_null() && block.addr().is_multiple_of(align));
                    let kept = pair[0].min(pair[1]);
                    let bytes = std::slice::from_raw_parts_mut(block, kept);
                    assert!(bytes.iter().enumerate().all(|(at, &byte)| byte == pattern(at)), "{pair:?}");
                    for at in kept..pair[1] {
                        block.add(at).write(pattern(at));
                    }
                }
                Allocator.dealloc(block, layout(sizes[sizes.len() - 1]));
            }
        }
    }

    #[test]
    fn zeroed_memory_is_zeroed_after_it_was_used() {
        for size in [1, 5_000, LARGE - 1, LARGE, 3 * LARGE] {
            let layout = Layout::from_size_align(size, 8).expect("a layout");
            for _ in 0..3 {
                // SAFETY: the layout is that of the block.
                unsafe {
                    let block = Allocator.alloc_zeroed(layout);
                    let bytes = std::slice::from_raw_parts_mut(block, size);
                    assert!(bytes.iter().all(|&byte| byte == 0), "{size}");
                    bytes.fill(0xFF);
                    Allocator.dealloc(block, layout);
                }
            }
        }
    }
}
