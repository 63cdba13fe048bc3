use std::alloc::{GlobalAlloc, Layout, System};
use dlmalloc::GlobalDlmalloc;

/// x
#[derive(Debug)]
pub struct Allocator;
const LARGE: usize = 128 << 10;

unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe { if layout.size() >= LARGE { System.alloc(layout) } else { GlobalDlmalloc.alloc(layout) } }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        unsafe { if layout.size() >= LARGE { System.alloc_zeroed(layout) } else { GlobalDlmalloc.alloc_zeroed(layout) } }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { if layout.size() >= LARGE { System.dealloc(block, layout) } else { GlobalDlmalloc.dealloc(block, layout) } }
    }
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        unsafe {
            match (layout.size() >= LARGE, size >= LARGE) {
                (true, true) => System.realloc(block, layout, size),
                (false, false) => GlobalDlmalloc.realloc(block, layout, size),
                _ => {
                    let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
                    if !new.is_null() {
                        std::ptr::copy_nonoverlapping(block, new, layout.size().min(size));
                        self.dealloc(block, layout);
                    }
                    new
                }
            }
        }
    }
}
