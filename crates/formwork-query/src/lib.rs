//! Queries about a position in a template, for a language server, a browser or a script: the node, the meaning of a
//! name, its declaration and uses, the loops around it, names that could be written.
//!
//! A [`FileIndex`] holds the names that one file declares and uses, by byte offsets in that file: an edit of another
//! file does not change it. A [`Project`] is a template with the modules that it imports, and answers: node, symbol,
//! definition, references, loops, imports, outline, names. Answers are plain data, owned and independent of any
//! protocol. The results of an expansion, the items of loops and the logical IDs that loops and modules generate, are
//! in an [`Expansion`].
//!
//! Nothing here evaluates or reads anything: `Snapshot::project` of the crate `formwork` keeps the indexes, which are
//! built from the sources that were parsed for the runs. Names are looked up as the language does it
//! (reference/modules/references.md#lookup). Begin reading in `index.rs`.

mod attributes;
mod completion;
mod declarations;
mod expansion;
mod import;
mod index;
mod locate;
mod lookup;
mod loops;
mod modules;
mod names;
mod node;
mod occurrence;
mod outline;
mod parsed;
mod project;
mod resolve;
mod sections;
mod symbol;
#[cfg(test)]
mod tests;
mod values;
mod walk;

pub use completion::VisibleName;
pub use expansion::{Expansion, GeneratedId};
pub use import::ImportInfo;
pub use index::FileIndex;
pub use loops::EnclosingLoop;
pub use names::LoopKind;
pub use node::{NodeAt, NodeKind, node_at};
pub use occurrence::{Missing, Occurrence};
pub use outline::OutlineItem;
pub use project::Project;
pub use symbol::{Symbol, SymbolKind, SymbolUse};
