//! Comparing in blocks of sixteen bytes, which every x86-64 processor has.

use core::arch::x86_64::{_mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8};

const BLOCK: usize = 16;

/// Orders two ranges by their first bytes that differ: negative, zero or positive.
///
/// # Safety
/// Both ranges of `length` bytes are valid.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it is all of memcmp and bcmp")]
pub(crate) unsafe fn compare(one: *const u8, other: *const u8, length: usize) -> i32 {
    // SAFETY: each part lies in the first `length` bytes, by the condition before it.
    unsafe {
        if length >= BLOCK {
            blocks(one, other, length)
        } else if length >= 8 {
            let first = order(eight(one, 0), eight(other, 0));
            if first == 0 { order(eight(one, length - 8), eight(other, length - 8)) } else { first }
        } else if length >= 4 {
            let first = order(four(one, 0), four(other, 0));
            if first == 0 { order(four(one, length - 4), four(other, length - 4)) } else { first }
        } else {
            let mut at = 0;
            while at < length {
                let found = difference(one, other, at);
                if found != 0 {
                    return found;
                }
                at += 1;
            }
            0
        }
    }
}

/// Orders ranges of at least one block.
///
/// # Safety
/// Both ranges of `length` bytes are valid.
#[inline(always)]
#[allow(clippy::inline_always, reason = "most of memcmp and bcmp")]
unsafe fn blocks(one: *const u8, other: *const u8, length: usize) -> i32 {
    const ALL: u32 = 0xFFFF;
    let last = length - BLOCK;
    let mut at = 0;
    loop {
        // SAFETY: a block begins at `last` at most.
        let equal = unsafe {
            let blocks = (_mm_loadu_si128(one.add(at).cast()), _mm_loadu_si128(other.add(at).cast()));
            _mm_movemask_epi8(_mm_cmpeq_epi8(blocks.0, blocks.1)).cast_unsigned()
        };
        if equal != ALL {
            // SAFETY: it is inside of this block.
            return unsafe { difference(one, other, at + equal.trailing_ones() as usize) };
        }
        if at == last {
            return 0;
        }
        at = (at + BLOCK).min(last);
    }
}

/// How two bytes differ.
#[inline(always)]
#[allow(clippy::inline_always, reason = "three instructions")]
unsafe fn difference(one: *const u8, other: *const u8, at: usize) -> i32 {
    // SAFETY: the caller has a byte at this place.
    unsafe { i32::from(one.add(at).read()) - i32::from(other.add(at).read()) }
}

/// Eight bytes as a number that is ordered as they are.
#[inline(always)]
#[allow(clippy::inline_always, reason = "two instructions")]
unsafe fn eight(from: *const u8, at: usize) -> u64 {
    // SAFETY: the caller has eight bytes at this place.
    u64::from_be(unsafe { from.add(at).cast::<u64>().read_unaligned() })
}

/// Four bytes as a number that is ordered as they are.
#[inline(always)]
#[allow(clippy::inline_always, reason = "two instructions")]
unsafe fn four(from: *const u8, at: usize) -> u64 {
    // SAFETY: the caller has four bytes at this place.
    u64::from(u32::from_be(unsafe { from.add(at).cast::<u32>().read_unaligned() }))
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "three instructions")]
fn order(one: u64, other: u64) -> i32 {
    i32::from(one > other) - i32::from(one < other)
}

#[cfg(test)]
mod tests {
    use super::compare;

    /// How the ranges are ordered.
    fn compared(one: &[u8], other: &[u8]) -> i32 {
        assert_eq!(one.len(), other.len());
        // SAFETY: both have this length.
        unsafe { compare(one.as_ptr(), other.as_ptr(), one.len()) }.signum()
    }

    #[test]
    fn the_first_bytes_that_differ_decide() {
        for length in 0..150_u8 {
            let one: Vec<u8> = (0..length).map(|at| at.wrapping_mul(89)).collect();
            assert_eq!(compared(&one, &one), 0, "{length}");
            for at in 0..usize::from(length) {
                for (byte, other_byte) in [(0x00, 0xFF), (0x7F, 0x80), (0xFE, 0xFF)] {
                    let (mut smaller, mut larger) = (one.clone(), one.clone());
                    (smaller[at], larger[at]) = (byte, other_byte);
                    // What follows is ordered the other way.
                    smaller[at + 1..].fill(0xFF);
                    larger[at + 1..].fill(0x00);
                    assert_eq!(compared(&smaller, &larger), -1, "{length} at {at}");
                    assert_eq!(compared(&larger, &smaller), 1, "{length} at {at}");
                }
            }
        }
    }

    #[test]
    fn what_follows_the_range_is_not_looked_at() {
        for length in 0..64 {
            let (one, other) = ([0; 64], [[0; 64], [1; 64]].concat());
            assert_eq!(compared(&one[..length], &other[..length]), 0);
            assert_eq!(compared(&other[64 - length..64], &one[..length]), 0);
        }
    }
}
