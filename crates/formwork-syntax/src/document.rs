//! Documents and their formats, with the helpers that all readers share.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Diagnostics, FileId, Span, codes};
use rustc_hash::FxHashMap;

use crate::tree::{Entry, NodeId, Tree};

/// The language of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// YAML 1.1 as CloudFormation reads it.
    Yaml,
    /// JSON.
    Json,
}

impl Format {
    /// The name of the format.
    pub fn name(self) -> &'static str {
        match self {
            Format::Yaml => "yaml",
            Format::Json => "json",
        }
    }
}

/// A file that was read.
#[derive(Clone, Copy, Debug)]
pub struct Document {
    /// The file.
    pub file: FileId,
    /// The language of the document.
    pub format: Format,
    /// The root node of the document.
    pub root: NodeId,
    /// `true` when the text is well-formed; otherwise the tree has what could be read of it.
    pub is_well_formed: bool,
    /// Set when the root has entries of other files: no text has the layout of the whole.
    pub is_united: bool,
}

/// Reports duplicate keys and keeps only the last entry of each name, which is the one that CloudFormation uses
/// (reference/reading.md#duplicate-keys). Returns the others.
pub(crate) fn check_duplicate(reader: &Tree, entries: &mut Vec<Entry>, diagnostics: &mut Diagnostics) -> Vec<Entry> {
    const FEW: usize = 12;
    let mut gone = Vec::new();
    let mut found = |first: usize, again: usize, entries: &[Entry]| {
        let (first_key, key) = (entries[first].key, entries[again].key);
        let name = reader.text(key);
        diagnostics.push(
            Diagnostic::new(codes::DUPLICATE_KEY, format!("duplicate key \"{}\" in one mapping", shown(name)))
                .at(reader.span(key))
                .label("this value is used")
                .related(reader.span(first_key), "this value is lost")
                .note("CloudFormation uses the last one and reports nothing")
                .help("remove or rename one of the two"),
        );
        gone.resize(entries.len(), false);
        gone[first] = true;
    };
    if entries.len() <= FEW {
        for again in 1..entries.len() {
            let name = reader.symbol(entries[again].key);
            if let Some(first) = (0..again).rev().find(|&first| reader.symbol(entries[first].key) == name) {
                found(first, again, entries);
            }
        }
    } else if reader.has_duplicates(entries) {
        let mut last = FxHashMap::with_capacity_and_hasher(entries.len(), rustc_hash::FxBuildHasher);
        for (at, entry) in entries.iter().enumerate() {
            if let Some(first) = last.insert(reader.symbol(entry.key), at) {
                found(first, at, entries);
            }
        }
    }
    let mut lost = Vec::new();
    if !gone.is_empty() {
        let mut gone = gone.iter();
        entries.retain(|entry| {
            let is_kept = gone.next() == Some(&false);
            lost.extend((!is_kept).then_some(*entry));
            is_kept
        });
    }
    lost
}

pub(crate) const MOST_ERRORS: usize = 10;

pub(crate) fn depth_error(limit: usize, span: Span) -> Diagnostic {
    Diagnostic::new(codes::LIMIT, format!("lists and mappings are nested deeper than the limit of {limit} levels"))
        .at(span)
        .label("the limit is exceeded here")
        .note("no template needs this depth; the limit prevents hostile input from exhausting memory")
}

pub(crate) fn node_error(limit: usize, span: Span) -> Diagnostic {
    Diagnostic::new(
        codes::LIMIT,
        format!("the template has more than {limit} nodes with YAML aliases expanded: the limit is exceeded"),
    )
    .at(span)
    .note("no template needs this many; the limit prevents hostile input from exhausting memory")
}
