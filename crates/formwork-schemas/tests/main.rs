//! Integration tests of the crate: one program.
#![allow(missing_docs, reason = "tests")]

mod embedded_table;
mod own;
