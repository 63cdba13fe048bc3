//! The laws of the formatter, and what it does with cases of each rule.
#![allow(clippy::disallowed_methods, reason = "tests read files")]

mod cases;
mod corpora;
mod generated;
mod laws;
