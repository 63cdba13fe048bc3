//! The dependency graph of an expanded template (reference/graph.md).
//!
//! [`Graph::of`] reads a template as plain data: nodes are resources, and on request parameters, conditions, outputs
//! and imports; edges lead from the user to the used node; clusters are loops, uses of modules and nested stacks.
//! [`select`] picks the nodes to draw, [`collapse`] reduces their number, and [`render`] draws them: the same graph
//! results in the same bytes.
//!
//! [`layout`] places boxes with integers; each cluster is laid out first and is then a box. `tree` decides which edges
//! pass which container, `ranks` and `rows` assign rows to items and passing edges, `order`, `tracks` and `coordinates`
//! their coordinates. `formwork::graph` reads the template of a compilation, and adds places.

mod build;
pub mod collapse;
mod cycles;
pub mod layout;
mod model;
pub mod render;
pub mod select;
#[cfg(test)]
mod tests;
mod uses;

pub use build::{Locate, Parts, Template};
pub use model::{Cluster, ClusterKind, Edge, EdgeKind, Graph, Node, NodeKind};
