//! Parts of a template with too little or too much indentation: the body of a section, resource, parameter or output beside
//! its key, a section inside of another one, a resource inside of another one. Each is one error, and the template is
//! checked with the part where it belongs (reference/diagnostics.md#wording).

mod member;
mod report;
mod too_deep;
mod unindented;

use formwork_base::{SourceMap, Span, SpanSet, codes};
use formwork_syntax::{Document, Entry, Format, Kind, NodeId, Origin, Style, Tree, symbol};
use formwork_template::Section;

use super::Run;
use report::{Lines, report};

/// A part that is not where it belongs.
struct Misplaced {
    /// The key without its body, or of the part that is too deep.
    key: NodeId,
    /// The lines of the part.
    lines: Span,
    kind: Found,
    /// The number of spaces to add or to remove.
    by: usize,
}

enum Found {
    /// The body of a key is in the column of the key.
    Unindented(Owner),
    /// A section is inside of another one.
    Section(String),
    /// A resource is inside of the resource with this key, or in its properties.
    Resource { outer: NodeId, is_property: bool },
}

/// The declaration whose body is not indented.
#[derive(Clone, Copy)]
enum Owner {
    Section,
    Resource,
    Parameter,
    Output,
}

impl Run<'_> {
    /// Reports parts of the template with a wrong indentation, and returns the template with them where they belong.
    pub(super) fn put_right(&mut self, document: Document) -> NodeId {
        let root = document.root;
        let is_block = self.tree.kind(root) == Kind::Map && self.tree.style(root) != Style::Flow;
        if document.format != Format::Yaml || !document.is_well_formed || !is_block {
            return root;
        }
        let mut found = Vec::new();
        let root = unindented::of_sections(&mut self.tree, &self.sources, root, &mut found);
        let root = too_deep::sections_out(&mut self.tree, &self.sources, root, &mut found);
        let root = too_deep::sections_of_resources(&mut self.tree, &self.sources, root, &mut found);
        let root = unindented::of_members(&mut self.tree, &self.sources, root, &mut found);
        let root = too_deep::resources(&mut self.tree, &self.sources, root, &mut found);
        // Attributes of two declarations that are not indented have the same names.
        let is_unindented = |one: &&Misplaced| matches!(one.kind, Found::Unindented(_));
        let moved: SpanSet = found.iter().filter(is_unindented).map(|one| one.lines).collect();
        self.diagnostics.retain(|one| one.code != codes::DUPLICATE_KEY || !moved.any_around(one.span()));
        for misplaced in found {
            if let Some(lines) = Lines::of(&self.sources, misplaced.lines) {
                self.diagnostics.push(report(&self.tree, &misplaced, &lines));
            }
        }
        root
    }
}

/// Returns the entries of a mapping in block style.
fn block_entries(tree: &Tree, node: NodeId) -> Vec<Entry> {
    let is_block = tree.kind(node) == Kind::Map && tree.style(node) != Style::Flow;
    if is_block { tree.entries(node).collect() } else { Vec::new() }
}

/// Returns the mapping of a section in block style, and its name.
fn sections(tree: &Tree, root: NodeId) -> Vec<(Section, Entry)> {
    let section = |entry: Entry| Some((Section::from_symbol(tree.symbol(entry.key))?, entry));
    block_entries(tree, root).into_iter().filter_map(section).collect()
}

/// Returns a mapping like `map` with other entries.
fn with_entries(tree: &mut Tree, map: NodeId, entries: &[Entry]) -> NodeId {
    let (style, origin) = (tree.style(map), tree.origin(map));
    tree.map(entries, style, origin)
}

/// Returns a mapping of entries that were beside their key.
fn body(tree: &mut Tree, entries: &[Entry]) -> NodeId {
    let span = span_of(tree, entries);
    tree.map(entries, Style::Plain, Origin::Authored(span))
}

fn span_of(tree: &Tree, entries: &[Entry]) -> Span {
    match entries {
        [first, .., last] => tree.span(first.key).join(tree.span(last.value)).join(tree.span(last.key)),
        [only] => tree.span(only.key).join(tree.span(only.value)),
        [] => Span::NONE,
    }
}

/// Returns the column of a key, from 0.
fn column(sources: &SourceMap, tree: &Tree, key: NodeId) -> Option<usize> {
    Some(sources.place(tree.span(key))?.column.saturating_sub(1) as usize)
}

/// Returns `true` if the template has a section.
fn has_section(tree: &Tree, root: NodeId, section: Section) -> bool {
    tree.get(root, section.symbol()).is_some_and(|node| tree.kind(node) != Kind::Null)
}

/// Returns `true` if a key is written in the template, and not generated.
fn is_written(tree: &Tree, key: NodeId) -> bool {
    !tree.is_generated(key) && tree.symbol(key) != symbol::FN_TRANSFORM
}
