//! The origin of each node of an expanded template.
//!
//! The input is a compiled template and a question, the output an [`Origin`] or an [`Answer`]. A compilation records
//! for a node only the authored node that it replaces and the context (loop iteration, alias, module use) in which it
//! was generated; everything else is recomputed on demand by repeating the stages for this one node
//! ([`Replay`](formwork_loops::Replay), `Evaluator::value_again`). So provenance has no cost in runs that do not use
//! it.
//!
//! Read [`session`] first: it answers for one node. [`explain`] answers for a path on the command line, or for the
//! first 20 nodes of a line with one walk for the nodes and one for the siblings of all of them; [`source_map`] answers
//! for a whole output, and [`verify`] compares the two with the output, node by node. Paths in answers and maps are
//! relative to the template's directory; reports show paths as they were typed.

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
pub use explain::{Answer, LineAnswers, LinePlace};
pub use formwork_evaluate::ValueSource;
pub use origin::{Origin, Rule, Source};
pub use output_node::OutputNode;
pub use session::{Roots, Session};
