//! Reading and writing of YAML and JSON: files are read into a [`Tree`], and written from it in their author's layout.
//!
//! This crate knows the names of intrinsic functions, since a short tag is read as a call, but not their meaning.
//!
//! Read [`tree`] first: it is the one value type of all stages, an append-only arena whose nodes never change. Then
//! [`yaml`], [`json`] and [`mod@write`].
//!
//! # Reading
//!
//! [`decode`] turns bytes into text. [`fn@read`] turns text into a tree and always returns a root, with its diagnostics
//! beside it. [`yaml`] has two readers, one of which never reports anything. [`json`] has a reader of its own, and
//! reports why a file is not JSON ([`json::why_not`]). [`rest`] reads the sections and entries of a broken file one by
//! one, for the checks of its well-formed parts.
//!
//! # Files
//!
//! A file is a value: a [`SourceContent`] is a content with its text, its lines, and its parsed tree, with the positions of a
//! run whose first file it is. It is immutable and behind an `Arc`; there is one per content ([`Sources`], which
//! sessions may share), and it is parsed once, by the first request. A run has its own tree and its own position space
//! ([`SourceMap`](formwork_base::SourceMap)): it copies the nodes of a source, with other numbers and shifted positions
//! ([`Tree::graft`]); a tree that begins with a source is a clone of its tree, and in the one run of one template that
//! tree itself.
//!
//! A run reads all files through [`Files`]: each file once per revision ([`FileCache`]), with the number and bytes of
//! all of them within one budget, and a record of the files that its result depends on ([`Dependencies`]).
//!
//! # Writing
//!
//! [`mod@write`] copies everything unchanged from the source, byte for byte, and re-creates only nodes without a
//! source. Output goes to a sink as it comes.

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

pub use yaml::pasted::without_pasted;

pub use decode::Encoding;
pub use document::{Document, Format};
pub use files::{Dependencies, FileCache, Files, Role};
pub use function::Function;
pub use read::read;
pub use source::{Parsed, SourceContent, Sources};
pub use tree::{
    Entry, FrameId, FrameRecord, Kind, Node, NodeId, NodeSet, Origin, Pattern, Size, Style, Symbol, Tree, View, flags,
    has_placeholder, symbol,
};
pub use value::Value;
