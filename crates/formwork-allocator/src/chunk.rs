//! Memory of the system in large aligned chunks, each of one heap. Its number is at the beginning of the chunk, where
//! it is found from the address of any block. Of a chunk only those pages are memory that were used.

use std::ptr;

use libc::{MAP_ANONYMOUS, MAP_FAILED, MAP_PRIVATE, PROT_READ, PROT_WRITE, c_void, mmap, munmap};

/// The size of a chunk, and what its address is a multiple of.
const SIZE: usize = 4 << 20;

/// What is kept free for the number: blocks stay aligned as a heap aligns them.
const HEADER: usize = 64;

/// The mark for `dlmalloc` of memory that is not joined with its neighbours, and not returned.
const EXTERN: u32 = 1;

/// The chunks of a heap.
pub(crate) struct Chunks {
    /// Its number.
    pub(crate) heap: usize,
}

/// The number of the heap that a block is from.
///
/// # Safety
/// The block is from [`Chunks`].
pub(crate) unsafe fn heap_of(block: *mut u8) -> usize {
    let chunk = block.cast::<c_void>().map_addr(|address| address & !(SIZE - 1));
    // SAFETY: chunks begin with the number, at addresses that are multiples of their size.
    unsafe { chunk.cast::<usize>().read() }
}

// SAFETY: each chunk is memory that nothing else has, and is never returned.
unsafe impl dlmalloc::Allocator for Chunks {
    fn alloc(&self, size: usize) -> (*mut u8, usize, u32) {
        if size > SIZE - HEADER {
            return (ptr::null_mut(), 0, 0);
        }
        let Some(chunk) = map() else { return (ptr::null_mut(), 0, 0) };
        // SAFETY: the chunk has these bytes.
        unsafe {
            chunk.write(self.heap);
            (chunk.byte_add(HEADER).cast(), SIZE - HEADER, EXTERN)
        }
    }

    fn remap(&self, _: *mut u8, _: usize, _: usize, _: bool) -> *mut u8 {
        ptr::null_mut()
    }

    fn free_part(&self, _: *mut u8, _: usize, _: usize) -> bool {
        false
    }

    fn free(&self, _: *mut u8, _: usize) -> bool {
        false
    }

    fn can_release_part(&self, _: u32) -> bool {
        false
    }

    fn allocates_zeros(&self) -> bool {
        true
    }

    fn page_size(&self) -> usize {
        4096
    }
}

/// A new chunk: twice its size is mapped, and what is before and behind the part that is aligned unmapped.
fn map() -> Option<*mut usize> {
    // SAFETY: a new mapping of zeroed pages, of which only parts are unmapped that nobody has seen.
    unsafe {
        let mapped = mmap(ptr::null_mut(), 2 * SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if mapped == MAP_FAILED {
            return None;
        }
        let before = mapped.addr().next_multiple_of(SIZE) - mapped.addr();
        unmap(mapped, before);
        unmap(mapped.byte_add(before + SIZE), SIZE - before);
        Some(mapped.byte_add(before).cast())
    }
}

/// # Safety
/// The pages are mapped, and not used.
unsafe fn unmap(start: *mut c_void, length: usize) {
    if length > 0 {
        // SAFETY: as the caller promises. When it fails they stay, unused.
        unsafe { munmap(start, length) };
    }
}
