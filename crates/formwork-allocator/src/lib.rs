//! The allocator of the static program on Linux, which is linked with musl: that C library returns memory to the system
//! that is asked for again, page by page, and lets threads wait for each other.
//!
//! Blocks below 128 KiB come from `dlmalloc`, which uses again what was returned to it; each thread has its own heap, as
//! long as there are few, and keeps some of the small blocks that it freed for itself. Large blocks come from the C library,
//! and some of those that were freed are kept.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod cache;
mod chunk;
mod heaps;
mod large;

use std::alloc::{GlobalAlloc, Layout, System};

/// From this size on, in bytes, musl maps a block by itself: it grows without a copy, and is unmapped when it is freed.
const LARGE: usize = 128 << 10;

/// An allocator for `#[global_allocator]`.
#[derive(Clone, Copy, Debug)]
pub struct Allocator;

/// Where a block comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// The thread, by a class.
    Cache(usize),
    Heap,
    /// The C library, but for blocks that were kept.
    Large,
    /// The C library: blocks that neither a heap nor it aligns by itself.
    System,
}

impl Origin {
    fn of(layout: Layout) -> Origin {
        if layout.size() <= cache::LARGEST && layout.align() <= cache::ALIGN {
            Origin::Cache(cache::class_of(layout.size()))
        } else if layout.size() < LARGE && layout.align() < LARGE {
            Origin::Heap
        } else if layout.align() <= cache::ALIGN {
            Origin::Large
        } else {
            Origin::System
        }
    }
}

// SAFETY: where a block is from follows from its layout, and each of them keeps the contract.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe {
            match Origin::of(layout) {
                Origin::Cache(class) => cache::allocate(class),
                Origin::Heap => cache::heap().malloc(layout.size(), layout.align()),
                Origin::Large => large::allocate(layout),
                Origin::System => System.alloc(layout),
            }
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe {
            match Origin::of(layout) {
                Origin::Cache(class) => {
                    let block = cache::allocate(class);
                    if !block.is_null() {
                        block.write_bytes(0, layout.size());
                    }
                    block
                }
                Origin::Heap => cache::heap().calloc(layout.size(), layout.align()),
                // New pages are zeroed already.
                Origin::Large | Origin::System => System.alloc_zeroed(layout),
            }
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises; the layout is that of the allocation.
        unsafe {
            match Origin::of(layout) {
                Origin::Cache(class) => cache::free(block, class),
                Origin::Heap => heaps::of(block).free(block, layout.size(), layout.align()),
                Origin::Large => large::free(block),
                Origin::System => System.dealloc(block, layout),
            }
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises; the layout is that of the allocation, and the new one is valid.
        unsafe {
            let new = Layout::from_size_align_unchecked(size, layout.align());
            match (Origin::of(layout), Origin::of(new)) {
                (Origin::Cache(class), Origin::Cache(other)) if class == other => block,
                (Origin::Heap, Origin::Heap) => heaps::of(block).realloc(block, layout.size(), layout.align(), size),
                (Origin::Large, Origin::Large) => large::reallocate(block, layout, size),
                (Origin::System, Origin::System) => System.realloc(block, layout, size),
                _ => self.replace(block, layout, new),
            }
        }
    }
}

impl Allocator {
    /// Moves a block to another place.
    ///
    /// # Safety
    /// The block has the layout `old`.
    unsafe fn replace(self, block: *mut u8, old: Layout, new: Layout) -> *mut u8 {
        // SAFETY: as the caller promises: both blocks have the bytes that are copied.
        unsafe {
            let replacement = self.alloc(new);
            if !replacement.is_null() {
                replacement.copy_from_nonoverlapping(block, old.size().min(new.size()));
                self.dealloc(block, old);
            }
            replacement
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    /// What is written at a place: no two blocks near each other are equal.
    fn pattern(at: usize) -> u8 {
        (at.wrapping_mul(167) ^ (at >> 8)).to_le_bytes()[0]
    }

    #[test]
    fn a_block_keeps_its_bytes_whatever_size_it_gets() {
        let sizes =
            [1, 20, 30, 100, 520, 521, LARGE - 1, LARGE, LARGE + 1, 10 * LARGE, LARGE, LARGE - 1, 600, 520, 500, 7];
        for align in [1, 16, 4096, 2 * LARGE] {
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
        for size in [1, 40, 5_000, LARGE - 1, LARGE, 3 * LARGE] {
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

    #[test]
    fn blocks_of_one_thread_are_freed_and_grown_by_others() {
        struct Block(*mut u8, usize);
        // SAFETY: one thread at a time has it.
        unsafe impl Send for Block {}
        let layout = |size| Layout::from_size_align(size, 8).expect("a layout");
        let (send, receive) = mpsc::channel::<Block>();
        thread::scope(|scope| {
            for thread in 0..20 {
                let send = send.clone();
                scope.spawn(move || {
                    for number in 0..500 {
                        let size = 1 + (number * 37 + thread * 11) % 4000;
                        // SAFETY: the block has this size.
                        unsafe {
                            let block = Allocator.alloc(layout(size));
                            (0..size).for_each(|at| block.add(at).write(pattern(at + size)));
                            send.send(Block(block, size)).expect("a receiver");
                        }
                    }
                });
            }
            drop(send);
            for Block(block, size) in receive {
                // SAFETY: the block has this size, then the new one.
                unsafe {
                    let block = Allocator.realloc(block, layout(size), 3 * size);
                    assert!((0..size).all(|at| block.add(at).read() == pattern(at + size)), "{size}");
                    Allocator.dealloc(block, layout(3 * size));
                }
            }
        });
    }
}
