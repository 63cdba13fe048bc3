//! What is offered, proved on generated projects.
#![allow(clippy::unwrap_used, clippy::format_push_string, clippy::disallowed_methods, missing_docs, reason = "tests")]

mod many_errors;
mod many_problems;
mod projects;
mod refactorings;
