//! Text to tree and back.
//!
//! [`Tree`] is the one value type of all stages: an append-only arena whose nodes never change.
//! [`read`] turns YAML or JSON text into it and always returns a tree, with its diagnostics beside
//! it. This crate knows the names of intrinsic functions, since a short tag is read as a call, but
//! not what they mean. Begin reading in [`tree`].

pub mod decode;
pub mod document;
pub mod files;
pub mod foreign_functions;
pub mod function;
pub mod json;
mod read;
pub mod rest;
pub mod scalar;
pub mod source;
pub mod tree;
pub mod value;
pub mod write;
pub mod yaml;

pub use decode::Encoding;
pub use document::{Document, Format};
pub use files::{Dependencies, FileCache, Files, Role};
pub use function::Function;
pub use read::read;
pub use source::{Parsed, Source, Sources};
pub use tree::{
    Entry, FrameId, FrameRecord, Kind, Node, NodeId, NodeSet, Origin, Pattern, Size, Style, Symbol, Tree, View, flags,
    symbol,
};
pub use value::Value;
