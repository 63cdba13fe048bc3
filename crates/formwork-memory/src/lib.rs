//! `memcpy`, `memmove`, `memcmp` and `bcmp` for the static program on x86-64 Linux, which is linked with musl: that C
//! library is written to be small, and its `memcpy` was a third of the time of a large template.
//!
//! The linker takes these functions wherever the program uses those of C, also inside the standard library: a program
//! only has to name this crate. On other targets they exist for the tests alone, and nothing is replaced.
//!
//! `no_builtins`: the code of a function named `memcpy` must not be recognised as a copy, and turned into a call of `memcpy`.
//! Such a crate takes no part in optimization across crates, so it needs nothing of others at run time.
#![no_builtins]
#![cfg_attr(not(test), no_std)]
#![cfg(all(target_arch = "x86_64", any(test, target_env = "musl")))]

mod compare;
mod copy;
#[cfg(target_env = "musl")]
mod symbols;
