//! One template from many files (reference/merge.md): their sections are united behind parsing, before anything is
//! linked.
//!
//! [`merge`] unites the trees of the files. The nodes of the entries are shared, and keep their places; only the mappings
//! around them are new. [`text`] writes the result in the layout of its authors: entries are copied from their files, and
//! only their indentation changes. [`paths`] finds the relative paths, which another directory makes wrong.

mod conflict;
mod deep;
mod equal;
mod layout;
mod lines;
mod merger;
pub mod paths;
mod same;
pub mod text;
mod transform;
mod union;
mod units;

pub use union::{Merged, merge};
