//! The text of a union (reference/merge.md#text): the entries of YAML files are copied with their comments, those of
//! another format are re-created.

mod copy;
mod json;
mod yaml;

use formwork_base::{Diagnostics, FileId, Limits, SourceMap, Span, VirtualPath};
use formwork_syntax::write::to_string;
use formwork_syntax::{Document, Format, NodeId, Style, Tree, read};
use rustc_hash::FxHashSet;

use crate::layout::Spacing;
use crate::paths::{self, Rewritten};
use crate::same::Comparison;
use crate::union::Merged;
use crate::units::Units;
use copy::Edits;

/// A written union.
#[derive(Debug)]
pub struct Text {
    /// The text.
    pub text: String,
    /// The starts of its parts, as offsets, each with the authored place.
    pub places: Vec<(u32, Span)>,
}

/// A path of a file, for another directory; `None` if it is kept.
pub type NewPath<'p> = &'p dyn Fn(FileId, &str) -> Option<String>;

/// Writes the union of documents in the format of the first one. `new_path` returns the paths for the place where the
/// text is read. A text that would be read differently is re-created as a whole.
pub fn text(
    tree: &mut Tree,
    sources: &SourceMap,
    documents: &[Document],
    merged: &Merged,
    new_path: NewPath<'_>,
) -> Text {
    let Some(first) = documents.first() else { return Text { text: String::new(), places: Vec::new() } };
    let new_paths = new_paths(tree, documents, new_path);
    let mut rewritten = Rewritten::of(tree, &new_paths);
    if !rewritten.is_empty() {
        rewritten.node(tree, merged.root);
    }
    let tree = &*tree;
    let mut edits = Edits::default();
    for (node, path) in new_paths {
        edits.replace(tree, node, path);
    }
    edits.cut_anchors(tree);
    let changed: FxHashSet<NodeId> = edits.changed().collect();
    let is_json = first.format == Format::Json;
    let scribe = Scribe {
        tree,
        sources,
        documents,
        merged,
        edits: &edits,
        rewritten: &rewritten,
        units: &Units::new(tree, sources, documents, merged),
    };
    let copied = if documents.len() == 1 {
        Some(edits.applied(sources, first.file, sources.text(first.file), 0))
    } else if is_json {
        Some(scribe.json())
    } else {
        let is_block = tree.style(scribe.first_root()) == Style::Plain;
        is_block.then(|| scribe.yaml(&Spacing::of(scribe.units)))
    };
    let path = VirtualPath::new(if is_json { "union.json" } else { "union.yaml" });
    if let Some(text) = copied
        && let Some(places) = places(&path, &text, (tree, merged.root), &changed)
    {
        return Text { text, places };
    }
    let text = scribe.formatted(merged.root, first.format);
    let places = places(&path, &text, (tree, merged.root), &changed).unwrap_or_default();
    Text { text, places }
}

fn new_paths(tree: &Tree, documents: &[Document], new_path: NewPath<'_>) -> Vec<(NodeId, String)> {
    let paths = documents.iter().flat_map(|document| {
        let new = |node: NodeId| Some((node, new_path(document.file, tree.text(node))?));
        paths::all(tree, document.root).into_iter().filter_map(new)
    });
    paths.collect()
}

/// Returns the authored places of a text, if it is read like the tree that it was written from.
fn places(
    path: &VirtualPath,
    text: &str,
    (tree, root): (&Tree, NodeId),
    changed: &FxHashSet<NodeId>,
) -> Option<Vec<(u32, Span)>> {
    let (mut read_tree, mut sources) = (Tree::new(), SourceMap::new());
    let file = sources.add(path.clone(), text)?;
    let mut found = Diagnostics::new();
    let document = read(&mut read_tree, &sources, file, &Limits::default(), &mut found);
    let is_changed = |node: NodeId| changed.contains(&node);
    let mut comparison = Comparison { read: &read_tree, tree, is_changed: &is_changed, places: Vec::new() };
    let is_same = document.is_well_formed && comparison.compare(document.root, root);
    let base = sources.base(file);
    let mut places = comparison.places;
    places.retain(|(_, authored)| !authored.is_none());
    for (start, _) in &mut places {
        *start = start.saturating_sub(base);
    }
    places.sort_by_key(|(start, _)| *start);
    is_same.then_some(places)
}

pub(crate) struct Scribe<'s> {
    tree: &'s Tree,
    sources: &'s SourceMap,
    documents: &'s [Document],
    merged: &'s Merged,
    edits: &'s Edits,
    /// Nodes that are re-created, with their new paths.
    rewritten: &'s Rewritten,
    units: &'s Units<'s>,
}

impl Scribe<'_> {
    fn first_root(&self) -> NodeId {
        self.documents.first().map_or(self.merged.root, |first| first.root)
    }

    fn first_text(&self) -> &str {
        self.documents.first().map_or("", |first| self.sources.text(first.file))
    }

    fn is_made(&self, node: NodeId) -> bool {
        self.merged.made.contains(&node)
    }

    fn file_of(&self, node: NodeId) -> Option<FileId> {
        self.sources.file_of(self.tree.span(node))
    }

    fn is_yaml(&self, file: FileId) -> bool {
        self.units.is_yaml(file)
    }

    /// Returns the text of a value that is re-created, from column 0, without a line break at its end.
    fn formatted(&self, node: NodeId, format: Format) -> String {
        let Some(first) = self.documents.first() else { return String::new() };
        let other = if format == Format::Yaml { Format::Json } else { Format::Yaml };
        let node = self.rewritten.get(node);
        let document = Document { root: node, format: other, ..*first };
        to_string(self.tree, node, &document, self.sources, format)
    }
}
