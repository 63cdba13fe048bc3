//! Where each node of an expanded template came from.
//!
//! A compilation records for a node only the authored node that it replaces and the context
//! (loop iteration, alias, module use) in which it was made, which costs nothing where nothing
//! changed. Everything else is computed here on request, by seeing the authored node in
//! that context again: [`session`] answers for one node, [`explain`] for a path that a person names,
//! [`source_map`] for the whole output, and [`verify`] checks that the answers hold.

pub mod authored;
mod constants;
pub mod explain;
mod form;
mod modules;
pub mod origin;
mod origins;
pub mod output_node;
pub mod session;
pub mod source_map;
mod sources;
pub mod verify;
mod words;
mod written;

pub use authored::{Authored, Step};
pub use explain::{Answer, LineAnswers};
pub use formwork_evaluate::ValueSource;
pub use origin::{Origin, Rule, Source};
pub use output_node::OutputNode;
pub use session::{Roots, Session};
