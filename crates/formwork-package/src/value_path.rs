//! Places in a tree, and edits at these places.

use std::collections::BTreeMap;

use formwork_syntax::{Entry, FrameId, Kind, NodeId, Origin, Style, Tree, symbol};

/// The place of a value below a root: the numbers of the entries, elements or arguments that lead to it, and the keys
/// that do not exist yet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ValuePath {
    pub(crate) steps: Vec<u32>,
    pub(crate) missing: Vec<String>,
}

impl ValuePath {
    pub(crate) fn step(&self, at: usize) -> ValuePath {
        let mut place = self.clone();
        place.steps.push(at as u32);
        place
    }

    /// Returns the place of keys that do not exist yet.
    pub(crate) fn absent(&self, names: &[&str]) -> ValuePath {
        let mut place = self.clone();
        place.missing.extend(names.iter().map(|&name| name.to_owned()));
        place
    }
}

#[derive(Debug, Default)]
pub(crate) struct Edits {
    replace: Option<NodeId>,
    add: Vec<(Vec<String>, NodeId)>,
    below: BTreeMap<u32, Edits>,
}

impl Edits {
    pub(crate) fn put(&mut self, place: &ValuePath, value: NodeId) {
        let mut edits = self;
        for &step in &place.steps {
            edits = edits.below.entry(step).or_default();
        }
        if place.missing.is_empty() {
            edits.replace = Some(value);
        } else {
            edits.add.push((place.missing.clone(), value));
        }
    }

    /// Returns the tree below `node` with all edits applied. Unchanged nodes are shared.
    pub(crate) fn apply(&self, tree: &mut Tree, node: NodeId) -> NodeId {
        if let Some(value) = self.replace {
            return value;
        }
        if self.add.is_empty() && self.below.is_empty() {
            return node;
        }
        let origin = Origin::Generated(node, tree.frame_of(node));
        let style = tree.style(node);
        let made = |tree: &mut Tree, at: usize, child: NodeId| match self.below.get(&(at as u32)) {
            Some(edits) => edits.apply(tree, child),
            None => child,
        };
        match tree.kind(node) {
            Kind::Map => {
                let mut entries: Vec<Entry> = tree.entries(node).collect();
                for (at, entry) in entries.iter_mut().enumerate() {
                    entry.value = made(tree, at, entry.value);
                }
                for (names, value) in &self.add {
                    add(tree, &mut entries, names, *value);
                }
                tree.map(&entries, style, origin)
            }
            Kind::List => {
                let mut items = tree.items(node).to_vec();
                for (at, item) in items.iter_mut().enumerate() {
                    *item = made(tree, at, *item);
                }
                tree.list(&items, style, origin)
            }
            Kind::Call => {
                let argument = tree.call(node).1;
                let argument = made(tree, 0, argument);
                let frame = tree.frame_of(node);
                tree.call_like(node, argument, frame)
            }
            _ => node,
        }
    }
}

/// Adds an entry below `names`, in the objects that earlier ones created.
fn add(tree: &mut Tree, entries: &mut Vec<Entry>, names: &[String], value: NodeId) {
    let Some((first, rest)) = names.split_first() else { return };
    let symbol = tree.intern(first);
    if rest.is_empty() {
        let key = new_key(tree, first);
        entries.retain(|entry| tree.symbol(entry.key) != symbol);
        insert(tree, entries, Entry { key, value });
        return;
    }
    let known = entries.iter().position(|entry| tree.symbol(entry.key) == symbol);
    let mut inner: Vec<Entry> = known.map_or_else(Vec::new, |at| tree.entries(entries[at].value).collect());
    add(tree, &mut inner, rest, value);
    let map = tree.map(&inner, Style::Plain, NEW);
    if let Some(at) = known {
        entries[at].value = map;
    } else {
        let key = new_key(tree, first);
        insert(tree, entries, Entry { key, value: map });
    }
}

/// Adds an entry after the others; a section before `Resources`, where readers look for it.
fn insert(tree: &Tree, entries: &mut Vec<Entry>, new: Entry) {
    let is_section = [symbol::METADATA, symbol::MAPPINGS].contains(&tree.symbol(new.key));
    let resources = entries.iter().position(|entry| is_section && tree.symbol(entry.key) == symbol::RESOURCES);
    entries.insert(resources.unwrap_or(entries.len()), new);
}

/// The origin of nodes that packaging adds: they are in no source.
pub(crate) const NEW: Origin = Origin::Authored(formwork_base::Span::NONE);

pub(crate) fn new_key(tree: &mut Tree, text: &str) -> NodeId {
    tree.key(text, Style::Plain, NEW)
}

/// Creates a string in place of the value `like`, or without a place.
pub(crate) fn new_text(tree: &mut Tree, text: &str, like: Option<NodeId>) -> NodeId {
    match like {
        Some(node) => tree.computed(text, Origin::Generated(node, FrameId::NONE)),
        None => tree.scalar(Kind::String, Style::Plain, text, NEW),
    }
}
