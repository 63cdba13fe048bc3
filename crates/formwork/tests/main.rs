//! Tests of the library, a module for each area.
#![allow(clippy::disallowed_methods, reason = "examples and snapshots are files")]

mod cancellation;
mod examples;
mod explain_line;
mod layout;
mod packaged;
mod pages;
mod placeholders;
mod rain;
mod schemas;
mod session;
mod shared;
mod suppression;
