//! The names of C. The linker takes these, since it has them before it looks into the C library.

use crate::compare::compare;
use crate::copy::copy;

/// Copies bytes, and returns where to.
///
/// # Safety
/// Both ranges of `length` bytes are valid.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, length: usize) -> *mut u8 {
    // SAFETY: as the caller promises.
    unsafe { copy(to, from, length) };
    to
}

/// Copies bytes between ranges that may overlap, and returns where to.
///
/// # Safety
/// Both ranges of `length` bytes are valid.
#[unsafe(no_mangle)]
unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, length: usize) -> *mut u8 {
    // SAFETY: as the caller promises.
    unsafe { copy(to, from, length) };
    to
}

/// Orders two ranges by their first bytes that differ: negative, zero or positive.
///
/// # Safety
/// Both ranges of `length` bytes are valid.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(one: *const u8, other: *const u8, length: usize) -> i32 {
    // SAFETY: as the caller promises.
    unsafe { compare(one, other, length) }
}

/// Zero if two ranges have the same bytes.
///
/// # Safety
/// Both ranges of `length` bytes are valid.
#[unsafe(no_mangle)]
unsafe extern "C" fn bcmp(one: *const u8, other: *const u8, length: usize) -> i32 {
    // SAFETY: as the caller promises.
    unsafe { compare(one, other, length) }
}
