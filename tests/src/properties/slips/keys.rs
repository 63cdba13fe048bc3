//! Keys of properties in which a slip is a mistake: those that the table of resource types declares.
//!
//! A key counts when the table names it at its place: from the type through properties, elements, alternatives and parts. Free
//! are the keys of maps, which the author makes up (`Environment.Variables`, `Tags` of serverless types), what is below a
//! document without named keys, and what is below a macro. A key whose value is `AWS::NoValue` is not there when the
//! template is deployed.

use formwork_schemas::{Node, Schemas};
use formwork_syntax::function::{self, Known};
use formwork_syntax::{Function, NodeId, Tree, View, symbol};

use super::{Word, members};

/// Most alternatives that are looked at together.
const MOST: usize = 200;

/// Calls `add` with each such key of a template.
pub(super) fn find(tree: &Tree, root: NodeId, schemas: &Schemas, add: &mut dyn FnMut(Word, NodeId)) {
    let has_macro = tree.get(root, symbol::TRANSFORM).is_some_and(|transforms| {
        let names = std::iter::once(transforms).chain(tree.items(transforms).iter().copied());
        names.filter_map(|name| tree.string(name)).any(|name| !name.starts_with("AWS::"))
    });
    if has_macro {
        return;
    }
    for resource in tree.get(root, symbol::RESOURCES).into_iter().flat_map(|section| members(tree, section)) {
        let kind = tree.get(resource.value, symbol::TYPE).and_then(|kind| tree.string(kind)).unwrap_or_default();
        let properties = tree.get(resource.value, symbol::PROPERTIES);
        let is_open = tree.get(resource.value, symbol::FN_TRANSFORM).is_some();
        if let (Some(known), Some(properties), false) = (schemas.resource_type(kind), properties, is_open) {
            value(tree, &[known.properties()], properties, (Word::Property, Word::NestedProperty), add);
        }
    }
    for kind in tree.get(root, symbol::GLOBALS).into_iter().flat_map(|globals| tree.entries(globals)) {
        let name = format!("AWS::Serverless::{}", tree.text(kind.key));
        if let Some(known) = schemas.resource_type(&name) {
            value(tree, &[known.properties()], kind.value, (Word::Global, Word::Global), add);
        }
    }
}

fn value(tree: &Tree, nodes: &[Node<'_>], at: NodeId, words: (Word, Word), add: &mut dyn FnMut(Word, NodeId)) {
    let nodes = flattened(nodes);
    let (word, below) = words;
    match tree.view(at) {
        View::List(items) => {
            let elements: Vec<Node<'_>> = nodes.iter().filter_map(|node| node.items()).collect();
            for &item in items {
                value(tree, &elements, item, (below, below), add);
            }
        }
        View::Call(Function::Known(Known::If), argument) => {
            for &branch in tree.items(argument).iter().skip(1) {
                value(tree, &nodes, branch, words, add);
            }
        }
        View::Map if tree.get(at, symbol::FN_TRANSFORM).is_none() => {
            let kind = tree.get_text(at, "Type").and_then(|kind| tree.string(kind));
            let is_meant = |node: &&Node<'_>| {
                let values = node.property("Type").and_then(|property| property.node.values());
                values.zip(kind).is_none_or(|(values, kind)| values.allow(kind))
            };
            let meant: Vec<Node<'_>> = nodes.iter().filter(is_meant).copied().collect();
            let is_map = meant.iter().any(|node| node.additional().is_some() || node.name_patterns().next().is_some());
            for entry in tree.entries(at) {
                let name = tree.text(entry.key);
                let is_nothing = tree
                    .argument_of(entry.value, Known::Ref)
                    .is_some_and(|name| tree.string(name) == Some("AWS::NoValue"));
                if let (Some(_), &[_, _, fragment]) = (function::loop_name(name), tree.items(entry.value)) {
                    value(tree, &nodes, fragment, words, add);
                    continue;
                }
                let mut inner: Vec<Node<'_>> =
                    meant.iter().filter_map(|node| node.property(name)).map(|property| property.node).collect();
                if !inner.is_empty() && !is_map && !is_nothing {
                    add(word, entry.key);
                }
                if inner.is_empty() {
                    inner.extend(meant.iter().filter_map(|node| node.additional()));
                    let patterns = meant.iter().flat_map(|node| node.name_patterns());
                    inner.extend(patterns.filter(|(one, _)| one.matches(name) == Some(true)).map(|(_, node)| node));
                }
                if !inner.is_empty() {
                    value(tree, &inner, entry.value, (below, below), add);
                }
            }
        }
        _ => {}
    }
}

/// Schemas with their alternatives and parts.
fn flattened<'n>(nodes: &[Node<'n>]) -> Vec<Node<'n>> {
    let (mut found, mut pending): (Vec<Node<'n>>, Vec<Node<'n>>) = (Vec::new(), nodes.to_vec());
    while let Some(node) = pending.pop() {
        if found.len() < MOST && !found.iter().any(|known| known.key() == node.key()) {
            found.push(node);
            pending.extend(node.one_of().chain(node.any_of()).chain(node.all_of()));
        }
    }
    found
}
