//! YAML text to tree.
//!
//! `scan` reads what people write; for all else, and wherever there is something to report, `general` reads the file
//! from the start. Both hand their tokens to one builder (`builder`, `build`).

pub(crate) mod adapter;
mod alias;
mod build;
mod builder;
mod cause;
mod checkpoint;
mod errors;
mod fault;
mod general;
mod line_slips;
mod marks;
mod outline;
mod quoted;
pub mod read;
mod recovery;
mod resume;
#[cfg(test)]
mod resume_tests;
mod scan;
mod slips;
mod tag_mark;
mod tags;
#[cfg(test)]
mod tests;
