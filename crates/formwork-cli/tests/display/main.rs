//! What the program shows of names, paths and values that it did not write: nothing that acts on a terminal,
//! and nothing secret (reference/command-line.md#output).
#![allow(clippy::disallowed_methods, reason = "a test of files on disk and of a program")]

mod controls;
mod project;
mod secrets;
