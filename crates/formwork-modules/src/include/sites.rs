//! The includes of a file.

use formwork_base::{Span, VirtualPath};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Tree, View, flags, has_placeholder, symbol};
use formwork_template::include::location;

#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) argument: NodeId,
    pub(super) span: Span,
    pub(super) text: String,
    pub(super) target: VirtualPath,
    pub(super) depth: usize,
}

pub(super) fn of_section(tree: &Tree, root: NodeId, path: &VirtualPath, sites: &mut Vec<Site>) {
    let Some(section) = tree.get(root, symbol::TRANSFORM) else { return };
    for &node in transforms(tree, &section) {
        sites.extend(site(tree, node, path, 0));
    }
}

/// Returns the transforms of a section: the items of a list, or the single value.
pub(super) fn transforms<'t>(tree: &'t Tree, section: &'t NodeId) -> &'t [NodeId] {
    if tree.kind(*section) == Kind::List { tree.items(*section) } else { std::slice::from_ref(section) }
}

/// Adds every include at or below a node with `depth` lists, mappings and calls around it.
pub(super) fn below(tree: &Tree, node: NodeId, path: &VirtualPath, depth: usize, sites: &mut Vec<Site>) {
    if !tree.has(node, flags::HAS_TRANSFORM) {
        return;
    }
    let mut at = |child: NodeId, may_be_argument: bool| match site(tree, child, path, depth).filter(|_| may_be_argument)
    {
        Some(site) => sites.push(site),
        None => below(tree, child, path, depth + 1, sites),
    };
    match tree.view(node) {
        View::List(items) => items.iter().for_each(|&item| at(item, false)),
        View::Map => {
            tree.entries(node).for_each(|entry| at(entry.value, tree.symbol(entry.key) == symbol::FN_TRANSFORM));
        }
        View::Call(function, argument) => at(argument, function == Function::Known(Known::Transform)),
        _ => {}
    }
}

/// Returns `true` for a computed location: a call, or a string with a placeholder.
pub(crate) fn is_computed(tree: &Tree, location: NodeId) -> bool {
    match tree.view(location) {
        View::String(text) => has_placeholder(text),
        View::Call(..) => true,
        _ => false,
    }
}

pub(crate) fn has_computed(tree: &Tree, node: NodeId) -> bool {
    let mut open = vec![(node, false)];
    while let Some((node, is_in_loop)) = open.pop() {
        if !tree.has(node, flags::HAS_TRANSFORM) || !(is_in_loop || tree.has(node, flags::HAS_LOOP)) {
            continue;
        }
        let is_include = |argument| location(tree, argument).is_some_and(|location| is_computed(tree, location));
        if is_in_loop && arguments(tree, node).any(is_include) {
            return true;
        }
        for (at, child) in tree.child_nodes(node).enumerate() {
            let is_loop = tree.kind(node) == Kind::Map && tree.loop_name(tree.entry(node, at).key).is_some()
                || tree.argument_of(node, Known::Map).is_some();
            open.push((child, is_in_loop || is_loop));
        }
    }
    false
}

/// Returns the arguments of `Fn::Transform` in a node: its own, or those of entries of a mapping.
pub(crate) fn arguments(tree: &Tree, node: NodeId) -> impl Iterator<Item = NodeId> {
    let own = tree.argument_of(node, Known::Transform);
    let is_entry = tree.kind(node) == Kind::Map;
    let entries = is_entry.then(|| tree.entries(node)).into_iter().flatten();
    let entries = entries.filter(|entry| tree.symbol(entry.key) == symbol::FN_TRANSFORM).map(|entry| entry.value);
    own.into_iter().chain(entries)
}

/// Returns the include of an argument of `Fn::Transform`; `None` for a remote or computed location.
fn site(tree: &Tree, argument: NodeId, path: &VirtualPath, depth: usize) -> Option<Site> {
    let location = location(tree, argument)?;
    let text = tree.string(location).filter(|text| !text.contains("://"))?.to_owned();
    if is_computed(tree, location) {
        return None;
    }
    let target = path.sibling(&text);
    Some(Site { argument, span: tree.span(location), text, target, depth })
}
