//! The YAML readers.
//!
//! Two readers pass their tokens to one builder (`builder`, `build`), which decides the meaning of scalars, tags,
//! anchors and merge keys. `scan` reads YAML as people write it, line by line, and never reports anything: at the first
//! construct that it does not know for certain, or that may be an error, it stops, the tree is rewound, and `general`
//! reads the file from the start with `granit-parser`. So every diagnostic comes from one reader. Both read the same
//! tree of the same file, node by node and span by span: `tests/src/properties/readers.rs`, `tests/tests/readers.rs`
//! and the fuzz target `readers` compare them. A construct that is added to `scan` only has to pass these.
//!
//! `granit-parser` ends at the first error. `read` leaves out parts that cannot be read as they are meant, or that
//! older readers accept, and `resume` resumes the reading at the last line before them that begins with a key, in a
//! mapping that is still open: behind a skeleton that opens the same collections. With anchors or directives the file
//! is read from its start. `recovery` finds the part to leave out by the kind of the error (`cause`), the open
//! collections and the columns of the lines (`outline`); it is a guess, and the aim is that one mistake is one error.
//! The reports beside an error are decided where the stages run (`run/rest.rs` and `run/damage.rs` of the crate
//! `formwork`).

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
mod missing;
mod outline;
pub(crate) mod pasted;
mod quoted;
pub mod read;
mod recovery;
mod resume;
#[cfg(test)]
mod resume_tests;
mod scan;
mod slips;
mod tag_mark;
mod tag_pairs;
mod tags;
#[cfg(test)]
mod tests;
