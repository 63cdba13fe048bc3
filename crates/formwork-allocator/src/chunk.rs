//! Memory of the system in large aligned chunks, each of one heap. Its number is at the beginning of the chunk, where
//! it is found from the address of any block. A heap gets a chunk piece by piece.

use std::cell::Cell;
use std::ptr;

use libc::{
    MADV_POPULATE_WRITE, MAP_ANONYMOUS, MAP_FAILED, MAP_PRIVATE, PROT_READ, PROT_WRITE, c_void, madvise, mmap, munmap,
};

/// The size of a chunk, and what its address is a multiple of.
const SIZE: usize = 4 << 20;

/// What is kept free for the number: blocks stay aligned as a heap aligns them.
const HEADER: usize = 64;

/// The smallest piece of a chunk, and what a heap has of it first.
const PIECE: usize = 64 << 10;

/// The largest piece.
const LARGEST_PIECE: usize = 512 << 10;

/// From this size on, a heap gets pieces whose pages are memory already: the system makes many of them in one call in less
/// time than each at its first use.
const POPULATED: usize = 1 << 20;

/// The chunks of a heap.
pub(crate) struct Chunks {
    /// Its number.
    heap: usize,
    /// Bytes that the heap has.
    given: Cell<usize>,
    /// What is left of the last chunk, and its size.
    left: Cell<*mut u8>,
    left_size: Cell<usize>,
}

// SAFETY: nothing else has what is left of the chunk.
unsafe impl Send for Chunks {}

impl Chunks {
    pub(crate) const fn new(heap: usize) -> Chunks {
        Chunks { heap, given: Cell::new(0), left: Cell::new(ptr::null_mut()), left_size: Cell::new(0) }
    }

    /// Begins a new chunk; false when the system has no more memory. What was left of the one before is not used.
    fn begin_chunk(&self) -> bool {
        let Some(chunk) = map() else { return false };
        // SAFETY: the chunk has these bytes.
        unsafe {
            chunk.write(self.heap);
            self.left.set(chunk.byte_add(HEADER).cast());
        }
        self.left_size.set(SIZE - HEADER);
        true
    }
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
        if size > SIZE - HEADER || self.left_size.get() < size && !self.begin_chunk() {
            return (ptr::null_mut(), 0, 0);
        }
        let (piece, left, given) = (self.left.get(), self.left_size.get(), self.given.get());
        // In proportion to what the heap has, so that it leaves little of it unused. All but the first begin with a page.
        let wanted = size.max((given / 8).min(LARGEST_PIECE));
        let size = ((piece.addr() + wanted).next_multiple_of(PIECE) - piece.addr()).min(left);
        // SAFETY: the chunk has these bytes, and nothing else has them.
        unsafe {
            self.left.set(piece.add(size));
            if given >= POPULATED {
                populate(piece, size);
            }
        }
        self.left_size.set(left - size);
        self.given.set(given + size);
        // Pieces that follow each other become one.
        (piece, size, 0)
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

/// Makes memory of the pages of a piece. Where the system does not do this, each becomes memory at its first use.
///
/// # Safety
/// The piece is mapped.
unsafe fn populate(piece: *mut u8, size: usize) {
    let page = piece.map_addr(|address| address & !4095);
    // SAFETY: as the caller promises. It does not change what is in the pages.
    unsafe { madvise(page.cast(), size, MADV_POPULATE_WRITE) };
}
