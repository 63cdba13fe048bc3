//! What the program shows of names, paths and values that it did not write: nothing that acts on a terminal,
//! and nothing secret (reference/command-line.md#output).

mod controls;
mod project;
mod secrets;
