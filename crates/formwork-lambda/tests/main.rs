//! The macro: requests to the library, and to the program that Lambda starts.
#![allow(clippy::disallowed_methods, reason = "examples are files, and the program is one")]

mod program;
mod requests;
