//! What modules brought along for the stages behind this one, and that is not part of the result.

use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Kind, NodeId, Origin, Symbol, Tree, flags, symbol};
use rustc_hash::FxHashSet;

use super::Linked;
use super::walk::walk;

/// Returns a template without the conditions that are there to be checked, and without the mappings of modules
/// that nothing in `used` looks up: the evaluated template.
pub fn finish(tree: &mut Tree, root: NodeId, used: NodeId, linked: &Linked) -> NodeId {
    let used = without(tree, used, symbol::CONDITIONS, |_, key| linked.checked.contains(&key));
    let root = without(tree, root, symbol::CONDITIONS, |_, key| linked.checked.contains(&key));
    if linked.mappings.is_empty() {
        return root;
    }
    match named_mappings(tree, used) {
        Some(names) => without(tree, root, symbol::MAPPINGS, |tree, key| {
            linked.mappings.contains(&key) && !names.contains(&tree.symbol(key))
        }),
        // A name is known only at deployment: it may be that of any.
        None => root,
    }
}

/// Names of the mappings that are looked up; `None` when one is not known.
fn named_mappings(tree: &Tree, root: NodeId) -> Option<FxHashSet<Symbol>> {
    let (mut names, mut visited) = (FxHashSet::default(), FxHashSet::default());
    let mut all_are_known = true;
    walk(tree, root, |node| {
        if let Some(argument) = tree.argument_of(node, Known::FindInMap) {
            let name = tree.items(argument).first().and_then(|&name| tree.string(name));
            names.extend(name.and_then(|name| tree.symbols().get(name)));
            all_are_known &= name.is_some();
        }
        all_are_known && tree.has(node, flags::HAS_CALL) && visited.insert(node)
    });
    all_are_known.then_some(names)
}

/// The template without some members of a section; without the section when none is left.
fn without(tree: &mut Tree, root: NodeId, name: Symbol, is_gone: impl Fn(&Tree, NodeId) -> bool) -> NodeId {
    let mut sections: Vec<Entry> = tree.entries(root).collect();
    let Some(at) = sections.iter().position(|entry| tree.symbol(entry.key) == name) else { return root };
    let section = sections[at].value;
    if tree.kind(section) != Kind::Map {
        return root;
    }
    let left: Vec<Entry> = tree.entries(section).filter(|entry| !is_gone(tree, entry.key)).collect();
    if left.len() == tree.len(section) {
        return root;
    }
    if left.is_empty() {
        sections.remove(at);
    } else {
        // As it was written, when nothing else came to it: the writer copies what it finds again.
        let authored = tree.authored(section);
        let is_same = tree.kind(authored) == Kind::Map && tree.entries(authored).eq(left.iter().copied());
        let (style, frame) = (tree.style(section), tree.frame_of(section));
        sections[at].value =
            if is_same { authored } else { tree.map(&left, style, Origin::Generated(authored, frame)) };
    }
    let (style, frame, authored) = (tree.style(root), tree.frame_of(root), tree.authored(root));
    tree.map(&sections, style, Origin::Generated(authored, frame))
}
