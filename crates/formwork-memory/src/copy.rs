//! Copying in blocks of sixteen bytes, which every x86-64 processor has.
//!
//! Most copies are short. Up to 64 bytes are read as a whole before any is written, so that it does not matter whether
//! the ranges overlap; blocks from the front and blocks from the back meet, or share bytes, in the middle.

use core::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_storeu_si128};

const BLOCK: usize = size_of::<__m128i>();
/// What one step copies, in bytes.
const STRIDE: usize = 4 * BLOCK;

/// Copies `length` bytes; the ranges may overlap.
///
/// # Safety
/// Both ranges of `length` bytes are valid.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is all of memcpy and memmove")]
pub(crate) unsafe fn copy(to: *mut u8, from: *const u8, length: usize) {
    // SAFETY: each pair of parts lies in the first `length` bytes, by the condition before it.
    unsafe {
        if length <= BLOCK {
            if length >= 8 {
                ends::<u64>(to, from, length);
            } else if length >= 4 {
                ends::<u32>(to, from, length);
            } else if length >= 2 {
                ends::<u16>(to, from, length);
            } else if length == 1 {
                to.write(from.read());
            }
        } else if length <= 2 * BLOCK {
            ends::<[u64; 2]>(to, from, length);
        } else if length <= STRIDE {
            let back = length - 2 * BLOCK;
            let (first, second) = (block(from, 0), block(from, BLOCK));
            let (third, fourth) = (block(from, back), block(from, back + BLOCK));
            write(to, 0, first);
            write(to, BLOCK, second);
            write(to, back, third);
            write(to, back + BLOCK, fourth);
        } else if (to as usize).wrapping_sub(from as usize) >= length {
            forwards(to, from, length);
        } else {
            backwards(to, from, length);
        }
    }
}

/// Copies the first and the last bytes, as many as `T` has.
///
/// # Safety
/// Both ranges are valid, and have at least as many bytes as `T`.
#[inline(always)]
#[allow(clippy::inline_always, reason = "two moves of the processor")]
unsafe fn ends<T: Copy>(to: *mut u8, from: *const u8, length: usize) {
    let back = length - size_of::<T>();
    // SAFETY: both parts lie in the range.
    unsafe {
        let (first, last) = (from.cast::<T>().read_unaligned(), from.add(back).cast::<T>().read_unaligned());
        to.cast::<T>().write_unaligned(first);
        to.add(back).cast::<T>().write_unaligned(last);
    }
}

/// Copies from the front to the back, more bytes than a stride: the target does not begin inside the source.
///
/// # Safety
/// Both ranges of `length` bytes are valid.
unsafe fn forwards(to: *mut u8, from: *const u8, length: usize) {
    let last = length - STRIDE;
    // SAFETY: every stride begins at `last` at most. What the last one has is read before it can be overwritten.
    unsafe {
        let end = stride(from, last);
        let mut at = 0;
        while at < last {
            write_stride(to, at, stride(from, at));
            at += STRIDE;
        }
        write_stride(to, last, end);
    }
}

/// Copies from the back to the front, more bytes than a stride: the target begins inside the source.
///
/// # Safety
/// Both ranges of `length` bytes are valid.
unsafe fn backwards(to: *mut u8, from: *const u8, length: usize) {
    // SAFETY: every stride lies in the range. What the first one has is read before it can be overwritten.
    unsafe {
        let start = stride(from, 0);
        let mut at = length;
        while at > STRIDE {
            at -= STRIDE;
            write_stride(to, at, stride(from, at));
        }
        write_stride(to, 0, start);
    }
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "four moves of the processor")]
unsafe fn stride(from: *const u8, at: usize) -> [__m128i; 4] {
    // SAFETY: the caller has a stride at this place.
    unsafe { [block(from, at), block(from, at + BLOCK), block(from, at + 2 * BLOCK), block(from, at + 3 * BLOCK)] }
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "four moves of the processor")]
unsafe fn write_stride(to: *mut u8, at: usize, [first, second, third, fourth]: [__m128i; 4]) {
    // SAFETY: the caller has a stride at this place.
    unsafe {
        write(to, at, first);
        write(to, at + BLOCK, second);
        write(to, at + 2 * BLOCK, third);
        write(to, at + 3 * BLOCK, fourth);
    }
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "one move of the processor")]
unsafe fn block(from: *const u8, at: usize) -> __m128i {
    // SAFETY: the caller has a block at this place.
    unsafe { _mm_loadu_si128(from.add(at).cast()) }
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "one move of the processor")]
unsafe fn write(to: *mut u8, at: usize, block: __m128i) {
    // SAFETY: the caller has a block at this place.
    unsafe { _mm_storeu_si128(to.add(at).cast(), block) }
}

#[cfg(test)]
mod tests {
    use super::copy;

    /// No two blocks near each other are equal.
    fn bytes(length: usize) -> Vec<u8> {
        (0..length).map(|at| (at.wrapping_mul(167) ^ (at >> 8)).to_le_bytes()[0]).collect()
    }

    #[test]
    fn all_bytes_of_every_length_are_copied_and_no_other() {
        for length in (0..400).chain([4_095, 4_096, 4_097, 70_001]) {
            for shift in [0, 1, 7, 15] {
                let source = bytes(length + shift);
                let mut target = vec![0xAA; length + shift + 64];
                // SAFETY: both are long enough.
                unsafe { copy(target.as_mut_ptr().add(shift), source.as_ptr().add(shift), length) };
                assert_eq!(target[shift..shift + length], source[shift..], "{length} at {shift}");
                assert!(target[..shift].iter().chain(&target[shift + length..]).all(|&byte| byte == 0xAA), "{length}");
            }
        }
    }

    #[test]
    fn ranges_may_overlap_by_any_distance() {
        for length in (0..300).chain([1_000, 5_000]) {
            for distance in (0..70).chain([127, 128, 200]) {
                for (from, to) in [(distance, 0), (0, distance)] {
                    let mut found = bytes(length + distance);
                    let mut expected = found.clone();
                    expected.splice(to..to + length, found[from..from + length].to_vec());
                    let start = found.as_mut_ptr();
                    // SAFETY: both ranges are inside of `found`.
                    unsafe { copy(start.add(to), start.add(from), length) };
                    assert!(found == expected, "{length} bytes from {from} to {to}");
                }
            }
        }
    }
}
