//! Memory for the static program on x86-64 Linux, which is linked with musl: that C library is written to be small.
//! Its `memcpy` was a third of the time of a large template, and its allocator returns memory that is asked for again.
//!
//! The crate has two parts. The functions of C that copy and compare replace those of musl wherever the program is
//! linked, also inside the standard library: a program only has to name this crate. [`Allocator`] is for
//! `#[global_allocator]`.
//!
//! On other targets the functions exist for the tests alone, and nothing is replaced.
//!
//! The code of a function named `memcpy` must not be recognised as a copy, and turned into a call of `memcpy`.
#![no_builtins]
#![cfg(all(target_arch = "x86_64", unix))]

mod allocator;
#[cfg(any(test, target_env = "musl"))]
mod compare;
#[cfg(any(test, target_env = "musl"))]
mod copy;
#[cfg(target_env = "musl")]
mod symbols;

pub use allocator::Allocator;

/// What the tests write at a place: no two blocks near each other are equal.
#[cfg(test)]
fn pattern(at: usize) -> u8 {
    (at.wrapping_mul(167) ^ (at >> 8)).to_le_bytes()[0]
}
